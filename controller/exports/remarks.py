"""What happened in a game beside its turns, in a line each, as its journal tells it.

Corrections, penalties and notes are listed, not applied: `controller.played` does that. A kind of
entry that nobody has taught this module is told by what stands in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.affairs import CLOCKS, CONFIRMATION, INCIDENT, MATTER, NOTE, PENALTY, RULING
from controller.agreement import GAME
from controller.clocks import Clocks, clock_face
from controller.evidence import EVIDENCE
from controller.journal import Entry, count
from controller.played import CORRECTION, RESULT, TAKE_BACK, TURN
from engine.errors import LaserboardError
from engine.game import AnyGame

TOLD_ELSEWHERE = frozenset({GAME, TURN, EVIDENCE})
LONGEST = 600
Body = Mapping[str, Any]
# In every entry of a refereed game; and what is too long for a line.
_NOT_FOR_PEOPLE = frozenset({"by", "clocks", "position", "before", "after", "pieces", "moves"})


@dataclass(frozen=True, slots=True)
class Remark:
    """One line of the list."""

    number: int  # of the entry
    kind: str
    by: str  # who or what made the entry; empty: it does not say
    sentence: str


def remarks(entries: Sequence[Entry], game: AnyGame) -> Iterator[Remark]:
    """Every entry that is no turn, in order; a result if it was not the only one."""
    results = sum(entry.kind == RESULT for entry in entries)
    for entry in entries:
        if entry.kind not in TOLD_ELSEWHERE and not (entry.kind == RESULT and results == 1):
            yield remark(entry, game)


def remark(entry: Entry, game: AnyGame) -> Remark:
    """One entry in a line."""
    by = entry.body.get("by")
    tell = _TELL.get(entry.kind, _anything)
    sentence = f"{tell(entry.body, game)} {note_words(entry.body)}".strip()[:LONGEST]
    return Remark(entry.number, entry.kind, by if isinstance(by, str) else "", sentence)


def note_words(body: Body) -> str:
    note = body.get("note")
    return f"“{note}”" if isinstance(note, str) and note else ""


def _matter(body: Body, _: AnyGame) -> str:
    cost = f" (the laws say {body['penalty']})" if "penalty" in body else ""
    return f"{body.get('about')}: {body.get('sentence')}{cost}"


def _ruling(body: Body, _: AnyGame) -> str:
    return f"{body.get('decision')}: the matter of line {body.get('matter')}"


def _penalty(body: Body, game: AnyGame) -> str:
    cost, other = body.get("penalty"), _side(1 - _number(body), game)
    given = {"loss": "the game is lost", "none": "a warning"}.get(
        str(cost), f"{cost} more for {other}"
    )
    return f"{_side(_number(body), game)}, for {body.get('for')}: {given}"


def _clocks(body: Body, game: AnyGame) -> str:
    try:
        clocks = Clocks.from_json(body.get("clocks"))
    except LaserboardError:
        return "set"
    faces = zip(game.players, clocks.left_ms, strict=False)
    return "set to " + ", ".join(f"{side} {clock_face(left_ms)}" for side, left_ms in faces)


def _confirmation(body: Body, game: AnyGame) -> str:
    if "player" not in body:
        return "the result stands"
    return f"{_side(_number(body), game)} agrees to the result"


def correction_words(body: Body, game: AnyGame) -> str:
    """What a correction did, for those who see the boards beside it."""
    turns = body.get("turns")
    parts = []
    if isinstance(turns, int) and turns:
        parts.append(f"{count(turns, 'turn counts', 'turns count')} no more")
    if body.get("put") is True:
        cells = _corrected(body, game)
        where = ", ".join(cells) if cells else "who is to move"
        parts.append(f"the position was put: {where}")
    return "; ".join(parts) or "the result before it counts no more"


def _corrected(body: Body, game: AnyGame) -> list[str]:
    """The cells that stand otherwise after it."""
    try:
        before, after = (game.read_position(str(body.get(when))) for when in ("before", "after"))
    except LaserboardError:
        return []
    name = before.grid.name
    cells = sorted({*before.pieces, *after.pieces})
    return [name(cell) for cell in cells if before.pieces.get(cell) != after.pieces.get(cell)]


def _correction(body: Body, game: AnyGame) -> str:
    words = correction_words(body, game)
    if game.record_form != "text" or body.get("before") == body.get("after"):
        return words
    return f"{words}; {body.get('before')} became {body.get('after')}"


def _take_back(body: Body, _: AnyGame) -> str:
    return f"turns taken back: {body.get('turns')}"


def _result(body: Body, _: AnyGame) -> str:
    return f"{body.get('result')} {body.get('reason', '')}".rstrip()


def _anything(body: Body, _: AnyGame) -> str:
    """What stands in it, as people read it; what is made of several is left out."""
    if isinstance(body.get("sentence"), str):
        return str(body["sentence"])
    return ", ".join(
        f"{name} {value}"
        for name, value in body.items()
        if name not in _NOT_FOR_PEOPLE and name != "note" and isinstance(value, str | int | float)
    )


_TELL: Mapping[str, Callable[[Body, AnyGame], str]] = {
    MATTER: _matter,
    INCIDENT: _matter,
    RULING: _ruling,
    PENALTY: _penalty,
    CLOCKS: _clocks,
    CONFIRMATION: _confirmation,
    CORRECTION: _correction,
    TAKE_BACK: _take_back,
    RESULT: _result,
    NOTE: lambda *_: "",  # it is said behind all of them
}


def _number(body: Body) -> int:
    player = body.get("player")
    return player if player in (0, 1) else 0


def _side(player: int, game: AnyGame) -> str:
    return game.players[player]
