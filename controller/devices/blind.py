"""No camera, and nobody who looks: for games in which nobody moves anything by hand."""

from __future__ import annotations

from controller.ports import CameraDetails, DeviceEvent, Frame
from controller.session_values import Observed
from engine.grid import Cell


class NoCamera:
    """Never sees anything, and never complains."""

    name = "none://"

    def latest(self) -> Frame | None:
        return None

    def wait(self, after: int, timeout_ms: float) -> Frame | None:
        return None

    def events(self) -> list[DeviceEvent]:
        return []

    def details(self) -> CameraDetails | None:
        return None

    def close(self) -> None:
        """There is nothing to close."""


class NoEyes:
    """Has seen nothing."""

    def seen(self) -> list[Observed | DeviceEvent]:
        return []

    def rest(self, resting: bool) -> None:
        """It rests already."""

    def mind(self, lit: frozenset[Cell], puzzled: bool) -> None:
        """Light does not trouble it."""

    def glimpse(self) -> None:
        """Nothing was ever seen."""

    def close(self) -> None:
        """There is nothing to close."""
