"""What happened in a game beside its turns, in a line each, as its journal tells it.

Corrections, penalties and notes are listed, not applied: `controller.played` does that. A kind of
entry that says nothing for itself in a `sentence` is told by what stands in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from controller.agreement import GAME
from controller.evidence import EVIDENCE
from controller.journal import Entry
from controller.played import TAKE_BACK, TURN

TOLD_ELSEWHERE = frozenset({GAME, TURN, EVIDENCE})
LONGEST = 400
# For programs: positions and clocks are in the journal, and too long for a sheet.
_NOT_FOR_PEOPLE = frozenset({"position", "before", "after", "clocks", "pieces", "moves"})


@dataclass(frozen=True, slots=True)
class Remark:
    """One line of the list."""

    number: int  # of the entry
    kind: str
    origin: str  # who or what made the entry; empty: it does not say
    sentence: str


def remarks(entries: Iterable[Entry]) -> Iterator[Remark]:
    """Every entry that is no turn, in order."""
    for entry in entries:
        if entry.kind not in TOLD_ELSEWHERE:
            origin = entry.body.get("origin")
            yield Remark(
                entry.number,
                entry.kind,
                origin if isinstance(origin, str) else "",
                _sentence(entry.kind, entry.body)[:LONGEST],
            )


def _sentence(kind: str, body: Mapping[str, Any]) -> str:
    said = body.get("sentence")
    if isinstance(said, str):
        return said
    if kind == TAKE_BACK:
        return f"turns taken back: {body.get('turns')}"
    return ", ".join(
        text if name in ("result", "reason", "note", "text") else f"{name} {text}"
        for name, value in body.items()
        if name not in _NOT_FOR_PEOPLE and name != "origin" and (text := _plain(value))
    )


def _plain(value: Any) -> str:
    """A value as people read it; what is made of several is left out."""
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return ""
    return str(value)
