"""A side has the same shape in drawings, on the page, in print, in frames and as a body."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from controller.builder.bodies.guide_images import shipped_board_for
from controller.builder.bodies.piece_list import list_piece_sets
from controller.builder.printables.caps import cut_outline
from controller.builder.printables.tags import list_caps
from controller.session.setup import GameSetup, Seat
from controller.ui.web.board_svg import board_drawing_json
from controller.ui.web.json_values import players_json
from engine import games
from engine.draw import position_svg
from engine.draw.page import A4
from engine.draw.palette import Paint, SideShape, player_paints
from engine.draw.rules.page import rules_page
from engine.game import AnyGame
from vision.scene.piece_shapes import cut_corner_square, piece_prisms

SHAPES = {
    "blue": SideShape.ROUND,
    "red": SideShape.CUT,
    "first": SideShape.ROUND,
    "second": SideShape.CUT,
}
GAMES = [games.make(name) for name in games.GAMES]
SVG = "{http://www.w3.org/2000/svg}"
Shown = set[tuple[str, SideShape]]

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def meant(game: AnyGame) -> Shown:
    return {(side, SHAPES[side]) for side in game.players}


def form(path: str) -> SideShape:
    return SideShape.ROUND if "A" in path else SideShape.CUT


def bases(drawn: str, sides: dict[str, Paint]) -> Iterator[tuple[str, SideShape]]:
    """The sides with bases in a picture, found by wide outlines in the colours of the side."""
    for path in ElementTree.fromstring(drawn).iter(f"{SVG}path"):
        if path.get("stroke-width") != "2.5" or not re.search("[HA]", path.attrib["d"]):
            continue
        for side, paint in sides.items():
            if path.get("fill") in (paint.deep, paint.body):
                yield side, form(path.attrib["d"])


def sides_of(game: AnyGame) -> dict[str, Paint]:
    return dict(zip(game.players, player_paints(game.players), strict=True))


@each_game
def test_drawings_have_the_shapes_of_the_sides(game: AnyGame) -> None:
    assert set(bases(position_svg(game, game.start()), sides_of(game))) == meant(game)


@each_game
def test_the_page_has_the_shapes_of_the_sides(game: AnyGame) -> None:
    glyphs = board_drawing_json(game, game.start())["glyphs"]
    for name, drawn in glyphs.items():
        side = game.players[int(name.split("/")[1])]
        found = bases(f'<svg xmlns="{SVG[1:-1]}">{drawn}</svg>', sides_of(game))
        assert set(found) == {(side, SHAPES[side])}, name


@each_game
def test_the_page_json_has_the_shape_of_each_player(game: AnyGame) -> None:
    players = players_json(game, GameSetup(game, (Seat("Ada"), Seat("Bob"))))
    assert {(each["side"], each["shape"]) for each in players} == meant(game)


@each_game
def test_the_rules_page_has_the_shapes_of_the_sides(game: AnyGame) -> None:
    assert set(bases(rules_page(game, A4).to_svg(), sides_of(game))) == meant(game)


@each_game
def test_printed_tags_have_the_shapes_of_the_sides(game: AnyGame) -> None:
    board = shipped_board_for(game)
    names = {side.capitalize(): side for side in game.players}
    shown = {
        (names[each.name.split()[0]], _seen(cut_outline(each)))
        for each in list_caps(board, [game])
        if each.paint
    }
    assert shown == meant(game)


def _seen(path: str) -> SideShape:
    """The shape of a cut-out: a disc has very many corners and no arcs."""
    return SideShape.ROUND if "A" in path or path.count("L") > 20 else SideShape.CUT


@each_game
def test_bodies_have_the_shapes_of_the_sides(game: AnyGame) -> None:
    assert {(each.player, each.form) for each in list_piece_sets(game)} == meant(game)


@each_game
def test_rendered_frames_have_the_shapes_of_the_sides(game: AnyGame) -> None:
    board = shipped_board_for(game)
    shown = set()
    for piece in game.start().pieces.values():
        foot, *_, cap = piece_prisms(piece, board, player_paints(game.players)[piece.owner])
        side = game.players[piece.owner]
        corners = len(cut_corner_square(board.cap_mm, 1))
        shown |= {
            (side, SideShape.CUT if len(each.outline) == corners else SideShape.ROUND)
            for each in (foot, cap)
        }
    assert shown == meant(game)


@pytest.mark.parametrize("name", ["green", "white", "first", ""])
def test_a_side_of_another_name_differs_from_its_opponent(name: str) -> None:
    for other in ("blue", "red", "second"):
        for players in ((name, other), (other, name)):
            assert {paint.shape for paint in player_paints(players)} == set(SideShape), players
