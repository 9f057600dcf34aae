"""The page marks stale state, explains disabled buttons, and uses the words of the game."""

from __future__ import annotations

import os
import re
import signal

import pytest
from playwright.sync_api import expect

from tests.support.web.browser import OpenPage, Start

pytestmark = pytest.mark.slow

QUICK = ("--page", "--leds", "memory://", "--second", "human")
GONE = "No connection to the table: trying again"


def test_a_lost_table_disables_every_button_with_an_accessible_reason(
    start: Start, open_page: OpenPage
) -> None:
    program = start("simulate", *QUICK, "--setup", "ace")
    table = open_page(program.address)
    table.says("^blue to move")
    fire = table.at("#fire")
    expect(fire).to_be_enabled()
    program.kill()
    expect(fire).to_be_disabled()
    expect(fire).to_have_accessible_description(f"{GONE}. What you see may be old.")
    for name in ("Hint", "Take back", "Pause", "Resign", "Move", "New game"):
        expect(table.page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    fire.focus()
    table.press("Enter")
    expect(table.at("#error-message")).to_have_text(GONE)
    table.shot("locked")


def test_a_table_that_hangs_is_reported_and_recovers(start: Start, open_page: OpenPage) -> None:
    program = start("simulate", *QUICK)
    table = open_page(program.address)
    table.says("^blue to move")
    os.kill(program.process.pid, signal.SIGSTOP)
    try:
        expect(table.at("#stale")).to_contain_text("No messages from the table")
        expect(table.at("#fire")).to_be_disabled()
    finally:
        os.kill(program.process.pid, signal.SIGCONT)
    expect(table.at("#stale")).to_be_hidden()
    expect(table.at("#fire")).to_be_enabled()
    expect(table.at("#open-new")).to_have_attribute("title", "New game")


def test_presentation_marks_stale_state(start: Start, open_page: OpenPage) -> None:
    program = start("simulate", *QUICK, "--setup", "ace")
    table = open_page(program.address, width=1920, height=1080)
    table.says("^blue to move")
    table.page.get_by_role("button", name="Camera", exact=True).click()
    table.page.get_by_role("button", name="Show", exact=True).click()
    expect(
        table.at("#board")
    ).to_be_visible()  # presentation shows only board and beam, not the camera
    expect(table.at("#pane-camera")).to_be_hidden()
    expect(table.at("#stale")).to_be_hidden()
    program.kill()
    expect(table.at("#stale")).to_be_in_viewport()
    expect(table.at("#stale")).to_contain_text("may be old")
    table.shot("show-stale")


def test_fire_is_disabled_during_set_up_with_the_reason(start: Start, open_page: OpenPage) -> None:
    table = open_page(
        start("simulate", *QUICK, "--setup", "ace", "--initial-position", "curiosity").address
    )
    table.says("16 things to put right")
    fire = table.at("#fire")
    expect(fire).to_be_disabled()
    expect(fire).to_have_accessible_description("Set up the board: 16 things to put right")
    reasons = table.at("#reasons")
    expect(reasons.locator("li")).to_have_count(16)
    expect(reasons).to_have_class("many more")  # fades out, because more are below
    reasons.evaluate("each => each.scrollTo(0, 9999)")
    expect(reasons).to_have_class("many")
    table.shot("many-reasons")
    table.at("#reset-pieces").click()
    table.says("^blue to move")
    expect(fire).to_be_enabled()
    expect(fire).to_have_accessible_description("")


@pytest.mark.parametrize("board", ["demo-10x8", "photon-10x10", "hex-r5"])
def test_the_help_for_typing_shows_moves_of_this_game(
    start: Start, open_page: OpenPage, board: str
) -> None:
    table = open_page(start("simulate", *QUICK, "--board", board).address)
    table.says("to move")
    box = table.page.get_by_label("Type a move")
    reported = (box.get_attribute("placeholder") or "").removeprefix("type ").split(", ")
    aimed = board == "hex-r5"
    assert len(reported) == (3 if aimed else 2)
    for text in reported:
        box.fill(text)
        table.page.get_by_role("button", name="Move", exact=True).click()
        expect(box).to_have_value("")  # accepted
        # A rotated ship keeps its cell, so no cell is marked before it fires.
        changed = [] if aimed and re.search("[+!]", text) else re.findall("[a-z][0-9]+", text)
        expect(table.at("#board .last-cell")).to_have_count(len(changed))
        for cell in changed:
            expect(table.at(f'#board .last-cell[data-cell="{cell}"]')).to_have_count(1)


def test_an_error_disappears_with_the_next_action(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", *QUICK, "--setup", "ace").address)
    table.says("^blue to move")
    # Disables timeouts above 2 s, one of which would hide the error.
    table.page.evaluate(
        """() => {
          const later = window.setTimeout;
          window.setTimeout = (act, ms, ...args) => ms > 2000 ? 0 : later(act, ms, ...args);
        }"""
    )
    table.touch("a1")
    expect(table.at("#error-message")).to_have_class("shown")
    expect(table.at("#error-message")).to_have_text("a1 is empty: choose a piece of blue")
    table.touch("j4")
    expect(table.at("#error-message")).to_have_class("")
    # The live region keeps the error.
    expect(table.at("#live-region")).to_contain_text("a1 is empty")


def test_a_paused_game_resumes_with_the_button_below_the_headline(
    start: Start, open_page: OpenPage
) -> None:
    table = open_page(start("simulate", *QUICK, "--setup", "ace").address)
    table.says("^blue to move")
    table.page.get_by_role("button", name="Pause").click()
    table.says("^paused")
    expect(table.at("#fire")).to_be_disabled()
    table.at("#questions").get_by_role("button", name="Continue").click()
    table.says("^blue to move")
    expect(table.at("#questions")).to_be_empty()


def test_the_overlay_draws_the_reading_and_marks_an_old_picture(
    start: Start, open_page: OpenPage
) -> None:
    # Causes many sentences above the picture.
    wrong = ("--setup", "ace", "--initial-position", "curiosity")
    table = open_page(start("simulate", *QUICK, *wrong).address, height=720)
    table.says("16 things to put right")
    page = table.page
    page.get_by_role("button", name="Camera", exact=True).click()
    expect(table.at("#camera-age")).to_have_text("live")
    table.until("document.getElementById('camera-picture').naturalWidth > 300")
    picture, dock = table.at("#camera-picture").bounding_box(), table.at("#dock").bounding_box()
    assert picture is not None
    assert dock is not None
    assert picture["height"] > 150
    assert picture["y"] + picture["height"] <= dock["y"], "it covers what is below"
    seen = """async query => {
      const answer = await fetch("camera.jpg" + query, {cache: "no-store"});
      const bitmap = await createImageBitmap(await answer.blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
      const {data} = canvas.getContext("2d").getImageData(0, 0, bitmap.width, bitmap.height);
      let green = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 1] > data[i] + 60 && data[i + 1] > data[i + 2] + 60) green += 1;
      }
      return green;
    }"""
    drawn, bare = page.evaluate(seen, "?overlay=1"), page.evaluate(seen, "")
    assert drawn > 500 > 5 * bare  # the corners that were found have green edges
    table.at("#reset-pieces").click()
    table.says("^blue to move")
    table.at("#rough summary").click()
    page.get_by_role("button", name="The camera is unplugged").click()
    table.says("paused")
    expect(table.at("#camera-age")).to_contain_text("an old image")
    expect(table.at("#questions").get_by_role("button", name="Continue")).to_have_count(0)
    table.shot("camera-old")
    page.get_by_role("button", name="The camera is plugged in").click()
    table.says("^blue to move")
    expect(table.at("#camera-age")).to_have_text("live")
