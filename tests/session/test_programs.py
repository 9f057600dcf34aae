"""HTTP programs as players: asked at the same time, with a time limit, also against a person."""

from __future__ import annotations

from controller.session import sentences
from controller.session.effects import Write
from controller.session.events import (
    Request,
)
from controller.session.setup import Seat, setup_body
from controller.session.state import Phase
from tests.support.play.match_session import FIRST, SECOND, MatchSession
from tests.support.play.program_matches import plan
from tests.support.play.table_play import ships


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
