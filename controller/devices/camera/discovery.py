"""Lists the cameras of this machine without opening them: from V4L2 and from picamera2."""

from __future__ import annotations

import logging
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from controller.config.addresses.camera import BadCamera
from controller.devices import sentences
from controller.devices.camera.pi import import_picamera2
from controller.ports.devices import DetectedCamera
from controller.ports.sentences import REMEDY_AFTER_COLON
from engine.sentences import Sentence

log = logging.getLogger(__name__)

# From linux/videodev2.h: the ioctl number and two capability bits.
VIDIOC_QUERYCAP = 0x80685600
CAP_VIDEO_CAPTURE, CAP_DEVICE_CAPS = 0x00000001, 0x80000000
# Drivers of the Pi's own video devices, which are not USB cameras: codecs, raw camera data.
PI_DRIVERS = ("bcm2835", "unicam", "pispbe", "rp1-cfe", "rpi-hevc", "rpivid")


def find_cameras(
    system: Path = Path("/sys/class/video4linux"),
    devices: Path = Path("/dev"),
    load_picamera2: Callable[[], Any] = import_picamera2,
) -> list[DetectedCamera]:
    return [*_pi_cameras(load_picamera2), *_usb_cameras(system, devices)]


def _pi_cameras(load: Callable[[], Any]) -> Iterator[DetectedCamera]:
    try:
        cameras = load().global_camera_info()
    except BadCamera:
        return
    for each in cameras:
        if "usb" not in str(each.get("Id", "")):  # libcamera lists USB cameras too
            yield DetectedCamera(f"pi://{each['Num']}", str(each["Model"]))


def _usb_cameras(system: Path, devices: Path) -> Iterator[DetectedCamera]:
    numbers = sorted(
        int(path.name.removeprefix("video"))
        for path in (system.iterdir() if system.is_dir() else ())
        if re.fullmatch("video[0-9]{1,4}", path.name)
    )
    for number in numbers:
        name = _first_line(system / f"video{number}" / "name") or "no name"
        asked = _query_capabilities(devices / f"video{number}")
        if isinstance(asked, Sentence):
            yield DetectedCamera(f"usb://{number}", name, asked)
            continue
        driver, captures = asked
        if captures and not driver.startswith(PI_DRIVERS):
            yield DetectedCamera(f"usb://{number}", name)


def _query_capabilities(device: Path) -> tuple[str, bool] | Sentence:
    """A device's driver and whether it captures video, or why that is unknown."""
    import fcntl

    answer = bytearray(104)
    try:
        with device.open("rb", buffering=0) as file:
            fcntl.ioctl(file, VIDIOC_QUERYCAP, answer)
    except PermissionError:
        log.debug("may not open %s", device, exc_info=True)
        return REMEDY_AFTER_COLON(
            problem=sentences.THIS_FORBIDDEN(), remedy=sentences.JOIN_VIDEO_GROUP()
        )
    except OSError as error:
        log.debug("cannot query %s", device, exc_info=True)
        return sentences.CAMERA_SILENT(reason=error.strerror or str(error))
    driver = bytes(answer[:16]).partition(b"\0")[0].decode("ascii", "replace")
    capabilities, device_caps = struct.unpack_from("<II", answer, 84)
    return driver, bool(
        (device_caps if capabilities & CAP_DEVICE_CAPS else capabilities) & CAP_VIDEO_CAPTURE
    )


def _first_line(file: Path) -> str:
    try:
        text = file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:100]
