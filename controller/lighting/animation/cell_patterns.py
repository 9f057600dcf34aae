"""Patterns for single cells: each has its own rhythm and shape in addition to its colour.

With one LED in a cell only the rhythm remains; rotations then use the cells around. Calm light has
the same rhythms, slower and dimmer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from controller.lighting.animation.led_positions import EPSILON, LedPosition, LedPositions
from controller.lighting.animation.timeline import (
    CALM_LEVEL,
    CALM_PERIOD_MS,
    NEVER_REPEATS_MS,
    AnimationBuilder,
    Colour,
    LightEffects,
)
from engine.grid import Cell


class CellPattern(StrEnum):
    """The meanings of a pattern."""

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
    SELECTED = "this piece is asked about"
    LEGAL = "it may go here"


class Shape(StrEnum):
    """The lit LEDs of a cell with several LEDs."""

    ALL = "all"
    RING = "ring"
    SALTIRE = "saltire"  # corners and centre
    CROSS = "cross"  # sides and centre
    CORNERS = "corners"
    MIDDLE = "middle"
    RING_DOTS = "ring dots"  # in turn around the centre
    SEESAW = "seesaw"  # the pairs of sides in turn


@dataclass(frozen=True, slots=True)
class Pulse:
    """One rise and fall in a rhythm, in milliseconds."""

    start_ms: float
    rise_ms: float
    hold_ms: float
    fall_ms: float


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Repeated pulses on top of a steady level."""

    period_ms: float
    pulses: tuple[Pulse, ...]
    floor: float = 0.0

    def stretched(self, factor: float) -> Rhythm:
        pulses = (
            Pulse(*(factor * ms for ms in (p.start_ms, p.rise_ms, p.hold_ms, p.fall_ms)))
            for p in self.pulses
        )
        return Rhythm(factor * self.period_ms, tuple(pulses), self.floor)

    def slowed_for(self, effects: LightEffects) -> Rhythm:
        """The rhythm for these effects: calm pulses are at least a calm period apart."""
        if effects is LightEffects.NORMAL or not self.pulses:
            return self
        starts = [pulse.start_ms for pulse in self.pulses]
        after = [*starts[1:], starts[0] + self.period_ms]
        closest_ms = min(b - a for a, b in zip(starts, after, strict=True))
        return self.stretched(max(1.4, CALM_PERIOD_MS / closest_ms))


def _rhythm(period_ms: float, *pulses: tuple[float, float, float, float], floor: float = 0.0
            ) -> Rhythm:  # fmt: skip
    return Rhythm(period_ms, tuple(Pulse(*pulse) for pulse in pulses), floor)


_BLINK = (160.0, 80.0, 200.0)
CELL_PATTERNS: Mapping[CellPattern, tuple[Rhythm, Shape]] = {
    # A slow breath.
    CellPattern.MISSING: (_rhythm(2200, (0, 1100, 0, 1100), floor=0.08), Shape.RING),
    # Two blinks; three blinks.
    CellPattern.WRONG_PIECE: (
        _rhythm(2400, (0, *_BLINK), (550, *_BLINK), floor=0.05),
        Shape.SALTIRE,
    ),
    CellPattern.WRONG_WAY: (
        _rhythm(3000, (0, *_BLINK), (550, *_BLINK), (1100, *_BLINK), floor=0.05),
        Shape.SEESAW,
    ),
    # Nearly always on.
    CellPattern.EXTRA: (_rhythm(1800, (0, 160, 1280, 160), floor=0.05), Shape.ALL),
    # Empties one cell and fills another.
    CellPattern.PUT_BACK: (_rhythm(1600, (0, 120, 0, 1400)), Shape.SALTIRE),
    CellPattern.PUT_BACK_TO: (_rhythm(1600, (120, 1350, 0, 120)), Shape.RING),
    # Glows, and flares up now and then.
    CellPattern.REMOVE: (_rhythm(3000, (250, 250, 100, 600), floor=0.4), Shape.SALTIRE),
    # A blink, and a long light at the target.
    CellPattern.MOVE: (_rhythm(2600, (0, 180, 220, 250), floor=0.12), Shape.CORNERS),
    CellPattern.MOVE_TO: (_rhythm(2600, (600, 250, 1100, 350)), Shape.CROSS),
    CellPattern.CLOCKWISE: (_rhythm(1600, floor=0.45), Shape.RING_DOTS),
    CellPattern.COUNTERCLOCKWISE: (_rhythm(1600, floor=0.45), Shape.RING_DOTS),
    # The piece is bright and almost steady, its targets are dim and steady.
    CellPattern.SELECTED: (_rhythm(3600, (0, 1000, 800, 1000), floor=0.45), Shape.ALL),
    CellPattern.LEGAL: (_rhythm(1000, floor=0.35), Shape.MIDDLE),
}


def effects_level(effects: LightEffects) -> float:
    return CALM_LEVEL if effects is LightEffects.CALM else 1.0


def draw_pattern(
    builder: AnimationBuilder,
    lit: LedPositions,
    cell: Cell,
    pattern: CellPattern,
    tint: Colour,
    effects: LightEffects,
    *,
    appears_ms: float | None = None,
    pulsing: bool = True,
) -> None:
    """Draw a pattern on a cell; its steady level starts at `appears_ms` if given."""
    rhythm, shape = CELL_PATTERNS[pattern]
    rhythm = rhythm.slowed_for(effects)
    if shape is Shape.RING_DOTS:
        _draw_rotation(
            builder, lit, cell, tint, effects, clockwise=pattern is CellPattern.CLOCKWISE
        )
        return
    for position, delay in leds_of_shape(lit, cell, shape):
        if rhythm.floor and appears_ms is None:
            builder.add_steady(position.led, tint, rhythm.floor)
        elif rhythm.floor and appears_ms is not None:
            builder.add_pulse(
                position.led,
                tint,
                rhythm.floor,
                start_ms=appears_ms,
                rise_ms=250,
                hold_ms=NEVER_REPEATS_MS / 2,
                fall_ms=1,
            )
        for pulse in rhythm.pulses if pulsing else ():
            builder.add_pulse(
                position.led,
                tint,
                1.0 - rhythm.floor,
                start_ms=pulse.start_ms + delay * rhythm.period_ms,
                rise_ms=pulse.rise_ms,
                hold_ms=pulse.hold_ms,
                fall_ms=pulse.fall_ms,
                period_ms=rhythm.period_ms,
            )


def _draw_running_dot(
    builder: AnimationBuilder,
    turns: Mapping[int, float],
    tint: Colour,
    *,
    period_ms: float,
    clockwise: bool,
    strength: float,
    tail: float,
) -> None:
    """A dot that runs around; `turns` gives each LED's position, 0 to 1 clockwise."""
    for led, turn in turns.items():
        delay = turn if clockwise else -turn % 1.0
        builder.add_pulse(
            led,
            tint,
            strength,
            start_ms=delay * period_ms,
            rise_ms=0.14 * period_ms,
            fall_ms=tail * period_ms,
            period_ms=period_ms,
        )


def _draw_rotation(
    builder: AnimationBuilder,
    lit: LedPositions,
    cell: Cell,
    tint: Colour,
    effects: LightEffects,
    *,
    clockwise: bool,
) -> None:
    """A dot around the centre of the cell, or around the cell if it has too few LEDs."""
    floor = CELL_PATTERNS[CellPattern.CLOCKWISE][0].floor
    period_ms = CALM_PERIOD_MS if effects is LightEffects.CALM else 1600.0
    ring = lit.ring(cell)
    if ring:
        turns = {position.led: position.clockwise_fraction for position in ring}
        for position in lit.cells[cell]:
            if position.distance < EPSILON:
                builder.add_steady(position.led, tint, floor)
        _draw_running_dot(
            builder, turns, tint, period_ms=period_ms, clockwise=clockwise, strength=1, tail=0.46
        )
        return
    for position in lit.cells[cell]:
        builder.add_steady(position.led, tint, 0.8)
    turns = lit.around(cell)
    _draw_running_dot(
        builder,
        turns,
        tint,
        period_ms=1.25 * period_ms,
        clockwise=clockwise,
        strength=0.7,
        tail=0.22,
    )


def leds_of_shape(lit: LedPositions, cell: Cell, shape: Shape) -> list[tuple[LedPosition, float]]:
    """The LEDs of a shape, each with its phase as a fraction of the period."""
    every = lit.cells[cell]
    middle = [position for position in every if position.distance < EPSILON]
    sides = [position for position in every if abs(abs(position.x) - abs(position.y)) > EPSILON]
    corners = [position for position in every if position not in middle and position not in sides]
    if shape is Shape.SEESAW:
        across = [(s, abs(s.x) > abs(s.y)) for s in sides] or [(s, s.x * s.y > 0) for s in corners]
        return [(s, 0.5 * late) for s, late in across] or [(position, 0.0) for position in every]
    chosen = {
        Shape.RING: sides + corners,
        Shape.SALTIRE: middle + corners,
        Shape.CROSS: middle + sides,
        Shape.CORNERS: corners,
        Shape.MIDDLE: middle,
    }.get(shape)
    return [(position, 0.0) for position in chosen or every]
