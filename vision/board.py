"""The geometry of a physical board: cells and corner tags in millimetres.

The origin is the board's upper left corner, seen from the player who looks up the board; x goes
right, y goes down. Heights are above the board. `controller.config.board_file` reads these values
from a board file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

import numpy as np
import numpy.typing as npt

from engine.errors import LaserboardError
from engine.grid import Cell, Grid, HexGrid, SquareGrid
from engine.sentences import Sentence
from vision import sentences

Points = npt.NDArray[np.float64]

HALF_HEXAGON = 1 / sqrt(3)  # from the centre to a tip, with hexagons one unit apart


class BoardDoesNotFit(LaserboardError, ValueError):
    """A game whose grid does not fit on this board."""


@dataclass(frozen=True)
class PhysicalBoard:
    """Cells, tags and heights of one board, with the grid of the game on it."""

    name: str
    grid: Grid
    cell_mm: float = 40.0
    tag_mm: float = 26.0
    cap_mm: float = 34.0
    cap_height_mm: float = 30.0
    corner_mm: float = 26.0
    # from the board's corner to the centre of its tag, in x and in y
    corner_offset_mm: float = 24.0
    spares: tuple[tuple[int, int], ...] = ()  # pairs of a spare tag and the tag it replaces
    play_row: int | None = None  # free rows above a smaller game; None centres the game
    # `with_grid` sets these: the origin of the game's grid, and the size of the whole board.
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
        """The centre of every cell, one row each. The array is cached and read-only."""
        return _centres_mm(self)

    def corner_tags_mm(self) -> Points:
        """The centres of the four corner tags, clockwise from the upper left."""
        (width, height), out = self.size_mm, self.corner_offset_mm
        return np.array(
            [(-out, -out), (width + out, -out), (width + out, height + out), (-out, height + out)]
        )

    def corner_cells(self) -> tuple[str, str, str, str]:
        """The names of the cells next to the four corner tags."""
        centres = self.centres_mm()
        nearest = [
            int(np.argmin(np.hypot(*(centres - corner).T))) for corner in self.corner_tags_mm()
        ]
        first, second, third, fourth = (self.grid.name(cell) for cell in nearest)
        return first, second, third, fourth

    def with_grid(self, grid: Grid) -> PhysicalBoard:
        """This board with the grid of another game on it, which may be smaller."""
        if grid == self.grid:
            return self
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
                raise BoardDoesNotFit(
                    sentences.NO_ROOM_BELOW(
                        board=self.name,
                        size=_describe_grid(self.grid),
                        wanted=_describe_grid(grid),
                        rows=above,
                    )
                )
        raise BoardDoesNotFit(
            sentences.NO_ROOM(
                board=self.name, size=_describe_grid(self.grid), wanted=_describe_grid(grid)
            )
        )


@lru_cache(maxsize=16)
def _centres_mm(board: PhysicalBoard) -> Points:
    centres = np.array([board.centre_mm(cell) for cell in range(board.grid.size)])
    centres.flags.writeable = False
    return centres


def _extent(grid: Grid) -> tuple[tuple[float, float], tuple[float, float]]:
    """The grid's origin in its bounding box, and the size of the box, in cells."""
    centres = np.array([grid.centre(cell) for cell in range(grid.size)])
    half = (0.5, HALF_HEXAGON) if grid.headings == 6 else (0.5, 0.5)
    low, high = centres.min(axis=0) - half, centres.max(axis=0) + half
    return (float(-low[0]), float(-low[1])), (float(high[0] - low[0]), float(high[1] - low[1]))


def _describe_grid(grid: Grid) -> Sentence:
    match grid:
        case SquareGrid(columns, rows):
            return sentences.SQUARES(columns=columns, rows=rows)
        case HexGrid():
            return sentences.HEXAGONS(radius=grid.radius)
        case _:
            return sentences.CELLS(cells=grid.size)
