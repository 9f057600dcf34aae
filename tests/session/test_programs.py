"""HTTP programs as players: asked at the same time, with a time limit, also against a person."""

from __future__ import annotations

from typing import Any

from controller.ports.events import Written
from controller.session import sentences
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
from controller.session.setup import Seat, setup_body
from controller.session.state import PendingWrites, Phase, Session, SessionSetup, TablePreferences
from controller.session.step import step
from engine.sentences import plain
from tests.support.play.program_matches import plan
from tests.support.play.table_play import ships

FIRST, SECOND = 0, 1
LASER = '{"type":"laser","direction":[1,0,-1]}'


class MatchSession:
    """A match without a table; entries are written at once."""

    def __init__(self, pace_ms: float = 0.0, rounds: int = 5) -> None:
        made = plan(rounds=rounds)
        first, second = made.setup.seats
        self.session = Session(
            setup=SessionSetup(
                board=made.fitted_board,
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

    def happens(self, event: Event) -> MatchSession:
        self.session, effects = step(self.session, event)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Write):
                self.happens(Written(effect.number, self.at_ms))
            elif isinstance(effect, ShowBeams) and self.beams:
                self.happens(BeamsShown(self.at_ms))
        return self

    def later(self, ms: float = 0.0) -> MatchSession:
        self.at_ms += ms
        return self.happens(Tick(self.at_ms))

    def answers(self, player: int, move: str = LASER) -> MatchSession:
        return self.happens(MoveChosen(player, move, self.at_ms))

    def fails(self, player: int, reason: str) -> MatchSession:
        return self.happens(ChoiceFailed(player, plain(reason), self.at_ms))

    def asks(self, wish: Request) -> MatchSession:
        return self.happens(Requested(wish, 0, self.at_ms))

    def thought(self) -> list[Think]:
        return [effect for effect in self.effects if isinstance(effect, Think)]

    @property
    def events(self) -> list[dict[str, Any]]:
        return [dict(event) for past in self.session.history for event in past.turn.events]


def test_both_programs_get_the_same_question_at_once() -> None:
    match = MatchSession().later()
    assert match.session.phase is Phase.COMPUTER_THINKING
    assert [think.player for think in match.thought()] == [FIRST, SECOND]
    assert len({think.question.position for think in match.thought()}) == 1


def test_the_next_round_begins_after_the_last_answer() -> None:
    match = MatchSession().later().answers(SECOND)
    assert match.session.history == ()
    match.answers(FIRST)
    assert len(match.session.history) == 1
    assert [think.player for think in match.thought()] == [FIRST, SECOND] * 2


def test_a_program_that_fails_plays_a_noop_with_the_reason() -> None:
    match = MatchSession().later().fails(FIRST, "no answer within 4 s").answers(SECOND)
    assert match.events[-1] == {
        "type": "noop",
        "nick": "Mallory",
        "reason": "no answer within 4 s",
    }
    assert '"no answer within 4 s"' in match.thought()[-1].question.position


def test_an_invalid_answer_is_a_noop() -> None:
    match = MatchSession().later().answers(FIRST, "nonsense").answers(SECOND)
    assert [event["type"] for event in match.events] == ["laser", "noop"]


def test_an_answer_to_an_earlier_round_is_ignored() -> None:
    match = MatchSession().later().answers(FIRST).answers(FIRST)
    assert match.session.history == ()
    assert match.session.computer.asked_programs == {SECOND}


def test_a_round_takes_the_minimum_time() -> None:
    match = MatchSession(pace_ms=1000).later().answers(FIRST).answers(SECOND)
    assert len(match.session.history) == 1
    assert len(match.thought()) == 2
    assert len(match.later(900).thought()) == 2
    assert len(match.later(100).thought()) == 4


def test_in_a_pause_the_round_ends_and_no_new_one_begins() -> None:
    match = MatchSession().later().asks(Request.PAUSE).answers(FIRST).answers(SECOND)
    assert len(match.session.history) == 1
    assert match.later(5000).session.phase is Phase.PAUSED
    assert len(match.thought()) == 2
    match.asks(Request.CONTINUE).later()
    assert match.session.phase is Phase.COMPUTER_THINKING
    assert len(match.thought()) == 4


def test_a_match_ends_after_its_result_is_written() -> None:
    match = MatchSession(rounds=1).later().answers(FIRST).answers(SECOND)
    assert match.session.phase is Phase.OVER
    assert [effect.kind for effect in match.effects if isinstance(effect, Write)] == [
        "turn",
        "result",
    ]


# -- against a person at a table ---------------------------------------------------------------


def test_a_program_plays_against_a_person_and_its_ship_is_moved_by_hand() -> None:
    game = ships(seats=(Seat("Ada"), Seat("Grace", is_program=True)))
    assert game.phase() is Phase.TURN
    assert [think.player for think in game.thought()] == [SECOND]
    assert game.thought()[0].question.position.startswith('{"status":"play","round":1,')
    game.moves("a6", "b7").presses(FIRST)
    assert game.phase() is Phase.WAITING_FOR_OTHER
    game.chooses(SECOND, '{"type":"move","direction":[0,-1,1]}')
    assert game.kinds() == ["turn"]
    assert game.phase() is Phase.CLEARING
    assert game.said[-1].key == sentences.CARRY_PIECE.key


def test_a_late_program_does_not_delay_a_person() -> None:
    game = ships(seats=(Seat("Ada"), Seat("Grace", is_program=True)))
    game.moves("a6", "b7").presses(FIRST).gives_up(SECOND, "no answer within 4 s").see()
    assert game.kinds() == ["turn"]
    assert game.phase() is Phase.TURN
    moves = game.written[0].body["moves"]
    assert moves["second"] == '{"type":"noop","reason":"no answer within 4 s"}'


def test_the_journal_does_not_contain_the_url_of_a_program() -> None:
    body = setup_body(plan().setup)
    assert body["players"] == [
        {"name": "Mallory", "kind": "program"},
        {"name": "Ada", "kind": "program"},
    ]
    assert "http" not in str(body)
