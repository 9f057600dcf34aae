"""LED layouts: every cell has its LEDs, no LED has two cells, and strips are continuous."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.board_file import BoardFile, load_board_file, read_board
from controller.config.led_strips import LedStrip
from controller.lighting import sentences
from controller.lighting.layout import BadLayout, LedLayout, led_layout
from engine.grid import HexGrid, SquareGrid
from engine.sentences import Sentence
from tests.support.engine.sentences import raises
from tests.support.lighting.random_led_boards import allow_slow_examples, led_boards
from vision.board import BoardDoesNotFit, PhysicalBoard
from vision.sentences import NO_ROOM


def shipped(name: str) -> LedLayout:
    made = led_layout(load_board_file(name))
    assert made is not None
    return made


def made(file: BoardFile) -> LedLayout:
    leds = led_layout(file)
    assert leds is not None
    return leds


# --- corners, axes, and the other way round ---------------------------------------------------

# A board of 3 x 2 cells with 2 x 1 LEDs each: the LED numbers of the upper and the lower row.
LAID = {
    ("upper_left", "rows", True): ("0 1 2 3 4 5", "11 10 9 8 7 6"),
    ("upper_left", "rows", False): ("0 1 2 3 4 5", "6 7 8 9 10 11"),
    ("upper_right", "rows", True): ("5 4 3 2 1 0", "6 7 8 9 10 11"),
    ("upper_right", "rows", False): ("5 4 3 2 1 0", "11 10 9 8 7 6"),
    ("lower_left", "rows", True): ("11 10 9 8 7 6", "0 1 2 3 4 5"),
    ("lower_left", "rows", False): ("6 7 8 9 10 11", "0 1 2 3 4 5"),
    ("lower_right", "rows", True): ("6 7 8 9 10 11", "5 4 3 2 1 0"),
    ("lower_right", "rows", False): ("11 10 9 8 7 6", "5 4 3 2 1 0"),
    ("upper_left", "columns", True): ("0 3 4 7 8 11", "1 2 5 6 9 10"),
    ("upper_left", "columns", False): ("0 2 4 6 8 10", "1 3 5 7 9 11"),
    ("upper_right", "columns", True): ("11 8 7 4 3 0", "10 9 6 5 2 1"),
    ("upper_right", "columns", False): ("10 8 6 4 2 0", "11 9 7 5 3 1"),
    ("lower_left", "columns", True): ("1 2 5 6 9 10", "0 3 4 7 8 11"),
    ("lower_left", "columns", False): ("1 3 5 7 9 11", "0 2 4 6 8 10"),
    ("lower_right", "columns", True): ("10 9 6 5 2 1", "11 8 7 4 3 0"),
    ("lower_right", "columns", False): ("11 9 7 5 3 1", "10 8 6 4 2 0"),
}


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("corner", "axis", "serpentine"), LAID)
def test_a_strip_follows_its_corner_and_axis(
    corner: str, axis: str, serpentine: bool, backwards: bool
) -> None:
    text = f"""\
board: {{kind: square, columns: 3, rows: 2, cell_mm: 40}}
tags: {{tag_mm: 26, cap_mm: 34, cap_height_mm: 30, corner_mm: 26, corner_offset_mm: 24}}
leds:
  per_cell: [2, 1]
  ma_limit: 500
  strips:
    - {{origin_corner: {corner}, axis: {axis}, serpentine: {serpentine}, reversed: {backwards}}}
"""
    leds = made(read_board(text, "x.yaml"))
    upper, lower = (
        [11 - int(n) if backwards else int(n) for n in row.split()]
        for row in LAID[corner, axis, serpentine]
    )
    name = {leds.board.grid.name(cell): numbers for cell, numbers in enumerate(leds.cells)}
    assert [*name["a2"], *name["b2"], *name["c2"]] == upper
    assert [*name["a1"], *name["b1"], *name["c1"]] == lower
    assert leds.led_positions_mm()[upper].tolist() == [[x, 20] for x in range(10, 120, 20)]
    assert leds.led_positions_mm()[lower].tolist() == [[x, 60] for x in range(10, 120, 20)]


# --- for all boards ---------------------------------------------------------------------------


@allow_slow_examples
@given(led_boards())
def test_every_cell_has_leds_and_every_led_at_most_one_cell(file: BoardFile) -> None:
    leds, want = made(file), made(file).per_cell[0] * made(file).per_cell[1]
    used = [led for numbers in leds.cells for led in numbers]
    assert len(leds.cells) == leds.board.grid.size
    assert {len(numbers) for numbers in leds.cells} == {want}
    assert len(set(used)) == len(used) == want * leds.board.grid.size
    assert min(used) >= 0
    assert max(used) < leds.led_count
    for led in range(leds.led_count):
        cell = leds.cell_of(led)
        assert (cell is None) == (led not in used)
        assert cell is None or led in leds.cells[cell]
    assert leds.cell_of(-1) is leds.cell_of(leds.led_count) is None


@allow_slow_examples
@given(led_boards())
def test_every_led_lies_in_its_cell_and_no_two_coincide(file: BoardFile) -> None:
    leds = made(file)
    places, (across, down) = leds.led_positions_mm(), leds.per_cell
    assert places.shape == (leds.led_count, 2)
    for led, place in enumerate(places):
        cell = leds.cell_of(led)
        assert (cell is None) == bool(np.isnan(place).any())
        if cell is not None:
            off = np.abs(place - leds.board.centre_mm(cell)) * 2 / leds.board.cell_mm
            assert off == pytest.approx(off.clip(0, 1))
            assert (off <= [1 - 1 / across + 1e-9, 1 - 1 / down + 1e-9]).all()
    seen = {(round(x, 3), round(y, 3)) for x, y in places if not np.isnan(x)}
    assert len(seen) == across * down * leds.board.grid.size


@allow_slow_examples
@given(led_boards(plain=True))
def test_consecutive_leds_of_a_strip_are_neighbours(file: BoardFile) -> None:
    leds = made(file)
    pitch = np.array([leds.board.cell_mm / n for n in leds.per_cell])
    nearest = [leds.board.cell_mm] if leds.board.grid.headings == 6 else pitch
    for strip in leds.strips:
        first = sum(leds.leds_per_lane[: strip.lane]) + strip.start
        steps = np.diff(leds.led_positions_mm()[first : first + strip.count], axis=0)
        lengths = np.hypot(*steps.T)
        near = np.min([np.abs(lengths - length) for length in nearest], axis=0) < 1e-6
        if strip.serpentine:
            assert near.all()
        along = 0 if strip.axis == "rows" else 1
        within = np.abs(steps[:, 1 - along]) < 1e-6  # steps within a line
        assert near[within].all()
        if not strip.serpentine:
            assert len({bool(forward) for forward in steps[within, along] > 0}) <= 1
        turns = steps[~within, 1 - along]
        assert (turns > 0).all() or (turns < 0).all()  # each line is visited once


@allow_slow_examples
@given(led_boards(plain=True))
def test_a_strip_starts_or_ends_at_its_corner(file: BoardFile) -> None:
    leds = made(file)
    for strip in leds.strips:
        first = sum(leds.leds_per_lane[: strip.lane]) + strip.start
        places = leds.led_positions_mm()[first : first + strip.count]
        x, y = places[-1 if strip.reversed else 0]
        line = places[np.abs(places[:, 1] - y) < 1e-6]  # rows of hexagons start at different places
        upper, left = (word in strip.origin_corner for word in ("upper", "left"))
        assert y == pytest.approx(places[:, 1].min() if upper else places[:, 1].max())
        assert x == pytest.approx(line[:, 0].min() if left else line[:, 0].max())


@allow_slow_examples
@given(led_boards(), st.data())
def test_a_smaller_game_lights_only_its_own_cells(file: BoardFile, data: st.DataObject) -> None:
    leds, grid = made(file), file.board.grid
    smaller: SquareGrid | HexGrid
    if isinstance(grid, SquareGrid):
        columns, rows = (data.draw(st.integers(1, n)) for n in (grid.columns, grid.rows))
        smaller = SquareGrid(columns, rows)
    else:
        assert isinstance(grid, HexGrid)
        smaller = HexGrid.hexagon(data.draw(st.integers(0, grid.radius)))
    game = leds.for_grid(smaller)
    assert game.board == leds.board.with_grid(smaller)
    assert (game.leds_per_lane, game.per_cell, game.strips) == (
        leds.leds_per_lane,
        leds.per_cell,
        leds.strips,
    )
    for cell, numbers in enumerate(game.cells):
        assert game.board.centre_mm(cell) == pytest.approx(
            leds.board.centre_mm(leds.cells.index(numbers))
        )
    lit = ~np.isnan(game.led_positions_mm()[:, 0])
    assert game.led_positions_mm()[lit] == pytest.approx(leds.led_positions_mm()[lit])
    assert lit.sum() == smaller.size * leds.per_cell[0] * leds.per_cell[1]


# --- shipped boards ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lanes", "per_cell", "limit_ma"),
    [
        ("demo-10x8", (80,), (1, 1), 3000),
        ("full-10x8", (360, 360), (3, 3), 15000),
        ("photon-10x10", (100,), (1, 1), 3500),
        ("hex-r5", (91,), (1, 1), 3000),
        ("wled-10x8", (80,), (1, 1), 3000),
    ],
)
def test_the_shipped_boards_have_leds_under_every_cell(
    name: str, lanes: tuple[int, ...], per_cell: tuple[int, int], limit_ma: int
) -> None:
    leds, settings = shipped(name), load_board_file(name).leds
    assert settings is not None
    assert (leds.leds_per_lane, leds.per_cell, settings.ma_limit) == (lanes, per_cell, limit_ma)
    assert sorted(itertools.chain(*leds.cells)) == list(range(sum(lanes)))
    assert settings.url == ("ddp://wled.local" if name == "wled-10x8" else None)


def test_a_paper_board_has_no_leds() -> None:
    assert led_layout(load_board_file("paper-10x8")) is None


def test_the_demo_strip_is_serpentine() -> None:
    leds = shipped("demo-10x8")
    assert [leds.cells[leds.board.grid.cell(name)] for name in ("a8", "j8", "j7", "a7", "a6")] == [
        (0,), (9,), (10,), (19,), (20,),
    ]  # fmt: skip
    assert leds.led_positions_mm()[[0, 10, 79]].tolist() == [[20, 20], [380, 60], [20, 300]]


def test_nine_leds_of_a_cell_are_listed_row_by_row() -> None:
    leds = shipped("full-10x8")
    assert leds.cells[0] == (0, 1, 2, 59, 58, 57, 60, 61, 62)
    assert leds.cells[leds.board.grid.cell("a4")] == (360, 361, 362, 419, 418, 417, 420, 421, 422)
    x, y = leds.led_positions_mm()[list(leds.cells[0])].T
    assert x == pytest.approx([50 / 6, 25, 250 / 6] * 3)
    assert y == pytest.approx(np.repeat([50 / 6, 25, 250 / 6], 3))


def test_a_game_of_eight_rows_is_centred_on_ten() -> None:
    whole = shipped("photon-10x10")
    game = whole.for_grid(SquareGrid(10, 8))
    assert game.led_count == 100
    assert game.cells == whole.cells[10:90]
    grid = game.board.grid
    assert game.cells[grid.cell("a8")] == whole.cells[whole.board.grid.cell("a9")] == (19,)
    assert [game.cell_of(led) for led in (9, 10, 89, 90)] == [None, 9, 79, None]
    assert np.isnan(game.led_positions_mm()[[0, 9, 90, 99]]).all()
    assert game.led_positions_mm()[19].tolist() == [20, 60]
    assert whole.for_grid(whole.board.grid) is whole


def test_strips_under_hexagons_are_serpentine() -> None:
    leds = shipped("hex-r5")
    named = {leds.board.grid.name(cell): numbers[0] for cell, numbers in enumerate(leds.cells)}
    assert [named[name] for name in ("f11", "k11", "k10", "e10", "d9")] == [0, 5, 6, 12, 13]
    assert [named[name] for name in ("f6", "a1", "f1")] == [45, 85, 90]
    smaller = leds.for_grid(HexGrid.hexagon(2))
    assert smaller.cells[9] == (45,)  # the centre stays the same


def test_a_game_that_does_not_fit_is_refused() -> None:
    with raises(BoardDoesNotFit, NO_ROOM):
        shipped("demo-10x8").for_grid(SquareGrid(10, 10))


# --- in words, and made by hand -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "demo-10x8",
            "80 LEDs on 1 lane, 1 per cell, serpentine along the rows from the upper left",
        ),
        (
            "full-10x8",
            "720 LEDs on 2 lanes (360 + 360), 3 x 3 per cell, 2 strips, serpentine along the rows"
            " from the upper left",
        ),
        (
            "hex-r5",
            "91 LEDs on 1 lane, 1 per cell, serpentine along the rows from the upper left",
        ),
    ],
)
def test_leds_are_described_in_a_sentence(name: str, sentence: str) -> None:
    assert str(shipped(name).describe()) == sentence


def test_the_description_contains_only_properties_of_all_strips() -> None:
    board, cells = PhysicalBoard("x", SquareGrid(2, 1)), ((0,), (1,))
    words = "2 LEDs on 1 lane, 1 per cell"
    assert str(LedLayout(board, (1, 1), (2,), cells).describe()) == words
    one, other = LedStrip(axis="columns"), LedStrip(axis="columns", origin_corner="lower_left")
    assert (
        str(LedLayout(board, (1, 1), (2,), cells, (one, other)).describe())
        == f"{words}, 2 strips, serpentine along the columns"
    )
    plain = LedStrip(serpentine=False, reversed=True)
    assert (
        str(LedLayout(board, (1, 1), (2,), cells, (plain,)).describe())
        == f"{words}, every line the same way along the rows"
    )
    both = LedLayout(board, (1, 1), (2,), cells, (one, plain)).describe()
    assert str(both) == f"{words}, 2 strips"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (((0,),), sentences.WRONG_CELL_COUNT(found=1, expected=2)),
        (((0,), ()), sentences.WRONG_LED_COUNT(cell="b1", found=0, expected=1)),
        (((0,), (1, 2)), sentences.WRONG_LED_COUNT(cell="b1", found=2, expected=1)),
        (((0,), (3,)), sentences.LED_BEYOND_END(cell="b1", led=3, last=2)),
        (((-1,), (1,)), sentences.LED_BEYOND_END(cell="a1", led=-1, last=2)),
        (((2,), (2,)), sentences.LED_UNDER_BOTH(led=2, other="a1", cell="b1")),
    ],
)
def test_a_layout_made_by_hand_is_checked_too(
    cells: tuple[tuple[int, ...], ...], expected: Sentence
) -> None:
    with raises(BadLayout, expected):
        LedLayout(PhysicalBoard("x", SquareGrid(2, 1)), (1, 1), (3,), cells)


def test_the_positions_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        shipped("demo-10x8").led_positions_mm()[0, 0] = 1
