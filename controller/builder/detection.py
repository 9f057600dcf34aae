"""Detects the camera and the LEDs that are plugged in, each within a time limit."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from controller.builder import sentences
from controller.builder.doctor.timeout import CheckTimedOut, run_with_timeout
from controller.devices.factory.cameras import find_cameras
from controller.devices.factory.leds import find_serial_ports
from engine.sentences import Sentence

log = logging.getLogger(__name__)

CAMERA_TIMEOUT_S, PORT_TIMEOUT_S = 10.0, 20.0


@dataclass(frozen=True, slots=True)
class DetectedDevice:
    """The URL of a device, if one was found, and a remark about the search."""

    url: str | None
    remark: str | Sentence


def detect_camera() -> DetectedDevice:
    """The first camera that works."""
    try:
        found = run_with_timeout(CAMERA_TIMEOUT_S, find_cameras)
    except (CheckTimedOut, OSError) as error:
        log.debug("cannot search for cameras", exc_info=True)
        reason = _reason_of(error)
        return DetectedDevice(None, sentences.CAMERA_NOT_FOUND(reason=reason))
    for each in found:
        if not each.trouble:
            return DetectedDevice(each.url, sentences.DEVICE_FOUND(url=each.url, name=each.name))
    if found:
        return DetectedDevice(
            None, sentences.DEVICE_LOST(device=found[0].url, reason=found[0].trouble or "")
        )
    return DetectedDevice(None, sentences.NO_CAMERA_DETECTED())


def detect_leds() -> DetectedDevice:
    """The first serial port at which our firmware answers."""
    try:
        found = run_with_timeout(PORT_TIMEOUT_S, find_serial_ports)
    except (CheckTimedOut, OSError) as error:
        log.debug("cannot search for LEDs", exc_info=True)
        reason = _reason_of(error)
        return DetectedDevice(None, sentences.LEDS_NOT_DETECTED(reason=reason))
    for port in found:
        if port.is_laserboard:
            url = f"serial://{port.path}"
            return DetectedDevice(url, sentences.DEVICE_FOUND(url=url, name=port.reply))
    return DetectedDevice(None, sentences.NO_BOARD_ON_USB())


def _reason_of(trouble: CheckTimedOut | OSError) -> Sentence | str:
    return trouble.sentence if isinstance(trouble, CheckTimedOut) else str(trouble)
