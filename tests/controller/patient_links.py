"""Serial links that wait for a board as long as a busy machine needs."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from controller.cli import leds
from controller.devices import leds_serial
from controller.devices.leds_serial import SerialLink
from controller.wiring import lamps

LONG_MS = 10_000.0  # for one try of four


@dataclass(slots=True)
class PatientLink(SerialLink):
    """What commands open instead, for tests in which a board answers."""

    patience_ms: float = LONG_MS


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """With boards that answer, not with lines where nobody does."""
    monkeypatch.setattr(leds_serial, "SerialLink", PatientLink)
    monkeypatch.setattr(leds_serial, "PATIENCE_MS", LONG_MS)
    monkeypatch.setattr(lamps, "BOARD_STATS_MS", 6 * LONG_MS)
    monkeypatch.setattr(leds, "START_MS", 6 * LONG_MS)
    monkeypatch.setattr("controller.showing.CONFIRM_MS", 6 * LONG_MS)
