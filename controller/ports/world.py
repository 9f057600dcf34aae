"""Protocol of a simulated table: simulated hands move its pieces and see its LEDs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from controller.ports.devices import Pixels
from engine.errors import LaserboardError


class NotOnTable(LaserboardError, ValueError):
    """The piece is not on the table."""


class World(Protocol):
    """A simulated table as its players use it."""

    def piece_at(self, cell: int) -> int:
        """The handle of the piece on a cell; raises `NotOnTable` if there is none."""

    def objects(self) -> Mapping[int, Any]:
        """The objects on the table (`vision.scene.ScenePiece`) by handle."""

    def move_to(self, handle: int, cell: int) -> None: ...

    def move(self, handle: int, x_mm: float, y_mm: float) -> None:
        """Move a piece to any place on the table."""

    def turn(self, handle: int, by_degrees: float) -> None:
        """Rotate a piece in place, clockwise."""

    def remove(self, handle: int) -> object:
        """Take a piece off the board."""

    def lay_out(self, pieces: Mapping[int, Any]) -> None:
        """Replace all pieces on the board by these."""

    def reach_to(self, cell: int, lingers: bool = False) -> None:
        """Put a hand over a cell. The table has two: the acting hand, and one that lingers."""

    def withdraw_hand(self, lingers: bool = False) -> None:
        """Take that hand away from the board."""

    def led_picture(self) -> Pixels | None:
        """The picture on the LEDs, independent of what their driver reports."""

    def apply_led_glow(self) -> None:
        """Add the light of the LEDs to the scene that the camera sees."""

    def render_image(self) -> Pixels:
        """The table as a BGR image."""
