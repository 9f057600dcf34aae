"""Positions on a board in millimetres: cells, corner tags, and the place of a smaller game."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from engine.grid import Grid, HexGrid, SquareGrid
from engine.sentences import Sentence
from tests.support.engine.sentences import raises
from tests.support.vision.rendered_tables import DEMO, HEXAGONS, LARGE
from vision import sentences
from vision.board import BoardDoesNotFit, PhysicalBoard

HALF_HEX_HEIGHT = 40 / sqrt(3)  # from a hexagon's centre to its tip, 40 mm across
ROW = 40 * sqrt(3) / 2  # between two rows of hexagons


def places(board: PhysicalBoard, *names: str) -> list[tuple[float, float]]:
    return [board.centre_mm(board.grid.cell(name)) for name in names]


# -- cells -------------------------------------------------------------------------------------


def test_squares_have_the_measured_positions() -> None:
    assert places(DEMO, "a8", "j8", "a1", "j1", "e4") == [
        (20, 20),
        (380, 20),
        (20, 300),
        (380, 300),
        (180, 180),
    ]
    assert DEMO.size_mm == (400, 320)


def test_squares_of_another_size_have_the_measured_positions() -> None:
    board = PhysicalBoard("small", SquareGrid(3, 2), cell_mm=25.5)
    assert places(board, "a2", "c1") == [(12.75, 12.75), (63.75, 38.25)]
    assert board.size_mm == (76.5, 51)


def test_hexagons_have_the_measured_positions() -> None:
    middle = (220.0, HALF_HEX_HEIGHT + 5 * ROW)
    assert places(HEXAGONS, "f6", "k6", "a6") == [
        pytest.approx(middle),
        pytest.approx((420, middle[1])),
        pytest.approx((20, middle[1])),
    ]
    [top_left] = places(HEXAGONS, "f11")
    assert top_left == pytest.approx((middle[0] - 100, HALF_HEX_HEIGHT))
    assert HEXAGONS.size_mm == pytest.approx((440, 2 * HALF_HEX_HEIGHT + 10 * ROW))


@pytest.mark.parametrize("board", [DEMO, LARGE, HEXAGONS], ids=lambda board: str(board.name))
def test_neighbours_are_one_cell_apart_and_all_are_on_the_board(board: PhysicalBoard) -> None:
    grid, centres = board.grid, board.centres_mm()
    assert len(centres) == grid.size
    for cell in range(grid.size):
        assert tuple(centres[cell]) == board.centre_mm(cell)
        for heading in range(grid.headings):
            beside = grid.ahead(cell, heading)
            if beside is not None:
                step, angle = centres[beside] - centres[cell], np.radians(grid.degrees(heading))
                assert step == pytest.approx([40 * np.sin(angle), -40 * np.cos(angle)])
    assert (centres >= 20 - 1e-9).all()
    assert (centres <= np.array(board.size_mm) - 20 + 1e-9).all()


# -- corners -----------------------------------------------------------------------------------


def test_corner_tags_lie_outside_the_corners_clockwise_from_the_upper_left() -> None:
    assert DEMO.corner_tags_mm().tolist() == [[-24, -24], [424, -24], [424, 344], [-24, 344]]
    near = PhysicalBoard("near", SquareGrid(10, 8), corner_offset_mm=15)
    assert near.corner_tags_mm().tolist() == [[-15, -15], [415, -15], [415, 335], [-15, 335]]
    x, y = HEXAGONS.size_mm
    assert HEXAGONS.corner_tags_mm()[2] == pytest.approx([x + 24, y + 24])


@pytest.mark.parametrize(
    ("board", "names"),
    [
        (DEMO, ("a8", "j8", "j1", "a1")),
        (LARGE, ("a10", "j10", "j1", "a1")),
        (LARGE.with_grid(SquareGrid(10, 8)), ("a8", "j8", "j1", "a1")),
        # The hexagon nearest to a corner tag is not the one at the tip.
        (HEXAGONS, ("e10", "k10", "g2", "a2")),
    ],
)
def test_a_corner_is_named_after_the_cell_next_to_it(
    board: PhysicalBoard, names: tuple[str, ...]
) -> None:
    assert board.corner_cells() == names
    corners = board.corner_tags_mm()
    for name, corner in zip(names, corners, strict=True):
        away = np.hypot(*(board.centres_mm() - corner).T)
        [place] = places(board, name)
        assert np.hypot(*(np.array(place) - corner)) == pytest.approx(away.min())


# -- games on a board --------------------------------------------------------------------------


def test_a_game_of_the_boards_size_uses_the_whole_board() -> None:
    assert DEMO.with_grid(SquareGrid(10, 8)) is DEMO


@pytest.mark.parametrize(("play_row", "first"), [(None, 60), (0, 20), (1, 60), (2, 100)])
def test_a_smaller_game_has_the_place_in_the_board_file(play_row: int | None, first: float) -> None:
    board = PhysicalBoard("large", SquareGrid(10, 10), play_row=play_row)
    playing = board.with_grid(SquareGrid(10, 8))
    assert places(playing, "a8", "j1") == [(20, first), (380, first + 280)]
    assert playing.grid == SquareGrid(10, 8)
    assert playing.size_mm == board.size_mm == (400, 400)
    assert playing.corner_tags_mm().tolist() == board.corner_tags_mm().tolist()


def test_a_narrower_game_is_centred() -> None:
    assert places(LARGE.with_grid(SquareGrid(6, 4)), "a4", "f1") == [(100, 140), (300, 260)]
    odd = LARGE.with_grid(SquareGrid(7, 7))
    assert places(odd, "a7") == [(60, 60)], "left and above by whole cells"


def test_a_game_on_part_of_a_board_keeps_its_place() -> None:
    eight = PhysicalBoard("large", SquareGrid(10, 10), play_row=2).with_grid(SquareGrid(10, 8))
    six = eight.with_grid(SquareGrid(10, 6))
    assert places(six, "a6") == places(eight, "a7") == [(20, 140)]


def test_a_smaller_hexagon_is_centred() -> None:
    playing = HEXAGONS.with_grid(HexGrid.hexagon(3))
    assert places(playing, "d4") == places(HEXAGONS, "f6")
    assert places(playing, "g4") == places(HEXAGONS, "i6")
    assert playing.size_mm == HEXAGONS.size_mm


DEMO_SIZE = sentences.SQUARES(columns=10, rows=8)
HEXAGONS_SIZE = sentences.HEXAGONS(radius=5)


@pytest.mark.parametrize(
    ("board", "grid", "size", "wanted"),
    [
        (DEMO, SquareGrid(10, 10), DEMO_SIZE, sentences.SQUARES(columns=10, rows=10)),
        (DEMO, SquareGrid(11, 8), DEMO_SIZE, sentences.SQUARES(columns=11, rows=8)),
        (DEMO, HexGrid.hexagon(1), DEMO_SIZE, sentences.HEXAGONS(radius=1)),
        (HEXAGONS, HexGrid.hexagon(6), HEXAGONS_SIZE, sentences.HEXAGONS(radius=6)),
        (HEXAGONS, SquareGrid(2, 2), HEXAGONS_SIZE, sentences.SQUARES(columns=2, rows=2)),
    ],
)
def test_a_game_that_does_not_fit_is_reported_in_a_sentence(
    board: PhysicalBoard, grid: Grid, size: Sentence, wanted: Sentence
) -> None:
    with raises(BoardDoesNotFit, sentences.NO_ROOM(board=board.name, size=size, wanted=wanted)):
        board.with_grid(grid)


def test_a_game_that_does_not_fit_below_the_free_rows_is_reported_in_a_sentence() -> None:
    board = PhysicalBoard("large", SquareGrid(10, 10), play_row=3)
    expected = sentences.NO_ROOM_BELOW(
        board="large", size=sentences.SQUARES(columns=10, rows=10), wanted=DEMO_SIZE, rows=3
    )
    with raises(BoardDoesNotFit, expected):
        board.with_grid(SquareGrid(10, 8))


def test_boards_are_hashable_values() -> None:
    assert PhysicalBoard("demo", SquareGrid(10, 8)) == DEMO
    assert hash(PhysicalBoard("demo", SquareGrid(10, 8))) == hash(DEMO)
    assert LARGE.with_grid(SquareGrid(10, 8)) != LARGE
