"""URLs of LEDs: `serial:///dev/ttyACM0?baud=500000` <-> `SerialLedAddress(...)`.

The fields of each class are its options, with their limits. Opens no device.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from controller.config import sentences
from controller.config.addresses.url import AddressFamily, choice_option, float_option, int_option
from controller.ports.devices import COLOR_ORDERS
from engine.errors import LaserboardError, excerpt

AUTO = "auto"
DDP_PORT = 4048
HOST_PATTERN = re.compile(r"(?:\[([0-9A-Fa-f:.%]+)\]|([A-Za-z0-9._-]+))(?::([1-9][0-9]{0,4}))?")
BAUD_RANGE = (1200, 12_000_000)


class BadLeds(LaserboardError, ValueError):
    """An invalid LED URL, or LEDs that do not exist."""


def _probability_option(default: float = 0.0) -> Any:
    return float_option(default, 0, 1)


@dataclass(frozen=True, slots=True)
class SerialLedAddress:
    """A microcontroller with the Laserboard firmware on a serial port."""

    scheme: ClassVar[str] = "serial"
    place: str = AUTO  # path such as /dev/ttyACM0, or `auto`: the port that answers
    baud: int = int_option(1_000_000, *BAUD_RANGE)


@dataclass(frozen=True, slots=True)
class AdalightLedAddress:
    """WLED, Hyperion and the like on a serial port (Adalight protocol)."""

    scheme: ClassVar[str] = "adalight"
    place: str = ""
    baud: int = int_option(115_200, *BAUD_RANGE)
    order: str = choice_option(*COLOR_ORDERS)  # order of the colours; most receivers reorder them


@dataclass(frozen=True, slots=True)
class DdpLedAddress:
    """WLED and the like in the network (DDP protocol)."""

    scheme: ClassVar[str] = "ddp"
    place: str = ""  # host, and port if not 4048

    @property
    def host(self) -> str:
        return self._host_and_port()[0]

    @property
    def port(self) -> int:
        return self._host_and_port()[1]

    def _host_and_port(self) -> tuple[str, int]:
        found = HOST_PATTERN.fullmatch(self.place)
        if found is None:
            raise BadLeds(sentences.NOT_A_HOST(value=excerpt(self.place)))
        return found[1] or found[2], int(found[3] or DDP_PORT)


@dataclass(frozen=True, slots=True)
class SpiLedAddress:
    """A clocked strip (APA102) on the SPI pins of a Raspberry Pi."""

    scheme: ClassVar[str] = "gpio"
    place: str = "spi"
    bus: int = int_option(0, 0, 6)
    device: int = int_option(0, 0, 2)
    rate: int = int_option(8_000_000, 100_000, 30_000_000)  # bits per second
    kind: str = choice_option("apa102", "sk9822")
    order: str = choice_option("BGR", *(each for each in COLOR_ORDERS if each != "BGR"))


@dataclass(frozen=True, slots=True)
class TerminalLedAddress:
    """LEDs drawn in the terminal."""

    scheme: ClassVar[str] = "terminal"
    place: str = ""


@dataclass(frozen=True, slots=True)
class MemoryLedAddress:
    """LEDs in memory, for tests and machines without a compiler."""

    scheme: ClassVar[str] = "memory"
    place: str = ""


@dataclass(frozen=True, slots=True)
class NoLedAddress:
    """A board without LEDs."""

    scheme: ClassVar[str] = "none"
    place: str = ""


@dataclass(frozen=True, slots=True)
class SimulatedLedAddress:
    """The firmware as a process on this machine, with optional cable faults."""

    scheme: ClassVar[str] = "sim"
    place: str = ""
    drop: float = _probability_option()  # per frame and direction
    flip: float = _probability_option()
    insert: float = _probability_option()
    delay: float = _probability_option(1.0)  # that a frame is late by lag_ms
    lag_ms: float = float_option(0.0, 0, 10_000)
    unplug_every_s: float = float_option(0.0, 0, 86_400)  # 0: never
    seed: int = int_option(0, 0, 2**31 - 1)


LedAddress = (
    SerialLedAddress
    | AdalightLedAddress
    | DdpLedAddress
    | SpiLedAddress
    | TerminalLedAddress
    | MemoryLedAddress
    | NoLedAddress
    | SimulatedLedAddress
)
LED_ADDRESS_TYPES = (
    SerialLedAddress,
    AdalightLedAddress,
    DdpLedAddress,
    SpiLedAddress,
    TerminalLedAddress,
    MemoryLedAddress,
    NoLedAddress,
    SimulatedLedAddress,
)
SCHEMES: dict[str, type[Any]] = {kind.scheme: kind for kind in LED_ADDRESS_TYPES}
LED_FAMILY: AddressFamily[LedAddress] = AddressFamily(
    "LEDs", BadLeds, SCHEMES, sentences.LED_URLS(), "/ :+,@=~!$[]"
)
format_led_url, led_name = LED_FAMILY.format, LED_FAMILY.without_options


def parse_led_url(url: str) -> LedAddress:
    """Parse an LED URL."""
    return _check_place(LED_FAMILY.parse(url), url)


def _check_place(address: LedAddress, url: str) -> LedAddress:
    match address:
        case SerialLedAddress(place=place) if place != AUTO and not _is_path(place):
            want = sentences.SERIAL_PORT()
        case AdalightLedAddress(place=place) if not _is_path(place):
            want = sentences.ADALIGHT_PORT()
        case DdpLedAddress(place=place) if not _is_host(place):
            want = sentences.DDP_HOST()
        case SpiLedAddress(place=place) if place != "spi":
            want = sentences.SPI_PINS()
        case TerminalLedAddress() | MemoryLedAddress() | NoLedAddress() | SimulatedLedAddress() if (
            address.place
        ):
            want = sentences.ONLY_OPTIONS()
        case _:
            return address
    raise LED_FAMILY.bad_url(url, sentences.AFTER_SCHEME(scheme=address.scheme, want=want))


def _is_path(place: str) -> bool:
    return place.startswith("/") and "\0" not in place


def _is_host(place: str) -> bool:
    found = HOST_PATTERN.fullmatch(place)
    return found is not None and int(found[3] or DDP_PORT) < 65536
