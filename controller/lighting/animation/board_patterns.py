"""Animations of the state of a game: whose turn, terrain, last turn, choices, pause, clock.

All are without end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from controller.lighting.animation.cell_patterns import Shape, effects_level, leds_of_shape
from controller.lighting.animation.led_positions import (
    LedPositions,
    direction,
    led_positions,
    outermost,
)
from controller.lighting.animation.signals import BoardSide, animate_low_clock
from controller.lighting.animation.timeline import (
    CALM_PERIOD_MS,
    Animation,
    AnimationBuilder,
    Canvas,
    Colour,
    LightEffects,
    parse_colour,
)
from controller.lighting.layout import LedLayout
from engine.draw import palette
from engine.draw.palette import Paint
from engine.game import Mark, Player
from engine.grid import Cell

NEUTRAL_COLOUR = parse_colour(palette.PAPER)
LAST_TURN_COLOUR = parse_colour(palette.LAST_MOVE)
MOUNTAIN_COLOUR, VOID_COLOUR = parse_colour("#ffb066"), parse_colour("#8a6cff")
# One colour for each choice; the number of blinks tells them apart without colour.
CHOICE_COLOURS = tuple(parse_colour(name) for name in ("#ffd75e", "#4dff7c", "#ff4fa0", "#8fd8ff"))
BLINK_MS, BLINK_GAP_MS, CHOICE_GAP_MS = 440.0, 160.0, 900.0
LOW_CLOCK_MS = 10_000.0  # below this the countdown is shown


class EdgeState(StrEnum):
    """The meaning of the light at a player's edge."""

    TO_MOVE = "it is their turn"
    TO_PRESS = "they are to press"
    PRESSED = "they have pressed"


_EDGE_LEVELS: Mapping[EdgeState, tuple[float, float]] = {  # steady level, pulsing level
    EdgeState.TO_MOVE: (0.35, 0.0),
    EdgeState.TO_PRESS: (0.25, 0.6),
    EdgeState.PRESSED: (0.85, 0.0),
}


def animate_player_edges(
    layout: LedLayout,
    players: Iterable[tuple[Player, EdgeState]],
    sides: Sequence[BoardSide],
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """A strip in the player's colour at the edge of each player; `sides` maps players to edges."""
    lit = led_positions(layout)
    builder = AnimationBuilder(lit.led_count, effects_level(effects))
    period_ms = max(2400.0, CALM_PERIOD_MS)
    for player, edge in players:
        tint, (steady_level, pulse_level) = parse_colour(paints[player].beam), _EDGE_LEVELS[edge]
        for led in _edge_leds(lit, sides[player]):
            builder.add_steady(led, tint, steady_level)
            builder.add_pulse(
                led,
                tint,
                pulse_level,
                start_ms=0,
                rise_ms=0.4 * period_ms,
                fall_ms=0.5 * period_ms,
                period_ms=period_ms,
            )
    return builder.build()


def _edge_leds(lit: LedPositions, side: BoardSide) -> set[int]:
    """The LEDs next to a side of the board."""
    grid, leds = lit.grid, set()
    out = [
        heading
        for heading in range(grid.headings)
        for x, y in (direction(grid, heading),)
        if x * side[0] + y * side[1] > 0.8
    ]
    for cell in range(grid.size):
        if all(grid.ahead(cell, heading) is None for heading in out):
            for heading in out:
                leds |= {position.led for position in outermost(lit, cell, heading)}
    return leds


def animate_terrain(
    layout: LedLayout,
    marks: Iterable[tuple[Cell, Mark]],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """Light on special terrain such as rock and void; steady, because the camera reads it."""
    lit = led_positions(layout)
    builder = AnimationBuilder(lit.led_count, effects_level(effects))
    for cell, mark in marks:
        for position in lit.cells[cell]:
            if mark is Mark.MOUNTAIN:
                builder.add_steady(position.led, MOUNTAIN_COLOUR, 0.3)
            elif mark is Mark.VOID:
                builder.add_steady(position.led, VOID_COLOUR, 0.25)
    return builder.build()


def animate_last_turn(
    layout: LedLayout, cells: Collection[Cell], effects: LightEffects = LightEffects.NORMAL
) -> Animation:
    """A faint steady light on the cells that the last turn changed."""
    lit = led_positions(layout)
    builder = AnimationBuilder(lit.led_count, effects_level(effects))
    for cell in cells:
        for position, _ in leds_of_shape(lit, cell, Shape.CORNERS):
            builder.add_steady(position.led, LAST_TURN_COLOUR, 0.3)
    return builder.build()


def animate_choices(
    layout: LedLayout,
    cells: Sequence[Collection[Cell]],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """The choices in turn: the first blinks once, the second twice, up to four."""
    lit = led_positions(layout)
    builder = AnimationBuilder(lit.led_count, effects_level(effects))
    pace = (
        max(1.0, CALM_PERIOD_MS / (BLINK_MS + BLINK_GAP_MS))
        if effects is LightEffects.CALM
        else 1.0
    )
    shown = list(zip(cells, CHOICE_COLOURS, strict=False))
    starts, length_ms = [], 0.0
    for number in range(len(shown)):
        starts.append(length_ms)
        length_ms += (number + 1) * (BLINK_MS + BLINK_GAP_MS) + CHOICE_GAP_MS
    for number, (some, tint) in enumerate(shown):
        for cell in some:
            for position in lit.cells[cell]:
                builder.add_steady(position.led, NEUTRAL_COLOUR, 0.1)
            for blink in range(number + 1):
                start_ms = starts[number] + blink * (BLINK_MS + BLINK_GAP_MS)
                _draw_blink(builder, lit, cell, tint, pace * start_ms, pace * length_ms, pace)
    return builder.build()


def _draw_blink(
    builder: AnimationBuilder,
    lit: LedPositions,
    cell: Cell,
    tint: Colour,
    start_ms: float,
    period_ms: float,
    pace: float,
) -> None:
    for position in lit.cells[cell]:
        builder.add_pulse(
            position.led,
            tint,
            0.9,
            start_ms=start_ms,
            rise_ms=160 * pace,
            hold_ms=(BLINK_MS - 360) * pace,
            fall_ms=200 * pace,
            period_ms=period_ms,
        )


def animate_pause(layout: LedLayout, effects: LightEffects = LightEffects.NORMAL) -> Animation:
    """Two dim, steady bars in the middle of the board."""
    lit = led_positions(layout)
    builder = AnimationBuilder(lit.led_count, effects_level(effects))
    for led, x, y in lit.board_offsets():
        if 0.95 < abs(x) < 1.55 and abs(y) < 2:
            builder.add_steady(led, NEUTRAL_COLOUR, 0.4)
    return builder.build()


def animate_clock_countdown(
    layout: LedLayout, paint: Paint, left_ms: float, effects: LightEffects = LightEffects.NORMAL
) -> Animation:
    """The last ten seconds of a clock: a pulsing rim that shortens with the time."""
    full_rim = animate_low_clock(layout, paint, 1.0, effects)
    border = np.array([led for led, _ in led_positions(layout).border()], np.intp)
    return _ClockCountdown(full_rim, border, left_ms, layout.led_count)


@dataclass(frozen=True, slots=True, eq=False)
class _ClockCountdown:
    border_animation: Animation
    border: np.ndarray[tuple[int], np.dtype[np.intp]] = field(repr=False)
    left_ms: float
    led_count: int
    duration_ms: float | None = None

    @property
    def lit_leds(self) -> frozenset[int]:
        return self.border_animation.lit_leds

    def at(self, ms: float) -> Canvas:
        canvas = self.border_animation.at(ms)
        # The LED at its end fades.
        count = (self.left_ms - max(ms, 0.0)) / LOW_CLOCK_MS * len(self.border)
        part = np.clip(count - np.arange(len(self.border)), 0.0, 1.0)
        canvas[self.border] *= part[:, None].astype(np.float32)
        return canvas
