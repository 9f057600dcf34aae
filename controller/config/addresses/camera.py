"""URLs of cameras: `usb://0?width=1280` <-> `UsbCameraAddress("0", width=1280)`.

The fields of each class are its options, with their limits. Opens no device.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from controller.config import sentences
from controller.config.addresses.url import (
    AddressFamily,
    choice_option,
    float_option,
    int_option,
    text_option,
)
from engine.errors import LaserboardError

WIDTH_RANGE_PX, HEIGHT_RANGE_PX = (160, 8192), (120, 8192)


class BadCamera(LaserboardError, ValueError):
    """An invalid camera URL, or a camera that does not exist."""


@dataclass(frozen=True, slots=True)
class UsbCameraAddress:
    """A USB camera. Settings without a value are chosen by the camera once, then locked."""

    scheme: ClassVar[str] = "usb"
    place: str = "0"  # a number, or a path such as /dev/v4l/by-id/...
    width: int = int_option(1280, *WIDTH_RANGE_PX)
    height: int = int_option(720, *HEIGHT_RANGE_PX)
    fps: float = float_option(30.0, 1, 240)
    exposure_ms: float | None = float_option(None, 0.1, 1000)
    gain: int | None = int_option(None, 0, 100_000)  # in the driver's own steps
    white_balance_k: int | None = int_option(None, 1000, 20_000)
    focus: int | None = int_option(None, 0, 100_000)  # in the driver's own steps


@dataclass(frozen=True, slots=True)
class PiCameraAddress:
    """A camera on the CSI connector of a Raspberry Pi."""

    scheme: ClassVar[str] = "pi"
    place: str = "0"  # number of the connector
    width: int = int_option(1280, *WIDTH_RANGE_PX)
    height: int = int_option(720, *HEIGHT_RANGE_PX)
    fps: float = float_option(30.0, 1, 240)
    exposure_ms: float | None = float_option(None, 0.05, 1000)
    gain: float | None = float_option(None, 1, 64)


@dataclass(frozen=True, slots=True)
class VideoFileAddress:
    """A video file, played once at its frame rate."""

    scheme: ClassVar[str] = "file"
    place: str = ""
    fps: float | None = float_option(None, 0.1, 240)


@dataclass(frozen=True, slots=True)
class ImageFolderAddress:
    """The images of a folder in the order of their names."""

    scheme: ClassVar[str] = "folder"
    place: str = ""
    fps: float = float_option(2.0, 0.01, 240)


@dataclass(frozen=True, slots=True)
class SimulatedCameraAddress:
    """A rendered table with the start position of a game."""

    scheme: ClassVar[str] = "sim"
    place: str = ""  # name of a board; empty: the one in use
    width: int = int_option(1280, *WIDTH_RANGE_PX)
    height: int = int_option(720, *HEIGHT_RANGE_PX)
    fps: float = float_option(10.0, 0.1, 60)
    game: str | None = text_option(None)
    setup: str | None = text_option(None)
    seed: int = int_option(0, 0, 2**31 - 1)
    tilt_degrees: float = float_option(12.0, 0, 60)
    sensor: str = choice_option("colour", "grey")  # grey renders in a third of the time
    barrel: float = float_option(0.0, 0, 0.4)  # barrel distortion
    # Brightness of white paper, as a share of full scale.
    light: float = float_option(0.75, 0.01, 4)
    noise: float = float_option(1.5, 0, 40)  # levels of 255
    prints: str | None = text_option(None)  # folder of printed board and caps: vision.scene.prints


@dataclass(frozen=True, slots=True)
class AutoCameraAddress:
    """The first camera of this machine, also one plugged in later."""

    scheme: ClassVar[str] = "auto"
    place: str = ""
    width: int = int_option(1280, *WIDTH_RANGE_PX)
    height: int = int_option(720, *HEIGHT_RANGE_PX)


CameraAddress = (
    UsbCameraAddress
    | PiCameraAddress
    | AutoCameraAddress
    | VideoFileAddress
    | ImageFolderAddress
    | SimulatedCameraAddress
)
SCHEMES: dict[str, type[Any]] = {
    kind.scheme: kind
    for kind in (
        UsbCameraAddress,
        PiCameraAddress,
        AutoCameraAddress,
        VideoFileAddress,
        ImageFolderAddress,
        SimulatedCameraAddress,
    )
}
CAMERA_FAMILY: AddressFamily[CameraAddress] = AddressFamily(
    "camera", BadCamera, SCHEMES, sentences.CAMERA_URLS(), "/ :+,@=~!$"
)
format_camera_url, camera_name = CAMERA_FAMILY.format, CAMERA_FAMILY.without_options


def parse_camera_url(
    url: str, width: int | None = None, height: int | None = None
) -> CameraAddress:
    """Parse a camera URL; `width` and `height` apply if the URL has none."""
    return _check_place(CAMERA_FAMILY.parse(url, width=width, height=height), url)


def _check_place(address: CameraAddress, url: str) -> CameraAddress:
    match address:
        case UsbCameraAddress(place=place) if not (
            re.fullmatch("[0-9]{1,3}", place) or place.startswith("/")
        ):
            want = sentences.USB_CAMERA()
        case PiCameraAddress(place=place) if not re.fullmatch("[0-9]", place):
            want = sentences.PI_CONNECTOR()
        case AutoCameraAddress(place=place) if place:
            want = sentences.ANY_CAMERA()
        case VideoFileAddress(place="") | ImageFolderAddress(place=""):
            want = sentences.RECORDING_PATH(scheme=address.scheme)
        case VideoFileAddress(place=place) | ImageFolderAddress(place=place) if "\0" in place:
            want = sentences.A_PATH()
        case _:
            return address
    raise CAMERA_FAMILY.bad_url(url, sentences.AFTER_SCHEME(scheme=address.scheme, want=want))
