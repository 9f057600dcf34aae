"""How everything on a board hangs together: Pi, driver, level shifter, supply, fuses, lanes."""

from __future__ import annotations

from collections.abc import Iterator

from controller.building.copper import VOLTS
from controller.building.hookup import LOGIC_FUSE, DataLine, Driver, Hookup, driver_of
from controller.building.lines import lanes
from controller.config import shipped_boards
from controller.sheets.ink import (
    EDGE,
    GROUND,
    LANES,
    PAPER,
    PLUS,
    POWER_MM,
    arrow_head,
    box,
    capacitor,
    fuse,
    heading,
    lane_path,
    path,
    resistor,
)
from controller.sheets.marks import paragraph
from controller.sheets.page import A4, GREY, Page, Paper, page, words
from controller.sheets.plan_driver import driver, package
from controller.sheets.plan_pi import pi
from controller.sheets.plan_places import (
    BUS_Y,
    CHIP_X,
    LANE_X,
    SHIFTER_WIDTH,
    SHIFTER_X,
    lane_y,
)
from engine.draw.shapes import Point, tag

FUSE_X, FUSE_Y, FUSE_PITCH, MOST_FUSES = 180.0, 137.0, 5.6, 9
CARE = (
    "1  LEDs get nothing from the pins of the Pi or the Pico.",
    "2  All grounds are joined: supply, strips, shifter, Pi.",
    "3  No fuse in: no short between any feed and ground,",
    "    and 4.9 to 5.2 V at the fuse box.",
    "4  One fuse after the other: nothing may get hot.",
)
ADDRESSES = {
    Driver.PICO: "serial://auto",
    Driver.SPI: "gpio://spi",
    Driver.WLED: "ddp://wled.local",
}


def plan_page(hooked: Hookup, paper: Paper) -> Page:
    across, drawn = paper.landscape(), A4.landscape()
    board, power = hooked.layout.board, hooked.power
    supply = f"{power.supplies} supplies of" if power.supplies > 1 else "supply"
    drive = {
        Driver.PICO: "a Raspberry Pi Pico",
        Driver.SPI: "the Pi's SPI pins (APA102, SK9822)",
        Driver.WLED: "a WLED controller",
    }[hooked.driver]
    below = (
        f"{hooked.layout.described()}; driven by {drive}; {supply} {VOLTS:g} V,"
        f" {power.supply_a} A; limit {power.limit_ma} mA"
    )
    parts = [
        heading(f"{board.name}: how it is wired", below, drawn.margin_mm, drawn.margin_mm),
        *pi(hooked),
        *driver(hooked),
        *([] if hooked.driver is Driver.WLED else package()),
        *_lanes(hooked),
        *_power(hooked, drawn),
        *_care(hooked, drawn),
    ]
    scale = min(across.width_mm / drawn.width_mm, across.height_mm / drawn.height_mm)
    if scale == 1:
        return page(across, parts)
    return page(across, [tag("g", *parts, transform=f"scale({scale:.4f})")])


# -- to the strips -----------------------------------------------------------------------------


def _lanes(hooked: Hookup) -> Iterator[str]:
    right = SHIFTER_X + SHIFTER_WIDTH
    for number, line in enumerate(hooked.data):
        y, style = lane_y(number), LANES[line.lane]
        begin = 181 if line.gate is not None else right
        yield lane_path([Point(begin, y), Point(LANE_X - 2, y)], line.lane, 0.7)
        yield resistor(203, y, style.colour, "330 ohm")
        yield arrow_head(Point(LANE_X, y), 90, 3, style.colour)
        yield from _lane_box(hooked, line, y)


def _lane_box(hooked: Hookup, line: DataLine, y: float) -> Iterator[str]:
    style = LANES[line.lane]
    yield box(LANE_X, y - 6, 63, 12, fill=PAPER, stroke=style.colour, line=0.6)
    pin = "CI" if line.name == "clock" else "DI"
    yield words(f"{line.name}: {pin} of {hooked.led_name(line.led)}", LANE_X + 2.5, y - 1, 3.4,
                bold=True)  # fmt: skip
    leds = lanes(hooked.layout)[line.lane] if hooked.driver is not Driver.SPI else None
    if leds is None:
        told = f"one chain of {hooked.layout.leds} LEDs"
    else:
        told = f"LEDs {leds.start} to {leds.stop - 1}; line: {style.words}"
    yield words(told, LANE_X + 2.5, y + 3.8, 2.8, fill=GREY)


# -- power -------------------------------------------------------------------------------------


def _power(hooked: Hookup, paper: Paper) -> Iterator[str]:
    power = hooked.power
    end = paper.width_mm - paper.margin_mm
    many = f"{power.supplies} supplies" if power.supplies > 1 else "supply"
    yield box(CHIP_X, 158, 32, 27)
    yield words(many, CHIP_X + 2.5, 164, 3.6, bold=True)
    yield words(f"{VOLTS:g} V, {power.supply_a} A", CHIP_X + 2.5, 170, 4.4, bold=True)
    yield words(f"main wires {power.main.mm2:g} mm²", CHIP_X + 2.5, 175.5, 2.5, fill=GREY)
    yield words(f"(AWG {power.main.awg})", CHIP_X + 2.5, 179, 2.5, fill=GREY)
    yield words("+", CHIP_X + 29, 165.4, 4.5, bold=True, anchor="middle", fill=PLUS)
    yield words("-", CHIP_X + 29, 183.2, 4.5, bold=True, anchor="middle")
    rail = FUSE_X - 6
    rows = _fuse_rows(hooked)
    last = FUSE_Y + FUSE_PITCH * (len(rows) - 1)
    yield path([Point(CHIP_X + 32, 164), Point(rail, 164)], PLUS, POWER_MM)
    yield path([Point(rail, min(FUSE_Y, 164)), Point(rail, max(last, 164))], PLUS, POWER_MM)
    corner = [Point(CHIP_X + 32, 182), Point(157, 182), Point(157, BUS_Y)]
    yield path([*corner, Point(end - 62, BUS_Y)], GROUND, POWER_MM)
    yield words("ground of every feed and beside every data line", end, BUS_Y + 1, 2.7,
                anchor="end")  # fmt: skip
    for number, (name, told) in enumerate(rows):
        y = FUSE_Y + FUSE_PITCH * number
        if name:
            yield path([Point(rail, y), Point(FUSE_X, y)], PLUS, 0.7)
            yield fuse(FUSE_X, y)
            yield arrow_head(Point(FUSE_X + 15, y), 90, 2.4, PLUS)
            yield words(name, FUSE_X + 16.5, y + 1, 3, bold=True)
        yield words(told, FUSE_X + 33, y + 1, 2.8)
    yield capacitor(end - 30, BUS_Y + 3, "1000 µF at every feed")


def _fuse_rows(hooked: Hookup) -> list[tuple[str, str]]:
    logic = "74AHCT125 pin 14" if hooked.driver is not Driver.WLED else "WLED controller"
    rows = [(LOGIC_FUSE.replace("(", "").replace(")", ""), f"{logic}")]
    feeds = hooked.power.feeds
    shown = feeds if len(feeds) <= MOST_FUSES else feeds[: MOST_FUSES - 1]
    for feed in shown:
        cable = f"{feed.wire.mm2:g} mm²"
        rows.append((
            f"{feed.name} {feed.fuse_a:g} A",
            f"{hooked.led_name(feed.at)}, for {feed.first} to {feed.last}; {cable}",
        ))  # fmt: skip
    if len(shown) < len(feeds):
        more = len(feeds) - len(shown)
        rows.append(("", f"and {more} more alike, to {feeds[-1].name}: see the table"))
    return rows


def _care(hooked: Hookup, paper: Paper) -> Iterator[str]:
    spi = hooked.driver is Driver.SPI
    top = 164.0 if spi else 160.0
    yield box(paper.margin_mm, top, 100, 38, fill=PAPER, stroke=EDGE)
    yield words("Before you switch on", paper.margin_mm + 3, top + 5.4, 3.8, bold=True)
    lines = (*CARE, *_first_light(hooked))
    # A number, and what it says beside it: blanks at the beginning of a line are not printed.
    yield paragraph([line[:1] for line in lines], paper.margin_mm + 3, top + 10.6, 3.1)
    yield paragraph([line[1:].strip() for line in lines], paper.margin_mm + 7, top + 10.6, 3.1)


def _first_light(hooked: Hookup) -> tuple[str, str]:
    """What lights them for the first time: without an address it would draw in the terminal."""
    name, leds, address = hooked.layout.board.name, hooked.file.leds, ADDRESSES[hooked.driver]
    board = name if name in shipped_boards() else f"{name}.yaml"
    if leds is not None and hooked.driver is driver_of(hooked.file) is Driver.WLED:
        address = leds.url or address  # it has a name or a port of its own
    return (
        f"5  laserboard leds walk --board {board}",
        f"    --leds {address}: each LED where it says?",
    )
