"""The state machine `step`, event by event, with simulated time and a perfectly seen table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import vision.sentences
from controller.config.board_file import load_board
from controller.ports.events import Signal, Written
from controller.session import sentences
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks
from controller.session.events import BeamsShown, MoveChosen, Request, Tick
from controller.session.guidance import guidance_for
from controller.session.setup import Seat
from controller.session.state import Phase, Session, SessionSetup, TablePreferences
from engine import games
from engine.game import Outcome
from engine.sentences import Sentence
from tests.support.play.table_play import BLUE, DUEL, FULL, RED, Play, matches, play
from tests.support.vision.tagged_table import Tabletop as Table

# -- a turn ------------------------------------------------------------------------------------

C5_DEFLECTOR = sentences.PIECE_FROM(
    piece=sentences.PIECE(player="red", kind="deflector"), cell="c5"
)


def test_a_game_begins_when_the_board_is_set_up() -> None:
    rules = games.make()
    start = rules.read_position(DUEL)
    top = fit_board(load_board("demo-10x8"), rules, None, start.grid)
    table = Table.of(rules, start)
    session = Session(
        setup=SessionSetup(fitted_board=top, seats=(Seat("Ada"), Seat("Bob"))),
        position=start,
        clocks=Clocks(),
    )
    game = Play(session, table.without(start.grid.cell("j4"))).see()
    assert game.phase() is Phase.SETTING_UP
    assert [each.cell for each in game.session.table.differences] == [start.grid.cell("j4")]
    game.table = table
    assert game.see().phase() is Phase.TURN


def test_a_move_is_written_before_its_beam_runs() -> None:
    game = play()
    game.disk = False
    game.moves("j4", "j5").presses(BLUE)
    assert game.fired() == 0
    assert game.phase() is Phase.PAUSED
    assert FULL in game.said
    game.disk = True
    game.asks(Request.CONTINUE, BLUE)
    assert game.kinds() == ["turn"]
    assert game.fired() == 1


def test_a_captured_piece_is_removed_before_play_continues() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    assert game.phase() is Phase.CLEARING
    assert any(matches(each, sentences.TAKE_PIECES, pieces=C5_DEFLECTOR) for each in game.said)
    assert game.takes("c5").phase() is Phase.TURN
    assert guidance_for(game.session).sentence == sentences.TO_MOVE(players="red")


def test_a_captured_piece_may_be_gone_before_the_beam_has_run() -> None:
    game = play()
    game.leds_answer = False
    game.moves("j4", "j5").presses(BLUE)
    assert game.phase() is Phase.FIRING
    game.takes("c5")
    assert game.shows().see().phase() is Phase.TURN


def test_a_rotation_by_the_rules_must_be_made_by_hand() -> None:
    game = firing()
    (turn,) = game.session.firing.turns
    turned = game.session.game.read_position("l++9/4k5/*/9B+/*/*/*/4K4L r")
    game.session = replace(
        game.session, firing=replace(game.session.firing, turns=(replace(turn, after=turned),))
    )
    game.shows()
    assert game.phase() is Phase.CLEARING
    taken, turned = game.said[-1].slots["first"], game.said[-1].slots["rest"]
    assert isinstance(taken, Sentence)
    assert matches(taken, sentences.TAKE_PIECES, pieces=C5_DEFLECTOR)
    piece = sentences.PIECE(player="blue", kind="deflector")
    assert turned == sentences.TURN_PIECE(piece=piece, cell="j5")
    assert game.takes("c5").phase() is Phase.CLEARING
    assert game.turns("j5", 1).phase() is Phase.TURN


def test_a_move_is_not_played_before_the_press() -> None:
    game = play().moves("j4", "j5").see(10)
    assert game.phase() is Phase.TURN
    assert game.written == []
    assert matches(guidance_for(game.session).sentence, sentences.PRESS_FIRE, turn="blue j4 to j5")


def test_firing_an_unchanged_board_is_no_move() -> None:
    game = play().presses(BLUE)
    assert game.said[-1] == sentences.NO_MOVE()
    assert game.written == []


def test_a_press_before_the_table_has_settled_counts_when_it_has() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.see(0.1, covered=range(20)).presses(BLUE)
    assert game.said[-1] == sentences.HANDS_OFF()
    assert game.written == []
    game.see()
    assert game.kinds() == ["turn"]


def test_only_the_player_to_move_can_fire() -> None:
    game = play().moves("j4", "j5").presses(RED)
    assert matches(game.said[-1], sentences.NOT_YOUR_TURN, players="blue")
    assert game.written == []


def test_an_illegal_change_is_named_and_can_be_undone() -> None:
    game = play().moves("j4", "j7").presses(BLUE)
    assert game.phase() is Phase.MISMATCH
    assert {game.table.grid.name(each.cell) for each in game.session.table.differences} == {
        "j4",
        "j7",
    }
    assert game.written == []
    assert game.moves("j7", "j4").phase() is Phase.TURN


def test_an_ambiguous_move_is_asked_for() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    hidden = [game.cell(name) for name in ("j5", "i4")]
    game.see(6, covered=hidden).presses(BLUE)
    assert game.phase() is Phase.CHOOSING_TURN
    assert game.said[-1].key == sentences.WHICH_TURN.key
    assert game.written == []
    names = [str(each) for each in guidance_for(game.session).reasons]
    assert {name[: len("blue j4 to j5")] for name in names} == {"blue j4 to j5", "blue j4 to i4"}
    game.asks(Request.CHOOSE, BLUE, len(names))
    assert game.said[-1] == sentences.CHOOSE_BETWEEN(first=1, last=2)
    wanted = next(i for i, name in enumerate(names) if name.startswith("blue j4 to j5"))
    game.asks(Request.CHOOSE, BLUE, wanted)
    assert [entry.body["moves"] for entry in game.written] == [{"blue": "j4j5xc5"}]


def test_an_illegal_move_is_reported_by_its_rule_with_what_would_be_legal() -> None:
    game = play().moves("j4", "j7").presses(BLUE)
    rule = "a piece moves one square, in any of the 8 directions"
    cells = ("i3", "i4", "i5", "j3", "j5")
    assert matches(
        game.said[-1],
        sentences.ILLEGAL_STEP_INSTEAD,
        source="j4",
        target="j7",
        reason=rule,
        cells=cells,
    )


def test_a_change_of_several_pieces_is_reported_cell_by_cell() -> None:
    game = play()
    game.table = game.table.turned(game.cell("e7"), 1).turned(game.cell("c5"), 2)
    game.see().presses(BLUE)
    assert game.said[-1] == vision.sentences.TURN_PIECE(
        cell="c5", piece="deflector", player="red", turn=vision.sentences.TURN_ROUND()
    )


def test_a_piece_between_two_squares_prevents_firing() -> None:
    game = play()
    j5 = game.cell("j5")
    game.table = game.table.moved(game.cell("j4"), j5)
    game.see(off_mm={j5: 13.0}).presses(BLUE)
    assert (game.phase(), game.written) == (Phase.TURN, [])
    assert game.said[-1] == sentences.BETWEEN_CELLS(cell="j5")
    assert game.see(off_mm={j5: 9.0}).presses(BLUE).kinds() == ["turn"], "it is only crooked"


def test_a_piece_between_two_squares_prevents_auto_fire() -> None:
    game = play(preferences=TablePreferences(auto_fire_ms=3000.0))
    j5 = game.cell("j5")
    game.table = game.table.moved(game.cell("j4"), j5)
    assert game.see(8.0, off_mm={j5: 13.0}).written == []
    assert game.see(8.0).kinds() == ["turn"]


def test_a_question_ends_when_the_table_becomes_unambiguous() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.see(6, covered=[game.cell(name) for name in ("j5", "i4")]).presses(BLUE)
    assert game.phase() is Phase.CHOOSING_TURN
    game.see()
    assert game.phase() is Phase.TURN
    assert game.written == []
    assert matches(guidance_for(game.session).sentence, sentences.PRESS_FIRE, turn="blue j4 to j5")


def test_declining_all_offered_moves_returns_to_the_turn() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.see(6, covered=[game.cell(name) for name in ("j5", "i4")]).presses(BLUE)
    game.asks(Request.DECLINE, BLUE)
    assert game.phase() is Phase.TURN
    assert game.session.turn.choices == ()
    assert game.written == []


def test_a_pending_press_reports_an_illegal_move_once_the_table_settles() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j7"))
    game.see(0.1, covered=range(20)).presses(BLUE).see()
    assert game.phase() is Phase.MISMATCH
    assert game.said[-1].key == sentences.ILLEGAL_STEP_INSTEAD.key
    assert game.moves("j7", "j5").phase() is Phase.TURN
    assert game.written == []


def setting_up() -> Play:
    game = play().moves("j4", "j3").presses(BLUE).see()
    return game.asks(Request.TAKE_BACK, BLUE).asks(Request.ACCEPT, RED).see()


def choosing_turn() -> Play:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    return game.see(6, covered=[game.cell(name) for name in ("j5", "i4")]).presses(BLUE)


def firing() -> Play:
    game = play()
    game.leds_answer = False
    return game.moves("j4", "j5").presses(BLUE)


PRESSED_TOO_EARLY: dict[Phase, tuple[Callable[[], Play], str]] = {
    Phase.SETTING_UP: (setting_up, "set up the board: 2 things to put right: j4: "),
    Phase.CHOOSING_TURN: (choosing_turn, "which move was it?: blue j4 to "),
    Phase.FIRING: (firing, "the laser fires"),
    Phase.CLEARING: (
        lambda: play().moves("j4", "j5").presses(BLUE).see(),
        "take the captured pieces off the board: c5: ",
    ),
    Phase.PAUSED: (lambda: play().loses("camera"), "paused: camera: it was unplugged"),
    Phase.COMPUTER_THINKING: (
        lambda: play(red_level=3).moves("j4", "j3").presses(BLUE).see(),
        "red is thinking",
    ),
    Phase.COMPUTER_TO_MOVE: (
        lambda: play(red_level=3).moves("j4", "j3").presses(BLUE).see().chooses(RED, "e7e6"),
        "make this move for red: red e7 to e6",
    ),
    Phase.OVER: (lambda: play().asks(Request.RESIGN, BLUE), "red wins (resigned)"),
}


@pytest.mark.parametrize("phase", PRESSED_TOO_EARLY)
def test_a_press_in_another_phase_says_what_to_do(phase: Phase) -> None:
    begin, sentence = PRESSED_TOO_EARLY[phase]
    game = begin()
    assert game.phase() is phase
    before, said = game.session, len(game.said)
    game.presses(BLUE)
    assert [str(each)[: len(sentence)] for each in game.said[said:]] == [sentence]
    assert game.session == before


# -- auto fire ---------------------------------------------------------------------------------

AUTO = TablePreferences(auto_fire_ms=3000)


def test_auto_fire_plays_a_move_after_its_delay() -> None:
    game = play(preferences=AUTO).moves("j4", "j5")
    assert game.written == []
    game.see(1.5)
    assert game.written == []
    game.see(1.5)
    assert [entry.body["moves"] for entry in game.written] == [{"blue": "j4j5xc5"}]


def test_auto_fire_needs_no_new_frame() -> None:
    game = play(preferences=AUTO).moves("j4", "j5").see(2.0)
    assert game.written == []
    game.at_ms += 400
    game.send(Tick(game.at_ms))
    assert game.kinds() == ["turn"]


def test_auto_fire_needs_a_recent_frame() -> None:
    game = play(preferences=AUTO).moves("j4", "j5").later(60)
    assert game.written == []


def test_auto_fire_ignores_an_unchanged_board() -> None:
    game = play(preferences=AUTO).see(20).later(0.5)
    assert game.written == []
    assert game.phase() is Phase.TURN


def test_a_returning_hand_restarts_the_auto_fire_delay() -> None:
    game = play(preferences=AUTO).moves("j4", "j5").see(1.0)
    game.see(0.5, covered=range(20)).see(2.5)
    assert game.written == []
    assert game.see(1.5).kinds() == ["turn"]


def test_another_move_restarts_the_auto_fire_delay() -> None:
    game = play(preferences=AUTO).moves("j4", "j5").see(1.5).moves("j5", "j3").see(1.5)
    assert game.written == []
    game.see(1.5)
    assert [entry.body["moves"] for entry in game.written] == [{"blue": "j4j3"}]


def test_auto_fire_ignores_an_illegal_change() -> None:
    assert play(preferences=AUTO).moves("j4", "j7").see(20).written == []


def test_a_move_that_was_fired_is_not_fired_again() -> None:
    game = play(preferences=AUTO).moves("j4", "j5").see(3).takes("c5").see(20)
    assert game.kinds() == ["turn"]
    assert game.session.to_move == (RED,)


# -- clocks ------------------------------------------------------------------------------------


def test_the_clock_runs_only_while_a_player_can_act() -> None:
    game = play(clock="5m")
    begun = game.session.clocks.remaining_ms(BLUE, game.at_ms)
    assert begun is not None
    game.leds_answer = False
    game.moves("j4", "j5").presses(BLUE)
    used = game.session.clocks.remaining_ms(BLUE, game.at_ms)
    assert used is not None
    assert used < begun
    game.later(60)
    assert game.session.clocks.remaining_ms(BLUE, game.at_ms) == used
    game.shows()
    game.later(60)
    assert game.session.clocks.remaining_ms(RED, game.at_ms) == 5 * 60_000


def test_a_fallen_flag_ends_the_game() -> None:
    game = play(clock="1m").later(61)
    assert game.phase() is Phase.OVER
    assert game.session.outcome == Outcome.win(1, sentences.OUT_OF_TIME())
    assert game.kinds() == ["result"]


def test_a_pause_stops_the_clock() -> None:
    game = play(clock="1m").asks(Request.PAUSE, BLUE).later(3600)
    assert game.phase() is Phase.PAUSED
    game.asks(Request.CONTINUE, RED)
    assert game.phase() is Phase.TURN
    assert game.later(61).phase() is Phase.OVER


def test_a_press_after_the_flag_is_too_late() -> None:
    game = play(clock="1m").moves("j4", "j5")
    game.at_ms += 60_000
    game.presses(BLUE)
    assert game.session.outcome == Outcome.win(1, sentences.OUT_OF_TIME())
    assert game.kinds() == ["result"]


@pytest.mark.parametrize(("clock", "low_s"), [("5m", 10), ("30s", 3), ("20s/move", 2)])
def test_low_time_is_signalled_once_a_turn(clock: str, low_s: float) -> None:
    game = play(clock=clock)
    game.later(game.left_ms(BLUE) / 1000 - low_s)
    assert game.signal_count(Signal.TIME_LOW) == 0
    game.later(0.1).later(0.1)
    assert game.signal_count(Signal.TIME_LOW) == 1
    game.see(0.1).moves("j4", "j3").presses(BLUE).see()
    assert game.session.to_move == (RED,)
    game.later(0.1)
    assert game.signal_count(Signal.TIME_LOW) == 1


def test_without_a_clock_time_is_never_low() -> None:
    assert play().later(1e6).signal_count(Signal.TIME_LOW) == 0


def test_an_unexpected_answer_changes_nothing() -> None:
    game = play()
    before = game.session
    game.send(MoveChosen(RED, "e7e6", game.at_ms))
    game.send(BeamsShown(game.at_ms))
    game.send(Written(99, game.at_ms))
    assert game.session == before
