"""The connection table: pins match the firmware and the Pi, and it is complete."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from gpiozero.pins.data import SPI_HARDWARE_PINS  # type: ignore[import-untyped]
from gpiozero.pins.pi import PiBoardInfo  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.connections import (
    BoardWiring,
    CannotWire,
    LedDriver,
    led_driver_for,
    plan_wiring,
)
from controller.builder.electrics.pins import (
    GATES,
    HEADER_3V,
    HEADER_5V,
    HEADER_GROUNDS,
    HEADER_PINS,
    PICO_FIRST_GPIO,
    PICO_GROUND,
    PICO_LANE_PINS,
    SHIFTER_5V,
    SHIFTER_GROUND,
    SPI_CLOCK,
    SPI_DATA,
    SPI_IN,
    SPI_SELECTS,
)
from controller.config.board_file import BoardFile, load_board_file
from controller.config.buttons import PIN_RANGE, ButtonSettings, SpeakerSettings
from engine.sentences import Sentence
from tests.support.lighting.random_led_boards import led_boards
from tests.support.paths import FIRMWARE

PICO = FIRMWARE / "rp2040"
PI_4 = 0xC03111


def wired(name: str, driver: LedDriver | None = None) -> BoardWiring:
    return plan_wiring(load_board_file(name), driver)


def from_to(wiring: BoardWiring) -> list[tuple[str, str]]:
    return [(str(each.start), str(each.end)) for each in wiring.connections()]


# --- pins -------------------------------------------------------------------------------------


def test_the_pins_of_the_lanes_are_those_of_the_pico_firmware() -> None:
    header, readme = ((PICO / name).read_text("utf-8") for name in ("leds.h", "README.md"))
    found = re.search(r"LEDS_FIRST_PIN = (\d+)", header)
    assert found
    assert int(found[1]) == PICO_FIRST_GPIO
    pins = ", ".join(map(str, PICO_LANE_PINS))
    gpios = ", ".join(str(PICO_FIRST_GPIO + lane) for lane in range(4))
    assert f"| {pins} | {gpios} | data in of lanes 0 to 3," in readme
    assert f"| {PICO_GROUND}, 8 | GND |" in readme


def test_the_spi_pins_are_those_of_the_spi_library() -> None:
    pins = SPI_HARDWARE_PINS[0]
    assert (pins["mosi"], pins["clock"]) == (f"GPIO{SPI_DATA}", f"GPIO{SPI_CLOCK}")
    assert (pins["miso"], *pins["select"]) == tuple(f"GPIO{n}" for n in (SPI_IN, *SPI_SELECTS))
    assert set(SPI_HARDWARE_PINS) == {0}, "draw the other buses too"


def test_the_header_pins_are_those_of_a_pi_4() -> None:
    pins = PiBoardInfo.from_revision(PI_4).headers["J8"].pins
    names = {number: pin.name for number, pin in pins.items()}
    assert {f"GPIO{gpio}": pin for gpio, pin in HEADER_PINS.items()} == {
        name: number
        for number, name in names.items()
        if re.fullmatch(r"GPIO\d+", name) and PIN_RANGE[0] <= int(name[4:]) <= PIN_RANGE[1]
    }
    for wanted, reported in (("GND", HEADER_GROUNDS), ("5V", HEADER_5V), ("3V3", HEADER_3V)):
        assert [number for number, name in sorted(names.items()) if name == wanted] == list(
            reported
        )


def test_the_level_shifter_has_fourteen_pins() -> None:
    pins = [pin for gate in GATES for pin in (gate.enable_pin, gate.input_pin, gate.output_pin)]
    assert sorted([*pins, SHIFTER_GROUND, SHIFTER_5V]) == list(range(1, 15))


# --- connections ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "driver", "wires", "count"),
    [
        ("demo-10x8", None, sentences.THREE_WIRES(), 72),
        ("demo-10x8", LedDriver.SPI, sentences.FOUR_WIRES(), 72),
        ("hex-r5", None, sentences.THREE_WIRES(), 80),
    ],
)
def test_leds_wider_apart_than_on_any_strip_are_wired_singly(
    name: str, driver: LedDriver | None, wires: Sentence, count: int
) -> None:
    (row,) = [row for row in wired(name, driver).connections() if row.start == sentences.EACH_LED()]
    assert row.remark == sentences.EACH_LED_REMARK(wires=wires, pitch_mm="40", count=count)


def test_leds_of_a_strip_need_no_wires_between_them() -> None:
    rows = wired("full-10x8").connections()
    assert not [row for row in rows if row.start == sentences.EACH_LED()]


def test_a_lane_goes_from_the_pico_through_its_gate_to_its_first_led() -> None:
    connected = from_to(wired("full-10x8"))
    assert ("Pico pin 4 (GP2)", "74AHCT125 pin 2") in connected
    assert ("74AHCT125 pin 3", "LED 0 (a8) DI") in connected
    assert ("Pico pin 5 (GP3)", "74AHCT125 pin 5") in connected
    assert ("74AHCT125 pin 6", "LED 360 (a4) DI") in connected
    assert ("Pico pin 3 (GND)", "ground bus") in connected


def test_with_spi_the_lanes_are_wired_in_series() -> None:
    connected = from_to(wired("full-10x8", LedDriver.SPI))
    assert ("Pi pin 19 (GPIO 10)", "74AHCT125 pin 2") in connected
    assert ("74AHCT125 pin 6", "LED 0 (a8) CI") in connected
    assert ("LED 359 (a5) DO, CO", "LED 360 (a4) DI, CI") in connected
    assert not [start for start, _ in connected if start.startswith("Pico")]


def test_wled_needs_no_level_shifter_and_its_led_count_is_listed() -> None:
    wiring = wired("wled-10x8")
    (line,) = [
        each for each in wiring.connections() if each.start == sentences.WLED_OUTPUT(number=1)
    ]
    assert line.remark == sentences.WLED_DATA_REMARK(leds=80)
    assert "74AHCT125" not in str(from_to(wiring))
    assert wiring.cable == sentences.NETWORK()


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(led_boards(), st.sampled_from(LedDriver))
def test_every_feed_is_listed_and_every_fuse_protects_its_wire(
    file: BoardFile, driver: LedDriver
) -> None:
    wiring = plan_wiring(file, driver)
    rows = wiring.connections()
    for feed in wiring.power.feeds:
        (row,) = [each for each in rows if each.start.slots.get("fuse") == feed.name]
        assert row.end == sentences.LED_POWER(led=wiring.led_name(feed.at))
    for row in rows:
        amps = row.start.slots.get("amps")
        if amps is not None:
            assert isinstance(amps, float)
            assert row.wire is not None
            assert row.wire.carries_a >= amps
    for line in wiring.data_lines:
        assert line.first_led in {0, *(sum(wiring.layout.leds_per_lane[:n]) for n in range(4))}


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        (None, LedDriver.PICO),
        ("serial:///dev/ttyACM0", LedDriver.PICO),
        ("sim://", LedDriver.PICO),
        ("gpio://spi", LedDriver.SPI),
        ("ddp://wled.local", LedDriver.WLED),
        ("adalight:///dev/ttyUSB0", LedDriver.WLED),
    ],
)
def test_the_url_of_the_leds_determines_the_driver(url: str | None, driver: LedDriver) -> None:
    file = load_board_file("demo-10x8")
    assert file.leds is not None
    file = replace(file, leds=replace(file.leds, url=url))
    assert led_driver_for(file) is plan_wiring(file).driver is driver
    assert plan_wiring(file, LedDriver.SPI).driver is LedDriver.SPI


# --- GPIO devices -----------------------------------------------------------------------------


def test_buttons_have_the_pins_in_the_board_file() -> None:
    file = replace(
        load_board_file("demo-10x8"),
        buttons=ButtonSettings("gpio://", {"fire 0": 5, "pause": 6}),
        speaker=SpeakerSettings("gpio://", lamp=None, buzzer=12),
    )
    wiring = plan_wiring(file)
    assert [(each.name, each.gpio) for each in wiring.gpio_devices] == [
        ("fire 0", 5), ("pause", 6), ("buzzer", 12),
    ]  # fmt: skip
    assert ("Pi pin 29 (GPIO 5)", "button 'fire 0', then a Pi GND") in from_to(wiring)
    assert wiring.gpio_configured


@pytest.mark.parametrize(
    ("board", "seats"),
    [
        ("demo-10x8", (sentences.NEAR_SIDE(), sentences.FAR_SIDE())),
        ("photon-10x10", (sentences.NEAR_SIDE(), sentences.FAR_SIDE())),
        ("hex-r5", (sentences.LEFT_SIDE(), sentences.RIGHT_SIDE())),
    ],
)
def test_a_fire_button_is_at_the_side_of_its_player(
    board: str, seats: tuple[Sentence, Sentence]
) -> None:
    wiring = plan_wiring(load_board_file(board))
    remarks = {each.end: each.remark for each in wiring.connections()}
    for button, seat in zip(("fire 0", "fire 1"), seats, strict=True):
        assert remarks[sentences.BUTTON_AND_GROUND(button=repr(button))] == seat
    assert remarks[sentences.BUTTON_AND_GROUND(button="'power'")] == sentences.BUTTON_HELD(
        seconds=3.0
    )


def test_a_keyboard_is_not_wired() -> None:
    file = replace(
        load_board_file("demo-10x8"),
        buttons=ButtonSettings("keyboard://"),
        speaker=SpeakerSettings("none://"),
    )
    assert plan_wiring(file).gpio_devices == ()


def test_a_button_on_a_pin_of_spi_is_refused() -> None:
    file = replace(load_board_file("demo-10x8"), buttons=ButtonSettings(None, {"fire 0": 11}))
    assert plan_wiring(file).driver is LedDriver.PICO
    with pytest.raises(CannotWire) as refused:
        plan_wiring(file, LedDriver.SPI)
    assert refused.value.sentence == sentences.PIN_TAKEN(device="'fire 0'", gpio=11)


def test_wiring_a_board_without_leds_is_refused() -> None:
    with pytest.raises(CannotWire) as refused:
        wired("paper-10x8")
    assert refused.value.sentence == sentences.NO_LEDS_TO_WIRE(board="'paper-10x8'")


def test_another_spi_bus_is_refused() -> None:
    file = load_board_file("demo-10x8")
    assert file.leds is not None
    file = replace(file, leds=replace(file.leds, url="gpio://spi?bus=1"))
    with pytest.raises(CannotWire) as refused:
        plan_wiring(file)
    assert refused.value.sentence == sentences.UNKNOWN_SPI_BUS(bus=1)
