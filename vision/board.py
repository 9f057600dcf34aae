"""The geometry of a physical board: where its cells and corner tags are, in millimetres.

The origin is the board's upper left corner as seen from the side that looks up the board, x goes
right, y goes down. Heights are above the board. `controller.config` makes these from a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

import numpy as np
import numpy.typing as npt

from engine.errors import LaserboardError
from engine.grid import Cell, Grid, HexGrid, SquareGrid

Points = npt.NDArray[np.float64]

HALF_HEXAGON = 1 / sqrt(3)  # from the middle to a tip; hexagons are one unit apart


class DoesNotFit(LaserboardError, ValueError):
    """A game whose board is not on this table."""


@dataclass(frozen=True)
class PhysicalBoard:
    """Cells, tags and heights of one board, with the grid that is played on it."""

    name: str
    grid: Grid
    cell_mm: float = 40.0
    tag_mm: float = 26.0
    cap_mm: float = 34.0
    cap_height_mm: float = 30.0
    corner_mm: float = 26.0
    corner_offset_mm: float = 24.0  # from the board's corner to the middle of its tag, x and y
    spares: tuple[tuple[int, int], ...] = ()  # a spare tag, and the one that it stands for
    play_row: int | None = None  # rows above a game that is smaller; None: in the middle
    # Set by `playing`: where the grid's own origin lies, and how large the whole board is.
    origin_mm: tuple[float, float] = (0.0, 0.0)
    size_mm: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.size_mm == (0.0, 0.0):
            origin, size = _extent(self.grid)
            object.__setattr__(self, "origin_mm", tuple(n * self.cell_mm for n in origin))
            object.__setattr__(self, "size_mm", tuple(n * self.cell_mm for n in size))

    def centre_mm(self, cell: Cell) -> tuple[float, float]:
        x, y = self.grid.centre(cell)
        return self.origin_mm[0] + x * self.cell_mm, self.origin_mm[1] + y * self.cell_mm

    def centres_mm(self) -> Points:
        """The middle of every cell, one row each; not to be written to."""
        return _centres_mm(self)

    def corner_tags_mm(self) -> Points:
        """The middles of the four corner tags, clockwise from the upper left."""
        (width, height), out = self.size_mm, self.corner_offset_mm
        return np.array(
            [(-out, -out), (width + out, -out), (width + out, height + out), (-out, height + out)]
        )

    def corner_cells(self) -> tuple[str, str, str, str]:
        """The names of the cells next to the corner tags, to tell people where to look."""
        centres = self.centres_mm()
        nearest = [
            int(np.argmin(np.hypot(*(centres - corner).T))) for corner in self.corner_tags_mm()
        ]
        first, second, third, fourth = (self.grid.name(cell) for cell in nearest)
        return first, second, third, fourth

    def playing(self, grid: Grid) -> PhysicalBoard:
        """The same board with a game's own grid on it, which may be smaller."""
        if grid == self.grid:
            return self
        room = ""
        if isinstance(grid, HexGrid) and isinstance(self.grid, HexGrid):
            if all(self.grid.find(tile) is not None for tile in grid.tiles):
                return replace(self, grid=grid)
        elif isinstance(grid, SquareGrid) and isinstance(self.grid, SquareGrid):
            spare_columns = self.grid.columns - grid.columns
            spare_rows = self.grid.rows - grid.rows
            above = spare_rows // 2 if self.play_row is None else self.play_row
            if spare_columns >= 0 and 0 <= above <= spare_rows:
                x, y = self.origin_mm
                origin = (x + spare_columns // 2 * self.cell_mm, y + above * self.cell_mm)
                return replace(self, grid=grid, origin_mm=origin, play_row=None)
            if spare_columns >= 0 and spare_rows >= 0:
                room = f" below {above} free rows (play_area)"
        raise DoesNotFit(
            f"the board {self.name!r} ({_described(self.grid)}) has no room for "
            f"{_described(grid)}{room}"
        )


@lru_cache(maxsize=16)
def _centres_mm(board: PhysicalBoard) -> Points:
    centres = np.array([board.centre_mm(cell) for cell in range(board.grid.size)])
    centres.flags.writeable = False
    return centres


def _extent(grid: Grid) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the grid's origin lies in its bounding box, and the size of the box, in cells."""
    centres = np.array([grid.centre(cell) for cell in range(grid.size)])
    half = (0.5, HALF_HEXAGON) if grid.headings == 6 else (0.5, 0.5)
    low, high = centres.min(axis=0) - half, centres.max(axis=0) + half
    return (float(-low[0]), float(-low[1])), (float(high[0] - low[0]), float(high[1] - low[1]))


def _described(grid: Grid) -> str:
    match grid:
        case SquareGrid(columns, rows):
            return f"{columns} x {rows} squares"
        case HexGrid():
            return f"hexagons of radius {grid.radius}"
        case _:
            return f"{grid.size} cells"
