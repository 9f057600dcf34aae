"""A game that was played is analysed on the page: seen, by keys, on a phone, by everybody."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.browsing import Table
from tests.e2e.conftest import Look, Start

QUICK = ("--page", "--leds", "memory://")


def over(start: Start, look: Look) -> Table:
    """Two turns, in which red strikes the own king, and then a look at them again."""
    table = look(start("simulate", *QUICK, "--setup", "ace").address)
    for source, target in (("c5", "b6"), ("e5", "e6")):
        table.says("^(blue|red) to move")
        table.drag(source, target)
        table.fire()
    table.says("^blue wins")
    return table


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_mistakes_are_found_marked_and_shown_with_what_was_better(
    start: Start, look: Look, theme: str
) -> None:
    table = over(start, look)
    page = table.page
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.get_by_role("button", name="Look at it again").click()
    expect(table.at("#replay-board .piece")).to_have_count(26)
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(table.at("#analysis-summary li")).to_have_count(2)
    expect(table.at("#analysis-stop")).to_be_hidden()
    expect(table.at("#replay-moves .verdict").last).to_have_text("??")
    graph = table.at("#analysis-graph")
    expect(graph.locator(".fault").last).to_have_attribute("data-verdict", "blunder")
    # To the last turn by a press on the graph, and back by its keys.
    box = graph.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    expect(table.at("#replay-number")).to_have_text("2 / 2")
    expect(table.at("#analysis-verdict")).to_have_text("Blunder")
    expect(table.at("#analysis-remark")).to_contain_text("Better ")
    expect(table.at("#replay-board .mark.better").first).to_be_attached()
    table.shot(f"analysis-{theme}")
    page.get_by_role("button", name="Show the better move").click()
    expect(table.at("#replay-board .ray")).to_have_count(1)
    graph.focus()
    table.press("ArrowLeft")
    expect(table.at("#replay-number")).to_have_text("1 / 2")
    expect(graph).to_have_attribute("aria-valuetext", re.compile("^turn 1, .*, "))
    table.press("Home")
    expect(table.at("#analysis-turn")).to_be_hidden()
    table.axe("analysis")
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_role("button", name="Next mistake").click()
    table.axe("analysis on a phone")
    table.shot(f"analysis-phone-{theme}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.slow
def test_there_is_no_help_from_the_computer_during_a_game(start: Start, look: Look) -> None:
    table = over(start, look)
    page = table.page
    page.get_by_role("button", name="New game").first.click()
    page.get_by_role("button", name="Begin").click()
    table.says("^blue to move")
    table.drag("c5", "b6")
    table.fire()
    table.says("^red to move")
    page.get_by_role("button", name="Replay", exact=True).click()
    table.at("#games-list button").last.click()
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(table.at("#analysis-state")).to_contain_text("A game is being played here")
    expect(table.at("#analysis-graph")).to_be_hidden()
    table.troubles.clear()  # a browser writes every refusal down
