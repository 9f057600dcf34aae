"""Requests get one answer each, refusals have a reason, and a dry run changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.ports.buttons import BUTTONS, FIRE, PAUSE, POWER, REFEREE
from controller.ports.events import Pressed
from controller.session import sentences
from controller.session.effects import Done, Effect, Refuse, Write
from controller.session.events import Request, Requested, Ruled
from controller.session.referee.policy import Penalty, RefereePolicies
from controller.session.referee.rulings import (
    AcceptProposal,
    AddNote,
    ConfirmResult,
    CorrectPosition,
    DeclareResult,
    DismissProposal,
    OverrideTurn,
    Penalise,
    ResumePlay,
    Ruling,
    SetClocks,
    StopPlay,
)
from controller.session.step import dry_run, step
from engine.game import Outcome
from engine.sentences import Sentence
from tests.support.play.table_play import BLUE, DUEL, RED, Play, play

NUMBER = 17
AGREED = Outcome("1/2-1/2", sentences.AGREED())
RULINGS: tuple[Ruling, ...] = (
    AcceptProposal(1),
    DismissProposal(1),
    OverrideTurn(("j4j5",)),
    OverrideTurn(("a1a9",)),
    OverrideTurn(("j4j5", "j4j5")),
    CorrectPosition(),
    CorrectPosition(9),
    CorrectPosition(position="nonsense"),
    CorrectPosition(position=DUEL),
    SetClocks((1000, 1000)),
    Penalise(BLUE, Penalty(120_000)),
    Penalise(RED, Penalty(loss=True)),
    DeclareResult(AGREED),
    ConfirmResult(),
    AddNote("a note"),
    StopPlay(),
    ResumePlay(),
)


def refereed() -> Play:
    game = play()
    setup = replace(game.session.setup, policies=RefereePolicies())
    game.session = replace(game.session, setup=setup)
    return game


def moved() -> Play:
    return play().moves("j4", "j5")


def firing() -> Play:
    game = play()
    game.leds_answer = False
    return game.moves("j4", "j5").presses(BLUE)


def paused() -> Play:
    return play().asks(Request.PAUSE, BLUE)


def over() -> Play:
    return play().asks(Request.RESIGN, BLUE)


def shutting_down() -> Play:
    game = play()
    game.send(Pressed(POWER, game.at_ms))
    return game


def mismatched() -> Play:
    return play().moves("j4", "j7")


GAMES = (play, refereed, moved, firing, paused, over, shutting_down, mismatched)


def answers(effects: tuple[Effect, ...]) -> list[Done | Refuse]:
    return [each for each in effects if isinstance(each, Done | Refuse)]


def refusal(game: Play, event: Pressed | Requested | Ruled) -> Sentence:
    """The reason of the one refusal, which changes nothing and writes nothing."""
    before = game.session
    after, effects = step(before, event)
    assert after.clocks.at(event.at_ms) == before.clocks.at(event.at_ms)
    assert replace(after, clocks=before.clocks) == before
    assert not any(isinstance(each, Write) for each in effects)
    (answer,) = answers(effects)
    assert isinstance(answer, Refuse)
    assert answer.request_id == NUMBER
    return answer.reason


@pytest.mark.parametrize("begin", GAMES)
@pytest.mark.parametrize("player", [BLUE, RED])
@pytest.mark.parametrize("request_", Request)
def test_every_request_gets_one_answer(
    begin: Callable[[], Play], player: int, request_: Request
) -> None:
    game = begin()
    for choice in (-1, 0, 99):
        event = Requested(request_, player, game.at_ms, choice, NUMBER)
        (answer,) = answers(step(game.session, event)[1])
        assert answer.request_id == NUMBER


@pytest.mark.parametrize("begin", GAMES)
@pytest.mark.parametrize("button", BUTTONS)
def test_every_press_on_a_screen_gets_one_answer(begin: Callable[[], Play], button: str) -> None:
    game = begin()
    (answer,) = answers(step(game.session, Pressed(button, game.at_ms, NUMBER))[1])
    assert answer.request_id == NUMBER


@pytest.mark.parametrize("begin", GAMES)
@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_every_ruling_gets_one_answer(begin: Callable[[], Play], ruling: Ruling) -> None:
    game = begin()
    (answer,) = answers(step(game.session, Ruled(ruling, game.at_ms, NUMBER))[1])
    assert answer.request_id == NUMBER


def test_a_request_without_a_number_is_answered_only_if_refused() -> None:
    game = play()
    assert answers(step(game.session, Requested(Request.PAUSE, BLUE, game.at_ms))[1]) == []
    refused = answers(step(game.session, Requested(Request.ACCEPT, BLUE, game.at_ms))[1])
    assert refused == [Refuse(0, sentences.NOTHING_TO_ACCEPT())]


def test_a_refused_request_has_its_reason() -> None:
    def asked(game: Play, request: Request, player: int = BLUE, choice: int = 0) -> Sentence:
        return refusal(game, Requested(request, player, game.at_ms, choice, NUMBER))

    assert asked(play(), Request.CLAIM_DRAW) == sentences.NO_DRAW_TO_CLAIM()
    assert asked(play(), Request.TAKE_BACK) == sentences.NOTHING_TO_TAKE_BACK()
    assert asked(play(), Request.CHOOSE, choice=99) == sentences.NOTHING_TO_CHOOSE()
    assert asked(play(), Request.CALL_REFEREE) == sentences.NO_REFEREE()
    assert asked(firing(), Request.RESIGN) == sentences.WAIT_FOR_LASER()
    assert asked(refereed(), Request.PAUSE) == sentences.CALL_REFEREE_TO_STOP()
    assert asked(shutting_down(), Request.RESIGN) == sentences.GOODBYE()


def test_a_refused_press_has_its_reason() -> None:
    def pressed(game: Play, button: str) -> Sentence:
        return refusal(game, Pressed(button, game.at_ms, NUMBER))

    assert pressed(play(), FIRE[BLUE]) == sentences.NO_MOVE()
    assert pressed(play(), FIRE[RED]).key == sentences.NOT_YOUR_TURN.key
    assert pressed(mismatched(), FIRE[BLUE]).key == sentences.ILLEGAL_STEP_INSTEAD.key
    assert pressed(play(), REFEREE) == sentences.NO_REFEREE()
    assert pressed(shutting_down(), PAUSE) == sentences.GOODBYE()


def test_confirming_a_result_twice_is_refused() -> None:
    game = refereed().asks(Request.RESIGN, BLUE).asks(Request.CONFIRM, RED)
    again = Requested(Request.CONFIRM, RED, game.at_ms, request_id=NUMBER)
    assert refusal(game, again) == sentences.CONFIRMED_ALREADY(player="red")


def test_a_refused_ruling_has_its_reason() -> None:
    def ruled(game: Play, ruling: Ruling) -> Sentence:
        return refusal(game, Ruled(ruling, game.at_ms, NUMBER))

    assert ruled(play(), AddNote("a note")) == sentences.NO_REFEREE()
    assert ruled(refereed(), AcceptProposal(99)) == sentences.NO_OPEN_PROPOSAL(number=99)
    assert ruled(refereed(), CorrectPosition()) == sentences.CORRECTS_NOTHING()
    assert ruled(refereed(), CorrectPosition(9)) == sentences.TOO_FEW_TURNS(turns=9, played=0)
    assert ruled(refereed(), ResumePlay()) == sentences.NOT_PAUSED()
    assert ruled(refereed(), ConfirmResult()) == sentences.NO_RESULT_YET()


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_dry_run_changes_nothing_and_predicts_the_answer(ruling: Ruling) -> None:
    for game in (refereed(), refereed().asks(Request.CALL_REFEREE, BLUE), play()):
        before, written = game.session, list(game.written)
        event = Ruled(ruling, game.at_ms, NUMBER)
        foretold = dry_run(before, event)
        assert game.session is before
        assert game.written == written
        (answer,) = answers(step(before, event)[1])
        assert (answer.reason if isinstance(answer, Refuse) else None) == foretold
