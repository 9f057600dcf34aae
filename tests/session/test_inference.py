"""Covered cells are named, and the game waits for them."""

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

LONG = 6.0  # seconds after which a cover counts as permanent


def not_begun() -> Play:
    rules = games.make()
    start = rules.read_position(DUEL)
    top = fit_board(load_board("demo-10x8"), rules, None, start.grid)
    session = Session(
        setup=SessionSetup(fitted_board=top, seats=(Seat("Ada"), Seat("Bob"))),
        position=start,
        clocks=Clocks(),
    )
    return Play(session, Table.of(rules, start))


def test_a_covered_cell_prevents_the_start_and_is_named() -> None:
    game = not_begun()
    game.see(LONG, covered={game.cell("j1"), game.cell("e1")})
    assert (game.phase(), game.session.table.differences) == (Phase.SETTING_UP, ())
    shown = guidance_for(game.session)
    assert shown.sentence == sentences.SET_UP()
    assert shown.reasons == (sentences.UNSEEN(cells=("e1", "j1")),)
    game.presses(BLUE)
    assert game.said[-1].slots["reasons"] == sentences.UNSEEN(cells=("e1", "j1"))
    assert game.see().phase() is Phase.TURN
    assert guidance_for(game.session).reasons == ()


def test_missing_pieces_and_covered_cells_are_both_named() -> None:
    game = not_begun()
    game.table = game.table.without(game.cell("j4"))
    game.see(LONG, covered={game.cell("j1")})
    shown = guidance_for(game.session)
    assert shown.sentence == sentences.SET_UP_ONE()
    assert shown.reasons[0].slots["cell"] == "j4"
    assert shown.reasons[1:] == (sentences.UNSEEN(cells=("j1",)),)


def test_a_captured_piece_under_a_cover_still_has_to_be_removed() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    struck = game.cell("c5")
    game.see(LONG, covered={struck})
    assert (game.phase(), game.session.table.unseen_cells) == (Phase.CLEARING, (struck,))
    assert guidance_for(game.session).reasons[0].slots["cells"] == ("c5",)
    assert [each.cell for each in game.see().session.table.differences] == [struck]
    assert game.takes("c5").phase() is Phase.TURN


def test_a_player_may_declare_a_covered_cell_empty() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    struck = game.cell("c5")
    assert game.see().presses(RED).phase() is Phase.CLEARING, "it is seen there"
    game.table = game.table.without(struck)
    game.see(LONG, covered={struck})
    assert guidance_for(game.session).reasons == (sentences.UNSEEN_EMPTY(cells=("c5",)),)
    assert game.presses(RED).phase() is Phase.TURN


def test_a_covered_cell_without_a_capture_does_not_stop_play() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    game.table = game.table.without(game.cell("c5"))
    assert game.see(LONG, covered={game.cell("f4"), game.cell("j4")}).phase() is Phase.TURN
