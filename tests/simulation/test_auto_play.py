"""Games on a simulated table that play themselves: as many turns as were asked for."""

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
    """What is kept of a game of two computers that was to have so many turns."""
    seats = [f"--{side}" for side in games.make(game).players]
    ran = laserboard(
        *("simulate", "--game", game, "--board", BOARDS[game], "--turns", str(turns), "--fast"),
        *(seats[0], "computer:3", seats[1], "computer:2"),
        *("--camera", SMALL, "--leds", "memory://"),
    )
    assert ran.status == 0, ran
    return laserboard("games", "list").out


def test_two_computers_that_act_at_once_play_as_many_turns_as_were_asked_for(
    laserboard: Laserboard,
) -> None:
    assert "2 turns  unfinished" in plays(laserboard, "spaceships", 2)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [20, 21])  # of which some move nothing: nobody is waited for
def test_turns_in_which_nothing_moves_are_counted_too(turns: int, laserboard: Laserboard) -> None:
    assert f"{turns} turns  unfinished" in plays(laserboard, "spaceships", turns)


def test_a_game_that_is_broken_off_while_the_table_rests_leaves_no_complaint() -> None:
    async def broken_off() -> list[Any]:
        complaints: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, reported: complaints.append(reported)
        )
        ended = asyncio.Event()

        async def rest() -> None:
            await ended.wait()
            raise ProgramGone("the program is gone")

        table = SimpleNamespace(
            hands=SimpleNamespace(rest=rest),
            loop=SimpleNamespace(next_beat=ended.wait),
            session=SimpleNamespace(history=[]),
        )
        playing = asyncio.create_task(AutoPlay(cast(Any, table), cast(Any, None)).play())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        ended.set()  # and in the same moment whoever plays is told to go
        playing.cancel()
        await asyncio.wait([playing])
        await asyncio.sleep(0)
        gc.collect()
        return complaints

    assert asyncio.run(broken_off()) == []
