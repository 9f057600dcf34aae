"""What cameras this machine has, without opening one: V4L2's own list, and picamera2's."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from controller.camera_address import BadCamera
from controller.devices.camera_pi import import_picamera2
from controller.ports import CameraFound

# From linux/videodev2.h: the request number, and two bits of what a device can do.
VIDIOC_QUERYCAP = 0x80685600
CAN_CAPTURE, HAS_OWN_BITS = 0x00000001, 0x80000000
# What the Pi's own chips offer as video devices: decoders and the like, and its camera's raw side.
PI_DRIVERS = ("bcm2835", "unicam", "pispbe", "rp1-cfe", "rpi-hevc", "rpivid")


def find_cameras(
    system: Path = Path("/sys/class/video4linux"),
    devices: Path = Path("/dev"),
    load_picamera2: Callable[[], Any] = import_picamera2,
) -> list[CameraFound]:
    return [*_pi_cameras(load_picamera2), *_usb_cameras(system, devices)]


def _pi_cameras(load: Callable[[], Any]) -> Iterator[CameraFound]:
    try:
        found = load().global_camera_info()
    except BadCamera:
        return
    for each in found:
        if "usb" not in str(each.get("Id", "")):  # libcamera lists those as well
            yield CameraFound(f"pi://{each['Num']}", str(each["Model"]))


def _usb_cameras(system: Path, devices: Path) -> Iterator[CameraFound]:
    numbers = sorted(
        int(path.name.removeprefix("video"))
        for path in (system.iterdir() if system.is_dir() else ())
        if re.fullmatch("video[0-9]{1,4}", path.name)
    )
    for number in numbers:
        name = _first_line(system / f"video{number}" / "name") or "no name"
        asked = _ask(devices / f"video{number}")
        if isinstance(asked, str):
            yield CameraFound(f"usb://{number}", name, asked)
            continue
        driver, captures = asked
        if captures and not driver.startswith(PI_DRIVERS):
            yield CameraFound(f"usb://{number}", name)


def _ask(device: Path) -> tuple[str, bool] | str:
    """A device's driver and whether it gives pictures, or why that cannot be known."""
    import fcntl

    answer = bytearray(104)
    try:
        with device.open("rb", buffering=0) as file:
            fcntl.ioctl(file, VIDIOC_QUERYCAP, answer)
    except PermissionError:
        return "you may not use it: run `sudo usermod -aG video $USER` and log in again"
    except OSError as bad:
        return f"does not answer: {bad.strerror}"
    driver = bytes(answer[:16]).partition(b"\0")[0].decode("ascii", "replace")
    whole, own = struct.unpack_from("<II", answer, 84)
    return driver, bool((own if whole & HAS_OWN_BITS else whole) & CAN_CAPTURE)


def _first_line(file: Path) -> str:
    try:
        text = file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:100]
