"""Games of two computers on a simulated table, without a script."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.simulation.auto_play import AutoPlay
from controller.simulation.hands import ProgramGone
from engine import games
from tests.support.cli import Laserboard
from tests.support.play.keyboard_sessions import BOARDS

SMALL = "sim://?width=960&height=540"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def plays(laserboard: Laserboard, game: str, turns: int) -> str:
    """The list of games after two computers have played `turns` turns."""
    seats = [f"--{side}" for side in games.make(game).players]
    ran = laserboard(
        *("simulate", "--game", game, "--board", BOARDS[game], "--turns", str(turns), "--fast"),
        *(seats[0], "computer:3", seats[1], "computer:2"),
        *("--camera", SMALL, "--leds", "memory://"),
    )
    assert ran.status == 0, ran
    return laserboard("games", "list").out


def test_two_computers_with_simultaneous_moves_play_the_given_number_of_turns(
    laserboard: Laserboard,
) -> None:
    assert "2 turns  unfinished" in plays(laserboard, "spaceships", 2)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [20, 21])
def test_turns_in_which_no_piece_moves_are_counted(turns: int, laserboard: Laserboard) -> None:
    assert f"{turns} turns  unfinished" in plays(laserboard, "spaceships", turns)


def test_a_game_cancelled_while_the_table_settles_logs_no_error() -> None:
    async def cancelled_game() -> list[Any]:
        errors: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        ended = asyncio.Event()

        async def wait_settled() -> None:
            await ended.wait()
            raise ProgramGone("the program is gone")

        table = SimpleNamespace(
            hands=SimpleNamespace(wait_settled=wait_settled),
            loop=SimpleNamespace(next_tick=asyncio.Event().wait),
            session=SimpleNamespace(history=[]),
        )
        playing = asyncio.create_task(AutoPlay(cast(Any, table), cast(Any, None)).play())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        ended.set()
        playing.cancel()
        await asyncio.wait([playing])
        del playing  # it refers to the failed wait
        gc.collect()
        return errors

    assert asyncio.run(cancelled_game()) == []
