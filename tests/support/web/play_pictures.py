"""Pictures of a table, rendered by the simulator, and of the terminal, as Chromium shows its text.

Each function has the parameters of those in `screenshots`, which writes the files.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser

from controller.config.addresses.camera import SimulatedCameraAddress
from controller.config.board_file import load_board, load_board_file
from controller.devices.factory.cameras import simulated_table
from controller.devices.factory.clocks import system_clock
from controller.devices.factory.leds import open_leds, simulated_world
from controller.lighting import output
from controller.lighting.animation.beams import animate_turn
from controller.lighting.layout import led_layout
from controller.session.board_fit import fit_board
from controller.session.sentences import BOARD_SET_UP
from controller.session.setup import Seat
from controller.session.state import Phase, PlayedTurn, Session
from controller.ui.terminal.screen import ScreenView, render_screen
from engine import games
from engine.draw.palette import player_paints
from engine.draw.words import headline
from engine.game import AnyTurn
from tests.support.play.keyboard_sessions import KeyboardUser, session
from tests.support.web.screen_capture import JPEG_QUALITY, Image, capture, opened
from vision.overlay import draw_overlay
from vision.reader import Reader
from vision.scene import RoomLight, build_scenario

GAME = games.make("laser-chess")
BOARD = "demo-10x8"
SCENARIO, SHOT = "hand", 4
# Blue moves j4 to j5: its beam turns there and captures c5. As in `tests/scripts/one-turn.game`.
BEFORE_BEAM, BEAM_MOVE = "l++9/4k5/*/2b7/9B/*/*/4K4L b", "j4j5"
BEAM_SIZE, BEAM_TILT_DEGREES, BEAM_AMBIENT = (960, 540), 20.0, 0.45
BEAM_SHARE = 0.22  # of the animation, when the picture is taken

TERMINAL, TERMINAL_PX = (98, 27), (906, 483)  # columns and rows; pixels with the margin
PICKED_UP = "h2"
LEFT_MS = 551_000.0, 605_000.0  # on the clocks
STYLE = (
    "body { margin: 0; background: #0b0d12 } pre { margin: 12px; color: #dbe2ee; "
    "font: 14.949px/17px 'DejaVu Sans Mono' }"
)
_CODE = re.compile(r"\x1b\[([0-9;]*)m")
_COLOUR = re.compile(r"([34]8);2;(\d+);(\d+);(\d+)")


# -- the table -------------------------------------------------------------------------------------


def hand_over_board(_browser: Browser, _folder: Path) -> Image:
    position = GAME.start("ace")
    board = load_board(BOARD).with_grid(position.grid)
    return build_scenario(SCENARIO, board, SHOT, (1280, 720), position.pieces, GAME).frame


def read_image(browser: Browser, folder: Path) -> Image:
    """What `laserboard see --overlay` draws over the image as it is stored."""
    _, stored = cv2.imencode(
        ".jpg", hand_over_board(browser, folder), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    )
    image = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
    table = fit_board(load_board(BOARD), GAME)
    reader = Reader(table.board, table.pieces_by_tag, table.lens)
    seen = reader.read(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    return draw_overlay(image, table.board, reader.lock, seen, GAME, table.pieces_by_tag, ())


def lit_beam(_browser: Browser, _folder: Path) -> Image:
    """The beam just before it ends, on the LEDs of the board."""
    turn = turn_after(GAME.read_position(BEFORE_BEAM), BEAM_MOVE)
    width, height = BEAM_SIZE
    file = load_board_file(BOARD)
    layout = led_layout(file)
    assert file.leds is not None
    assert layout is not None
    address = SimulatedCameraAddress(place=BOARD, width=width, height=height, game=GAME.name)
    table = simulated_table(replace(address, tilt_degrees=BEAM_TILT_DEGREES))
    table.set_pieces(turn.aimed.pieces)
    table.set_room(RoomLight(ambient=BEAM_AMBIENT))
    animation = animate_turn(layout, turn, player_paints(GAME.players))
    assert animation.duration_ms is not None
    leds = open_leds("memory://", file.leds, system_clock())
    try:
        world = simulated_world(table, layout, leds)
        picture = output.for_settings(file.leds)(animation.at(BEAM_SHARE * animation.duration_ms))
        leds.wait(leds.show(picture), 2_000.0)
        return world.render_image()
    finally:
        leds.close()


# -- the terminal ----------------------------------------------------------------------------------


def turn_after(position: Any, move: str) -> AnyTurn:
    (player,) = GAME.to_move(position)
    return GAME.resolve(position, {player: GAME.read_move(position, player, move)})


def played(*moves: str) -> Session:
    """A game against the computer after these moves."""
    now = session(GAME.name, clock="10m+5s", computer=3)
    seats = (Seat("Ada"), Seat("computer 3", 3))
    now = replace(now, setup=replace(now.setup, seats=seats), position=GAME.start("ace"))
    for move in moves:
        turn = turn_after(now.position, move)
        done = PlayedTurn(now.position, now.clocks, turn)
        now = replace(now, position=turn.after, history=(*now.history, done))
    clocks = replace(now.clocks, left_ms=LEFT_MS)
    return replace(now, clocks=clocks.start(now.to_move, 0.0))


def messages(now: Session) -> list[str]:
    turns = [headline(GAME, each.turn) for each in now.history]
    return [str(each) for each in (BOARD_SET_UP(), *turns)]


def piece_picked_up(browser: Browser, _folder: Path) -> Image:
    now = played("j4j3", "h4+")
    user = KeyboardUser(now).at(PICKED_UP)
    user.keys("enter")
    return in_terminal(browser, ScreenView(now, user.keyboard, messages(now)))


def laser_fires(browser: Browser, _folder: Path) -> Image:
    before, after = played(), played("j4j3")
    clocks = after.clocks.stop(None, 0.0)
    now = replace(after, phase=Phase.FIRING, position=before.position, clocks=clocks)
    turn = now.history[-1].turn
    steps = sum(len(each.steps) for each in turn.beams)
    return in_terminal(browser, ScreenView(now, messages=messages(now), beam=(turn, steps)))


def in_terminal(browser: Browser, view: ScreenView) -> Image:
    lines = map(as_html, render_screen(view, TERMINAL, colour=True))
    with opened(browser, *TERMINAL_PX) as page:
        page.set_content(f"<style>{STYLE}</style><pre>{chr(10).join(lines)}</pre>")
        return capture(page)


def as_html(line: str) -> str:
    """A line with colour codes as spans."""
    first, *rest = _CODE.split(line)
    parts = [escape(first)]
    for codes, text in zip(rest[::2], rest[1::2], strict=True):
        names = {"38": "color", "48": "background"}
        style = [f"{names[kind]}:rgb({r},{g},{b})" for kind, r, g, b in _COLOUR.findall(codes)]
        if "1" in _COLOUR.sub("", codes).split(";"):
            style.append("font-weight:bold")
        parts.append(f'<span style="{";".join(style)}">{escape(text)}</span>')
    return "".join(parts)
