"""Numbers over the whole board, two digits at a time: a PIN, say.

A digit is three cells wide and five high; on hexagons it leans, so that its strokes run along
the rows of tiles. Dots below count the pages of a number that takes several.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.layout import Layout
from controller.light.animation import Animation, Colour, Effects, Sketch, colour
from controller.light.figures import level
from controller.light.spots import spots
from engine.draw import palette
from engine.errors import LaserboardError, excerpt
from engine.grid import Cell, Grid, HexGrid, SquareGrid

_FONT = {
    "0": ("###", "#.#", "#.#", "#.#", "###"),
    "1": (".#.", "##.", ".#.", ".#.", "###"),
    "2": ("###", "..#", "###", "#..", "###"),
    "3": ("###", "..#", ".##", "..#", "###"),
    "4": ("#.#", "#.#", "###", "..#", "..#"),
    "5": ("###", "#..", "###", "..#", "###"),
    "6": ("###", "#..", "###", "#.#", "###"),
    "7": ("###", "..#", ".#.", ".#.", ".#."),
    "8": ("###", "#.#", "###", "#.#", "###"),
    "9": ("###", "#.#", "###", "..#", "###"),
}
WIDTH, HEIGHT = 3, 5
MOST_DIGITS = 12
_TINTS = (colour(palette.PAPER), colour(palette.LAST_MOVE))  # side by side, to be told apart
_DOT = colour(palette.INK)
_PAGE_MS, _PAUSE_MS = 2200.0, 1500.0

At = Callable[[int, int], Cell | None]  # the cell so far right and down of the first digit's


class CannotDraw(LaserboardError, ValueError):
    """A number that this board cannot show."""


def number(layout: Layout, digits: str, effects: Effects = Effects.NORMAL) -> Animation:
    """These digits again and again, from the left, page by page; leading zeros are shown."""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise CannotDraw(
            f"{excerpt(digits)} cannot be shown: give 1 to {MOST_DIGITS} digits, nothing else"
        )
    lit = spots(layout)
    at, together = _room(lit.grid)
    pages = [digits[start : start + together] for start in range(0, len(digits), together)]
    sketch = Sketch(lit.leds, level(effects))
    page_ms = _PAGE_MS * (1.4 if effects is Effects.CALM else 1.0)
    cycle_ms = page_ms * len(pages) + _PAUSE_MS

    def put(cell: Cell | None, tint: Colour, page: int) -> None:
        if cell is None:
            return
        for spot in lit.cells[cell]:
            if len(pages) == 1:
                sketch.steady(spot.led, tint)
            else:
                sketch.light(spot.led, tint, start_ms=page * page_ms, rise_ms=0.12 * page_ms,
                             hold_ms=0.68 * page_ms, fall_ms=0.12 * page_ms,
                             period_ms=cycle_ms)  # fmt: skip

    for page, shown in enumerate(pages):
        for place, digit in enumerate(shown):
            for row, line in enumerate(_FONT[digit]):
                for column, dot in enumerate(line):
                    if dot == "#":
                        put(at(place * (WIDTH + 1) + column, row), _TINTS[place], page)
        for dot_number in range(page + 1 if len(pages) > 1 else 0):
            put(at(dot_number, HEIGHT + 1), _DOT, page)
    return sketch.animation()


def _room(grid: Grid) -> tuple[At, int]:
    """Where digits go on this board, and how many fit side by side."""
    for together in (2, 1):
        at = _square(grid, together) if isinstance(grid, SquareGrid) else _hex(grid, together)
        wide = together * (WIDTH + 1) - 1
        if all(at(column, row) is not None for column in range(wide) for row in range(HEIGHT)):
            return at, together
    raise CannotDraw(f"this board is too small for a digit: it needs {WIDTH} x {HEIGHT} cells")


def _square(grid: SquareGrid, together: int) -> At:
    left = (grid.columns - together * (WIDTH + 1) + 1) // 2
    above = max(0, (grid.rows - HEIGHT - 1) // 2)

    def at(column: int, row: int) -> Cell | None:
        x, y = left + column, above + row
        return grid.at(x, y) if grid.contains(x, y) else None

    return at


def _hex(grid: Grid, together: int) -> At:
    assert isinstance(grid, HexGrid), "boards are of squares or of hexagons"
    left = -(together * (WIDTH + 1) - 2) // 2

    def at(column: int, row: int) -> Cell | None:
        r = row - HEIGHT // 2
        s = -(left + column)
        return grid.find((-r - s, r, s))

    return at
