"""Where the LEDs of every cell lie, seen from its middle, in parts of a cell.

What the figures and the beams need of a layout; x goes right, y goes down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin

from controller.layout import Layout
from engine.grid import Cell, Grid, Heading

EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Spot:
    """One LED of a cell."""

    led: int
    x: float
    y: float

    @property
    def distance(self) -> float:
        return hypot(self.x, self.y)

    @property
    def turn(self) -> float:
        """Where it lies around the middle: 0 is up, a quarter is right."""
        return degrees(atan2(self.x, -self.y)) / 360 % 1.0


@dataclass(frozen=True)
class Spots:
    """The LEDs of a layout by cell, row by row from the upper left."""

    grid: Grid
    leds: int
    per_cell: tuple[int, int]
    cells: tuple[tuple[Spot, ...], ...]
    lines: tuple[tuple[tuple[int, float], ...], ...]  # by heading: a cell's LEDs on that line

    def along(self, cell: Cell, heading: Heading) -> list[tuple[Spot, float]]:
        """The LEDs on the line through the middle that way, with their places on it.

        Of an even number of rows, the two next to the line are on it.
        """
        here = self.cells[cell]
        return [(here[number], place) for number, place in self.lines[heading]]

    def ring(self, cell: Cell) -> list[Spot]:
        """The LEDs around the middle of a cell, clockwise, if they go all around it."""
        if min(self.per_cell) < 2:
            return []
        return sorted((s for s in self.cells[cell] if s.distance > EPSILON), key=_turn)

    def around(self, cell: Cell) -> dict[int, float]:
        """The LEDs of the cells that touch it, corners too, with their turns; 0 is up."""
        reach = 1.5 if self.grid.headings == 4 else 1.1
        x, y = self.grid.centre(cell)
        turns = {}
        for other, here in enumerate(self.cells):
            to_x, to_y = self.grid.centre(other)
            if other != cell and hypot(to_x - x, to_y - y) < reach:
                for spot in here:
                    angle = degrees(atan2(to_x + spot.x - x, y - to_y - spot.y))
                    turns[spot.led] = angle / 360 % 1.0
        return turns

    def middle(self) -> tuple[float, float]:
        xs, ys = zip(*(self.grid.centre(cell) for cell in range(self.grid.size)), strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def places(self) -> list[tuple[int, float, float]]:
        """Every LED under a cell, with its place in cells from the middle of the board."""
        middle_x, middle_y = self.middle()
        return [
            (spot.led, x + spot.x - middle_x, y + spot.y - middle_y)
            for cell, spots in enumerate(self.cells)
            for x, y in (self.grid.centre(cell),)
            for spot in spots
        ]

    def border(self) -> list[tuple[int, float]]:
        """The LEDs next to the rim, with their turns around the board, clockwise."""
        rim = set()
        for cell in range(self.grid.size):
            for heading in range(self.grid.headings):
                if self.grid.ahead(cell, heading) is None:
                    rim |= {spot.led for spot in outermost(self, cell, heading)}
        turns = {led: degrees(atan2(x, -y)) / 360 % 1.0 for led, x, y in self.places()}
        return sorted(((led, turns[led]) for led in rim), key=lambda each: (each[1], each[0]))


@lru_cache(maxsize=32)
def spots(layout: Layout) -> Spots:
    columns, rows = layout.per_cell
    places = [
        ((column + 0.5) / columns - 0.5, (row + 0.5) / rows - 0.5)
        for row in range(rows)
        for column in range(columns)
    ]
    cells = tuple(
        tuple(Spot(led, x, y) for led, (x, y) in zip(leds, places, strict=True))
        for leds in layout.cells
    )
    grid = layout.board.grid
    lines = tuple(_line(grid, heading, layout.per_cell, places) for heading in range(grid.headings))
    return Spots(grid, layout.leds, layout.per_cell, cells, lines)


def _line(
    grid: Grid, heading: Heading, per_cell: tuple[int, int], places: Sequence[tuple[float, float]]
) -> tuple[tuple[int, float], ...]:
    x, y = direction(grid, heading)
    columns, rows = per_cell
    wide = abs(y) * columns + abs(x) * rows  # how many LEDs lie side by side across the line
    return tuple(
        (number, place if abs(place) > EPSILON else 0.0)
        for number, (right, down) in enumerate(places)
        for place in (right * x + down * y,)
        if abs(right * y - down * x) <= 0.5 / max(wide, 1.0) + EPSILON
    )


def direction(grid: Grid, heading: Heading) -> tuple[float, float]:
    """One step that way, in cells."""
    angle = radians(grid.degrees(heading))
    return sin(angle), -cos(angle)


def outermost(lit: Spots, cell: Cell, heading: Heading) -> Sequence[Spot]:
    """The LEDs of a cell that lie farthest that way."""
    x, y = direction(lit.grid, heading)
    places = [spot.x * x + spot.y * y for spot in lit.cells[cell]]
    farthest = max(places, default=0.0) - EPSILON
    return [s for s, place in zip(lit.cells[cell], places, strict=True) if place >= farthest]


def _turn(spot: Spot) -> float:
    return spot.turn
