"""Detects the camera and the LEDs that are plugged in, each within a time limit."""

from __future__ import annotations

from dataclasses import dataclass

from controller.builder.doctor.timeout import CheckTimedOut, run_with_timeout
from controller.devices.factory.cameras import find_cameras
from controller.devices.factory.leds import find_serial_ports

CAMERA_TIMEOUT_S, PORT_TIMEOUT_S = 10.0, 20.0


@dataclass(frozen=True, slots=True)
class DetectedDevice:
    """The URL of a device, if one was found, and a remark about the search."""

    url: str | None
    remark: str


def detect_camera() -> DetectedDevice:
    """The first camera that works."""
    try:
        found = run_with_timeout(CAMERA_TIMEOUT_S, find_cameras)
    except (CheckTimedOut, OSError) as trouble:
        return DetectedDevice(None, f"not found ({trouble}); name it under `camera`")
    for each in found:
        if not each.trouble:
            return DetectedDevice(each.url, f"{each.url} ({each.name})")
    if found:
        return DetectedDevice(None, f"{found[0].url}: {found[0].trouble}")
    return DetectedDevice(
        None, "none found; plug one in and name it under `camera`, or write sim:// there"
    )


def detect_leds() -> DetectedDevice:
    """The first serial port at which our firmware answers."""
    try:
        found = run_with_timeout(PORT_TIMEOUT_S, find_serial_ports)
    except (CheckTimedOut, OSError) as trouble:
        return DetectedDevice(None, f"not found ({trouble}); name them under `leds`")
    for port in found:
        if port.is_laserboard:
            return DetectedDevice(f"serial://{port.path}", f"serial://{port.path} ({port.reply})")
    return DetectedDevice(
        None, "no board answers on USB; plug it in and name it under `leds`, or write sim://"
    )
