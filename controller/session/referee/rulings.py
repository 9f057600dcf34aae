"""Rulings of a referee: values, and their JSON as the page sends it.

`controller.session.referee.apply` checks them and carries them out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.session import sentences
from controller.session.clocks import MAX_CLOCK_MS
from controller.session.referee.policy import BadPolicies, Penalty
from controller.session.replay import read_outcome
from controller.session.setup import BadGame
from engine import strict_json
from engine.catalogue import NOT_AN_OBJECT
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import Outcome, Player
from engine.record.values import UNFINISHED

MAX_NOTE_LENGTH, MAX_POSITION_LENGTH = 400, 20_000
MAX_TURNS = 1_000_000


class BadRuling(LaserboardError, ValueError):
    """Invalid JSON of a ruling."""


@dataclass(frozen=True, slots=True)
class AcceptProposal:
    """Accept a proposal: its penalty, its result, or one of its choices."""

    proposal: int
    choice: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class DismissProposal:
    """Dismiss a proposal; play continues."""

    proposal: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class OverrideTurn:
    """Play this turn, whatever the camera saw: one move for each player to move."""

    moves: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class CorrectPosition:
    """Cancel the last turns, and set the position if one is given."""

    turns: int = 0
    position: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SetClocks:
    """Set both clocks."""

    left_ms: tuple[int, int]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Penalise:
    """Give a player a penalty."""

    player: Player
    penalty: Penalty
    note: str = ""


@dataclass(frozen=True, slots=True)
class DeclareResult:
    """End the game with this result, or replace the result."""

    outcome: Outcome
    note: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """Confirm the result, also without the players."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class AddNote:
    """Add a note to the journal."""

    note: str


@dataclass(frozen=True, slots=True)
class StopPlay:
    """Pause the game until `ResumePlay`."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class ResumePlay:
    """End a pause."""

    note: str = ""


Ruling = (
    AcceptProposal
    | DismissProposal
    | OverrideTurn
    | CorrectPosition
    | SetClocks
    | Penalise
    | DeclareResult
    | ConfirmResult
    | AddNote
    | StopPlay
    | ResumePlay
)


def read_ruling(value: Any) -> Ruling:
    """Read a ruling such as `{"rule": "accept", "proposal": 7}`; each may have a `note`."""
    if not isinstance(value, dict):
        raise BadRuling(NOT_AN_OBJECT(what="a ruling", value=excerpt(value)))
    name = value.get("rule")
    if not isinstance(name, str) or name not in _READERS:
        known = did_you_mean(name, _READERS) if isinstance(name, str) else f": {[*_READERS]}"
        raise BadRuling(sentences.NO_SUCH_RULING(value=excerpt(name), suggestion=known))
    required, optional, make = _READERS[name]
    found = strict_json.require_object(
        value, name, BadRuling, ("rule", *required), ("note", *optional)
    )
    try:
        return make(found, _note(found))
    except (BadPolicies, BadGame) as error:
        raise BadRuling(sentences.BAD_RULING_FIELD(ruling=name, reason=error.sentence)) from error


RulingFields = Mapping[str, Any]


def _override(found: RulingFields, note: str) -> OverrideTurn:
    moves = strict_json.require_list(found["moves"], "moves", BadRuling)
    if not 1 <= len(moves) <= 2:
        raise BadRuling(sentences.RULING_MOVES(count=len(moves)))
    return OverrideTurn(tuple(_text(each, "a move", MAX_NOTE_LENGTH) for each in moves), note)


def _correct(found: RulingFields, note: str) -> CorrectPosition:
    turns = strict_json.require_int(found.get("turns", 0), "turns", BadRuling, 0, MAX_TURNS)
    position = found.get("position")
    if position is not None:
        position = _text(position, "position", MAX_POSITION_LENGTH)
    return CorrectPosition(turns, position, note)


def _set_clocks(found: RulingFields, note: str) -> SetClocks:
    first, second = (
        strict_json.require_int(each, "left_ms", BadRuling, 0, MAX_CLOCK_MS)
        for each in strict_json.require_list(found["left_ms"], "left_ms", BadRuling, 2)
    )
    return SetClocks((first, second), note)


def _penalise(found: RulingFields, note: str) -> Penalise:
    player = strict_json.require_int(found["player"], "player", BadRuling, 0, 1)
    return Penalise(player, Penalty.parse(_text(found["penalty"], "penalty", 40)), note)


def _declare(found: RulingFields, note: str) -> DeclareResult:
    reason = _text(found["reason"], "reason", MAX_NOTE_LENGTH)
    if found["result"] == UNFINISHED:
        raise BadRuling(sentences.DECLARE_RESULT())
    return DeclareResult(read_outcome({"result": found["result"], "reason": reason}), note)


def _add_note(_: RulingFields, note: str) -> AddNote:
    if not note:
        raise BadRuling(sentences.NO_NOTE())
    return AddNote(note)


def _proposal_number(found: RulingFields) -> int:
    return strict_json.require_int(found["proposal"], "proposal", BadRuling, 1, 10**9)


def _choice(found: RulingFields) -> int:
    return strict_json.require_int(found.get("choice", 0), "choice", BadRuling, 0, 1000)


def _note(found: RulingFields) -> str:
    note = found.get("note", "")
    return "" if note == "" else _text(note, "note", MAX_NOTE_LENGTH)


def _text(value: Any, what: str, longest: int) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= longest or not value.isprintable():
        raise BadRuling(sentences.NOT_ONE_LINE(what=what, longest=longest, value=excerpt(value)))
    return value


_Reader = tuple[tuple[str, ...], tuple[str, ...], Callable[[RulingFields, str], Ruling]]
_READERS: Mapping[str, _Reader] = {
    "accept": (
        ("proposal",),
        ("choice",),
        lambda found, note: AcceptProposal(_proposal_number(found), _choice(found), note),
    ),
    "dismiss": (
        ("proposal",),
        (),
        lambda found, note: DismissProposal(_proposal_number(found), note),
    ),
    "override": (("moves",), (), _override),
    "correct": ((), ("turns", "position"), _correct),
    "clocks": (("left_ms",), (), _set_clocks),
    "penalise": (("player", "penalty"), (), _penalise),
    "declare": (("result", "reason"), (), _declare),
    "confirm": ((), (), lambda _, note: ConfirmResult(note)),
    "annotate": ((), (), _add_note),
    "stop": ((), (), lambda _, note: StopPlay(note)),
    "go on": ((), (), lambda _, note: ResumePlay(note)),
}
