"""Reads the results of an event from the journals on this computer, published or not."""

from __future__ import annotations

import logging
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

log = logging.getLogger(__name__)

MAX_JOURNALS = 200  # only the newest ones are read


def read_local_results(
    folder: Path, event: TournamentEntry | str, exclude: str = ""
) -> Iterator[dict[str, Any]]:
    """Result messages of finished games, oldest first: of one table (a `TournamentEntry`) or of all
    tables (the name of the event). A withdrawn result is included as UNFINISHED."""
    try:
        paths = list_journals(folder)[:MAX_JOURNALS]
    except LaserboardError:
        log.warning("cannot list the games in %s", folder, exc_info=True)
        return
    for path in reversed(paths):
        if path.name == exclude or not _may_mention_event(path):
            continue
        try:
            entries = recover(read_journal(path)).entries
            entry = read_setup(entries).tournament_entry
            if entry is None or not _is_same_event(entry, event):
                continue
            body = result_payload(entries)
        except LaserboardError:
            log.warning("cannot read the result of %s", path.name, exc_info=True)
            continue
        # A result that was withdrawn may have been published before, so it has to be replaced.
        ended = any(each.kind == RESULT for each in entries)
        if body is not None and (ended or body["result"] != UNFINISHED):
            yield body


def _is_same_event(entry: TournamentEntry, event: TournamentEntry | str) -> bool:
    if isinstance(event, str):
        return entry.event == event
    return (entry.event, entry.table) == (event.event, event.table)


def _may_mention_event(path: Path) -> bool:
    """A quick check of the first line: most games do not belong to an event."""
    try:
        with path.open("rb") as file:
            return b'"occasion"' in file.readline(64 * 1024)
    except OSError:
        return False
