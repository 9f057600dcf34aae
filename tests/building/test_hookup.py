"""Connections: pins are those of the firmware and of the Pi, and nothing is left out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero.pins.data import SPI_HARDWARE_PINS  # type: ignore[import-untyped]
from gpiozero.pins.pi import PiBoardInfo  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.building.hookup import CannotWire, Driver, Hookup, driver_of, hookup
from controller.building.pins import (
    GATES,
    HEADER,
    HEADER_3V,
    HEADER_5V,
    HEADER_GROUNDS,
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
from controller.button_settings import PINS, ButtonSettings, SpeakerSettings
from controller.config import BoardFile, load_board_file
from tests.controller.test_led_settings import led_boards

PICO = Path(__file__).parents[2] / "firmware" / "rp2040"
PI_4 = 0xC03111


def wired(name: str, driver: Driver | None = None) -> Hookup:
    return hookup(load_board_file(name), driver)


def from_to(hooked: Hookup) -> list[tuple[str, str]]:
    return [(each.start, each.end) for each in hooked.connections()]


# --- pins -------------------------------------------------------------------------------------


def test_lanes_leave_the_pico_where_its_firmware_says() -> None:
    header, readme = ((PICO / name).read_text("utf-8") for name in ("leds.h", "README.md"))
    found = re.search(r"LEDS_FIRST_PIN = (\d+)", header)
    assert found
    assert int(found[1]) == PICO_FIRST_GPIO
    pins = ", ".join(map(str, PICO_LANE_PINS))
    gpios = ", ".join(str(PICO_FIRST_GPIO + lane) for lane in range(4))
    assert f"| {pins} | {gpios} | data in of lanes 0 to 3," in readme
    assert f"| {PICO_GROUND}, 8 | GND |" in readme


def test_spi_pins_are_those_of_the_drivers_library() -> None:
    pins = SPI_HARDWARE_PINS[0]
    assert (pins["mosi"], pins["clock"]) == (f"GPIO{SPI_DATA}", f"GPIO{SPI_CLOCK}")
    assert (pins["miso"], *pins["select"]) == tuple(f"GPIO{n}" for n in (SPI_IN, *SPI_SELECTS))
    assert set(SPI_HARDWARE_PINS) == {0}, "draw the others, too"


def test_the_header_is_that_of_a_pi() -> None:
    pins = PiBoardInfo.from_revision(PI_4).headers["J8"].pins
    names = {number: pin.name for number, pin in pins.items()}
    assert {f"GPIO{gpio}": pin for gpio, pin in HEADER.items()} == {
        name: number
        for number, name in names.items()
        if re.fullmatch(r"GPIO\d+", name) and PINS[0] <= int(name[4:]) <= PINS[1]
    }
    for wanted, told in (("GND", HEADER_GROUNDS), ("5V", HEADER_5V), ("3V3", HEADER_3V)):
        assert [number for number, name in sorted(names.items()) if name == wanted] == list(told)


def test_the_level_shifter_has_fourteen_pins() -> None:
    pins = [pin for gate in GATES for pin in (gate.enable, gate.enters, gate.leaves)]
    assert sorted([*pins, SHIFTER_GROUND, SHIFTER_5V]) == list(range(1, 15))


# --- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "driver", "told"),
    [
        ("demo-10x8", None, "three wires, 40 mm, 72 times"),
        ("demo-10x8", Driver.SPI, "four wires, 40 mm, 72 times"),
        ("hex-r5", None, "three wires, 40 mm, 80 times"),
        ("full-10x8", None, None),  # a strip has them where they should be
    ],
)
def test_leds_that_no_strip_has_so_far_apart_are_joined_one_by_one(
    name: str, driver: Driver | None, told: str | None
) -> None:
    rows = wired(name, driver).connections()
    found = [row.remark for row in rows if row.start == "each LED"]
    assert found == ([] if told is None else [told])


def test_a_lane_goes_from_the_pico_through_its_gate_to_its_first_led() -> None:
    connected = from_to(wired("full-10x8"))
    assert ("Pico pin 4 (GP2)", "74AHCT125 pin 2") in connected
    assert ("74AHCT125 pin 3", "LED 0 (a8) DI") in connected
    assert ("Pico pin 5 (GP3)", "74AHCT125 pin 5") in connected
    assert ("74AHCT125 pin 6", "LED 360 (a4) DI") in connected
    assert ("Pico pin 3 (GND)", "ground bus") in connected


def test_on_spi_lanes_follow_each_other() -> None:
    connected = from_to(wired("full-10x8", Driver.SPI))
    assert ("Pi pin 19 (GPIO 10)", "74AHCT125 pin 2") in connected
    assert ("74AHCT125 pin 6", "LED 0 (a8) CI") in connected
    assert ("LED 359 (a5) DO, CO", "LED 360 (a4) DI, CI") in connected
    assert not [start for start, _ in connected if start.startswith("Pico")]


def test_wled_has_its_own_level_shifter_and_counts_its_leds() -> None:
    hooked = wired("wled-10x8")
    (line,) = [each for each in hooked.connections() if each.start == "WLED output 1"]
    assert "set 80 LEDs" in line.remark
    assert "74AHCT125" not in str(from_to(hooked))
    assert hooked.cable == "network (Wi-Fi)"


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(led_boards(), st.sampled_from(Driver))
def test_every_thin_wire_hangs_on_a_small_fuse_and_every_feed_is_there(
    file: BoardFile, driver: Driver
) -> None:
    hooked = hookup(file, driver)
    rows = hooked.connections()
    for feed in hooked.power.feeds:
        (row,) = [each for each in rows if each.start.startswith(f"fuse {feed.name} ")]
        assert row.end.startswith(f"LED {feed.at} (")
    for row in rows:
        fuse = re.search(r"fuse F\d+ \(([\d.]+) A\)", row.start)
        if fuse:
            assert row.wire is not None
            assert row.wire.carries_a >= float(fuse[1])
    for line in hooked.data:
        assert line.led in {0, *(sum(hooked.layout.lanes[:n]) for n in range(4))}


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        (None, Driver.PICO),
        ("serial:///dev/ttyACM0", Driver.PICO),
        ("sim://", Driver.PICO),
        ("gpio://spi", Driver.SPI),
        ("ddp://wled.local", Driver.WLED),
        ("adalight:///dev/ttyUSB0", Driver.WLED),
    ],
)
def test_the_url_of_the_leds_says_what_they_hang_on(url: str | None, driver: Driver) -> None:
    file = load_board_file("demo-10x8")
    assert file.leds is not None
    file = replace(file, leds=replace(file.leds, url=url))
    assert driver_of(file) is hookup(file).driver is driver
    assert hookup(file, Driver.SPI).driver is Driver.SPI


# --- people -----------------------------------------------------------------------------------


def test_buttons_are_where_the_board_file_says() -> None:
    file = replace(
        load_board_file("demo-10x8"),
        buttons=ButtonSettings("gpio://", {"fire 0": 5, "pause": 6}),
        speaker=SpeakerSettings("gpio://", lamp=None, buzzer=12),
    )
    hooked = hookup(file)
    assert [(each.name, each.gpio) for each in hooked.switches] == [
        ("fire 0", 5), ("pause", 6), ("buzzer", 12),
    ]  # fmt: skip
    assert ("Pi pin 29 (GPIO 5)", "button 'fire 0', then a Pi GND") in from_to(hooked)
    assert hooked.switches_asked


@pytest.mark.parametrize(
    ("board", "seats"),
    [
        ("demo-10x8", ("near side", "far side")),
        ("photon-10x10", ("near side", "far side")),
        ("hex-r5", ("left side", "right side")),
    ],
)
def test_a_fire_button_lies_in_front_of_its_player(board: str, seats: tuple[str, str]) -> None:
    hooked = hookup(load_board_file(board))
    told = {each.end: each.remark for each in hooked.connections()}
    for button, seat in zip(("fire 0", "fire 1"), seats, strict=True):
        assert told[f"button {button!r}, then a Pi GND"] == seat
    assert told["button 'power', then a Pi GND"] == "held 3 s"


def test_what_is_a_keyboard_is_not_wired() -> None:
    file = replace(
        load_board_file("demo-10x8"),
        buttons=ButtonSettings("keyboard://"),
        speaker=SpeakerSettings("none://"),
    )
    assert hookup(file).switches == ()


def test_a_button_on_a_pin_of_spi_is_refused() -> None:
    file = replace(load_board_file("demo-10x8"), buttons=ButtonSettings(None, {"fire 0": 11}))
    assert hookup(file).driver is Driver.PICO
    with pytest.raises(CannotWire, match="'fire 0' is on GPIO 11, which SPI needs for the LEDs"):
        hookup(file, Driver.SPI)


def test_a_board_without_leds_has_nothing_to_wire() -> None:
    with pytest.raises(CannotWire, match="'paper-10x8' has no LEDs"):
        wired("paper-10x8")


def test_another_spi_bus_is_refused() -> None:
    file = load_board_file("demo-10x8")
    assert file.leds is not None
    file = replace(file, leds=replace(file.leds, url="gpio://spi?bus=1"))
    with pytest.raises(CannotWire, match="only the pins of SPI 0 are known"):
        hookup(file)
