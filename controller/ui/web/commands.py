"""What a page may ask for, read from JSON as strangers send it: frozen values come out.

Whether it may be asked by whoever asks is decided in `controller.ui.web.auth`, and whether it can
be done at the table, in `controller.ui.web.bridge`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.session.events import Request
from controller.session.referee.rulings import (
    MAX_NOTE_LENGTH,
    MAX_TURNS,
    BadRuling,
    Ruling,
    read_ruling,
)
from controller.session.setup import COMPUTER_PREFIX, HUMAN
from controller.table.next_game import NewGame
from controller.ui import sentences
from controller.ui.intents import MakeRequest, PressFire, ResetPieces
from engine import strict_json
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import LARGEST_SEED, Player

LONGEST_TEXT = 400
LARGEST_ID = 2**53
FARTHEST_CELLS = 100.0  # in cells, from the middle of the first
MOST_DEGREES = 360.0
MOST_PIECES = 200
MOST_ARGS = 4


class BadCommand(LaserboardError, ValueError):
    """Something that is no command, or not one for whoever sent it."""


@dataclass(frozen=True, slots=True)
class MoveCommand:
    """Make a move, given in words that a person could type or as a way says it."""

    player: Player | None
    text: str
    fire: bool = False  # and press when it is made


@dataclass(frozen=True, slots=True)
class PutBackCommand:
    player: Player | None


@dataclass(frozen=True, slots=True)
class DragCommand:
    """Put a thing anywhere, in cells, and turn it by any angle."""

    object_id: int
    x: float
    y: float
    degrees: float


@dataclass(frozen=True, slots=True)
class TakeOffCommand:
    """Take a thing off the table."""

    object_id: int


@dataclass(frozen=True, slots=True)
class CoverCellCommand:
    """Hold a hand over a cell, or take it away."""

    cell: str | None


@dataclass(frozen=True, slots=True)
class InjectFault:
    """One of the acts that may befall a simulated table."""

    fault: str
    args: tuple[str | float, ...]


@dataclass(frozen=True, slots=True)
class WatchLedsCommand:
    """Whether to be sent what the LEDs show."""

    on: bool


@dataclass(frozen=True, slots=True)
class TakeSeatCommand:
    """Take a seat."""

    player: Player


@dataclass(frozen=True, slots=True)
class LeaveSeatCommand:
    """Leave one's seat; a referee may clear anybody's."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class ShowPinCommand:
    """Show the PIN on the board."""


@dataclass(frozen=True, slots=True)
class RulingCommand:
    """A referee's ruling; only `dry_run`, it is told whether that could be ruled."""

    ruling: Ruling
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class SetPositionCommand:
    """Correct the position, after so many turns back, to these pieces: `(cell, kind, owner,
    degrees, hit points)`."""

    pieces: tuple[tuple[str, str, Player, float, int], ...]
    player_to_move: Player
    turns_back: int = 0
    note: str = ""
    dry_run: bool = False


SimulationCommand = DragCommand | TakeOffCommand | CoverCellCommand | ResetPieces | InjectFault
Command = (
    MoveCommand
    | PutBackCommand
    | PressFire
    | MakeRequest
    | DragCommand
    | TakeOffCommand
    | CoverCellCommand
    | ResetPieces
    | InjectFault
    | NewGame
    | WatchLedsCommand
    | TakeSeatCommand
    | LeaveSeatCommand
    | ShowPinCommand
    | RulingCommand
    | SetPositionCommand
)


def read_command(text: str) -> tuple[int, Command]:
    """A command and the number by which its sender will know the answer."""
    return parse_command(strict_json.read(text, BadCommand))


def read_command_id(text: str) -> int | None:
    """The number of what may be no good as a command, so that its sender can be told."""
    try:
        found = strict_json.read(text, BadCommand)
        number = found.get("id") if isinstance(found, dict) else None
        return strict_json.require_int(number, "id", BadCommand, 0, LARGEST_ID)
    except BadCommand:
        return None


def parse_command(value: Any) -> tuple[int, Command]:
    if not isinstance(value, dict):
        raise BadCommand(sentences.NOT_A_COMMAND(value=excerpt(value)))
    number = strict_json.require_int(value.get("id"), "id", BadCommand, 0, LARGEST_ID)
    does = value.get("do")
    if not isinstance(does, str) or does not in _READERS:
        known = (
            did_you_mean(does, _READERS)
            if isinstance(does, str)
            else sentences.KNOWN_COMMANDS(names=tuple(_READERS))
        )
        raise BadCommand(sentences.UNKNOWN_COMMAND(name=excerpt(does), known=known))
    required, optional, make = _READERS[does]
    found = strict_json.require_object(value, does, BadCommand, ("id", "do", *required), optional)
    return number, make(found)


# -- one by one --------------------------------------------------------------------------------

CommandFields = Mapping[str, Any]


def _move(found: CommandFields) -> MoveCommand:
    fire = _flag(found.get("fire", False), "fire")
    return MoveCommand(_player(found), _text(found["text"], "text", LONGEST_TEXT), fire)


def _request(found: CommandFields) -> MakeRequest:
    request = found["request"]
    if not isinstance(request, str) or request not in {each.value for each in Request}:
        raise BadCommand(sentences.UNKNOWN_REQUEST(name=excerpt(request), names=tuple(Request)))
    choice = strict_json.require_int(found.get("choice", 0), "choice", BadCommand, 0, 1000)
    return MakeRequest(Request(request), _player(found), choice)


def _drag(found: CommandFields) -> DragCommand:
    return DragCommand(
        _object_id(found),
        _real(found["x"], "x", FARTHEST_CELLS),
        _real(found["y"], "y", FARTHEST_CELLS),
        _real(found.get("degrees", 0), "degrees", MOST_DEGREES),
    )


def _inject_fault(found: CommandFields) -> InjectFault:
    args = strict_json.require_list(found.get("args", []), "args", BadCommand)
    if len(args) > MOST_ARGS:
        raise BadCommand(sentences.TOO_MANY_ARGS(most=MOST_ARGS, count=len(args)))
    return InjectFault(
        _text(found["fault"], "fault", 80),
        tuple(
            _cell(each) if isinstance(each, str) else _real(each, "args", 10_000.0) for each in args
        ),
    )


def _new_game(found: CommandFields) -> NewGame:
    seed = found.get("seed")
    return NewGame(
        _name(found, "game"),
        _name(found, "setup"),
        None
        if seed is None
        else strict_json.require_int(seed, "seed", BadCommand, -LARGEST_SEED, LARGEST_SEED),
        _pair(found, "seats", _seat),
        _pair(found, "names", _player_name),
        _name(found, "clock"),
    )


def _ruling(found: CommandFields) -> RulingCommand:
    try:
        return RulingCommand(
            read_ruling(found["ruling"]), _flag(found.get("dry_run", False), "dry_run")
        )
    except BadRuling as bad:
        raise BadCommand(bad.sentence) from None


def _set_position(found: CommandFields) -> SetPositionCommand:
    pieces = found["pieces"]
    if not isinstance(pieces, dict) or len(pieces) > MOST_PIECES:
        raise BadCommand(sentences.BAD_PIECES(most=MOST_PIECES))
    note = found.get("note", "")
    return SetPositionCommand(
        tuple(_placed_piece(cell, each) for cell, each in pieces.items()),
        strict_json.require_int(found["player_to_move"], "player_to_move", BadCommand, 0, 1),
        strict_json.require_int(found.get("turns_back", 0), "turns_back", BadCommand, 0, MAX_TURNS),
        "" if note == "" else _text(note, "note", MAX_NOTE_LENGTH),
        _flag(found.get("dry_run", False), "dry_run"),
    )


def _placed_piece(cell: Any, value: Any) -> tuple[str, str, Player, float, int]:
    kind, owner, degrees, points = strict_json.require_list(value, f"pieces.{cell}", BadCommand, 4)
    return (
        _cell(cell),
        _text(kind, "kind", 20),
        strict_json.require_int(owner, "owner", BadCommand, 0, 1),
        _real(degrees, "degrees", MOST_DEGREES),
        strict_json.require_int(points, "hit points", BadCommand, 1, 1000),
    )


def _seat(value: Any) -> str:
    text = _text(value, "seats", 20)
    if text != HUMAN and not text.startswith(COMPUTER_PREFIX[:-1]):
        raise BadCommand(sentences.BAD_SEAT(seat=excerpt(text)))
    return text


def _player_name(value: Any) -> str:
    if value == "":
        return ""
    return _text(value, "names", 40)


def _pair(found: CommandFields, key: str, read: Callable[[Any], str]) -> tuple[str, str] | None:
    value = found.get(key)
    if value is None:
        return None
    first, second = strict_json.require_list(value, key, BadCommand, 2)
    return read(first), read(second)


# -- values ------------------------------------------------------------------------------------


def _player(found: CommandFields) -> Player | None:
    value = found.get("player")
    return None if value is None else strict_json.require_int(value, "player", BadCommand, 0, 1)


def _seat_number(found: CommandFields) -> Player:
    return strict_json.require_int(found["player"], "player", BadCommand, 0, 1)


def _object_id(found: CommandFields) -> int:
    return strict_json.require_int(found["object"], "object", BadCommand, 0, LARGEST_ID)


def _name(found: CommandFields, key: str) -> str | None:
    value = found.get(key)
    return None if value is None else _text(value, key, 60)


def _cell(value: Any) -> str:
    return _text(value, "cell", 12)


def _text(value: Any, what: str, longest: int) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= longest or not value.isprintable():
        raise BadCommand(sentences.BAD_TEXT(field=what, longest=longest, value=excerpt(value)))
    return value


def _real(value: Any, what: str, most: float) -> float:
    fits = type(value) in (int, float) and math.isfinite(value) and abs(value) <= most
    if not fits:
        raise BadCommand(
            sentences.BAD_NUMBER(field=what, least=-most, most=most, value=excerpt(value))
        )
    return float(value)


def _flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise BadCommand(sentences.BAD_FLAG(field=what, value=excerpt(value)))
    return value


_PLAYER = ("player",)
_Reader = tuple[tuple[str, ...], tuple[str, ...], Callable[[CommandFields], Command]]
_READERS: Mapping[str, _Reader] = {
    "move": (("text",), ("player", "fire"), _move),
    "put_back": ((), _PLAYER, lambda found: PutBackCommand(_player(found))),
    "fire": ((), _PLAYER, lambda found: PressFire(_player(found))),
    "request": (("request",), ("player", "choice"), _request),
    "drag": (("object", "x", "y"), ("degrees",), _drag),
    "take_off": (("object",), (), lambda found: TakeOffCommand(_object_id(found))),
    "cover_cell": (("cell",), (), lambda found: CoverCellCommand(
        None if found["cell"] is None else _cell(found["cell"])
    )),
    "reset_pieces": ((), (), lambda _: ResetPieces()),
    "inject_fault": (("fault",), ("args",), _inject_fault),
    "new_game": ((), ("game", "setup", "seed", "seats", "names", "clock"), _new_game),
    "watch_leds": (("on",), (), lambda found: WatchLedsCommand(_flag(found["on"], "on"))),
    "take_seat": (_PLAYER, (), lambda found: TakeSeatCommand(_seat_number(found))),
    "leave_seat": ((), _PLAYER, lambda found: LeaveSeatCommand(_player(found))),
    "show_pin": ((), (), lambda _: ShowPinCommand()),
    "ruling": (("ruling",), ("dry_run",), _ruling),
    "set_position": (
        ("pieces", "player_to_move"), ("turns_back", "note", "dry_run"), _set_position
    ),
}  # fmt: skip
