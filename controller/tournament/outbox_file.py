"""Stores results on disk: a board's queue for the broker, and the results a tournament received.

The file is a journal: each result is synced, and a damaged tail is cut off on opening. If the
file cannot be opened (another program has locked it), results are kept in memory only.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.devices.factory.journals import open_journal
from controller.ports.devices import BadJournal, Clock, Journal
from controller.ports.events import DeviceRemark, WriteFailed
from controller.session.journal import JournalEntry, recover
from controller.tournament import sentences
from controller.tournament.messages import GameResult
from controller.tournament.outbox import (
    MAX_ENTRIES_PER_RESULT,
    MAX_RESULTS_KEPT,
    RESULT_KIND,
    SENT_KIND,
    Outbox,
    QueuedResult,
    read_outbox,
    sent_entry_body,
    write_compact,
)
from engine.errors import LaserboardError
from engine.sentences import Sentence, as_sentence, plain

log = logging.getLogger(__name__)

RETRY_MS = 5_000.0
MAX_FILE_BYTES = 64 * 1024 * 1024


class OutboxFile:
    """The results of one table or of an event. Not thread-safe."""

    def __init__(self, path: Path, clock: Clock, max_results: int = MAX_RESULTS_KEPT) -> None:
        self._path, self._clock = path, clock
        self.remarks: list[Sentence] = []  # for the user; the caller clears them
        self._retry_ms: float | None = None
        self._file: Journal | None = None
        self.outbox = Outbox(max_results=max_results)
        try:
            self._file, entries = self._open()
            self.outbox = read_outbox(entries, max_results)
        except (LaserboardError, OSError) as error:
            log.debug("cannot open %s", path, exc_info=True)
            reason = error.sentence if isinstance(error, LaserboardError) else plain(str(error))
            self.remarks.append(sentences.STORED_IN_MEMORY(reason=reason))

    def add(self, body: Mapping[str, Any]) -> bool:
        """Store a result; false if it, or a newer one of the same game, is already stored."""
        before = self.outbox
        self.outbox = before.with_result(body)
        if self.outbox is before:
            return False
        self._write(RESULT_KIND, body)
        return True

    def mark_delivered(self, result: GameResult) -> None:
        """Mark a result that the broker has acknowledged."""
        self.outbox = self.outbox.with_delivered(result.game_id, result.entries)
        self._write(SENT_KIND, sent_entry_body(result))

    def wait_until_synced(self, timeout_ms: float) -> bool:
        """Wait until everything is synced to disk; false after the timeout."""
        return self._file is None or self._file.wait(self._file.last_requested, timeout_ms)

    def queued(self) -> tuple[QueuedResult, ...]:
        return tuple(self.outbox.results.values())

    def poll(self) -> None:
        """Collect errors of the file and retry failed writes; call it regularly."""
        if self._file is None:
            return
        now_ms = self._clock.now_ms()
        for event in self._file.events():
            if isinstance(event, WriteFailed):
                self._retry_ms = now_ms + RETRY_MS
                self.remarks.append(as_sentence(event.sentence))
            elif isinstance(event, DeviceRemark):
                self.remarks.append(as_sentence(event.sentence))
        if self._retry_ms is not None and now_ms >= self._retry_ms:
            self._retry_ms = None
            self._file.retry()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, kind: str, body: Mapping[str, Any]) -> None:
        if self._file is not None:
            self._file.write(kind, body, self._clock.now_ms())

    def _open(self) -> tuple[Journal, tuple[JournalEntry, ...]]:
        path = self._path
        if path.exists() and path.stat().st_size > MAX_FILE_BYTES:
            self._set_aside(sentences.QUEUE_TOO_LARGE(name=path.name))
        try:
            file, entries = open_journal(path, self._clock, _ignore)
        except BadJournal as error:
            if recover(path.read_bytes()).damaged_tail is None:
                raise  # it is intact: another program has locked it
            self._set_aside(error.sentence)
            return open_journal(path, self._clock, _ignore, new=True)
        if len(entries) <= MAX_ENTRIES_PER_RESULT * self.outbox.max_results:
            return file, entries
        self._rewrite(read_outbox(entries, self.outbox.max_results))
        file.close()  # after the rewrite, because closing releases the lock
        return open_journal(path, self._clock, _ignore, new=False)

    def _set_aside(self, why: Sentence) -> None:
        number = 1
        while (aside := self._path.with_name(f"{self._path.name}.damaged-{number}")).exists():
            number += 1
        self._path.rename(aside)
        self.remarks.append(sentences.QUEUE_SET_ASIDE(reason=why, name=aside.name))

    def _rewrite(self, outbox: Outbox) -> None:
        part = self._path.with_name(f"{self._path.name}.part")
        with part.open("wb") as file:
            file.write(write_compact(outbox))
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _ignore() -> None:
    """Callback of the journal file for new events; the outbox polls instead."""
