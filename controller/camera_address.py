"""Which camera, as a URL and as a value: `usb://0?width=1280` <-> `Usb("0", width=1280)`.

Nothing is opened here. A URL is a scheme, `://`, what the scheme calls its place, and options
behind `?`; which options there are, and their limits, stands with the fields of each address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar
from urllib.parse import quote, unquote

from engine.errors import LaserboardError, did_you_mean, excerpt

WIDTH, HEIGHT = (160, 8192), (120, 8192)
PLAIN = re.compile(r"(0|[1-9][0-9]{0,9})(\.[0-9]{1,9})?")


class BadCamera(LaserboardError, ValueError):
    """A camera that does not exist, or cannot be what it is asked to be."""


def _number(default: float | None, low: float, high: float) -> Any:
    return field(default=default, metadata={"range": (low, high), "whole": False})


def _whole(default: int | None, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (low, high), "whole": True})


def _word(default: str | None) -> Any:
    return field(default=default, metadata={"word": True})


@dataclass(frozen=True, slots=True)
class Usb:
    """A camera on USB. What is None is found by the camera itself, once, and then locked."""

    scheme: ClassVar[str] = "usb"
    place: str = "0"  # a number, or a path such as /dev/v4l/by-id/...
    width: int = _whole(1280, *WIDTH)
    height: int = _whole(720, *HEIGHT)
    fps: float = _number(30.0, 1, 240)
    exposure_ms: float | None = _number(None, 0.1, 1000)
    gain: int | None = _whole(None, 0, 100_000)  # in the driver's own steps
    white_balance_k: int | None = _whole(None, 1000, 20_000)
    focus: int | None = _whole(None, 0, 100_000)  # in the driver's own steps


@dataclass(frozen=True, slots=True)
class Pi:
    """A camera on the Pi's own connector."""

    scheme: ClassVar[str] = "pi"
    place: str = "0"  # which of the connectors
    width: int = _whole(1280, *WIDTH)
    height: int = _whole(720, *HEIGHT)
    fps: float = _number(30.0, 1, 240)
    exposure_ms: float | None = _number(None, 0.05, 1000)
    gain: float | None = _number(None, 1, 64)


@dataclass(frozen=True, slots=True)
class Film:
    """A video file, played once at its own pace."""

    scheme: ClassVar[str] = "file"
    place: str = ""
    fps: float | None = _number(None, 0.1, 240)


@dataclass(frozen=True, slots=True)
class Folder:
    """Pictures in a folder, in the order of their names."""

    scheme: ClassVar[str] = "folder"
    place: str = ""
    fps: float = _number(2.0, 0.01, 240)


@dataclass(frozen=True, slots=True)
class Simulated:
    """A table that is drawn, with a game's starting position on it."""

    scheme: ClassVar[str] = "sim"
    place: str = ""  # a board, by name; empty: the one in use
    width: int = _whole(1280, *WIDTH)
    height: int = _whole(720, *HEIGHT)
    fps: float = _number(10.0, 0.1, 60)
    game: str | None = _word(None)
    setup: str | None = _word(None)
    seed: int = _whole(0, 0, 2**31 - 1)
    tilt_degrees: float = _number(12.0, 0, 60)


CameraAddress = Usb | Pi | Film | Folder | Simulated
SCHEMES: dict[str, type[Any]] = {kind.scheme: kind for kind in (Usb, Pi, Film, Folder, Simulated)}
EXAMPLES = "usb://0, pi://, file://game.mp4, folder://pictures or sim://"


def read_address(url: str, width: int | None = None, height: int | None = None) -> CameraAddress:
    """A camera from its URL. A width and height given here hold where the URL names none."""
    scheme, colon, rest = url.partition("://")
    if not colon:
        raise BadCamera(f"camera {excerpt(url)}: write a URL such as {EXAMPLES}")
    if scheme not in SCHEMES:
        raise BadCamera(f"camera {excerpt(url)}: unknown kind{did_you_mean(scheme, SCHEMES)}")
    kind = SCHEMES[scheme]
    place, _, query = rest.partition("?")
    options = _options(kind, query, url)
    for key, value in (("width", width), ("height", height)):
        if value is not None and key in _fields(kind):
            options.setdefault(key, value)
    address: CameraAddress = kind(**options)
    if place:
        address = replace(address, place=unquote(place))
    return _checked(address, url)


def write_address(address: CameraAddress) -> str:
    """The shortest URL that reads back as the same camera."""
    options = [
        f"{each.name}={quote(_written(getattr(address, each.name)))}"
        for each in _fields(type(address)).values()
        if getattr(address, each.name) != each.default
    ]
    return described(address) + (f"?{'&'.join(options)}" if options else "")


def described(address: CameraAddress) -> str:
    """The URL without its options: what to call the camera in a sentence."""
    return f"{address.scheme}://{quote(address.place, safe='/ :+,@=~!$')}"


def _fields(kind: type[Any]) -> dict[str, Any]:
    return {each.name: each for each in fields(kind) if each.metadata}


def _options(kind: type[Any], query: str, url: str) -> dict[str, Any]:
    known = _fields(kind)
    found: dict[str, Any] = {}
    for part in query.split("&") if query else ():
        key, equals, text = part.partition("=")
        if not equals or not text:
            raise BadCamera(f"camera {excerpt(url)}: {excerpt(part)} is not key=value")
        if key not in known:
            raise BadCamera(
                f"camera {excerpt(url)}: unknown option {excerpt(key)}{did_you_mean(key, known)}"
            )
        if key in found:
            raise BadCamera(f"camera {excerpt(url)}: {key} is given twice")
        found[key] = _value(known[key], unquote(text), url)
    return found


def _value(option: Any, text: str, url: str) -> str | int | float:
    if "word" in option.metadata:
        return text
    (low, high), whole = option.metadata["range"], option.metadata["whole"]
    value = float(text) if PLAIN.fullmatch(text) else None
    if value is None or not low <= value <= high or (whole and value != int(value)):
        wanted = f"a {'whole ' if whole else ''}number from {low:g} to {high:g}"
        raise BadCamera(f"camera {excerpt(url)}: {option.name}: got {excerpt(text)}, want {wanted}")
    return int(value) if whole else value


def _checked(address: CameraAddress, url: str) -> CameraAddress:
    match address:
        case Usb(place=place) if not (re.fullmatch("[0-9]{1,3}", place) or place.startswith("/")):
            wanted = "a number or a path, such as usb://0 or usb:///dev/video2"
        case Pi(place=place) if not re.fullmatch("[0-9]", place):
            wanted = "nothing or the number of a connector, such as pi://1"
        case Film(place="") | Folder(place=""):
            wanted = f"a path, such as {address.scheme}://recordings/monday"
        case Film(place=place) | Folder(place=place) if "\0" in place:
            wanted = "a path"
        case _:
            return address
    raise BadCamera(f"camera {excerpt(url)}: after {address.scheme}:// comes {wanted}")


def _written(value: str | int | float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
