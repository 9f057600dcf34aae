"""The commands of the page protocol: parses and validates untrusted JSON into frozen values.

`permissions` decides whether the user may send a command, `bridge` whether the table can do it.
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
from controller.session.sentences import NOT_ONE_LINE
from controller.session.setup import COMPUTER_PREFIX, HUMAN
from controller.ui.intents import MakeRequest, NewGame, PressFire, PutBack, ResetPieces, TakeOff
from controller.ui.web import sentences
from engine import strict_json
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import MAX_SEED, Player

MAX_TEXT_LENGTH = 400
MAX_ID = 2**53  # JavaScript has no exact integers beyond it
MAX_DISTANCE_CELLS = 100.0  # from the centre of the first cell
MAX_DEGREES = 360.0
MAX_PIECES = 200
MAX_FAULT_ARGS = 4


class BadCommand(LaserboardError, ValueError):
    """A message is no valid command."""


@dataclass(frozen=True, slots=True)
class MoveCommand:
    """A `MakeMove` as text, which is read when the position is known.

    A user has typed the text, or it is the `text` of a legal move.
    """

    player: Player | None
    text: str
    fire: bool = False  # and press fire after it


@dataclass(frozen=True, slots=True)
class DragCommand:
    """Drag an object to a position in cells, turned by an angle."""

    object_id: int
    x: float
    y: float
    degrees: float


@dataclass(frozen=True, slots=True)
class CoverCellCommand:
    """Hold a hand over a cell; None: take the hand away."""

    cell: str | None


@dataclass(frozen=True, slots=True)
class InjectFault:
    """Inject a fault into a simulated table."""

    fault: str
    args: tuple[str | float, ...]


@dataclass(frozen=True, slots=True)
class WatchLedsCommand:
    """Subscribe to the colours of the LEDs, or end the subscription."""

    on: bool


@dataclass(frozen=True, slots=True)
class TakeSeatCommand:
    """Take a seat."""

    player: Player


@dataclass(frozen=True, slots=True)
class LeaveSeatCommand:
    """Leave one's seat; a host may free any seat."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class ShowPinCommand:
    """Show the PIN on the board."""


@dataclass(frozen=True, slots=True)
class RulingCommand:
    """Make a ruling; with `dry_run`, only check whether it would be accepted."""

    ruling: Ruling
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class SetPositionCommand:
    """Take back `turns_back` turns and set these pieces.

    A piece is `(cell, kind, owner, degrees, hit points)`.
    """

    pieces: tuple[tuple[str, str, Player, float, int], ...]
    player_to_move: Player
    turns_back: int = 0
    note: str = ""
    dry_run: bool = False


Command = (
    MoveCommand
    | PutBack
    | PressFire
    | MakeRequest
    | DragCommand
    | TakeOff
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
    """Read a command and its id, which the answer repeats."""
    return parse_command(strict_json.read(text, BadCommand))


def read_command_id(text: str) -> int | None:
    """The id of a message that may be no valid command; None if it has none."""
    try:
        value = strict_json.read(text, BadCommand)
        number = value.get("id") if isinstance(value, dict) else None
        return strict_json.require_int(number, "id", BadCommand, 0, MAX_ID)
    except BadCommand:
        return None


def parse_command(value: Any) -> tuple[int, Command]:
    if not isinstance(value, dict):
        raise BadCommand(sentences.NOT_A_COMMAND(value=excerpt(value)))
    number = strict_json.require_int(value.get("id"), "id", BadCommand, 0, MAX_ID)
    name = value.get("do")
    if not isinstance(name, str) or name not in _READERS:
        known = did_you_mean(name if isinstance(name, str) else "", _READERS)
        raise BadCommand(sentences.UNKNOWN_COMMAND(name=excerpt(name), known=known))
    required, optional, read = _READERS[name]
    fields = strict_json.require_object(value, name, BadCommand, ("id", "do", *required), optional)
    return number, read(fields)


# -- single commands ---------------------------------------------------------------------------

CommandFields = Mapping[str, Any]


def _move(fields: CommandFields) -> MoveCommand:
    fire = _flag(fields.get("fire", False), "fire")
    return MoveCommand(_player(fields), _text(fields["text"], "text", MAX_TEXT_LENGTH), fire)


def _request(fields: CommandFields) -> MakeRequest:
    request = fields["request"]
    if not isinstance(request, str) or request not in {each.value for each in Request}:
        raise BadCommand(sentences.UNKNOWN_REQUEST(name=excerpt(request), names=tuple(Request)))
    choice = strict_json.require_int(fields.get("choice", 0), "choice", BadCommand, 0, 1000)
    return MakeRequest(Request(request), _player(fields), choice)


def _drag(fields: CommandFields) -> DragCommand:
    return DragCommand(
        _object_id(fields),
        _real(fields["x"], "x", MAX_DISTANCE_CELLS),
        _real(fields["y"], "y", MAX_DISTANCE_CELLS),
        _real(fields.get("degrees", 0), "degrees", MAX_DEGREES),
    )


def _inject_fault(fields: CommandFields) -> InjectFault:
    args = strict_json.require_list(fields.get("args", []), "args", BadCommand)
    if len(args) > MAX_FAULT_ARGS:
        raise BadCommand(sentences.TOO_MANY_ARGS(most=MAX_FAULT_ARGS, count=len(args)))
    return InjectFault(
        _text(fields["fault"], "fault", 80),
        tuple(
            _cell(each) if isinstance(each, str) else _real(each, "args", 10_000.0) for each in args
        ),
    )


def _new_game(fields: CommandFields) -> NewGame:
    seed = fields.get("seed")
    return NewGame(
        _name(fields, "game"),
        _name(fields, "setup"),
        None
        if seed is None
        else strict_json.require_int(seed, "seed", BadCommand, -MAX_SEED, MAX_SEED),
        _pair(fields, "seats", _seat),
        _pair(fields, "names", _player_name),
        _name(fields, "clock"),
    )


def _ruling(fields: CommandFields) -> RulingCommand:
    try:
        return RulingCommand(
            read_ruling(fields["ruling"]), _flag(fields.get("dry_run", False), "dry_run")
        )
    except BadRuling as error:
        raise BadCommand(error.sentence) from error


def _set_position(fields: CommandFields) -> SetPositionCommand:
    pieces = fields["pieces"]
    if not isinstance(pieces, dict) or len(pieces) > MAX_PIECES:
        raise BadCommand(sentences.BAD_PIECES(most=MAX_PIECES))
    note = fields.get("note", "")
    return SetPositionCommand(
        tuple(_placed_piece(cell, each) for cell, each in pieces.items()),
        strict_json.require_int(fields["player_to_move"], "player_to_move", BadCommand, 0, 1),
        strict_json.require_int(
            fields.get("turns_back", 0), "turns_back", BadCommand, 0, MAX_TURNS
        ),
        "" if note == "" else _text(note, "note", MAX_NOTE_LENGTH),
        _flag(fields.get("dry_run", False), "dry_run"),
    )


def _placed_piece(cell: Any, value: Any) -> tuple[str, str, Player, float, int]:
    kind, owner, degrees, points = strict_json.require_list(value, f"pieces.{cell}", BadCommand, 4)
    return (
        _cell(cell),
        _text(kind, "kind", 20),
        strict_json.require_int(owner, "owner", BadCommand, 0, 1),
        _real(degrees, "degrees", MAX_DEGREES),
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


def _pair(fields: CommandFields, key: str, read: Callable[[Any], str]) -> tuple[str, str] | None:
    value = fields.get(key)
    if value is None:
        return None
    first, second = strict_json.require_list(value, key, BadCommand, 2)
    return read(first), read(second)


# -- values ------------------------------------------------------------------------------------


def _player(fields: CommandFields) -> Player | None:
    value = fields.get("player")
    return None if value is None else strict_json.require_int(value, "player", BadCommand, 0, 1)


def _seat_number(fields: CommandFields) -> Player:
    return strict_json.require_int(fields["player"], "player", BadCommand, 0, 1)


def _object_id(fields: CommandFields) -> int:
    return strict_json.require_int(fields["object"], "object", BadCommand, 0, MAX_ID)


def _name(fields: CommandFields, key: str) -> str | None:
    value = fields.get(key)
    return None if value is None else _text(value, key, 60)


def _cell(value: Any) -> str:
    return _text(value, "cell", 12)


def _text(value: Any, field: str, max_length: int) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= max_length or not value.isprintable():
        raise BadCommand(NOT_ONE_LINE(what=field, longest=max_length, value=excerpt(value)))
    return value


def _real(value: Any, field: str, limit: float) -> float:
    is_valid = type(value) in (int, float) and math.isfinite(value) and abs(value) <= limit
    if not is_valid:
        raise BadCommand(
            sentences.BAD_NUMBER(field=field, least=-limit, most=limit, value=excerpt(value))
        )
    return float(value)


def _flag(value: Any, field: str) -> bool:
    if not isinstance(value, bool):
        raise BadCommand(sentences.BAD_FLAG(field=field, value=excerpt(value)))
    return value


_PLAYER = ("player",)
_Reader = tuple[tuple[str, ...], tuple[str, ...], Callable[[CommandFields], Command]]
_READERS: Mapping[str, _Reader] = {
    "move": (("text",), ("player", "fire"), _move),
    "put_back": ((), _PLAYER, lambda fields: PutBack(_player(fields))),
    "fire": ((), _PLAYER, lambda fields: PressFire(_player(fields))),
    "request": (("request",), ("player", "choice"), _request),
    "drag": (("object", "x", "y"), ("degrees",), _drag),
    "take_off": (("object",), (), lambda fields: TakeOff(_object_id(fields))),
    "cover_cell": (("cell",), (), lambda fields: CoverCellCommand(
        None if fields["cell"] is None else _cell(fields["cell"])
    )),
    "reset_pieces": ((), (), lambda _: ResetPieces()),
    "inject_fault": (("fault",), ("args",), _inject_fault),
    "new_game": ((), ("game", "setup", "seed", "seats", "names", "clock"), _new_game),
    "watch_leds": (("on",), (), lambda fields: WatchLedsCommand(_flag(fields["on"], "on"))),
    "take_seat": (_PLAYER, (), lambda fields: TakeSeatCommand(_seat_number(fields))),
    "leave_seat": ((), _PLAYER, lambda fields: LeaveSeatCommand(_player(fields))),
    "show_pin": ((), (), lambda _: ShowPinCommand()),
    "ruling": (("ruling",), ("dry_run",), _ruling),
    "set_position": (
        ("pieces", "player_to_move"), ("turns_back", "note", "dry_run"), _set_position
    ),
}  # fmt: skip
