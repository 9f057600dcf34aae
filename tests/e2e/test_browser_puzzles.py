"""A puzzle on the page: a wrong move, hints, the solution, the next puzzle."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from controller.table.puzzle_series import numbered_puzzles
from engine.game import AnyGame
from tests.support.web.browser import OpenPage, Start

NUMBER, PUZZLE = next(
    (number, puzzle)
    for number, puzzle in numbered_puzzles(1)
    if puzzle.rules.record_form == "text"
    and "+" not in puzzle.line[0]
    and "u" not in puzzle.line[0]
)


def _wrong_move(game: AnyGame) -> str:
    """A move that captures no king."""
    for turn in game.turns(PUZZLE.start_position):
        text = game.write_move(PUZZLE.start_position, PUZZLE.solver, turn.moves[0][1])
        if not turn.losses and len(text) == 4 and "u" not in text:
            return text
    raise AssertionError("every step takes something")


@pytest.mark.slow
def test_a_puzzle_has_hints_is_solved_and_followed_by_the_next(
    start: Start, open_page: OpenPage
) -> None:
    program = start("puzzles", "play", str(NUMBER), "--simulate", "--page", "--leds", "memory://")
    table = open_page(program.address)
    side = PUZZLE.rules.players[PUZZLE.solver]
    table.says(f"^{side} to move: capture .* king this turn")
    expect(table.at("#title")).to_have_text(f"Laser Chess · puzzle {NUMBER}")
    table.shot("puzzle")
    wrong = _wrong_move(PUZZLE.rules)
    table.touch(wrong[:2])
    table.touch(wrong[2:])
    table.fire()
    expect(table.at("#messages")).to_contain_text("That was not the move")
    table.says(f"^{side} to move: capture")
    table.at("#ask-hint").click()
    table.says(f"hint: the .* on {PUZZLE.line[0][:2]}")
    assert table.marked("hint") == {PUZZLE.line[0][:2]}
    table.shot("puzzle-hint")
    table.at("#ask-hint").click()
    table.says(f"hint: {side} {PUZZLE.line[0][:2]} to {PUZZLE.line[0][2:4]}")
    table.touch(PUZZLE.line[0][:2])
    table.touch(PUZZLE.line[0][2:4])
    table.fire()
    table.says(f"^puzzle {NUMBER} is solved, at the 2nd try: well done!")
    table.shot("puzzle-solved")
    table.at("#questions").get_by_role("button", name="Next puzzle").click()
    expect(table.at("#title")).to_have_text(f"Laser Chess · puzzle {NUMBER + 1}")


@pytest.mark.slow
def test_a_wrong_first_move_is_reported_at_once_and_taken_back(
    start: Start, open_page: OpenPage
) -> None:
    program = start("puzzles", "play", "101", "--simulate", "--page", "--leds", "memory://")
    table = open_page(program.address)
    table.says("^blue to move: capture red's king in 2 turns")
    table.touch("h6")
    table.touch("h7")
    table.fire()
    table.says("^the first move does not win in time: take back, and try another$")
    table.at("#ask-hint").click()
    expect(table.at("#error-message.shown")).to_have_text(
        re.compile("^The first move does not win")
    )
    table.shot("puzzle-astray")
    table.page.set_viewport_size({"width": 390, "height": 844})
    table.shot("puzzle-astray-phone")
    table.at("#questions").get_by_role("button", name="Take back").click()
    table.says("^blue to move: capture red's king in 2 turns")
    expect(table.at("#questions button")).to_have_count(0)


@pytest.mark.slow
def test_a_puzzle_that_is_given_up_shows_its_solution(start: Start, open_page: OpenPage) -> None:
    program = start("puzzles", "play", "101", "--simulate", "--page", "--leds", "memory://")
    table = open_page(program.address)
    table.says("^blue to move: capture")
    for draw in ("Offer draw", "Claim draw"):
        expect(table.page.get_by_role("button", name=draw)).to_be_hidden()
    table.at("#requests").get_by_role("button", name="Give up").click()
    expect(table.at("#resign")).to_contain_text("Give up puzzle 101?")
    table.shot("puzzle-give-up")
    table.at("#resign").get_by_role("button", name="Give up").click()
    table.says("^puzzle 101 is left unsolved; this is its solution")
    expect(table.at("#reasons li")).to_have_text(
        ["Blue j1 turns left", "Red c8 turns right", re.compile("^Blue c2 to c1 · c8 captured")]
    )
    assert table.marked("hint") == {"j1"}
    table.shot("puzzle-given-up")
    table.page.set_viewport_size({"width": 390, "height": 844})
    title = table.at("#title")
    for part in (title, title.locator(".which")):
        assert part.evaluate("each => each.scrollWidth <= each.clientWidth"), "cut off"
    expect(title.locator(".which")).to_have_text("puzzle 101")
    table.page.wait_for_timeout(400)
    table.shot("puzzle-given-up-phone")
