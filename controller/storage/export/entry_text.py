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
from controller.session.journal import JournalEntry
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
from controller.session.sentence_fields import read_outcome_reason, read_sentence_fields
from controller.session.sentences import subject_sentence
from controller.session.setup import GAME
from controller.storage import sentences
from engine.errors import LaserboardError
from engine.game import AnyGame, Outcome
from engine.sentences import Sentence, Template, joined, plain

UNLISTED_KINDS = frozenset({GAME, TURN, EVIDENCE})
MAX_TEXT_LENGTH = 600
EntryBody = Mapping[str, Any]
# Keys of every refereed entry, and values that are too long for a line.
_HIDDEN_KEYS = frozenset({"by", "clocks", "position", "before", "after", "pieces", "moves"})


@dataclass(frozen=True, slots=True)
class EntryWords:
    """Terms that differ between editions of the score sheet."""

    proposal: str = "proposal"
    proposed_penalty: Template = sentences.PROPOSED_PENALTY
    ruled: Template = sentences.RULED
    turn_void: Template = sentences.TURN_VOID
    turns_void: Template = sentences.TURNS_VOID
    result_void: Template = sentences.RESULT_VOID


WORDS = EntryWords()
EDITION_2_WORDS = EntryWords(
    "matter",
    sentences.PROPOSED_PENALTY_EDITION_2,
    sentences.RULED_EDITION_2,
    sentences.TURN_VOID_EDITION_2,
    sentences.TURNS_VOID_EDITION_2,
    sentences.RESULT_VOID_EDITION_2,
)


@dataclass(frozen=True, slots=True)
class EntryText:
    """The description of one entry."""

    number: int  # of the entry
    kind: str
    by: str  # cause of the entry: camera, player, referee...; empty: unknown
    sentence: Sentence


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
        sentence = _proposal_sentence(body, words)
    elif entry.kind == RULING:
        line = str(body.get("matter"))
        sentence = words.ruled(decision=str(body.get("decision")), line=line)
    elif entry.kind == CORRECTION:
        sentence = _correction_sentence(body, game, words)
    else:
        sentence = _SENTENCE_BY_KIND.get(entry.kind, _generic_sentence)(body, game)
    sentence = with_note(sentence, body)
    text = str(sentence).strip()[:MAX_TEXT_LENGTH]
    if text != str(sentence):
        sentence = plain(text)
    kind = words.proposal if entry.kind == PROPOSAL else entry.kind
    return EntryText(entry.number, kind, by if isinstance(by, str) else "", sentence)


def with_note(sentence: Sentence, body: EntryBody) -> Sentence:
    """The sentence, with the note of an entry if it has one."""
    note = body.get("note")
    if not isinstance(note, str) or not note:
        return sentence
    if not str(sentence):
        return sentences.NOTE(note=note)
    return sentences.WITH_NOTE(sentence=sentence, note=note)


def _proposal_sentence(body: EntryBody, words: EntryWords) -> Sentence:
    subject, text = subject_sentence(str(body.get("about"))), body.get("sentence")
    sentence = read_sentence_fields(body) if isinstance(text, str) else plain(str(text))
    if "penalty" not in body:
        return sentences.PROPOSED(subject=subject, sentence=sentence)
    penalty = str(body["penalty"])
    return words.proposed_penalty(subject=subject, sentence=sentence, penalty=penalty)


def _penalty_sentence(body: EntryBody, game: AnyGame) -> Sentence:
    number, cost = _player_number(body), str(body.get("penalty"))
    cause = subject_sentence(str(body.get("for")))
    player = _side(number, game)
    if cost == "loss":
        return sentences.PENALTY_LOSS(player=player, cause=cause)
    if cost == "none":
        return sentences.PENALTY_WARNING(player=player, cause=cause)
    other = _side(1 - number, game)
    return sentences.PENALTY_TIME(player=player, cause=cause, time=cost, other=other)


def _clocks_sentence(body: EntryBody, game: AnyGame) -> Sentence:
    try:
        clocks = Clocks.from_json(body.get("clocks"))
    except LaserboardError:
        return sentences.CLOCKS_SET()
    faces = zip(game.players, clocks.left_ms, strict=False)
    return sentences.CLOCKS_SET_TO(
        clocks=tuple(
            sentences.CLOCK_OF(player=side, time=format_clock(left_ms)) for side, left_ms in faces
        )
    )


def _confirmation_sentence(body: EntryBody, game: AnyGame) -> Sentence:
    if "player" not in body:
        return sentences.RESULT_STANDS()
    return sentences.AGREES(player=_side(_player_number(body), game))


def describe_correction(body: EntryBody, game: AnyGame, words: EntryWords = WORDS) -> Sentence:
    """The changes of a correction, for pages that show both positions beside it."""
    turns = body.get("turns")
    parts = []
    if isinstance(turns, int) and turns:
        parts.append((words.turn_void if turns == 1 else words.turns_void)(turns=turns))
    if body.get("put") is True:
        cells = _corrected_cells(body, game)
        parts.append(sentences.POSITION_SET(cells=tuple(cells)) if cells else sentences.MOVER_SET())
    return joined(parts) if parts else words.result_void()


def _corrected_cells(body: EntryBody, game: AnyGame) -> list[str]:
    """The cells that differ before and after."""
    try:
        before, after = (game.read_position(str(body.get(when))) for when in ("before", "after"))
    except LaserboardError:
        return []
    name = before.grid.name
    cells = sorted({*before.pieces, *after.pieces})
    return [name(cell) for cell in cells if before.pieces.get(cell) != after.pieces.get(cell)]


def _correction_sentence(body: EntryBody, game: AnyGame, words: EntryWords) -> Sentence:
    sentence = describe_correction(body, game, words)
    before, after = body.get("before"), body.get("after")
    if game.record_form != "text" or before == after:
        return sentence
    return sentences.POSITION_BECAME(sentence=sentence, before=str(before), after=str(after))


def _take_back_sentence(body: EntryBody, _: AnyGame) -> Sentence:
    return sentences.TAKEN_BACK(turns=str(body.get("turns")))


def _result_sentence(body: EntryBody, _: AnyGame) -> Sentence:
    return Outcome(str(body.get("result")), read_outcome_reason(body)).sentence


def _generic_sentence(body: EntryBody, _: AnyGame) -> Sentence:
    """The sentence of an entry, or its plain fields."""
    if isinstance(body.get("sentence"), str):
        return read_sentence_fields(body)
    fields = (
        f"{name} {value}"
        for name, value in body.items()
        if name not in _HIDDEN_KEYS and name != "note" and isinstance(value, str | int | float)
    )
    return plain(", ".join(fields))


_SENTENCE_BY_KIND: Mapping[str, Callable[[EntryBody, AnyGame], Sentence]] = {
    PENALTY: _penalty_sentence,
    CLOCKS: _clocks_sentence,
    CONFIRMATION: _confirmation_sentence,
    TAKE_BACK: _take_back_sentence,
    RESULT: _result_sentence,
    NOTE: lambda *_: plain(""),  # `describe_entry` adds the note
}


def _player_number(body: EntryBody) -> int:
    player = body.get("player")
    return player if player in (0, 1) else 0


def _side(player: int, game: AnyGame) -> str:
    return game.players[player]
