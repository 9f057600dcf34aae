"""Describes each journal entry in one line, for score sheets and pages.

Corrections and penalties are described, not applied: `controller.session.replay` applies them. An
unknown kind of entry is described by its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.session.clocks import Clocks, format_clock
from controller.session.evidence import EVIDENCE
from controller.session.journal import JournalEntry, pluralise
from controller.session.referee.state import (
    CLOCKS,
    CONFIRMATION,
    INCIDENT,
    NOTE,
    PENALTY,
    PROPOSAL,
    RULING,
)
from controller.session.replay import CORRECTION, RESULT, TAKE_BACK, TURN
from controller.session.setup import GAME
from engine.errors import LaserboardError
from engine.game import AnyGame

UNLISTED_KINDS = frozenset({GAME, TURN, EVIDENCE})
MAX_TEXT_LENGTH = 600
EntryBody = Mapping[str, Any]
# Keys of every refereed entry, and values that are too long for a line.
_HIDDEN_KEYS = frozenset({"by", "clocks", "position", "before", "after", "pieces", "moves"})


@dataclass(frozen=True, slots=True)
class EntryWords:
    """Terms that differ between editions of the score sheet."""

    proposal: str = "proposal"
    policy_says: str = "the policy says"


WORDS = EntryWords()
EDITION_2_WORDS = EntryWords("matter", "the laws say")


@dataclass(frozen=True, slots=True)
class EntryText:
    """The description of one entry."""

    number: int  # of the entry
    kind: str
    by: str  # cause of the entry: camera, player, referee...; empty: unknown
    sentence: str


def describe_entries(
    entries: Sequence[JournalEntry], game: AnyGame, words: EntryWords = WORDS
) -> Iterator[EntryText]:
    """Describe all entries but turns and evidence, and a result that is the only one."""
    results = sum(entry.kind == RESULT for entry in entries)
    for entry in entries:
        if entry.kind not in UNLISTED_KINDS and not (entry.kind == RESULT and results == 1):
            yield describe_entry(entry, game, words)


def describe_entry(entry: JournalEntry, game: AnyGame, words: EntryWords = WORDS) -> EntryText:
    body, by = entry.body, entry.body.get("by")
    if entry.kind in (PROPOSAL, INCIDENT):
        text = _proposal_text(body, words)
    elif entry.kind == RULING:
        text = f"{body.get('decision')}: the {words.proposal} of line {body.get('matter')}"
    else:
        text = _TEXT_BY_KIND.get(entry.kind, _generic_text)(body, game)
    sentence = f"{text} {quote_note(body)}".strip()[:MAX_TEXT_LENGTH]
    kind = words.proposal if entry.kind == PROPOSAL else entry.kind
    return EntryText(entry.number, kind, by if isinstance(by, str) else "", sentence)


def quote_note(body: EntryBody) -> str:
    note = body.get("note")
    return f"“{note}”" if isinstance(note, str) and note else ""


def _proposal_text(body: EntryBody, words: EntryWords) -> str:
    cost = f" ({words.policy_says} {body['penalty']})" if "penalty" in body else ""
    return f"{body.get('about')}: {body.get('sentence')}{cost}"


def _penalty_text(body: EntryBody, game: AnyGame) -> str:
    cost, other = body.get("penalty"), _side(1 - _player_number(body), game)
    given = {"loss": "the game is lost", "none": "a warning"}.get(
        str(cost), f"{cost} more for {other}"
    )
    return f"{_side(_player_number(body), game)}, for {body.get('for')}: {given}"


def _clocks_text(body: EntryBody, game: AnyGame) -> str:
    try:
        clocks = Clocks.from_json(body.get("clocks"))
    except LaserboardError:
        return "set"
    faces = zip(game.players, clocks.left_ms, strict=False)
    return "set to " + ", ".join(f"{side} {format_clock(left_ms)}" for side, left_ms in faces)


def _confirmation_text(body: EntryBody, game: AnyGame) -> str:
    if "player" not in body:
        return "the result stands"
    return f"{_side(_player_number(body), game)} agrees to the result"


def describe_correction(body: EntryBody, game: AnyGame) -> str:
    """The changes of a correction, for pages that show both positions beside it."""
    turns = body.get("turns")
    parts = []
    if isinstance(turns, int) and turns:
        parts.append(f"{pluralise(turns, 'turn counts', 'turns count')} no more")
    if body.get("put") is True:
        cells = _corrected_cells(body, game)
        where = ", ".join(cells) if cells else "who is to move"
        parts.append(f"the position was put: {where}")
    return "; ".join(parts) or "the result before it counts no more"


def _corrected_cells(body: EntryBody, game: AnyGame) -> list[str]:
    """The cells that differ before and after."""
    try:
        before, after = (game.read_position(str(body.get(when))) for when in ("before", "after"))
    except LaserboardError:
        return []
    name = before.grid.name
    cells = sorted({*before.pieces, *after.pieces})
    return [name(cell) for cell in cells if before.pieces.get(cell) != after.pieces.get(cell)]


def _correction_text(body: EntryBody, game: AnyGame) -> str:
    words = describe_correction(body, game)
    if game.record_form != "text" or body.get("before") == body.get("after"):
        return words
    return f"{words}; {body.get('before')} became {body.get('after')}"


def _take_back_text(body: EntryBody, _: AnyGame) -> str:
    return f"turns taken back: {body.get('turns')}"


def _result_text(body: EntryBody, _: AnyGame) -> str:
    return f"{body.get('result')} {body.get('reason', '')}".rstrip()


def _generic_text(body: EntryBody, _: AnyGame) -> str:
    """The sentence of an entry, or its plain fields."""
    if isinstance(body.get("sentence"), str):
        return str(body["sentence"])
    return ", ".join(
        f"{name} {value}"
        for name, value in body.items()
        if name not in _HIDDEN_KEYS and name != "note" and isinstance(value, str | int | float)
    )


_TEXT_BY_KIND: Mapping[str, Callable[[EntryBody, AnyGame], str]] = {
    PENALTY: _penalty_text,
    CLOCKS: _clocks_text,
    CONFIRMATION: _confirmation_text,
    CORRECTION: _correction_text,
    TAKE_BACK: _take_back_text,
    RESULT: _result_text,
    NOTE: lambda *_: "",  # `describe_entry` appends the note
}


def _player_number(body: EntryBody) -> int:
    player = body.get("player")
    return player if player in (0, 1) else 0


def _side(player: int, game: AnyGame) -> str:
    return game.players[player]
