"""LED positions relative to the centre of their cell, in cells: x to the right, y down.

Used by the cell patterns and the beams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin

from controller.lighting.layout import LedLayout
from engine.grid import Cell, Grid, Heading

EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class LedPosition:
    """One LED of a cell."""

    led: int
    x: float
    y: float

    @property
    def distance(self) -> float:
        return hypot(self.x, self.y)

    @property
    def clockwise_fraction(self) -> float:
        """Its angle around the centre: 0 is up, 0.25 right."""
        return degrees(atan2(self.x, -self.y)) / 360 % 1.0


@dataclass(frozen=True)
class LedPositions:
    """The LEDs of a layout by cell, each row by row from the upper left."""

    grid: Grid
    led_count: int
    per_cell: tuple[int, int]
    cells: tuple[tuple[LedPosition, ...], ...]
    leds_by_heading: tuple[tuple[tuple[int, float], ...], ...]  # cached `along`

    def along(self, cell: Cell, heading: Heading) -> list[tuple[LedPosition, float]]:
        """The LEDs on the line through the centre in a heading, with their positions on it.

        With an even number of rows, the two rows next to the line count.
        """
        here = self.cells[cell]
        return [(here[number], place) for number, place in self.leds_by_heading[heading]]

    def ring(self, cell: Cell) -> list[LedPosition]:
        """The LEDs around the centre of a cell, clockwise; empty if they do not surround it."""
        if min(self.per_cell) < 2:
            return []
        return sorted((s for s in self.cells[cell] if s.distance > EPSILON), key=_clockwise_key)

    def around(self, cell: Cell) -> dict[int, float]:
        """The LEDs of all adjacent cells, also diagonal ones, with their angles; 0 is up."""
        reach = 1.5 if self.grid.headings == 4 else 1.1
        x, y = self.grid.centre(cell)
        turns = {}
        for other, here in enumerate(self.cells):
            to_x, to_y = self.grid.centre(other)
            if other != cell and hypot(to_x - x, to_y - y) < reach:
                for position in here:
                    angle = degrees(atan2(to_x + position.x - x, y - to_y - position.y))
                    turns[position.led] = angle / 360 % 1.0
        return turns

    def board_centre(self) -> tuple[float, float]:
        xs, ys = zip(*(self.grid.centre(cell) for cell in range(self.grid.size)), strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def board_offsets(self) -> list[tuple[int, float, float]]:
        """Every LED under a cell, with its offset from the centre of the board in cells."""
        middle_x, middle_y = self.board_centre()
        return [
            (position.led, x + position.x - middle_x, y + position.y - middle_y)
            for cell, positions in enumerate(self.cells)
            for x, y in (self.grid.centre(cell),)
            for position in positions
        ]

    def border(self) -> list[tuple[int, float]]:
        """The LEDs next to the rim, with their angles around the board, clockwise."""
        rim = set()
        for cell in range(self.grid.size):
            for heading in range(self.grid.headings):
                if self.grid.ahead(cell, heading) is None:
                    rim |= {position.led for position in outermost(self, cell, heading)}
        turns = {led: degrees(atan2(x, -y)) / 360 % 1.0 for led, x, y in self.board_offsets()}
        return sorted(((led, turns[led]) for led in rim), key=lambda each: (each[1], each[0]))


@lru_cache(maxsize=32)
def led_positions(layout: LedLayout) -> LedPositions:
    columns, rows = layout.per_cell
    places = [
        ((column + 0.5) / columns - 0.5, (row + 0.5) / rows - 0.5)
        for row in range(rows)
        for column in range(columns)
    ]
    cells = tuple(
        tuple(LedPosition(led, x, y) for led, (x, y) in zip(leds, places, strict=True))
        for leds in layout.cells
    )
    grid = layout.board.grid
    lines = tuple(
        _leds_on_line(grid, heading, layout.per_cell, places) for heading in range(grid.headings)
    )
    return LedPositions(grid, layout.led_count, layout.per_cell, cells, lines)


def _leds_on_line(
    grid: Grid, heading: Heading, per_cell: tuple[int, int], places: Sequence[tuple[float, float]]
) -> tuple[tuple[int, float], ...]:
    x, y = direction(grid, heading)
    columns, rows = per_cell
    wide = abs(y) * columns + abs(x) * rows  # LEDs side by side across the line
    return tuple(
        (number, place if abs(place) > EPSILON else 0.0)
        for number, (right, down) in enumerate(places)
        for place in (right * x + down * y,)
        if abs(right * y - down * x) <= 0.5 / max(wide, 1.0) + EPSILON
    )


def direction(grid: Grid, heading: Heading) -> tuple[float, float]:
    """The unit step of a heading, in cells."""
    angle = radians(grid.degrees(heading))
    return sin(angle), -cos(angle)


def outermost(lit: LedPositions, cell: Cell, heading: Heading) -> Sequence[LedPosition]:
    """The outermost LEDs of a cell in a direction."""
    x, y = direction(lit.grid, heading)
    places = [position.x * x + position.y * y for position in lit.cells[cell]]
    farthest = max(places, default=0.0) - EPSILON
    return [s for s, place in zip(lit.cells[cell], places, strict=True) if place >= farthest]


def _clockwise_key(position: LedPosition) -> float:
    return position.clockwise_fraction
