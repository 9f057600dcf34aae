"""No camera and no board reader: for games in which all moves come from the page or programs."""

from __future__ import annotations

from controller.ports.devices import CameraDetails, Frame
from controller.ports.events import DeviceEvent
from controller.ports.frames import Observed
from engine.grid import Cell


class NullCamera:
    """Gives no frames and no events."""

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
        """Does nothing."""


class NullBoardReader:
    """Gives no observations."""

    def read_events(self) -> list[Observed | DeviceEvent]:
        return []

    def pause(self, paused: bool) -> None:
        """Does nothing."""

    def set_context(self, lit_cells: frozenset[Cell], look_closer: bool) -> None:
        """Does nothing."""

    def last_frame(self) -> None:
        """Always None."""

    def close(self) -> None:
        """Does nothing."""
