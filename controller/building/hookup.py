"""Everything that is to be connected on one board: from where to where, with which wire.

`hookup` makes it from a board file; the drawings and the list of parts are made from it alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from controller.building.copper import SIGNAL, Wire
from controller.building.lines import fitting_strip, lanes, lines, step_mm
from controller.building.pins import (
    GATES,
    PICO_GROUND,
    SHIFTER_5V,
    SHIFTER_GROUND,
    SPI_CLOCK,
    SPI_DATA,
    SPI_IN,
    SPI_SELECTS,
    Gate,
    pi_pin,
    pico_pin,
)
from controller.building.power import MAIN_MM, Budget, budget, run_mm
from controller.button_settings import read_button_url, read_speaker_url
from controller.config import BoardFile
from controller.layout import Layout, layout
from controller.led_address import Adalight, Ddp, Gpio, read_address
from controller.press import FIRE, LONG_MS, POWER
from controller.tabletop import fitted
from engine.errors import LaserboardError
from vision.board import DoesNotFit, PhysicalBoard

BUTTON_MM = 500
LANE_COLOURS = ("green", "blue", "yellow", "violet")
PLUS, MINUS = "red", "black"
LOGIC_FUSE = "F0 (1 A)"  # of the level shifter or the controller: thin wires want a small one


class CannotWire(LaserboardError, ValueError):
    """A board that cannot be wired so."""


class Driver(StrEnum):
    """What the LEDs hang on."""

    PICO = "pico"
    SPI = "spi"
    WLED = "wled"


@dataclass(frozen=True, slots=True)
class DataLine:
    """A signal on its way to the LEDs."""

    name: str  # lane 0, data, clock
    lane: int  # whose style it is drawn in
    source: str
    gate: Gate | None  # of the level shifter; None: the controller has its own
    led: int  # where it arrives
    length_mm: int


@dataclass(frozen=True, slots=True)
class Switch:
    """A button, the lamp or the buzzer on the Pi's pins; the other end goes to ground."""

    name: str
    gpio: int
    kind: str  # button, lamp or buzzer
    remark: str = ""  # whose it is, or what is between it and the pin


@dataclass(frozen=True, slots=True)
class Connection:
    """One row of the table."""

    start: str
    end: str
    colour: str
    wire: Wire | None  # None: a cable as it is bought
    length_mm: int | None = None
    remark: str = ""


@dataclass(frozen=True)
class Hookup:
    """A board with its LEDs, and all that hangs on them."""

    file: BoardFile
    layout: Layout
    driver: Driver
    cable: str  # from the Pi to what drives the LEDs; empty for SPI
    power: Budget
    data: tuple[DataLine, ...]
    chained: bool  # lanes follow each other on one data line
    switches: tuple[Switch, ...]
    switches_asked: bool  # the board file says gpio://, else they are a proposal

    def cell_name(self, led: int) -> str:
        cell = self.layout.cell_of(led)
        return "under no cell" if cell is None else self.layout.board.grid.name(cell)

    def led_name(self, led: int) -> str:
        return f"LED {led} ({self.cell_name(led)})"

    def connections(self) -> tuple[Connection, ...]:
        return (*_power(self), *_signals(self), *_people(self))


def driver_of(file: BoardFile) -> Driver:
    """What the board's own URL means; where it has none, the Pico that the guide describes."""
    url = None if file.leds is None else file.leds.url
    match None if url is None else read_address(url):
        case Gpio():
            return Driver.SPI
        case Ddp() | Adalight():
            return Driver.WLED
        case _:
            return Driver.PICO


def hookup(file: BoardFile, driver: Driver | None = None) -> Hookup:
    lies = layout(file)
    if lies is None or file.leds is None:
        raise CannotWire(
            f"the board {file.board.name!r} has no LEDs, so there is nothing to wire: name a board"
            " with a `leds` section, such as demo-10x8"
        )
    chosen = driver or driver_of(file)
    address = None if file.leds.url is None else read_address(file.leds.url)
    if isinstance(address, Gpio) and chosen is Driver.SPI and address.bus != 0:
        raise CannotWire(
            f"leds.url: SPI {address.bus}: only the pins of SPI 0 are known, write gpio://spi"
        )
    switches, asked = _switches(file)
    if chosen is Driver.SPI:
        _refuse_taken(switches)
    cable = {
        Driver.PICO: "USB cable, also its power",
        Driver.SPI: "",
        Driver.WLED: "USB cable" if isinstance(address, Adalight) else "network (Wi-Fi)",
    }[chosen]
    return Hookup(
        file,
        lies,
        chosen,
        cable,
        budget(file.leds, lies),
        tuple(_data(lies, chosen)),
        chosen is Driver.SPI and len(lies.lanes) > 1,
        switches,
        asked,
    )


def _data(lies: Layout, driver: Driver) -> Iterator[DataLine]:
    starts = [leds.start for leds in lanes(lies)]
    match driver:
        case Driver.SPI:
            for gate, (name, gpio) in enumerate((("data", SPI_DATA), ("clock", SPI_CLOCK))):
                yield DataLine(name, gate, pi_pin(gpio), GATES[gate], 0, run_mm(lies, 0))
        case Driver.PICO:
            for lane, led in enumerate(starts):
                gate_of_lane = GATES[lane]
                yield DataLine(
                    f"lane {lane}", lane, pico_pin(lane), gate_of_lane, led, run_mm(lies, led)
                )
        case Driver.WLED:
            for lane, led in enumerate(starts):
                source = f"WLED output {lane + 1}"
                yield DataLine(f"lane {lane}", lane, source, None, led, run_mm(lies, led))


def _switches(file: BoardFile) -> tuple[tuple[Switch, ...], bool]:
    """What hangs on the Pi's pins: all that the board file does not put elsewhere."""
    buttons, speaker = file.buttons, file.speaker
    wired: list[Switch] = []
    if buttons.url is None or read_button_url(buttons.url).kind == "gpio":
        told = dict(zip(FIRE, _seats(file.board), strict=True))
        told[POWER] = f"held {LONG_MS / 1000:g} s"
        wired += [
            Switch(name, pin, "button", told.get(name, "")) for name, pin in buttons.pins.items()
        ]
    if speaker.url is None or read_speaker_url(speaker.url) == "gpio":
        pins = (("lamp", speaker.lamp), ("buzzer", speaker.buzzer))
        through = {"lamp": "330 ohm", "buzzer": "100 ohm"}
        wired += [Switch(name, pin, name, through[name]) for name, pin in pins if pin is not None]
    return tuple(wired), buttons.url is not None or speaker.url is not None


def _seats(board: PhysicalBoard) -> tuple[str, str]:
    """Where the two fire buttons lie: in front of the players of what the board is made for."""
    try:
        across = fitted(board).sides[0][0] != 0
    except DoesNotFit:
        across = False
    return ("left side", "right side") if across else ("near side", "far side")


def _refuse_taken(switches: tuple[Switch, ...]) -> None:
    taken = {SPI_DATA, SPI_CLOCK, SPI_IN, *SPI_SELECTS}
    for switch in switches:
        if switch.gpio in taken:
            raise CannotWire(
                f"{switch.name!r} is on GPIO {switch.gpio}, which SPI needs for the LEDs: give it"
                " another pin in the board file"
            )


# -- the table ---------------------------------------------------------------------------------


def _power(hooked: Hookup) -> Iterator[Connection]:
    power = hooked.power
    ground = "ground bus"
    for number in range(1, power.supplies + 1):
        name = "supply" if power.supplies == 1 else f"supply {number}"
        yield Connection(f"{name} +5 V", "fuse box", PLUS, power.main, MAIN_MM)
        yield Connection(f"{name} 0 V", ground, MINUS, power.main, MAIN_MM)
    for feed in power.feeds:
        yield Connection(
            f"fuse {feed.name} ({feed.fuse_a:g} A) and {ground}",
            f"{hooked.led_name(feed.at)} +5 V and GND",
            f"{PLUS} and {MINUS}",
            feed.wire,
            feed.length_mm,
            f"for LEDs {feed.first} to {feed.last}; 1000 µF across",
        )
    ends = [feed.last for feed in power.feeds if feed.last + 1 not in _starts(hooked)]
    cut = f"; no +5 V after LED {_listed(ends)}" if ends else ""
    wires = "data, clock: four wires" if hooked.driver is Driver.SPI else "data: three wires"
    data, _, count = wires.partition(": ")
    density, _ = fitting_strip(hooked.layout)
    joins = hooked.layout.leds - len(lines(hooked.layout))
    if not density and joins:
        yield Connection(
            "each LED",
            "the next LED of its line",
            f"{PLUS}, {MINUS}, {data}",
            power.join,
            None,
            f"{count}, {step_mm(hooked.layout):.0f} mm, {joins} times",
        )
    yield Connection(
        "end of each line of LEDs",
        "start of the next line",
        f"{PLUS}, {MINUS}, {data}",
        power.join,
        None,
        f"{count}{cut}",
    )


def _signals(hooked: Hookup) -> Iterator[Connection]:
    if hooked.cable:
        chip = "Pico" if hooked.driver is Driver.PICO else "WLED controller"
        yield Connection("Pi", chip, "cable", None, None, hooked.cable)
    if hooked.driver is Driver.WLED:
        yield Connection(
            f"fuse {LOGIC_FUSE} and ground bus", "WLED controller 5 V and GND",
            f"{PLUS} and {MINUS}", SIGNAL, 300,
        )  # fmt: skip
    for line in hooked.data:
        colour = LANE_COLOURS[line.lane]
        pin = {"clock": "CI"}.get(line.name, "DI")
        end = f"{hooked.led_name(line.led)} {pin}"
        resistor = "through 330 ohm; ground beside it"
        if line.gate is None:
            remark = f"{resistor}; set {hooked.layout.lanes[line.lane]} LEDs for this output"
            yield Connection(line.source, end, colour, SIGNAL, line.length_mm, remark)
            continue
        enters, leaves = f"74AHCT125 pin {line.gate.enters}", f"74AHCT125 pin {line.gate.leaves}"
        yield Connection(line.source, enters, colour, SIGNAL, 100, line.name)
        yield Connection(leaves, end, colour, SIGNAL, line.length_mm, resistor)
    if hooked.driver is not Driver.WLED:
        yield from _shifter(hooked)
    if hooked.chained:
        for leds in lanes(hooked.layout)[1:]:
            yield Connection(
                f"{hooked.led_name(leds.start - 1)} DO, CO",
                f"{hooked.led_name(leds.start)} DI, CI",
                "green, blue",
                SIGNAL,
                run_mm(hooked.layout, leds.start),
                "and ground beside them",
            )


def _shifter(hooked: Hookup) -> Iterator[Connection]:
    unused = GATES[len(hooked.data) :]
    source = f"Pico pin {PICO_GROUND} (GND)" if hooked.driver is Driver.PICO else "Pi pin 25 (GND)"
    yield Connection(source, "ground bus", MINUS, SIGNAL, 200, "common ground: never leave it out")
    yield Connection(
        f"fuse {LOGIC_FUSE}", f"74AHCT125 pin {SHIFTER_5V} (VCC)", PLUS, SIGNAL,
        200, f"100 nF between pins {SHIFTER_5V} and {SHIFTER_GROUND}",
    )  # fmt: skip
    pins = [SHIFTER_GROUND, *(gate.enable for gate in GATES), *(gate.enters for gate in unused)]
    yield Connection(
        f"74AHCT125 pins {_listed(sorted(pins))}", "ground bus", MINUS, SIGNAL, 200,
        "GND, all OE" + (", unused inputs" if unused else ""),
    )  # fmt: skip


def _people(hooked: Hookup) -> Iterator[Connection]:
    through = {"button": "", "lamp": "LED, through ", "buzzer": "piezo, through "}
    for switch in hooked.switches:
        name = f"button {switch.name!r}" if switch.kind == "button" else switch.name
        yield Connection(
            pi_pin(switch.gpio), f"{name}, then a Pi GND", f"white and {MINUS}", SIGNAL,
            BUTTON_MM, through[switch.kind] + switch.remark,
        )  # fmt: skip


def _starts(hooked: Hookup) -> set[int]:
    return {leds.start for leds in lanes(hooked.layout)} | {hooked.layout.leds}


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
