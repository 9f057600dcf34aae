"""Pictures of how a game stands: whose turn it is, what the ground is, what there is to choose.

All are without end, as those in `catalogue`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from controller.layout import Layout
from controller.light.animation import (
    CALM_PERIOD_MS,
    Animation,
    Canvas,
    Colour,
    Effects,
    Sketch,
    colour,
)
from controller.light.catalogue import Side, clock_low
from controller.light.figures import Shape, level, shaped
from controller.light.spots import Spots, direction, outermost, spots
from engine.draw import palette
from engine.draw.palette import Paint
from engine.game import Mark, Player
from engine.grid import Cell

NEUTRAL = colour(palette.PAPER)
LAST = colour(palette.LAST_MOVE)
ROCK, DEEP = colour("#ffb066"), colour("#8a6cff")
# One colour for each choice; how often it blinks is its number, and that is what tells them apart.
CHOICES = tuple(colour(name) for name in ("#ffd75e", "#4dff7c", "#ff4fa0", "#8fd8ff"))
BLINK_MS, BETWEEN_MS, AFTER_MS = 440.0, 160.0, 900.0
LOW_MS = 10_000.0  # a clock below this burns


class Edge(StrEnum):
    """What a player's edge of the board says."""

    QUIET = "it is their turn"
    ASKED = "they are to press"
    DONE = "they have pressed"


_EDGES: Mapping[Edge, tuple[float, float]] = {  # what stays, and what comes and goes
    Edge.QUIET: (0.35, 0.0),
    Edge.ASKED: (0.25, 0.6),
    Edge.DONE: (0.85, 0.0),
}


def edges(
    layout: Layout,
    players: Iterable[tuple[Player, Edge]],
    sides: Sequence[Side],
    paints: Sequence[Paint],
    effects: Effects = Effects.NORMAL,
) -> Animation:
    """A strip at the edge of each of these players, in their colour; `sides` is where all sit."""
    lit = spots(layout)
    sketch = Sketch(lit.leds, level(effects))
    period_ms = max(2400.0, CALM_PERIOD_MS)
    for player, edge in players:
        tint, (stays, beats) = colour(paints[player].beam), _EDGES[edge]
        for led in _strip(lit, sides[player]):
            sketch.steady(led, tint, stays)
            sketch.light(led, tint, beats, start_ms=0, rise_ms=0.4 * period_ms,
                         fall_ms=0.5 * period_ms, period_ms=period_ms)  # fmt: skip
    return sketch.animation()


def _strip(lit: Spots, side: Side) -> set[int]:
    """The LEDs next to that side of the board."""
    grid, found = lit.grid, set()
    out = [
        heading
        for heading in range(grid.headings)
        for x, y in (direction(grid, heading),)
        if x * side[0] + y * side[1] > 0.8
    ]
    for cell in range(grid.size):
        if all(grid.ahead(cell, heading) is None for heading in out):
            for heading in out:
                found |= {spot.led for spot in outermost(lit, cell, heading)}
    return found


def terrain(
    layout: Layout, marks: Iterable[tuple[Cell, Mark]], effects: Effects = Effects.NORMAL
) -> Animation:
    """What the ground is, where it is not plain: rock and void glow, and
    never stir: a camera watches this all the time."""
    lit = spots(layout)
    sketch = Sketch(lit.leds, level(effects))
    for cell, mark in marks:
        for spot in lit.cells[cell]:
            if mark is Mark.MOUNTAIN:
                sketch.steady(spot.led, ROCK, 0.3)
            elif mark is Mark.VOID:
                sketch.steady(spot.led, DEEP, 0.25)
    return sketch.animation()


def traces(layout: Layout, cells: Collection[Cell], effects: Effects = Effects.NORMAL) -> Animation:
    """What the last turn changed: a faint light that stays."""
    lit = spots(layout)
    sketch = Sketch(lit.leds, level(effects))
    for cell in cells:
        for spot, _ in shaped(lit, cell, Shape.CORNERS):
            sketch.steady(spot.led, LAST, 0.3)
    return sketch.animation()


def choices(
    layout: Layout, cells: Sequence[Collection[Cell]], effects: Effects = Effects.NORMAL
) -> Animation:
    """What there is to choose from, one after the other: the first blinks once, the second
    twice, and so on. More than four are not told apart by light."""
    lit = spots(layout)
    sketch = Sketch(lit.leds, level(effects))
    pace = max(1.0, CALM_PERIOD_MS / (BLINK_MS + BETWEEN_MS)) if effects is Effects.CALM else 1.0
    shown = list(zip(cells, CHOICES, strict=False))
    starts, length_ms = [], 0.0
    for number in range(len(shown)):
        starts.append(length_ms)
        length_ms += (number + 1) * (BLINK_MS + BETWEEN_MS) + AFTER_MS
    for number, (some, tint) in enumerate(shown):
        for cell in some:
            for spot in lit.cells[cell]:
                sketch.steady(spot.led, NEUTRAL, 0.1)
            for blink in range(number + 1):
                start_ms = starts[number] + blink * (BLINK_MS + BETWEEN_MS)
                _blink(sketch, lit, cell, tint, pace * start_ms, pace * length_ms, pace)
    return sketch.animation()


def _blink(
    sketch: Sketch,
    lit: Spots,
    cell: Cell,
    tint: Colour,
    start_ms: float,
    period_ms: float,
    pace: float,
) -> None:
    for spot in lit.cells[cell]:
        sketch.light(spot.led, tint, 0.9, start_ms=start_ms, rise_ms=160 * pace,
                     hold_ms=(BLINK_MS - 360) * pace, fall_ms=200 * pace,
                     period_ms=period_ms)  # fmt: skip


def paused(layout: Layout, effects: Effects = Effects.NORMAL) -> Animation:
    """Two bars in the middle of the board, dim and still."""
    lit = spots(layout)
    sketch = Sketch(lit.leds, level(effects))
    for led, x, y in lit.places():
        if 0.95 < abs(x) < 1.55 and abs(y) < 2:
            sketch.steady(led, NEUTRAL, 0.4)
    return sketch.animation()


def burning(
    layout: Layout, paint: Paint, left_ms: float, effects: Effects = Effects.NORMAL
) -> Animation:
    """The last ten seconds of a clock: the rim beats, and burns down with it."""
    whole = clock_low(layout, paint, 1.0, effects)
    border = np.array([led for led, _ in spots(layout).border()], np.intp)
    return _Burning(whole, border, left_ms, layout.leds)


@dataclass(frozen=True, slots=True, eq=False)
class _Burning:
    whole: Animation
    border: np.ndarray[tuple[int], np.dtype[np.intp]] = field(repr=False)
    left_ms: float
    leds: int
    duration_ms: float | None = None

    @property
    def reach(self) -> frozenset[int]:
        return self.whole.reach

    def at(self, ms: float) -> Canvas:
        canvas = self.whole.at(ms)
        # Its end goes out softly, LED by LED.
        count = (self.left_ms - max(ms, 0.0)) / LOW_MS * len(self.border)
        part = np.clip(count - np.arange(len(self.border)), 0.0, 1.0)
        canvas[self.border] *= part[:, None].astype(np.float32)
        return canvas
