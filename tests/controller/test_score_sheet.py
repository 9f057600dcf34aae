"""The score sheet: who, where, every turn with its clocks, what was ruled, and the head."""

from __future__ import annotations

import io
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from controller.agreement import Occasion, Seat, Start, game_body
from controller.clocks import Clocks, TimeControl
from controller.exports import contents
from controller.exports.contents import export, yielded
from controller.journal import Entry, following
from controller.played import replay, result_body, take_back_body, turn_body
from engine import games
from engine.game import Outcome
from tests.controller.refereed import Refereed, laws_of
from tests.controller.test_exports import files_of, judged
from tests.controller.test_laws import Row, rows
from tests.play import random_turns

CLOCKS = replace(Clocks.of(TimeControl.read("10m+5s")), left_ms=(591_000.0, 600_000.0))


def journal_of(name: str = "", turns: int = 5, **agreed: Any) -> list[Entry]:
    game = games.make(name) if name else games.make()
    seats = (Seat("Ada"), Seat("Bob"))
    usual = {"started": "2026-03-01 19:30", "time_control": "10m+5s"}
    start = Start(game, seats, seed=None if game.setups() else 4, **{**usual, **agreed})
    entries = [following(None, "game", game_body(start), 0.0)]
    for turn in random_turns(game, seed=4, most=turns):
        entries.append(following(entries[-1], "turn", turn_body(game, turn, CLOCKS), 1.0))
    return entries


def sheet_of(entries: list[Entry]) -> str:
    return yielded(entries, replay(entries))["sheet.html"].decode()


@pytest.mark.parametrize("name", games.GAMES)
def test_a_sheet_has_who_played_where_every_turn_and_the_head(name: str) -> None:
    entries = journal_of(name, occasion=Occasion("Club night", 3, 4))
    entries.append(
        following(entries[-1], "result", result_body(Outcome("1-0", "resignation")), 1.0)
    )
    page = sheet_of(entries)
    for text in ("Club night", "<dd>3</dd>", "<dd>4</dd>", "Ada", "Bob", "10m+5s", "resignation"):
        assert text in page
    assert page.count('class="row"') == (3 if name != "spaceships" else 5)
    assert "9:51" in page
    head = entries[-1].hash
    assert f"<b>{head[:8]} {head[8:16]}</b> {head[16:24]} " in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_sheet_lists_what_happened_beside_the_turns() -> None:
    entries = journal_of()
    for kind, body in (
        ("weather", {"by": "referee", "sentence": "it has begun to rain"}),
        ("visit", {"guests": 3, "from": "the press", "pieces": {}}),
        ("take back", take_back_body(1)),
    ):
        entries.append(following(entries[-1], kind, body, 1.0))
    page = sheet_of(entries)
    assert "<b>weather</b> it has begun to rain <i>referee</i>" in page
    assert "<b>visit</b> from the press, guests 3" in page
    assert "<b>take back</b> turns taken back: 1" in page
    assert "4 turns, 1 taken back" in page


def refereed(*acts: str, laws: str = "") -> list[Entry]:
    """The journal of what people and a referee did."""
    table = Refereed(laws_of(laws))
    for act in acts:
        table.does(act)
    entries = table.kept
    for write in table.game.written:
        entries.append(following(entries[-1], write.kind, write.body, write.at_ms))
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
        "the board is put as shown",
        "the referee sets the clocks to 3:00 and 4:00",
        "the referee notes: a glass fell over",
        "red resigns",
        "the referee declares 0-1",
    )
    played = replay(entries)
    assert played.fault is None
    page = sheet_of(entries)
    for told in (
        "<b>matter</b> illegal move: j4 to j2: a piece moves one square",
        "(the laws say 2m)",
        "<b>penalty</b> blue, for illegal move: 2m more for red",
        "<b>ruling</b> accepted: the matter of line 2",
        "<b>correction</b> the position was put: c5; ",
        "<p>It waits for blue and red</p>",
        "<b>clocks</b> set to blue 3:00, red 4:00",
        "<b>note</b> “a glass fell over” <i>referee</i>",
        "<b>result</b> 1-0 ",
        "<b>correction</b> the result before it counts no more",
        '<p class="score">0-1</p>',
        "j4j5xc5†",
        "† the position was corrected after this turn",
        "<dt>Penalties</dt><dd>2m, loss</dd>",
    ):
        assert told in page, told
    written = files_of(proof(entries))
    assert b"corrected" in written["game.json"]


def proof(entries: list[Entry]) -> bytes:
    """The export of a journal without pictures, which must be good."""
    out = io.BytesIO()
    done = export(Path("nowhere.journal"), entries, replay(entries), out.write)
    assert judged(out.getvalue(), done.head).findings == ()
    return out.getvalue()


@pytest.mark.parametrize("row", rows()[::5], ids=lambda row: f"line {row.line}")
def test_whatever_a_referee_rules_its_export_is_proven(row: Row) -> None:
    assert proof(refereed(*row.happens.split("; "), laws=row.law))


def test_names_on_a_sheet_are_names_whatever_is_in_them() -> None:
    wicked = "<script>alert(1)</script>\"'&"
    entries = journal_of(occasion=Occasion(wicked, 1, 1), time_control=wicked, started=wicked)
    entries.append(following(entries[-1], "note", {"note": wicked, "by": wicked}, 1.0))
    page = sheet_of(entries)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 4


def test_a_game_that_red_begins_and_one_without_turns_have_a_sheet() -> None:
    game = games.make()
    position = next(iter(random_turns(game, seed=4, most=1))).after
    start = Start(game, (Seat("Ada"), Seat("Bob")), position=position)
    entries = [following(None, "game", game_body(start), 0.0)]
    assert "No turn was played." in sheet_of(entries)
    move = game.legal(position, 1)[0]
    turn = game.resolve(position, {1: move})
    entries.append(following(entries[-1], "turn", turn_body(game, turn), 1.0))
    assert '<span class="move">…</span>' in sheet_of(entries)


def test_whoever_changes_what_a_journal_yields_counts_the_edition_up() -> None:
    """Old exports must not be called wrong by a newer Laserboard: see `contents.EDITION`."""
    entries = journal_of(turns=8, occasion=Occasion("Club night", 3, 4))
    files = yielded(entries, replay(entries))
    hashes = {name: sha256(content).hexdigest()[:8] for name, content in files.items()}
    assert (contents.EDITION, hashes) == (
        2,
        {
            "game.journal": "df60f2c9",
            "game.json": "ccf9e873",
            "game.pgn": "2851db41",
            "sheet.html": "2f64083c",
        },
    )
