"""A player that fails every question."""

from __future__ import annotations

from controller.ports.devices import MoveQuestion
from controller.ports.events import PlayerEvent, PlayerFailed
from engine.sentences import plain


class Failing:
    name = "failing player"

    def __init__(self, reason: str) -> None:
        self._reason = reason
        self._events: list[PlayerEvent] = []

    def think(self, question: MoveQuestion) -> int:
        self._events.append(PlayerFailed(1, plain(self._reason), 0))
        return 1

    def stop(self) -> None:
        self._events.clear()

    def events(self) -> list[PlayerEvent]:
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        self._events.clear()
