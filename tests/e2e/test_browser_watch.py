"""The page for a public screen: large, read only, with the delay of spectators."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.web.browser import OpenPage, Table
from tests.support.web.referee_page import refereed_game

pytestmark = pytest.mark.slow


def test_the_public_screen_shows_the_board_the_clocks_and_the_rulings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_page: OpenPage
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with refereed_game(tmp_path) as game:
        game.does("blue moves j4 j3", "blue presses fire")
        watching = open_page(game.address("watch"), 1600, 900)
        expect(watching.at("#event")).to_have_text("Club night · round 3 · table 4")
        expect(watching.at("#moves")).to_contain_text("j4j3")
        expect(watching.at("button:visible:not(#moves button)")).to_have_count(0)
        game.does("red calls the referee")
        expect(watching.at("#sentence")).to_contain_text("The referee decides: red calls")
        watching.shot("watch")
        box = watching.at("#board").bounding_box()
        assert box
        assert box["height"] > 450, "large"
        game.does("the referee declares 1/2-1/2")
        expect(watching.at("#sentence")).to_contain_text("1/2-1/2 · A draw: agreed")


def test_the_public_screen_has_the_spectator_delay_in_every_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_page: OpenPage
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with refereed_game(tmp_path, delay_ms=5_000.0) as game:
        console = open_page(game.address("console"))
        watching = console.page.context.new_page()
        watching.goto(game.address("watch").partition("#")[0])
        game.does("blue moves j4 j3", "blue presses fire")
        expect(console.at("#sheet-rows")).to_contain_text("j4j3")
        assert "j4j3" not in watching.locator("#moves").inner_text()
        game.does("6 s pass")  # the page uses the clock of the game
        expect(watching.locator("#moves")).to_contain_text("j4j3")
        expect(watching.locator("#delay-note")).to_have_text("5 s later")


def test_a_spectator_sees_the_delay_and_that_the_camera_is_not_available(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with refereed_game(tmp_path, delay_ms=90_000.0) as game:
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{game.address().partition('#')[0]}#view=camera")
        page.fill("#pin", "271828")
        page.click("#login-form button")
        expect(page.locator("#sentence")).to_have_text("The game appears here soon")
        expect(page.locator("#delay-note")).to_have_text(
            "You see this game 1 min 30 s later. The camera is for the players and the referee."
        )
        expect(page.locator("#view-camera")).not_to_be_visible()
        expect(page.locator("#pane-board")).to_be_visible()
        Table(page).shot("spectator-early")
        page.wait_for_timeout(700)
        asked.clear()
        page.wait_for_timeout(1000)
        assert not [each for each in asked if "camera" in each], (
            "no page requests what it may not see"
        )
        page.context.close()
