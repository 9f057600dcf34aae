"""A side has one shape wherever it is shown: drawn, on the page, printed, simulated, in plastic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from controller.agreement import Seat, Start
from controller.bodies.gallery import board_for
from controller.bodies.wanted import wanted
from controller.sheets.caps import outline
from controller.sheets.page import A4
from controller.sheets.rules.page import rules_page
from controller.sheets.tags import caps
from controller.web.drawing import drawing
from controller.web.pieces_json import players_json
from engine import games
from engine.draw import svg
from engine.draw.palette import Form, Paint, paints
from engine.game import AnyGame
from vision.scene.bodies import cut, prisms

SHAPES = {"blue": Form.ROUND, "red": Form.CUT, "first": Form.ROUND, "second": Form.CUT}
GAMES = [games.make(name) for name in games.GAMES]
SVG = "{http://www.w3.org/2000/svg}"
Shown = set[tuple[str, Form]]

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def meant(game: AnyGame) -> Shown:
    return {(side, SHAPES[side]) for side in game.players}


def form(path: str) -> Form:
    return Form.ROUND if "A" in path else Form.CUT


def bases(drawn: str, sides: dict[str, Paint]) -> Iterator[tuple[str, Form]]:
    """Whose bases there are in a picture: wide outlines in the side's colours."""
    for path in ElementTree.fromstring(drawn).iter(f"{SVG}path"):
        if path.get("stroke-width") != "2.5" or not re.search("[HA]", path.attrib["d"]):
            continue
        for side, paint in sides.items():
            if path.get("fill") in (paint.deep, paint.body):
                yield side, form(path.attrib["d"])


def sides_of(game: AnyGame) -> dict[str, Paint]:
    return dict(zip(game.players, paints(game.players), strict=True))


@each_game
def test_drawings_have_it(game: AnyGame) -> None:
    assert set(bases(svg(game, game.start()), sides_of(game))) == meant(game)


@each_game
def test_the_page_has_it(game: AnyGame) -> None:
    glyphs = drawing(game, game.start())["glyphs"]
    for name, drawn in glyphs.items():
        side = game.players[int(name.split("/")[1])]
        found = bases(f'<svg xmlns="{SVG[1:-1]}">{drawn}</svg>', sides_of(game))
        assert set(found) == {(side, SHAPES[side])}, name


@each_game
def test_the_page_is_told_it_of_each_player(game: AnyGame) -> None:
    told = players_json(game, Start(game, (Seat("Ada"), Seat("Bob"))))
    assert {(each["side"], each["shape"]) for each in told} == meant(game)


@each_game
def test_the_rules_have_it(game: AnyGame) -> None:
    assert set(bases(rules_page(game, A4).svg(), sides_of(game))) == meant(game)


@each_game
def test_printed_tags_have_it(game: AnyGame) -> None:
    board = board_for(game)
    names = {side.capitalize(): side for side in game.players}
    shown = {
        (names[each.name.split()[0]], _seen(outline(each)))
        for each in caps(board, [game])
        if each.paint
    }
    assert shown == meant(game)


def _seen(path: str) -> Form:
    """A disc that is cut into a seat has very many corners, and no arcs."""
    return Form.ROUND if "A" in path or path.count("L") > 20 else Form.CUT


@each_game
def test_bodies_have_it(game: AnyGame) -> None:
    assert {(each.player, each.form) for each in wanted(game)} == meant(game)


@each_game
def test_the_simulated_camera_sees_it(game: AnyGame) -> None:
    board = board_for(game)
    shown = set()
    for piece in game.start().pieces.values():
        foot, *_, cap = prisms(piece, board, paints(game.players)[piece.owner])
        side = game.players[piece.owner]
        corners = len(cut(board.cap_mm, 1))
        shown |= {
            (side, Form.CUT if len(each.outline) == corners else Form.ROUND) for each in (foot, cap)
        }
    assert shown == meant(game)


@pytest.mark.parametrize("name", ["green", "white", "first", ""])
def test_a_side_of_any_other_name_differs_from_the_one_it_plays(name: str) -> None:
    for other in ("blue", "red", "second"):
        for players in ((name, other), (other, name)):
            assert {paint.form for paint in paints(players)} == set(Form), players
