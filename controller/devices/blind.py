"""No camera, and nobody who looks: for games in which nobody moves anything by hand."""

from __future__ import annotations

from controller.evidence import EvidenceEvent
from controller.ports import CameraDetails, DeviceEvent, Frame
from controller.session_values import Observed
from controller.sight import Glimpse
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


class NoKeeper:
    """Keeps nothing: games without a referee are not photographed."""

    name = "none"

    def before(self, glimpse: Glimpse | None) -> None:
        """Nobody keeps it."""

    def turn(self, number: int, glimpse: Glimpse | None) -> None:
        """Nobody keeps it."""

    def matter(self, number: int, turn: int, glimpse: Glimpse | None) -> None:
        """Nobody keeps it."""

    def events(self) -> list[EvidenceEvent]:
        return []

    def wait(self, timeout_ms: float) -> bool:
        return True

    def close(self) -> None:
        """Nothing is open."""
