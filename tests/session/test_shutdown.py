"""Shutdown by the power button or a long press of pause: it is announced, the program ends, and
only a service switches its computer off."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.lighting.animation import LightEffects
from controller.lighting.scenes import scene_of
from controller.ports.buttons import BUTTONS, POWER
from controller.ports.events import Pressed, Signal
from controller.session import pauses, sentences
from controller.session.effects import Shutdown
from controller.session.events import Request, Tick
from controller.session.guidance import guidance_for
from controller.session.pauses import SHUTDOWN_DELAY_MS
from controller.session.state import Phase, Session
from controller.session.step import step
from controller.storage.games import games_folder, list_journals
from controller.ui.hosting.sentences import STAYS_ON
from controller.ui.hosting.service import EXIT_SHUTDOWN
from tests.support.cli import Laserboard
from tests.support.devices.notify_socket import NotifySocket
from tests.support.lighting.scene_cases import laid, moments
from tests.support.play.simulated_rigs import Table
from tests.support.play.table_play import BLUE, FULL, RED, Play, play

SITUATIONS = sorted(moments("demo-10x8"))


def off(game: Play) -> Play:
    game.send(Pressed(POWER, game.at_ms))
    return game


def switched_off(game: Play) -> bool:
    return Shutdown() in game.effects


def test_shutdown_is_announced_and_then_the_program_ends() -> None:
    game = play().moves("j4", "j3").presses(BLUE).see()
    off(game)
    assert game.said[-1] == sentences.GOODBYE_STORED()
    assert game.signal_count(Signal.OVER) == 1
    game.later(SHUTDOWN_DELAY_MS / 1000 - 0.1)
    assert not switched_off(game)
    game.later(0.1)
    assert switched_off(game)


def test_an_unwritten_game_is_not_announced_as_stored() -> None:
    assert off(play()).said[-1] == sentences.GOODBYE()
    game = play().moves("j4", "j3").presses(BLUE).moves("e7", "e8")
    game.disk = False
    off(game.presses(RED))
    assert game.said[-1] == sentences.with_reasons(sentences.GOODBYE(), [FULL])


def test_the_clocks_stop_during_the_shutdown_announcement() -> None:
    game = off(play(clock="5m"))
    left_ms = game.left_ms(BLUE)
    assert game.later(2).left_ms(BLUE) == left_ms
    assert not game.session.clocks.running


def test_events_after_the_shutdown_are_ignored() -> None:
    game = off(play().moves("j4", "j3"))
    before = game.session
    for button in BUTTONS:
        game.send(Pressed(button, game.at_ms))
    game.asks(Request.CONTINUE, BLUE).asks(Request.RESIGN, BLUE)
    assert game.session == before
    assert not game.written


def test_power_shuts_down_even_if_a_flag_falls_at_the_same_time() -> None:
    game = play(clock="1m")
    game.at_ms += 60_000
    off(game)
    assert game.phase() is Phase.OVER
    assert game.session.pause.shutdown_requested_ms == game.at_ms


def test_a_running_beam_ends_before_the_shutdown() -> None:
    game = play().moves("j4", "j3")
    game.leds_answer = False
    off(game.presses(BLUE))
    assert game.session.underlying_phase is Phase.FIRING
    assert game.shows().session.history, "the turn was played"
    assert game.later(SHUTDOWN_DELAY_MS / 1000).phase() is Phase.PAUSED
    assert switched_off(game)


@pytest.mark.parametrize("moment", SITUATIONS)
def test_shutdown_is_the_same_in_every_phase(moment: str) -> None:
    session: Session = moments("demo-10x8")[moment]
    session = replace(session, writing=replace(session.writing, unwritten=()))
    session, _ = step(session, Pressed(POWER, 1000.0))
    assert guidance_for(session).sentence.key in (
        sentences.GOODBYE.key,
        sentences.GOODBYE_STORED.key,
    )
    shown = scene_of(session, laid("demo-10x8"), LightEffects.NORMAL, 1000.0)
    assert not np.any(shown.at(300.0))
    _, effects = step(session, Tick(1000.0 + SHUTDOWN_DELAY_MS))
    assert effects == (Shutdown(),)


def test_the_loop_ends_after_the_shutdown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path)

    async def hold() -> None:
        async with table.set_up() as simulation:
            loop = simulation.loop
            pressed = [Pressed(POWER, loop.now_ms())]
            monkeypatch.setattr(
                loop.devices.buttons, "pressed", lambda: [pressed.pop()] if pressed else []
            )
            start_ms = loop.now_ms()
            assert not await loop.wait_until(lambda: False, 60_000)
            assert SHUTDOWN_DELAY_MS <= loop.now_ms() - start_ms < SHUTDOWN_DELAY_MS + 1000

    asyncio.run(hold())
    assert sentences.GOODBYE() in table.messages


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
    """The only programs on PATH; they record their calls."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("systemctl", "poweroff", "shutdown", "halt", "sudo", "busctl", "dbus-send"):
        (tools / name).write_text(f"#!/bin/sh\necho {name} >>{tools}/called\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    return tools


def test_outside_a_service_the_computer_stays_on(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch, folder: Path, tools: Path
) -> None:
    monkeypatch.setattr(pauses, "SHUTDOWN_DELAY_MS", 0.0)
    ran = laserboard(*HELD)
    assert (ran.status, "goodbye" in ran.out) == (0, True), ran
    assert ran.err.splitlines() == ["nothing was played, so nothing is stored", str(STAYS_ON())]
    assert not (tools / "called").exists()
    assert list_journals(folder) == []


def test_a_service_requests_poweroff_by_its_exit_status(
    laserboard: Laserboard,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    folder: Path,
    tools: Path,
) -> None:
    systemd = NotifySocket(str(tmp_path / "notify"))
    monkeypatch.setattr(pauses, "SHUTDOWN_DELAY_MS", 0.0)
    monkeypatch.setenv("NOTIFY_SOCKET", systemd.name)
    ran = laserboard(*HELD)
    systemd.close()
    assert (ran.status, ran.err) == (EXIT_SHUTDOWN, "")
    assert not (tools / "called").exists(), "systemd switches the computer off"
    assert len(list_journals(folder)) == 1, "the result is stored for the next start"


def test_the_help_of_buttons_explains_power(laserboard: Laserboard) -> None:
    help_text = re.sub(r"\s+", " ", laserboard.prints("buttons", "--help"))
    assert "held for 3 s" in help_text
    assert "ends the program; the game is stored" in help_text
    assert "As a service it then switches the Pi off" in help_text
