"""Intents of people at a keyboard or on the page: the loop, the session or simulated hands carry
them out.

The keyboard makes them from keys, `controller.ui.web.commands` from JSON. `player` is None where
the sender names none: `controller.ui.actors` finds the player.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.session.effects import Announce
from controller.session.events import Request
from controller.simulation.requests import MakeMove, PutBack, ResetPieces
from engine.game import Player

__all__ = [
    "Announce",
    "Intent",
    "MakeMove",
    "MakeRequest",
    "PlayAgain",
    "PressFire",
    "PutBack",
    "Quit",
    "ResetPieces",
]


@dataclass(frozen=True, slots=True)
class PressFire:
    """Press the fire button of a player."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """Ask for something in the name of a player."""

    request: Request
    player: Player | None
    choice: int = 0  # of CHOOSE, from 0


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """Start another game like this one; this one is kept."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the screen; the game is kept."""


Intent = MakeMove | PutBack | ResetPieces | PressFire | MakeRequest | PlayAgain | Quit | Announce
