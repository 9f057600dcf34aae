"""Subscribes to an event: takes messages from the MQTT thread and keeps the current view.

Received results are stored on disk. A subscriber never publishes anything.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from controller.ports.devices import Clock
from controller.tournament.boards import Freshness, TournamentState
from controller.tournament.messages import GameResult
from controller.tournament.outbox import Outbox
from controller.tournament.rounds import DISPUTED
from controller.tournament.views import TournamentView
from engine.sentences import Sentence


class ResultStore(Protocol):
    """Storage for results; `OutboxFile` implements it."""

    outbox: Outbox
    remarks: list[str | Sentence]

    def add(self, body: Mapping[str, Any]) -> bool: ...

    def poll(self) -> None: ...

    def close(self) -> None: ...


class TournamentSubscriber:
    """The current view of one event. Thread-safe."""

    def __init__(
        self, event: str, players: tuple[str, ...], broker: str, clock: Clock, store: ResultStore
    ) -> None:
        self._clock, self._store, self._lock = clock, store, threading.Lock()
        state = TournamentState(event)
        for each in store.outbox.results.values():
            state = state.add_result(each.result)
        self._view = TournamentView.build(state, players, broker)

    def on_message(self, topic: str, payload: bytes, retained: bool) -> None:
        """Take a message of unknown origin; an invalid one is counted as rejected."""
        with self._lock:
            before = self._view.state
            after = before.receive(topic, payload, retained, self._clock.now_ms())
            if after.results is not before.results:
                self._store.add(json.loads(payload))
            self._view = self._view.updated(after, self._view.trouble)

    def on_connection_change(self, trouble: str) -> None:
        """`trouble` says what is wrong with the connection to the broker; empty: connected."""
        with self._lock:
            self._view = self._view.updated(self._view.state, trouble)

    def view(self) -> TournamentView:
        with self._lock:
            return self._view

    def remarks(self) -> list[str]:
        """Take the remarks about the result file."""
        with self._lock:
            self._store.poll()
            found = [str(each) for each in self._store.remarks]
            self._store.remarks.clear()
        return found

    def close(self) -> None:
        with self._lock:
            self._store.close()


@dataclass
class ChangeFeed:
    """Describes the changes of a view since the last call."""

    _freshness: dict[int, Freshness] = field(default_factory=dict)
    _results: Mapping[Any, GameResult] = field(default_factory=dict)
    _trouble: str | None = None
    _disputed: int = 0

    def changes(self, view: TournamentView, now_ms: float) -> list[str]:
        found = []
        if view.trouble is not None and view.trouble != self._trouble:
            found.append(view.trouble or f"connected to {view.broker}")
            self._trouble = view.trouble
        for board in view.state.boards_by_table():
            freshness, before = board.freshness(now_ms), self._freshness.get(board.table)
            self._freshness[board.table] = freshness
            if freshness is before or freshness is Freshness.WAITING:
                continue
            again = " again" if freshness is Freshness.LIVE and before is not None else ""
            found.append(f"table {board.table} {_FRESHNESS_WORDS[freshness]}{again}")
        for key, result in view.state.results.items():
            if self._results.get(key) is not result:
                found.append(_describe_result(result))
        self._results = view.state.results
        disputed = sum(line.remark == DISPUTED for each in view.rounds for line in each.games)
        if disputed > self._disputed:
            found.append(DISPUTED)
        self._disputed = disputed
        return found


_FRESHNESS_WORDS = {
    Freshness.LIVE: "is live",
    Freshness.STALE: "is stale: nothing was heard of it for some seconds",
    Freshness.LOST: "is lost",
    Freshness.LEFT: "has left",
    Freshness.WAITING: "is awaited",
}


def _describe_result(result: GameResult) -> str:
    where = f"round {result.round}, table {result.table}: {' - '.join(result.players)}"
    if not result.is_over:
        return f"{where}: the result does not hold any more"
    why = f" ({result.reason})" if result.reason else ""
    waits = f", which waits for {' and '.join(result.awaiting)}" if result.awaiting else ""
    return f"{where}: {result.result}{why}{waits}"
