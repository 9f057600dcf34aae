"""A fire button belongs to a seat: it fires for the player of that seat, in every game."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from controller.config.board_file import load_board
from controller.lighting.animation import LightEffects
from controller.lighting.scenes import scene_of
from controller.ports.events import Pressed
from controller.session.board_fit import fit_board
from controller.session.state import Session
from engine import games
from tests.support.cli import Laserboard
from tests.support.lighting.scene_cases import BOARDS, in_play, laid
from tests.support.play.simulated_rigs import Table

SEATS = {
    "laser-chess": ("blue", "red"),
    "photon": ("blue", "red"),
    "spaceships": ("first", "second"),
}


@pytest.mark.parametrize("game", games.GAMES)
def test_every_game_has_a_seating(game: str) -> None:
    board = next(board for board, played in BOARDS.items() if played == game)
    top = fit_board(load_board(board), games.make(game))
    near, far = (top.game.players[top.player_at_seat(seat)] for seat in (0, 1))
    assert near != far
    assert (near, far) == SEATS.get(game, (near, far))


@pytest.mark.parametrize(
    ("board", "game", "button", "message"),
    [
        ("demo-10x8", "laser-chess", "fire 0", "no move made yet"),
        ("demo-10x8", "laser-chess", "fire 1", "it is the turn of blue"),
        ("photon-10x10", "photon", "fire 0", "it is the turn of red"),
        ("photon-10x10", "photon", "fire 1", "no move made yet"),
        ("photon-10x10", "laser-chess", "fire 0", "no move made yet"),
        ("photon-10x10", "laser-chess", "fire 1", "it is the turn of blue"),
    ],
)
def test_a_button_belongs_to_its_seat_in_every_game(
    board: str,
    game: str,
    button: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(tmp_path, board, game=game)

    async def press() -> None:
        async with table.set_up() as simulation:
            loop = simulation.loop
            pressed = [Pressed(button, loop.now_ms())]
            monkeypatch.setattr(
                loop.devices.buttons, "pressed", lambda: [pressed.pop()] if pressed else []
            )
            await loop.next_tick()

    asyncio.run(press())
    assert message in map(str, table.messages)


def test_the_light_strip_belongs_to_its_seat_in_every_setup() -> None:
    """Also in setups with Blue's pieces on the right."""
    session: Session = in_play("demo-10x8", 1)
    game = session.game
    seen = set()
    for setup in game.setups():
        begun = replace(session, position=game.start(setup), history=())
        shown = scene_of(begun, laid("demo-10x8"), LightEffects.NORMAL, 0.0)
        seen.add(frozenset(begun.position.grid.name(cell) for cell in shown.ever_lit_cells))
    assert seen == {frozenset(f"{column}1" for column in "abcdefghij")}


def test_the_help_names_the_seat_of_each_button(laserboard: Laserboard) -> None:
    reported = " ".join(laserboard.prints("buttons", "--help").split())
    assert "fire 0 belongs to the player at the near side (row 1)" in reported
    assert "fire 1 to the other player" in reported


def test_a_board_file_names_the_seat_of_each_button(laserboard: Laserboard) -> None:
    reported = laserboard.prints("init", "-", "--board", "photon-10x10", "--no-devices")
    assert "fire 0: the near side" in reported
