"""A match of two programs without a table: sends events to `step`."""

from __future__ import annotations

from typing import Any

from controller.ports.events import Written
from controller.session.clocks import Clocks, TimeControl
from controller.session.effects import Effect, ShowBeams, Think, Write
from controller.session.events import (
    BeamsShown,
    ChoiceFailed,
    Event,
    MoveChosen,
    Request,
    Requested,
    Tick,
)
from controller.session.state import PendingWrites, Session, SessionSetup, TablePreferences
from controller.session.step import step
from engine.sentences import plain
from tests.support.play.program_matches import plan

FIRST, SECOND = 0, 1
LASER = '{"type":"laser","direction":[1,0,-1]}'


class MatchSession:
    """A match without a table; entries are written at once."""

    def __init__(self, pace_ms: float = 0.0, rounds: int = 5) -> None:
        made = plan(rounds=rounds)
        first, second = made.setup.seats
        self.session = Session(
            setup=SessionSetup(
                fitted_board=made.fitted_board,
                seats=(first, second),
                preferences=TablePreferences(min_round_ms=pace_ms),
                moved_by_hand=False,
            ),
            writing=PendingWrites(entry_count=1),
            position=made.setup.first_position(),
            clocks=Clocks.for_control(TimeControl.parse("none")),
        )
        self.at_ms = 0.0
        self.effects: list[Effect] = []
        self.beams = True

    def send(self, event: Event) -> MatchSession:
        self.session, effects = step(self.session, event)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Write):
                self.send(Written(effect.number, self.at_ms))
            elif isinstance(effect, ShowBeams) and self.beams:
                self.send(BeamsShown(self.at_ms))
        return self

    def later(self, ms: float = 0.0) -> MatchSession:
        self.at_ms += ms
        return self.send(Tick(self.at_ms))

    def answers(self, player: int, move: str = LASER) -> MatchSession:
        return self.send(MoveChosen(player, move, self.at_ms))

    def fails(self, player: int, reason: str) -> MatchSession:
        return self.send(ChoiceFailed(player, plain(reason), self.at_ms))

    def asks(self, requested: Request) -> MatchSession:
        return self.send(Requested(requested, 0, self.at_ms))

    def thought(self) -> list[Think]:
        return [effect for effect in self.effects if isinstance(effect, Think)]

    @property
    def events(self) -> list[dict[str, Any]]:
        return [dict(event) for past in self.session.history for event in past.turn.events]
