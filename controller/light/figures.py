"""What a single cell can tell: each figure has a rhythm and a shape of its own, besides a colour.

With one LED a cell there is only the rhythm, and for turns the cells around; with more there is
a shape too. In calm light the rhythms are the same, slower and dimmer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from controller.light.animation import (
    CALM_LEVEL,
    CALM_PERIOD_MS,
    FOREVER_MS,
    Colour,
    Effects,
    Sketch,
)
from controller.light.spots import EPSILON, Spot, Spots
from engine.grid import Cell


class Figure(StrEnum):
    """What there is to tell about a cell."""

    MISSING = "a piece belongs here"
    WRONG_PIECE = "another piece belongs here"
    WRONG_WAY = "this piece faces the wrong way"
    EXTRA = "nothing belongs here"
    PUT_BACK = "this piece goes back"
    PUT_BACK_TO = "a piece goes back to here"
    REMOVE = "take this piece off"
    MOVE = "this piece moves"
    MOVE_TO = "a piece moves to here"
    CLOCKWISE = "this piece turns clockwise"
    COUNTERCLOCKWISE = "this piece turns counterclockwise"
    CHOSEN = "this piece is asked about"
    LEGAL = "it may go here"


class Shape(StrEnum):
    """Which LEDs of a cell are lit, where there are several."""

    ALL = "all"
    RING = "ring"
    SALTIRE = "saltire"  # the corners and the middle
    CROSS = "cross"  # the sides and the middle
    CORNERS = "corners"
    MIDDLE = "middle"
    RING_DOTS = "ring dots"  # one after the other around the middle
    SEESAW = "seesaw"  # one pair of sides, then the other


@dataclass(frozen=True, slots=True)
class Pulse:
    """One rise and fall in a rhythm, all in milliseconds."""

    start_ms: float
    rise_ms: float
    hold_ms: float
    fall_ms: float


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Pulses that come again, on a level that stays."""

    period_ms: float
    pulses: tuple[Pulse, ...]
    floor: float = 0.0

    def stretched(self, factor: float) -> Rhythm:
        pulses = (
            Pulse(*(factor * ms for ms in (p.start_ms, p.rise_ms, p.hold_ms, p.fall_ms)))
            for p in self.pulses
        )
        return Rhythm(factor * self.period_ms, tuple(pulses), self.floor)

    def at_pace(self, effects: Effects) -> Rhythm:
        """In calm light no two pulses come closer than the calm period."""
        if effects is Effects.NORMAL or not self.pulses:
            return self
        starts = [pulse.start_ms for pulse in self.pulses]
        after = [*starts[1:], starts[0] + self.period_ms]
        closest_ms = min(b - a for a, b in zip(starts, after, strict=True))
        return self.stretched(max(1.4, CALM_PERIOD_MS / closest_ms))


def _rhythm(period_ms: float, *pulses: tuple[float, float, float, float], floor: float = 0.0
            ) -> Rhythm:  # fmt: skip
    return Rhythm(period_ms, tuple(Pulse(*pulse) for pulse in pulses), floor)


_BLINK = (160.0, 80.0, 200.0)
FIGURES: Mapping[Figure, tuple[Rhythm, Shape]] = {
    # A slow breath.
    Figure.MISSING: (_rhythm(2200, (0, 1100, 0, 1100), floor=0.08), Shape.RING),
    # Two blinks; three blinks.
    Figure.WRONG_PIECE: (_rhythm(2400, (0, *_BLINK), (550, *_BLINK), floor=0.05), Shape.SALTIRE),
    Figure.WRONG_WAY: (
        _rhythm(3000, (0, *_BLINK), (550, *_BLINK), (1100, *_BLINK), floor=0.05),
        Shape.SEESAW,
    ),
    # Nearly always on.
    Figure.EXTRA: (_rhythm(1800, (0, 160, 1280, 160), floor=0.05), Shape.ALL),
    # Drains here and fills there.
    Figure.PUT_BACK: (_rhythm(1600, (0, 120, 0, 1400)), Shape.SALTIRE),
    Figure.PUT_BACK_TO: (_rhythm(1600, (120, 1350, 0, 120)), Shape.RING),
    # Embers that flare up now and then.
    Figure.REMOVE: (_rhythm(3000, (250, 250, 100, 600), floor=0.4), Shape.SALTIRE),
    # A blink, and a long light where it goes.
    Figure.MOVE: (_rhythm(2600, (0, 180, 220, 250), floor=0.12), Shape.CORNERS),
    Figure.MOVE_TO: (_rhythm(2600, (600, 250, 1100, 350)), Shape.CROSS),
    Figure.CLOCKWISE: (_rhythm(1600, floor=0.45), Shape.RING_DOTS),
    Figure.COUNTERCLOCKWISE: (_rhythm(1600, floor=0.45), Shape.RING_DOTS),
    # The piece is bright and hardly moves, its places are dim and steady.
    Figure.CHOSEN: (_rhythm(3600, (0, 1000, 800, 1000), floor=0.45), Shape.ALL),
    Figure.LEGAL: (_rhythm(1000, floor=0.35), Shape.MIDDLE),
}


def level(effects: Effects) -> float:
    return CALM_LEVEL if effects is Effects.CALM else 1.0


def draw(
    sketch: Sketch,
    lit: Spots,
    cell: Cell,
    figure: Figure,
    tint: Colour,
    effects: Effects,
    *,
    from_ms: float | None = None,
    beating: bool = True,
) -> None:
    """Draw a figure on a cell; with `from_ms` its level appears then, else it is always there."""
    rhythm, shape = FIGURES[figure]
    rhythm = rhythm.at_pace(effects)
    if shape is Shape.RING_DOTS:
        _turning(sketch, lit, cell, tint, effects, clockwise=figure is Figure.CLOCKWISE)
        return
    for spot, delay in shaped(lit, cell, shape):
        if rhythm.floor and from_ms is None:
            sketch.steady(spot.led, tint, rhythm.floor)
        elif rhythm.floor and from_ms is not None:
            sketch.light(spot.led, tint, rhythm.floor, start_ms=from_ms, rise_ms=250,
                         hold_ms=FOREVER_MS / 2, fall_ms=1)  # fmt: skip
        for pulse in rhythm.pulses if beating else ():
            sketch.light(
                spot.led,
                tint,
                1.0 - rhythm.floor,
                start_ms=pulse.start_ms + delay * rhythm.period_ms,
                rise_ms=pulse.rise_ms,
                hold_ms=pulse.hold_ms,
                fall_ms=pulse.fall_ms,
                period_ms=rhythm.period_ms,
            )


def _dots(
    sketch: Sketch,
    turns: Mapping[int, float],
    tint: Colour,
    *,
    period_ms: float,
    clockwise: bool,
    strength: float,
    tail: float,
) -> None:
    """A dot that runs around; `turns` is where each LED lies, 0 to 1 clockwise."""
    for led, turn in turns.items():
        delay = turn if clockwise else -turn % 1.0
        sketch.light(led, tint, strength, start_ms=delay * period_ms, rise_ms=0.14 * period_ms,
                     fall_ms=tail * period_ms, period_ms=period_ms)  # fmt: skip


def _turning(
    sketch: Sketch, lit: Spots, cell: Cell, tint: Colour, effects: Effects, *, clockwise: bool
) -> None:
    """Around the middle of the cell; around the cell where it has no LEDs for that."""
    floor = FIGURES[Figure.CLOCKWISE][0].floor
    period_ms = CALM_PERIOD_MS if effects is Effects.CALM else 1600.0
    ring = lit.ring(cell)
    if ring:
        turns = {spot.led: spot.turn for spot in ring}
        for spot in lit.cells[cell]:
            if spot.distance < EPSILON:
                sketch.steady(spot.led, tint, floor)
        _dots(sketch, turns, tint, period_ms=period_ms, clockwise=clockwise, strength=1, tail=0.46)
        return
    for spot in lit.cells[cell]:
        sketch.steady(spot.led, tint, 0.8)
    turns = lit.around(cell)
    _dots(sketch, turns, tint, period_ms=1.25 * period_ms, clockwise=clockwise, strength=0.7,
          tail=0.22)  # fmt: skip


def shaped(lit: Spots, cell: Cell, shape: Shape) -> list[tuple[Spot, float]]:
    """The LEDs of a shape, and by what part of the period each is late."""
    every = lit.cells[cell]
    middle = [spot for spot in every if spot.distance < EPSILON]
    sides = [spot for spot in every if abs(abs(spot.x) - abs(spot.y)) > EPSILON]
    corners = [spot for spot in every if spot not in middle and spot not in sides]
    if shape is Shape.SEESAW:
        across = [(s, abs(s.x) > abs(s.y)) for s in sides] or [(s, s.x * s.y > 0) for s in corners]
        return [(s, 0.5 * late) for s, late in across] or [(spot, 0.0) for spot in every]
    wanted = {
        Shape.RING: sides + corners,
        Shape.SALTIRE: middle + corners,
        Shape.CROSS: middle + sides,
        Shape.CORNERS: corners,
        Shape.MIDDLE: middle,
    }.get(shape)
    return [(spot, 0.0) for spot in wanted or every]
