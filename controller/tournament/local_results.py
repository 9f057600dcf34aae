"""Games of an event that are kept on this computer: their results, whoever has told them or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.session.journal import recover
from controller.session.replay import RESULT
from controller.session.setup import TournamentEntry, read_setup
from controller.storage.games import list_journals, read_journal
from controller.tournament.messages import UNFINISHED
from controller.tournament.payloads import result_payload
from engine.errors import LaserboardError

MAX_JOURNALS = 200  # journals, the newest ones


def read_local_results(
    folder: Path, event: TournamentEntry | str, exclude: str = ""
) -> Iterator[dict[str, Any]]:
    """What was played to an end at that table of an event, or at all of its tables, the oldest
    first; also where that end was withdrawn since."""
    try:
        paths = list_journals(folder)[:MAX_JOURNALS]
    except LaserboardError:
        return
    for path in reversed(paths):
        if path.name == exclude or not _may_mention_event(path):
            continue
        try:
            entries = recover(read_journal(path)).entries
            occasion = read_setup(entries).tournament_entry
            if occasion is None or not _is_same_event(occasion, event):
                continue
            body = result_payload(entries)
        except LaserboardError:
            continue
        # One that was withdrawn may have been told before: that it holds no more is news, too.
        ended = any(entry.kind == RESULT for entry in entries)
        if body is not None and (ended or body["result"] != UNFINISHED):
            yield body


def _is_same_event(occasion: TournamentEntry, event: TournamentEntry | str) -> bool:
    if isinstance(event, str):
        return occasion.event == event
    return (occasion.event, occasion.table) == (event.event, event.table)


def _may_mention_event(path: Path) -> bool:
    """Whether its first line may tell of an event: most games are of none."""
    try:
        with path.open("rb") as file:
            return b'"occasion"' in file.readline(64 * 1024)
    except OSError:
        return False
