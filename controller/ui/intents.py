"""Intents of people at a keyboard or on the page.

The keyboard makes them from keys, `controller.ui.web.commands` from JSON. `intent_event` turns
those for the session into its events; simulated hands carry out the others. `player` is None where
the sender names none: `controller.ui.actors` finds the player.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.ports.buttons import FIRE
from controller.ports.events import Pressed
from controller.session.events import Request, Requested
from controller.session.state import Session
from controller.simulation.requests import MakeMove, ResetPieces
from controller.simulation.rough_actions import TakeOff
from controller.table.next_game import NewGame
from controller.ui.actors import acting_player, player_for_request
from engine.game import Player
from engine.sentences import Sentence

__all__ = [
    "Intent",
    "MakeMove",
    "MakeRequest",
    "NewGame",
    "PressFire",
    "PutBack",
    "Quit",
    "Reply",
    "ResetPieces",
    "TakeOff",
    "intent_event",
    "put_back_request",
]


@dataclass(frozen=True, slots=True)
class PressFire:
    """Press the fire button of a player."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class PutBack:
    """Put back the piece that the player has moved in this turn."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """Ask for something in the name of a player."""

    request: Request
    player: Player | None
    choice: int = 0  # of CHOOSE, from 0


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the screen; the game is kept."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Tell the person at the screen something; the game does not change."""

    sentence: Sentence


Intent = MakeMove | PutBack | ResetPieces | PressFire | MakeRequest | NewGame | Quit | Reply


def intent_event(
    intent: PressFire | MakeRequest, session: Session, at_ms: float
) -> Pressed | Requested:
    """The event of an intent that the session handles."""
    match intent:
        case PressFire(player):
            return Pressed(FIRE[acting_player(session) if player is None else player], at_ms)
        case MakeRequest(request, player, choice):
            if player is None:
                player = player_for_request(session, request)
            return Requested(request, player, at_ms, choice)


def put_back_request(intent: PutBack, session: Session) -> MakeMove:
    """What the simulated hands do for this intent."""
    player = acting_player(session) if intent.player is None else intent.player
    return MakeMove(player, None)
