"""The wiring plan on one page: Pi, LED driver, level shifter, supply, fuses and lanes."""

from __future__ import annotations

from collections.abc import Iterator

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.connections import (
    LOGIC_FUSE,
    LOGIC_FUSE_A,
    BoardWiring,
    DataLine,
    LedDriver,
    led_driver_for,
)
from controller.builder.electrics.led_runs import lane_ranges
from controller.builder.electrics.pins import SHIFTER_5V
from controller.builder.electrics.wire_sizes import VOLTS
from controller.builder.printables.marks import paragraph
from controller.builder.printables.symbols import (
    EDGE,
    GROUND,
    LANE_STYLES,
    PAPER,
    PLUS,
    POWER_MM,
    arrow_head,
    box,
    capacitor,
    fuse,
    lane_path,
    page_heading,
    path,
    resistor,
)
from controller.builder.printables.wiring_plan_driver import draw_driver, draw_shifter_package
from controller.builder.printables.wiring_plan_layout import (
    BUS_Y,
    CHIP_X,
    LANE_X,
    SHIFTER_WIDTH,
    SHIFTER_X,
    lane_y,
)
from controller.builder.printables.wiring_plan_pi import draw_pi
from controller.config.board_file import shipped_boards
from engine.draw.page import A4, GREY, Page, Paper, make_page, text_line
from engine.draw.shapes import Point, element
from engine.sentences import Sentence

FUSE_X, FUSE_Y, FUSE_PITCH, MAX_FUSE_ROWS = 180.0, 137.0, 5.6, 9
EXAMPLE_LED_URLS = {
    LedDriver.PICO: "serial://auto",
    LedDriver.SPI: "gpio://spi",
    LedDriver.WLED: "ddp://wled.local",
}
_DRIVER_NAMES = {
    LedDriver.PICO: sentences.DRIVER_PICO(),
    LedDriver.SPI: sentences.DRIVER_SPI(),
    LedDriver.WLED: sentences.DRIVER_WLED(),
}


def wiring_plan_page(wiring: BoardWiring, paper: Paper) -> Page:
    across, drawn = paper.landscape(), A4.landscape()
    board, power = wiring.layout.board, wiring.power
    title = sentences.PLAN_TITLE(board=board.name)
    subtitle = sentences.PLAN_SUBTITLE(
        leds=wiring.layout.describe(),
        driver=_DRIVER_NAMES[wiring.driver],
        supply=sentences.SUPPLIES_OF(count=power.supplies, volts=VOLTS, amps=power.supply_a)
        if power.supplies > 1
        else sentences.ONE_SUPPLY_OF(volts=VOLTS, amps=power.supply_a),
        limit_ma=power.limit_ma,
    )
    parts = [
        page_heading(str(title), str(subtitle), drawn.margin_mm, drawn.margin_mm),
        *draw_pi(wiring),
        *draw_driver(wiring),
        *([] if wiring.driver is LedDriver.WLED else draw_shifter_package()),
        *_draw_lanes(wiring),
        *_draw_power(wiring, drawn),
        *_safety_box(wiring, drawn),
    ]
    scale = min(across.width_mm / drawn.width_mm, across.height_mm / drawn.height_mm)
    if scale == 1:
        return make_page(across, parts)
    return make_page(across, [element("g", *parts, transform=f"scale({scale:.4f})")])


# -- data lines --------------------------------------------------------------------------------


def _draw_lanes(wiring: BoardWiring) -> Iterator[str]:
    right = SHIFTER_X + SHIFTER_WIDTH
    for number, line in enumerate(wiring.data_lines):
        y, style = lane_y(number), LANE_STYLES[line.lane]
        begin = 181 if line.gate is not None else right
        yield lane_path([Point(begin, y), Point(LANE_X - 2, y)], line.lane, 0.7)
        yield resistor(203, y, style.colour, str(sentences.OHM(ohm=330)))
        yield arrow_head(Point(LANE_X, y), 90, 3, style.colour)
        yield from _lane_box(wiring, line, y)


def _lane_box(wiring: BoardWiring, line: DataLine, y: float) -> Iterator[str]:
    style = LANE_STYLES[line.lane]
    yield box(LANE_X, y - 6, 63, 12, fill=PAPER, stroke=style.colour, line=0.6)
    target = sentences.LINE_INPUT(
        line=line.name, pin=line.led_pin, led=wiring.led_name(line.first_led)
    )
    yield text_line(str(target), LANE_X + 2.5, y - 1, 3.4, bold=True)
    leds = lane_ranges(wiring.layout)[line.lane] if wiring.driver is not LedDriver.SPI else None
    if leds is None:
        note = sentences.ONE_CHAIN(leds=wiring.layout.led_count)
    else:
        note = sentences.LANE_LEDS(first=leds.start, last=leds.stop - 1, style=style.line_name)
    yield text_line(str(note), LANE_X + 2.5, y + 3.8, 2.8, fill=GREY)


# -- power -------------------------------------------------------------------------------------


def _draw_power(wiring: BoardWiring, paper: Paper) -> Iterator[str]:
    power = wiring.power
    end = paper.width_mm - paper.margin_mm
    many = power.supplies > 1
    supply = sentences.SUPPLIES(count=power.supplies) if many else sentences.SUPPLY()
    rating = sentences.SUPPLY_RATING(volts=VOLTS, amps=power.supply_a)
    wires = sentences.MAIN_WIRES(mm2=power.main_wire.mm2)
    yield box(CHIP_X, 158, 32, 27)
    yield text_line(str(supply), CHIP_X + 2.5, 164, 3.6, bold=True)
    yield text_line(str(rating), CHIP_X + 2.5, 170, 4.4, bold=True)
    yield text_line(str(wires), CHIP_X + 2.5, 175.5, 2.5, fill=GREY)
    yield text_line(f"(AWG {power.main_wire.awg})", CHIP_X + 2.5, 179, 2.5, fill=GREY)
    yield text_line("+", CHIP_X + 29, 165.4, 4.5, bold=True, anchor="middle", fill=PLUS)
    yield text_line("-", CHIP_X + 29, 183.2, 4.5, bold=True, anchor="middle")
    rail = FUSE_X - 6
    rows = _fuse_rows(wiring)
    last = FUSE_Y + FUSE_PITCH * (len(rows) - 1)
    yield path([Point(CHIP_X + 32, 164), Point(rail, 164)], PLUS, POWER_MM)
    yield path([Point(rail, min(FUSE_Y, 164)), Point(rail, max(last, 164))], PLUS, POWER_MM)
    corner = [Point(CHIP_X + 32, 182), Point(157, 182), Point(157, BUS_Y)]
    yield path([*corner, Point(end - 62, BUS_Y)], GROUND, POWER_MM)
    yield text_line(str(sentences.GROUNDS_BESIDE_DATA()), end, BUS_Y + 1, 2.7, anchor="end")
    for number, (name, note) in enumerate(rows):
        y = FUSE_Y + FUSE_PITCH * number
        if name:
            yield path([Point(rail, y), Point(FUSE_X, y)], PLUS, 0.7)
            yield fuse(FUSE_X, y)
            yield arrow_head(Point(FUSE_X + 15, y), 90, 2.4, PLUS)
            yield text_line(name, FUSE_X + 16.5, y + 1, 3, bold=True)
        yield text_line(note, FUSE_X + 33, y + 1, 2.8)
    yield capacitor(end - 30, BUS_Y + 3, str(sentences.FEED_CAPACITORS()))


def _fuse_rows(wiring: BoardWiring) -> list[tuple[str, str]]:
    wled = wiring.driver is LedDriver.WLED
    logic = sentences.WLED_CONTROLLER() if wled else sentences.SHIFTER_PIN(pin=SHIFTER_5V)
    rows = [(str(sentences.FUSE_LABEL(fuse=LOGIC_FUSE, amps=LOGIC_FUSE_A)), str(logic))]
    feeds = wiring.power.feeds
    shown = feeds if len(feeds) <= MAX_FUSE_ROWS else feeds[: MAX_FUSE_ROWS - 1]
    for feed in shown:
        label = sentences.FUSE_LABEL(fuse=feed.name, amps=feed.fuse_a)
        fed = sentences.FEED_LEDS(
            led=wiring.led_name(feed.at),
            first=feed.first,
            last=feed.last,
            wire=f"{feed.wire.mm2:g} mm²",
        )
        rows.append((str(label), str(fed)))
    if len(shown) < len(feeds):
        more = sentences.MORE_FEEDS(count=len(feeds) - len(shown), last=feeds[-1].name)
        rows.append(("", str(more)))
    return rows


def _safety_box(wiring: BoardWiring, paper: Paper) -> Iterator[str]:
    spi = wiring.driver is LedDriver.SPI
    top = 164.0 if spi else 160.0
    yield box(paper.margin_mm, top, 100, 38, fill=PAPER, stroke=EDGE)
    yield text_line(str(sentences.SAFETY_TITLE()), paper.margin_mm + 3, top + 5.4, 3.8, bold=True)
    steps = [
        str(step).split("\n")
        for step in (
            sentences.SAFETY_PINS(),
            sentences.SAFETY_GROUNDS(),
            sentences.SAFETY_SHORTS(),
            sentences.SAFETY_FUSES(),
            _led_test_step(wiring),
        )
    ]
    numbers = [
        str(number) if row == 0 else " "
        for number, lines in enumerate(steps, start=1)
        for row in range(len(lines))
    ]
    texts = [line for lines in steps for line in lines]
    yield paragraph(numbers, paper.margin_mm + 3, top + 10.6, 3.1)
    yield paragraph(texts, paper.margin_mm + 7, top + 10.6, 3.1)


def _led_test_step(wiring: BoardWiring) -> Sentence:
    """The command for the first test, with a URL: without one it draws in the terminal."""
    name, leds = wiring.layout.board.name, wiring.file.leds
    url = EXAMPLE_LED_URLS[wiring.driver]
    board = name if name in shipped_boards() else f"{name}.yaml"
    if leds is not None and wiring.driver is led_driver_for(wiring.file) is LedDriver.WLED:
        url = leds.url or url
    return sentences.SAFETY_WALK(board=board, url=url)
