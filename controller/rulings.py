"""What a referee may rule, as values and as JSON from a page. What comes of each is decided in
`controller.flow.rulings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.agreement import BadGame
from controller.clocks import LONGEST_MS
from controller.laws import BadLaw, Penalty
from controller.played import read_outcome
from engine import strict_json
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import Outcome, Player
from engine.record.values import UNFINISHED

LONGEST_NOTE, LONGEST_POSITION = 400, 20_000
MOST_TURNS = 1_000_000


class BadRuling(LaserboardError, ValueError):
    """JSON that is no ruling."""


@dataclass(frozen=True, slots=True)
class Accept:
    """What is proposed: the penalty, the result, or one of the choices."""

    matter: int
    choice: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Nothing comes of it, and play goes on."""

    matter: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Override:
    """This is the turn that was made, whatever was seen: a move for each player to move."""

    moves: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Correct:
    """So many turns count no more; and the board stands like that, where a position is given."""

    turns: int = 0
    position: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SetClocks:
    left_ms: tuple[int, int]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Penalise:
    player: Player
    penalty: Penalty
    note: str = ""


@dataclass(frozen=True, slots=True)
class Declare:
    """How the game ends, or has ended."""

    outcome: Outcome
    note: str = ""


@dataclass(frozen=True, slots=True)
class Confirm:
    """The result stands, whoever has agreed to it."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class Annotate:
    note: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Play stands still until the referee says otherwise."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class GoOn:
    note: str = ""


Ruling = (
    Accept
    | Dismiss
    | Override
    | Correct
    | SetClocks
    | Penalise
    | Declare
    | Confirm
    | Annotate
    | Stop
    | GoOn
)


def read_ruling(value: Any) -> Ruling:
    """A ruling such as `{"rule": "accept", "matter": 7}`; all may have a `note`."""
    if not isinstance(value, dict):
        raise BadRuling(f"a ruling must be an object, not {excerpt(value)}")
    name = value.get("rule")
    if not isinstance(name, str) or name not in _READERS:
        known = did_you_mean(name, _READERS) if isinstance(name, str) else f": {[*_READERS]}"
        raise BadRuling(f"rule: there is no {excerpt(name)}{known}")
    required, optional, make = _READERS[name]
    found = strict_json.fields(value, name, BadRuling, ("rule", *required), ("note", *optional))
    try:
        return make(found, _note(found))
    except (BadLaw, BadGame) as bad:
        raise BadRuling(f"{name}: {bad}") from None


Found = Mapping[str, Any]


def _override(found: Found, note: str) -> Override:
    moves = strict_json.items(found["moves"], "moves", BadRuling)
    if not 1 <= len(moves) <= 2:
        raise BadRuling(f"moves: one or two of them, not {len(moves)}")
    return Override(tuple(_text(each, "a move", LONGEST_NOTE) for each in moves), note)


def _correct(found: Found, note: str) -> Correct:
    turns = strict_json.whole(found.get("turns", 0), "turns", BadRuling, 0, MOST_TURNS)
    position = found.get("position")
    if position is not None:
        position = _text(position, "position", LONGEST_POSITION)
    return Correct(turns, position, note)


def _clocks(found: Found, note: str) -> SetClocks:
    first, second = (
        strict_json.whole(each, "left_ms", BadRuling, 0, LONGEST_MS)
        for each in strict_json.items(found["left_ms"], "left_ms", BadRuling, 2)
    )
    return SetClocks((first, second), note)


def _penalise(found: Found, note: str) -> Penalise:
    player = strict_json.whole(found["player"], "player", BadRuling, 0, 1)
    return Penalise(player, Penalty.read(_text(found["penalty"], "penalty", 40)), note)


def _declare(found: Found, note: str) -> Declare:
    reason = _text(found["reason"], "reason", LONGEST_NOTE)
    if found["result"] == UNFINISHED:
        raise BadRuling("declare: a game ends 1-0, 0-1 or 1/2-1/2")
    return Declare(read_outcome({"result": found["result"], "reason": reason}), note)


def _annotate(_: Found, note: str) -> Annotate:
    if not note:
        raise BadRuling("annotate: there is no note")
    return Annotate(note)


def _matter(found: Found) -> int:
    return strict_json.whole(found["matter"], "matter", BadRuling, 1, 10**9)


def _choice(found: Found) -> int:
    return strict_json.whole(found.get("choice", 0), "choice", BadRuling, 0, 1000)


def _note(found: Found) -> str:
    note = found.get("note", "")
    return "" if note == "" else _text(note, "note", LONGEST_NOTE)


def _text(value: Any, what: str, longest: int) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= longest or not value.isprintable():
        raise BadRuling(
            f"{what} must be text of 1 to {longest} letters on one line, not {excerpt(value)}"
        )
    return value


_Reader = tuple[tuple[str, ...], tuple[str, ...], Callable[[Found, str], Ruling]]
_READERS: Mapping[str, _Reader] = {
    "accept": (
        ("matter",),
        ("choice",),
        lambda found, note: Accept(_matter(found), _choice(found), note),
    ),
    "dismiss": (("matter",), (), lambda found, note: Dismiss(_matter(found), note)),
    "override": (("moves",), (), _override),
    "correct": ((), ("turns", "position"), _correct),
    "clocks": (("left_ms",), (), _clocks),
    "penalise": (("player", "penalty"), (), _penalise),
    "declare": (("result", "reason"), (), _declare),
    "confirm": ((), (), lambda _, note: Confirm(note)),
    "annotate": ((), (), _annotate),
    "stop": ((), (), lambda _, note: Stop(note)),
    "go on": ((), (), lambda _, note: GoOn(note)),
}
