"""Authorization: spectators watch, players act for their own seat, a host may do everything.

The role comes from the login alone (`auth`), never from the client's address.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from controller.session.events import Request
from controller.ui.intents import MakeRequest, NewGame, PressFire, PutBack, ResetPieces, TakeOff
from controller.ui.web import sentences
from controller.ui.web.commands import (
    Command,
    CoverCellCommand,
    DragCommand,
    InjectFault,
    LeaveSeatCommand,
    MoveCommand,
    RulingCommand,
    SetPositionCommand,
    ShowPinCommand,
    TakeSeatCommand,
    WatchLedsCommand,
)
from engine.game import Player
from engine.sentences import Sentence

_SHARED_REQUESTS = (Request.PAUSE, Request.CONTINUE)


class Role(StrEnum):
    """The role of a user."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    HOST = "host"  # runs the table; where there is a referee, this is the referee


@dataclass(frozen=True, slots=True)
class User:
    """A user of the page; without an id, a spectator who has not logged in."""

    id: str = ""
    role: Role = Role.SPECTATOR
    seat: Player | None = None

    @property
    def seats(self) -> tuple[Player, ...]:
        """The players that the user may act for."""
        if self.role is Role.HOST:
            return (0, 1)
        return () if self.seat is None else (self.seat,)

    @property
    def permissions(self) -> tuple[str, ...]:
        """The names of the commands that the user may send."""
        seat_commands = ("take_seat", "leave_seat") if self.id else ()
        player_commands = (
            "move",
            "put_back",
            "fire",
            "request",
            "drag",
            "take_off",
            "cover_cell",
            "reset_pieces",
        )
        game_commands = (*player_commands, "inject_fault") if self.seats else ()
        host_commands = (
            ("new_game", "show_pin", "ruling", "set_position") if self.role is Role.HOST else ()
        )
        return ("watch_leds", *seat_commands, *game_commands, *host_commands)


def authorize(user: User, command: Command) -> Command | Sentence:
    """Return the command, with the user's seat if it names no player; or the reason to refuse."""
    match command:
        case WatchLedsCommand():
            return command
        case TakeSeatCommand():
            return command if user.id else sentences.NOT_LOGGED_IN()
        case LeaveSeatCommand(player):
            if player is None or player == user.seat or user.role is Role.HOST:
                return command if user.id else sentences.NOT_LOGGED_IN()
            return sentences.NOT_YOUR_SEAT()
        case NewGame() | ShowPinCommand():
            return command if user.role is Role.HOST else sentences.HOST_ONLY()
        case RulingCommand() | SetPositionCommand():
            return command if user.role is Role.HOST else sentences.REFEREE_ONLY()
        case DragCommand() | TakeOff() | CoverCellCommand() | ResetPieces() | InjectFault():
            return command if user.seats else sentences.SPECTATORS_CANNOT()
        case MakeRequest(request) if request in _SHARED_REQUESTS and user.seats:
            return replace(command, player=command.player or 0)
        case MoveCommand() | PutBack() | PressFire() | MakeRequest():
            if not user.seats:
                return sentences.SPECTATORS_CANNOT()
            if user.role is Role.HOST:
                return command
            if command.player not in (None, user.seat):
                return sentences.NOT_YOUR_SEAT()
            return replace(command, player=user.seat)
