"""Numbers over the whole board, such as a PIN, two digits at a time.

A digit is three cells wide and five high; on hexagons it leans along the rows. Dots below show the
page of a longer number.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.lighting import sentences
from controller.lighting.animation.cell_patterns import effects_level
from controller.lighting.animation.led_positions import led_positions
from controller.lighting.animation.timeline import (
    Animation,
    AnimationBuilder,
    Colour,
    LightEffects,
    parse_colour,
)
from controller.lighting.layout import LedLayout
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
MAX_DIGITS = 12
# Of adjacent digits.
_TINTS = (parse_colour(palette.PAPER), parse_colour(palette.LAST_MOVE))
_DOT = parse_colour(palette.INK)
_PAGE_MS, _PAUSE_MS = 2200.0, 1500.0

CellAt = Callable[[int, int], Cell | None]  # cell at an offset right and down from the first digit


class CannotDraw(LaserboardError, ValueError):
    """This board cannot show the number."""


def animate_digits(
    layout: LedLayout, digits: str, effects: LightEffects = LightEffects.NORMAL
) -> Animation:
    """These digits page by page, repeated; leading zeros are shown."""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        raise CannotDraw(sentences.NOT_DIGITS(value=excerpt(digits), most=MAX_DIGITS))
    lit = led_positions(layout)
    at, together = _fit_digits(lit.grid)
    pages = [digits[start : start + together] for start in range(0, len(digits), together)]
    builder = AnimationBuilder(lit.led_count, effects_level(effects))
    page_ms = _PAGE_MS * (1.4 if effects is LightEffects.CALM else 1.0)
    cycle_ms = page_ms * len(pages) + _PAUSE_MS

    def put(cell: Cell | None, tint: Colour, page: int) -> None:
        if cell is None:
            return
        for position in lit.cells[cell]:
            if len(pages) == 1:
                builder.add_steady(position.led, tint)
            else:
                builder.add_pulse(
                    position.led,
                    tint,
                    start_ms=page * page_ms,
                    rise_ms=0.12 * page_ms,
                    hold_ms=0.68 * page_ms,
                    fall_ms=0.12 * page_ms,
                    period_ms=cycle_ms,
                )

    for page, shown in enumerate(pages):
        for place, digit in enumerate(shown):
            for row, line in enumerate(_FONT[digit]):
                for column, dot in enumerate(line):
                    if dot == "#":
                        put(at(place * (WIDTH + 1) + column, row), _TINTS[place], page)
        for dot_number in range(page + 1 if len(pages) > 1 else 0):
            put(at(dot_number, HEIGHT + 1), _DOT, page)
    return builder.build()


def _fit_digits(grid: Grid) -> tuple[CellAt, int]:
    """The place of the digits on a board, and how many fit side by side."""
    for together in (2, 1):
        at = (
            _place_on_squares(grid, together)
            if isinstance(grid, SquareGrid)
            else _place_on_hexagons(grid, together)
        )
        wide = together * (WIDTH + 1) - 1
        if all(at(column, row) is not None for column in range(wide) for row in range(HEIGHT)):
            return at, together
    raise CannotDraw(sentences.BOARD_TOO_SMALL(columns=WIDTH, rows=HEIGHT))


def _place_on_squares(grid: SquareGrid, together: int) -> CellAt:
    left = (grid.columns - together * (WIDTH + 1) + 1) // 2
    above = max(0, (grid.rows - HEIGHT - 1) // 2)

    def at(column: int, row: int) -> Cell | None:
        x, y = left + column, above + row
        return grid.at(x, y) if grid.contains(x, y) else None

    return at


def _place_on_hexagons(grid: Grid, together: int) -> CellAt:
    assert isinstance(grid, HexGrid), "boards are of squares or of hexagons"
    left = -(together * (WIDTH + 1) - 2) // 2

    def at(column: int, row: int) -> Cell | None:
        r = row - HEIGHT // 2
        s = -(left + column)
        return grid.find((-r - s, r, s))

    return at
