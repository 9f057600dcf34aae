"""Boards of squares and of hexagons: numbered cells, headings, neighbours, names.

Cells are numbered in the order of their grid, headings clockwise. On squares, cell 0 is the top
left, and headings are 0 up, 1 right, 2 down, 3 left. On hexagons (pointy top), headings are
0 up-right, 1 right, 2 down-right, 3 down-left, 4 left, 5 up-left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Protocol

from engine import catalogue
from engine.errors import BadPosition, excerpt

Cell = int
Heading = int
Cube = tuple[int, int, int]

CUBE_STEPS: tuple[Cube, ...] = (
    (1, -1, 0),
    (1, 0, -1),
    (0, 1, -1),
    (-1, 1, 0),
    (-1, 0, 1),
    (0, -1, 1),
)
SQUARE_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
MAX_COORDINATE = 50


class Grid(Protocol):
    """The geometry of a board, for the tracer, drawings, lights and camera."""

    @property
    def size(self) -> int:
        """The number of cells."""

    @property
    def headings(self) -> int:
        """The number of directions out of a cell: 4 or 6."""

    def ahead(self, cell: Cell, heading: Heading) -> Cell | None:
        """The next cell in that direction, or None at the edge."""

    def name(self, cell: Cell) -> str:
        """A short name that people can say, such as `e4`."""

    def cell(self, name: str) -> Cell:
        """The cell of that name. Raises `BadPosition`."""

    def centre(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell: x to the right, y down, neighbours one unit apart."""

    def degrees(self, heading: Heading) -> float:
        """A heading in degrees, clockwise from straight up."""


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """Columns a, b, c ... from the left, rows 1, 2, 3 ... from the bottom."""

    columns: int
    rows: int
    headings: int = field(default=4, init=False)
    _ahead: tuple[tuple[Cell | None, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ahead = tuple(self._neighbours(cell) for cell in range(self.size))
        object.__setattr__(self, "_ahead", ahead)

    @property
    def size(self) -> int:
        return self.columns * self.rows

    def _neighbours(self, cell: Cell) -> tuple[Cell | None, ...]:
        x, y = self.xy(cell)
        return tuple(
            self.at(x + dx, y + dy) if self.contains(x + dx, y + dy) else None
            for dx, dy in SQUARE_STEPS
        )

    def contains(self, x: int, y: int) -> bool:
        return 0 <= x < self.columns and 0 <= y < self.rows

    def at(self, x: int, y: int) -> Cell:
        """The cell in column x from the left and row y from the top."""
        return y * self.columns + x

    def xy(self, cell: Cell) -> tuple[int, int]:
        y, x = divmod(cell, self.columns)
        return x, y

    def ahead(self, cell: Cell, heading: Heading) -> Cell | None:
        return self._ahead[cell][heading]

    def name(self, cell: Cell) -> str:
        x, y = self.xy(cell)
        return f"{chr(ord('a') + x)}{self.rows - y}"

    def cell(self, name: str) -> Cell:
        column, row = ord(name[0]) - ord("a") if name else -1, name[1:]
        if (
            0 <= column < self.columns
            and row.isascii()
            and row.isdigit()
            and row[0] != "0"
            and len(row) <= 2
            and int(row) <= self.rows
        ):
            return self.at(column, self.rows - int(row))
        last = self.name(self.at(self.columns - 1, 0))
        raise BadPosition(catalogue.NOT_A_SQUARE(name=excerpt(name), last=last))

    def centre(self, cell: Cell) -> tuple[float, float]:
        x, y = self.xy(cell)
        return x + 0.5, y + 0.5

    def degrees(self, heading: Heading) -> float:
        return 90.0 * heading


@dataclass(frozen=True, slots=True)
class HexGrid:
    """Any set of pointy-top hexagons in cube coordinates. Cells are numbered in that order."""

    tiles: tuple[Cube, ...]
    headings: int = field(default=6, init=False)
    radius: int = field(init=False, repr=False, compare=False)
    _cells: dict[Cube, Cell] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cells = {tile: cell for cell, tile in enumerate(self.tiles)}
        if len(cells) < len(self.tiles):
            twice = next(t for cell, t in enumerate(self.tiles) if cells[t] != cell)
            raise BadPosition(catalogue.TILE_TWICE(tile=str(list(twice))))
        for tile in self.tiles:
            if sum(tile) != 0:
                raise BadPosition(catalogue.TILE_SUM(tile=str(list(tile))))
            if max(map(abs, tile)) > MAX_COORDINATE:
                raise BadPosition(catalogue.TILE_TOO_FAR(tile=str(list(tile)), most=MAX_COORDINATE))
        object.__setattr__(self, "_cells", cells)
        radius = max((abs(n) for tile in self.tiles for n in tile), default=0)
        object.__setattr__(self, "radius", radius)

    @classmethod
    def hexagon(cls, radius: int) -> HexGrid:
        """A regular hexagonal board, row by row from the top left."""
        reach = range(-radius, radius + 1)
        return cls(tuple((q, r, -q - r) for r in reach for q in reach if abs(q + r) <= radius))

    @property
    def size(self) -> int:
        return len(self.tiles)

    def find(self, tile: Cube) -> Cell | None:
        """The cell at these coordinates, or None off the grid."""
        return self._cells.get(tile)

    def ahead(self, cell: Cell, heading: Heading) -> Cell | None:
        (q, r, s), (dq, dr, ds) = self.tiles[cell], CUBE_STEPS[heading]
        return self._cells.get((q + dq, r + dr, s + ds))

    def name(self, cell: Cell) -> str:
        """The diagonal q as a letter and the row r as a number from the bottom.

        The middle of a board of radius 5 is f6. Boards too wide for 26 letters use coordinates.
        """
        q, r, s = self.tiles[cell]
        radius = self.radius
        if radius > 12:
            return f"{q},{r},{s}"
        return f"{chr(ord('a') + q + radius)}{radius - r + 1}"

    def cell(self, name: str) -> Cell:
        for cell in range(self.size):
            if self.name(cell) == name:
                return cell
        raise BadPosition(catalogue.NOT_A_TILE(name=excerpt(name)))

    def centre(self, cell: Cell) -> tuple[float, float]:
        q, r, _ = self.tiles[cell]
        return q + r / 2, r * sqrt(3) / 2

    def degrees(self, heading: Heading) -> float:
        return 30.0 + 60.0 * heading


def opposite(grid: Grid, heading: Heading) -> Heading:
    """The reverse heading."""
    return (heading + grid.headings // 2) % grid.headings
