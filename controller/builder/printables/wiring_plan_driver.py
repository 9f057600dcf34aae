"""The LED driver on the wiring plan: Pico and level shifter, the Pi's SPI, or WLED."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.connections import (
    LOGIC_FUSE,
    LOGIC_FUSE_A,
    BoardWiring,
    LedDriver,
)
from controller.builder.electrics.pins import (
    GATES,
    PICO_FIRST_GPIO,
    PICO_LANE_PINS,
    SHIFTER_5V,
    SHIFTER_GROUND,
    SPI_GROUND,
)
from controller.builder.printables.marks import paragraph
from controller.builder.printables.symbols import (
    EDGE,
    GROUND,
    LANE_STYLES,
    PAPER,
    PLUS,
    SHADE,
    box,
    dot,
    gate,
    lane_path,
    path,
)
from controller.builder.printables.wiring_plan_layout import (
    BUS_Y,
    CHIP_WIDTH,
    CHIP_X,
    GROUND_X,
    LANE_0_Y,
    PI_WIDTH,
    PI_X,
    PICO_FIRST_Y,
    PITCH,
    SHIFTER_WIDTH,
    SHIFTER_X,
    lane_y,
)
from engine.draw.page import FAINT, GREY, INK, text_line
from engine.draw.shapes import Point, element


def draw_driver(wiring: BoardWiring) -> Iterator[str]:
    match wiring.driver:
        case LedDriver.PICO:
            yield from _draw_pico(wiring)
            starts = [(CHIP_X + CHIP_WIDTH, _pico_y(PICO_LANE_PINS[line.lane]))
                      for line in wiring.data_lines]  # fmt: skip
            ground = Point(CHIP_X + CHIP_WIDTH, _pico_y(3))
        case LedDriver.SPI:
            right, ys = PI_X + PI_WIDTH, (148.0, 143.5)
            starts = [(right, y) for y in ys]
            for line, y in zip(wiring.data_lines, ys, strict=True):
                label = sentences.LINE_PIN(line=line.name, pin=line.source_pin)
                yield text_line(str(label), right - 1.5, y + 0.9, 2.6, anchor="end", bold=True)
            label = sentences.GROUND_PIN(pin=SPI_GROUND)
            yield text_line(str(label), right - 1.5, 152, 2.6, anchor="end", bold=True)
            ground = Point(right, 151.2)
        case LedDriver.WLED:
            yield from _draw_wled(wiring)
            return
    yield path([ground, Point(GROUND_X, ground.y), Point(GROUND_X, BUS_Y)], GROUND, 0.7)
    yield dot(Point(GROUND_X, BUS_Y))
    yield from _draw_shifter(wiring, starts)


def _pico_y(pin: int) -> float:
    return PICO_FIRST_Y - PITCH * (pin - 1)


def _draw_pico(wiring: BoardWiring) -> Iterator[str]:
    """The end of the Pico with the USB socket, which points down."""
    left, right = CHIP_X, CHIP_X + CHIP_WIDTH
    top, bottom, torn = 84.0, 140.0, 7
    edge = [
        Point(right - n * CHIP_WIDTH / torn, top + (2 if n % 2 else 0)) for n in range(torn + 1)
    ]
    outline = [Point(left, bottom), Point(right, bottom), *edge]
    yield element("polygon", points=" ".join(f"{p.x:.2f},{p.y:.2f}" for p in outline), fill=SHADE,
              stroke=INK, stroke_width=0.35)  # fmt: skip
    yield text_line(
        str(sentences.PICO()), left + CHIP_WIDTH / 2, 81.5, 4, anchor="middle", bold=True
    )
    lanes_used = {PICO_LANE_PINS[line.lane]: line for line in wiring.data_lines}
    names = {1: "GP0", 2: "GP1", 3: "GND", 8: "GND", 9: "GP6", 10: "GP7"}
    for pin in range(1, 11):
        y = _pico_y(pin)
        busy = pin in lanes_used or pin == 3
        name = names.get(pin, f"GP{PICO_FIRST_GPIO + pin - PICO_LANE_PINS[0]}")
        yield element("circle", cx=right - 2, cy=y, r=1.15, fill=INK if busy else PAPER, stroke=INK,
                  stroke_width=0.25)  # fmt: skip
        for text, out in ((str(pin), 4.0), (name, 8.2)):
            yield text_line(text, right - out, y + 0.9, 2.5, anchor="end", bold=busy,
                        fill=INK if busy else FAINT)  # fmt: skip
        yield element(
            "circle", cx=left + 2, cy=y, r=1.15, fill=PAPER, stroke=EDGE, stroke_width=0.25
        )
        yield text_line(str(41 - pin), left + 4.2, y + 0.9, 2.5, fill=FAINT)
    yield from _draw_usb(left + CHIP_WIDTH / 2, bottom)


def _draw_usb(x: float, bottom: float) -> Iterator[str]:
    yield box(x - 4, bottom - 1.5, 8, 5, fill=PAPER)
    yield text_line("USB", x, bottom + 1.9, 2.4, anchor="middle")
    pi = PI_X + PI_WIDTH - 6
    places = [Point(pi, 143), Point(pi, bottom + 9), Point(x, bottom + 9), Point(x, bottom + 3.5)]
    yield path(places, GREY, 1.6)
    yield path(places, PAPER, 0.8)
    cable = str(sentences.USB_CABLE())
    yield text_line(cable, (pi + x) / 2, bottom + 7.4, 2.6, anchor="middle", fill=GREY)


def _draw_shifter(wiring: BoardWiring, starts: Sequence[tuple[float, float]]) -> Iterator[str]:
    """The level shifter; data wires enter at its left side, at the gate of their lane."""
    count = len(wiring.data_lines)
    top, bottom = lane_y(count - 1) - 12, LANE_0_Y + 14
    right = SHIFTER_X + SHIFTER_WIDTH
    yield box(SHIFTER_X, top, SHIFTER_WIDTH, bottom - top)
    yield text_line("74AHCT125", right - 7, top - 2.2, 4, anchor="end", bold=True)
    for number, (line, (x, y)) in enumerate(zip(wiring.data_lines, starts, strict=True)):
        turn, level, style = 160.5 - 2.5 * number, lane_y(number), LANE_STYLES[line.lane]
        chip = GATES[number]
        yield lane_path([Point(x, y), Point(turn, y), Point(turn, level), Point(172, level)],
                        line.lane, 0.7)  # fmt: skip
        yield gate(172, level, style.colour)
        yield text_line(str(chip.input_pin), SHIFTER_X + 1.2, level - 1, 2.6, bold=True)
        yield text_line(str(chip.output_pin), right - 1.2, level - 1, 2.6, anchor="end", bold=True)
    yield path([Point(right - 5, top), Point(right - 5, top - 7), Point(right + 4, top - 7)], PLUS,
               0.7)  # fmt: skip
    yield text_line(f"{SHIFTER_5V} VCC", right - 1.2, top + 3.4, 2.6, anchor="end", bold=True)
    yield _logic_power(right + 5, top - 6.1)
    pins = [SHIFTER_GROUND, *(each.enable_pin for each in GATES)]
    unused = [each.input_pin for each in GATES[count:]]
    yield text_line(f"{SHIFTER_GROUND} GND", SHIFTER_X + 1.2, bottom - 4.2, 2.6, bold=True)
    yield text_line(
        f"OE {', '.join(str(pin) for pin in pins[1:])}", SHIFTER_X + 1.2, bottom - 1.3, 2.4
    )
    yield path([Point(SHIFTER_X, bottom - 3), Point(GROUND_X, bottom - 3), Point(GROUND_X, BUS_Y)],
               GROUND, 0.7)  # fmt: skip
    yield dot(Point(GROUND_X, bottom - 3), 0.6)
    if unused:
        grounded = sentences.ALSO_TO_GROUND(pins=tuple(map(str, unused)))
        yield text_line(str(grounded), right + 2, bottom - 1.3, 2.4, fill=GREY)
    across = sentences.CAPACITOR_FROM_TO(plus=SHIFTER_5V, ground=SHIFTER_GROUND)
    yield text_line(str(across), right + 2, bottom - 4.6, 2.4, fill=GREY)


def _logic_power(x: float, y: float) -> str:
    return text_line(str(sentences.PLUS_FROM_FUSE(fuse=LOGIC_FUSE, amps=LOGIC_FUSE_A)), x, y, 2.8)


def draw_shifter_package() -> Iterator[str]:
    """The pins of the level shifter, seen from above, notch up."""
    x, y, pitch = CHIP_X + 1, 34.0, 4.4
    names = {SHIFTER_GROUND: "GND", SHIFTER_5V: "VCC"}
    for number, each in enumerate(GATES, 1):
        names |= {
            each.enable_pin: f"{number}OE",
            each.input_pin: f"{number}A",
            each.output_pin: f"{number}Y",
        }
    yield box(x, y, 22, 7 * pitch + 1.5)
    yield element("path", d=f"M{x + 8.5:g} {y:g}a2.5 2.5 0 0 0 5 0", fill=PAPER, stroke=INK,
              stroke_width=0.35)  # fmt: skip
    for row in range(7):
        level = y + pitch * (row + 0.75)
        for pin, edge, way in ((row + 1, x, -1), (14 - row, x + 22, 1)):
            yield path([Point(edge, level), Point(edge + way * 2.5, level)], GREY, 0.8)
            yield text_line(str(pin), edge - way * 1.2, level + 0.9, 2.5,
                        anchor="start" if way < 0 else "end", bold=True)  # fmt: skip
            yield text_line(names[pin], edge + way * 3.6, level + 0.9, 2.5,
                        anchor="end" if way < 0 else "start", fill=GREY)  # fmt: skip
    caption = str(sentences.SHIFTER_FROM_ABOVE())
    yield text_line(caption, x + 11, y - 1.6, 2.6, anchor="middle", fill=GREY)


def _draw_wled(wiring: BoardWiring) -> Iterator[str]:
    count = len(wiring.data_lines)
    top, bottom = lane_y(count - 1) - 14, LANE_0_Y + 14
    right = SHIFTER_X + SHIFTER_WIDTH
    left = right - 50
    yield box(left, top, 50, bottom - top)
    title = str(sentences.WLED_CONTROLLER())
    yield text_line(title, left + 25, top - 2.2, 4, anchor="middle", bold=True)
    inside = str(sentences.SHIFTER_IN_WLED())
    yield paragraph(inside.split("\n"), left + 3, bottom - 9, 2.5, fill=GREY)
    for number, line in enumerate(wiring.data_lines):
        output = str(sentences.OUTPUT(number=line.lane + 1))
        yield text_line(output, right - 2, lane_y(number) + 1, 3, anchor="end", bold=True)
    y = LANE_0_Y  # below the devices at the Pi, for any number of lanes
    pi, network = PI_X + PI_WIDTH, wiring.cable == sentences.NETWORK()
    yield path([Point(pi, y), Point(left, y)], GREY, 1.0, "2 1.6" if network else "")
    cable = str(wiring.cable or "")
    yield text_line(cable, (pi + 18 + left) / 2, y - 1.6, 2.8, anchor="middle", fill=GREY)
    yield path([Point(right - 5, top), Point(right - 5, top - 7), Point(right + 4, top - 7)], PLUS,
               0.7)  # fmt: skip
    yield text_line("5 V", right - 1.2, top + 3.4, 2.6, anchor="end", bold=True)
    yield _logic_power(right + 5, top - 6.1)
    yield text_line("GND", GROUND_X + 1.2, bottom - 1.3, 2.6, bold=True)
    yield path([Point(GROUND_X, bottom), Point(GROUND_X, BUS_Y)], GROUND, 0.7)
    yield dot(Point(GROUND_X, BUS_Y))
