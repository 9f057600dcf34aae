"""Plans the power of a board: current of the LEDs, feeds, fuses and wires.

Uses the current estimate of `controller.lighting.output`, which also limits the pictures. The
limit holds for the whole board: one section can take all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from controller.builder.electrics.led_runs import LedRun, lane_ranges, led_runs
from controller.builder.electrics.wire_sizes import (
    VOLTS,
    Wire,
    choose_fuse_a,
    choose_supplies,
    choose_wire,
)
from controller.config.leds import LedSettings
from controller.lighting.layout import LedLayout
from controller.lighting.output import estimate_current_ma

MAX_SECTION_LEDS, MAX_SECTION_MA = 100, 6000  # per feed
MAIN_WIRE_MM = 500  # from the supply to the fuses
SPARE_MM, LENGTH_STEP_MM = 300, 50  # added to every wire; lengths are rounded up to the step
MAIN_MAX_DROP_SHARE, FEED_MAX_DROP_SHARE = 0.02, 0.03  # of 5 V: 5 % in total


@dataclass(frozen=True, slots=True)
class PowerFeed:
    """A fused connection of 5 V and ground to a section of a lane."""

    number: int  # F1, F2 ...
    lane: int
    first: int  # first LED of the section
    last: int
    at: int  # LED with the solder joint, in the middle of the section
    ma: int  # maximum
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
class PowerBudget:
    """Currents, supplies, wires and feeds of a board."""

    leds: int
    dark_ma: int
    worst_ma: int  # all LEDs white, without the limit
    limit_ma: int
    supplies: int
    supply_a: int  # of each
    main_wire: Wire  # from each supply to the fuses
    feeds: tuple[PowerFeed, ...]
    join_wire: Wire  # between strip segments

    @property
    def peak_ma(self) -> int:
        """The maximum current, with the limit."""
        return min(self.worst_ma, self.limit_ma)

    @property
    def main_drop_v(self) -> float:
        return self.main_wire.drop_v(self.peak_ma / 1000 / self.supplies, MAIN_WIRE_MM)

    @property
    def drop_v(self) -> float:
        """Voltage drop to the worst feed."""
        return self.main_drop_v + max(feed.drop_v for feed in self.feeds)


def plan_power(settings: LedSettings, layout: LedLayout) -> PowerBudget:
    leds = layout.led_count
    worst = estimate_current_ma(_white(leds, settings), settings.ma_per_led)
    most_a = min(worst, settings.ma_limit) / 1000
    count, amps = choose_supplies(most_a)
    feeds = _feeds(settings, layout)
    return PowerBudget(
        leds,
        estimate_current_ma(np.zeros((leds, 3), np.uint8), settings.ma_per_led),
        worst,
        settings.ma_limit,
        count,
        amps,
        # The main wire has no fuse: only the supply's own limit protects it.
        choose_wire(amps, most_a / count, MAIN_WIRE_MM, MAIN_MAX_DROP_SHARE),
        feeds,
        choose_wire(max(feed.fuse_a for feed in feeds), 0, 0, 1),
    )


def wire_length_mm(layout: LedLayout, led: int) -> int:
    """Wire length from LED 0, where fuses and level shifter are, to another LED."""
    places = layout.led_positions_mm()
    placed = np.flatnonzero(~np.isnan(places[:, 0]))
    start, end = (places[placed[np.abs(placed - n).argmin()]] for n in (0, led))
    return LENGTH_STEP_MM * ceil((float(np.abs(end - start).sum()) + SPARE_MM) / LENGTH_STEP_MM)


def _feeds(settings: LedSettings, layout: LedLayout) -> tuple[PowerFeed, ...]:
    runs = led_runs(layout)
    feeds: list[PowerFeed] = []
    for lane, leds in enumerate(lane_ranges(layout)):
        for section in _sections(leds, [run for run in runs if run.lane == lane], settings):
            white = estimate_current_ma(_white(len(section), settings), settings.ma_per_led)
            most = min(white, settings.ma_limit)
            fuse = choose_fuse_a(most / 1000)
            at = _feed_led(section, runs, layout)
            length = wire_length_mm(layout, at)
            wire = choose_wire(fuse, most / 1000, length, FEED_MAX_DROP_SHARE)
            feeds.append(
                PowerFeed(
                    len(feeds) + 1, lane, section[0], section[-1], at, most, fuse, wire, length
                )
            )
    thickest = max((feed.wire for feed in feeds), key=lambda each: each.mm2)
    return tuple(replace(feed, wire=thickest) for feed in feeds)  # buy one size only


def _sections(leds: range, runs: list[LedRun], settings: LedSettings) -> list[range]:
    """As few sections as possible, of similar size, cut between lines where possible."""
    one = estimate_current_ma(_white(1, settings), settings.ma_per_led)
    most = max(1, min(MAX_SECTION_LEDS, MAX_SECTION_MA // one))
    starts = [run.first for run in runs]
    best = _split_leds(leds, starts, most)
    for smaller in range(most - 1, 0, -1):
        cut = _split_leds(leds, starts, smaller)
        if len(cut) > len(best):
            break
        best = cut
    return best


def _split_leds(leds: range, starts: list[int], most: int) -> list[range]:
    cut, begin = [], leds.start
    while leds.stop - begin > most:
        end = max((s for s in starts if begin < s <= begin + most), default=begin + most)
        cut.append(range(begin, end))
        begin = end
    return [*cut, range(begin, leds.stop)] if leds else []


def _feed_led(section: range, runs: tuple[LedRun, ...], layout: LedLayout) -> int:
    """The start of a line nearest to the middle: both ends get the same voltage."""
    middle = (section.start + section.stop) / 2
    starts = [run.first for run in runs if run.first in section]
    return min(
        starts,
        key=lambda led: (abs(led - middle), wire_length_mm(layout, led)),
        default=section.start,
    )


def _white(leds: int, settings: LedSettings) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.full((leds, 3), settings.brightness, np.uint8)


def percent_of_supply(volts: float) -> float:
    return 100 * volts / VOLTS
