"""What rude or clumsy hands do at a simulated table: nothing that a game would ask for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Player
from engine.grid import Cell


@dataclass(frozen=True, slots=True)
class Shove:
    """Something is put anywhere, and turned by so much, clockwise."""

    thing: int  # its handle
    x_mm: float
    y_mm: float
    degrees: float = 0.0


@dataclass(frozen=True, slots=True)
class Snatch:
    """Something is taken off the table."""

    thing: int


@dataclass(frozen=True, slots=True)
class Cover:
    """A hand comes over a cell and stays; None: it goes."""

    cell: Cell | None


@dataclass(frozen=True, slots=True)
class Press:
    """A player presses fire, when the hands are done with what they were asked before."""

    player: Player


Touch = Shove | Snatch | Cover | Press
