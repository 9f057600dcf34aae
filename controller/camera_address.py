"""Which camera, as a URL and as a value: `usb://0?width=1280` <-> `Usb("0", width=1280)`.

Nothing is opened here. Which options there are, and their limits, stands with the fields.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from controller.address import Family, choice, number, whole, word
from engine.errors import LaserboardError

WIDTH, HEIGHT = (160, 8192), (120, 8192)


class BadCamera(LaserboardError, ValueError):
    """A camera that does not exist, or cannot be what it is asked to be."""


@dataclass(frozen=True, slots=True)
class Usb:
    """A camera on USB. What is None is found by the camera itself, once, and then locked."""

    scheme: ClassVar[str] = "usb"
    place: str = "0"  # a number, or a path such as /dev/v4l/by-id/...
    width: int = whole(1280, *WIDTH)
    height: int = whole(720, *HEIGHT)
    fps: float = number(30.0, 1, 240)
    exposure_ms: float | None = number(None, 0.1, 1000)
    gain: int | None = whole(None, 0, 100_000)  # in the driver's own steps
    white_balance_k: int | None = whole(None, 1000, 20_000)
    focus: int | None = whole(None, 0, 100_000)  # in the driver's own steps


@dataclass(frozen=True, slots=True)
class Pi:
    """A camera on the Pi's own connector."""

    scheme: ClassVar[str] = "pi"
    place: str = "0"  # which of the connectors
    width: int = whole(1280, *WIDTH)
    height: int = whole(720, *HEIGHT)
    fps: float = number(30.0, 1, 240)
    exposure_ms: float | None = number(None, 0.05, 1000)
    gain: float | None = number(None, 1, 64)


@dataclass(frozen=True, slots=True)
class Film:
    """A video file, played once at its own pace."""

    scheme: ClassVar[str] = "file"
    place: str = ""
    fps: float | None = number(None, 0.1, 240)


@dataclass(frozen=True, slots=True)
class Folder:
    """Pictures in a folder, in the order of their names."""

    scheme: ClassVar[str] = "folder"
    place: str = ""
    fps: float = number(2.0, 0.01, 240)


@dataclass(frozen=True, slots=True)
class Simulated:
    """A table that is drawn, with a game's starting position on it."""

    scheme: ClassVar[str] = "sim"
    place: str = ""  # a board, by name; empty: the one in use
    width: int = whole(1280, *WIDTH)
    height: int = whole(720, *HEIGHT)
    fps: float = number(10.0, 0.1, 60)
    game: str | None = word(None)
    setup: str | None = word(None)
    seed: int = whole(0, 0, 2**31 - 1)
    tilt_degrees: float = number(12.0, 0, 60)
    sensor: str = choice("colour", "grey")  # without colours it is drawn in a third of the time
    barrel: float = number(0.0, 0, 0.4)  # how much its lens bends what is straight
    light: float = number(0.75, 0.01, 4)  # of what the sensor can take comes from white paper
    noise: float = number(1.5, 0, 40)  # in levels of 255
    prints: str | None = word(None)  # a folder with a board and caps of paper: vision.scene.prints


@dataclass(frozen=True, slots=True)
class First:
    """The first camera that this machine has, whenever it is plugged in."""

    scheme: ClassVar[str] = "auto"
    place: str = ""
    width: int = whole(1280, *WIDTH)
    height: int = whole(720, *HEIGHT)


CameraAddress = Usb | Pi | First | Film | Folder | Simulated
SCHEMES: dict[str, type[Any]] = {
    kind.scheme: kind for kind in (Usb, Pi, First, Film, Folder, Simulated)
}
EXAMPLES = "usb://0, pi://, auto://, file://game.mp4, folder://pictures or sim://"
CAMERAS: Family[CameraAddress] = Family("camera", BadCamera, SCHEMES, EXAMPLES, "/ :+,@=~!$")
write_address, described = CAMERAS.write, CAMERAS.described


def read_address(url: str, width: int | None = None, height: int | None = None) -> CameraAddress:
    """A camera from its URL. A width and height given here hold where the URL names none."""
    return _checked(CAMERAS.read(url, width=width, height=height), url)


def _checked(address: CameraAddress, url: str) -> CameraAddress:
    match address:
        case Usb(place=place) if not (re.fullmatch("[0-9]{1,3}", place) or place.startswith("/")):
            wanted = "a number or a path, such as usb://0 or usb:///dev/video2"
        case Pi(place=place) if not re.fullmatch("[0-9]", place):
            wanted = "nothing or the number of a connector, such as pi://1"
        case First(place=place) if place:
            wanted = "nothing: it is whichever camera is there"
        case Film(place="") | Folder(place=""):
            wanted = f"a path, such as {address.scheme}://recordings/monday"
        case Film(place=place) | Folder(place=place) if "\0" in place:
            wanted = "a path"
        case _:
            return address
    raise CAMERAS.bad(url, f"after {address.scheme}:// comes {wanted}")
