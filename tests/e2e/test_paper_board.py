"""A whole game on a simulated paper board, in the terminal and on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.builder.paper_board import made_of_paper
from tests.support.cli import Laserboard
from tests.support.web.browser import OpenPage, Start

pytestmark = pytest.mark.slow

# The setup curiosity, but the piece of g6 is on h6, and the piece on b4 is rotated by 180 degrees.
NOT_YET = "l++3d++kd++s+2/*/3B+3b++2/b++B2B+++s+2b+++B+/b+++B+++2S+b+2b++B/3B2b+++3/*/2S+DKD3L b"


@pytest.fixture
def paper(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, ...]:
    """The options of `simulate` for a paper board that is ready to play."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return made_of_paper(Laserboard(capsys), tmp_path)


def test_a_game_is_played_to_its_end_on_paper(
    paper: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    laserboard = Laserboard(capsys)
    played = laserboard(
        "simulate", *paper, "--no-page", "--fast", "--blue", "computer:3", "--red", "computer:1"
    )
    assert played.status == 0, played
    assert re.search(r"· (1-0|0-1) king captured", played.out), played.out
    assert "good" in laserboard.prints("games", "verify", "last")


def test_the_page_shows_a_game_on_paper_from_set_up_to_its_end(
    paper: tuple[str, ...], start: Start, open_page: OpenPage, capsys: pytest.CaptureFixture[str]
) -> None:
    game = ("--setup", "curiosity", "--initial-position", NOT_YET)
    table = open_page(start("simulate", "--page", "--red", "human", *paper, *game).address)
    table.says("^set up the board: 3 things to put right")
    assert table.marked("missing") == {"g6"}
    assert table.marked("extra") == {"h6"}
    assert table.marked("wrong-way") == {"b4"}
    table.shot("paper-set-up")
    table.drag("h6", "g6")
    table.says("one thing to put right")
    table.touch("b4")
    right = table.at("#popover").get_by_role("button", name="Turn right")
    right.click()
    expect(table.at("#reasons")).to_contain_text("turned a quarter")
    right.click()
    table.says("^blue to move")
    table.page.get_by_role("button", name="Camera", exact=True).click()
    table.until("document.getElementById('camera-picture').naturalWidth > 300")
    table.shot("paper-camera")
    table.page.get_by_role("button", name="Board", exact=True).click()

    table.drag("b5", "c6")
    table.fire()
    expect(table.at("#board .ray")).to_have_count(1)
    table.shot("paper-beam")
    table.says("^red to move")
    table.touch("i4")
    table.at("#popover").get_by_role("button", name="Turn right").click()
    with table.sees("#board .burst"):
        table.fire()
    table.shot("paper-captured")
    table.says("^blue to move")
    expect(table.at("#board .piece")).to_have_count(25)
    table.drag("b4", "c4")
    table.fire()
    table.says("^red to move")
    table.touch("f5")
    table.at("#popover").get_by_role("button", name="Turn right").click()
    with table.sees("#board .burst"):
        table.fire()
    table.shot("paper-king-struck")
    table.says(r"^red wins \(king captured\)")
    table.moves("b5c6", "i4+xe5", "b4c4", "f5+xe1")
    table.shot("paper-over")
    assert "good" in Laserboard(capsys).prints("games", "verify", "last")
