"""Maps cells to the LEDs under them, from the `leds` section of a board file.

LEDs are numbered from 0, lane after lane. The LEDs of a cell are listed row by row from its upper
left; a hexagon has one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from controller.config.board_file import BoardFile
from controller.config.led_strips import LedStrip, slots_along
from controller.config.leds import LedSettings
from engine.errors import LaserboardError
from engine.grid import Cell, Grid
from vision.board import PhysicalBoard, Points


class BadLayout(LaserboardError, ValueError):
    """The LEDs do not fit the cells."""


@dataclass(frozen=True)
class LedLayout:
    """The LEDs of a board and the grid of the game on it."""

    board: PhysicalBoard
    per_cell: tuple[int, int]  # columns and rows of LEDs
    leds_per_lane: tuple[int, ...]  # including LEDs under no cell
    cells: tuple[tuple[int, ...], ...]  # LEDs of each cell of the board's grid
    strips: tuple[LedStrip, ...] = ()  # only for `describe`

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
                if not 0 <= led < self.led_count:
                    raise BadLayout(f"{name} has LED {led}, but they are 0 to {self.led_count - 1}")
                if led in seen:
                    raise BadLayout(f"LED {led} lies under both {grid.name(seen[led])} and {name}")
                seen[led] = cell

    @property
    def led_count(self) -> int:
        return sum(self.leds_per_lane)

    def cell_of(self, led: int) -> Cell | None:
        """The cell of an LED; None if it is under no cell."""
        return self._cell_by_led.get(led)

    def led_positions_mm(self) -> Points:
        """The position of each LED as a row x, y; NaN if it is under no cell. Read-only."""
        return self._led_positions_mm

    def for_grid(self, grid: Grid) -> LedLayout:
        """The layout for a game's grid, which may be smaller than the board."""
        board = self.board.with_grid(grid)
        if board is self.board:
            return self
        mine = self.board.centres_mm()
        nearest = [int(np.hypot(*(mine - centre).T).argmin()) for centre in board.centres_mm()]
        return replace(self, board=board, cells=tuple(self.cells[cell] for cell in nearest))

    def describe(self) -> str:
        """One sentence about the LEDs, for people."""
        lanes, (across, down) = len(self.leds_per_lane), self.per_cell
        words = [
            f"{self.led_count} LED{'s' * (self.led_count != 1)} on {lanes} lane{'s' * (lanes != 1)}"
        ]
        if lanes > 1:
            words[0] += f" ({' + '.join(map(str, self.leds_per_lane))})"
        words.append(f"{across} x {down} per cell" if across * down > 1 else "1 per cell")
        if len(self.strips) > 1:
            words.append(f"{len(self.strips)} strips")
        words += _describe_strips(self.strips)
        return ", ".join(words)

    @cached_property
    def _cell_by_led(self) -> dict[int, Cell]:
        return {led: cell for cell, numbers in enumerate(self.cells) for led in numbers}

    @cached_property
    def _led_positions_mm(self) -> Points:
        across, down = self.per_cell
        y, x = np.mgrid[0:down, 0:across].reshape(2, -1)
        offsets = np.stack([(x + 0.5) / across - 0.5, (y + 0.5) / down - 0.5], axis=1)
        places = np.full((self.led_count, 2), np.nan)
        centres = self.board.centres_mm()[:, None, :]
        places[np.array(self.cells)] = centres + offsets * self.board.cell_mm
        places.flags.writeable = False
        return places


def led_layout(board_file: BoardFile) -> LedLayout | None:
    """The layout of a board's LEDs; None if it has none."""
    leds, board = board_file.leds, board_file.board
    if leds is None:
        return None
    return LedLayout(
        board, leds.per_cell, leds.leds_per_lane, _leds_by_cell(leds, board.grid), leds.strips
    )


def _leds_by_cell(leds: LedSettings, grid: Grid) -> tuple[tuple[int, ...], ...]:
    placed: list[dict[int, int]] = [{} for _ in range(grid.size)]  # place in the cell: LED
    for strip in leds.strips:
        first = sum(leds.leds_per_lane[: strip.lane]) + strip.start
        for number, slot in enumerate(slots_along(strip, grid, leds.per_cell), first):
            if slot is not None:
                placed[slot[0]][slot[1]] = number
    for name, numbers in leds.overrides:
        placed[grid.cell(name)] = dict(enumerate(numbers))
    return tuple(tuple(places[place] for place in sorted(places)) for places in placed)


def _describe_strips(strips: tuple[LedStrip, ...]) -> list[str]:
    """Describe the properties that all strips share."""
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
