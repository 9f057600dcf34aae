"""Results on the disk, which outlive whatever is killed or unplugged: a board's queue for the
broker, and what the hall has learned.

It is a journal: each result is synced before it is sent, and a torn tail is cut off on opening. A
file that is damaged, or that another program has, is not waited for: the game goes on without.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.devices.journal_file import BadJournal, JournalFile
from controller.hall.messages import Result
from controller.hall.queue import (
    ENTRIES_EACH,
    MOST_KEPT,
    SENT,
    TOLD,
    Queue,
    Waiting,
    read_queue,
    sent_body,
    written_anew,
)
from controller.journal import recover
from controller.ports import Clock, DeviceRemark, WriteFailed
from engine.errors import LaserboardError

RETRY_MS = 5_000.0
LARGEST = 64 * 1024 * 1024


class ResultFile:
    """The results of one table, or of an event. Only for one thread at a time."""

    def __init__(self, path: Path, clock: Clock, most: int = MOST_KEPT) -> None:
        self._path, self._clock = path, clock
        self.remarks: list[str] = []  # for people, to be taken away
        self._retry_ms: float | None = None
        self._file: JournalFile | None = None
        self.queue = Queue(most=most)
        try:
            self._file = self._opened()
            self.queue = read_queue(self._file.recovered.entries, most)
        except (LaserboardError, OSError) as bad:
            self.remarks.append(f"results are kept in memory only: {bad}")

    def tell(self, body: Mapping[str, Any]) -> bool:
        """Keep one more result; whether it is news."""
        before = self.queue
        self.queue = before.told(body)
        if self.queue is before:
            return False
        self._write(TOLD, body)
        return True

    def delivered(self, result: Result) -> None:
        """The broker has it."""
        self.queue = self.queue.delivered(result.game_id, result.entries)
        self._write(SENT, sent_body(result))

    def synced(self, timeout_ms: float) -> bool:
        """Whether all of it is on the disk; waits for that so long."""
        return self._file is None or self._file.wait(self._file.asked, timeout_ms)

    def waiting(self) -> tuple[Waiting, ...]:
        return tuple(self.queue.results.values())

    def look(self) -> None:
        """See after the disk, now and then."""
        if self._file is None:
            return
        now_ms = self._clock.now_ms()
        for event in self._file.events():
            if isinstance(event, WriteFailed):
                self._retry_ms = now_ms + RETRY_MS
                self.remarks.append(event.sentence)
            elif isinstance(event, DeviceRemark):
                self.remarks.append(event.sentence)
        if self._retry_ms is not None and now_ms >= self._retry_ms:
            self._retry_ms = None
            self._file.retry()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, kind: str, body: Mapping[str, Any]) -> None:
        if self._file is not None:
            self._file.write(kind, body, self._clock.now_ms())

    def _opened(self) -> JournalFile:
        path = self._path
        if path.exists() and path.stat().st_size > LARGEST:
            self._set_aside("is larger than any queue")
        try:
            file = JournalFile(path, self._clock, new=not path.exists())
        except BadJournal as bad:
            if recover(path.read_bytes()).torn is None:
                raise  # another program has it
            self._set_aside(str(bad))
            return JournalFile(path, self._clock, new=True)
        if len(file.recovered.entries) <= ENTRIES_EACH * self.queue.most:
            return file
        self._write_anew(read_queue(file.recovered.entries, self.queue.most))
        file.close()  # only now: until here it was locked
        return JournalFile(path, self._clock)

    def _set_aside(self, why: str) -> None:
        number = 1
        while (aside := self._path.with_name(f"{self._path.name}.damaged-{number}")).exists():
            number += 1
        self._path.rename(aside)
        self.remarks.append(f"{why}; it is kept as {aside.name}, and a new queue was begun")

    def _write_anew(self, queue: Queue) -> None:
        part = self._path.with_name(f"{self._path.name}.part")
        with part.open("wb") as file:
            file.write(written_anew(queue))
            file.flush()
            os.fsync(file.fileno())
        part.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
