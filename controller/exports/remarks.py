"""What happened in a game beside its turns, in a line each, as its journal tells it.

Corrections, penalties and notes are listed, not applied: `controller.played` does that. A kind of
entry that is not known here, and says nothing for itself in a `sentence`, is told by what stands
in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.affairs import CLOCKS, CONFIRMATION, PENALTY, RULING
from controller.agreement import GAME
from controller.clocks import BadClock, Clocks, clock_face
from controller.evidence import EVIDENCE
from controller.journal import Entry, count
from controller.laws import BadLaw, Penalty
from controller.played import CORRECTION, TAKE_BACK, TURN, left

TOLD_ELSEWHERE = frozenset({GAME, TURN, EVIDENCE})
LONGEST = 400
# For programs: positions and clocks are in the journal, and too long for a sheet.
_NOT_FOR_PEOPLE = frozenset(
    {"position", "before", "after", "clocks", "pieces", "moves", "by", "origin"}
)
_NAMELESS = ("the first player", "the second player")


@dataclass(frozen=True, slots=True)
class Remark:
    """One line of the list."""

    number: int  # of the entry
    kind: str
    origin: str  # who or what made the entry; empty: it does not say
    sentence: str


def remarks(entries: Iterable[Entry], players: Sequence[str] = _NAMELESS) -> Iterator[Remark]:
    """Every entry that is no turn, in order."""
    for entry in entries:
        if entry.kind not in TOLD_ELSEWHERE:
            sentence = told(entry.kind, entry.body, players)
            yield Remark(entry.number, entry.kind, origin(entry.body), sentence)


def origin(body: Mapping[str, Any]) -> str:
    """Who or what made an entry; empty: it does not say."""
    found = body.get("by", body.get("origin"))
    return found if isinstance(found, str) else ""


def told(kind: str, body: Mapping[str, Any], players: Sequence[str] = _NAMELESS) -> str:
    """An entry in a sentence. Whatever stands in it, this is no place for errors."""
    known = _SENTENCES.get(kind)
    sentence = "" if known is None else known(body, players)
    note = body.get("note")
    if sentence and isinstance(note, str) and note:
        sentence = f"{sentence}: {note}"
    return (sentence or _plainly(body))[:LONGEST]


def _plainly(body: Mapping[str, Any]) -> str:
    said = body.get("sentence")
    if isinstance(said, str):
        return said
    return ", ".join(
        text if name in ("result", "reason", "note", "text") else f"{name} {text}"
        for name, value in body.items()
        if name not in _NOT_FOR_PEOPLE and (text := _plain(value))
    )


def _plain(value: Any) -> str:
    """A value as people read it; what is made of several is left out."""
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return ""
    return str(value)


# -- one by one ----------------------------------------------------------------------------------


def _penalty(body: Mapping[str, Any], players: Sequence[str]) -> str:
    player = body.get("player")
    if player not in (0, 1):
        return ""
    try:
        cost = Penalty.read(str(body.get("penalty")))
    except BadLaw:
        return ""
    name, other = players[player], players[1 - player]
    comes = f"{other} gets {clock_face(cost.time_ms)}" if cost.time_ms else "a warning"
    return f"{name}, for {body.get('for')}: {'the game is lost' if cost.loss else comes}"


def _ruling(body: Mapping[str, Any], _: Sequence[str]) -> str:
    return f"{body.get('decision')}, what entry {body.get('matter')} asks"


def _clocks(body: Mapping[str, Any], players: Sequence[str]) -> str:
    try:
        clocks = Clocks.from_json(body.get("clocks"))
    except BadClock:
        return ""
    faces = (f"{name} {clock_face(left(clocks, each))}" for each, name in enumerate(players))
    return f"set to {', '.join(faces)}"


def _confirmation(body: Mapping[str, Any], players: Sequence[str]) -> str:
    player = body.get("player")
    return f"{players[player]} agrees to the result" if player in (0, 1) else ""


def _correction(body: Mapping[str, Any], _: Sequence[str]) -> str:
    turns: Any = body.get("turns")
    some = isinstance(turns, int) and turns > 0
    gone = [f"{count(turns, 'turn counts', 'turns count')} no more"] if some else []
    put = ["the position is put right"] if body.get("put") is True else []
    return " and ".join([*gone, *put]) or "the result counts no more"


def _taken_back(body: Mapping[str, Any], _: Sequence[str]) -> str:
    return f"turns taken back: {body.get('turns')}"


_SENTENCES: Mapping[str, Callable[[Mapping[str, Any], Sequence[str]], str]] = {
    PENALTY: _penalty,
    RULING: _ruling,
    CLOCKS: _clocks,
    CONFIRMATION: _confirmation,
    CORRECTION: _correction,
    TAKE_BACK: _taken_back,
}
