"""The referee's console in a browser: proposals, evidence images, rulings, the export."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from controller.session.sentences import CHECKSUM_WRONG
from controller.storage import sentences
from controller.storage.export.score_sheet import group_digits
from controller.storage.export.verify import verify_export
from tests.support.engine.sentences import mentions
from tests.support.play.tampered_exports import tampered_with
from tests.support.web.browser import OpenPage, Table
from tests.support.web.referee_page import RefereedGame, refereed_game

pytestmark = pytest.mark.slow


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RefereedGame]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with refereed_game(tmp_path) as found:
        yield found


def rows(console: Table) -> list[str]:
    return console.at("#sheet-rows .entry b").all_inner_texts()


def test_an_illegal_move_is_ruled_on_with_its_images(
    game: RefereedGame, open_page: OpenPage
) -> None:
    game.does("blue moves j4 j3", "blue presses fire", "red moves a5 a6", "red presses fire")
    console = open_page(game.address("console"), 1280, 900)
    expect(console.at("#proposals-none")).to_be_visible()
    console.shot("console-quiet")
    game.does("blue moves d6 d4", "blue presses fire")
    proposal = console.at(".proposal")
    expect(proposal).to_contain_text("Illegal move")
    expect(proposal).to_contain_text("Red gets 2:00")
    expect(console.at("#obstacles li").first).to_contain_text("The referee must rule")
    expect(console.at("#continue")).to_be_disabled()
    expect(proposal.locator(".picture img")).to_have_count(4)
    console.until("[...document.querySelectorAll('.picture img')].every(i => i.naturalWidth > 100)")
    boxes = [each.bounding_box() for each in proposal.locator(".picture").all()]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] == boxes[1]["y"], "side by side"
    console.shot("console-illegal")
    proposal.get_by_text("Show what was read").click()
    expect(proposal.locator(".overlay").first).not_to_be_visible()
    console.press("a")
    expect(console.at("#ruling .question")).to_have_text("Accept: red gets 2:00.")
    console.at("#ruling-note").fill("seen by everybody")
    console.shot("console-question")
    console.at("#ruling-yes").click()
    expect(console.at("#seat-upper .clock")).to_have_text("6:59")  # it was 4:59
    expect(proposal).to_have_count(0)
    expect(console.at(".entry.is-penalty")).to_contain_text("2m more for red")
    expect(console.at(".entry.is-ruling")).to_contain_text("seen by everybody")
    assert console.at("#last-hash").inner_text().replace(" ", "") == game.head
    console.shot("console-ruled")


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_move_is_overridden_by_playing_it_on_a_board(
    game: RefereedGame, open_page: OpenPage, by: str
) -> None:
    game.does("blue moves j4 j2", "blue presses fire")
    console = open_page(game.address("console"), 1280, 900)
    (played_by_mouse if by == "mouse" else played_by_keys)(console)
    expect(console.at(".entry.is-turn")).to_contain_text("j4j3")
    expect(console.at(".proposal")).to_have_count(0)


def played_by_keys(console: Table) -> None:
    """Answer the proposal with the keyboard only."""
    console.press("m")
    board = console.at("#ruling .ruled-board .board")
    expect(board.locator(".touch:focus")).to_have_count(1)
    move_focus(console, "j4")
    console.press("Enter")
    expect(board.locator(".mark.target")).not_to_have_count(0)
    console.press("ArrowDown", "Enter")
    expect(console.at("#ruling")).to_contain_text("Blue plays j4 to j3")
    while not console.page.evaluate("document.activeElement.id === 'ruling-next'"):
        console.press("Tab")
    console.press("Enter")
    expect(console.at("#ruling .boards figure")).to_have_count(2)
    expect(console.at("#ruling-yes")).to_be_focused()
    console.press("Enter")


def move_focus(console: Table, cell: str) -> None:
    """Move the focus to a cell with arrow keys."""
    for _ in range(40):
        here = console.page.evaluate("document.activeElement.dataset.cell")
        if here == cell:
            return
        across, up = ord(cell[0]) - ord(here[0]), int(cell[1]) - int(here[1])
        aside = "ArrowRight" if across > 0 else "ArrowLeft"
        console.press(aside if across else "ArrowUp" if up > 0 else "ArrowDown")
    raise AssertionError(f"no way leads to {cell}")


def played_by_mouse(console: Table) -> None:
    console.at(".proposal").get_by_role("button", name="Play the move").click()
    board = console.at("#ruling .ruled-board .board")
    board.locator('.touch[data-cell="j4"]').click()
    expect(board.locator(".mark.target")).not_to_have_count(0)
    console.shot("console-play")
    board.locator('.touch[data-cell="j3"]').click()
    console.at("#ruling-next").click()
    expect(console.at("#ruling .boards figure")).to_have_count(2)
    console.shot("console-play-question")
    console.at("#ruling-yes").click()


def test_the_board_is_corrected_by_dragging_and_superseded_turns_are_struck_out(
    game: RefereedGame, open_page: OpenPage
) -> None:
    game.does("blue moves j4 j3", "blue presses fire")
    console = open_page(game.address("console"), 1280, 900)
    console.press("b")
    expect(console.at("#ruling")).to_contain_text("How many")
    console.at("#ruling-next").click()
    console.at("#ruling-yes").click()
    expect(console.at(".entry.is-turn.superseded s")).to_have_text("j4j3")
    expect(console.at(".entry.is-turn.superseded")).to_contain_text("no longer counts: entry")
    console.press("c")
    board = console.at("#ruling .ruled-board .board")

    def cell(name: str) -> Locator:
        return board.locator(f'.touch[data-cell="{name}"]')

    source, target = cell("j5").bounding_box(), cell("i6").bounding_box()
    assert source
    assert target
    mouse = console.page.mouse
    mouse.move(source["x"] + source["width"] / 2, source["y"] + source["height"] / 2)
    mouse.down()
    mouse.move(target["x"] + 5, target["y"] + 5, steps=4)
    mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=2)
    mouse.up()
    console.at("#ruling").get_by_role("button", name="Right").click()
    cell("c5").click()
    console.at("#ruling").get_by_role("button", name="Take off").click()
    console.at(".spare").first.click()
    cell("c6").click()
    console.shot("console-correct")
    console.at("#correct-mover").select_option("1")
    console.at("#ruling-next").click()
    expect(console.at("#ruling .boards .mark").first).to_be_attached()
    console.shot("console-correct-question")
    console.at("#ruling-yes").click()
    expect(console.at(".entry.is-correction")).to_have_count(2)
    console.at(".entry.is-correction").last.get_by_role("button", name="Before and after").click()
    expect(console.at("#look .boards figure")).to_have_count(2)
    console.shot("console-corrected")
    pieces = game.session.position.pieces
    grid = game.session.position.grid
    assert {grid.cell("i6"), grid.cell("c6")} <= set(pieces)
    assert not {grid.cell("j5"), grid.cell("c5")} & set(pieces)
    assert game.session.to_move == (1,)


def test_a_disputed_result_is_declared_again_confirmed_and_exported(
    game: RefereedGame, open_page: OpenPage, browser: Browser
) -> None:
    game.does("blue resigns")
    player = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    player.goto(game.address().partition("#")[0])
    player.fill("#pin", "271828")
    player.click("#login-form button")
    player.locator("#seat-upper").get_by_role("button", name="Take seat").click()
    strip = player.locator(".proposal-strip")
    expect(strip).to_contain_text("It waits for blue and red.")
    expect(player.locator("#ask-pause")).not_to_be_visible()
    strip.get_by_role("button", name="Dispute").click()
    expect(strip).to_contain_text("The referee decides: red calls the referee")
    Table(player).shot("player-disputes")
    console = open_page(game.address("console"), 768, 1024)
    expect(console.at(".proposal")).to_contain_text("Call")
    console.shot("console-tablet")
    console.press("r")
    console.at("#result-how").select_option("1/2-1/2")
    console.at("#result-why").fill("agreed at the board")
    console.at("#ruling-next").click()
    console.at("#ruling-yes").click()
    expect(console.at(".entry.is-result.superseded")).to_have_count(1)
    strip.get_by_role("button", name="Agree").click()
    expect(console.at("#result-status")).to_have_text("Red agrees, it waits for blue.")
    console.press("u")  # blue does not confirm
    expect(console.at("#ruling .question")).to_contain_text("agreed at the board. It is final")
    console.at("#ruling-yes").click()
    expect(console.at("#result-status")).to_have_text("The result stands.")
    expect(strip).to_contain_text("The result stands.")
    expect(console.at("#confirm-result")).not_to_be_visible()
    console.shot("console-upheld")
    player.context.close()


def test_an_export_is_verified_and_four_kinds_of_tampering_are_detected(
    game: RefereedGame, open_page: OpenPage
) -> None:
    game.does("blue moves j4 j3", "blue presses fire", "red moves a5 a6", "red presses fire")
    game.does("blue moves d6 d4", "blue presses fire", "the referee accepts", "blue resigns")
    console = open_page(game.address("console"), 1280, 900)
    expect(console.at(".entry.is-result")).to_have_count(1)
    head = console.at("#last-hash").inner_text().replace(" ", "")
    with console.page.expect_download() as loaded:
        console.page.get_by_role("link", name="Complete export (zip)").click()
    export = Path(loaded.value.path()).read_bytes()
    assert not verify_export(io.BytesIO(export), published_hash=head).findings
    found = {
        name: verify_export(io.BytesIO(tampered), published_hash=head).findings
        for name, tampered in tampered_with(export).items()
    }
    assert any(mentions(each, CHECKSUM_WRONG()) for each in found["edited entry"])
    (tail,) = found["removed tail"]
    assert mentions(tail, sentences.OTHER_HASH)
    assert len(found["swapped image"]) == 2
    assert all(mentions(each, sentences.LINKED_CHANGED) for each in found["swapped image"])
    (chain,) = found["rewritten chain"]
    assert mentions(chain, sentences.OTHER_HASH)
    assert chain.slots["published"] == group_digits(head)
    rewritten = io.BytesIO(tampered_with(export)["rewritten chain"])
    assert not verify_export(rewritten).findings, (
        "without a published hash the change cannot be detected"
    )


@pytest.mark.parametrize("width", [320, 390, 768, 1024])
def test_no_element_is_wider_than_the_screen(
    game: RefereedGame, open_page: OpenPage, width: int
) -> None:
    game.does("blue moves j4 j2", "blue presses fire")
    console = open_page(game.address("console"), width, 800)
    expect(console.at(".proposal .picture img").first).to_be_attached()
    console.shot(f"console-{width}")
    wide = console.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"{wide} px on a screen of {width}"
    if width == 1024:
        console.axe("console")
        for key, title in (("t", "Set the clocks"), ("p", "Penalty"), ("n", "Write a note")):
            console.press(key)
            expect(console.at("#ruling-title")).to_have_text(title)
            console.axe(title)
            console.press("Escape")
        console.press("s")
        expect(console.at("#stop")).not_to_be_visible()
        expect(console.at("#obstacles")).to_contain_text(re.compile("stopped the game", re.I))
