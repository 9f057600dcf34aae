"""What rude or clumsy hands do at a simulated table: nothing that a game would ask for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Player
from engine.grid import Cell


@dataclass(frozen=True, slots=True)
class Push:
    """Something is put anywhere, and turned by so much, clockwise."""

    handle: int  # its handle
    x_mm: float
    y_mm: float
    degrees: float = 0.0


@dataclass(frozen=True, slots=True)
class TakeOff:
    """Something is taken off the table."""

    handle: int


@dataclass(frozen=True, slots=True)
class Cover:
    """A hand comes over a cell and stays; None: it goes."""

    cell: Cell | None


@dataclass(frozen=True, slots=True)
class Press:
    """A player presses fire, when the hands are done with what they were asked before."""

    player: Player


RoughAction = Push | TakeOff | Cover | Press
