"""Piece lists and printed parts: kinds come from the games, sizes from the board file."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.dimensions import (
    CAP_BORDER_MM,
    BodyDoesNotFit,
    piece_variables,
    scad_variables_file,
)
from controller.builder.bodies.outlines import cap_outline
from controller.builder.bodies.parts import PrintedPart, grid_parts, piece_parts, printed_parts
from controller.builder.bodies.piece_list import PieceSet, games_for_board, list_piece_sets
from controller.config.board_file import load_board, load_board_file, shipped_boards
from engine import games
from engine.draw.palette import SideShape
from engine.game import AnyGame, Piece
from engine.grid import SquareGrid
from engine.sentences import Sentence
from tests.support.paths import HARDWARE
from vision.board import PhysicalBoard

GAMES = [games.make(name) for name in games.GAMES]
DEMO = load_board("demo-10x8")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_kind_of_every_game_has_a_body(game: AnyGame) -> None:
    source = (HARDWARE / "bodies" / "piece.scad").read_text("utf-8")
    made = set(re.findall(r'kind == "(\w+)"', source))
    assert {each.kind for each in list_piece_sets(game)} == set(game.letters)
    assert {each.body for each in list_piece_sets(game)} <= made


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_piece_of_every_start_has_a_tagged_body(game: AnyGame) -> None:
    needed = {(each.owner, each.kind): each for each in list_piece_sets(game)}
    for each in needed.values():
        assert [(game.tags[tag].owner, game.tags[tag].kind) for tag in each.tags] == [
            (each.owner, each.kind)
        ] * each.count
    for setup in game.setups() or (None,):
        stand = Counter((p.owner, p.kind) for p in game.start(setup).pieces.values())
        assert all(needed[key].count >= count for key, count in stand.items())


def test_a_tag_on_squares_has_the_same_shape_in_every_game() -> None:
    """All games of a board use the same printed sheet and the same set of pieces."""
    shapes: dict[int, set[SideShape]] = {}
    for game in games_for_board(load_board("photon-10x10")):
        for each in list_piece_sets(game):
            for tag in each.tags:
                shapes.setdefault(tag, set()).add(each.form)
    assert len(shapes) > 26
    assert all(len(found) == 1 for found in shapes.values()), shapes


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_two_sides_have_different_shapes(game: AnyGame) -> None:
    assert {(each.owner, each.form) for each in list_piece_sets(game)} in (
        {(0, SideShape.ROUND), (1, SideShape.CUT)},
        {(0, SideShape.CUT), (1, SideShape.ROUND)},
    )


def test_pieces_that_share_a_body_have_the_same_orientation_under_their_tag() -> None:
    """A body serves two kinds only if the same tag, pointing up, means the same mirror."""
    by_tag: dict[int, set[tuple[str, tuple[int, int]]]] = {}
    for game in games_for_board(load_board("photon-10x10")):
        for each in list_piece_sets(game):
            if each.body == "deflector":
                for tag in each.tags:
                    by_tag.setdefault(tag, set()).add((game.name, _faces(game.tags[tag])))
    shared = [found for found in by_tag.values() if len(found) > 1]
    assert shared
    assert all(len({faces for _, faces in found}) == 1 for found in shared)


def _faces(piece: Piece) -> tuple[int, int]:
    """Right and up, the way that the glass looks: south-west or north-east at orientation 0."""
    way = {"deflector": (-1, -1), "mirror": (1, 1)}[piece.kind]
    for _ in range(piece.orientation):
        way = (way[1], -way[0])
    return way


def test_bodies_shared_by_games_are_counted_once() -> None:
    counts = {part.name: part.count for part in piece_parts(load_board("photon-10x10"))}
    assert counts["deflector-cut"] == 7
    assert counts["king-round"] == 1
    assert counts["shooter-cut"] == 2
    assert counts["tray-cut"] == sum(
        count for name, count in counts.items() if name.endswith("-cut") and "tray" not in name
    )


def test_the_sizes_of_bodies_depend_on_the_board_file() -> None:
    sizes = piece_variables(DEMO, SideShape.CUT)
    assert piece_variables(replace(DEMO, cap_mm=30.0), SideShape.CUT) != sizes
    assert piece_variables(replace(DEMO, cap_height_mm=35.0), SideShape.CUT) != sizes
    assert piece_variables(load_board("full-10x8"), SideShape.CUT)["cap_mm"] == 42


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"cap_height_mm": 0.0}, sentences.TAGS_LIE_FLAT(board="demo-10x8")),
        (
            {"cap_height_mm": 12.0},
            sentences.BODY_TOO_LOW(board="demo-10x8", minimum_mm=18.0, height_mm=12.0),
        ),
        (
            {"cap_mm": 38.0},
            sentences.CAPS_TOO_WIDE(board="demo-10x8", cap_mm=38.0, cell_mm=40.0, maximum_mm=34.8),
        ),
    ],
)
def test_sizes_too_small_for_a_body_are_refused_with_sizes_that_fit(
    change: dict[str, Any], complaint: Sentence
) -> None:
    with pytest.raises(BodyDoesNotFit) as refused:
        piece_variables(replace(DEMO, **change), SideShape.ROUND)
    assert refused.value.sentence == complaint


@pytest.mark.parametrize("form", SideShape)
def test_a_cap_on_a_hexagon_keeps_the_white_margin_of_its_tag(form: SideShape) -> None:
    board = load_board("hex-r5")
    outline = cap_outline(board, form, CAP_BORDER_MM)
    half = board.tag_mm / 2
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        for x in (-half, half):
            for y in (-half, half):
                inside = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length
                assert inside > 0.3, f"{inside:.2f} mm of white at a corner of the tag"


@pytest.mark.parametrize("name", shipped_boards())
def test_the_tiles_of_the_light_grid_cover_every_square(name: str) -> None:
    file = load_board_file(name)
    if file.leds is None or file.board.grid.headings == 6:
        return
    tiles = grid_parts(file.board, file.leds)
    squares = sum(part.count * _value(part, "columns") * _value(part, "rows") for part in tiles)
    assert squares == file.board.grid.size


def _value(part: PrintedPart, name: str) -> int:
    value = dict(part.variables)[name]
    assert isinstance(value, int)
    return value


def test_every_part_has_a_unique_file_name() -> None:
    for name in shipped_boards():
        if load_board(name).cap_height_mm:
            paths = [part.path for part in printed_parts(load_board_file(name))]
            assert len(paths) == len(set(paths))


def test_the_default_sizes_of_the_sources_are_those_of_the_demo_board() -> None:
    kept = (HARDWARE / "bodies" / "sizes.scad").read_text("utf-8")
    assert kept == scad_variables_file(load_board_file("demo-10x8")), "make -C hardware sizes"


def test_a_board_too_small_for_a_game_needs_none_of_its_pieces() -> None:
    assert [game.name for game in games_for_board(DEMO)] == [games.DEFAULT]
    small = PhysicalBoard("small", SquareGrid(4, 4))
    assert games_for_board(small) == []


def test_the_name_of_a_body_has_its_kind_and_shape() -> None:
    each = PieceSet("mirror", "red", 0, SideShape.CUT, (5, 6))
    assert (each.name, each.count) == ("deflector-cut", 2)
