"""Requests to the simulated hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.game import Player


@dataclass(frozen=True)
class MakeMove:
    """Make this legal move; replaces another move of the same turn."""

    player: Player
    move: Any  # None: put back the piece that the player has moved


@dataclass(frozen=True, slots=True)
class ResetPieces:
    """Put every piece where the position has it."""
