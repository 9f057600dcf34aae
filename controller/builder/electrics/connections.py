"""Plans the wiring of a board: `plan_wiring` makes a `BoardWiring` from a board file.

The wiring sheets and the bill of materials use only the `BoardWiring`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.led_runs import (
    find_strip,
    lane_ranges,
    led_runs,
    max_led_pitch_mm,
)
from controller.builder.electrics.pins import (
    GATES,
    HEADER_PINS,
    PICO_GROUND,
    PICO_LANE_PINS,
    SHIFTER_5V,
    SHIFTER_GROUND,
    SPI_CLOCK,
    SPI_DATA,
    SPI_GROUND,
    SPI_IN,
    SPI_SELECTS,
    Gate,
    pi_pin,
    pico_pin,
)
from controller.builder.electrics.power import MAIN_WIRE_MM, PowerBudget, plan_power, wire_length_mm
from controller.builder.electrics.wire_sizes import SIGNAL_WIRE, Wire
from controller.config.addresses.leds import (
    AdalightLedAddress,
    DdpLedAddress,
    SpiLedAddress,
    parse_led_url,
)
from controller.config.board_file import BoardFile
from controller.config.buttons import parse_button_url, parse_speaker_url
from controller.lighting.layout import LedLayout, led_layout
from controller.ports.buttons import FIRE, LONG_PRESS_MS, POWER
from controller.session.board_fit import fit_board
from engine.errors import LaserboardError
from engine.sentences import Sentence
from vision.board import BoardDoesNotFit, PhysicalBoard

BUTTON_WIRE_MM = 500
LANE_COLOURS = (sentences.GREEN(), sentences.BLUE(), sentences.YELLOW(), sentences.VIOLET())
PLUS, MINUS = sentences.RED(), sentences.BLACK()
LOGIC_FUSE, LOGIC_FUSE_A = "F0", 1.0  # protects the thin wires of the level shifter or controller


class CannotWire(LaserboardError, ValueError):
    """The board has no LEDs, or its pins conflict."""


class LedDriver(StrEnum):
    """The device that sends data to the LEDs."""

    PICO = "pico"
    SPI = "spi"
    WLED = "wled"


@dataclass(frozen=True, slots=True)
class DataLine:
    """A signal wire to the LEDs."""

    name: Sentence  # `lane 0`, `data` or `clock`
    lane: int  # the lane whose line style drawings use
    source: Sentence
    source_pin: int  # of the Pi or the Pico; of WLED the number of the output
    led_pin: str  # DI or CI
    gate: Gate | None  # of the level shifter; None: the controller has its own
    first_led: int  # the LED that receives it
    length_mm: int


@dataclass(frozen=True, slots=True)
class GpioDevice:
    """A button, the lamp or the buzzer between a GPIO of the Pi and ground."""

    name: str
    gpio: int
    kind: str  # button, lamp or buzzer
    remark: Sentence | None = None  # place of a button, resistor of lamp or buzzer


@dataclass(frozen=True, slots=True)
class Connection:
    """One row of the connection table."""

    start: Sentence
    end: Sentence
    colour: Sentence
    wire: Wire | None  # None: a ready-made cable
    length_mm: int | None = None
    remark: Sentence | None = None
    conductors: int = 1  # that are bought by length


@dataclass(frozen=True)
class BoardWiring:
    """The LEDs of a board with driver, power, data lines and GPIO devices."""

    file: BoardFile
    layout: LedLayout
    driver: LedDriver
    cable: Sentence | None  # from the Pi to the driver; None for SPI
    power: PowerBudget
    data_lines: tuple[DataLine, ...]
    chained: bool  # all lanes are one chain on one data line
    gpio_devices: tuple[GpioDevice, ...]
    gpio_configured: bool  # the board file has gpio:// URLs; False: a suggestion

    def led_name(self, led: int) -> Sentence:
        cell = self.layout.cell_of(led)
        name = sentences.UNDER_NO_CELL() if cell is None else self.layout.board.grid.name(cell)
        return sentences.LED_NAME(led=led, cell=name)

    def connections(self) -> tuple[Connection, ...]:
        return (*_power_connections(self), *_signal_connections(self), *_gpio_connections(self))


def led_driver_for(file: BoardFile) -> LedDriver:
    """The driver of the board file's LED URL; without a URL the Pico of the guide."""
    url = None if file.leds is None else file.leds.url
    match None if url is None else parse_led_url(url):
        case SpiLedAddress():
            return LedDriver.SPI
        case DdpLedAddress() | AdalightLedAddress():
            return LedDriver.WLED
        case _:
            return LedDriver.PICO


def plan_wiring(file: BoardFile, driver: LedDriver | None = None) -> BoardWiring:
    layout = led_layout(file)
    if layout is None or file.leds is None:
        raise CannotWire(sentences.NO_LEDS_TO_WIRE(board=repr(file.board.name)))
    chosen = driver or led_driver_for(file)
    address = None if file.leds.url is None else parse_led_url(file.leds.url)
    if isinstance(address, SpiLedAddress) and chosen is LedDriver.SPI and address.bus != 0:
        raise CannotWire(sentences.UNKNOWN_SPI_BUS(bus=address.bus))
    devices, configured = _gpio_devices(file)
    if chosen is LedDriver.SPI:
        _check_spi_pins_free(devices)
    wled_cable = (
        sentences.USB_CABLE() if isinstance(address, AdalightLedAddress) else sentences.NETWORK()
    )
    cable = {
        LedDriver.PICO: sentences.USB_CABLE_WITH_POWER(),
        LedDriver.SPI: None,
        LedDriver.WLED: wled_cable,
    }[chosen]
    return BoardWiring(
        file,
        layout,
        chosen,
        cable,
        plan_power(file.leds, layout),
        tuple(_data_lines(layout, chosen)),
        chosen is LedDriver.SPI and len(layout.leds_per_lane) > 1,
        devices,
        configured,
    )


def _data_lines(layout: LedLayout, driver: LedDriver) -> Iterator[DataLine]:
    if driver is LedDriver.SPI:
        length_mm = wire_length_mm(layout, 0)
        lines = (
            (sentences.DATA_LINE(), SPI_DATA, "DI"),
            (sentences.CLOCK_LINE(), SPI_CLOCK, "CI"),
        )
        for gate, (name, gpio, led_pin) in enumerate(lines):
            yield DataLine(
                name, gate, pi_pin(gpio), HEADER_PINS[gpio], led_pin, GATES[gate], 0, length_mm
            )
        return
    pico = driver is LedDriver.PICO
    for lane, leds in enumerate(lane_ranges(layout)):
        yield DataLine(
            sentences.LANE(lane=lane),
            lane,
            pico_pin(lane) if pico else sentences.WLED_OUTPUT(number=lane + 1),
            PICO_LANE_PINS[lane] if pico else lane + 1,
            "DI",
            GATES[lane] if pico else None,
            leds.start,
            wire_length_mm(layout, leds.start),
        )


def _gpio_devices(file: BoardFile) -> tuple[tuple[GpioDevice, ...], bool]:
    """Devices on the Pi's pins, unless the board file has another URL; and if it names them."""
    buttons, speaker = file.buttons, file.speaker
    devices: list[GpioDevice] = []
    if buttons.url is None or parse_button_url(buttons.url).kind == "gpio":
        remarks = dict(zip(FIRE, _fire_button_places(file.board), strict=True))
        remarks[POWER] = sentences.BUTTON_HELD(seconds=LONG_PRESS_MS / 1000)
        devices += [
            GpioDevice(name, pin, "button", remarks.get(name)) for name, pin in buttons.pins.items()
        ]
    if speaker.url is None or parse_speaker_url(speaker.url) == "gpio":
        for name, pin, ohm in (("lamp", speaker.lamp, 330), ("buzzer", speaker.buzzer, 100)):
            if pin is not None:
                devices.append(GpioDevice(name, pin, name, sentences.OHM(ohm=ohm)))
    return tuple(devices), buttons.url is not None or speaker.url is not None


def _fire_button_places(board: PhysicalBoard) -> tuple[Sentence, Sentence]:
    """The places of the two fire buttons: in front of the players of the board's game."""
    try:
        across = fit_board(board).sides[0][0] != 0
    except BoardDoesNotFit:
        across = False
    if across:
        return sentences.LEFT_SIDE(), sentences.RIGHT_SIDE()
    return sentences.NEAR_SIDE(), sentences.FAR_SIDE()


def _check_spi_pins_free(devices: tuple[GpioDevice, ...]) -> None:
    spi_pins = {SPI_DATA, SPI_CLOCK, SPI_IN, *SPI_SELECTS}
    for device in devices:
        if device.gpio in spi_pins:
            raise CannotWire(sentences.PIN_TAKEN(device=repr(device.name), gpio=device.gpio))


# -- connection table --------------------------------------------------------------------------


def _power_connections(wiring: BoardWiring) -> Iterator[Connection]:
    power = wiring.power
    both = sentences.COLOUR_PAIR(one=PLUS, other=MINUS)
    for number in range(1, power.supplies + 1):
        supply = (
            sentences.SUPPLY() if power.supplies == 1 else sentences.NUMBERED_SUPPLY(number=number)
        )
        plus, minus = sentences.SUPPLY_PLUS(supply=supply), sentences.SUPPLY_MINUS(supply=supply)
        yield Connection(plus, sentences.FUSE_BOX(), PLUS, power.main_wire, MAIN_WIRE_MM)
        yield Connection(minus, sentences.GROUND_BUS(), MINUS, power.main_wire, MAIN_WIRE_MM)
    for feed in power.feeds:
        yield Connection(
            sentences.FUSE_AND_GROUND(fuse=feed.name, amps=feed.fuse_a),
            sentences.LED_POWER(led=wiring.led_name(feed.at)),
            both,
            feed.wire,
            feed.length_mm,
            sentences.FEED_REMARK(first=feed.first, last=feed.last),
            conductors=2,
        )
    ends = [feed.last for feed in power.feeds if feed.last + 1 not in _lane_starts(wiring)]
    spi = wiring.driver is LedDriver.SPI
    signals = (sentences.DATA_LINE(), *([sentences.CLOCK_LINE()] if spi else []))
    colours = sentences.COLOURS(colours=(PLUS, MINUS, *signals))
    wires = sentences.FOUR_WIRES() if spi else sentences.THREE_WIRES()
    density, _ = find_strip(wiring.layout)
    joins = wiring.layout.led_count - len(led_runs(wiring.layout))
    if not density and joins:
        yield Connection(
            sentences.EACH_LED(),
            sentences.NEXT_LED(),
            colours,
            power.join_wire,
            None,
            sentences.EACH_LED_REMARK(
                wires=wires, pitch_mm=f"{max_led_pitch_mm(wiring.layout):.0f}", count=joins
            ),
        )
    yield Connection(
        sentences.RUN_END(),
        sentences.NEXT_RUN(),
        colours,
        power.join_wire,
        None,
        sentences.RUN_END_REMARK(wires=wires, leds=tuple(map(str, ends))) if ends else wires,
    )


def _signal_connections(wiring: BoardWiring) -> Iterator[Connection]:
    if wiring.cable is not None:
        pico = wiring.driver is LedDriver.PICO
        chip = sentences.PICO() if pico else sentences.WLED_CONTROLLER()
        yield Connection(sentences.PI(), chip, sentences.CABLE(), None, None, wiring.cable)
    if wiring.driver is LedDriver.WLED:
        yield Connection(
            sentences.FUSE_AND_GROUND(fuse=LOGIC_FUSE, amps=LOGIC_FUSE_A),
            sentences.WLED_POWER(),
            sentences.COLOUR_PAIR(one=PLUS, other=MINUS),
            SIGNAL_WIRE,
            300,
            conductors=2,
        )
    for line in wiring.data_lines:
        colour = LANE_COLOURS[line.lane]
        end = sentences.LED_PINS(led=wiring.led_name(line.first_led), pins=line.led_pin)
        if line.gate is None:
            remark = sentences.WLED_DATA_REMARK(leds=wiring.layout.leds_per_lane[line.lane])
            yield Connection(line.source, end, colour, SIGNAL_WIRE, line.length_mm, remark)
            continue
        gate_in = sentences.SHIFTER_PIN(pin=line.gate.input_pin)
        gate_out = sentences.SHIFTER_PIN(pin=line.gate.output_pin)
        yield Connection(line.source, gate_in, colour, SIGNAL_WIRE, 100, line.name)
        yield Connection(
            gate_out, end, colour, SIGNAL_WIRE, line.length_mm, sentences.DATA_REMARK()
        )
    if wiring.driver is not LedDriver.WLED:
        yield from _shifter_connections(wiring)
    if wiring.chained:
        for leds in lane_ranges(wiring.layout)[1:]:
            yield Connection(
                sentences.LED_PINS(led=wiring.led_name(leds.start - 1), pins="DO, CO"),
                sentences.LED_PINS(led=wiring.led_name(leds.start), pins="DI, CI"),
                sentences.COLOURS(colours=(sentences.GREEN(), sentences.BLUE())),
                SIGNAL_WIRE,
                wire_length_mm(wiring.layout, leds.start),
                sentences.CHAIN_REMARK(),
            )


def _shifter_connections(wiring: BoardWiring) -> Iterator[Connection]:
    unused = GATES[len(wiring.data_lines) :]
    source = (
        sentences.PICO_GROUND_PIN(pin=PICO_GROUND)
        if wiring.driver is LedDriver.PICO
        else sentences.PI_GROUND_PIN(pin=SPI_GROUND)
    )
    ground = sentences.GROUND_BUS()
    yield Connection(source, ground, MINUS, SIGNAL_WIRE, 200, sentences.COMMON_GROUND())
    yield Connection(
        sentences.FUSE(fuse=LOGIC_FUSE, amps=LOGIC_FUSE_A),
        sentences.SHIFTER_POWER_PIN(pin=SHIFTER_5V),
        PLUS,
        SIGNAL_WIRE,
        200,
        sentences.SHIFTER_CAPACITOR(plus=SHIFTER_5V, ground=SHIFTER_GROUND),
    )
    pins = [
        SHIFTER_GROUND,
        *(gate.enable_pin for gate in GATES),
        *(gate.input_pin for gate in unused),
    ]
    remark = sentences.SHIFTER_GROUNDS_AND_INPUTS() if unused else sentences.SHIFTER_GROUNDS()
    grounded = sentences.SHIFTER_PINS(pins=tuple(map(str, sorted(pins))))
    yield Connection(grounded, ground, MINUS, SIGNAL_WIRE, 200, remark)


def _gpio_connections(wiring: BoardWiring) -> Iterator[Connection]:
    resistors = {"lamp": sentences.LAMP_RESISTOR, "buzzer": sentences.BUZZER_RESISTOR}
    for device in wiring.gpio_devices:
        if device.kind == "button":
            end = sentences.BUTTON_AND_GROUND(button=repr(device.name))
            remark = device.remark
        else:
            end = sentences.DEVICE_AND_GROUND(device=device.name)
            remark = resistors[device.kind](resistor=device.remark or "")
        yield Connection(
            pi_pin(device.gpio),
            end,
            sentences.COLOUR_PAIR(one=sentences.WHITE(), other=MINUS),
            SIGNAL_WIRE,
            BUTTON_WIRE_MM,
            remark,
            conductors=2,
        )


def _lane_starts(wiring: BoardWiring) -> set[int]:
    return {leds.start for leds in lane_ranges(wiring.layout)} | {wiring.layout.led_count}
