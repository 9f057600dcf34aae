"""Strips of LEDs: which place of which cell lies above each LED of a strip.

The LEDs of all cells form one raster. A strip covers it, or the part over a rectangle of cells,
line by line from one corner. LEDs are counted as the data flows, also those under no cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from engine.grid import Cell, Grid, HexGrid, SquareGrid

Slot = tuple[Cell, int]  # a cell, and one of its places for LEDs: row by row from the upper left

CORNERS = ("upper_left", "upper_right", "lower_left", "lower_right")
AXES = ("rows", "columns")


@dataclass(frozen=True, slots=True)
class Strip:
    """A run of LEDs on one lane; `controller.led_settings` knows what fits together."""

    lane: int = 0
    start: int = 0  # where it begins on its lane
    count: int = 0
    cells: tuple[str, ...] | None = None  # two corners of a rectangle; None: all; (): no cell
    origin_corner: str = "upper_left"
    axis: str = "rows"
    serpentine: bool = True
    reversed: bool = False  # the data comes in at the end: the corner is where the strip ends
    skip: tuple[int, ...] = ()  # LEDs under no cell, counted within the strip
    cell_gap: int = 0  # LEDs under no cell between a cell and the next
    turn_gap: int = 0  # the same between a line and the next

    @property
    def end(self) -> int:
        return self.start + self.count


def covered(strip: Strip, grid: Grid) -> frozenset[Cell]:
    """The cells that a strip lies under; of hexagons, whole rows."""
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


def along(strip: Strip, grid: Grid, per_cell: tuple[int, int]) -> list[Slot | None]:
    """What lies above each LED of a strip, as many as its cells need: None is no cell."""
    path = list(_with_gaps(_lines(strip, grid, per_cell), strip))
    if strip.reversed:
        path.reverse()
    skip = set(strip.skip)
    wire: list[Slot | None] = []
    for slot in path:
        while len(wire) in skip:
            wire.append(None)
        wire.append(slot)
    while len(wire) in skip:
        wire.append(None)
    return wire


def _with_gaps(lines: Iterable[list[Slot]], strip: Strip) -> Iterator[Slot | None]:
    for number, line in enumerate(lines):
        if number:
            yield from [None] * strip.turn_gap
        before = line[0][0]
        for cell, place in line:
            if cell != before:
                yield from [None] * strip.cell_gap
            before = cell
            yield cell, place


def _lines(strip: Strip, grid: Grid, per_cell: tuple[int, int]) -> Iterator[list[Slot]]:
    """The raster under the strip's cells, line by line from its corner."""
    across, down = per_cell
    points = []  # its line, where on that line, and the slot
    for cell in covered(strip, grid):
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
    """Counted down and to the right; hexagons side by side are two columns apart."""
    match grid:
        case SquareGrid():
            x, y = grid.xy(cell)
            return y, x
        case HexGrid():
            q, r, _ = grid.tiles[cell]
            return r, 2 * q + r
        case _:
            raise TypeError(f"no rows are known of {type(grid).__name__}")
