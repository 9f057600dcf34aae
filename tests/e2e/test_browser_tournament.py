"""The tournament's page in Chromium: boards become stale and lost; a wide screen and a phone."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from controller.devices.clock import SystemClock
from controller.tournament.outbox_file import OutboxFile
from controller.tournament.subscriber import TournamentSubscriber
from controller.tournament.web_page import TournamentPage
from controller.ui.web.page_server import PageSettings
from engine import games
from tests.support.tournament.message_examples import EVENT, presence, pulse, result, sent, state
from tests.support.tournament.published_boards import MOVES
from tests.support.web.browser import AXE, SCREENSHOTS, TIMEOUT_S, skip_unless_installed

PLAYERS = ("Ada Lovelace", "Grace Hopper", "Alan Turing", "Jürgen 🎉", "Emmy Noether")
PIN = "271828"
CLOCK = SystemClock()
PULSE_S = 0.5
# Records every announcement: the page replaces the last one.
ANNOUNCED = """
  window.announced = [];
  addEventListener("DOMContentLoaded", () => {
    const feed = document.getElementById("change-feed");
    new MutationObserver(() => announced.push(feed.textContent)).observe(feed, {childList: true});
  });
"""


class Tables:
    """Sends messages of boards to the tournament without a broker."""

    def __init__(self, folder: Path, pin: str | None = None) -> None:
        results = OutboxFile(folder / "event.results", CLOCK, 1000)
        self.subscriber = TournamentSubscriber(
            EVENT, PLAYERS, "mqtt://broker.local", CLOCK, results
        )
        self.subscriber.on_connection_change("")
        self.page = TournamentPage(
            PageSettings("key", 0, pin, 740_000, None), CLOCK, self.subscriber
        )

    def send(self, kind: str, body: dict[str, Any], table: int = 1, round_: int = 1) -> None:
        self.subscriber.on_message(*sent(kind, body, table, round_), False)

    def play(self, table: int, turns: int, **more: Any) -> None:
        game = games.make("laser-chess")
        position = game.start("ace")
        for text in MOVES[:turns]:
            (player,) = game.to_move(position)
            move = game.read_move(position, player, text)
            position = game.resolve(position, {player: move}).after
        names = [PLAYERS[table % 5], PLAYERS[(table + 1) % 5]]
        at = game.write_position(position)
        body = state(table, **{"players": names, "turns": turns, "position": at, **more})
        self.send("presence", presence(), table)
        self.send("state", body, table)
        self.pulse(table)

    def pulse(self, table: int) -> None:
        clocks = {"left_ms": [272_000 - table, 45_000], "running": [0]}
        self.send("pulse", pulse(clocks=clocks), table)

    @contextmanager
    def pulsing(self, *tables: int) -> Iterator[None]:
        """Keep these boards live."""
        stop = threading.Event()

        def pulse_all() -> None:
            for table in tables:
                self.pulse(table)

        def repeat() -> None:
            while not stop.wait(PULSE_S):
                pulse_all()

        pulse_all()
        thread = threading.Thread(target=repeat)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def close(self) -> None:
        self.page.close()
        self.subscriber.close()


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    found = Tables(tmp_path)
    yield found
    found.close()


def open_page(browser: Browser, tables: Tables, width: int, height: int, scheme: str) -> Page:
    how: dict[str, Any] = {"color_scheme": scheme, "viewport": {"width": width, "height": height}}
    page = browser.new_context(**how).new_page()
    page.add_init_script(ANNOUNCED)
    page.goto(tables.page.address)
    return page


def until(page: Page, script: str, *args: str) -> None:
    """Poll the script until it returns true."""
    end = time.monotonic() + TIMEOUT_S
    while not page.evaluate(script, *args):
        assert time.monotonic() < end, (script, *args)
        page.wait_for_timeout(40)


def announces(page: Page, words: str) -> None:
    until(page, "words => announced.some(each => each.includes(words))", words)


def card(page: Page, table: int) -> Any:
    return page.get_by_role("article", name=f"Table {table}", exact=True)


def shot(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


def page_passes_axe(page: Page) -> None:
    skip_unless_installed(AXE.exists(), "axe-core")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
    assert not serious, [(each["id"], each["nodes"][0]["target"]) for each in serious]


@pytest.mark.slow
def test_boards_become_lost_recover_and_finish_on_the_page(
    tables: Tables, browser: Browser
) -> None:
    errors: list[str] = []
    tables.play(3, 0, phase="setting up", guide="set up the board: one thing to put right",
                reasons=["e5: a mirror is missing"])  # fmt: skip
    tables.play(2, 9)
    tables.play(1, 4)
    page = open_page(browser, tables, 1280, 900, "dark")
    page.on("pageerror", lambda error: errors.append(str(error)))

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    page.on("console", on_console)
    expect(page.get_by_role("heading", name=EVENT)).to_be_visible()
    # Sorted by table, not by the first message.
    expect(page.locator("article h3")).to_have_text(["Table 1", "Table 2", "Table 3"])
    expect(card(page, 3)).to_contain_text("e5: a mirror is missing")
    tables.pulse(1)
    # No more pulses. On a busy machine the board may be lost before it is seen as stale.
    for word in ("stale|lost", "lost"):
        expect(card(page, 1).locator(".word")).to_have_text(re.compile(word))
        expect(card(page, 1).locator(".age")).to_have_text(re.compile(r"heard \d+ s ago"))
    announces(page, "table 1 is lost")
    with tables.pulsing(1, 2):
        expect(card(page, 1).locator(".word")).to_have_text("live")
        expect(card(page, 1).locator(".clock").first).to_have_text(re.compile(r"▶ 4:\d\d"))
        drawn = "[...document.querySelectorAll('article img')].every(each => each.naturalWidth > 0)"
        until(page, drawn)
        image = card(page, 1).locator("img")
        assert image.get_attribute("alt") == "Laser Chess, after turn 4"
        tables.send("result", result(1, 1, players=["Grace Hopper", "Emmy Noether"]))
        announces(page, "round 1, table 1: Grace Hopper 1-0 Emmy Noether")
        expect(page.locator("#rows tr").first).to_contain_text("Grace Hopper")
        expect(page.locator("#refused")).to_have_text("")
        expect(page.locator("#summary")).to_contain_text("2 live")
        shot(page, "tournament-dark")
        page_passes_axe(page)
    assert not errors, errors
    tables.page.close()
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    expect(card(page, 2).locator(".word")).to_have_text("lost")
    page.context.close()


@pytest.mark.slow
def test_a_phone_needs_the_pin_and_has_no_sideways_scrolling(
    tmp_path: Path, browser: Browser
) -> None:
    tables = Tables(tmp_path, PIN)
    try:
        tables.play(1, 4, page="http://192.168.1.7:8137/")
        tables.play(12, 2, players=["A" * 60, "B" * 60])
        page = browser.new_context(
            viewport={"width": 320, "height": 640}, color_scheme="light"
        ).new_page()
        page.goto(f"http://127.0.0.1:{tables.page.port}/")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.get_by_label("PIN").fill("000000")
        page.keyboard.press("Enter")
        expect(page.locator("#login-error")).to_contain_text("hat is not the PIN")
        page.get_by_label("PIN").fill(PIN)
        page.keyboard.press("Enter")
        link = page.get_by_role("link", name="Open table 1", exact=True)
        expect(link).to_have_attribute("href", "http://192.168.1.7:8137/")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        shot(page, "tournament-phone")
        page_passes_axe(page)
        for _ in range(20):  # by keys alone
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == "Open table 1":
                break
        else:
            pytest.fail("the link cannot be reached with the Tab key")
        page.context.close()
    finally:
        tables.close()
