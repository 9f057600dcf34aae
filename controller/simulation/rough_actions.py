"""Actions of simulated hands that are no moves of the game: push, take off, cover, press."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Player
from engine.grid import Cell


@dataclass(frozen=True, slots=True)
class Push:
    """Move a piece to any place, and rotate it clockwise."""

    handle: int
    x_mm: float
    y_mm: float
    degrees: float = 0.0


@dataclass(frozen=True, slots=True)
class TakeOff:
    """Take a piece off the table."""

    handle: int


@dataclass(frozen=True, slots=True)
class Cover:
    """Keep a hand over a cell; None takes it away."""

    cell: Cell | None


@dataclass(frozen=True, slots=True)
class Press:
    """Press fire for a player, after the requests before it."""

    player: Player


RoughAction = Push | TakeOff | Cover | Press
