"""Requests of players besides moves, and the reasons of refusals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.ports.events import Pressed
from controller.session import sentences
from controller.session.effects import StopThinking
from controller.session.events import Request
from controller.session.referee.policy import RefereePolicies
from controller.session.state import Phase, TablePreferences, TakeBackRule
from engine.game import Outcome
from engine.sentences import Sentence
from tests.support.play.table_play import BLUE, RED, Play, play


@pytest.mark.parametrize("player", [BLUE, RED])
def test_the_player_who_resigns_loses(player: int) -> None:
    game = play().asks(Request.RESIGN, player)
    assert game.session.outcome == Outcome.win(1 - player, sentences.RESIGNED())
    assert any(isinstance(effect, StopThinking) for effect in game.effects)


def test_a_draw_offer_needs_to_be_accepted() -> None:
    game = play().asks(Request.OFFER_DRAW, BLUE).asks(Request.ACCEPT, BLUE)
    assert game.phase() is Phase.TURN
    assert game.asks(Request.ACCEPT, RED).session.outcome == Outcome.draw(sentences.AGREED())


def test_a_declined_offer_ends() -> None:
    game = (
        play().asks(Request.OFFER_DRAW, BLUE).asks(Request.DECLINE, RED).asks(Request.ACCEPT, RED)
    )
    assert game.phase() is Phase.TURN


def test_a_draw_is_claimed_only_if_the_rules_allow_it() -> None:
    game = play().asks(Request.CLAIM_DRAW, BLUE)
    assert game.said[-1] == sentences.NO_DRAW_TO_CLAIM()


def test_a_turn_is_taken_back_with_its_clock_when_both_agree() -> None:
    game = play(clock="5m").later(100).moves("j4", "j3").presses(BLUE).see()
    position = game.session.history[0].position
    game.asks(Request.TAKE_BACK, BLUE).asks(Request.ACCEPT, RED)
    assert game.session.position == position
    assert game.phase() is Phase.SETTING_UP
    assert game.kinds() == ["turn", "take back"]
    assert game.left_ms(BLUE) == 5 * 60_000
    assert game.moves("j3", "j4").phase() is Phase.TURN
    assert game.session.to_move == (BLUE,)


def test_there_is_nothing_to_take_back_at_first() -> None:
    assert play().asks(Request.TAKE_BACK, BLUE).said[-1] == sentences.NOTHING_TO_TAKE_BACK()


def test_requests_after_the_end_are_refused() -> None:
    game = play().asks(Request.RESIGN, BLUE)
    ended = game.session
    for requested in Request:
        game.asks(requested, RED)
    assert game.session == ended


# -- offers ------------------------------------------------------------------------------------


def test_an_offer_is_answered_only_by_the_other() -> None:
    game = play().asks(Request.OFFER_DRAW, BLUE)
    for requested in (Request.ACCEPT, Request.DECLINE):
        game.asks(requested, BLUE)
        assert game.said[-1] == sentences.OTHER_MUST_ANSWER(player="red")
    assert game.session.offer == (Request.OFFER_DRAW, BLUE)


def test_an_offer_ends_with_the_turn() -> None:
    game = play().asks(Request.OFFER_DRAW, BLUE).moves("j4", "j3").presses(BLUE).see()
    game.asks(Request.ACCEPT, RED)
    assert game.said[-1] == sentences.NOTHING_TO_ACCEPT()
    assert game.phase() is Phase.TURN


def test_the_computer_declines_a_draw_at_once() -> None:
    game = play(red_level=3).asks(Request.OFFER_DRAW, BLUE)
    assert game.said[-2:] == [
        sentences.OFFERS_DRAW(player="blue"),
        sentences.DECLINES_DRAW(player="red"),
    ]
    assert game.session.offer is None


@pytest.mark.parametrize(
    "requested", [Request.RESIGN, Request.ACCEPT, Request.TAKE_BACK, Request.HINT]
)
def test_requests_for_the_computer_are_refused(requested: Request) -> None:
    game = play(red_level=3)
    before = game.session
    game.asks(requested, RED)
    assert game.said[-1] == sentences.PLAYED_BY_COMPUTER(player="red")
    assert game.session == before


@pytest.mark.parametrize(
    ("requested", "sentence"),
    [
        (Request.ACCEPT, sentences.NOTHING_TO_ACCEPT()),
        (Request.DECLINE, sentences.NOTHING_TO_DECLINE()),
        (Request.CHOOSE, sentences.NOTHING_TO_CHOOSE()),
        (Request.CONTINUE, sentences.NOT_PAUSED()),
    ],
)
def test_a_request_without_effect_is_refused_with_a_sentence(
    requested: Request, sentence: Sentence
) -> None:
    assert play().asks(requested, BLUE).said[-1] == sentence


@pytest.mark.parametrize(
    "requested",
    [Request.RESIGN, Request.OFFER_DRAW, Request.CLAIM_DRAW, Request.TAKE_BACK, Request.ACCEPT],
)
def test_requests_are_refused_while_a_turn_is_written(requested: Request) -> None:
    game = play().moves("j4", "j3")
    game.leds_answer = False
    game.presses(BLUE)
    before = game.session
    game.asks(requested, RED)
    assert game.said[-1] == sentences.WAIT_FOR_LASER()
    assert game.session == before
    game.asks(Request.PAUSE, RED).asks(requested, RED)
    assert game.said[-1] == sentences.WAIT_FOR_LASER()


# -- taking back -------------------------------------------------------------------------------


def against_the_computer(clock: str = "none") -> Play:
    """Blue and the computer have moved."""
    game = play(clock=clock, red_level=3).later(20).moves("j4", "j3").presses(BLUE).see()
    return game.later(30).chooses(RED, "e7e6").moves("e7", "e6")


def test_against_the_computer_take_back_removes_both_last_turns() -> None:
    game = against_the_computer("5m").later(40)
    first = game.session.history[0].position
    game.asks(Request.TAKE_BACK, BLUE)
    assert game.said[-1] == sentences.TURNS_TAKEN_BACK(turns=2)
    assert game.written[-1].body == {"turns": 2}
    assert game.session.position == first
    assert game.phase() is Phase.SETTING_UP
    assert (game.left_ms(BLUE), game.left_ms(RED)) == (300_000, 300_000)
    game.moves("e6", "e7").moves("j3", "j4")
    assert game.phase() is Phase.TURN
    assert game.session.to_move == (BLUE,)


def test_a_turn_is_taken_back_while_the_computer_thinks() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see().asks(Request.TAKE_BACK, BLUE)
    assert game.effects.count(StopThinking()) == 1
    assert game.written[-1].body == {"turns": 1}
    before = game.session
    assert game.chooses(RED, "e7e6").session == before
    assert game.moves("j3", "j4").phase() is Phase.TURN


def test_a_turn_is_taken_back_before_the_computers_move_is_made() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see().chooses(RED, "e7e6")
    game.asks(Request.TAKE_BACK, BLUE)
    assert game.written[-1].body == {"turns": 1}
    assert game.session.computer.turn is None
    assert game.moves("j3", "j4").session.to_move == (BLUE,)


def test_between_people_take_back_goes_to_the_players_own_turn() -> None:
    game = play().moves("j4", "j3").presses(BLUE).see().moves("e7", "e6").presses(RED).see()
    game.asks(Request.TAKE_BACK, BLUE).asks(Request.ACCEPT, RED)
    assert game.written[-1].body == {"turns": 2}
    assert game.session.history == ()


def test_a_player_without_a_turn_has_nothing_to_take_back() -> None:
    game = play().moves("j4", "j3").presses(BLUE).see().asks(Request.TAKE_BACK, RED)
    assert game.said[-1] == sentences.NOTHING_TO_TAKE_BACK()
    assert game.session.offer is None


def test_with_take_back_never_the_other_player_is_not_asked() -> None:
    game = (
        play(preferences=TablePreferences(take_back=TakeBackRule.NEVER))
        .moves("j4", "j3")
        .presses(BLUE)
        .see()
    )
    game.asks(Request.TAKE_BACK, BLUE)
    assert game.said[-1] == sentences.NO_TAKE_BACK()
    assert game.session.offer is None


def test_a_pause_before_a_take_back_does_not_change_the_restored_clock() -> None:
    game = play(clock="5m").later(100).asks(Request.PAUSE, BLUE).asks(Request.CONTINUE, BLUE).see()
    game.moves("j4", "j3").presses(BLUE).see().asks(Request.TAKE_BACK, BLUE).asks(
        Request.ACCEPT, RED
    )
    assert game.left_ms(BLUE) == 300_000


def test_a_turn_is_taken_back_in_a_pause_without_ending_it() -> None:
    game = against_the_computer().asks(Request.PAUSE, BLUE).asks(Request.TAKE_BACK, BLUE)
    assert game.phase() is Phase.PAUSED
    assert game.asks(Request.CONTINUE, BLUE).phase() is Phase.SETTING_UP


# -- pauses ------------------------------------------------------------------------------------


def test_the_pause_button_pauses_and_continues() -> None:
    game = play()
    game.send(Pressed("pause", game.at_ms))
    assert game.phase() is Phase.PAUSED
    game.send(Pressed("pause", game.at_ms))
    assert game.phase() is Phase.TURN


@pytest.mark.parametrize("requested", [Request.HINT, Request.CHOOSE])
def test_requests_of_play_are_refused_in_a_pause(requested: Request) -> None:
    assert (
        play().asks(Request.PAUSE, BLUE).asks(requested, BLUE).said[-1]
        == sentences.GAME_IS_PAUSED()
    )


def test_resigning_in_a_pause_is_allowed() -> None:
    game = play().asks(Request.PAUSE, BLUE).asks(Request.RESIGN, RED)
    assert game.session.outcome == Outcome.win(BLUE, sentences.RESIGNED())
    assert game.phase() is Phase.OVER


# -- the referee's button ----------------------------------------------------------------------


def test_the_referee_button_is_refused_without_a_referee() -> None:
    game = play()
    before = game.session
    game.send(Pressed("referee", game.at_ms))
    assert game.said[-1] == sentences.NO_REFEREE()
    assert game.session == before


def test_a_press_is_never_attributed_to_the_computer() -> None:
    game = play(red_level=1).moves("j4", "j3").presses(BLUE).see()
    assert game.session.to_move == (RED,)
    game.session = replace(
        game.session, setup=replace(game.session.setup, policies=RefereePolicies())
    )
    game.send(Pressed("referee", game.at_ms))
    assert game.said[-1] == sentences.REFEREE_ASKED(proposal=sentences.CALLS_REFEREE(player="blue"))
    assert game.phase() is Phase.PAUSED
