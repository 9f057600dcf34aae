"""Serial links with long timeouts, for busy machines."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from controller.devices.factory import leds as lamps
from controller.devices.leds import serial_link
from controller.devices.leds.serial_link import SerialLink
from controller.ui.commands import led_test

LONG_MS = 10_000.0  # for each of four tries


@dataclass(slots=True)
class LongTimeoutLink(SerialLink):
    """Replaces `SerialLink` in commands, for tests in which a board answers."""

    answer_timeout_ms: float = LONG_MS


def use_long_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use long timeouts; only for tests in which a board answers."""
    monkeypatch.setattr(serial_link, "SerialLink", LongTimeoutLink)
    monkeypatch.setattr(serial_link, "ANSWER_TIMEOUT_MS", LONG_MS)
    monkeypatch.setattr(lamps, "BOARD_STATS_TIMEOUT_MS", 6 * LONG_MS)
    monkeypatch.setattr(led_test, "START_TIMEOUT_MS", 6 * LONG_MS)
    monkeypatch.setattr("controller.lighting.playback.CONFIRM_TIMEOUT_MS", 6 * LONG_MS)
