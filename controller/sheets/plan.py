"""How everything on a board hangs together: Pi, driver, level shifter, supply, fuses, lanes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.building.copper import VOLTS
from controller.building.hookup import LOGIC_FUSE, DataLine, Driver, Hookup, Switch
from controller.building.lines import lanes
from controller.building.pins import (
    GATES,
    HEADER,
    HEADER_3V,
    HEADER_5V,
    HEADER_GROUNDS,
    PICO_FIRST_GPIO,
    PICO_LANE_PINS,
    SHIFTER_5V,
    SHIFTER_GROUND,
)
from controller.sheets.ink import (
    EDGE,
    GROUND,
    LANES,
    PAPER,
    PLUS,
    POWER_MM,
    SHADE,
    arrow_head,
    box,
    capacitor,
    dot,
    fuse,
    gate,
    heading,
    lane_path,
    part,
    path,
    push_button,
    resistor,
)
from controller.sheets.marks import paragraph
from controller.sheets.page import FAINT, INK, Page, Paper, page, words
from engine.draw.shapes import Point, tag

PITCH = 4.7  # of pins
PI_X, PI_WIDTH, FIRST_PIN_Y = 44.0, 40.0, 46.0
CHIP_X, CHIP_WIDTH, PICO_FIRST_Y = 120.0, 30.0, 134.0
SHIFTER_X, SHIFTER_WIDTH = 166.0, 26.0
LANE_0_Y, LANE_PITCH, LANE_X = 112.0, 16.0, 226.0
GROUND_X, BUS_Y = 163.0, 194.0
FUSE_X, FUSE_Y, FUSE_PITCH, MOST_FUSES = 180.0, 137.0, 5.6, 9
GREY = "#4a4a4a"
CARE = (
    "1  LEDs get nothing from the pins of the Pi or the Pico.",
    "2  All grounds are joined: supply, strips, shifter, Pi.",
    "3  No fuse in: no short between any feed and ground,",
    "    and 4.9 to 5.2 V at the fuse box.",
    "4  One fuse after the other: nothing may get hot.",
    "5  laserboard leds walk: each LED where it says?",
)


def plan_page(hooked: Hookup, paper: Paper) -> Page:
    across = paper.landscape()
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
        heading(f"{board.name}: how it is wired", below, across.margin_mm, across.margin_mm),
        *_pi(hooked),
        *_driver(hooked),
        *([] if hooked.driver is Driver.WLED else _package()),
        *_lanes(hooked),
        *_power(hooked, across),
        *_care(hooked, across),
    ]
    return page(across, parts)


def lane_y(number: int) -> float:
    return LANE_0_Y - LANE_PITCH * number


# -- the Pi ------------------------------------------------------------------------------------


def _pi(hooked: Hookup) -> Iterator[str]:
    right, spi = PI_X + PI_WIDTH, hooked.driver is Driver.SPI
    bottom = 153.0 if spi else 143.0
    yield box(PI_X, 36, PI_WIDTH, bottom - 36)
    yield words("Raspberry Pi", PI_X + PI_WIDTH / 2, 33.6, 4, anchor="middle", bold=True)
    yield words("its own 5.1 V supply", PI_X + PI_WIDTH / 2, 41, 2.6, anchor="middle", fill=GREY)
    used = {HEADER[switch.gpio]: switch for switch in hooked.switches}
    lit = {HEADER[gpio] for gpio in (10, 11)} | {25} if spi else set()
    named = {pin: f"GPIO {gpio}" for gpio, pin in HEADER.items()}
    named |= dict.fromkeys(HEADER_GROUNDS, "GND")
    named |= dict.fromkeys(HEADER_5V, "5 V") | dict.fromkeys(HEADER_3V, "3.3 V")
    for pin in range(1, 41):
        y, odd = _pin_y(pin), pin % 2 == 1
        x = PI_X + PI_WIDTH / 2 + (-2.4 if odd else 2.4)
        busy = pin in used or pin in lit or pin in _ground_pins(used)
        yield tag("circle", cx=x, cy=y, r=1.15, fill=INK if busy else PAPER, stroke=INK,
                  stroke_width=0.25)  # fmt: skip
        for text, out in ((str(pin), 2.0), (named.get(pin, ""), 6.2)):
            yield words(text, x + (-out if odd else out), y + 0.9, 2.5,
                        anchor="end" if odd else "start", bold=busy,
                        fill=INK if busy else FAINT)  # fmt: skip
    for way in (-1, 1):
        side = {pin: switch for pin, switch in used.items() if (pin % 2 == 1) == (way < 0)}
        yield from _switches(side, PI_X if way < 0 else right, way)
    if not hooked.switches_asked and hooked.switches:
        yield paragraph(
            ["Buttons, lamp and buzzer are up to you: the board file switches", "them on with"
             " buttons: {url: gpio://} and speaker: {url: gpio://}"],
            8, 157.5 if spi else 152.8, 2.5, fill=GREY,
        )  # fmt: skip


def _pin_y(pin: int) -> float:
    return FIRST_PIN_Y + PITCH * ((pin - 1) // 2)


def _ground_pins(used: dict[int, Switch]) -> set[int]:
    """The ground pin of each side that has switches: the one nearest to them."""
    found = set()
    for odd in (0, 1):
        rows = [_pin_y(pin) for pin in used if pin % 2 == odd]
        if rows:
            middle = sum(rows) / len(rows)
            grounds = [pin for pin in HEADER_GROUNDS if pin % 2 == odd]
            found.add(min(grounds, key=lambda pin: abs(_pin_y(pin) - middle)))
    return found


def _switches(side: dict[int, Switch], edge: float, way: int) -> Iterator[str]:
    """What hangs on one side of the header, with a ground line along it."""
    if not side:
        return
    bus = edge + way * 10
    (ground,) = _ground_pins(side)
    rows = [_pin_y(pin) for pin in (*side, ground)]
    yield path([Point(bus, min(rows)), Point(bus, max(rows))], GROUND, 0.7)
    yield path([Point(edge, _pin_y(ground)), Point(bus, _pin_y(ground))], GROUND, 0.7)
    for pin, switch in side.items():
        y = _pin_y(pin)
        if switch.kind == "button":
            yield push_button(edge, y, way)
        else:
            yield part(edge, y, way, "LED" if switch.kind == "lamp" else "piezo")
        yield path([Point(edge + way * 8, y), Point(bus, y)], INK, 0.45)
        yield dot(Point(bus, y), 0.5)
        yield words(switch.name, bus + way * 1.6, y + 1, 3, anchor="end" if way < 0 else "start",
                    bold=True)  # fmt: skip
        if switch.kind != "button":
            through = "330 ohm" if switch.kind == "lamp" else "100 ohm"
            width = 1.8 * len(switch.name)
            yield words(through, bus + way * (2.6 + width), y + 1, 2.4,
                        anchor="end" if way < 0 else "start", fill=GREY)  # fmt: skip


# -- what drives the LEDs ----------------------------------------------------------------------


def _driver(hooked: Hookup) -> Iterator[str]:
    match hooked.driver:
        case Driver.PICO:
            yield from _pico(hooked)
            starts = [(CHIP_X + CHIP_WIDTH, _pico_y(PICO_LANE_PINS[line.lane]))
                      for line in hooked.data]  # fmt: skip
            ground = Point(CHIP_X + CHIP_WIDTH, _pico_y(3))
        case Driver.SPI:
            right, ys = PI_X + PI_WIDTH, (148.0, 143.5)
            starts = [(right, y) for y in ys]
            for line, y in zip(hooked.data, ys, strict=True):
                yield words(f"{line.name}: pin {line.source.split()[2]}", right - 1.5, y + 0.9, 2.6,
                            anchor="end", bold=True)  # fmt: skip
            yield words("GND: pin 25", right - 1.5, 152, 2.6, anchor="end", bold=True)
            ground = Point(right, 151.2)
        case Driver.WLED:
            yield from _wled(hooked)
            return
    yield path([ground, Point(GROUND_X, ground.y), Point(GROUND_X, BUS_Y)], GROUND, 0.7)
    yield dot(Point(GROUND_X, BUS_Y))
    yield from _shifter(hooked, starts)


def _pico_y(pin: int) -> float:
    return PICO_FIRST_Y - PITCH * (pin - 1)


def _pico(hooked: Hookup) -> Iterator[str]:
    """The end with the USB socket, which points down here."""
    left, right = CHIP_X, CHIP_X + CHIP_WIDTH
    top, bottom, torn = 84.0, 140.0, 7
    edge = [
        Point(right - n * CHIP_WIDTH / torn, top + (2 if n % 2 else 0)) for n in range(torn + 1)
    ]
    outline = [Point(left, bottom), Point(right, bottom), *edge]
    yield tag("polygon", points=" ".join(f"{p.x:.2f},{p.y:.2f}" for p in outline), fill=SHADE,
              stroke=INK, stroke_width=0.35)  # fmt: skip
    yield words("Pico", left + CHIP_WIDTH / 2, 81.5, 4, anchor="middle", bold=True)
    lanes_used = {PICO_LANE_PINS[line.lane]: line for line in hooked.data}
    names = {1: "GP0", 2: "GP1", 3: "GND", 8: "GND", 9: "GP6", 10: "GP7"}
    for pin in range(1, 11):
        y = _pico_y(pin)
        busy = pin in lanes_used or pin == 3
        name = names.get(pin, f"GP{PICO_FIRST_GPIO + pin - PICO_LANE_PINS[0]}")
        yield tag("circle", cx=right - 2, cy=y, r=1.15, fill=INK if busy else PAPER, stroke=INK,
                  stroke_width=0.25)  # fmt: skip
        for text, out in ((str(pin), 4.0), (name, 8.2)):
            yield words(text, right - out, y + 0.9, 2.5, anchor="end", bold=busy,
                        fill=INK if busy else FAINT)  # fmt: skip
        yield tag("circle", cx=left + 2, cy=y, r=1.15, fill=PAPER, stroke=EDGE, stroke_width=0.25)
        yield words(str(41 - pin), left + 4.2, y + 0.9, 2.5, fill=FAINT)
    yield from _usb(left + CHIP_WIDTH / 2, bottom)


def _usb(x: float, bottom: float) -> Iterator[str]:
    yield box(x - 4, bottom - 1.5, 8, 5, fill=PAPER)
    yield words("USB", x, bottom + 1.9, 2.4, anchor="middle")
    pi = PI_X + PI_WIDTH - 6
    places = [Point(pi, 143), Point(pi, bottom + 9), Point(x, bottom + 9), Point(x, bottom + 3.5)]
    yield path(places, GREY, 1.6)
    yield path(places, PAPER, 0.8)
    yield words("USB cable", (pi + x) / 2, bottom + 7.4, 2.6, anchor="middle", fill=GREY)


def _shifter(hooked: Hookup, starts: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Wires of data go to its left side, up to the gate of their lane."""
    count = len(hooked.data)
    top, bottom = lane_y(count - 1) - 12, LANE_0_Y + 14
    right = SHIFTER_X + SHIFTER_WIDTH
    yield box(SHIFTER_X, top, SHIFTER_WIDTH, bottom - top)
    yield words("74AHCT125", SHIFTER_X - 2, top - 2.2, 4, bold=True)
    for number, (line, (x, y)) in enumerate(zip(hooked.data, starts, strict=True)):
        turn, level, style = 160.5 - 2.5 * number, lane_y(number), LANES[line.lane]
        chip = GATES[number]
        yield lane_path([Point(x, y), Point(turn, y), Point(turn, level), Point(172, level)],
                        line.lane, 0.7)  # fmt: skip
        yield gate(172, level, style.colour)
        yield words(str(chip.enters), SHIFTER_X + 1.2, level - 1, 2.6, bold=True)
        yield words(str(chip.leaves), right - 1.2, level - 1, 2.6, anchor="end", bold=True)
    yield path([Point(right - 5, top), Point(right - 5, top - 7), Point(right + 4, top - 7)], PLUS,
               0.7)  # fmt: skip
    yield words(f"{SHIFTER_5V} VCC", right - 1.2, top + 3.4, 2.6, anchor="end", bold=True)
    yield words(f"+5 V from fuse {LOGIC_FUSE}", right + 5, top - 6.1, 2.8)
    pins = [SHIFTER_GROUND, *(each.enable for each in GATES)]
    unused = [each.enters for each in GATES[count:]]
    yield words(f"{SHIFTER_GROUND} GND", SHIFTER_X + 1.2, bottom - 4.2, 2.6, bold=True)
    yield words(f"OE {', '.join(str(pin) for pin in pins[1:])}", SHIFTER_X + 1.2, bottom - 1.3, 2.4)
    yield path([Point(SHIFTER_X, bottom - 3), Point(GROUND_X, bottom - 3), Point(GROUND_X, BUS_Y)],
               GROUND, 0.7)  # fmt: skip
    yield dot(Point(GROUND_X, bottom - 3), 0.6)
    if unused:
        text = f"also to ground: {', '.join(map(str, unused))}"
        yield words(text, right + 2, bottom - 1.3, 2.4, fill=GREY)
    yield words("100 nF from 14 to 7", right + 2, bottom - 4.6, 2.4, fill=GREY)


def _package() -> Iterator[str]:
    """The level shifter as it lies on the table, notch up."""
    x, y, pitch = CHIP_X + 9, 35.0, 4.4
    names = {SHIFTER_GROUND: "GND", SHIFTER_5V: "VCC"}
    for number, each in enumerate(GATES, 1):
        names |= {each.enable: f"{number}OE", each.enters: f"{number}A", each.leaves: f"{number}Y"}
    yield box(x, y, 22, 7 * pitch + 1.5)
    yield tag("path", d=f"M{x + 8.5:g} {y:g}a2.5 2.5 0 0 0 5 0", fill=PAPER, stroke=INK,
              stroke_width=0.35)  # fmt: skip
    for row in range(7):
        level = y + pitch * (row + 0.75)
        for pin, edge, way in ((row + 1, x, -1), (14 - row, x + 22, 1)):
            yield path([Point(edge, level), Point(edge + way * 2.5, level)], GREY, 0.8)
            yield words(str(pin), edge - way * 1.2, level + 0.9, 2.5,
                        anchor="start" if way < 0 else "end", bold=True)  # fmt: skip
            yield words(names[pin], edge + way * 3.6, level + 0.9, 2.5,
                        anchor="end" if way < 0 else "start", fill=GREY)  # fmt: skip
    yield words("74AHCT125 from above", x + 11, y + 7 * pitch + 5, 2.6, anchor="middle", fill=GREY)


def _wled(hooked: Hookup) -> Iterator[str]:
    count = len(hooked.data)
    top, bottom = lane_y(count - 1) - 14, LANE_0_Y + 14
    right = SHIFTER_X + SHIFTER_WIDTH
    left = right - 50
    yield box(left, top, 50, bottom - top)
    yield words("WLED controller", left + 25, top - 2.2, 4, anchor="middle", bold=True)
    yield paragraph(["level shifter", "inside, as", "most have"], left + 3, bottom - 9, 2.5,
                    fill=GREY)  # fmt: skip
    for number, line in enumerate(hooked.data):
        yield words(f"output {line.lane + 1}", right - 2, lane_y(number) + 1, 3, anchor="end",
                    bold=True)  # fmt: skip
    y = top + 6
    pi, radio = PI_X + PI_WIDTH, "Wi-Fi" in hooked.cable
    yield path([Point(pi, y), Point(left, y)], GREY, 1.0, "2 1.6" if radio else "")
    yield words(hooked.cable, (pi + 18 + left) / 2, y - 1.6, 2.8, anchor="middle", fill=GREY)
    yield path([Point(right - 5, top), Point(right - 5, top - 7), Point(right + 4, top - 7)], PLUS,
               0.7)  # fmt: skip
    yield words("5 V", right - 1.2, top + 3.4, 2.6, anchor="end", bold=True)
    yield words(f"+5 V from fuse {LOGIC_FUSE}", right + 5, top - 6.1, 2.8)
    yield words("GND", GROUND_X + 1.2, bottom - 1.3, 2.6, bold=True)
    yield path([Point(GROUND_X, bottom), Point(GROUND_X, BUS_Y)], GROUND, 0.7)
    yield dot(Point(GROUND_X, BUS_Y))


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
    yield words("Before you switch on", paper.margin_mm + 3, top + 6, 3.8, bold=True)
    yield paragraph(CARE, paper.margin_mm + 3, top + 11.5, 3.1)
