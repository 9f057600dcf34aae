"""The straight lines in which the LEDs of a board lie, as the data flows: what a builder cuts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from controller.layout import Layout
from controller.led_strips import Strip

SAME_MM = 1e-6


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
