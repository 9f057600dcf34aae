"""The `leds` section of a board file: its text -> frozen values, and back.

What is read fits together: every cell has its number of LEDs, no LED lies under two cells, none
is beyond the end. `controller.layout` makes the table of cells and LEDs from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from controller.finish import Finish
from controller.led_address import BadLeds, read_address
from controller.led_strips import AXES, CORNERS, Strip, along, covered
from controller.ports import ORDERS
from controller.yaml_tree import Place, Section, write_number
from engine.errors import BadPosition
from engine.grid import Cell, Grid

LED_KEYS = (
    *("per_cell", "strips", "overrides", "color_order", "gamma", "brightness"),
    *("ma_limit", "ma_per_led", "watchdog_ms", "url", "effects"),
)
MOST_LEDS, MOST_LANES, MOST_PER_CELL = 2304, 4, 9
LARGEST_GAP = 30
GAMMA = (1, 4)
LARGEST_LIMIT_MA = 65535
WATCHDOG_MS = (50, 65535)
EFFECTS = ("normal", "calm")


@dataclass(frozen=True, slots=True)
class LedSettings:
    """What a board file says about its LEDs."""

    strips: tuple[Strip, ...]
    ma_limit: int  # what the power supply gives to LEDs
    per_cell: tuple[int, int] = (1, 1)  # columns and rows of LEDs in one cell
    overrides: tuple[
        tuple[str, tuple[int, ...]], ...
    ] = ()  # LEDs of a cell, whatever the strips say
    color_order: str = "GRB"
    gamma: float = 2.2
    brightness: int = 255
    ma_per_led: int = 55
    watchdog_ms: int = 500
    url: str | None = None  # None is left to the program
    effects: str = "normal"

    @property
    def lanes(self) -> tuple[int, ...]:
        """How many LEDs are on each lane, also those under no cell."""
        return _lanes(self.strips)

    def finish(self) -> Finish:
        """What makes pictures ready for these LEDs."""
        return Finish(self.gamma, self.brightness, self.ma_limit, self.ma_per_led, sum(self.lanes))


def read_leds(place: Place, grid: Grid) -> LedSettings:
    keys = place.section(*LED_KEYS)
    per_cell = _per_cell(keys.get("per_cell"), grid)
    strips = _strips(keys["strips"], grid, per_cell)
    overrides = _overrides(keys, grid, per_cell, strips)
    ma_limit = keys["ma_limit"].whole(1, LARGEST_LIMIT_MA)
    leds = sum(_lanes(strips))
    if ma_limit <= leds:
        raise keys["ma_limit"].error(
            f"{leds} LEDs take {leds} mA when they are dark: want more, up to what the power"
            " supply gives"
        )
    gamma, order, url, effects = (keys.get(k) for k in ("gamma", "color_order", "url", "effects"))
    return LedSettings(
        strips,
        ma_limit,
        per_cell,
        overrides,
        "GRB" if order is None else order.choice(*ORDERS),
        2.2 if gamma is None else gamma.number(*GAMMA),
        _whole(keys, "brightness", 1, 255, 255),
        _whole(keys, "ma_per_led", 1, 255, 55),
        _whole(keys, "watchdog_ms", *WATCHDOG_MS, 500),
        None if url is None else _url(url),
        "normal" if effects is None else effects.choice(*EFFECTS),
    )


def written_leds(leds: LedSettings | None) -> list[str]:
    """The lines of a section that reads back the same."""
    if leds is None:
        return []
    lines = ["leds:", f"  per_cell: [{leds.per_cell[0]}, {leds.per_cell[1]}]", "  strips:"]
    lines += [f"    - {_written_strip(strip)}" for strip in leds.strips]
    if leds.overrides:
        lines.append("  overrides:")
        lines += [f"    {cell}: {list(numbers)}" for cell, numbers in leds.overrides]
    lines.append(f"  color_order: {leds.color_order}")
    lines.append(f"  gamma: {write_number(leds.gamma)}")
    for key in ("brightness", "ma_limit", "ma_per_led", "watchdog_ms"):
        lines.append(f"  {key}: {getattr(leds, key)}")
    if leds.url is not None:
        lines.append(f"  url: {json.dumps(leds.url, ensure_ascii=False)}")
    return [*lines, f"  effects: {leds.effects}"]


def _whole(keys: Section, key: str, low: int, high: int, default: int) -> int:
    place = keys.get(key)
    return default if place is None else place.whole(low, high)


def _url(place: Place) -> str:
    text = place.text('where the LEDs are, such as "serial:///dev/ttyACM0"')
    try:
        read_address(text)
    except BadLeds as bad:
        raise place.error(str(bad)) from None
    return text


def _per_cell(place: Place | None, grid: Grid) -> tuple[int, int]:
    if place is None:
        return 1, 1
    across, down = (
        each.whole(1, MOST_PER_CELL)
        for each in place.items(2, 2, "a list of two numbers, columns and rows of LEDs in a cell")
    )
    if across * down > MOST_PER_CELL:
        raise place.error(
            f"{across} x {down} are {across * down} LEDs in a cell: at most {MOST_PER_CELL}"
        )
    if grid.headings == 6 and across * down > 1:
        raise place.error("a hexagon has one LED, in its middle: write [1, 1]")
    return across, down


# --- strips ---------------------------------------------------------------------------------------


def _strips(place: Place, grid: Grid, per_cell: tuple[int, int]) -> tuple[Strip, ...]:
    strips: list[Strip] = []
    entries = place.items(1, MOST_LEDS, "a list of strips, at least one")
    for entry in entries:
        strip = _strip(entry, grid, per_cell, strips)
        for number, other in enumerate(strips):
            if strip.lane == other.lane and strip.start < other.end and other.start < strip.end:
                low, high = max(strip.start, other.start), min(strip.end, other.end) - 1
                raise entry.error(
                    f"LEDs {low} to {high} of lane {strip.lane} belong to strips[{number}]"
                    f" already: start at {other.end}, or leave `start` out"
                )
        strips.append(strip)
    used = {strip.lane for strip in strips}
    for entry, strip in zip(entries, strips, strict=True):
        if strip.lane and strip.lane - 1 not in used:
            raise entry.error(
                f"lane {strip.lane} is used, but lane {strip.lane - 1} is not: count lanes from 0"
            )
    if sum(_lanes(strips)) > MOST_LEDS:
        raise place.error(f"{sum(_lanes(strips))} LEDs in all: at most {MOST_LEDS}")
    return tuple(strips)


def _strip(place: Place, grid: Grid, per_cell: tuple[int, int], before: Sequence[Strip]) -> Strip:
    keys = place.section(
        *("lane", "start", "count", "cells", "origin_corner", "axis"),
        *("serpentine", "reversed", "skip", "gaps"),
    )
    lane = _whole(keys, "lane", 0, MOST_LANES - 1, 0)
    follows = max((strip.end for strip in before if strip.lane == lane), default=0)
    corner, axis = keys.get("origin_corner"), keys.get("axis")
    strip = Strip(
        lane,
        follows if "start" not in keys.entries else keys["start"].whole(0, MOST_LEDS - 1),
        cells=_cells(keys.get("cells"), grid),
        origin_corner="upper_left" if corner is None else corner.choice(*CORNERS),
        axis="rows" if axis is None else axis.choice(*AXES),
        serpentine=_yes_or_no(keys, "serpentine", True),
        reversed=_yes_or_no(keys, "reversed", False),
        skip=_skip(keys.get("skip")),
    )
    if axis is not None and strip.axis == "columns" and grid.headings == 6:
        raise axis.error("hexagons have no straight columns: lay the strip along the rows")
    if strip.cells == ():
        for key in keys.entries.keys() - {"lane", "start", "count", "cells"}:
            keys.refuse(key, "a strip under no cell (cells: []) has only lane, start and count")
        return replace(strip, count=keys["count"].whole(1, MOST_LEDS))
    strip = _with_gaps(strip, keys.get("gaps"))
    needed = len(along(strip, grid, per_cell))
    if strip.skip and strip.skip[-1] >= needed:
        raise keys["skip"].error(
            f"{strip.skip[-1]} is beyond the strip, whose {needed} LEDs are 0 to {needed - 1}"
        )
    if needed > MOST_LEDS:
        raise place.error(f"its cells need {needed} LEDs: at most {MOST_LEDS}")
    count = _whole(keys, "count", 1, MOST_LEDS, needed)
    if count != needed:
        raise keys["count"].error(
            f"got {count}, but its cells need {needed} LEDs, with `skip` and `gaps`: correct"
            " these, or the cells; LEDs after the last cell do not count"
        )
    return replace(strip, count=count)


def _with_gaps(strip: Strip, place: Place | None) -> Strip:
    if place is None:
        return strip
    keys = place.section("cell", "turn")
    cell, turn = (_whole(keys, key, 0, LARGEST_GAP, 0) for key in ("cell", "turn"))
    return replace(strip, cell_gap=cell, turn_gap=turn)


def _cells(place: Place | None, grid: Grid) -> tuple[str, ...] | None:
    if place is None:
        return None
    corners = place.items(0, 2, "a list of two cells, opposite corners of a rectangle")
    if len(corners) == 1:
        raise place.error("got a list of 1, want two cells: for one alone write it twice")
    return tuple(grid.name(_cell(corner, grid)) for corner in corners)


def _cell(place: Place, grid: Grid) -> Cell:
    try:
        return grid.cell(place.text("the name of a cell, such as a1"))
    except BadPosition as bad:
        raise place.error(str(bad)) from None


def _skip(place: Place | None) -> tuple[int, ...]:
    if place is None:
        return ()
    found: set[int] = set()
    for each in place.items(0, MOST_LEDS, "a list of numbers, LEDs of the strip under no cell"):
        number = each.whole(0, MOST_LEDS - 1)
        if number in found:
            raise each.error(f"{number} is in the list twice")
        found.add(number)
    return tuple(sorted(found))


def _yes_or_no(keys: Section, key: str, default: bool) -> bool:
    place = keys.get(key)
    return default if place is None else place.yes_or_no()


# --- cells by hand --------------------------------------------------------------------------------


def _overrides(
    keys: Section, grid: Grid, per_cell: tuple[int, int], strips: tuple[Strip, ...]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    place = keys.get("overrides")
    by_hand = {} if place is None else {_cell(key, grid): value for key, value in place.pairs()}
    taken = dict(_by_strips(keys["strips"], grid, per_cell, strips, by_hand.keys()))
    want, leds = per_cell[0] * per_cell[1], sum(_lanes(strips))
    read = []
    for cell, value in by_hand.items():
        name, numbers = grid.name(cell), []
        for each in value.items(want, want, f"a list of {want}: the LEDs under {name}"):
            number = each.whole(0, leds - 1)
            if number in taken:
                other = grid.name(taken[number])
                raise each.error(
                    f"LED {number} is in the list twice"
                    if other == name
                    else f"LED {number} lies under both {other} and {name}: name another LED, or"
                    f" override {other} too"
                )
            taken[number] = cell
            numbers.append(number)
        read.append((name, tuple(numbers)))
    return tuple(read)


def _by_strips(
    place: Place,
    grid: Grid,
    per_cell: tuple[int, int],
    strips: tuple[Strip, ...],
    by_hand: Set[Cell],
) -> Iterator[tuple[int, Cell]]:
    """Each LED under a cell, and the cell, but for those mapped by hand: all others once."""
    owner: dict[Cell, int] = {}
    lanes = _lanes(strips)
    entries = place.items(1, MOST_LEDS, "")
    for index, strip in enumerate(strips):
        for cell in sorted(covered(strip, grid)):
            if cell in owner and cell not in by_hand:
                raise entries[index].error(
                    f"{grid.name(cell)} has its LEDs from strips[{owner[cell]}] already: say with"
                    " `cells` which rectangle each strip lies under"
                )
            owner[cell] = index
        first = sum(lanes[: strip.lane]) + strip.start
        for number, slot in enumerate(along(strip, grid, per_cell), first):
            if slot is not None and slot[0] not in by_hand:
                yield number, slot[0]
    dark = [grid.name(cell) for cell in sorted(set(range(grid.size)) - owner.keys() - by_hand)]
    if dark:
        more = f" and {len(dark) - 3} more" if len(dark) > 3 else ""
        raise place.error(
            f"no LED lies under {', '.join(dark[:3])}{more}: add a strip, or list the LEDs in"
            " overrides"
        )


def _lanes(strips: Sequence[Strip]) -> tuple[int, ...]:
    lanes = max(strip.lane for strip in strips) + 1
    return tuple(
        max((strip.end for strip in strips if strip.lane == lane), default=0)
        for lane in range(lanes)
    )


def _written_strip(strip: Strip) -> str:
    yes_no = {True: "true", False: "false"}
    keys = [f"lane: {strip.lane}", f"start: {strip.start}", f"count: {strip.count}"]
    if strip.cells is not None:
        keys.append(f"cells: [{', '.join(strip.cells)}]")
    if strip.cells != ():
        keys += [f"origin_corner: {strip.origin_corner}", f"axis: {strip.axis}"]
        keys += [f"{k}: {yes_no[getattr(strip, k)]}" for k in ("serpentine", "reversed")]
    if strip.skip:
        keys.append(f"skip: {list(strip.skip)}")
    if strip.cell_gap or strip.turn_gap:
        keys.append(f"gaps: {{cell: {strip.cell_gap}, turn: {strip.turn_gap}}}")
    return f"{{{', '.join(keys)}}}"
