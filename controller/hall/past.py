"""Games of an event that are kept on this computer: their results, whoever has told them or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.agreement import Occasion, read_start
from controller.game_store import kept, read
from controller.hall.messages import UNFINISHED
from controller.hall.told import result_body
from controller.journal import recover
from controller.played import RESULT
from engine.errors import LaserboardError

LOOKED_AT = 200  # journals, the newest ones


def finished(folder: Path, of: Occasion | str, leave_out: str = "") -> Iterator[dict[str, Any]]:
    """What was played to an end at that table of an event, or at all of its tables, the oldest
    first; also where that end was withdrawn since."""
    try:
        paths = kept(folder)[:LOOKED_AT]
    except LaserboardError:
        return
    for path in reversed(paths):
        if path.name == leave_out or not _mentions(path):
            continue
        try:
            entries = recover(read(path)).entries
            occasion = read_start(entries).occasion
            if occasion is None or not _is_of(occasion, of):
                continue
            body = result_body(entries)
        except LaserboardError:
            continue
        # One that was withdrawn may have been told before: that it holds no more is news, too.
        ended = any(entry.kind == RESULT for entry in entries)
        if body is not None and (ended or body["result"] != UNFINISHED):
            yield body


def _is_of(occasion: Occasion, of: Occasion | str) -> bool:
    if isinstance(of, str):
        return occasion.event == of
    return (occasion.event, occasion.table) == (of.event, of.table)


def _mentions(path: Path) -> bool:
    """Whether its first line may tell of an event: most games are of none."""
    try:
        with path.open("rb") as file:
            return b'"occasion"' in file.readline(64 * 1024)
    except OSError:
        return False
