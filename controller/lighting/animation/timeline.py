"""Animations as values: an `Animation` gives the canvas for any time, LEDs x 3 from 0 to 1.

Canvas values are perceptual: 0.5 looks half as bright. `lighting.output` applies gamma, brightness
and the current limit. An animation that ends keeps its last canvas; an endless one has no
duration.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engine.draw import palette

Canvas = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]
Colour = tuple[float, float, float]

NEVER_REPEATS_MS = 1e15


class LightEffects(StrEnum):
    """How lively animations may be."""

    NORMAL = "normal"
    CALM = "calm"  # slow, dim, no white flashes: for people sensitive to flicker


CALM_LEVEL = 0.6
CALM_PERIOD_MS = 2200.0  # of the fastest pulse: below 0.5 Hz


class Animation(Protocol):
    """A pure function from time to canvas."""

    @property
    def led_count(self) -> int: ...

    @property
    def duration_ms(self) -> float | None:
        """When it ends; None: never."""

    @property
    def lit_leds(self) -> frozenset[int]:
        """The LEDs that it ever lights."""

    def at(self, ms: float) -> Canvas:
        """The canvas at a time after the start. The caller owns it."""


def parse_colour(name: str) -> Colour:
    """Parse `#ff8000` to red, green and blue from 0 to 1."""
    red, green, blue = palette.parse_rgb(name)
    return red / 255, green / 255, blue / 255


# -- pulses -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PulseAnimation:
    """Pulses, each on one LED, added to a steady background.

    A pulse rises from `start_ms`, holds and falls, and repeats every `period_ms`.
    """

    led_count: int
    duration_ms: float | None
    max_level: float  # limit of the sum in each channel
    background: Canvas = field(repr=False)
    led: npt.NDArray[np.intp] = field(repr=False)
    colours: Reals = field(repr=False)  # 3 x pulses
    start_ms: Reals = field(repr=False)
    rise_ms: Reals = field(repr=False)
    fall_ms: Reals = field(repr=False)
    pulse_ms: Reals = field(repr=False)  # rise, hold, fall
    period_ms: Reals = field(repr=False)

    @property
    def lit_leds(self) -> frozenset[int]:
        return frozenset(np.flatnonzero(self.background.any(axis=1)).tolist() + self.led.tolist())

    def at(self, ms: float) -> Canvas:
        ms = max(ms, 0.0)
        if self.duration_ms is not None:
            ms = min(ms, self.duration_ms)
        since = np.mod(ms - self.start_ms, self.period_ms)
        part = np.minimum(since / self.rise_ms, (self.pulse_ms - since) / self.fall_ms)
        np.clip(part, 0.0, 1.0, out=part)
        part *= part * (3.0 - 2.0 * part)  # smoothstep
        canvas = self.background.copy()
        for channel, strength in enumerate(self.colours):
            canvas[:, channel] += np.bincount(self.led, part * strength, self.led_count)
        return np.clip(canvas, 0.0, self.max_level, out=canvas)


@dataclass(slots=True)
class AnimationBuilder:
    """Collects pulses and builds an animation."""

    led_count: int
    level: float = 1.0
    background: Canvas = field(init=False)
    pulse_rows: list[tuple[float, ...]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.background = np.zeros((self.led_count, 3), np.float32)

    def add_steady(self, led: int, tint: Colour, strength: float = 1.0) -> None:
        self.background[led] += np.asarray(tint, np.float32) * (strength * self.level)

    def add_pulse(
        self,
        led: int,
        tint: Colour,
        strength: float = 1.0,
        *,
        start_ms: float,
        rise_ms: float,
        hold_ms: float = 0.0,
        fall_ms: float,
        period_ms: float = NEVER_REPEATS_MS,
    ) -> None:
        if strength <= 0:
            return
        rise_ms, fall_ms = max(rise_ms, 1.0), max(fall_ms, 1.0)
        whole_ms = rise_ms + max(hold_ms, 0.0) + fall_ms
        assert whole_ms <= period_ms * 1.000001, "a light comes again before it has gone"
        (red, green, blue), part = tint, strength * self.level
        self.pulse_rows.append(
            (
                led,
                red * part,
                green * part,
                blue * part,
                start_ms,
                rise_ms,
                fall_ms,
                whole_ms,
                period_ms,
            )
        )

    def build(self, duration_ms: float | None = None) -> PulseAnimation:
        columns = np.array(self.pulse_rows, np.float64).reshape(-1, 9).T.copy()
        return PulseAnimation(
            self.led_count,
            duration_ms,
            self.level,
            self.background.copy(),
            columns[0].astype(np.intp),
            columns[1:4],
            *columns[4:9],
        )


# -- combining ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Mixed:
    parts: tuple[Animation, ...]
    led_count: int
    duration_ms: float | None

    @property
    def lit_leds(self) -> frozenset[int]:
        return frozenset[int]().union(*(part.lit_leds for part in self.parts))

    def at(self, ms: float) -> Canvas:
        canvas = self.parts[0].at(ms)
        for part in self.parts[1:]:
            canvas += part.at(ms)
        return np.clip(canvas, 0.0, 1.0, out=canvas)


@dataclass(frozen=True, slots=True, eq=False)
class _Overlaid:
    top: Animation
    base: Animation
    led_count: int
    duration_ms: float | None

    @property
    def lit_leds(self) -> frozenset[int]:
        return self.top.lit_leds | self.base.lit_leds

    def at(self, ms: float) -> Canvas:
        above, below = self.top.at(ms), self.base.at(ms)
        below *= 1.0 - above.max(axis=1, keepdims=True, initial=0.0)
        below += above
        return np.clip(below, 0.0, 1.0, out=below)


@dataclass(frozen=True, slots=True, eq=False)
class _Dimmed:
    source: Animation
    factor: float
    led_count: int
    duration_ms: float | None

    @property
    def lit_leds(self) -> frozenset[int]:
        return self.source.lit_leds

    def at(self, ms: float) -> Canvas:
        canvas = self.source.at(ms)
        canvas *= np.float32(self.factor)
        return canvas


@dataclass(frozen=True, slots=True, eq=False)
class _Concatenated:
    first: Animation
    second: Animation
    led_count: int
    change_ms: float
    duration_ms: float | None

    @property
    def lit_leds(self) -> frozenset[int]:
        return self.first.lit_leds | self.second.lit_leds

    def at(self, ms: float) -> Canvas:
        if ms < self.change_ms:
            return self.first.at(ms)
        return self.second.at(ms - self.change_ms)


def dark_animation(led_count: int) -> Animation:
    return AnimationBuilder(led_count).build()


def mix(first: Animation, *others: Animation) -> Animation:
    """All animations together, added; ends with the last one."""
    parts = (first, *others)
    return _Mixed(parts, first.led_count, _longest_ms(parts))


def overlay(top: Animation, base: Animation) -> Animation:
    """`top` over `base`: lit LEDs of `top` hide those of `base`."""
    return _Overlaid(top, base, top.led_count, _longest_ms((top, base)))


def dim(source: Animation, factor: float) -> Animation:
    """The animation at a part of its brightness."""
    return _Dimmed(source, factor, source.led_count, source.duration_ms)


def concatenate(first: Animation, second: Animation) -> Animation:
    """`first`, which must end, and then `second`."""
    change_ms = first.duration_ms
    if change_ms is None:
        raise ValueError("an animation without end has nothing after it: give it a duration")
    rest_ms = second.duration_ms
    return _Concatenated(
        first, second, first.led_count, change_ms, None if rest_ms is None else change_ms + rest_ms
    )


def _longest_ms(parts: Iterable[Animation]) -> float | None:
    longest = 0.0
    for part in parts:
        if part.duration_ms is None:
            return None
        longest = max(longest, part.duration_ms)
    return longest
