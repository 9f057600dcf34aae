"""Writes the pictures of the documents: web pages and the terminal in headless Chromium, the table.

python -m tests.support.web.screenshots docs              all of them
python -m tests.support.web.screenshots docs beam.jpg     that one

Games, positions and clocks are fixed. Animations are off: the whole beam is drawn at once.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, expect

from controller.devices.clock import SteppedClock, SystemClock
from controller.session import sentences
from controller.tournament.outbox_file import OutboxFile
from controller.tournament.pairings import round_robin
from controller.tournament.subscriber import TournamentSubscriber
from controller.tournament.web_page import TournamentPage
from controller.ui.web.page_server import PageSettings
from engine import catalogue, games
from engine.draw.words import headline
from engine.search import Limit, choose
from tests.support.tournament.message_examples import presence, pulse, result, sent, state
from tests.support.web.browser import Program, Table, chromium
from tests.support.web.play_pictures import (
    hand_over_board,
    laser_fires,
    lit_beam,
    piece_picked_up,
    read_image,
)
from tests.support.web.referee_page import refereed_game
from tests.support.web.screen_capture import JPEG_QUALITY, Image, capture, opened
from vision.sentences import MISSING_PIECE

LOADED = "[...document.images].every(each => each.naturalWidth > 0)"
SIMULATE = ("simulate", "--page", "--leds", "memory://", "--second", "human")
# The set-up ace with each kind of mistake: h5 is turned half round, the switch of e4 stands on d6,
# and the deflector of d6 on i2.
WRONG = "l++3d++kd++b+++2/2b7/3S+6/b++1B1ss+1b+1B+/b+++1B+2S1b++1B/6b+++3/7B++B++1/2B+DKD3L b"

EVENT = "Club night"
PLAYERS = (
    *("Ada Lovelace", "Grace Hopper", "Alan Turing", "Emmy Noether"),
    *("Jürgen Schmidt", "Marie Curie", "Niels Bohr", "Rosalind Franklin"),
)
RESULTS = ("1-0", "1/2-1/2", "0-1", "1-0")  # of round 1
TURNS = {1: 9, 2: 4, 3: 14, 4: 0}  # by table
CLOCKS_S = {1: (263, 214), 2: (254, 183), 3: (245, 152), 4: (300, 300)}
LOST_FOR_MS = 23_000.0


# -- images ----------------------------------------------------------------------------------------


def write(path: Path, image: Image, width: int, height: int) -> None:
    assert image.shape[:2] == (height, width), (path.name, image.shape)
    jpeg, png = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY], [cv2.IMWRITE_PNG_COMPRESSION, 9]
    assert cv2.imwrite(str(path), image, jpeg if path.suffix == ".jpg" else png)
    print(f"{path}  {width}x{height}  {path.stat().st_size} bytes")


@contextmanager
def simulated(
    browser: Browser, folder: Path, width: int, height: int, *arguments: str, **options: Any
) -> Iterator[Table]:
    """The page of a simulated table."""
    program = Program(folder, *SIMULATE, *arguments)
    try:
        with opened(browser, width, height, **options) as page:
            table = Table(page)
            yield table.open(program.address)
            assert not table.errors, table.errors
    finally:
        program.close()


# -- the pages -------------------------------------------------------------------------------------


def king_captured(browser: Browser, folder: Path) -> Image:
    with simulated(browser, folder, 1200, 750, "--setup", "ace") as table:
        for mover, source, target in (("blue", "c5", "b6"), ("red", "e5", "e6")):
            table.says(f"^{mover} to move")
            table.touch(source)
            table.touch(target)
            table.fire()
        expect(table.at("#board .burst")).to_be_visible()
        table.says("the laser fires")
        return capture(table.page)


def set_up(browser: Browser, folder: Path) -> Image:
    arguments = ("--setup", "ace", "--initial-position", WRONG)
    with simulated(browser, folder, 1280, 800, *arguments, device_scale_factor=1 / 1.28) as table:
        table.says("^set up the board")
        expect(table.at("#reasons li")).to_have_count(4)
        return capture(table.page)


def phones(browser: Browser, folder: Path) -> Image:
    """Three phones: a piece is picked up, a spaceship too, and the side panel is open."""
    phone = {"has_touch": True, "is_mobile": True}
    images = []
    with simulated(browser, folder, 340, 680, "--setup", "ace", **phone) as table:
        table.says("^blue to move")
        table.cell("d6").tap()
        expect(table.at("#popover")).to_be_visible()
        images.append(capture(table.page))
    with simulated(browser, folder, 340, 680, "--board", "hex-r5", "--seed", "1", **phone) as table:
        table.says("to move")
        table.at("#board .touch.own").first.tap()
        expect(table.at("#popover")).to_be_visible()
        images.append(capture(table.page))
    with simulated(browser, folder, 340, 680, "--board", "photon-10x10", **phone) as table:
        table.says("^red to move")
        table.cell("e10").tap()
        table.cell("d10").tap()
        table.says("press fire")
        table.page.get_by_role("button", name="More").dispatch_event("click")  # no tap highlight
        expect(table.at("#ask-hint")).to_be_in_viewport()
        images.append(capture(table.page))
    gap = np.full((680, 20, 3), 255, np.uint8)
    return np.hstack([images[0], gap, images[1], gap, images[2]])


def console(browser: Browser, folder: Path) -> Image:
    with refereed_game(folder) as game, opened(browser, 1280, 900) as page:
        game.does("blue moves j4 j3", "blue presses fire", "red moves a5 a6", "red presses fire")
        game.does("blue moves d6 d4", "blue presses fire")
        table = Table(page).open(game.address("console"))
        expect(table.at(".proposal .picture img")).to_have_count(4)
        table.until(LOADED)
        return capture(page)


# -- the tournament --------------------------------------------------------------------------------


def board_state(table: int) -> dict[str, Any]:
    """The state of a table in round 2, after turns of the computer."""
    game = games.make("laser-chess")
    position, last = game.start("ace"), ""
    for number in range(TURNS[table]):
        (player,) = game.to_move(position)
        choice = choose(game, position, Limit(level=3, seed=100 * table + number))
        turn = game.resolve(position, {player: choice.move})
        assert turn.outcome is None, "the game is over"
        position, last = turn.after, str(headline(game, turn))
    found = {"turns": TURNS[table], "position": game.write_position(position), "last": last}
    if not last:
        missing = MISSING_PIECE(cell="e5", piece="switch", player="red")
        return found | {"guide": str(sentences.SET_UP_ONE()), "reasons": [str(missing)]}
    (mover,) = game.to_move(position)
    return found | {"guide": str(sentences.TO_MOVE(players=game.players[mover]))}


def publish(subscriber: TournamentSubscriber, clock: SteppedClock) -> None:
    """Publish the messages of four boards. Table 3 is lost some time before the others publish."""
    pairings = {(each.round, each.table): each for each in round_robin(PLAYERS)}

    def send(kind: str, table: int, body: dict[str, Any], round_: int = 2) -> None:
        subscriber.on_message(*sent(kind, body, table, round_, EVENT), False)

    def names(round_: int, table: int) -> dict[str, Any]:
        pairing = pairings[round_, table]
        return {"event": EVENT, "players": [pairing.first, pairing.second]}

    subscriber.on_connection_change("")
    for table, score in enumerate(RESULTS, start=1):
        reason = sentences.AGREED() if score == "1/2-1/2" else catalogue.KING_CAPTURED()
        body = result(table, 1, result=score, reason=str(reason), **names(1, table))
        send("result", table, body, 1)
    for table in (3, 1, 2, 4):
        page = f"http://192.168.1.{20 + table}:8137/"
        head = sha256(f"table {table}".encode()).hexdigest()
        more = {"round": 2, "page": page, "head": head, **names(2, table), **board_state(table)}
        send("presence", table, presence())
        send("state", table, state(table, **more))
        left_ms = [1000 * each for each in CLOCKS_S[table]]
        running = [TURNS[table] % 2] if TURNS[table] else []
        send("pulse", table, pulse(clocks={"left_ms": left_ms, "running": running}))
        if table == 3:
            send("presence", table, presence("lost"))
            clock.wait_ms(LOST_FOR_MS)


def tournament(browser: Browser, folder: Path) -> Image:
    clock = SteppedClock()
    results = OutboxFile(folder / "event.results", SystemClock(), 1000)
    subscriber = TournamentSubscriber(EVENT, PLAYERS, "mqtt://broker.local", clock, results)
    publish(subscriber, clock)
    server = TournamentPage(PageSettings("key", 0, None, 740_000, None), clock, subscriber)
    try:
        with opened(browser, 1280, 940, device_scale_factor=1 / 1.28) as page:
            page.goto(server.address)
            expect(page.locator("article .word")).to_have_text(["live", "live", "lost", "live"])
            Table(page).until(LOADED)
            return capture(page)
    finally:
        server.close()
        subscriber.close()


# (file, width, height, function)
SCREENSHOTS: Sequence[tuple[str, int, int, Callable[[Browser, Path], Image]]] = (
    ("page.jpg", 1200, 750, king_captured),
    ("page-phone.jpg", 1060, 680, phones),
    ("page-set-up.jpg", 1000, 625, set_up),
    ("console.png", 1280, 900, console),
    ("tournament.jpg", 1000, 734, tournament),
    ("playing.png", 906, 483, piece_picked_up),
    ("firing.png", 906, 483, laser_fires),
    ("table.jpg", 1280, 720, hand_over_board),
    ("seen.jpg", 1280, 720, read_image),
    ("beam.jpg", 960, 540, lit_beam),
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the pictures of the documents.")
    parser.add_argument("folder", type=Path)
    names = [name for name, *_ in SCREENSHOTS]
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(names)} (default: all)"
    )
    args = parser.parse_args()
    if wrong := set(args.names) - set(names):
        parser.error(f"no such picture: {', '.join(sorted(wrong))}")
    target = args.folder
    with chromium() as browser:
        for name, width, height, function in SCREENSHOTS:
            if args.names and name not in args.names:
                continue
            with tempfile.TemporaryDirectory() as folder:
                os.environ["XDG_DATA_HOME"] = folder
                write(target / name, function(browser, Path(folder)), width, height)


if __name__ == "__main__":
    main()
