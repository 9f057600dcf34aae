"""The page of a table: set-up, faults, power cuts, small screens, accessibility, spectators."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.ui.web import sentences
from engine.sentences import sentence_json
from tests.support.tournament.recording_broker import own_port
from tests.support.web.browser import OpenPage, Start, Table

pytestmark = pytest.mark.slow

QUICK = ("--page", "--leds", "memory://", "--second", "human")
# The set-up ace, but h5 is turned half round, and the piece of h2 stands on i2.
WRONG = "l++3d++kd++b+++2/2b7/3B+6/b++1B1ss+1b+1B+/b+++1B+1S+S1b++1B/6b+++3/8B++1/2B+DKD3L b"


def test_wrong_squares_are_named_and_corrected_by_dragging(
    start: Start, open_page: OpenPage
) -> None:
    table = open_page(
        start("simulate", *QUICK, "--setup", "ace", "--initial-position", WRONG).address
    )
    table.says("^set up the board: 3 things to put right")
    expect(table.at("#reasons li")).to_have_count(3)
    for square in ("h2", "i2", "h5"):
        expect(table.at("#reasons")).to_contain_text(f"{square}: ")
    assert table.marked("missing") == {"h2"}
    assert table.marked("extra") == {"i2"}
    assert table.marked("wrong-way") == {"h5"}
    expect(table.cell("h5")).to_have_attribute("aria-label", re.compile("turned half round"))
    table.shot("set-up")
    table.drag("i2", "h2", off=(6, 9))  # off the middle: the page corrects it
    table.says("one thing to put right")
    table.touch("h5")
    right = table.at("#popover").get_by_role("button", name="Turn right")
    right.click()
    table.says("one thing to put right")
    expect(table.at("#reasons")).to_contain_text("turned a quarter")
    right.click()
    table.says("^blue to move")
    assert not table.marked("missing") | table.marked("extra") | table.marked("wrong-way")


def test_crooked_pieces_and_a_pulled_cable_are_reported(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", "--page", "--red", "human").address)
    table.says("^blue to move")
    table.at("#rough summary").click()
    table.page.get_by_label("Rough hands").check()
    table.drag("c7", "d7", off=(14, 10))  # crooked, between squares
    table.says("put right")
    expect(table.at("#reasons")).to_contain_text("c7: ")
    table.shot("rough-hands")
    table.at("#rough-reset").click()
    table.says("^blue to move")
    table.page.get_by_label("Rough hands").uncheck()
    table.page.get_by_role("button", name="Hold a hand over a square").click()
    table.touch("e3")
    table.page.get_by_role("button", name="Take the hand away").click()
    table.says("^blue to move")
    table.page.get_by_role("button", name="The LED cable is pulled").click()
    table.says("paused")
    expect(table.at("#reasons")).to_contain_text("LED")
    table.shot("cable-pulled")
    table.page.get_by_role("button", name="The LED cable is plugged in").click()
    table.says("^blue to move")
    table.page.get_by_role("button", name="A lamp shines on").click()
    table.touch("e3")
    expect(table.at("#faults [aria-pressed=true]")).to_have_count(0)
    table.page.get_by_role("button", name="All lamps are gone").click()
    table.says("^blue to move")


def test_the_page_reports_a_killed_table_and_reconnects(start: Start, open_page: OpenPage) -> None:
    port = str(own_port())  # for both programs
    program = start("simulate", *QUICK, "--setup", "ace", "--port", port)
    table = open_page(program.address)
    table.says("^blue to move")
    expect(table.at("#stale")).to_be_hidden()
    table.touch("j4")
    table.touch("j3")
    table.fire()
    table.says("^red to move")
    program.kill()
    expect(table.at("#stale")).to_be_visible()
    expect(table.at("#stale")).to_contain_text("may be old")
    table.shot("stale")
    start("resume", "--page", "--port", port)
    expect(table.at("#stale")).to_be_hidden()
    table.moves("j4j3")
    table.says("^red to move")
    table.touch("c7")
    table.touch("c6")
    table.fire()
    table.moves("j4j3", "c7c6")


@pytest.mark.parametrize("board", ["demo-10x8", "photon-10x10", "hex-r5"])
def test_a_phone_can_play(start: Start, open_page: OpenPage, board: str) -> None:
    program = start("simulate", *QUICK, "--board", board)
    how = {"device_scale_factor": 2, "has_touch": True, "is_mobile": True}
    table = open_page(program.address, width=320, height=640, **how)
    table.says("to move")
    page = table.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    own = table.at("#board .touch.own").first
    name = own.get_attribute("data-cell") or ""
    own.tap()
    expect(table.at("#board .mark.chosen")).to_have_count(1)
    table.shot(f"phone-{board}")
    for button in table.at("#popover button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
    goals = table.marked("target")
    bar = table.at("#popover").bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}
    for goal in goals:  # the popover covers no target
        x, y = table.middle(goal)
        inside = bar["x"] < x < bar["x"] + bar["width"] and bar["y"] < y < bar["y"] + bar["height"]
        assert not inside, f"{goal} is covered"
    table.cell(sorted(goals)[0]).tap()
    if table.at("#popover").is_visible():
        table.at("#popover button").first.tap()
    expect(table.at(f'#board .last-cell[data-cell="{name}"]')).to_have_count(1)
    page.get_by_role("button", name="More").tap()
    expect(table.at("#panel")).to_be_visible()
    expect(table.at("#ask-hint")).to_be_in_viewport()
    table.shot(f"phone-sheet-{board}")
    page.get_by_role("button", name="More").tap()
    table.at("#fire").tap()
    if board == "hex-r5":
        table.says("^waiting for second")
    else:
        expect(table.at("#moves li")).to_have_count(1)


def test_the_camera_and_the_leds_are_shown(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", "--page", "--red", "human", "--setup", "ace").address)
    table.says("^blue to move")
    table.page.get_by_role("button", name="Camera", exact=True).click()
    picture = table.at("#camera-picture")
    expect(picture).to_be_visible()
    expect(table.at("#camera-age")).to_have_text("live")
    wide = "document.getElementById('camera-picture').naturalWidth"
    table.until(f"{wide} > 300")
    table.shot("camera")
    table.page.get_by_role("button", name="Light", exact=True).click()
    expect(table.at("#light-words")).to_have_text(re.compile("of 80 lights are on"))
    table.page.get_by_label("Type a move").fill("j4j3")
    table.page.get_by_role("button", name="Move", exact=True).click()
    with table.sees('.led.lit[transform="translate(950 650)"]'):  # a cell on the path of the beam
        table.fire()
    table.shot("light")


def test_the_reason_for_a_missing_camera_image_is_shown(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", *QUICK).address)
    table.says("^blue to move")
    body = json.dumps({"error": sentence_json(sentences.NO_CAMERA_IMAGE())})
    table.page.evaluate(
        "body => { window.fetch = async () => new Response(body, {status: 503}); }", body
    )
    table.page.get_by_role("button", name="Camera", exact=True).click()
    expect(table.at("#camera-age")).to_have_text(str(sentences.NO_CAMERA_IMAGE()))


def test_the_page_starts_another_game(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", *QUICK).address)
    table.says("^blue to move")
    table.page.get_by_role("button", name="New game").first.click()
    dialog = table.at("#new")
    expect(dialog).to_be_visible()
    table.shot("new-game")
    dialog.get_by_role("radio", name="Spaceships").check()
    expect(dialog.get_by_label("Seed of the world")).to_be_visible()
    dialog.get_by_role("radio", name="Photon").check()
    expect(dialog.get_by_label("Seed of the world")).not_to_be_visible()
    dialog.get_by_role("group", name="Red").get_by_label("Name").fill("Ada")
    blue = dialog.get_by_role("group", name="Blue")
    blue.get_by_label("Who").select_option("computer:2")
    dialog.get_by_label("Clock").select_option("5m+3s")
    dialog.get_by_role("button", name="Begin").click()
    expect(table.at("#title")).to_have_text("Photon")
    table.says("^red to move")
    expect(table.at("#seat-upper")).to_contain_text("Ada")
    expect(table.at("#seat-lower")).to_contain_text("computer, level 2")
    table.touch("d8")
    table.at("#popover").get_by_role("button", name="Turn right").click()
    with table.sees("#board .end.annihilate", None):
        table.fire()
    table.shot("annihilated")
    expect(table.at("#moves li")).to_have_count(2)  # the computer answers
    table.says("^red to move")
    table.page.get_by_role("button", name="Hint").click()
    expect(table.at("#board .mark.hint").first).to_be_attached()


def open_finished_game(start: Start, open_page: OpenPage) -> Table:
    """The page of a table after a finished game."""
    table = open_page(start("simulate", *QUICK, "--setup", "ace").address)
    table.says("^blue to move")
    for side, text in (("blue", "c5b6"), ("red", "e5e6")):
        table.says(f"^{side} to move")
        table.page.get_by_label("Type a move").fill(text)
        table.page.get_by_role("button", name="Move", exact=True).click()
        table.fire()
        expect(table.at("#moves .text").last).to_have_text(re.compile(text))
    table.says("^blue wins")
    return table


def test_a_game_is_replayed_shared_and_downloaded(
    start: Start, open_page: OpenPage, tmp_path: Path
) -> None:
    table = open_finished_game(start, open_page)
    page = table.page
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(table.at("#games-list button")).to_have_count(1)
    table.shot("games")
    table.at("#games-list button").first.click()
    words = table.at("#replay-words")
    expect(words).to_have_text("The beginning.")
    page.get_by_role("button", name="One turn on").click()
    expect(table.at("#replay-board .ray")).to_have_count(1)
    expect(words).to_contain_text("Blue c5 to b6")
    expect(page).to_have_url(re.compile("turn=1$"))
    with table.sees("#replay-board .burst"):
        page.get_by_role("button", name="One turn on").click()
    table.shot("replay")
    expect(words).to_contain_text("blue wins")
    expect(table.at("#replay-board .piece")).to_have_count(25)
    page.get_by_role("button", name="The beginning").click()
    expect(table.at("#replay-board .piece")).to_have_count(26)
    page.get_by_role("button", name="Play", exact=True).click()  # plays to the end
    expect(table.at("#replay-number")).to_have_text("2 / 2")
    expect(table.at("#replay-play")).to_have_attribute("aria-pressed", "false")
    page.locator("#replay-moves button").first.click()
    expect(table.at("#replay-number")).to_have_text("1 / 2")
    for name, begins in (("Record", "["), ("Record as JSON", "{"), ("Picture (SVG)", "<svg")):
        with page.expect_download() as got:
            page.get_by_role("link", name=name, exact=True).click()
        kept = tmp_path / "kept"
        got.value.save_as(kept)
        assert kept.read_text("utf-8").startswith(begins), name
    another = page.context.new_page()
    another.goto(page.url)  # a shared link
    expect(another.locator("#replay-words")).to_contain_text("Blue c5 to b6")
    expect(another.locator("#replay-number")).to_have_text("1 / 2")
    another.close()
    page.get_by_role("button", name="Back to the table").click()
    table.says("^blue wins")


def test_presentation_shows_only_the_board_and_its_light(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", *QUICK, "--setup", "ace").address)
    table.says("^blue to move")
    page = table.page
    page.get_by_role("button", name="Show", exact=True).click()
    expect(table.at("#panel")).not_to_be_visible()
    expect(table.at("#top")).not_to_be_visible()
    expect(table.at("#guide")).not_to_be_visible()
    table.until("document.getElementById('board').clientHeight == innerHeight")
    table.touch("j4")
    table.touch("j3")
    table.until("document.getElementById('sentence').textContent.includes('press fire')")
    table.cell("j3").focus()
    table.press("Space")
    expect(table.at("#board .ray")).to_have_count(1)
    table.until("document.querySelectorAll('#board .gleam').length == 2")
    table.shot("show")
    page.get_by_role("button", name="Light only").click()
    expect(table.at("#board .tiles")).to_have_css("visibility", "hidden")
    expect(table.at("#board .pieces")).to_have_css("visibility", "hidden")
    page.get_by_role("button", name="Fit to the paper").click()
    corner = page.get_by_role("button", name="upper left corner")
    corner.focus()
    for _ in range(6):
        table.press("Shift+ArrowRight")
    corner_at = """field => {
      const matrix = new DOMMatrix(getComputedStyle(field).transform);
      const at = matrix.transformPoint(new DOMPoint(0, 0));
      return [at.x / at.w, at.y / at.w].map(Math.round);
    }"""
    assert table.at("#field").evaluate(corner_at) == [60, 0]
    table.shot("show-fitted")
    page.get_by_role("button", name="Reset corners").click()
    assert table.at("#field").evaluate(corner_at) == [0, 0]
    page.get_by_role("button", name="Leave").click()
    expect(table.at("#panel")).to_be_visible()


def test_the_rules_have_their_own_page(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", *QUICK, "--board", "photon-10x10").address)
    table.says("^red to move")
    table.at("#open-help").click()
    table.shot("help")
    with table.page.context.expect_page() as opened:
        table.page.get_by_role("link", name="The rules on one page").click()
    rules = opened.value
    expect(rules.locator("svg text", has_text="Photon").first).to_be_visible()
    expect(rules.locator("svg .strike[data-kind=mirror]")).to_have_count(4)
    expect(rules.locator("svg .strike[data-kind=mirror] .burst")).to_have_count(2)


def test_reduced_motion_stops_animations(start: Start, open_page: OpenPage) -> None:
    program = start("simulate", *QUICK, "--setup", "ace")
    table = open_page(program.address, reduced_motion="reduce")
    table.says("^blue to move")
    table.touch("c5")
    table.touch("b6")
    table.says("press fire")
    # The board may not change between the first and the last picture of a beam.
    table.page.evaluate(
        """() => {
          window.seen = new Set();
          new MutationObserver(() => {
            for (const ray of document.querySelectorAll("#board .ray")) {
              window.seen.add(ray.getAttribute("points"));
            }
          }).observe(
            document.getElementById("board"),
            {subtree: true, childList: true, attributes: true},
          );
        }"""
    )
    table.at("#fire").click()
    table.moves("c5b6")
    expect(table.at("#board .ray")).to_have_count(1)
    running = "document.getAnimations().filter(each => each.playState == 'running').length"
    assert table.page.evaluate(running) == 0
    table.says("^red to move")
    assert table.page.evaluate("[...seen].filter(Boolean).length") == 1


def test_events_are_spoken_if_speech_is_on(start: Start, open_page: OpenPage) -> None:
    table = open_page(start("simulate", *QUICK, "--setup", "ace").address)
    table.page.evaluate(
        "() => { window.spoken = []; speechSynthesis.speak = (each) => spoken.push(each.text); }"
    )
    table.says("^blue to move")
    table.page.get_by_label("Type a move").fill("j4j3")
    table.page.get_by_role("button", name="Move", exact=True).click()
    table.says("press fire")
    assert table.page.evaluate("spoken") == []  # off by default
    table.page.get_by_role("button", name="Settings").click()
    table.page.get_by_label("Say every event aloud").check()
    table.shot("settings")
    table.press("Escape")
    table.at("#fire").click()
    table.until("spoken.includes('Blue j4 to j3')")
    table.until("spoken.includes('Red to move')")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_page_passes_axe(start: Start, open_page: OpenPage, theme: str) -> None:
    table = open_page(start("simulate", *QUICK, "--clock", "5m+3s").address, color_scheme=theme)
    page = table.page
    table.says("^blue to move")
    table.axe("board")
    table.touch("h2")
    table.axe("picked up")
    table.press("Escape")
    table.at("#rough summary").click()
    table.at("#log summary").click()
    table.axe("rough hands")
    page.get_by_label("Rough hands").check()
    table.drag("c7", "d7")
    table.says("put right")
    table.axe("wrong squares")
    table.at("#rough-reset").click()
    table.says("^blue to move")
    for view in ("Camera", "Light", "Board"):
        page.get_by_role("button", name=view, exact=True).click()
        table.axe(view)
    for name, dialog in (("New game", "new"), ("Settings", "settings"), ("Help", "help")):
        page.get_by_role("button", name=name, exact=True).click()
        expect(table.at(f"#{dialog}")).to_be_visible()
        table.axe(name)
        table.press("Escape")
    page.get_by_role("button", name="Resign").click()
    table.axe("resign?")
    table.at("#resign-yes").click()
    table.says("^red wins")
    table.axe("over")
    page.get_by_role("button", name="Replay", exact=True).click()
    table.axe("games")
    table.press("Escape")
    page.get_by_role("button", name="Show", exact=True).click()
    table.at("#show-leave").focus()  # the buttons are visible while one of them has the focus
    expect(table.at("#show-bar")).to_have_css("opacity", "1")
    table.axe("show")
    page.get_by_role("button", name="Leave").click()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_replay_and_phone_layout_pass_axe(start: Start, open_page: OpenPage, theme: str) -> None:
    table = open_finished_game(start, open_page)
    table.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    table.page.get_by_role("button", name="Replay this game").click()
    expect(table.at("#replay-words")).to_have_text("The beginning.")
    table.axe("replay")
    table.page.set_viewport_size({"width": 320, "height": 640})
    table.axe("replay on a phone")
    table.page.get_by_role("button", name="Back to the table").click()
    table.page.get_by_role("button", name="More").click()
    table.axe("phone")
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_spectator_logs_in_with_the_pin_and_takes_a_seat(
    start: Start, open_page: OpenPage
) -> None:
    program = start("simulate", *QUICK, "--lan", "--setup", "ace")
    others = program.until(r"for others: (\S+).* PIN (\d{6})")
    table = open_page(program.address)
    table.says("^blue to move")
    guest = Table(table.page.context.browser.new_context().new_page())  # type: ignore[union-attr]
    guest.page.goto(others[1])
    guest.axe("login")
    guest.shot("login")
    pin = guest.page.get_by_label("PIN")
    pin.fill("000000" if others[2] != "000000" else "111111")
    guest.page.get_by_role("button", name="Enter").click()
    expect(guest.at("#login-error")).not_to_be_empty()
    pin.fill(others[2])
    guest.page.get_by_role("button", name="Enter").click()
    guest.says("^blue to move")
    expect(guest.at("#fire")).to_be_hidden()
    expect(guest.at("#open-new")).to_be_hidden()
    guest.touch("j4")
    expect(guest.at("#board .mark.target").first).to_be_attached()  # spectators may select squares
    guest.at("#seat-lower").get_by_role("button", name="Take seat").click()
    expect(guest.at("#fire")).to_be_visible()
    guest.touch("j3")
    guest.fire()
    table.moves("j4j3")
    guest.page.context.close()
