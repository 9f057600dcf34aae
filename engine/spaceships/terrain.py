"""The map of Spaceships, drawn from a seed: whatever one player sees, the other sees turned by 180
degrees. A recorded seed must give the same map for ever, so only `Random.random` is used: Python
promises its numbers across versions, and does not promise those of `shuffle` or `choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from engine.grid import Cell, HexGrid

LARGEST_RADIUS = 12  # the widest board whose columns are named by letters
MOUNTAINS_PERCENT = 16
VOID_PERCENT = 12
ATTEMPTS = 32


class Terrain(StrEnum):
    """What a tile is; the words are those of the JSON state."""

    LAND = "land"
    VOID = "void"
    MOUNTAIN = "mountain"


@dataclass(frozen=True, slots=True)
class Map:
    """A board, what each of its cells is, and where the two ships start."""

    grid: HexGrid
    terrain: tuple[Terrain, ...]
    starts: tuple[Cell, Cell]


def draw_map(seed: int, radius: int) -> Map:
    """The map of that seed: one mainland on more than half of the tiles, and a mountain in the
    middle. The line from a tile to its reflection crosses the middle, so nobody starts in the
    other's line of fire.
    """
    grid = HexGrid.hexagon(radius)
    # Random drops the sign of a seed; this keeps it.
    random = Random(2 * abs(seed) + (seed < 0)).random
    for attempt in range(ATTEMPTS + 1):
        # Full until half of the attempts have failed, which no seed is known to bring about.
        density = min(ATTEMPTS, 2 * (ATTEMPTS - attempt))
        terrain = _scatter(grid, random, density)
        starts = _starts(grid, terrain)
        mainland = _mainland(grid, terrain, starts[0])
        # More than half of a symmetric map meets its own reflection: both ships are on it.
        if 2 * len(mainland) > grid.size:
            return Map(grid, _flood(terrain, mainland), starts)
    raise AssertionError("the last attempt has one mountain only, and land all around it")


def reflection(grid: HexGrid, cell: Cell) -> Cell:
    """The cell on the other side of the middle: a regular board lists its tiles symmetrically."""
    return grid.size - 1 - cell


def _scatter(grid: HexGrid, random: Callable[[], float], density: int) -> list[Terrain]:
    """Exactly so many mountains and voids, placed in pairs; a `density` below
    `ATTEMPTS` thins them out, down to none."""
    pairs = sorted(range(grid.size // 2), key=lambda _: random())
    mountains = len(pairs) * MOUNTAINS_PERCENT * density // (100 * ATTEMPTS)
    voids = len(pairs) * VOID_PERCENT * density // (100 * ATTEMPTS)
    terrain = [Terrain.LAND] * grid.size
    terrain[grid.size // 2] = Terrain.MOUNTAIN
    for rank, cell in enumerate(pairs[: mountains + voids]):
        kind = Terrain.MOUNTAIN if rank < mountains else Terrain.VOID
        terrain[cell] = terrain[reflection(grid, cell)] = kind
    return terrain


def _starts(grid: HexGrid, terrain: Sequence[Terrain]) -> tuple[Cell, Cell]:
    def from_the_left(cell: Cell) -> tuple[int, int]:
        q, r, _ = grid.tiles[cell]
        return 2 * q + r, r

    land = (cell for cell in range(grid.size) if terrain[cell] is Terrain.LAND)
    first = min(land, key=from_the_left)
    return first, reflection(grid, first)


def _mainland(grid: HexGrid, terrain: Sequence[Terrain], start: Cell) -> set[Cell]:
    """All the land that a ship can come to from `start`."""
    reached, frontier = {start}, [start]
    while frontier:
        cell = frontier.pop()
        for heading in range(grid.headings):
            ahead = grid.ahead(cell, heading)
            if ahead is not None and ahead not in reached and terrain[ahead] is Terrain.LAND:
                reached.add(ahead)
                frontier.append(ahead)
    return reached


def _flood(terrain: Sequence[Terrain], mainland: set[Cell]) -> tuple[Terrain, ...]:
    """Land that nobody can come to becomes void: lasers pass it as before."""
    return tuple(
        Terrain.VOID if kind is Terrain.LAND and cell not in mainland else kind
        for cell, kind in enumerate(terrain)
    )
