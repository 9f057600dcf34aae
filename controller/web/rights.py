"""Who may do what on the page: spectators watch, players act on their own seat, a referee may do
everything. Decided by what somebody has shown at the door, never by where they come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from controller.session_values import Wish
from controller.web.commands import (
    Arrange,
    Befall,
    Command,
    Drag,
    Fire,
    Hand,
    Move,
    NewGame,
    PutBack,
    PutRight,
    Rule,
    ShowPin,
    Sit,
    Stand,
    Take,
    Want,
    Watch,
)
from engine.game import Player

NOT_YOURS = "that is not your seat"
WATCHING = "you are watching: take a seat to play"
REFEREES = "that is for the referee: open the page with the address that the terminal shows"
NOBODY = "you are not known here: enter with the PIN first"
_EVERYBODYS = (Wish.PAUSE, Wish.CONTINUE)


class Role(StrEnum):
    """What somebody on the page is."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody on the page; without an id, somebody of whom nothing is known."""

    id: str = ""
    role: Role = Role.SPECTATOR
    seat: Player | None = None

    @property
    def seats(self) -> tuple[Player, ...]:
        """Whom they may act for."""
        if self.role is Role.REFEREE:
            return (0, 1)
        return () if self.seat is None else (self.seat,)

    @property
    def may(self) -> tuple[str, ...]:
        """What they may ask for."""
        known = ("sit", "stand") if self.id else ()
        playing = ("move", "put back", "fire", "want", "drag", "take", "hand", "put right")
        acts = (*playing, "befall") if self.seats else ()
        referees = ("new game", "show pin", "rule") if self.role is Role.REFEREE else ()
        return ("watch", *known, *acts, *referees)


def allowed(visitor: Visitor, command: Command) -> Command | str:
    """The command as it is to be carried out, with the visitor's own seat where none was named;
    or why not."""
    match command:
        case Watch():
            return command
        case Sit():
            return command if visitor.id else NOBODY
        case Stand(player):
            if player is None or player == visitor.seat or visitor.role is Role.REFEREE:
                return command if visitor.id else NOBODY
            return NOT_YOURS
        case NewGame() | ShowPin() | Rule() | Arrange():
            return command if visitor.role is Role.REFEREE else REFEREES
        case Drag() | Take() | Hand() | PutRight() | Befall():
            return command if visitor.seats else WATCHING
        case Want(wish) if wish in _EVERYBODYS and visitor.seats:
            return replace(command, player=command.player or 0)
        case Move() | PutBack() | Fire() | Want():
            if not visitor.seats:
                return WATCHING
            if visitor.role is Role.REFEREE:
                return command
            if command.player not in (None, visitor.seat):
                return NOT_YOURS
            return replace(command, player=visitor.seat)
