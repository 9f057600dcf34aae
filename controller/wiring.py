"""From configuration to objects: the only module that imports concrete devices."""

from __future__ import annotations

from controller.devices.clock import SystemClock
from controller.ports import Clock


def system_clock() -> Clock:
    return SystemClock()
