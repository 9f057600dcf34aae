"""What cannot be seen is named, and nothing goes on as if it had been."""

from __future__ import annotations

from controller.config.board_file import load_board
from controller.session import sentences
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks
from controller.session.guidance import guidance_for
from controller.session.setup import Seat
from controller.session.state import Phase, Session, SessionSetup
from engine import games
from tests.support.play.table_play import BLUE, DUEL, RED, Play, play
from tests.support.vision.tagged_table import Tabletop as Table

LONG = 6.0  # seconds: what is covered for so long counts as left there


def not_begun() -> Play:
    rules = games.make()
    start = rules.read_position(DUEL)
    top = fit_board(load_board("demo-10x8"), rules, None, start.grid)
    session = Session(
        setup=SessionSetup(board=top, seats=(Seat("Ada"), Seat("Bob"))),
        position=start,
        clocks=Clocks(),
    )
    return Play(session, Table.of(rules, start))


def test_a_board_is_not_set_up_while_a_square_is_covered_and_it_is_named() -> None:
    game = not_begun()
    game.see(LONG, covered={game.cell("j1"), game.cell("e1")})
    assert (game.phase(), game.session.table.differences) == (Phase.SETTING_UP, ())
    reported = guidance_for(game.session)
    assert reported.sentence == sentences.SET_UP()
    assert reported.reasons == (sentences.UNSEEN(cells=("e1", "j1")),)
    game.presses(BLUE)
    assert game.said[-1].slots["reasons"] == sentences.UNSEEN(cells=("e1", "j1"))
    assert game.see().phase() is Phase.TURN
    assert guidance_for(game.session).reasons == ()


def test_what_is_missing_and_what_is_covered_are_both_named() -> None:
    game = not_begun()
    game.table = game.table.without(game.cell("j4"))
    game.see(LONG, covered={game.cell("j1")})
    reported = guidance_for(game.session)
    assert reported.sentence == sentences.SET_UP_ONE()
    assert reported.reasons[0].slots["cell"] == "j4"
    assert reported.reasons[1:] == (sentences.UNSEEN(cells=("j1",)),)


def test_a_captured_piece_that_cannot_be_seen_has_not_been_taken_off() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    struck = game.cell("c5")
    game.see(LONG, covered={struck})
    assert (game.phase(), game.session.table.unseen_cells) == (Phase.CLEARING, (struck,))
    assert guidance_for(game.session).reasons[0].slots["cells"] == ("c5",)
    assert [each.cell for each in game.see().session.table.differences] == [struck]
    assert game.takes("c5").phase() is Phase.TURN


def test_a_person_says_that_nothing_stands_where_the_camera_cannot_see() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    struck = game.cell("c5")
    assert game.see().presses(RED).phase() is Phase.CLEARING, "it is seen there"
    game.table = game.table.without(struck)
    game.see(LONG, covered={struck})
    assert guidance_for(game.session).reasons == (sentences.UNSEEN_EMPTY(cells=("c5",)),)
    assert game.presses(RED).phase() is Phase.TURN


def test_play_goes_on_beside_a_covered_square_on_which_nothing_was_captured() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    game.table = game.table.without(game.cell("c5"))
    assert game.see(LONG, covered={game.cell("f4"), game.cell("j4")}).phase() is Phase.TURN
