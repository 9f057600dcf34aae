"""Requests to the simulated hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.game import Player


@dataclass(frozen=True)
class MakeMove:
    """Simulated hands are to make this legal move, in place of another of the same turn."""

    player: Player
    move: Any


@dataclass(frozen=True, slots=True)
class PutBack:
    """Simulated hands are to put back what that player has moved in this turn."""

    player: Player


@dataclass(frozen=True, slots=True)
class ResetPieces:
    """Simulated hands are to put every piece where the game has it."""
