"""The running game's journal as the page tells it: a row for every entry that people care for.

It reads on in the file, and only as far as the head says that the disk has it: a page that is
shown things later is given an older head. Only for the thread of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.agreement import read_start
from controller.clocks import BadClock, Clocks
from controller.evidence import EVIDENCE, Photographed, Picture, read_evidence
from controller.exports.remarks import correction_words, note_words, remark
from controller.exports.sheet import grouped
from controller.journal import Entry, read_line
from controller.played import CORRECTION, RESULT, TAKE_BACK, TURN, Played, followed, left
from controller.web.pieces_json import Json, pieces_json
from controller.web.pieces_json import told as turn_told
from engine.errors import LaserboardError


class Ledger:
    """One journal after another, each as far as it was read."""

    def __init__(self) -> None:
        self.linked: dict[str, Path] = {}  # hash of every picture's file: the journal that links it
        self._begin(None)

    def _begin(self, path: Path | None) -> None:
        self._path, self._at, self._head = path, 0, ""
        self._played: Played | None = None
        self._first: Entry | None = None
        self._rows: list[Json] = []
        self._turns: list[Json] = []  # the rows of turns that count
        self._results: list[Json] = []
        self._matters: dict[int, Json] = {}  # pictures, by the entry that asks about them
        self._pictures: dict[int, Json] = {}  # and by turn

    def read_on(self, path: Path | None, head: str) -> None:
        """As far as that head, which is on the disk."""
        if path != self._path:
            self._begin(path)
        if path is None or head == self._head or not head:
            return
        try:
            with path.open("rb") as file:
                file.seek(self._at)
                rest = file.read()
        except OSError:
            return  # a page is no place to complain of a disk: the journal's writer does
        for line in rest.split(b"\n")[:-1]:
            try:
                entry = read_line(line)
            except LaserboardError:
                return
            self._at += len(line) + 1
            self._head = entry.hash
            self._take(entry)
            if entry.hash == head:
                return

    def part(self) -> Json:
        """The head as people read it out, and a row for each entry."""
        return {"head": self._head, "read": grouped(self._head), "rows": self._rows}

    def pictures(self, matter: int) -> Json | None:
        """What was seen as the referee was asked; or else of the last turn."""
        last = len(self._turns)
        return self._matters.get(matter) or self._pictures.get(last)

    # -- one entry after another -----------------------------------------------------------------

    def _take(self, entry: Entry) -> None:
        try:
            if self._first is None:
                self._first = entry
                self._played = Played(read_start([entry]))
            elif entry.kind == EVIDENCE:
                self._photographed(read_evidence(entry.body, entry.at_ms))
            else:
                self._row(entry)
        except LaserboardError:
            return  # what is wrong with it is told by whoever resumes the game

    def _photographed(self, seen: Photographed) -> None:
        assert self._path is not None
        for each in seen.pictures:
            self.linked |= {each.picture: self._path, each.seen: self._path}
        shown = {"before": _picture(seen.before), "after": _picture(seen.after)}
        if seen.matter is not None:
            self._matters[seen.matter] = shown
            for row in self._rows:
                if row["number"] == seen.matter:
                    row["pictures"] = shown
            return
        self._pictures[seen.turn] = shown
        if seen.turn <= len(self._turns):
            self._turns[seen.turn - 1]["pictures"] = shown

    def _row(self, entry: Entry) -> None:
        assert self._played is not None
        played = self._played = followed(self._played, entry)
        game, body = played.start.game, entry.body
        told = remark(entry, game)
        row: Json = {
            "number": entry.number,
            "kind": entry.kind,
            "by": told.by,
            "told": told.sentence,
            "left_ms": _left(body),
            "gone": None,  # the entry after which it counts no more
        }
        if entry.kind == TURN:
            turn = played.turns[-1]
            row |= {
                "turn": len(played.turns),
                "players": [player for player, _ in turn.moves],
                "told": turn_told(game, turn),
                "losses": [turn.aimed.grid.name(loss.cell) for loss in turn.removed],
                "pictures": None,
            }
            self._turns.append(row)
        elif entry.kind == RESULT:
            self._results.append(row)
        elif entry.kind in (TAKE_BACK, CORRECTION):
            self._superseded(row, len(played.turns))
            if entry.kind == CORRECTION:
                row["told"] = f"{correction_words(body, game)} {note_words(body)}".strip()
            if body.get("before") != body.get("after"):
                row |= {
                    when: pieces_json(position.grid, position.pieces)
                    for when in ("before", "after")
                    for position in (game.read_position(str(body[when])),)
                }
        self._rows.append(row)

    def _superseded(self, by: Json, turns: int) -> None:
        for row in (*self._turns[turns:], *self._results):
            row["gone"] = by["number"]
        del self._turns[turns:]
        self._results = []
        self._pictures = {turn: each for turn, each in self._pictures.items() if turn <= turns}


def _picture(picture: Picture | None) -> Json | None:
    return None if picture is None else {"picture": picture.picture, "seen": picture.seen}


def _left(body: Mapping[str, Any]) -> list[int | None] | None:
    try:
        clocks = Clocks.from_json(body["clocks"])
    except (KeyError, BadClock):
        return None
    found = [left(clocks, player) for player in (0, 1)]
    return [None if each is None else round(each) for each in found]
