"""The flow of a game, event by event, by a clock of our own and a table seen perfectly."""

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
from engine.sentences import Sentence, plain
from tests.support.play.table_play import BLUE, DUEL, FULL, RED, Play, matches, play
from tests.support.vision.tagged_table import Tabletop as Table

# -- a turn ------------------------------------------------------------------------------------

C5_DEFLECTOR = sentences.PIECE_FROM(
    piece=sentences.PIECE(player="red", kind="deflector"), cell="c5"
)


def test_a_game_begins_when_the_board_is_right() -> None:
    rules = games.make()
    start = rules.read_position(DUEL)
    top = fit_board(load_board("demo-10x8"), rules, None, start.grid)
    table = Table.of(rules, start)
    session = Session(
        setup=SessionSetup(board=top, seats=(Seat("Ada"), Seat("Bob"))),
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
    assert plain(FULL) in game.said
    game.disk = True
    game.asks(Request.CONTINUE, BLUE)
    assert game.kinds() == ["turn"]
    assert game.fired() == 1


def test_a_captured_piece_is_taken_off_before_play_goes_on() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    assert game.phase() is Phase.CLEARING
    assert any(matches(each, sentences.TAKE_PIECES, pieces=C5_DEFLECTOR) for each in game.said)
    assert game.takes("c5").phase() is Phase.TURN
    assert guidance_for(game.session).sentence == sentences.TO_MOVE(players="red")


def test_a_captured_piece_may_be_gone_before_the_beam_has_run() -> None:
    game = play()
    game.lamps = False
    game.moves("j4", "j5").presses(BLUE)
    assert game.phase() is Phase.FIRING
    game.takes("c5")
    assert game.shows().see().phase() is Phase.TURN


def test_a_piece_that_the_rules_turn_by_themselves_is_turned_by_hand() -> None:
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


def test_nothing_happens_before_somebody_presses() -> None:
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


def test_only_whose_turn_it_is_can_fire() -> None:
    game = play().moves("j4", "j5").presses(RED)
    assert matches(game.said[-1], sentences.NOT_YOUR_TURN, players="blue")
    assert game.written == []


def test_what_is_no_move_is_named_and_can_be_put_right() -> None:
    game = play().moves("j4", "j7").presses(BLUE)
    assert game.phase() is Phase.MISMATCH
    assert {game.table.grid.name(each.cell) for each in game.session.table.differences} == {
        "j4",
        "j7",
    }
    assert game.written == []
    assert game.moves("j7", "j4").phase() is Phase.TURN


def test_a_move_that_cannot_be_reported_from_another_is_asked_for() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    hidden = [game.cell(name) for name in ("j5", "i4")]
    game.see(6, covered=hidden).presses(BLUE)
    assert game.phase() is Phase.CONFIRMING
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


def test_what_is_no_move_of_one_piece_is_reported_cell_by_cell() -> None:
    game = play()
    game.table = game.table.turned(game.cell("e7"), 1).turned(game.cell("c5"), 2)
    game.see().presses(BLUE)
    assert game.said[-1] == vision.sentences.TURN_PIECE(
        cell="c5", piece="deflector", player="red", turn=vision.sentences.TURN_ROUND()
    )


def test_a_piece_between_two_squares_is_not_fired_whatever_it_looks_like() -> None:
    game = play()
    j5 = game.cell("j5")
    game.table = game.table.moved(game.cell("j4"), j5)
    game.see(off_mm={j5: 13.0}).presses(BLUE)
    assert (game.phase(), game.written) == (Phase.TURN, [])
    assert game.said[-1] == sentences.BETWEEN_CELLS(cell="j5")
    assert game.see(off_mm={j5: 9.0}).presses(BLUE).kinds() == ["turn"], "it is only crooked"


def test_nor_does_it_fire_by_itself() -> None:
    game = play(habits=TablePreferences(auto_fire_ms=3000.0))
    j5 = game.cell("j5")
    game.table = game.table.moved(game.cell("j4"), j5)
    assert game.see(8.0, off_mm={j5: 13.0}).written == []
    assert game.see(8.0).kinds() == ["turn"]


def test_a_question_is_dropped_when_the_table_tells_by_itself() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.see(6, covered=[game.cell(name) for name in ("j5", "i4")]).presses(BLUE)
    assert game.phase() is Phase.CONFIRMING
    game.see()
    assert game.phase() is Phase.TURN
    assert game.written == []
    assert matches(guidance_for(game.session).sentence, sentences.PRESS_FIRE, turn="blue j4 to j5")


def test_none_of_the_moves_that_were_asked_about() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.see(6, covered=[game.cell(name) for name in ("j5", "i4")]).presses(BLUE)
    game.asks(Request.DECLINE, BLUE)
    assert game.phase() is Phase.TURN
    assert game.session.turn.choices == ()
    assert game.written == []


def test_a_press_that_waited_and_met_no_move_is_reported_what_is_amiss() -> None:
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


def confirming() -> Play:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    return game.see(6, covered=[game.cell(name) for name in ("j5", "i4")]).presses(BLUE)


def firing() -> Play:
    game = play()
    game.lamps = False
    return game.moves("j4", "j5").presses(BLUE)


PRESSED_TOO_EARLY: dict[Phase, tuple[Callable[[], Play], str]] = {
    Phase.SETTING_UP: (setting_up, "set up the board: 2 things to put right: j4: "),
    Phase.CONFIRMING: (confirming, "which move was it?: blue j4 to "),
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
def test_a_press_out_of_place_is_answered_with_what_to_do(phase: Phase) -> None:
    begin, sentence = PRESSED_TOO_EARLY[phase]
    game = begin()
    assert game.phase() is phase
    before, said = game.session, len(game.said)
    game.presses(BLUE)
    assert [str(each)[: len(sentence)] for each in game.said[said:]] == [sentence]
    assert game.session == before


# -- firing by itself --------------------------------------------------------------------------

AUTO = TablePreferences(auto_fire_ms=3000)


def test_a_move_fires_by_itself_when_it_has_rested_long_enough() -> None:
    game = play(habits=AUTO).moves("j4", "j5")
    assert game.written == []
    game.see(1.5)
    assert game.written == []
    game.see(1.5)
    assert [entry.body["moves"] for entry in game.written] == [{"blue": "j4j5xc5"}]


def test_a_tick_is_time_enough_to_fire() -> None:
    game = play(habits=AUTO).moves("j4", "j5").see(2.0)
    assert game.written == []
    game.at_ms += 400
    game.happens(Tick(game.at_ms))
    assert game.kinds() == ["turn"]


def test_nothing_fires_by_itself_at_a_table_that_is_not_seen_any_more() -> None:
    game = play(habits=AUTO).moves("j4", "j5").later(60)
    assert game.written == []


def test_an_unchanged_board_never_fires() -> None:
    game = play(habits=AUTO).see(20).later(0.5)
    assert game.written == []
    assert game.phase() is Phase.TURN


def test_a_hand_that_comes_back_begins_the_wait_anew() -> None:
    game = play(habits=AUTO).moves("j4", "j5").see(1.0)
    game.see(0.5, covered=range(20)).see(2.5)
    assert game.written == []
    assert game.see(1.5).kinds() == ["turn"]


def test_another_move_begins_the_wait_anew() -> None:
    game = play(habits=AUTO).moves("j4", "j5").see(1.5).moves("j5", "j3").see(1.5)
    assert game.written == []
    game.see(1.5)
    assert [entry.body["moves"] for entry in game.written] == [{"blue": "j4j3"}]


def test_what_is_no_move_never_fires() -> None:
    assert play(habits=AUTO).moves("j4", "j7").see(20).written == []


def test_a_move_that_was_fired_is_not_fired_again() -> None:
    game = play(habits=AUTO).moves("j4", "j5").see(3).takes("c5").see(20)
    assert game.kinds() == ["turn"]
    assert game.session.to_move == (RED,)


# -- clocks ------------------------------------------------------------------------------------


def test_the_clock_runs_only_while_somebody_can_act() -> None:
    game = play(clock="5m")
    begun = game.session.clocks.remaining_ms(BLUE, game.at_ms)
    assert begun is not None
    game.lamps = False
    game.moves("j4", "j5").presses(BLUE)
    used = game.session.clocks.remaining_ms(BLUE, game.at_ms)
    assert used is not None
    assert used < begun
    game.later(60)
    assert game.session.clocks.remaining_ms(BLUE, game.at_ms) == used
    game.shows()
    game.later(60)
    assert game.session.clocks.remaining_ms(RED, game.at_ms) == 5 * 60_000


def test_a_flag_falls() -> None:
    game = play(clock="1m").later(61)
    assert game.phase() is Phase.OVER
    assert str(game.session.outcome) == "0-1 time"
    assert game.kinds() == ["result"]


def test_a_pause_stops_the_clock() -> None:
    game = play(clock="1m").asks(Request.PAUSE, BLUE).later(3600)
    assert game.phase() is Phase.PAUSED
    game.asks(Request.CONTINUE, RED)
    assert game.phase() is Phase.TURN
    assert game.later(61).phase() is Phase.OVER


def test_a_flag_that_fell_before_the_press_has_fallen() -> None:
    game = play(clock="1m").moves("j4", "j5")
    game.at_ms += 60_000
    game.presses(BLUE)
    assert str(game.session.outcome) == "0-1 time"
    assert game.kinds() == ["result"]


@pytest.mark.parametrize(("clock", "low_s"), [("5m", 10), ("30s", 3), ("20s/move", 2)])
def test_little_time_is_reported_once_a_turn(clock: str, low_s: float) -> None:
    game = play(clock=clock)
    game.later(game.left_ms(BLUE) / 1000 - low_s)
    assert game.reported(Signal.TIME_LOW) == 0
    game.later(0.1).later(0.1)
    assert game.reported(Signal.TIME_LOW) == 1
    game.see(0.1).moves("j4", "j3").presses(BLUE).see()
    assert game.session.to_move == (RED,)
    game.later(0.1)
    assert game.reported(Signal.TIME_LOW) == 1


def test_without_a_clock_time_is_never_low() -> None:
    assert play().later(1e6).reported(Signal.TIME_LOW) == 0


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    game = play()
    before = game.session
    game.happens(MoveChosen(RED, "e7e6", game.at_ms))
    game.happens(BeamsShown(game.at_ms))
    game.happens(Written(99, game.at_ms))
    assert game.session == before
