"""What somebody at a keyboard wants, for the loop to carry out or to tell the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.session_values import Say, Wish
from engine.game import Player

__all__ = ["Again", "Fire", "Intent", "Make", "PutBack", "PutRight", "Quit", "Say", "Want"]


@dataclass(frozen=True)
class Make:
    """Simulated hands are to make this legal move, in place of another of the same turn."""

    player: Player
    move: Any


@dataclass(frozen=True, slots=True)
class PutBack:
    """Simulated hands are to put back what that player has moved in this turn."""

    player: Player


@dataclass(frozen=True, slots=True)
class PutRight:
    """Simulated hands are to put every piece where the game has it."""


@dataclass(frozen=True, slots=True)
class Fire:
    """The player presses fire."""

    player: Player


@dataclass(frozen=True, slots=True)
class Want:
    """The player asks for something; `choice` counts from 0."""

    wish: Wish
    player: Player
    choice: int = 0


@dataclass(frozen=True, slots=True)
class Again:
    """Another game like this one; this one is kept."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Whoever sits there leaves; the game is kept."""


Intent = Make | PutBack | PutRight | Fire | Want | Again | Quit | Say
