"""The Raspberry Pi on the plan: its header, and what hangs on it."""

from __future__ import annotations

from collections.abc import Iterator

from controller.building.hookup import Driver, Hookup, Switch
from controller.building.pins import (
    HEADER,
    HEADER_3V,
    HEADER_5V,
    HEADER_GROUNDS,
)
from controller.sheets.ink import (
    GROUND,
    PAPER,
    box,
    dot,
    part,
    path,
    push_button,
)
from controller.sheets.letters import width
from controller.sheets.marks import paragraph
from controller.sheets.page import FAINT, GREY, INK, words
from controller.sheets.plan_places import (
    FIRST_PIN_Y,
    PI_WIDTH,
    PI_X,
    PITCH,
)
from engine.draw.shapes import Point, tag


def pi(hooked: Hookup) -> Iterator[str]:
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
        if switch.remark:
            out = 3.2 + width(switch.name, 3, bold=True)
            yield words(switch.remark, bus + way * out, y + 1, 2.4,
                        anchor="end" if way < 0 else "start", fill=GREY)  # fmt: skip
