"""The straight lines in which the LEDs of a board lie, as the data flows: what a builder cuts, and
of which strip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from controller.layout import Layout
from controller.led_strips import Strip
from vision.board import Points

SAME_MM = 1e-6
DENSITIES = (30, 60, 96, 100, 144)  # LEDs a metre, of strips in the shop
SPARE = 1.1  # a tenth more wire and strip than the drawing says


@dataclass(frozen=True, slots=True)
class Line:
    """LEDs that follow each other straight on; those under no cell are not named."""

    lane: int
    leds: tuple[int, ...]
    axis: str  # rows or columns

    @property
    def first(self) -> int:
        return self.leds[0]

    @property
    def last(self) -> int:
        return self.leds[-1]


def lanes(layout: Layout) -> list[range]:
    """The LEDs of each lane."""
    starts = np.cumsum([0, *layout.lanes]).tolist()
    return [range(start, end) for start, end in pairwise(starts)]


def lines(layout: Layout) -> tuple[Line, ...]:
    """Every LED under a cell is in one of them, in the order of its number."""
    return tuple(_lines(layout))


def fitting_strip(layout: Layout) -> tuple[int, float]:
    """LEDs a metre of the strip that has them under the cells, and its metres; 0: none has."""
    places = layout.places_mm()
    for density in DENSITIES:
        if all(_lies(places[list(line.leds)], line.leds, 1000 / density) for line in lines(layout)):
            return density, ceil(SPARE * layout.leds / density * 10) / 10
    return 0, 0.0


def step_mm(layout: Layout) -> float:
    """The most from an LED of a line to the next."""
    places = layout.places_mm()
    steps = [np.hypot(*np.diff(places[list(line.leds)], axis=0).T) for line in lines(layout)]
    return max((float(each.max()) for each in steps if each.size), default=0.0)


def _lies(places: Points, leds: tuple[int, ...], step: float) -> bool:
    """Whether LEDs a step apart come to lie within a quarter of a step of where they should."""
    along = np.hypot(*(places - places[0]).T)
    laid = (np.array(leds) - leds[0]) * step
    off = along - laid
    return bool(np.ptp(off) / 2 <= step / 4)


def _lines(layout: Layout) -> Iterator[Line]:
    places = layout.places_mm()
    for lane, leds in enumerate(lanes(layout)):
        line: list[int] = []
        laid_before: Strip | None = None
        axis = "rows"
        for led in leds:
            if np.isnan(places[led, 0]):
                continue
            laid = _strip(layout, lane, led - leds.start)
            across = 1 if axis == "rows" else 0
            if line and (
                laid is not laid_before
                or abs(places[led, across] - places[line[-1], across]) > SAME_MM
            ):
                yield Line(lane, tuple(line), axis)
                line = []
            axis = "rows" if laid is None else laid.axis
            laid_before = laid
            line.append(led)
        if line:
            yield Line(lane, tuple(line), axis)


def _strip(layout: Layout, lane: int, number: int) -> Strip | None:
    """The strip that an LED of a lane belongs to; None where nothing is said of it."""
    for strip in layout.strips:
        if strip.lane == lane and strip.start <= number < strip.end:
            return strip
    return None
