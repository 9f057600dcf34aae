"""The ears of a hall: messages come from the broker's thread, and whoever asks is told how the
event stands. It remembers results on the disk, and it has no mouth: nothing is ever sent.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from controller.hall.messages import Result
from controller.hall.overview import Freshness, Overview
from controller.hall.queue import Queue
from controller.hall.schedule import DISPUTED
from controller.hall.shown import Hall
from controller.ports import Clock


class Memory(Protocol):
    """Where results are kept."""

    queue: Queue
    remarks: list[str]

    def tell(self, body: Mapping[str, Any]) -> bool: ...

    def look(self) -> None: ...

    def close(self) -> None: ...


class Hearing:
    """One event. Any thread may call anything."""

    def __init__(
        self, event: str, players: tuple[str, ...], broker: str, clock: Clock, memory: Memory
    ) -> None:
        self._clock, self._memory, self._lock = clock, memory, threading.Lock()
        overview = Overview(event)
        for each in memory.queue.results.values():
            overview = overview.learned(each.result)
        self._hall = Hall.of(overview, players, broker)

    def heard(self, topic: str, payload: bytes, retained: bool) -> None:
        """A message, which may be anything."""
        with self._lock:
            before = self._hall.overview
            after = before.heard(topic, payload, retained, self._clock.now_ms())
            if after.results is not before.results:
                self._memory.tell(json.loads(payload))
            self._hall = self._hall.now(after, self._hall.trouble)

    def changed(self, trouble: str) -> None:
        """Something is wrong with the broker, or nothing is any more."""
        with self._lock:
            self._hall = self._hall.now(self._hall.overview, trouble)

    def hall(self) -> Hall:
        with self._lock:
            return self._hall

    def remarks(self) -> list[str]:
        """What people should know of the disk."""
        with self._lock:
            self._memory.look()
            found = list(self._memory.remarks)
            self._memory.remarks.clear()
        return found

    def close(self) -> None:
        with self._lock:
            self._memory.close()


@dataclass
class News:
    """What has changed since somebody last looked, in sentences."""

    _fresh: dict[int, Freshness] = field(default_factory=dict)
    _results: Mapping[Any, Result] = field(default_factory=dict)
    _trouble: str | None = None
    _disputed: int = 0

    def told(self, hall: Hall, now_ms: float) -> list[str]:
        found = []
        if hall.trouble is not None and hall.trouble != self._trouble:
            found.append(hall.trouble or f"connected to {hall.broker}")
            self._trouble = hall.trouble
        for board in hall.overview.in_order():
            fresh, before = board.freshness(now_ms), self._fresh.get(board.table)
            self._fresh[board.table] = fresh
            if fresh is before or fresh is Freshness.WAITING:
                continue
            again = " again" if fresh is Freshness.LIVE and before is not None else ""
            found.append(f"table {board.table} {_IS[fresh]}{again}")
        for key, result in hall.overview.results.items():
            if self._results.get(key) is not result:
                found.append(_result_words(result))
        self._results = hall.overview.results
        disputed = sum(line.remark == DISPUTED for each in hall.rounds for line in each.lines)
        if disputed > self._disputed:
            found.append(DISPUTED)
        self._disputed = disputed
        return found


_IS = {
    Freshness.LIVE: "is live",
    Freshness.STALE: "is stale: nothing was heard of it for some seconds",
    Freshness.LOST: "is lost",
    Freshness.LEFT: "has left",
    Freshness.WAITING: "is awaited",
}


def _result_words(result: Result) -> str:
    where = f"round {result.round}, table {result.table}: {' - '.join(result.players)}"
    if not result.over:
        return f"{where}: the result does not hold any more"
    why = f" ({result.reason})" if result.reason else ""
    waits = f", which waits for {' and '.join(result.waits)}" if result.waits else ""
    return f"{where}: {result.result}{why}{waits}"
