"""Which LEDs lie under which cell of a board, and where: from the `leds` section of a board file.

LEDs are numbered from 0, lane after lane. A cell's LEDs are listed as they lie, row by row from
its upper left; a hexagon has one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from controller.config import BoardFile
from controller.led_settings import LedSettings
from controller.led_strips import Strip, along
from engine.errors import LaserboardError
from engine.grid import Cell, Grid
from vision.board import PhysicalBoard, Points


class BadLayout(LaserboardError, ValueError):
    """LEDs and cells that do not fit together."""


@dataclass(frozen=True)
class Layout:
    """The LEDs of a board, with the grid that is played on it."""

    board: PhysicalBoard
    per_cell: tuple[int, int]  # columns and rows of LEDs in one cell
    lanes: tuple[int, ...]  # how many LEDs are on each lane, also those under no cell
    cells: tuple[tuple[int, ...], ...]  # for each cell of the board's grid
    strips: tuple[Strip, ...] = ()  # how they were laid, for people

    def __post_init__(self) -> None:
        grid, want = self.board.grid, self.per_cell[0] * self.per_cell[1]
        if len(self.cells) != grid.size:
            raise BadLayout(f"LEDs of {len(self.cells)} cells on a board of {grid.size}")
        seen: dict[int, Cell] = {}
        for cell, numbers in enumerate(self.cells):
            name = grid.name(cell)
            if len(numbers) != want:
                raise BadLayout(f"{name} has {len(numbers)} LEDs, want {want}")
            for led in numbers:
                if not 0 <= led < self.leds:
                    raise BadLayout(f"{name} has LED {led}, but they are 0 to {self.leds - 1}")
                if led in seen:
                    raise BadLayout(f"LED {led} lies under both {grid.name(seen[led])} and {name}")
                seen[led] = cell

    @property
    def leds(self) -> int:
        return sum(self.lanes)

    def cell_of(self, led: int) -> Cell | None:
        """The cell that an LED lies under; None: it lies beside them all."""
        return self._owners.get(led)

    def places_mm(self) -> Points:
        """Where each LED lies on the board, one row each; not a number where under no cell.

        Not to be written to.
        """
        return self._places_mm

    def playing(self, grid: Grid) -> Layout:
        """The same LEDs with a game's own grid on the board, which may be smaller."""
        board = self.board.playing(grid)
        if board is self.board:
            return self
        mine = self.board.centres_mm()
        nearest = [int(np.hypot(*(mine - centre).T).argmin()) for centre in board.centres_mm()]
        return replace(self, board=board, cells=tuple(self.cells[cell] for cell in nearest))

    def described(self) -> str:
        """The LEDs in one sentence, for people."""
        lanes, (across, down) = len(self.lanes), self.per_cell
        words = [f"{self.leds} LED{'s' * (self.leds != 1)} on {lanes} lane{'s' * (lanes != 1)}"]
        if lanes > 1:
            words[0] += f" ({' + '.join(map(str, self.lanes))})"
        words.append(f"{across} x {down} per cell" if across * down > 1 else "1 per cell")
        if len(self.strips) > 1:
            words.append(f"{len(self.strips)} strips")
        words += _alike(self.strips)
        return ", ".join(words)

    @cached_property
    def _owners(self) -> dict[int, Cell]:
        return {led: cell for cell, numbers in enumerate(self.cells) for led in numbers}

    @cached_property
    def _places_mm(self) -> Points:
        across, down = self.per_cell
        y, x = np.mgrid[0:down, 0:across].reshape(2, -1)
        offsets = np.stack([(x + 0.5) / across - 0.5, (y + 0.5) / down - 0.5], axis=1)
        places = np.full((self.leds, 2), np.nan)
        centres = self.board.centres_mm()[:, None, :]
        places[np.array(self.cells)] = centres + offsets * self.board.cell_mm
        places.flags.writeable = False
        return places


def layout(board_file: BoardFile) -> Layout | None:
    """The LEDs of a board; None if it has none."""
    leds, board = board_file.leds, board_file.board
    if leds is None:
        return None
    return Layout(board, leds.per_cell, leds.lanes, _cells(leds, board.grid), leds.strips)


def _cells(leds: LedSettings, grid: Grid) -> tuple[tuple[int, ...], ...]:
    found: list[dict[int, int]] = [{} for _ in range(grid.size)]  # place in the cell: LED
    for strip in leds.strips:
        first = sum(leds.lanes[: strip.lane]) + strip.start
        for number, slot in enumerate(along(strip, grid, leds.per_cell), first):
            if slot is not None:
                found[slot[0]][slot[1]] = number
    for name, numbers in leds.overrides:
        found[grid.cell(name)] = dict(enumerate(numbers))
    return tuple(tuple(places[place] for place in sorted(places)) for places in found)


def _alike(strips: tuple[Strip, ...]) -> list[str]:
    """What all strips have in common, in words."""
    ways = {
        f"{'serpentine' if strip.serpentine else 'every line the same way'} along the {strip.axis}"
        for strip in strips
        if strip.cells != ()
    }
    corners = {strip.origin_corner for strip in strips if strip.cells != ()}
    if len(ways) != 1:
        return []
    (way,) = ways
    if len(corners) == 1 and not any(strip.reversed for strip in strips):
        way += f" from the {corners.pop().replace('_', ' ')}"
    return [way]
