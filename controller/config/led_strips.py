"""Maps each LED of a strip to a cell and a place in that cell.

The LEDs of all cells form one raster. A strip covers all of it, or a rectangle of cells, line by
line from one corner. LEDs are numbered along the data line, including those under no cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from engine.grid import Cell, Grid, HexGrid, SquareGrid

Slot = tuple[Cell, int]  # a cell and a place in it, numbered by rows from the upper left

CORNERS = ("upper_left", "upper_right", "lower_left", "lower_right")
AXES = ("rows", "columns")


@dataclass(frozen=True, slots=True)
class LedStrip:
    """A run of LEDs on one lane. `controller.config.leds` validates it."""

    lane: int = 0
    start: int = 0  # first LED on its lane
    count: int = 0
    cells: tuple[str, ...] | None = None  # two corners of a rectangle; None: all cells; (): none
    origin_corner: str = "upper_left"
    axis: str = "rows"
    serpentine: bool = True
    reversed: bool = False  # data enters at the far end: `origin_corner` is the last LED
    skip: tuple[int, ...] = ()  # LEDs under no cell, numbered within the strip
    cell_gap: int = 0  # LEDs under no cell between two cells
    turn_gap: int = 0  # LEDs under no cell between two lines

    @property
    def end(self) -> int:
        return self.start + self.count


def cells_under(strip: LedStrip, grid: Grid) -> frozenset[Cell]:
    """The cells above a strip; on a hexagonal board, complete rows."""
    if strip.cells is None:
        return frozenset(range(grid.size))
    corners = [_row_and_column(grid, grid.cell(name)) for name in strip.cells]
    if not corners:
        return frozenset()
    (top, bottom), (left, right) = ((min(ends), max(ends)) for ends in zip(*corners, strict=True))
    return frozenset(
        cell
        for cell in range(grid.size)
        for row, column in [_row_and_column(grid, cell)]
        if top <= row <= bottom and (left <= column <= right or isinstance(grid, HexGrid))
    )


def slots_along(strip: LedStrip, grid: Grid, per_cell: tuple[int, int]) -> list[Slot | None]:
    """The cell and the place in it of each LED, in data order; None: under no cell."""
    path = list(_with_gaps(_lines(strip, grid, per_cell), strip))
    if strip.reversed:
        path.reverse()
    skip = set(strip.skip)
    slots: list[Slot | None] = []
    for slot in path:
        while len(slots) in skip:
            slots.append(None)
        slots.append(slot)
    while len(slots) in skip:
        slots.append(None)
    return slots


def _with_gaps(lines: Iterable[list[Slot]], strip: LedStrip) -> Iterator[Slot | None]:
    for number, line in enumerate(lines):
        if number:
            yield from [None] * strip.turn_gap
        before = line[0][0]
        for cell, place in line:
            if cell != before:
                yield from [None] * strip.cell_gap
            before = cell
            yield cell, place


def _lines(strip: LedStrip, grid: Grid, per_cell: tuple[int, int]) -> Iterator[list[Slot]]:
    """The slots of the strip's cells, line by line from its corner."""
    across, down = per_cell
    points = []  # line, position on it, slot
    for cell in cells_under(strip, grid):
        row, column = _row_and_column(grid, cell)
        for place in range(across * down):
            y, x = row * down + place // across, column * across + place % across
            points.append((y, x, (cell, place)) if strip.axis == "rows" else (x, y, (cell, place)))
    points.sort()
    lines = [[slot for _, _, slot in line] for _, line in groupby(points, key=lambda p: p[0])]
    lower, right = strip.origin_corner.startswith("lower"), strip.origin_corner.endswith("right")
    last_first, backwards = (lower, right) if strip.axis == "rows" else (right, lower)
    for number, line in enumerate(reversed(lines) if last_first else lines):
        turned = strip.serpentine and number % 2 == 1
        yield line[::-1] if backwards != turned else line


def _row_and_column(grid: Grid, cell: Cell) -> tuple[int, int]:
    """Row from the top, column from the left. Neighbours in a hexagon row are two columns apart."""
    match grid:
        case SquareGrid():
            x, y = grid.xy(cell)
            return y, x
        case HexGrid():
            q, r, _ = grid.tiles[cell]
            return r, 2 * q + r
        case _:
            raise TypeError(f"{type(grid).__name__} has no rows and columns")
