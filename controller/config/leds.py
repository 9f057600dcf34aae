"""Reads and writes the section `leds` of a board file.

Validates the section as a whole: every cell has its number of LEDs, no LED is under two cells, and
no number is beyond the end. `controller.lighting.layout` turns the result into a table of LEDs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from controller.config import sentences
from controller.config.addresses.leds import BadLeds, parse_led_url
from controller.config.led_strips import AXES, CORNERS, LedStrip, cells_under, slots_along
from controller.config.yaml_tree import ConfigNode, ConfigSection, format_number
from controller.ports.devices import COLOR_ORDERS
from engine.errors import BadPosition
from engine.grid import Cell, Grid

LED_KEYS = (
    *("per_cell", "strips", "overrides", "color_order", "gamma", "brightness"),
    *("ma_limit", "ma_per_led", "watchdog_ms", "url", "effects"),
)
MAX_LEDS, MAX_LANES, MAX_LEDS_PER_CELL = 2304, 4, 9
MAX_GAP_LEDS = 30
GAMMA_RANGE = (1, 4)
MAX_LIMIT_MA = 65535
WATCHDOG_MS_RANGE = (50, 65535)
EFFECTS = ("normal", "calm")


@dataclass(frozen=True, slots=True)
class LedSettings:
    """The section `leds`."""

    strips: tuple[LedStrip, ...]
    ma_limit: int  # current that the power supply has for LEDs
    per_cell: tuple[int, int] = (1, 1)  # columns, rows
    overrides: tuple[
        tuple[str, tuple[int, ...]], ...
    ] = ()  # cell, its LEDs: instead of those of the strips
    color_order: str = "GRB"
    gamma: float = 2.2
    brightness: int = 255
    ma_per_led: int = 55
    watchdog_ms: int = 500
    url: str | None = None  # None: the program chooses
    effects: str = "normal"

    @property
    def leds_per_lane(self) -> tuple[int, ...]:
        """The number of LEDs on each lane, including those under no cell."""
        return _leds_per_lane(self.strips)


def read_leds(node: ConfigNode, grid: Grid) -> LedSettings:
    keys = node.section(*LED_KEYS)
    per_cell = _read_per_cell(keys.get("per_cell"), grid)
    strips = _read_strips(keys["strips"], grid, per_cell)
    overrides = _read_overrides(keys, grid, per_cell, strips)
    ma_limit = keys["ma_limit"].integer(1, MAX_LIMIT_MA)
    leds = sum(_leds_per_lane(strips))
    if ma_limit <= leds:
        raise keys["ma_limit"].error(sentences.POWER_TOO_LOW(leds=leds))
    gamma, order, url, effects = (keys.get(k) for k in ("gamma", "color_order", "url", "effects"))
    return LedSettings(
        strips,
        ma_limit,
        per_cell,
        overrides,
        "GRB" if order is None else order.choice(*COLOR_ORDERS),
        2.2 if gamma is None else gamma.number(*GAMMA_RANGE),
        _read_int(keys, "brightness", 1, 255, 255),
        _read_int(keys, "ma_per_led", 1, 255, 55),
        _read_int(keys, "watchdog_ms", *WATCHDOG_MS_RANGE, 500),
        None if url is None else _read_url(url),
        "normal" if effects is None else effects.choice(*EFFECTS),
    )


def write_leds(leds: LedSettings | None) -> list[str]:
    """The lines of the section."""
    if leds is None:
        return []
    lines = ["leds:", f"  per_cell: [{leds.per_cell[0]}, {leds.per_cell[1]}]", "  strips:"]
    lines += [f"    - {_strip_text(strip)}" for strip in leds.strips]
    if leds.overrides:
        lines.append("  overrides:")
        lines += [f"    {cell}: {list(numbers)}" for cell, numbers in leds.overrides]
    lines.append(f"  color_order: {leds.color_order}")
    lines.append(f"  gamma: {format_number(leds.gamma)}")
    for key in ("brightness", "ma_limit", "ma_per_led", "watchdog_ms"):
        lines.append(f"  {key}: {getattr(leds, key)}")
    if leds.url is not None:
        lines.append(f"  url: {json.dumps(leds.url, ensure_ascii=False)}")
    return [*lines, f"  effects: {leds.effects}"]


def _read_int(keys: ConfigSection, key: str, low: int, high: int, default: int) -> int:
    node = keys.get(key)
    return default if node is None else node.integer(low, high)


def _read_url(node: ConfigNode) -> str:
    text = node.text(sentences.LED_PLACE())
    try:
        parse_led_url(text)
    except BadLeds as error:
        raise node.error(error.sentence) from error
    return text


def _read_per_cell(node: ConfigNode | None, grid: Grid) -> tuple[int, int]:
    if node is None:
        return 1, 1
    across, down = (
        each.integer(1, MAX_LEDS_PER_CELL) for each in node.items(2, 2, sentences.LEDS_PER_CELL())
    )
    if across * down > MAX_LEDS_PER_CELL:
        raise node.error(
            sentences.TOO_MANY_LEDS_IN_CELL(
                columns=across, rows=down, count=across * down, most=MAX_LEDS_PER_CELL
            )
        )
    if grid.headings == 6 and across * down > 1:
        raise node.error(sentences.HEXAGON_HAS_ONE_LED())
    return across, down


# --- strips ---------------------------------------------------------------------------------------


def _read_strips(node: ConfigNode, grid: Grid, per_cell: tuple[int, int]) -> tuple[LedStrip, ...]:
    strips: list[LedStrip] = []
    entries = node.items(1, MAX_LEDS, sentences.LIST_OF_STRIPS())
    for entry in entries:
        strip = _read_strip(entry, grid, per_cell, strips)
        for number, other in enumerate(strips):
            if strip.lane == other.lane and strip.start < other.end and other.start < strip.end:
                low, high = max(strip.start, other.start), min(strip.end, other.end) - 1
                raise entry.error(
                    sentences.LEDS_OF_OTHER_STRIP(
                        first=low, last=high, lane=strip.lane, strip=number, free=other.end
                    )
                )
        strips.append(strip)
    used = {strip.lane for strip in strips}
    for entry, strip in zip(entries, strips, strict=True):
        if strip.lane and strip.lane - 1 not in used:
            raise entry.error(sentences.LANE_SKIPPED(lane=strip.lane, before=strip.lane - 1))
    leds = sum(_leds_per_lane(strips))
    if leds > MAX_LEDS:
        raise node.error(sentences.TOO_MANY_LEDS(count=leds, most=MAX_LEDS))
    return tuple(strips)


def _read_strip(
    node: ConfigNode, grid: Grid, per_cell: tuple[int, int], before: Sequence[LedStrip]
) -> LedStrip:
    keys = node.section(
        *("lane", "start", "count", "cells", "origin_corner", "axis"),
        *("serpentine", "reversed", "skip", "gaps"),
    )
    lane = _read_int(keys, "lane", 0, MAX_LANES - 1, 0)
    follows = max((strip.end for strip in before if strip.lane == lane), default=0)
    corner, axis = keys.get("origin_corner"), keys.get("axis")
    strip = LedStrip(
        lane,
        follows if "start" not in keys.entries else keys["start"].integer(0, MAX_LEDS - 1),
        cells=_read_rectangle(keys.get("cells"), grid),
        origin_corner="upper_left" if corner is None else corner.choice(*CORNERS),
        axis="rows" if axis is None else axis.choice(*AXES),
        serpentine=_read_bool(keys, "serpentine", True),
        reversed=_read_bool(keys, "reversed", False),
        skip=_read_skip(keys.get("skip")),
    )
    if axis is not None and strip.axis == "columns" and grid.headings == 6:
        raise axis.error(sentences.HEXAGONS_HAVE_NO_COLUMNS())
    if strip.cells == ():
        for key in keys.entries.keys() - {"lane", "start", "count", "cells"}:
            keys.refuse(key, sentences.STRIP_UNDER_NO_CELL())
        return replace(strip, count=keys["count"].integer(1, MAX_LEDS))
    strip = _with_gaps(strip, keys.get("gaps"))
    needed = len(slots_along(strip, grid, per_cell))
    if strip.skip and strip.skip[-1] >= needed:
        raise keys["skip"].error(
            sentences.SKIP_BEYOND_STRIP(led=strip.skip[-1], count=needed, last=needed - 1)
        )
    if needed > MAX_LEDS:
        raise node.error(sentences.STRIP_TOO_LONG(count=needed, most=MAX_LEDS))
    count = _read_int(keys, "count", 1, MAX_LEDS, needed)
    if count != needed:
        raise keys["count"].error(sentences.WRONG_LED_COUNT(count=count, needed=needed))
    return replace(strip, count=count)


def _with_gaps(strip: LedStrip, node: ConfigNode | None) -> LedStrip:
    if node is None:
        return strip
    keys = node.section("cell", "turn")
    cell, turn = (_read_int(keys, key, 0, MAX_GAP_LEDS, 0) for key in ("cell", "turn"))
    return replace(strip, cell_gap=cell, turn_gap=turn)


def _read_rectangle(node: ConfigNode | None, grid: Grid) -> tuple[str, ...] | None:
    if node is None:
        return None
    corners = node.items(0, 2, sentences.CELL_RECTANGLE())
    if len(corners) == 1:
        raise node.wrong_length(sentences.TWO_CELLS())
    return tuple(grid.name(_read_cell(corner, grid)) for corner in corners)


def _read_cell(node: ConfigNode, grid: Grid) -> Cell:
    try:
        return grid.cell(node.text(sentences.CELL_NAME()))
    except BadPosition as error:
        raise node.error(error.sentence) from error


def _read_skip(node: ConfigNode | None) -> tuple[int, ...]:
    if node is None:
        return ()
    found: set[int] = set()
    for each in node.items(0, MAX_LEDS, sentences.SKIPPED_LEDS()):
        number = each.integer(0, MAX_LEDS - 1)
        if number in found:
            raise each.error(sentences.NUMBER_TWICE(number=number))
        found.add(number)
    return tuple(sorted(found))


def _read_bool(keys: ConfigSection, key: str, default: bool) -> bool:
    node = keys.get(key)
    return default if node is None else node.boolean()


# --- overrides ------------------------------------------------------------------------------------


def _read_overrides(
    keys: ConfigSection, grid: Grid, per_cell: tuple[int, int], strips: tuple[LedStrip, ...]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    node = keys.get("overrides")
    overridden = (
        {} if node is None else {_read_cell(key, grid): value for key, value in node.pairs()}
    )
    taken = dict(_cells_by_led(keys["strips"], grid, per_cell, strips, overridden.keys()))
    want, leds = per_cell[0] * per_cell[1], sum(_leds_per_lane(strips))
    read = []
    for cell, value in overridden.items():
        name, numbers = grid.name(cell), []
        for each in value.items(want, want, sentences.LEDS_UNDER_CELL(count=want, cell=name)):
            number = each.integer(0, leds - 1)
            if number in taken:
                other = grid.name(taken[number])
                raise each.error(
                    sentences.LED_TWICE(led=number)
                    if other == name
                    else sentences.LED_UNDER_BOTH(led=number, other=other, cell=name)
                )
            taken[number] = cell
            numbers.append(number)
        read.append((name, tuple(numbers)))
    return tuple(read)


def _cells_by_led(
    node: ConfigNode,
    grid: Grid,
    per_cell: tuple[int, int],
    strips: tuple[LedStrip, ...],
    overridden: Set[Cell],
) -> Iterator[tuple[int, Cell]]:
    """Yield each LED with its cell by the strips. Every cell needs LEDs, except those in
    `overridden`."""
    owner: dict[Cell, int] = {}
    lanes = _leds_per_lane(strips)
    entries = node.items(1, MAX_LEDS, sentences.LIST_OF_STRIPS())
    for index, strip in enumerate(strips):
        for cell in sorted(cells_under(strip, grid)):
            if cell in owner and cell not in overridden:
                raise entries[index].error(
                    sentences.CELL_HAS_LEDS(cell=grid.name(cell), strip=owner[cell])
                )
            owner[cell] = index
        first = sum(lanes[: strip.lane]) + strip.start
        for number, slot in enumerate(slots_along(strip, grid, per_cell), first):
            if slot is not None and slot[0] not in overridden:
                yield number, slot[0]
    dark = [grid.name(cell) for cell in sorted(set(range(grid.size)) - owner.keys() - overridden)]
    if dark:
        cells, more = tuple(dark[:3]), len(dark) - 3
        raise node.error(
            sentences.DARK_CELLS_AND_MORE(cells=cells, count=more)
            if more > 0
            else sentences.DARK_CELLS(cells=cells)
        )


def _leds_per_lane(strips: Sequence[LedStrip]) -> tuple[int, ...]:
    lanes = max(strip.lane for strip in strips) + 1
    return tuple(
        max((strip.end for strip in strips if strip.lane == lane), default=0)
        for lane in range(lanes)
    )


def _strip_text(strip: LedStrip) -> str:
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
