"""The journal of the running game as rows for the console, built as the entries come in.

`update` takes the entries that are on disk; the delayed state has fewer of them. Call it only from
the page's thread.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.session.clocks import BadClock, Clocks
from controller.session.evidence import EVIDENCE, EvidenceCaptured, EvidenceImage, read_evidence
from controller.session.journal import JournalEntry
from controller.session.replay import (
    CORRECTION,
    RESULT,
    TAKE_BACK,
    TURN,
    ReplayedGame,
    apply_entry,
    recorded_remaining_ms,
)
from controller.session.setup import read_setup
from controller.storage.export.entry_text import describe_correction, describe_entry, with_note
from controller.storage.export.score_sheet import group_digits
from engine.draw.board_json import Json, pieces_json, turn_notation
from engine.errors import LaserboardError
from engine.sentences import sentence_json

log = logging.getLogger(__name__)


class JournalView:
    """The rows of the present journal, and the evidence that any journal of the program links."""

    def __init__(self) -> None:
        self.linked_evidence: dict[str, Path] = {}  # journal by the hash of an evidence file
        self._reset(None)

    def _reset(self, path: Path | None) -> None:
        self._path, self._count, self._last_hash = path, 0, ""
        self._game: ReplayedGame | None = None
        self._first: JournalEntry | None = None
        self._rows: list[Json] = []
        self._turns: list[Json] = []  # rows of turns that are not superseded
        self._results: list[Json] = []
        self._proposal_images: dict[int, Json] = {}  # by the proposal's entry
        self._turn_images: dict[int, Json] = {}  # by turn

    def update(self, path: Path | None, entries: tuple[JournalEntry, ...]) -> None:
        """Add the entries that are new since the last call; with another path, start again."""
        if path != self._path or len(entries) < self._count:
            self._reset(path)
        for entry in entries[self._count :]:
            self._last_hash = entry.hash
            self._add_entry(entry)
        self._count = len(entries)

    def to_json(self) -> Json:
        """The last hash, also in groups of digits, and the rows."""
        return {
            "last_hash": self._last_hash,
            "last_hash_grouped": group_digits(self._last_hash),
            "rows": self._rows,
        }

    def evidence_images(self, proposal: int) -> Json | None:
        """The images of a proposal; without them, those of the last turn."""
        last = len(self._turns)
        return self._proposal_images.get(proposal) or self._turn_images.get(last)

    # -- entries ---------------------------------------------------------------------------------

    def _add_entry(self, entry: JournalEntry) -> None:
        try:
            if self._first is None:
                self._first = entry
                self._game = ReplayedGame(read_setup([entry]))
            elif entry.kind == EVIDENCE:
                self._add_evidence(read_evidence(entry.body, entry.at_ms))
            else:
                self._add_row(entry)
        except LaserboardError:
            # `resume` reports the problem to people.
            log.warning("journal entry %s has no row on the page", entry.kind, exc_info=True)

    def _add_evidence(self, evidence: EvidenceCaptured) -> None:
        if self._path is not None:
            for each in evidence.images:
                self.linked_evidence |= {each.image_hash: self._path, each.reading_hash: self._path}
        images = {"before": _image_json(evidence.before), "after": _image_json(evidence.after)}
        if evidence.proposal is not None:
            self._proposal_images[evidence.proposal] = images
            for row in self._rows:
                if row["number"] == evidence.proposal:
                    row["images"] = images
            return
        self._turn_images[evidence.turn] = images
        if evidence.turn <= len(self._turns):
            self._turns[evidence.turn - 1]["images"] = images

    def _add_row(self, entry: JournalEntry) -> None:
        assert self._game is not None
        played = self._game = apply_entry(self._game, entry)
        game, body = played.setup.game, entry.body
        entry_text = describe_entry(entry, game)
        row: Json = {
            "number": entry.number,
            "kind": entry.kind,
            "by": entry_text.by,
            "left_ms": _remaining_ms(body),
            "superseded_by": None,  # number of an entry
        }
        if entry.kind == TURN:
            turn = played.turns[-1]
            row |= {
                "turn": len(played.turns),
                "players": [player for player, _ in turn.moves],
                "notation": sentence_json(turn_notation(game, turn)),
                "losses": [turn.aimed.grid.name(loss.cell) for loss in turn.removed],
                "images": None,
            }
            self._turns.append(row)
        else:
            row["sentence"] = sentence_json(entry_text.sentence)
        if entry.kind == RESULT:
            self._results.append(row)
        elif entry.kind in (TAKE_BACK, CORRECTION):
            self._mark_superseded(row, len(played.turns))
            if entry.kind == CORRECTION:
                row["sentence"] = sentence_json(with_note(describe_correction(body, game), body))
            if body.get("before") != body.get("after"):
                row |= {
                    when: pieces_json(position.grid, position.pieces)
                    for when in ("before", "after")
                    for position in (game.read_position(str(body[when])),)
                }
        self._rows.append(row)

    def _mark_superseded(self, by: Json, turns: int) -> None:
        for row in (*self._turns[turns:], *self._results):
            row["superseded_by"] = by["number"]
        del self._turns[turns:]
        self._results = []
        self._turn_images = {
            turn: each for turn, each in self._turn_images.items() if turn <= turns
        }


def _image_json(image: EvidenceImage | None) -> Json | None:
    return None if image is None else {"image": image.image_hash, "observation": image.reading_hash}


def _remaining_ms(body: Mapping[str, Any]) -> list[int | None] | None:
    try:
        clocks = Clocks.from_json(body["clocks"])
    except (KeyError, BadClock):
        return None
    remaining_ms = [recorded_remaining_ms(clocks, player) for player in (0, 1)]
    return [None if each is None else round(each) for each in remaining_ms]
