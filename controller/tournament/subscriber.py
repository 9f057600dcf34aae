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
from controller.session.sentences import join_and
from controller.tournament import sentences
from controller.tournament.boards import Freshness, TournamentState
from controller.tournament.messages import GameResult
from controller.tournament.outbox import Outbox
from controller.tournament.views import TournamentView
from engine.sentences import Sentence, Template, as_sentence


class ResultStore(Protocol):
    """Storage for results; `OutboxFile` implements it."""

    outbox: Outbox
    remarks: list[Sentence]

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

    def on_connection_change(self, trouble: str | Sentence) -> None:
        """`trouble` says what is wrong with the connection to the broker; empty: connected."""
        with self._lock:
            self._view = self._view.updated(self._view.state, trouble)

    def view(self) -> TournamentView:
        with self._lock:
            return self._view

    def remarks(self) -> list[Sentence]:
        """Take the remarks about the result file."""
        with self._lock:
            self._store.poll()
            found = list(self._store.remarks)
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
    _trouble: str | Sentence | None = None
    _disputed: int = 0

    def changes(self, view: TournamentView, now_ms: float) -> list[Sentence]:
        found: list[Sentence] = []
        if view.trouble is not None and view.trouble != self._trouble:
            found.append(
                as_sentence(view.trouble)
                if view.trouble
                else sentences.CONNECTED_TO(broker=view.broker)
            )
            self._trouble = view.trouble
        for board in view.state.boards_by_table():
            freshness, before = board.freshness(now_ms), self._freshness.get(board.table)
            self._freshness[board.table] = freshness
            if freshness is before or freshness is Freshness.WAITING:
                continue
            change = _FRESHNESS_SENTENCES[freshness]
            if freshness is Freshness.LIVE and before is not None:
                change = sentences.BOARD_LIVE_AGAIN
            found.append(change(table=board.table))
        for key, result in view.state.results.items():
            if self._results.get(key) is not result:
                found.append(_describe_result(result))
        self._results = view.state.results
        dispute = sentences.DISPUTED()
        disputed = sum(line.remark == dispute for each in view.rounds for line in each.games)
        if disputed > self._disputed:
            found.append(dispute)
        self._disputed = disputed
        return found


_FRESHNESS_SENTENCES: Mapping[Freshness, Template] = {
    Freshness.LIVE: sentences.BOARD_LIVE,
    Freshness.STALE: sentences.BOARD_STALE,
    Freshness.LOST: sentences.BOARD_LOST,
    Freshness.LEFT: sentences.BOARD_LEFT,
    Freshness.WAITING: sentences.BOARD_AWAITED,
}


def _describe_result(result: GameResult) -> Sentence:
    first, second = result.players
    game = sentences.GAME_AT(round=result.round, table=result.table, first=first, second=second)
    if not result.is_over:
        return sentences.RESULT_WITHDRAWN(game=game)
    if result.reason:
        sentence = sentences.RESULT_BECAUSE(game=game, result=result.result, reason=result.reason)
    else:
        sentence = sentences.RESULT(game=game, result=result.result)
    if not result.awaiting:
        return sentence
    return sentences.RESULT_WAITS(result=sentence, names=join_and(result.awaiting))
