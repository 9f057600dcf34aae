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
from controller.lighting import sentences
from engine.errors import LaserboardError
from engine.grid import Cell, Grid
from engine.sentences import Sentence, Template, joined
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
            raise BadLayout(sentences.WRONG_CELL_COUNT(found=len(self.cells), expected=grid.size))
        seen: dict[int, Cell] = {}
        for cell, numbers in enumerate(self.cells):
            name = grid.name(cell)
            if len(numbers) != want:
                raise BadLayout(
                    sentences.WRONG_LED_COUNT(cell=name, found=len(numbers), expected=want)
                )
            for led in numbers:
                if not 0 <= led < self.led_count:
                    last = self.led_count - 1
                    raise BadLayout(sentences.LED_BEYOND_END(cell=name, led=led, last=last))
                if led in seen:
                    other = grid.name(seen[led])
                    raise BadLayout(sentences.LED_UNDER_BOTH(led=led, other=other, cell=name))
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

    def describe(self) -> Sentence:
        """One sentence about the LEDs, for people."""
        lanes, (across, down) = self.leds_per_lane, self.per_cell
        led_count = _counted(self.led_count, sentences.ONE_LED, sentences.LEDS)
        lane_count = _counted(len(lanes), sentences.ONE_LANE, sentences.LANES)
        parts = [
            sentences.ON_LANES_OF(
                leds=led_count, lanes=lane_count, lengths=" + ".join(map(str, lanes))
            )
            if len(lanes) > 1
            else sentences.ON_LANES(leds=led_count, lanes=lane_count),
            sentences.PER_CELL(columns=across, rows=down)
            if across * down > 1
            else sentences.ONE_PER_CELL(),
        ]
        if len(self.strips) > 1:
            parts.append(sentences.STRIPS(count=len(self.strips)))
        parts += _describe_strips(self.strips)
        return joined(parts, ", ")

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


def _counted(count: int, one: Template, many: Template) -> Sentence:
    return (one if count == 1 else many)(count=count)


# By `LedStrip.serpentine` and `LedStrip.axis`, and by `LedStrip.origin_corner`.
_WAYS = {
    (True, "rows"): sentences.SERPENTINE_ROWS,
    (True, "columns"): sentences.SERPENTINE_COLUMNS,
    (False, "rows"): sentences.SAME_WAY_ROWS,
    (False, "columns"): sentences.SAME_WAY_COLUMNS,
}
_FROM_CORNER = {
    "upper_left": sentences.FROM_UPPER_LEFT,
    "upper_right": sentences.FROM_UPPER_RIGHT,
    "lower_left": sentences.FROM_LOWER_LEFT,
    "lower_right": sentences.FROM_LOWER_RIGHT,
}


def _describe_strips(strips: tuple[LedStrip, ...]) -> list[Sentence]:
    """Describe the properties that all strips share."""
    ways = {_WAYS[strip.serpentine, strip.axis]() for strip in strips if strip.cells != ()}
    corners = {strip.origin_corner for strip in strips if strip.cells != ()}
    if len(ways) != 1:
        return []
    (way,) = ways
    if len(corners) == 1 and not any(strip.reversed for strip in strips):
        way = _FROM_CORNER[corners.pop()](way=way)
    return [way]
