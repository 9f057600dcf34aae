"""Stored games on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller.session.setup import PuzzleGoal
from controller.storage.games import games_folder
from engine import games
from engine.record import read_record
from tests.support.play.stored_games import TURNS, store_game
from tests.support.web.served_page import ServedPage, served


@pytest.fixture
def served_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedPage]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with served() as found:
        yield found


def test_games_are_listed_newest_first_without_empty_ones(served_page: ServedPage) -> None:
    first = store_game("laser-chess")
    store_game("photon", turns=0)
    last = store_game("photon")
    (games_folder() / "2026-03-01-9.journal").write_text("nonsense")
    listed = served_page.ask("/games.json").json["games"]
    assert [each["id"] for each in listed] == [last, first]
    assert listed[1]["title"] == "Laser Chess"
    assert listed[1]["players"] == ["Ada", "Bob"]
    assert listed[1]["turns"] == TURNS
    assert listed[1]["outcome"]["result"] == "1/2-1/2"


def test_a_puzzle_is_known_by_its_name(served_page: ServedPage) -> None:
    kept, other = (
        store_game("laser-chess", goal=PuzzleGoal("puzzle 101", 0, 2, ("j1-",))),
        store_game("laser-chess"),
    )
    listed = {each["id"]: each["puzzle"] for each in served_page.ask("/games.json").json["games"]}
    assert listed == {kept: "puzzle 101", other: None}
    for name, puzzle in listed.items():
        assert served_page.ask(f"/games/{name}/game.json").json["puzzle"] == puzzle


@pytest.mark.parametrize("name", games.GAMES)
def test_a_game_is_reported_turn_by_turn(served_page: ServedPage, name: str) -> None:
    reported = served_page.ask(f"/games/{store_game(name)}/game.json").json
    assert reported["name"] == name
    pieces = reported["pieces"]
    for turn in reported["turns"]:
        assert {each["cell"] for each in turn["aimed"]} >= {each["cell"] for each in turn["losses"]}
        changed = {each["cell"] for each in [*turn["aimed"], *pieces]}
        assert set(turn["changed"]) <= changed
        assert turn["beams"] or name == "spaceships"
        assert turn["left_ms"] == [300_000, 300_000]
        pieces = turn["after"]


@pytest.mark.parametrize("name", games.GAMES)
def test_records_and_pictures_can_be_downloaded(served_page: ServedPage, name: str) -> None:
    kept = store_game(name)
    answer = served_page.ask(f"/games/{kept}/record.json")
    assert "attachment" in answer.headers["content-disposition"]
    found = read_record(answer.body.decode())
    assert len(found.turns) == len(served_page.ask(f"/games/{kept}/game.json").json["turns"])
    for path in (f"/games/{kept}/0.svg", f"/games/{kept}/2.svg?beams=1&download"):
        picture = served_page.ask(path)
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert ElementTree.fromstring(picture.body).tag.endswith("svg")
    assert served_page.ask(f"/games/{kept}/drawing.json").json["tiles"]


def test_a_record_is_text_if_the_game_has_a_text_form(served_page: ServedPage) -> None:
    chess, other = store_game("laser-chess"), store_game("photon")
    assert served_page.ask(f"/games/{chess}/record.txt").body.startswith(b"[")
    assert served_page.ask(f"/games/{other}/record.txt").status == 404
    assert served_page.ask(f"/games/{other}/record.exe").status == 404


def test_turns_that_were_not_played_are_not_found(served_page: ServedPage) -> None:
    kept = store_game("laser-chess")
    for turn in (TURNS + 1, -1, "x", "1e3", 10**30):
        assert served_page.ask(f"/games/{kept}/{turn}.svg").status == 404


def test_a_continued_game_is_read_again(served_page: ServedPage) -> None:
    kept = store_game("laser-chess", turns=2)
    path = games_folder() / f"{kept}.journal"
    assert len(served_page.ask(f"/games/{kept}/game.json").json["turns"]) == 2
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    assert len(served_page.ask(f"/games/{kept}/game.json").json["turns"]) == 1
    path.unlink()
    assert served_page.ask(f"/games/{kept}/game.json").status == 404
