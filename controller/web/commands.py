"""What a page may ask for, read from JSON as strangers send it: frozen values come out.

Whether it may be asked by whoever asks is decided in `controller.web.doors`, and whether it can
be done at the table, in `controller.web.attending`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.agreement import COMPUTER, HUMAN
from controller.rulings import LONGEST_NOTE, MOST_TURNS, BadRuling, Ruling, read_ruling
from controller.session_values import Wish
from engine import strict_json
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import LARGEST_SEED, Player

LONGEST_TEXT = 400
LARGEST_ID = 2**53
FARTHEST = 100.0  # in cells, from the middle of the first
MOST_DEGREES = 360.0
MOST_PIECES = 200


class BadCommand(LaserboardError, ValueError):
    """Something that is no command, or not one for whoever sent it."""


@dataclass(frozen=True, slots=True)
class Move:
    """Make a move, given in words that a person could type or as a way says it."""

    player: Player | None
    text: str
    fire: bool = False  # and press when it is made


@dataclass(frozen=True, slots=True)
class PutBack:
    player: Player | None


@dataclass(frozen=True, slots=True)
class Fire:
    player: Player | None


@dataclass(frozen=True, slots=True)
class Want:
    wish: Wish
    player: Player | None
    choice: int = 0


@dataclass(frozen=True, slots=True)
class Drag:
    """Put a thing anywhere, in cells, and turn it by any angle."""

    thing: int
    x: float
    y: float
    degrees: float


@dataclass(frozen=True, slots=True)
class Take:
    """Take a thing off the table."""

    thing: int


@dataclass(frozen=True, slots=True)
class Hand:
    """Hold a hand over a cell, or take it away."""

    cell: str | None


@dataclass(frozen=True, slots=True)
class PutRight:
    """Put every piece where the game has it."""


@dataclass(frozen=True, slots=True)
class Befall:
    """One of the acts that may befall a simulated table."""

    act: str
    told: tuple[str | float, ...]


@dataclass(frozen=True, slots=True)
class NewGame:
    """Leave this game as it is and begin another."""

    game: str | None
    setup: str | None
    seed: int | None
    seats: tuple[str, str] | None
    names: tuple[str, str] | None
    clock: str | None


@dataclass(frozen=True, slots=True)
class Watch:
    """Whether to be sent what the LEDs show."""

    light: bool


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat."""

    player: Player


@dataclass(frozen=True, slots=True)
class Stand:
    """Leave one's seat; a referee may clear anybody's."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class ShowPin:
    """Show the PIN on the board."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A referee's ruling; only `tried`, it is told whether that could be ruled."""

    ruling: Ruling
    tried: bool = False


@dataclass(frozen=True, slots=True)
class Arrange:
    """Correct the position, after so many turns back, to these pieces: `(cell, kind, owner,
    degrees, hit points)`."""

    pieces: tuple[tuple[str, str, Player, float, int], ...]
    mover: Player
    turns: int = 0
    note: str = ""
    tried: bool = False


Touch = Drag | Take | Hand | PutRight | Befall
Command = (
    Move | PutBack | Fire | Want | Drag | Take | Hand | PutRight | Befall
    | NewGame | Watch | Sit | Stand | ShowPin | Rule | Arrange
)  # fmt: skip


def read_command(text: str) -> tuple[int, Command]:
    """A command and the number by which its sender will know the answer."""
    return command_of(strict_json.read(text, BadCommand))


def number_in(text: str) -> int | None:
    """The number of what may be no good as a command, so that its sender can be told."""
    try:
        found = strict_json.read(text, BadCommand)
        number = found.get("id") if isinstance(found, dict) else None
        return strict_json.whole(number, "id", BadCommand, 0, LARGEST_ID)
    except BadCommand:
        return None


def command_of(value: Any) -> tuple[int, Command]:
    if not isinstance(value, dict):
        raise BadCommand(f"a command must be an object, not {excerpt(value)}")
    number = strict_json.whole(value.get("id"), "id", BadCommand, 0, LARGEST_ID)
    does = value.get("do")
    if not isinstance(does, str) or does not in _READERS:
        known = did_you_mean(does, _READERS) if isinstance(does, str) else f"; known: {[*_READERS]}"
        raise BadCommand(f"do: there is no {excerpt(does)}{known}")
    required, optional, make = _READERS[does]
    found = strict_json.fields(value, does, BadCommand, ("id", "do", *required), optional)
    return number, make(found)


# -- one by one --------------------------------------------------------------------------------

Found = Mapping[str, Any]


def _move(found: Found) -> Move:
    fire = _flag(found.get("fire", False), "fire")
    return Move(_player(found), _text(found["text"], "text", LONGEST_TEXT), fire)


def _want(found: Found) -> Want:
    wish = found["wish"]
    if not isinstance(wish, str) or wish not in {each.value for each in Wish}:
        raise BadCommand(f"wish: {excerpt(wish)} is none of {', '.join(Wish)}")
    choice = strict_json.whole(found.get("choice", 0), "choice", BadCommand, 0, 1000)
    return Want(Wish(wish), _player(found), choice)


def _drag(found: Found) -> Drag:
    return Drag(
        _thing(found),
        _real(found["x"], "x", FARTHEST),
        _real(found["y"], "y", FARTHEST),
        _real(found.get("degrees", 0), "degrees", MOST_DEGREES),
    )


def _befall(found: Found) -> Befall:
    told = strict_json.items(found.get("told", []), "told", BadCommand)
    if len(told) > 4:
        raise BadCommand(f"told: at most 4 things, not {len(told)}")
    return Befall(
        _text(found["act"], "act", 80),
        tuple(
            _cell(each) if isinstance(each, str) else _real(each, "told", 10_000.0) for each in told
        ),
    )


def _new_game(found: Found) -> NewGame:
    seed = found.get("seed")
    return NewGame(
        _name(found, "game"),
        _name(found, "setup"),
        None
        if seed is None
        else strict_json.whole(seed, "seed", BadCommand, -LARGEST_SEED, LARGEST_SEED),
        _two(found, "seats", _seat),
        _two(found, "names", _called),
        _name(found, "clock"),
    )


def _rule(found: Found) -> Rule:
    try:
        return Rule(read_ruling(found["ruling"]), _flag(found.get("try", False), "try"))
    except BadRuling as bad:
        raise BadCommand(str(bad)) from None


def _arrange(found: Found) -> Arrange:
    pieces = found["pieces"]
    if not isinstance(pieces, dict) or len(pieces) > MOST_PIECES:
        raise BadCommand(f"pieces must be an object of at most {MOST_PIECES} cells")
    note = found.get("note", "")
    return Arrange(
        tuple(_arranged(cell, each) for cell, each in pieces.items()),
        strict_json.whole(found["mover"], "mover", BadCommand, 0, 1),
        strict_json.whole(found.get("turns", 0), "turns", BadCommand, 0, MOST_TURNS),
        "" if note == "" else _text(note, "note", LONGEST_NOTE),
        _flag(found.get("try", False), "try"),
    )


def _arranged(cell: Any, value: Any) -> tuple[str, str, Player, float, int]:
    kind, owner, degrees, points = strict_json.items(value, f"pieces.{cell}", BadCommand, 4)
    return (
        _cell(cell),
        _text(kind, "kind", 20),
        strict_json.whole(owner, "owner", BadCommand, 0, 1),
        _real(degrees, "degrees", MOST_DEGREES),
        strict_json.whole(points, "hit points", BadCommand, 1, 1000),
    )


def _seat(value: Any) -> str:
    text = _text(value, "seats", 20)
    if text != HUMAN and not text.startswith(COMPUTER[:-1]):
        raise BadCommand(f"seats: {excerpt(text)} is nobody who plays: human, or computer:3")
    return text


def _called(value: Any) -> str:
    if value == "":
        return ""
    return _text(value, "names", 40)


def _two(found: Found, key: str, read: Callable[[Any], str]) -> tuple[str, str] | None:
    value = found.get(key)
    if value is None:
        return None
    first, second = strict_json.items(value, key, BadCommand, 2)
    return read(first), read(second)


# -- values ------------------------------------------------------------------------------------


def _player(found: Found) -> Player | None:
    value = found.get("player")
    return None if value is None else strict_json.whole(value, "player", BadCommand, 0, 1)


def _seat_number(found: Found) -> Player:
    return strict_json.whole(found["player"], "player", BadCommand, 0, 1)


def _thing(found: Found) -> int:
    return strict_json.whole(found["thing"], "thing", BadCommand, 0, LARGEST_ID)


def _name(found: Found, key: str) -> str | None:
    value = found.get(key)
    return None if value is None else _text(value, key, 60)


def _cell(value: Any) -> str:
    return _text(value, "cell", 12)


def _text(value: Any, what: str, longest: int) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= longest or not value.isprintable():
        raise BadCommand(
            f"{what} must be text of 1 to {longest} letters on one line, not {excerpt(value)}"
        )
    return value


def _real(value: Any, what: str, most: float) -> float:
    fits = type(value) in (int, float) and math.isfinite(value) and abs(value) <= most
    if not fits:
        raise BadCommand(
            f"{what} must be a number from {-most:g} to {most:g}, not {excerpt(value)}"
        )
    return float(value)


def _flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise BadCommand(f"{what} must be true or false, not {excerpt(value)}")
    return value


_PLAYER = ("player",)
_READERS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], Callable[[Found], Command]]] = {
    "move": (("text",), ("player", "fire"), _move),
    "put back": ((), _PLAYER, lambda found: PutBack(_player(found))),
    "fire": ((), _PLAYER, lambda found: Fire(_player(found))),
    "want": (("wish",), ("player", "choice"), _want),
    "drag": (("thing", "x", "y"), ("degrees",), _drag),
    "take": (("thing",), (), lambda found: Take(_thing(found))),
    "hand": (("cell",), (), lambda found: Hand(
        None if found["cell"] is None else _cell(found["cell"])
    )),
    "put right": ((), (), lambda _: PutRight()),
    "befall": (("act",), ("told",), _befall),
    "new game": ((), ("game", "setup", "seed", "seats", "names", "clock"), _new_game),
    "watch": (("light",), (), lambda found: Watch(_flag(found["light"], "light"))),
    "sit": (_PLAYER, (), lambda found: Sit(_seat_number(found))),
    "stand": ((), _PLAYER, lambda found: Stand(_player(found))),
    "show pin": ((), (), lambda _: ShowPin()),
    "rule": (("ruling",), ("try",), _rule),
    "arrange": (("pieces", "mover"), ("turns", "note", "try"), _arrange),
}  # fmt: skip
