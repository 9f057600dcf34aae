"""The computer player in a session: its questions, its moves, and hints."""

from __future__ import annotations

import pytest

from controller.computer.server import position_after
from controller.devices.clock import ManualClock
from controller.devices.players.process_player import InProcessPlayer
from controller.ports.devices import MoveQuestion
from controller.ports.events import PlayerAnswered
from controller.session import sentences
from controller.session.effects import StopThinking
from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.replay import TURN
from controller.session.state import Phase
from controller.session.turns import play_turns
from engine import games
from engine.sentences import plain
from tests.support.play.table_play import BLUE, DUEL, RED, Play, matches, play
from vision.infer import Exact

NO_MOVE = sentences.COMPUTER_HAS_NO_MOVE(reason=plain("it fell asleep"))
HINT = "blue j4 to j5 · c5 captured"


def test_a_person_makes_the_computers_move_and_the_camera_checks_it() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see()
    assert game.phase() is Phase.COMPUTER_THINKING
    assert [(each.player, each.question.level) for each in game.thought()] == [(RED, 3)]
    game.chooses(RED, "e7e6")
    assert game.phase() is Phase.COMPUTER_TO_MOVE
    assert game.see().phase() is Phase.COMPUTER_TO_MOVE
    assert len(game.written) == 1
    game.moves("e7", "d7")
    assert game.phase() is Phase.MISMATCH
    game.moves("d7", "e6")
    assert game.kinds() == ["turn", "turn"]
    assert guidance_for(game.session).sentence == sentences.TO_MOVE(players="blue")


def test_only_the_strongest_level_gets_time_limits_from_its_clock() -> None:
    def asked(level: int, clock: str) -> MoveQuestion:
        return (
            play(red_level=level, clock=clock).moves("j4", "j3").presses(BLUE).thought()[0].question
        )

    def times(clock: str) -> tuple[float | None, float | None]:
        return asked(8, clock).soft_limit_s, asked(8, clock).time_limit_s

    assert (asked(7, "1m").soft_limit_s, asked(7, "1m").time_limit_s) == (None, None)
    assert times("none") == times("2h") == (5, 10)
    assert times("1m") == pytest.approx((59.9 / 30, 4 * 59.9 / 30))
    assert times("1m+4s") == pytest.approx((59.9 / 30 + 3, 10))
    assert times("3s/move") == pytest.approx((2.9, 2.9))


def test_the_computers_move_and_the_answer_may_be_made_together() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see()
    game.chooses(RED, "e7e6")
    game.table = game.table.moved(game.cell("e7"), game.cell("e6"))
    game.moves("j3", "j2")
    assert [entry.body["moves"] for entry in game.written] == [
        {"blue": "j4j3"},
        {"red": "e7e6"},
        {"blue": "j3j2"},
    ]


def test_an_illegal_move_of_the_computer_pauses_the_game() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see()
    game.chooses(RED, "a1a2")
    assert game.phase() is Phase.PAUSED
    assert game.said[-1].key == sentences.COMPUTER_FAILED.key


def test_a_computer_that_gives_up_pauses_the_game_and_is_asked_again() -> None:
    game = thinking().gives_up(RED)
    assert game.phase() is Phase.PAUSED
    assert game.said[-1] == NO_MOVE
    assert guidance_for(game.session).reasons == (NO_MOVE,)
    assert len(game.thought()) == 1
    game.asks(Request.CONTINUE, BLUE)
    assert game.phase() is Phase.COMPUTER_THINKING
    first, again = game.thought()
    assert first == again
    game.chooses(RED, "e7e6").moves("e7", "e6")
    assert game.kinds() == [TURN, TURN]


def test_the_computer_may_claim_a_draw() -> None:
    game = thinking().chooses(RED, "e7e6", claim=True)
    assert game.phase() is Phase.COMPUTER_TO_MOVE, "there was none to claim"
    shuffled = play(red_level=3)
    for _ in range(2):
        for blue, red in ((("j4", "j3"), ("e7", "e6")), (("j3", "j4"), ("e6", "e7"))):
            shuffled.moves(*blue).presses(BLUE).see().chooses(RED, "".join(red)).moves(*red)
    shuffled.moves("j4", "j3").presses(BLUE).see().chooses(RED, "e7e6", claim=True)
    assert shuffled.phase() is Phase.OVER
    assert shuffled.session.outcome is not None
    assert shuffled.session.outcome.result == "1/2-1/2"


# -- questions ---------------------------------------------------------------------------------


def thinking(random_seed: int = 0) -> Play:
    return play(red_level=3, random_seed=random_seed).moves("j4", "j3").presses(BLUE).see()


def test_a_question_contains_the_whole_game() -> None:
    game = thinking().chooses(RED, "e7e6").moves("e7", "e6").moves("j3", "j2").presses(BLUE).see()
    _, asked = (think.question for think in game.thought())
    assert (asked.game, asked.options, asked.level) == ("laser-chess", {}, 3)
    assert asked.position == f"{DUEL} b"
    assert asked.moves == ("j4j3", "e7e6", "j3j2")
    rules = games.make()
    assert (
        position_after(rules, rules.read_position(asked.position), asked.moves)
        == game.session.position
    )


def test_a_question_can_be_answered_by_the_player_process() -> None:
    player = InProcessPlayer(ManualClock())
    player.think(thinking().thought()[0].question)
    (found,) = player.events()
    assert isinstance(found, PlayerAnswered)
    assert thinking().chooses(RED, found.move).phase() is Phase.COMPUTER_TO_MOVE


def test_the_seed_depends_on_the_random_seed_and_the_turn() -> None:
    def seeds(random_seed: int) -> list[int]:
        game = thinking(random_seed).chooses(RED, "e7e6").moves("e7", "e6")
        game.moves("j3", "j2").presses(BLUE).see()
        return [think.question.seed for think in game.thought()]

    assert seeds(1) == seeds(1)
    assert len({*seeds(0), *seeds(1), *seeds(2)}) == 6
    assert all(0 <= seed < 10**15 for seed in seeds(-(10**30)))


# -- hints -------------------------------------------------------------------------------------


def test_a_hint_is_announced_and_ends_with_the_turn() -> None:
    game = play().asks(Request.HINT, BLUE)
    (think,) = game.thought()
    assert think.hint
    assert think.player == BLUE
    assert think.question == MoveQuestion("laser-chess", f"{DUEL} b", level=8, time_limit_s=1.5)
    game.chooses(BLUE, "j4j5", hint=True)
    assert matches(game.said[-1], sentences.HINT, hint=HINT)
    assert game.session.turn.hinted_turn is not None
    assert matches(
        guidance_for(game.session).sentence, sentences.TO_MOVE_HINT, players="blue", hint=HINT
    )
    assert game.phase() is Phase.TURN
    assert game.written == []
    game.moves("j4", "j3").presses(BLUE)
    assert game.session.turn.hint is None


def test_a_hint_has_a_reason_from_the_expected_line() -> None:
    game = play().asks(Request.HINT, BLUE)
    game.chooses(BLUE, "j4j5", hint=True, line=("j4j5",), score=100)
    why = "blue j4 to j5: it captures the red deflector on c5"
    assert matches(game.said[-1], sentences.HINT, hint=why)
    assert matches(
        guidance_for(game.session).sentence, sentences.TO_MOVE_HINT, players="blue", hint=why
    )


def test_a_turn_that_is_played_leaves_no_hint() -> None:
    game = play().asks(Request.HINT, BLUE)
    game.chooses(BLUE, "j4j5", hint=True, line=("j4j5",), score=100)
    assert game.session.turn.hint is not None
    assert game.session.turn.hint.reason is not None
    inference = game.moves("j4", "j3").session.table.inference
    assert isinstance(inference, Exact)
    fired, _ = play_turns(game.session, inference.turns, game.at_ms)
    assert fired.turn.hint is None


def test_a_late_hint_is_ignored() -> None:
    game = play().asks(Request.HINT, BLUE).moves("j4", "j3").presses(BLUE).see()
    assert StopThinking() in game.effects
    before = game.session
    assert game.chooses(BLUE, "j4j5", hint=True).session == before


def test_a_hint_is_only_for_the_player_to_move() -> None:
    game = play().asks(Request.HINT, RED)
    assert game.said[-1] == sentences.HINT_FOR_MOVER()
    game = thinking().asks(Request.HINT, BLUE)
    assert game.said[-1] == sentences.HINT_FOR_MOVER()
    assert [think.hint for think in game.thought()] == [False]


def test_a_hint_is_requested_once() -> None:
    game = play().asks(Request.HINT, BLUE).asks(Request.HINT, BLUE)
    assert game.said[-1] == sentences.ALREADY_THINKING()
    assert len(game.thought()) == 1


def test_a_failed_hint_is_announced_and_play_continues() -> None:
    game = play().asks(Request.HINT, BLUE).gives_up(BLUE)
    assert game.said[-1] == sentences.NO_HINT(reason=plain("it fell asleep"))
    assert game.phase() is Phase.TURN
    game.asks(Request.HINT, BLUE).chooses(BLUE, "a1a2", hint=True)
    assert game.said[-1].key == sentences.NO_HINT.key
    assert game.session.turn.hint is None


def test_the_answer_to_a_hint_is_not_the_computers_move() -> None:
    game = thinking().chooses(RED, "e7e6", hint=True)
    assert game.phase() is Phase.COMPUTER_THINKING
    assert game.session.turn.hint is None
