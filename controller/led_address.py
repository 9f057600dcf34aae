"""Which LEDs, as a URL and as a value: `serial:///dev/ttyACM0?baud=500000` <-> `Serial(...)`.

Nothing is opened here. Which options there are, and their limits, stands with the fields.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from controller.address import Family, choice, number, whole
from controller.ports import ORDERS
from engine.errors import LaserboardError, excerpt

AUTO = "auto"
DDP_PORT = 4048
HOST = re.compile(r"(?:\[([0-9A-Fa-f:.%]+)\]|([A-Za-z0-9._-]+))(?::([1-9][0-9]{0,4}))?")
BAUD = (1200, 12_000_000)


class BadLeds(LaserboardError, ValueError):
    """LEDs that do not exist, or cannot be what they are asked to be."""


def _chance(default: float = 0.0) -> Any:
    return number(default, 0, 1)


@dataclass(frozen=True, slots=True)
class Serial:
    """A board with our firmware on a serial port."""

    scheme: ClassVar[str] = "serial"
    place: str = AUTO  # a path such as /dev/ttyACM0, or `auto`: the one port that answers
    baud: int = whole(1_000_000, *BAUD)


@dataclass(frozen=True, slots=True)
class Adalight:
    """WLED, Hyperion and friends on a serial port."""

    scheme: ClassVar[str] = "adalight"
    place: str = ""
    baud: int = whole(115_200, *BAUD)
    order: str = choice(*ORDERS)  # in which to send the colours; most put them right themselves


@dataclass(frozen=True, slots=True)
class Ddp:
    """WLED and friends in the network."""

    scheme: ClassVar[str] = "ddp"
    place: str = ""  # a host, with its port if that is not 4048

    @property
    def host(self) -> str:
        return self._parts()[0]

    @property
    def port(self) -> int:
        return self._parts()[1]

    def _parts(self) -> tuple[str, int]:
        found = HOST.fullmatch(self.place)
        if found is None:
            raise BadLeds(f"LEDs {excerpt(self.place)}: not a host, or a host and a port")
        return found[1] or found[2], int(found[3] or DDP_PORT)


@dataclass(frozen=True, slots=True)
class Gpio:
    """A strip with its own clock on the Pi's SPI pins."""

    scheme: ClassVar[str] = "gpio"
    place: str = "spi"
    bus: int = whole(0, 0, 6)
    device: int = whole(0, 0, 2)
    rate: int = whole(8_000_000, 100_000, 30_000_000)  # bits a second
    kind: str = choice("apa102", "sk9822")
    order: str = choice("BGR", *(each for each in ORDERS if each != "BGR"))


@dataclass(frozen=True, slots=True)
class Terminal:
    """A picture in the terminal."""

    scheme: ClassVar[str] = "terminal"
    place: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """Pictures that are kept, for tests and machines without a compiler."""

    scheme: ClassVar[str] = "memory"
    place: str = ""


@dataclass(frozen=True, slots=True)
class Nothing:
    """A board without LEDs."""

    scheme: ClassVar[str] = "none"
    place: str = ""


@dataclass(frozen=True, slots=True)
class Simulated:
    """The firmware as a program on this machine, on a bad cable if so wished."""

    scheme: ClassVar[str] = "sim"
    place: str = ""
    drop: float = _chance()  # for each frame, in either direction
    flip: float = _chance()
    insert: float = _chance()
    delay: float = _chance(1.0)  # to be late by lag_ms
    lag_ms: float = number(0.0, 0, 10_000)
    unplug_every_s: float = number(0.0, 0, 86_400)  # 0: never
    seed: int = whole(0, 0, 2**31 - 1)


LedAddress = Serial | Adalight | Ddp | Gpio | Terminal | Memory | Nothing | Simulated
KINDS = (Serial, Adalight, Ddp, Gpio, Terminal, Memory, Nothing, Simulated)
SCHEMES: dict[str, type[Any]] = {kind.scheme: kind for kind in KINDS}
EXAMPLES = "serial://auto, ddp://wled.local, terminal:// or sim://"
LEDS: Family[LedAddress] = Family("LEDs", BadLeds, SCHEMES, EXAMPLES, "/ :+,@=~!$[]")
write_address, described = LEDS.write, LEDS.described


def read_address(url: str) -> LedAddress:
    """LEDs from their URL."""
    return _checked(LEDS.read(url), url)


def _checked(address: LedAddress, url: str) -> LedAddress:
    match address:
        case Serial(place=place) if place != AUTO and not _is_path(place):
            wanted = "auto or a path, such as serial:///dev/ttyACM0; `laserboard ports` lists them"
        case Adalight(place=place) if not _is_path(place):
            wanted = "a path, such as adalight:///dev/ttyUSB0; `laserboard ports` lists them"
        case Ddp(place=place) if not _is_host(place):
            wanted = "a host, such as ddp://wled.local or ddp://192.168.1.40:4048"
        case Gpio(place=place) if place != "spi":
            wanted = "spi: other pins cannot keep the pace that LEDs want"
        case Terminal() | Memory() | Nothing() | Simulated() if address.place:
            wanted = "nothing, or ? and options"
        case _:
            return address
    raise LEDS.bad(url, f"after {address.scheme}:// comes {wanted}")


def _is_path(place: str) -> bool:
    return place.startswith("/") and "\0" not in place


def _is_host(place: str) -> bool:
    found = HOST.fullmatch(place)
    return found is not None and int(found[3] or DDP_PORT) < 65536
