"""Renders the LEDs of a board as text.

In colour a pixel is half a character; a cell is 3 x 3 pixels (4 x 4 for 2 x 2 LEDs) and a gap.
Without colour an LED is the letter of its hue, a capital if it is bright, without escape codes.
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
BRIGHT, VISIBLE = 0.55, 0.06  # share of full perceived brightness
HUES = {
    (1, 0, 0): "R", (1, 1, 0): "Y", (0, 1, 0): "G", (0, 1, 1): "C", (0, 0, 1): "B",
    (1, 0, 1): "M", (1, 1, 1): "W",
}  # fmt: skip
_INK = palette.parse_rgb(palette.INK)
_OFF = palette.parse_rgb(palette.TILES[0])
_MARGIN = 3  # characters left of the board, for row numbers

Rgb = tuple[int, int, int]
FloatArray = npt.NDArray[np.float64]


def render_leds(pixels: Pixels, layout: LedLayout, *, colour: bool, gamma: float = GAMMA) -> str:
    """The board with its LEDs as lines of text; `gamma` is that of the pixels."""
    perceived = (np.asarray(pixels, np.float64) / 255.0) ** (1.0 / gamma)
    return _coloured(perceived, layout) if colour else _plain(perceived, layout)


# -- layout ------------------------------------------------------------------------------------


def _pitch(number: int) -> tuple[int, int]:
    """Pixels per cell with its gap, and pixels per LED, for `number` LEDs side by side."""
    each = {1: 3, 2: 2}.get(number, 1)
    return number * each + 1, each


def _origins(grid: Grid, right: int, down: int) -> list[tuple[int, int]]:
    """The row and column of every cell's upper left corner."""
    centres = [grid.centre(cell) for cell in range(grid.size)]
    row_height = 1.0 if grid.headings == 4 else 0.8660254
    left, top = min(x for x, _ in centres), min(y for _, y in centres)
    return [(round((y - top) / row_height) * down, round((x - left) * right)) for x, y in centres]


def _edge_labels(grid: Grid) -> list[tuple[Cell, str, bool]]:
    """The labels of rows and columns: the cell, the text, and whether it is left of the cell."""
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
    """The LED of each pixel, by row and column, and the labels."""

    pixels: tuple[tuple[int | None, ...], ...]
    texts: Mapping[tuple[int, int], str]  # by line and character

    @property
    def width(self) -> int:
        written = max((column for _, column in self.texts), default=0) + 1
        return max(written, len(self.pixels[0]))


def _pixel_map(
    layout: LedLayout, right: int, wide: int, below: int, high: int, lines: int
) -> _PixelMap:
    """`right` and `below` are the pixels from cell to cell, `wide` and `high` those of an LED;
    `lines` is the number of pixel rows per character."""
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


# -- with colour -------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _coloured_pixel_map(layout: LedLayout) -> _PixelMap:
    (right, wide), (below, high) = (_pitch(number) for number in layout.per_cell)
    return _pixel_map(layout, right, wide, below, high, 2)


def _coloured(perceived: FloatArray, layout: LedLayout) -> str:
    pixel_map = _coloured_pixel_map(layout)
    lit = perceived.max(axis=1, keepdims=True, initial=0.0)
    shown = np.rint(255 * perceived + (1 - lit) * np.array(_OFF)).astype(int).tolist()
    colours: list[Rgb] = [(red, green, blue) for red, green, blue in shown]
    ink = _code(_INK, None)
    lines = []
    for line in range(len(pixel_map.pixels) // 2):
        upper, lower = pixel_map.pixels[2 * line], pixel_map.pixels[2 * line + 1]
        signs = [
            _half(
                None if above is None else colours[above],
                None if below is None else colours[below],
            )
            for above, below in zip(upper, lower, strict=True)
        ]
        signs += [(_code(None, None), " ")] * (pixel_map.width - len(signs))
        for column in range(pixel_map.width):
            if (line, column) in pixel_map.texts:
                signs[column] = ink, pixel_map.texts[line, column]
        lines.append(_joined(signs))
    return "\n".join(lines)


def _half(upper: Rgb | None, lower: Rgb | None) -> tuple[str, str]:
    """The escape code and the character for two pixels."""
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
    """Join characters with one escape code per run of equal colours, and a reset at the end."""
    runs = groupby(signs, key=lambda sign: sign[0])
    return "".join(code + "".join(sign for _, sign in run) for code, run in runs) + "\x1b[0m"


# -- without colour ----------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _plain_pixel_map(layout: LedLayout) -> _PixelMap:
    across, down = layout.per_cell
    right = 4 if layout.board.grid.headings == 6 else max(across + 1, 3)
    return _pixel_map(layout, right, 1, down + (down > 1), 1, 1)


def _plain(perceived: FloatArray, layout: LedLayout) -> str:
    pixel_map = _plain_pixel_map(layout)
    letters = [_letter(*channels) for channels in perceived.tolist()]
    lines = []
    for line, row in enumerate(pixel_map.pixels):
        signs = [" " if led is None else letters[led] for led in row]
        signs += [" "] * (pixel_map.width - len(signs))
        for column in range(pixel_map.width):
            signs[column] = pixel_map.texts.get((line, column), signs[column])
        lines.append("".join(signs))
    return "\n".join(lines)


def _letter(red: float, green: float, blue: float) -> str:
    """The letter of an LED's hue, a capital if it is bright."""
    brightest = max(red, green, blue)
    if brightest < VISIBLE:
        return DARK
    red, green, blue = (int(channel >= 0.78 * brightest) for channel in (red, green, blue))
    hue = HUES[red, green, blue]
    return hue if brightest >= BRIGHT else hue.lower()
