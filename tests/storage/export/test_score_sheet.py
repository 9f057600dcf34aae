"""The score sheet has players, turns with clocks, rulings and the hash."""

from __future__ import annotations

import io
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from controller.session.clocks import Clocks, TimeControl
from controller.session.journal import JournalEntry, next_entry
from controller.session.replay import replay, result_body, take_back_body, turn_body
from controller.session.setup import GameSetup, Seat, TournamentEntry, setup_body
from controller.storage.export.manifest import READABLE_EDITIONS, derived_files, write_export
from engine import games
from engine.game import Outcome
from engine.sentences import plain
from tests.support.engine.random_play import random_turns
from tests.support.play.policy_page import Row, policy_rows
from tests.support.play.refereed_play import Refereed, policies_of
from tests.support.play.tampered_exports import files_of, verified

CLOCKS = replace(Clocks.for_control(TimeControl.parse("10m+5s")), left_ms=(591_000.0, 600_000.0))


def journal_of(name: str = "", turns: int = 5, **fields: Any) -> list[JournalEntry]:
    game = games.make(name) if name else games.make()
    seats = (Seat("Ada"), Seat("Bob"))
    usual = {"started": "2026-03-01 19:30", "time_control": "10m+5s"}
    start = GameSetup(game, seats, seed=None if game.setups() else 4, **{**usual, **fields})
    entries = [next_entry(None, "game", setup_body(start), 0.0)]
    for turn in random_turns(game, seed=4, most=turns):
        entries.append(next_entry(entries[-1], "turn", turn_body(game, turn, CLOCKS), 1.0))
    return entries


def sheet_of(entries: list[JournalEntry]) -> str:
    return derived_files(entries, replay(entries))["sheet.html"].decode()


@pytest.mark.parametrize("name", games.GAMES)
def test_a_sheet_has_players_turns_and_the_hash(name: str) -> None:
    entries = journal_of(name, tournament_entry=TournamentEntry("Club night", 3, 4))
    entries.append(
        next_entry(entries[-1], "result", result_body(Outcome("1-0", plain("resignation"))), 1.0)
    )
    page = sheet_of(entries)
    for text in ("Club night", "<dd>3</dd>", "<dd>4</dd>", "Ada", "Bob", "10m+5s", "resignation"):
        assert text in page
    assert page.count('class="row"') == (3 if name != "spaceships" else 5)
    assert "9:51" in page
    head = entries[-1].hash
    assert f"<b>{head[:8]} {head[8:16]}</b> {head[16:24]} " in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_sheet_lists_entries_that_are_not_turns() -> None:
    entries = journal_of()
    for kind, body in (
        ("weather", {"by": "referee", "sentence": "it has begun to rain"}),
        ("visit", {"guests": 3, "from": "the press", "pieces": {}}),
        ("take back", take_back_body(1)),
    ):
        entries.append(next_entry(entries[-1], kind, body, 1.0))
    page = sheet_of(entries)
    assert "<b>weather</b> it has begun to rain <i>referee</i>" in page
    assert "<b>visit</b> from the press, guests 3" in page
    assert "<b>take back</b> turns taken back: 1" in page
    assert "4 turns, 1 taken back" in page


def refereed(*sentences: str, policies: str = "") -> list[JournalEntry]:
    """The journal of a refereed game that follows these sentences."""
    table = Refereed(policies_of(policies))
    for sentence in sentences:
        table.does(sentence)
    entries = table.kept
    for write in table.game.written:
        entries.append(next_entry(entries[-1], write.kind, write.body, write.at_ms))
    return entries


def test_a_sheet_follows_rulings_and_lists_them() -> None:
    entries = refereed(
        "blue moves j4 j2",
        "blue presses fire",
        "the referee accepts",
        "hands move j2 j4",
        "blue moves j4 j5",
        "blue presses fire",
        "c5 is taken off",
        "the referee puts red's deflector back on c5",
        "the pieces are set as shown",
        "the referee sets the clocks to 3:00 and 4:00",
        "the referee notes: a glass fell over",
        "red resigns",
        "the referee declares 0-1",
    )
    played = replay(entries)
    assert played.fault is None
    page = sheet_of(entries)
    for reported in (
        "<b>proposal</b> illegal move: j4 to j2: a piece moves one square",
        "(the policy says 2m)",
        "<b>penalty</b> blue, for illegal move: 2m more for red",
        "<b>ruling</b> accepted: the proposal of line 2",
        "<b>correction</b> the position was put: c5; ",
        "<p>It waits for blue and red</p>",
        "<b>clocks</b> set to blue 3:00, red 4:00",
        "<b>note</b> “a glass fell over” <i>referee</i>",
        "<b>result</b> 1-0 ",
        "<b>correction</b> the result before it no longer counts",
        '<p class="score">0-1</p>',
        "j4j5xc5†",
        "† the position was corrected after this turn",
        "<dt>Penalties</dt><dd>2m, loss</dd>",
    ):
        assert reported in page, reported
    written = files_of(proof(entries))
    assert b"corrected" in written["game.json"]


def proof(entries: list[JournalEntry]) -> bytes:
    """The verified export of a journal without images."""
    out = io.BytesIO()
    done = write_export(Path("nowhere.journal"), entries, replay(entries), out)
    assert verified(out.getvalue(), done.last_hash).findings == ()
    return out.getvalue()


@pytest.mark.parametrize("row", policy_rows()[::5], ids=lambda row: f"line {row.line}")
def test_a_refereed_game_has_a_valid_export(row: Row) -> None:
    assert proof(refereed(*row.events.split("; "), policies=row.policy))


def test_names_are_escaped() -> None:
    hostile = "<script>alert(1)</script>\"'&"
    entries = journal_of(
        tournament_entry=TournamentEntry(hostile, 1, 1), time_control=hostile, started=hostile
    )
    entries.append(next_entry(entries[-1], "note", {"note": hostile, "by": hostile}, 1.0))
    page = sheet_of(entries)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 4


def test_red_may_start_and_a_game_may_have_no_turns() -> None:
    game = games.make()
    position = next(iter(random_turns(game, seed=4, most=1))).after
    start = GameSetup(game, (Seat("Ada"), Seat("Bob")), position=position)
    entries = [next_entry(None, "game", setup_body(start), 0.0)]
    assert "No turn was played." in sheet_of(entries)
    move = game.legal(position, 1)[0]
    turn = game.resolve(position, {1: move})
    entries.append(next_entry(entries[-1], "turn", turn_body(game, turn), 1.0))
    assert '<span class="move">…</span>' in sheet_of(entries)


def test_a_change_of_the_files_needs_a_new_edition() -> None:
    """Exports of edition 2 must stay valid; any other change needs a new edition."""
    entries = journal_of(turns=8, tournament_entry=TournamentEntry("Club night", 3, 4))
    hashes = {
        edition: {
            name: sha256(content).hexdigest()[:8]
            for name, content in derived_files(entries, replay(entries), edition).items()
        }
        for edition in READABLE_EDITIONS
    }
    records = {"game.journal": "df60f2c9", "game.json": "ccf9e873", "game.pgn": "2851db41"}
    assert hashes == {
        2: records | {"sheet.html": "2f64083c"},
        3: records | {"sheet.html": "6b83873b"},
    }
