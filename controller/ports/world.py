"""The simulated world around a table: what a test or a simulation can do to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from controller.ports.devices import Pixels
from engine.errors import LaserboardError


class NotOnTable(LaserboardError, ValueError):
    """A piece that is asked for and is not there."""


class World(Protocol):
    """A simulated table, from the side of people: their hands, and what they see of the LEDs."""

    def piece_at(self, cell: int) -> int:
        """The handle of the piece on a cell; an error if there is none."""

    def objects(self) -> Mapping[int, Any]:
        """What stands here (`vision.scene.ScenePiece`), by its handle."""

    def move_to(self, handle: int, cell: int) -> None: ...

    def move(self, handle: int, x_mm: float, y_mm: float) -> None:
        """Anywhere on the table."""

    def turn(self, handle: int, by_degrees: float) -> None:
        """Turn a piece where it stands, clockwise."""

    def remove(self, handle: int) -> object:
        """Take a piece off the board."""

    def lay_out(self, pieces: Mapping[int, Any]) -> None:
        """Put pieces on these cells, and no others."""

    def reach_to(self, cell: int, lingers: bool = False) -> None:
        """A hand comes over a cell; beside the one that acts there may be one that lingers."""

    def away(self, lingers: bool = False) -> None:
        """That hand is not over the board any more."""

    def latched(self) -> Pixels | None:
        """What the LEDs really show, whatever anybody thinks they do."""

    def apply_led_glow(self) -> None:
        """Let what the LEDs show shine through the board, where the camera sees it."""

    def render_image(self) -> Pixels:
        """The table as it looks now, in colour, blue first."""
