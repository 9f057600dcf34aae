"""The Raspberry Pi on the wiring plan: its header, buttons, lamp and buzzer."""

from __future__ import annotations

from collections.abc import Iterator

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.connections import BoardWiring, GpioDevice, LedDriver
from controller.builder.electrics.pins import (
    HEADER_3V,
    HEADER_5V,
    HEADER_GROUNDS,
    HEADER_PINS,
    SPI_GROUND,
)
from controller.builder.printables.marks import paragraph
from controller.builder.printables.symbols import (
    GROUND,
    PAPER,
    box,
    dot,
    labelled_box,
    path,
    push_button,
)
from controller.builder.printables.wiring_plan_layout import FIRST_PIN_Y, PI_WIDTH, PI_X, PITCH
from engine.draw.font_metrics import text_width
from engine.draw.page import FAINT, GREY, INK, text_line
from engine.draw.shapes import Point, element


def draw_pi(wiring: BoardWiring) -> Iterator[str]:
    right, spi = PI_X + PI_WIDTH, wiring.driver is LedDriver.SPI
    bottom = 153.0 if spi else 143.0
    yield box(PI_X, 36, PI_WIDTH, bottom - 36)
    yield text_line("Raspberry Pi", PI_X + PI_WIDTH / 2, 33.6, 4, anchor="middle", bold=True)
    supply = str(sentences.PI_SUPPLY())
    yield text_line(supply, PI_X + PI_WIDTH / 2, 41, 2.6, anchor="middle", fill=GREY)
    used = {HEADER_PINS[device.gpio]: device for device in wiring.gpio_devices}
    lit = {HEADER_PINS[gpio] for gpio in (10, 11)} | {SPI_GROUND} if spi else set()
    named = {pin: f"GPIO {gpio}" for gpio, pin in HEADER_PINS.items()}
    named |= dict.fromkeys(HEADER_GROUNDS, "GND")
    named |= dict.fromkeys(HEADER_5V, "5 V") | dict.fromkeys(HEADER_3V, "3.3 V")
    for pin in range(1, 41):
        y, odd = _pin_y(pin), pin % 2 == 1
        x = PI_X + PI_WIDTH / 2 + (-2.4 if odd else 2.4)
        busy = pin in used or pin in lit or pin in _ground_pins(used)
        yield element("circle", cx=x, cy=y, r=1.15, fill=INK if busy else PAPER, stroke=INK,
                  stroke_width=0.25)  # fmt: skip
        for text, out in ((str(pin), 2.0), (named.get(pin, ""), 6.2)):
            yield text_line(text, x + (-out if odd else out), y + 0.9, 2.5,
                        anchor="end" if odd else "start", bold=busy,
                        fill=INK if busy else FAINT)  # fmt: skip
    for way in (-1, 1):
        side = {pin: device for pin, device in used.items() if (pin % 2 == 1) == (way < 0)}
        yield from _draw_gpio_devices(side, PI_X if way < 0 else right, way)
    if not wiring.gpio_configured and wiring.gpio_devices:
        hint = str(sentences.GPIO_OPTIONAL()).split("\n")
        yield paragraph(hint, 8, 157.5 if spi else 152.8, 2.5, fill=GREY)


def _pin_y(pin: int) -> float:
    return FIRST_PIN_Y + PITCH * ((pin - 1) // 2)


def _ground_pins(used: dict[int, GpioDevice]) -> set[int]:
    """For each side of the header with devices, the ground pin nearest to them."""
    pins = set()
    for odd in (0, 1):
        rows = [_pin_y(pin) for pin in used if pin % 2 == odd]
        if rows:
            middle = sum(rows) / len(rows)
            grounds = [pin for pin in HEADER_GROUNDS if pin % 2 == odd]
            pins.add(min(grounds, key=lambda pin: abs(_pin_y(pin) - middle)))
    return pins


def _draw_gpio_devices(side: dict[int, GpioDevice], edge: float, way: int) -> Iterator[str]:
    """The devices on one side of the header, with a common ground line."""
    if not side:
        return
    bus = edge + way * 10
    (ground,) = _ground_pins(side)
    rows = [_pin_y(pin) for pin in (*side, ground)]
    yield path([Point(bus, min(rows)), Point(bus, max(rows))], GROUND, 0.7)
    yield path([Point(edge, _pin_y(ground)), Point(bus, _pin_y(ground))], GROUND, 0.7)
    anchor = "end" if way < 0 else "start"
    for pin, device in side.items():
        y = _pin_y(pin)
        if device.kind == "button":
            yield push_button(edge, y, way)
        else:
            lamp = device.kind == "lamp"
            label = sentences.LAMP_SYMBOL() if lamp else sentences.BUZZER_SYMBOL()
            yield labelled_box(edge, y, way, str(label))
        yield path([Point(edge + way * 8, y), Point(bus, y)], INK, 0.45)
        yield dot(Point(bus, y), 0.5)
        yield text_line(device.name, bus + way * 1.6, y + 1, 3, anchor=anchor, bold=True)
        if device.remark is not None:
            out = 3.2 + text_width(device.name, 3, bold=True)
            remark = str(device.remark)
            yield text_line(remark, bus + way * out, y + 1, 2.4, anchor=anchor, fill=GREY)
