"""Held power, or pause held on: the table says goodbye, the program ends, and only a service has
its computer switched off."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.cli.service import STAYS_ON, SWITCH_OFF
from controller.flow import pauses
from controller.flow.pauses import GOODBYE_MS
from controller.game_store import games_folder, kept
from controller.guide import guide
from controller.guide_light import picture
from controller.light import Effects
from controller.ports import Pressed, Signal
from controller.press import BUTTONS, POWER
from controller.session import step
from controller.session_values import Phase, Session, SwitchOff, Tick, Wish
from tests.controller.cli import Laserboard
from tests.controller.guide_cases import laid, moments
from tests.controller.playing import BLUE, RED, Play, play
from tests.controller.rooms import Table
from tests.install.listening import Listening

SITUATIONS = sorted(moments("demo-10x8"))


def off(game: Play) -> Play:
    game.happens(Pressed(POWER, game.at_ms))
    return game


def switched_off(game: Play) -> bool:
    return SwitchOff() in game.effects


def test_the_table_says_goodbye_and_then_it_ends() -> None:
    game = play().moves("j4", "j3").presses(BLUE).see()
    off(game)
    assert game.said[-1] == "goodbye: the table switches off, and the game is kept"
    assert game.told(Signal.OVER) == 1
    game.later(GOODBYE_MS / 1000 - 0.1)
    assert not switched_off(game)
    game.later(0.1)
    assert switched_off(game)


def test_what_is_not_on_the_disk_is_not_said_to_be_kept() -> None:
    assert off(play()).said[-1] == "goodbye: the table switches off"
    game = play().moves("j4", "j3").presses(BLUE).moves("e7", "e8")
    game.disk = False
    off(game.presses(RED))
    assert game.said[-1] == "goodbye: the table switches off: the disk is full: free some space"


def test_no_time_is_lost_by_saying_goodbye() -> None:
    game = off(play(clock="5m"))
    left_ms = game.left_ms(BLUE)
    assert game.later(2).left_ms(BLUE) == left_ms
    assert not game.session.clocks.running


def test_nothing_is_played_after_the_goodbye() -> None:
    game = off(play().moves("j4", "j3"))
    before = game.session
    for button in BUTTONS:
        game.happens(Pressed(button, game.at_ms))
    game.asks(Wish.CONTINUE, BLUE).asks(Wish.RESIGN, BLUE)
    assert game.session == before
    assert not game.written


def test_power_is_heeded_although_a_flag_falls_at_that_moment() -> None:
    game = play(clock="1m")
    game.at_ms += 60_000
    off(game)
    assert game.phase() is Phase.OVER
    assert game.session.parting_ms == game.at_ms


def test_a_beam_that_runs_comes_to_its_end() -> None:
    game = play().moves("j4", "j3")
    game.lamps = False
    off(game.presses(BLUE))
    assert game.session.beneath is Phase.FIRING
    assert game.shows().session.history, "the turn was played"
    assert game.later(GOODBYE_MS / 1000).phase() is Phase.PAUSED
    assert switched_off(game)


@pytest.mark.parametrize("moment", SITUATIONS)
def test_from_every_moment_the_lights_go_out_and_the_words_are_the_same(moment: str) -> None:
    session: Session = replace(moments("demo-10x8")[moment], unwritten=())
    session, _ = step(session, Pressed(POWER, 1000.0))
    assert guide(session).sentence.startswith("goodbye: the table switches off")
    shown = picture(session, laid("demo-10x8"), Effects.NORMAL, 1000.0)
    assert not np.any(shown.at(300.0))
    _, effects = step(session, Tick(1000.0 + GOODBYE_MS))
    assert effects == (SwitchOff(),)


def test_the_loop_ends_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path)

    async def hold() -> None:
        async with table.set_up() as simulation:
            loop = simulation.loop
            pressed = [Pressed(POWER, loop.now_ms())]
            monkeypatch.setattr(
                loop.devices.buttons, "pressed", lambda: [pressed.pop()] if pressed else []
            )
            begun_ms = loop.now_ms()
            assert not await loop.until(lambda: False, 60_000)
            assert GOODBYE_MS <= loop.now_ms() - begun_ms < GOODBYE_MS + 1000

    asyncio.run(hold())
    assert "goodbye: the table switches off" in table.heard


# -- the program -------------------------------------------------------------------------------

TABLE = ("play", "--camera", "sim://?width=960&height=540", "--leds", "memory://", "--voice")
HELD = (*TABLE, "none", "--no-page", "--buttons", "script://power@10")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    return games_folder()


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No program but these can be found, and they tell that they were called."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("systemctl", "poweroff", "shutdown", "halt", "sudo", "busctl", "dbus-send"):
        (tools / name).write_text(f"#!/bin/sh\necho {name} >>{tools}/called\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    return tools


def test_on_a_desktop_the_program_ends_and_the_computer_stays_on(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch, folder: Path, tools: Path
) -> None:
    monkeypatch.setattr(pauses, "GOODBYE_MS", 0.0)
    ran = laserboard(*HELD)
    assert (ran.status, "goodbye" in ran.out) == (0, True), ran
    assert ran.err.splitlines() == ["nothing was played, so nothing is kept", STAYS_ON]
    assert not (tools / "called").exists()
    assert kept(folder) == []


def test_a_service_asks_for_the_computer_to_be_switched_off_by_its_exit_status(
    laserboard: Laserboard,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    folder: Path,
    tools: Path,
) -> None:
    systemd = Listening(str(tmp_path / "notify"))
    monkeypatch.setattr(pauses, "GOODBYE_MS", 0.0)
    monkeypatch.setenv("NOTIFY_SOCKET", systemd.name)
    ran = laserboard(*HELD)
    systemd.close()
    assert (ran.status, ran.err) == (SWITCH_OFF, "")
    assert not (tools / "called").exists(), "that is systemd's affair"
    assert len(kept(folder)) == 1, "what was agreed is there when it is switched on again"


def test_the_help_of_buttons_tells_what_power_does(laserboard: Laserboard) -> None:
    told = re.sub(r"\s+", " ", laserboard.prints("buttons", "--help"))
    assert "held for 3 s" in told
    assert "says goodbye" in told
    assert "switched off where it runs as a service" in told
