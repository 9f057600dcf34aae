"""The page analyses a finished game: mouse, keyboard, phone, and pages without a role."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.computer.analysis import analysis_json, annotation_json
from controller.session.journal import recover
from controller.session.replay import game_record, replay
from controller.storage.games import games_folder
from engine.analysis import analyse, make_searcher, summarise_players
from engine.search import never_stop
from engine.strict_json import write
from tests.support.play.stored_games import store_game
from tests.support.web.browser import OpenPage, Start, Table

QUICK = ("--page", "--leds", "memory://", "--second", "human")


def over(start: Start, open_page: OpenPage) -> Table:
    """A replay of two turns, in the second of which Red captures the own king."""
    table = open_page(start("simulate", *QUICK, "--setup", "ace").address)
    for source, target in (("c5", "b6"), ("e5", "e6")):
        table.says("^(blue|red) to move")
        table.drag(source, target)
        table.fire()
    table.says("^blue wins")
    return table


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_mistakes_are_marked_and_shown_with_the_better_move(
    start: Start, open_page: OpenPage, theme: str
) -> None:
    table = over(start, open_page)
    page = table.page
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.get_by_role("button", name="Replay this game").click()
    expect(table.at("#replay-board .piece")).to_have_count(26)
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(table.at("#analysis-summary li")).to_have_count(2)
    expect(table.at("#analysis-stop")).to_be_hidden()
    expect(table.at("#replay-moves .verdict").last).to_have_text("??")
    graph = table.at("#analysis-graph")
    expect(graph.locator(".fault").last).to_have_attribute("data-verdict", "blunder")
    # A click on the graph shows the last turn; its keys go back.
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


def analysis_body(name: str, depth: int = 3) -> str:
    """The finished analysis of a stored game as JSON for the page, searched at a low depth."""
    path = games_folder() / f"{name}.journal"
    kept = game_record(replay(recover(path.read_bytes()).entries))
    game, turns = kept.rules(), len(kept.turns)
    found = list(analyse(kept, make_searcher(game, lambda _: never_stop), depth))
    reported = analysis_json(game, found, summarise_players(found))
    for each, annotation in zip(reported["turns"], found, strict=True):
        each |= annotation_json(game, annotation, for_page=True)
    status = {"state": "done", "sentence": None, "evaluated": turns, "total": turns}
    return write(status | reported)


@pytest.fixture
def long_game(
    start: Start, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Table:
    """The replay of an analysed game of thirty random turns, at its beginning."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    name = store_game("laser-chess", 30)
    body = analysis_body(name)
    address = start("simulate", *QUICK).address
    table = open_page(address)
    table.page.route(
        f"**/games/{name}/analysis.json*",
        lambda route: route.fulfill(body=body, content_type="application/json"),
    )
    table.page.goto(f"{address.partition('#')[0]}#game={name}&turn=0")
    expect(table.at("#analysis-summary li")).to_have_count(2)
    return table


IN_SIGHT = """(() => {
  const list = document.getElementById("replay-moves").getBoundingClientRect();
  const now = document.querySelector("#replay-moves [aria-current]").getBoundingClientRect();
  return now.top >= list.top - 1 && now.bottom <= list.bottom + 1;
})()"""
# The layout fits the current size and cuts off no text.
UNCUT = """(() => {
  const graph = document.getElementById("analysis-graph");
  const now = `0 0 ${graph.clientWidth} ${graph.clientHeight}`;
  const frame = graph.getBoundingClientRect();
  const parts = [...graph.querySelectorAll(".fault, text")];
  return graph.getAttribute("viewBox") === now && parts.length > 10
    && parts.map(each => each.getBoundingClientRect()).every(each =>
      frame.left < each.left && each.right < frame.right
      && frame.top < each.top && each.bottom < frame.bottom);
})()"""


def resized(table: Table, width: int, height: int) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.until(f"innerWidth == {width} && innerHeight == {height}")


@pytest.mark.slow
def test_the_selected_turn_stays_visible_when_other_parts_grow(long_game: Table) -> None:
    page = long_game.page
    for which in ("Next", "Previous"):
        long_game.at("#analysis-graph").press("Home")
        expect(long_game.at("#analysis-turn")).to_be_hidden()
        page.get_by_role("button", name=f"{which} mistake").click()
        expect(
            long_game.at("#analysis-turn")
        ).to_be_visible()  # now the parts have their final size
        long_game.until(IN_SIGHT)
    for width, height in ((1280, 560), (390, 844), (1280, 800)):
        resized(long_game, width, height)
        long_game.until(IN_SIGHT)


@pytest.mark.slow
def test_keys_select_the_next_and_previous_mistake_and_skip_inaccuracies(long_game: Table) -> None:
    page, stops = long_game.page, []
    for _ in range(4):
        page.get_by_role("button", name="Next mistake").click()
        expect(long_game.at("#analysis-verdict")).to_have_text(re.compile("Mistake|Blunder|Missed"))
        stops.append(long_game.at("#replay-number").inner_text())
    assert stops == sorted(set(stops), key=lambda each: int(each.split()[0]))
    page.get_by_role("button", name="Previous mistake").click()
    expect(long_game.at("#replay-number")).to_have_text(stops[-2])


@pytest.mark.slow
def test_the_better_move_has_a_headline_and_a_button_to_return(long_game: Table) -> None:
    page, headline = long_game.page, long_game.at("#replay-words")
    page.get_by_role("button", name="Next mistake").click()
    played = headline.inner_text()
    page.get_by_role("button", name="Show the better move").click()
    expect(headline).to_have_text(re.compile(r"^Better: (blue|red) "))
    page.get_by_role("button", name="Back to the move played").click()
    expect(headline).to_have_text(played)
    page.get_by_role("button", name="Show the better move").click()
    page.get_by_role("button", name="One turn on").click()
    expect(headline).not_to_have_text(re.compile("^Better"))


@pytest.mark.slow
def test_the_graph_names_the_leading_side_and_shows_every_mark(long_game: Table) -> None:
    graph = long_game.at("#analysis-graph")
    expect(graph.locator(".ahead")).to_have_text(["Blue ahead", "Red ahead"])
    expect(graph.get_by_text("+3", exact=True)).to_be_visible()
    for width, height in ((1280, 800), (390, 844), (320, 640)):
        resized(long_game, width, height)
        long_game.until(UNCUT)
        long_game.shot(f"graph-{width}")


@pytest.mark.slow
def test_a_game_that_cannot_be_analysed_has_no_analysis_button(
    start: Start, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    name, other = store_game("spaceships", 3), store_game("laser-chess", 3)
    address = start("simulate", *QUICK).address
    table = open_page(address)
    for each, offered in ((name, False), (other, True)):
        table.page.evaluate(f"location.hash = 'game={each}&turn=1'")
        expect(table.at("#replay-number")).to_have_text("1 / 3")
        expect(table.at("#analysis-start")).to_be_visible(visible=offered)


@pytest.mark.slow
def test_a_replay_opened_again_is_fetched_once_and_can_be_analysed(
    start: Start, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    name = store_game("laser-chess", 3)
    table = open_page(start("simulate", *QUICK).address)
    page, fetched = table.page, []
    page.on("request", lambda each: fetched.append(each.url) if "game.json" in each.url else None)
    again = "dispatchEvent(new Event('hashchange'))"
    page.evaluate(f"location.hash = 'game={name}&turn=1'; {again}; {again}")
    expect(table.at("#replay-number")).to_have_text("1 / 3")
    table.at("#replay-leave").click()
    page.go_back()
    expect(table.at("#replay-number")).to_be_visible()
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(table.at("#analysis-state")).not_to_be_empty()
    assert len(fetched) == 1


@pytest.mark.slow
def test_no_analysis_is_available_during_a_game(start: Start, open_page: OpenPage) -> None:
    table = over(start, open_page)
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
    table.errors.clear()  # the browser logs every refused request
