"""Draws the map of Spaceships from a seed. The map is symmetric under a turn by 180 degrees.

A recorded seed must always give the same map. So only `Random.random` is used: Python guarantees
its numbers across versions, but not those of `shuffle` or `choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from engine.grid import Cell, HexGrid

MAX_RADIUS = 12  # the widest board whose columns are named by letters
MOUNTAINS_PERCENT = 16
VOID_PERCENT = 12
ATTEMPTS = 32


class Terrain(StrEnum):
    """The kind of a tile, with the words of the JSON state."""

    LAND = "land"
    VOID = "void"
    MOUNTAIN = "mountain"


@dataclass(frozen=True, slots=True)
class Map:
    """A grid, the terrain of its cells, and the starting cells of the two ships."""

    grid: HexGrid
    terrain: tuple[Terrain, ...]
    starts: tuple[Cell, Cell]


def draw_map(seed: int, radius: int) -> Map:
    """The map of a seed: one mainland on more than half of the tiles, a mountain in the middle.

    The line from a tile to its reflection crosses the middle, so no ship starts in the line of
    fire of the other.
    """
    grid = HexGrid.hexagon(radius)
    # Random drops the sign of a seed; this keeps it.
    random = Random(2 * abs(seed) + (seed < 0)).random
    for attempt in range(ATTEMPTS + 1):
        # Full density until half of the attempts have failed. No seed is known to fail so often.
        density = min(ATTEMPTS, 2 * (ATTEMPTS - attempt))
        terrain = _scatter(grid, random, density)
        starts = _starts(grid, terrain)
        mainland = _mainland(grid, terrain, starts[0])
        # More than half of a symmetric map overlaps its reflection, so both ships are on it.
        if 2 * len(mainland) > grid.size:
            return Map(grid, _flood(terrain, mainland), starts)
    raise AssertionError("the last attempt has one mountain and is land otherwise")


def reflection(grid: HexGrid, cell: Cell) -> Cell:
    """The cell turned by 180 degrees. A regular board lists its tiles symmetrically."""
    return grid.size - 1 - cell


def _scatter(grid: HexGrid, random: Callable[[], float], density: int) -> list[Terrain]:
    """Random mountains and voids in symmetric pairs. `density` goes from `ATTEMPTS` to 0."""
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
    """All land that a ship can reach from `start`."""
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
    """The terrain with unreachable land turned into void. Lasers pass both."""
    return tuple(
        Terrain.VOID if kind is Terrain.LAND and cell not in mainland else kind
        for cell, kind in enumerate(terrain)
    )
