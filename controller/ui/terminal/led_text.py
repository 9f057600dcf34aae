"""LEDs as text for a terminal: what a board shows, as it lies there. Pure text comes back.

A cell is three pixels square and a dark one, whatever number of LEDs it has (two by two take
four); a pixel is half a character. Without colour each LED is a letter for its hue, a capital
where it is bright, and the text holds no escape codes at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from controller.lighting.layout import LedLayout
from controller.ports.devices import Pixels
from engine.draw import palette
from engine.grid import Cell, Grid

GAMMA = 2.2
DARK = "."
BRIGHT, VISIBLE = 0.55, 0.06  # of full brightness, as people see it
HUES = {
    (1, 0, 0): "R", (1, 1, 0): "Y", (0, 1, 0): "G", (0, 1, 1): "C", (0, 0, 1): "B",
    (1, 0, 1): "M", (1, 1, 1): "W",
}  # fmt: skip
_INK = palette.parse_rgb(palette.INK)
_OFF = palette.parse_rgb(palette.TILES[0])
_MARGIN = 3  # characters to the left of the board, for the numbers of its rows

Rgb = tuple[int, int, int]
FloatArray = npt.NDArray[np.float64]


def render_leds(pixels: Pixels, layout: LedLayout, *, colour: bool, gamma: float = GAMMA) -> str:
    """The board with its LEDs as lines of text; `gamma` is what the bytes were made with."""
    seen = (np.asarray(pixels, np.float64) / 255.0) ** (1.0 / gamma)
    return _coloured(seen, layout) if colour else _plain(seen, layout)


# -- where things are --------------------------------------------------------------------------


def _pitch(number: int) -> tuple[int, int]:
    """Pixels from one cell to the next, and pixels a LED, by the LEDs side by side in a cell."""
    each = {1: 3, 2: 2}.get(number, 1)
    return number * each + 1, each


def _origins(grid: Grid, right: int, down: int) -> list[tuple[int, int]]:
    """The row and column of every cell's upper left; rows of hexagons are half a cell apart."""
    centres = [grid.centre(cell) for cell in range(grid.size)]
    row_height = 1.0 if grid.headings == 4 else 0.8660254
    left, top = min(x for x, _ in centres), min(y for _, y in centres)
    return [(round((y - top) / row_height) * down, round((x - left) * right)) for x, y in centres]


def _edge_labels(grid: Grid) -> list[tuple[Cell, str, bool]]:
    """What to write on the rim: at which cell, and whether to its left or else below it."""
    left, below = (3, 2) if grid.headings == 4 else (4, 2)
    labels = []
    for cell in range(grid.size):
        name = grid.name(cell)
        if not name[0].isalpha():  # a board too big for names
            continue
        if grid.ahead(cell, left) is None:
            labels.append((cell, name[1:], True))
        if grid.ahead(cell, below) is None:
            labels.append((cell, name[0], False))
    return labels


@dataclass(frozen=True)
class _PixelMap:
    """Which LED each pixel shows, by row and column, and what is written between."""

    pixels: tuple[tuple[int | None, ...], ...]
    texts: Mapping[tuple[int, int], str]  # by line and character

    @property
    def width(self) -> int:
        written = max((column for _, column in self.texts), default=0) + 1
        return max(written, len(self.pixels[0]))


def _pixel_map(
    layout: LedLayout, right: int, wide: int, below: int, high: int, lines: int
) -> _PixelMap:
    """`right` and `below` lead from cell to cell, a LED is `wide` and `high`, all in pixels; a
    character has so many `lines` of pixels."""
    grid, across = layout.board.grid, layout.per_cell[0]
    origins = _origins(grid, right, below)
    last_row, last_column = (max(place[axis] for place in origins) for axis in (0, 1))
    height = last_row + below + lines
    pixels: list[list[int | None]] = [
        [None] * (_MARGIN + last_column + right) for _ in range(height + height % lines)
    ]
    for (row, column), leds in zip(origins, layout.cells, strict=True):
        for number, led in enumerate(leds):
            y, x = divmod(number, across)
            start = _MARGIN + column + x * wide
            for line in range(row + y * high, row + (y + 1) * high):
                pixels[line][start : start + wide] = [led] * wide
    texts: dict[tuple[int, int], str] = {}
    in_width, in_height = across * wide, layout.per_cell[1] * high
    for cell, text, beside in _edge_labels(grid):
        row, column = origins[cell]
        if beside:
            line, at = (row + (in_height - 1) // 2) // lines, _MARGIN + column - 1 - len(text)
        else:
            slant = right // 2 if grid.headings == 6 else 0
            line, at = (row + below) // lines, _MARGIN + column + (in_width - 1) // 2 + slant
        texts.update({(line, at + i): sign for i, sign in enumerate(text)})
    return _PixelMap(tuple(map(tuple, pixels)), texts)


# -- in colour ---------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _coloured_pixel_map(layout: LedLayout) -> _PixelMap:
    (right, wide), (below, high) = (_pitch(number) for number in layout.per_cell)
    return _pixel_map(layout, right, wide, below, high, 2)


def _coloured(seen: FloatArray, layout: LedLayout) -> str:
    sheet = _coloured_pixel_map(layout)
    lit = seen.max(axis=1, keepdims=True, initial=0.0)
    shown = np.rint(255 * seen + (1 - lit) * np.array(_OFF)).astype(int).tolist()
    colours: list[Rgb] = [(red, green, blue) for red, green, blue in shown]
    ink = _code(_INK, None)
    lines = []
    for line in range(len(sheet.pixels) // 2):
        upper, lower = sheet.pixels[2 * line], sheet.pixels[2 * line + 1]
        signs = [
            _half(
                None if above is None else colours[above],
                None if below is None else colours[below],
            )
            for above, below in zip(upper, lower, strict=True)
        ]
        signs += [(_code(None, None), " ")] * (sheet.width - len(signs))
        for column in range(sheet.width):
            if (line, column) in sheet.texts:
                signs[column] = ink, sheet.texts[line, column]
        lines.append(_joined(signs))
    return "\n".join(lines)


def _half(upper: Rgb | None, lower: Rgb | None) -> tuple[str, str]:
    """One character for two pixels: its code, and its sign."""
    if upper is None and lower is None:
        return _code(None, None), " "
    if upper is None:
        return _code(lower, None), "▄"
    return _code(upper, lower), "▀"


@lru_cache(maxsize=4096)
def _code(ink: Rgb | None, ground: Rgb | None) -> str:
    parts = ["0"]
    for kind, rgb in ((38, ink), (48, ground)):
        if rgb is not None:
            parts.append(f"{kind};2;{rgb[0]};{rgb[1]};{rgb[2]}")
    return f"\x1b[{';'.join(parts)}m"


def _joined(signs: Sequence[tuple[str, str]]) -> str:
    """One escape code for every run of the same colours; plain again at the end of the line."""
    runs = groupby(signs, key=lambda sign: sign[0])
    return "".join(code + "".join(sign for _, sign in run) for code, run in runs) + "\x1b[0m"


# -- in letters --------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _plain_pixel_map(layout: LedLayout) -> _PixelMap:
    across, down = layout.per_cell
    right = 4 if layout.board.grid.headings == 6 else max(across + 1, 3)
    return _pixel_map(layout, right, 1, down + (down > 1), 1, 1)


def _plain(seen: FloatArray, layout: LedLayout) -> str:
    sheet = _plain_pixel_map(layout)
    letters = [_letter(*channels) for channels in seen.tolist()]
    lines = []
    for line, row in enumerate(sheet.pixels):
        signs = [" " if led is None else letters[led] for led in row]
        signs += [" "] * (sheet.width - len(signs))
        for column in range(sheet.width):
            signs[column] = sheet.texts.get((line, column), signs[column])
        lines.append("".join(signs))
    return "\n".join(lines)


def _letter(red: float, green: float, blue: float) -> str:
    """The hue of a LED, a capital where it is bright."""
    brightest = max(red, green, blue)
    if brightest < VISIBLE:
        return DARK
    red, green, blue = (int(channel >= 0.78 * brightest) for channel in (red, green, blue))
    hue = HUES[red, green, blue]
    return hue if brightest >= BRIGHT else hue.lower()
