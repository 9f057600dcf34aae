"""A journal that is kept in memory: for tests, and for scripts that nobody wants to keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.journal import Entry, following
from controller.ports import Clock, JournalEvent, Written


class MemoryJournal:
    """See `controller.ports.Journal`; every entry is written at once."""

    name = "memory"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._events: list[JournalEvent] = []
        self.entries: list[Entry] = []

    @property
    def asked(self) -> int:
        return len(self.entries)

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        before = self.entries[-1] if self.entries else None
        self.entries.append(following(before, kind, dict(body), at_ms))
        self._events.append(Written(len(self.entries), self._clock.now_ms()))
        return len(self.entries)

    def events(self) -> list[JournalEvent]:
        events, self._events = self._events, []
        return events

    def wait(self, number: int, timeout_ms: float) -> bool:
        return number <= len(self.entries)

    def retry(self) -> None:
        """Nothing ever fails."""

    def close(self) -> None:
        """There is nothing to let go."""
