"""Games on the page with mouse, keyboard and touch, on squares and on hexagons."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from engine import games
from tests.support.web.browser import OpenPage, Start

QUICK = ("--page", "--leds", "memory://", "--second", "human")


def test_a_game_is_played_by_mouse_until_a_king_is_captured(
    start: Start, open_page: OpenPage
) -> None:
    program = start("simulate", *QUICK, "--setup", "ace")
    table = open_page(program.address)
    table.says("^blue to move")
    table.touch("c5")
    assert table.marked("chosen") == {"c5"}
    assert table.marked("target") == {"b6", "c6", "d5", "d4", "b4", "b5"}
    table.shot("picked-up")
    table.touch("b6")
    table.fire()
    expect(table.at("#board .ray")).to_have_count(1)
    table.moves("c5b6")
    table.says("^red to move")
    table.drag("e5", "e6")
    with table.sees("#board .burst"):
        table.fire()
    table.shot("king-struck")
    table.says("^blue wins")
    table.moves("c5b6", "e5e6xf8")
    expect(table.at("#questions")).to_contain_text("New game")
    expect(table.at("#board .piece")).to_have_count(25)


@pytest.mark.slow
def test_a_piece_is_rotated_and_captures_with_the_buttons_beside_it(
    start: Start, open_page: OpenPage
) -> None:
    program = start("simulate", *QUICK, "--setup", "mercury", "--clock", "5m+3s")
    table = open_page(program.address, color_scheme="light")
    table.says("^blue to move")
    expect(table.at("#seat-lower .clock")).to_have_attribute("data-runs", "yes")
    table.touch("j8")
    table.at("#popover").get_by_role("button", name="Turn right").click()
    with table.sees("#board .burst"):
        table.fire()
    table.shot("captured-light")
    table.says("^red to move")
    expect(table.at("#board .piece")).to_have_count(25)
    table.touch("a8")
    table.at("#popover").get_by_role("button", name="Turn left").click()
    table.says("press fire")
    table.at("#put-back").click()  # takes the move back
    table.says("^red to move")
    table.page.get_by_label("Type a move").fill("a8-")
    table.page.get_by_role("button", name="Move", exact=True).click()
    table.fire()
    table.says("^blue to move")
    table.drag("e1", "f2")
    table.fire()
    table.says("^red wins")
    table.moves("j8+xj3", "a8-", "e1f2xf2")


@pytest.mark.slow
def test_a_game_is_played_by_keyboard_alone(start: Start, open_page: OpenPage) -> None:
    program = start("simulate", *QUICK, "--setup", "ace")
    table = open_page(program.address)
    table.says("^blue to move")
    focused = table.page.locator(":focus")
    for _ in range(30):
        table.press("Tab")
        if focused.get_attribute("role") == "gridcell":
            break
    assert focused.get_attribute("role") == "gridcell"
    move_focus(table, "c5")
    expect(focused).to_have_attribute("aria-label", "c5, blue deflector facing south-west")
    table.press("Enter")
    expect(focused).to_have_attribute("aria-selected", "true")
    table.press("ArrowUp", "ArrowLeft")
    expect(focused).to_have_attribute("aria-label", re.compile("^b6, empty, can go here: to b6"))
    table.shot("keyboard")
    table.press("Enter")
    table.says("press fire")
    table.press("Escape")  # deselect
    table.says("^blue to move$")
    move_focus(table, "c5")
    table.press("Enter", "Enter", "Enter")  # select, deselect, select
    table.press("ArrowLeft", "ArrowUp", "Enter")
    table.says("press fire")
    table.press("Space")
    table.says("^red to move")
    expect(table.at("#live-region")).to_contain_text("Blue c5 to b6")
    move_focus(table, "e5")
    table.press("Enter", "ArrowUp", "Enter")
    table.says("press fire")
    table.press("Space")
    table.says("^blue wins")
    table.moves("c5b6", "e5e6xf8")
    expect(table.at("#live-region")).to_contain_text("Blue wins")
    table.press("?")
    expect(table.at("#help")).to_be_visible()
    table.press("Escape")
    expect(table.at("#help")).not_to_be_visible()


def move_focus(table: Any, name: str) -> None:
    """Move the focus to a square with the arrow keys."""
    for _ in range(30):
        now = table.page.evaluate("document.activeElement.dataset.cell")
        if now == name:
            return
        if now[0] != name[0]:
            table.press("ArrowRight" if now[0] < name[0] else "ArrowLeft")
        else:
            table.press("ArrowUp" if int(now[1:]) < int(name[1:]) else "ArrowDown")
    raise AssertionError(f"{name} was not reached")


def nearly_finished_position() -> str:
    """Two ships in each other's line of fire, with few hit points."""
    game = games.make("spaceships")
    reported = json.loads(game.write_position(game.start(None, 7)))
    for tile in reported["grid"]:
        if tile["coordinates"][1] == 0:  # along the middle row
            tile["terrain"] = "land"
    for player, q in zip(reported["players"], (-2, 2), strict=True):
        player["hitpoints"], player["coordinates"] = 30, [q, 0, -q]
    return json.dumps(reported, separators=(",", ":"))


@pytest.mark.slow
def test_a_game_on_hexagons_is_played_to_its_end(start: Start, open_page: OpenPage) -> None:
    board = ("--board", "hex-r5", "--position", nearly_finished_position())
    table = open_page(start("simulate", *QUICK, *board).address)
    table.says("^first and second to move")
    table.touch("d6")
    assert {"f6", "g6", "h6"} <= table.marked("aim")
    assert "e6" in table.marked("target")
    table.shot("hexagons")
    table.touch("e6")  # the target of a move, or the direction of a laser
    choice = table.at("#popover")
    expect(choice.get_by_role("button", name="To e6")).to_be_visible()
    choice.get_by_role("button", name="Fire toward e6").click()
    expect(table.at("#board .piece.pending")).to_have_count(0)
    turns = 0
    while not table.at("#sentence").inner_text().startswith(("First wins", "Second wins", "Draw")):
        turns += 1
        assert turns < 6, "no piece was captured"
        table.at("#fire").click()
        table.says("waiting for second")
        table.at("#fire").click()
        expect(table.at("#moves li")).to_have_count(turns)
        expect(table.at("#board .ray").first).to_be_attached()
        table.shot(f"hexagons-{turns}")
        table.says("wins|draw|^first and second to move")
