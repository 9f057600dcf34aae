"""Straight runs of LEDs in the order of the data: the segments to cut, and the strip to buy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from controller.config.led_strips import LedStrip
from controller.lighting.layout import LedLayout
from vision.board import Points

SAME_LINE_MM = 1e-6
STRIP_DENSITIES = (30, 60, 96, 100, 144)  # LEDs per metre of strips in shops
SPARE_FACTOR = 1.1  # buy 10 % more wire and strip than the drawing needs


@dataclass(frozen=True, slots=True)
class LedRun:
    """Consecutive LEDs in a straight line, without LEDs that are under no cell."""

    lane: int
    leds: tuple[int, ...]
    axis: str  # rows or columns

    @property
    def first(self) -> int:
        return self.leds[0]

    @property
    def last(self) -> int:
        return self.leds[-1]


def lane_ranges(layout: LedLayout) -> list[range]:
    """The LED numbers of each lane."""
    starts = np.cumsum([0, *layout.leds_per_lane]).tolist()
    return [range(start, end) for start, end in pairwise(starts)]


def led_runs(layout: LedLayout) -> tuple[LedRun, ...]:
    """All runs, ordered by LED number; every LED under a cell is in one of them."""
    return tuple(_split_runs(layout))


def find_strip(layout: LedLayout) -> tuple[int, float]:
    """Density (LEDs per metre) and metres of a strip that fits the cells; 0: no strip fits."""
    places = layout.led_positions_mm()
    for density in STRIP_DENSITIES:
        if all(
            _fits_density(places[list(run.leds)], run.leds, 1000 / density)
            for run in led_runs(layout)
        ):
            return density, ceil(SPARE_FACTOR * layout.led_count / density * 10) / 10
    return 0, 0.0


def max_led_pitch_mm(layout: LedLayout) -> float:
    """The largest distance between neighbouring LEDs of a run."""
    places = layout.led_positions_mm()
    steps = [np.hypot(*np.diff(places[list(run.leds)], axis=0).T) for run in led_runs(layout)]
    return max((float(each.max()) for each in steps if each.size), default=0.0)


def _fits_density(places: Points, leds: tuple[int, ...], step: float) -> bool:
    """Whether LEDs `step` mm apart are within a quarter of a step of their places."""
    along = np.hypot(*(places - places[0]).T)
    offsets = along - (np.array(leds) - leds[0]) * step
    return bool(np.ptp(offsets) / 2 <= step / 4)


def _split_runs(layout: LedLayout) -> Iterator[LedRun]:
    places = layout.led_positions_mm()
    for lane, leds in enumerate(lane_ranges(layout)):
        run: list[int] = []
        previous: LedStrip | None = None
        axis = "rows"
        for led in leds:
            if np.isnan(places[led, 0]):
                continue
            strip = _strip_of(layout, lane, led - leds.start)
            across = 1 if axis == "rows" else 0
            if run and (
                strip is not previous
                or abs(places[led, across] - places[run[-1], across]) > SAME_LINE_MM
            ):
                yield LedRun(lane, tuple(run), axis)
                run = []
            axis = "rows" if strip is None else strip.axis
            previous = strip
            run.append(led)
        if run:
            yield LedRun(lane, tuple(run), axis)


def _strip_of(layout: LedLayout, lane: int, number: int) -> LedStrip | None:
    """The strip of an LED; None if the board file places the LED by itself."""
    for strip in layout.strips:
        if strip.lane == lane and strip.start <= number < strip.end:
            return strip
    return None
