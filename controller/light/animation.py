"""Light as a value: an animation answers for any moment with a canvas, LEDs x 3 of 0 to 1.

Canvases are perceptual: half is what looks half as bright. Gamma, brightness and the current
limit come later (`controller.finish`). An animation without end has no duration; one that ends
keeps its last picture.
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

FOREVER_MS = 1e15


class Effects(StrEnum):
    """How lively the light may be."""

    NORMAL = "normal"
    CALM = "calm"  # slow, dim, no white flashes: for people whom flicker troubles


CALM_LEVEL = 0.6
CALM_PERIOD_MS = 2200.0  # no LED comes and goes faster than this: below half a hertz


class Animation(Protocol):
    """What LEDs show, moment by moment: the same moment is always the same picture."""

    @property
    def leds(self) -> int: ...

    @property
    def duration_ms(self) -> float | None:
        """When it has come to its last picture; None if it never does."""

    @property
    def reach(self) -> frozenset[int]:
        """The LEDs that it ever lights."""

    def at(self, ms: float) -> Canvas:
        """The picture so long after the beginning, the caller's to keep and change."""


def colour(name: str) -> Colour:
    """`#ff8000` as red, green and blue of 0 to 1."""
    red, green, blue = palette.rgb(name)
    return red / 255, green / 255, blue / 255


# -- one table of lamps ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Lamps:
    """Lights that come and go, each on one LED, on a ground that stays; all add up.

    A light rises from `start_ms` on, holds, and falls; then again after each `period_ms`.
    """

    leds: int
    duration_ms: float | None
    most: float  # no channel is brighter, whatever adds up
    ground: Canvas = field(repr=False)
    led: npt.NDArray[np.intp] = field(repr=False)
    colours: Reals = field(repr=False)  # 3 x lights
    start_ms: Reals = field(repr=False)
    rise_ms: Reals = field(repr=False)
    fall_ms: Reals = field(repr=False)
    whole_ms: Reals = field(repr=False)  # rise, hold and fall
    period_ms: Reals = field(repr=False)

    @property
    def reach(self) -> frozenset[int]:
        return frozenset(np.flatnonzero(self.ground.any(axis=1)).tolist() + self.led.tolist())

    def at(self, ms: float) -> Canvas:
        ms = max(ms, 0.0)
        if self.duration_ms is not None:
            ms = min(ms, self.duration_ms)
        since = np.mod(ms - self.start_ms, self.period_ms)
        part = np.minimum(since / self.rise_ms, (self.whole_ms - since) / self.fall_ms)
        np.clip(part, 0.0, 1.0, out=part)
        part *= part * (3.0 - 2.0 * part)  # no corners in time
        canvas = self.ground.copy()
        for channel, strength in enumerate(self.colours):
            canvas[:, channel] += np.bincount(self.led, part * strength, self.leds)
        return np.clip(canvas, 0.0, self.most, out=canvas)


@dataclass(slots=True)
class Sketch:
    """Collects lights, and makes them an animation."""

    leds: int
    level: float = 1.0
    ground: Canvas = field(init=False)
    rows: list[tuple[float, ...]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.ground = np.zeros((self.leds, 3), np.float32)

    def steady(self, led: int, tint: Colour, strength: float = 1.0) -> None:
        self.ground[led] += np.asarray(tint, np.float32) * (strength * self.level)

    def light(
        self,
        led: int,
        tint: Colour,
        strength: float = 1.0,
        *,
        start_ms: float,
        rise_ms: float,
        hold_ms: float = 0.0,
        fall_ms: float,
        period_ms: float = FOREVER_MS,
    ) -> None:
        if strength <= 0:
            return
        rise_ms, fall_ms = max(rise_ms, 1.0), max(fall_ms, 1.0)
        whole_ms = rise_ms + max(hold_ms, 0.0) + fall_ms
        assert whole_ms <= period_ms * 1.000001, "a light comes again before it has gone"
        (red, green, blue), part = tint, strength * self.level
        self.rows.append(
            (led, red * part, green * part, blue * part,
             start_ms, rise_ms, fall_ms, whole_ms, period_ms)
        )  # fmt: skip

    def animation(self, duration_ms: float | None = None) -> Lamps:
        columns = np.array(self.rows, np.float64).reshape(-1, 9).T.copy()
        return Lamps(
            self.leds,
            duration_ms,
            self.level,
            self.ground.copy(),
            columns[0].astype(np.intp),
            columns[1:4],
            *columns[4:9],
        )


# -- combining ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Added:
    parts: tuple[Animation, ...]
    leds: int
    duration_ms: float | None

    @property
    def reach(self) -> frozenset[int]:
        return frozenset[int]().union(*(part.reach for part in self.parts))

    def at(self, ms: float) -> Canvas:
        canvas = self.parts[0].at(ms)
        for part in self.parts[1:]:
            canvas += part.at(ms)
        return np.clip(canvas, 0.0, 1.0, out=canvas)


@dataclass(frozen=True, slots=True, eq=False)
class _Over:
    top: Animation
    base: Animation
    leds: int
    duration_ms: float | None

    @property
    def reach(self) -> frozenset[int]:
        return self.top.reach | self.base.reach

    def at(self, ms: float) -> Canvas:
        above, below = self.top.at(ms), self.base.at(ms)
        below *= 1.0 - above.max(axis=1, keepdims=True, initial=0.0)
        below += above
        return np.clip(below, 0.0, 1.0, out=below)


@dataclass(frozen=True, slots=True, eq=False)
class _Dimmed:
    whole: Animation
    part: float
    leds: int
    duration_ms: float | None

    @property
    def reach(self) -> frozenset[int]:
        return self.whole.reach

    def at(self, ms: float) -> Canvas:
        canvas = self.whole.at(ms)
        canvas *= np.float32(self.part)
        return canvas


@dataclass(frozen=True, slots=True, eq=False)
class _Then:
    first: Animation
    second: Animation
    leds: int
    change_ms: float
    duration_ms: float | None

    @property
    def reach(self) -> frozenset[int]:
        return self.first.reach | self.second.reach

    def at(self, ms: float) -> Canvas:
        if ms < self.change_ms:
            return self.first.at(ms)
        return self.second.at(ms - self.change_ms)


def dark(leds: int) -> Animation:
    return Sketch(leds).animation()


def added(first: Animation, *others: Animation) -> Animation:
    """All at once, their light mixed; it ends when the last of them has."""
    parts = (first, *others)
    return _Added(parts, first.leds, _longest(parts))


def over(top: Animation, base: Animation) -> Animation:
    """`top` in front of `base`: what is lit in front hides what is behind."""
    return _Over(top, base, top.leds, _longest((top, base)))


def dimmed(whole: Animation, part: float) -> Animation:
    """The same at a part of its brightness: a level at which a camera reads well, say."""
    return _Dimmed(whole, part, whole.leds, whole.duration_ms)


def then(first: Animation, second: Animation) -> Animation:
    """`second` after `first`, which must have an end."""
    change_ms = first.duration_ms
    if change_ms is None:
        raise ValueError("an animation without end has nothing after it: give it a duration")
    rest_ms = second.duration_ms
    return _Then(
        first, second, first.leds, change_ms, None if rest_ms is None else change_ms + rest_ms
    )


def _longest(parts: Iterable[Animation]) -> float | None:
    longest = 0.0
    for part in parts:
        if part.duration_ms is None:
            return None
        longest = max(longest, part.duration_ms)
    return longest
