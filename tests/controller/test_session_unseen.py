"""What cannot be seen is named, and nothing goes on as if it had been."""

from __future__ import annotations

from controller.agreement import Seat
from controller.clocks import Clocks
from controller.config import load_board
from controller.guide import guide
from controller.session_values import Phase, Session
from controller.tabletop import fitted
from engine import games
from tests.controller.playing import BLUE, DUEL, RED, Play, play
from tests.vision.unkind import Tabletop as Table

LONG = 6.0  # seconds: what is covered for so long counts as left there


def not_begun() -> Play:
    rules = games.make()
    start = rules.read_position(DUEL)
    top = fitted(load_board("demo-10x8"), rules, None, start.grid)
    session = Session(top, (Seat("Ada"), Seat("Bob")), start, Clocks())
    return Play(session, Table.of(rules, start))


def test_a_board_is_not_set_up_while_a_square_is_covered_and_it_is_named() -> None:
    game = not_begun()
    game.see(LONG, covered={game.cell("j1"), game.cell("e1")})
    assert (game.phase(), game.session.differences) == (Phase.SETTING_UP, ())
    told = guide(game.session)
    assert told.sentence == "set up the board"
    assert [each.partition(" cannot be seen: ")[0] for each in told.reasons] == ["e1, j1"]
    game.presses(BLUE)
    assert "e1, j1 cannot be seen" in game.said[-1]
    assert game.see().phase() is Phase.TURN
    assert guide(game.session).reasons == ()


def test_what_is_missing_and_what_is_covered_are_both_named() -> None:
    game = not_begun()
    game.table = game.table.without(game.cell("j4"))
    game.see(LONG, covered={game.cell("j1")})
    told = guide(game.session)
    assert told.sentence == "set up the board: one thing to put right"
    assert [each[:2] for each in told.reasons] == ["j4", "j1"]


def test_a_captured_piece_that_cannot_be_seen_has_not_been_taken_off() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    struck = game.cell("c5")
    game.see(LONG, covered={struck})
    assert (game.phase(), game.session.unseen) == (Phase.CLEARING, (struck,))
    assert "c5 cannot be seen" in guide(game.session).reasons[0]
    assert [each.cell for each in game.see().session.differences] == [struck]
    assert game.takes("c5").phase() is Phase.TURN


def test_a_person_says_that_nothing_stands_where_the_camera_cannot_see() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    struck = game.cell("c5")
    assert game.see().presses(RED).phase() is Phase.CLEARING, "it is seen there"
    game.table = game.table.without(struck)
    game.see(LONG, covered={struck})
    assert "press fire if nothing stands there" in guide(game.session).reasons[0]
    assert game.presses(RED).phase() is Phase.TURN


def test_play_goes_on_beside_a_covered_square_on_which_nothing_was_captured() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    game.table = game.table.without(game.cell("c5"))
    assert game.see(LONG, covered={game.cell("f4"), game.cell("j4")}).phase() is Phase.TURN
