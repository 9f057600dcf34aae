"""LEDs as text, with and without colour."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
import pytest

from controller.lighting.animation import animate_turn
from controller.lighting.layout import LedLayout
from controller.ports.devices import Pixels
from controller.ui.terminal.led_text import render_leds
from engine.beam import Emitter
from engine.draw.palette import TILES, parse_rgb
from engine.grid import HexGrid, SquareGrid
from tests.support.lighting.animation_cases import (
    BOARDS,
    HEX,
    HEXAGONS,
    NINE,
    ONE,
    PAINTS,
    SQUARES,
    SQUARES_10,
    laid,
    shot,
)

Rgb = tuple[int, int, int]
LARGE = {"ten by ten": laid(SQUARES_10), "sixteen by sixteen": laid(SquareGrid(16, 16), 3, 3)}
EVERY = {**BOARDS, **LARGE, "four by two": laid(SquareGrid(3, 3), 4, 2)}
_PIECE = re.compile(r"\x1b\[([0-9;]*)m|(.)")


def pixels_of(text: str) -> dict[tuple[int, int], Rgb]:
    """The half blocks of a coloured text, by row and column."""
    found: dict[tuple[int, int], Rgb] = {}
    for line, signs in enumerate(text.split("\n")):
        ink = ground = None
        column = 0
        for code, sign in _PIECE.findall(signs):
            if not sign:
                colours = {
                    kind: (int(r), int(g), int(b))
                    for kind, r, g, b in re.findall(r"([34]8);2;(\d+);(\d+);(\d+)", code)
                }
                ink, ground = colours.get("38"), colours.get("48")
                continue
            upper, lower = {"▀": (ink, ground), "▄": (ground, ink)}.get(sign, (ground, ground))
            for row, colour in ((2 * line, upper), (2 * line + 1, lower)):
                if colour is not None:
                    found[row, column] = colour
            column += 1
    return found


def numbered(layout: LedLayout) -> Pixels:
    """A picture in which every LED has a colour of its own."""
    leds = np.arange(layout.led_count)
    return np.stack([np.full_like(leds, 255), leds // 256, leds % 256], axis=1).astype(np.uint8)


def black(layout: LedLayout) -> Pixels:
    return np.zeros((layout.led_count, 3), np.uint8)


@pytest.mark.parametrize("layout", EVERY.values(), ids=EVERY.keys())
def test_every_led_is_drawn_at_its_place(layout: LedLayout) -> None:
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    found = pixels_of(render_leds(numbered(layout), layout, colour=True, gamma=1.0))
    for place, (red, green, blue) in found.items():
        assert red == 255
        places[256 * green + blue].append(place)
    assert set(places) == {led for leds in layout.cells for led in leds}
    assert len({len(each) for each in places.values()}) == 1, "all are of the same size"
    for each in places.values():
        height, width = (np.ptp([place[axis] for place in each]) + 1 for axis in (0, 1))
        assert height * width == len(each), "a LED is one rectangle"
    drawn = np.array([np.mean(places[led], axis=0)[::-1] for led in sorted(places)])
    lying = layout.led_positions_mm()[sorted(places)]
    for axis in (0, 1):
        slope, start = np.polyfit(lying[:, axis], drawn[:, axis], 1)
        assert slope > 0
        assert np.abs(lying[:, axis] * slope + start - drawn[:, axis]).max() < 0.6


@pytest.mark.parametrize("layout", EVERY.values(), ids=EVERY.keys())
@pytest.mark.parametrize("colour", [True, False], ids=["colour", "plain"])
def test_all_lines_are_equally_wide_and_the_colours_end_with_the_line(
    layout: LedLayout, colour: bool
) -> None:
    text = render_leds(numbered(layout), layout, colour=colour)
    lines = text.split("\n")
    assert len({len(_PIECE.sub(lambda m: m[2] or "", line)) for line in lines}) == 1
    if colour:
        assert all(line.endswith("\x1b[0m") for line in lines)
    else:
        assert "\x1b" not in text


@pytest.mark.parametrize("layout", [ONE, NINE, HEX, LARGE["ten by ten"]])
def test_the_shipped_boards_fit_a_terminal(layout: LedLayout) -> None:
    lines = render_leds(black(layout), layout, colour=True).split("\n")
    assert len(lines) <= 25
    assert len(_PIECE.sub(lambda m: m[2] or "", lines[0])) <= 80


def test_a_dark_led_is_visible_and_the_surroundings_are_not() -> None:
    found = pixels_of(render_leds(black(ONE), ONE, colour=True))
    assert set(found.values()) == {parse_rgb(TILES[0])}
    assert len(found) == 9 * 80


def test_a_beam_is_drawn_with_letters() -> None:
    turn = shot(SQUARES, [Emitter(SQUARES.cell("c4"), 1, 0)])
    canvas = animate_turn(ONE, turn, PAINTS).at(1100)
    text = render_leds(np.rint(255 * canvas).astype(np.uint8), ONE, colour=False, gamma=1.0)
    lines = [line.split() for line in text.split("\n")]
    assert lines[4] == ["4", ".", ".", *"BBBBBBB", "b"]
    assert lines[3] == ["5", *"." * 10]
    assert lines[8] == [*"abcdefghij"]


def test_letters_show_hue_and_brightness() -> None:
    layout = laid(SquareGrid(9, 1))
    colours = [
        (255, 0, 0), (255, 220, 0), (0, 255, 0), (0, 255, 255), (0, 0, 255), (255, 0, 255),
        (255, 255, 255), (100, 0, 0), (4, 4, 4),
    ]  # fmt: skip
    picture = np.array(colours[::-1], np.uint8)  # the LEDs of this board are in reverse order
    (first, _) = render_leds(picture, layout, colour=False, gamma=1.0).split("\n")[:2]
    assert first.split() == ["1", *"RYGCBMWr."]


def test_gamma_is_inverted() -> None:
    """A byte of 55 is perceived as half of full brightness."""
    half = np.full((80, 3), 56, np.uint8)
    found = pixels_of(render_leds(half, ONE, colour=True, gamma=2.2))
    dark = 0.5 * np.array(parse_rgb(TILES[0]))
    assert np.array(next(iter(found.values()))) == pytest.approx(127 + dark, abs=3)


@pytest.mark.parametrize("layout", [ONE, NINE, HEX], ids=["one", "nine", "hex"])
def test_row_labels_are_next_to_their_cells(layout: LedLayout) -> None:
    grid = layout.board.grid
    lines = render_leds(black(layout), layout, colour=False).split("\n")
    names = {name for line in lines for name in re.findall(r"[a-z]+|\d+", line)}
    wanted = {grid.name(cell) for cell in range(grid.size)}
    assert names == {name[0] for name in wanted} | {name[1:] for name in wanted}
    for number, line in enumerate(lines):
        row = re.match(r" *(\d+) ", line)
        if row and isinstance(grid, HexGrid):
            tiles = [
                tile for tile in HEXAGONS.tiles if HEXAGONS.radius - tile[1] + 1 == int(row[1])
            ]
            assert line.count(".") == len(tiles)
            assert number == HEXAGONS.radius + tiles[0][1]
        elif row:
            assert line.split()[1:] == ["." * layout.per_cell[0]] * 10


@pytest.mark.parametrize("layout", [ONE, HEX], ids=["one", "hex"])
def test_column_labels_are_at_the_end_of_their_column_or_diagonal(layout: LedLayout) -> None:
    grid = layout.board.grid
    lines = render_leds(black(layout), layout, colour=False).split("\n")
    right = 2 if grid.headings == 6 else 0
    seen = {}
    for row, line in enumerate(lines):
        for found in re.finditer("[a-z]", line):
            up = 1
            while up <= row and lines[row - up][max(found.start() - up * right, 0)] == ".":
                up += 1
            seen[found[0]] = up - 1
    names = [grid.name(cell)[0] for cell in range(grid.size)]
    assert seen == {name: names.count(name) for name in names}
