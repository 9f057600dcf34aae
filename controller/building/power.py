"""The power of a board: what its LEDs take, where it is fed in, through which fuses and wires.

Every current comes from `controller.finish`, the very code that keeps pictures to the limit. The
limit is one for the whole board: a single section may take all of it, or all that its LEDs can.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from controller.building.copper import VOLTS, Wire, fuse_a, supplies, wire
from controller.building.lines import Line, lanes, lines
from controller.finish import milliamps
from controller.layout import Layout
from controller.led_settings import LedSettings

SECTION_LEDS, SECTION_MA = 100, 6000  # of one feed, at most
MAIN_MM = 500  # from the supply to the fuses
SPARE_MM, ROUND_MM = 300, 50  # to every wire under the board; lengths are multiples of this
MAIN_PART, FEED_PART = 0.02, 0.03  # of the 5 V, lost in the wires: 5 % in all


@dataclass(frozen=True, slots=True)
class Feed:
    """A point where 5 V and ground come in, for a section of a lane, through a fuse."""

    number: int  # F1, F2 ...
    lane: int
    first: int  # of its section
    last: int
    at: int  # the LED where the wires are soldered on, in the middle of its section
    ma: int  # at most
    fuse_a: float
    wire: Wire
    length_mm: int

    @property
    def name(self) -> str:
        return f"F{self.number}"

    @property
    def drop_v(self) -> float:
        return self.wire.drop_v(self.ma / 1000, self.length_mm)


@dataclass(frozen=True, slots=True)
class Budget:
    """All that a builder must know about the power of a board."""

    leds: int
    dark_ma: int
    worst_ma: int  # all white, without a limit
    limit_ma: int
    supplies: int
    supply_a: int  # of each
    main: Wire  # from each supply to its fuses
    feeds: tuple[Feed, ...]
    join: Wire  # between pieces of strip

    @property
    def most_ma(self) -> int:
        """What the board can take at all."""
        return min(self.worst_ma, self.limit_ma)

    @property
    def main_drop_v(self) -> float:
        return self.main.drop_v(self.most_ma / 1000 / self.supplies, MAIN_MM)

    @property
    def drop_v(self) -> float:
        """What the worst placed section loses on its way."""
        return self.main_drop_v + max(feed.drop_v for feed in self.feeds)

    def feed_of(self, led: int) -> Feed:
        return next(feed for feed in self.feeds if feed.first <= led <= feed.last)


def budget(settings: LedSettings, layout: Layout) -> Budget:
    leds = layout.leds
    worst = milliamps(_white(leds, settings), settings.ma_per_led)
    most_a = min(worst, settings.ma_limit) / 1000
    count, amps = supplies(most_a)
    feeds = _feeds(settings, layout)
    return Budget(
        leds,
        milliamps(np.zeros((leds, 3), np.uint8), settings.ma_per_led),
        worst,
        settings.ma_limit,
        count,
        amps,
        # Nothing but the supply itself guards this one.
        wire(amps, most_a / count, MAIN_MM, MAIN_PART),
        feeds,
        wire(max(feed.fuse_a for feed in feeds), 0, 0, 1),
    )


def run_mm(layout: Layout, led: int) -> int:
    """The wire from where lane 0 begins, and the fuses and the level shifter lie, to an LED."""
    places = layout.places_mm()
    placed = np.flatnonzero(~np.isnan(places[:, 0]))
    begin, there = (places[placed[np.abs(placed - n).argmin()]] for n in (0, led))
    return ROUND_MM * ceil((float(np.abs(there - begin).sum()) + SPARE_MM) / ROUND_MM)


def _feeds(settings: LedSettings, layout: Layout) -> tuple[Feed, ...]:
    every = lines(layout)
    feeds: list[Feed] = []
    for lane, leds in enumerate(lanes(layout)):
        for section in _sections(leds, [line for line in every if line.lane == lane], settings):
            white = milliamps(_white(len(section), settings), settings.ma_per_led)
            most = min(white, settings.ma_limit)
            fuse = fuse_a(most / 1000)
            at = _middle(section, every, layout)
            length = run_mm(layout, at)
            cable = wire(fuse, most / 1000, length, FEED_PART)
            feeds.append(
                Feed(len(feeds) + 1, lane, section[0], section[-1], at, most, fuse, cable, length)
            )
    thickest = max((feed.wire for feed in feeds), key=lambda each: each.mm2)
    return tuple(replace(feed, wire=thickest) for feed in feeds)  # one roll of wire for all


def _sections(leds: range, lane: list[Line], settings: LedSettings) -> list[range]:
    """As few as possible, as even as possible, each of whole lines where that can be."""
    one = milliamps(_white(1, settings), settings.ma_per_led)
    most = max(1, min(SECTION_LEDS, SECTION_MA // one))
    starts = [line.first for line in lane]
    best = _cut(leds, starts, most)
    for smaller in range(most - 1, 0, -1):
        cut = _cut(leds, starts, smaller)
        if len(cut) > len(best):
            break
        best = cut
    return best


def _cut(leds: range, starts: list[int], most: int) -> list[range]:
    cut, begin = [], leds.start
    while leds.stop - begin > most:
        end = max((s for s in starts if begin < s <= begin + most), default=begin + most)
        cut.append(range(begin, end))
        begin = end
    return [*cut, range(begin, leds.stop)] if leds else []


def _middle(section: range, every: tuple[Line, ...], layout: Layout) -> int:
    """Where a line begins, as near to the middle as can be: both ends get the same voltage."""
    middle = (section.start + section.stop) / 2
    starts = [line.first for line in every if line.first in section]
    return min(
        starts,
        key=lambda led: (abs(led - middle), run_mm(layout, led)),
        default=section.start,
    )


def _white(leds: int, settings: LedSettings) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.full((leds, 3), settings.brightness, np.uint8)


def percent(volts: float) -> float:
    return 100 * volts / VOLTS
