"""`laserboard play`, `simulate` and `resume`: refusals, device report, and ending by signals."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.config.board_file import SHIPPED_BOARDS_FOLDER, load_board_file
from controller.devices.buttons import NullButtons
from controller.devices.clock import SteppedClock
from controller.devices.factory.clocks import system_clock
from controller.devices.factory.leds import open_leds
from controller.ports.events import Pressed
from controller.session import pauses
from controller.session.journal import format_entry, next_entry
from controller.session.sentences import join_or
from controller.session.setup import GAME, GameSetup, Seat, setup_body
from controller.simulation.hands import Hands, SimulationFailed
from controller.simulation.rig import LiveSimulatedRig
from controller.storage.games import games_folder
from controller.table.loop import RealTime
from controller.table.plan import GamePlan
from controller.table.rig import OpenedJournal, TableSpec, led_settings_or_default
from controller.ui.hosting.real_table import DeviceReport
from controller.ui.hosting.sentences import (
    NO_BUTTONS_BUT,
    NO_LEDS_BUT_SCREEN,
    ON_PAGE,
    WITH_KEYBOARD,
)
from controller.ui.sentences import DEVICE_IS
from controller.ui.terminal.sentences import NOTHING_STORED
from engine import games
from engine.sentences import Sentence
from tests.support.cli import Laserboard
from tests.support.play.simulated_rigs import Table
from tests.support.signals import default_signals

SEATS = (Seat("Ada"), Seat("Bob"))
START = GameSetup(games.make(), SEATS, setup_name="ace", board="demo-10x8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    games_folder().mkdir(parents=True)
    return games_folder()


def keep(path: Path) -> str:
    path.write_bytes(format_entry(next_entry(None, GAME, setup_body(START), 0)))
    return str(path)


def test_resume_accepts_the_option_fire(folder: Path, laserboard: Laserboard) -> None:
    keep(folder / "2026-03-01-1.journal")
    nowhere = ("--camera", "nonsense://")
    assert "there is no fire button" in laserboard.refuses("resume", *nowhere)
    assert "camera 'nonsense://'" in laserboard("resume", *nowhere, "--fire", "auto:3").err


def test_resume_uses_the_play_section_of_the_board_file(
    folder: Path, tmp_path: Path, laserboard: Laserboard
) -> None:
    keep(folder / "2026-03-01-1.journal")
    board = tmp_path / "mine.yaml"
    board.write_text(
        (SHIPPED_BOARDS_FOLDER / "demo-10x8.yaml").read_text() + "\nplay:\n  fire: auto\n"
    )
    ran = laserboard("resume", "--camera", "nonsense://", "--board", str(board))
    assert "camera 'nonsense://'" in ran.err


@pytest.mark.parametrize(
    ("flag", "value"), [("--red", "computer:3"), ("--blue", "human"), ("--clock", "5m")]
)
def test_resume_refuses_other_players_and_clocks(
    folder: Path, laserboard: Laserboard, flag: str, value: str
) -> None:
    keep(folder / "2026-03-01-1.journal")
    said = laserboard.refuses("simulate", "--fast", "--resume", "last", flag, value)
    assert said == f"laserboard: --resume and {flag}: a resumed game keeps its settings, give one\n"


def test_script_and_resume_exclude_each_other(laserboard: Laserboard) -> None:
    said = laserboard.refuses("simulate", "--script", "a.game", "--resume", "last")
    assert "--script and --resume" in said


def test_a_game_name_of_5000_characters_is_refused(laserboard: Laserboard) -> None:
    assert "there is no game 'xxx" in laserboard.refuses("resume", "x" * 5000)


def test_simulate_runs_with_standard_input_closed(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    ran = laserboard("simulate", "--fast", "--leds", "memory://")
    assert ran.status == 0
    assert "\nblue: \n" in ran.out


def test_resume_accepts_the_path_of_a_simulated_game(
    tmp_path: Path, laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    path = tmp_path / "mine.journal"
    simulated = GameSetup(games.make(), SEATS, setup_name="ace", board="demo-10x8", simulated=True)
    path.write_bytes(format_entry(next_entry(None, GAME, setup_body(simulated), 0)))
    ran = laserboard("resume", str(path))
    assert ran.status == 0, ran.err
    assert f"stored in {path}" in ran.err


def test_a_rig_whose_journal_cannot_be_opened_leaves_no_thread() -> None:
    def refuse(*_: object) -> OpenedJournal:
        raise OSError("no journal today")

    async def enter() -> None:
        plan = GamePlan(START, load_board_file("demo-10x8"))
        table_spec = TableSpec("demo-10x8", plan.board_file, plan.fitted_board, "memory://")
        room = LiveSimulatedRig(table_spec, START.first_position().pieces, refuse, StringIO())
        with pytest.raises(OSError, match="no journal today"):
            room.open()

    before = set(threading.enumerate())
    asyncio.run(enter())
    assert set(threading.enumerate()) <= before


def test_waking_a_closed_event_loop_does_nothing() -> None:
    async def begin() -> RealTime:
        return RealTime()

    asyncio.run(begin()).wake()


def test_hands_wait_for_frames_up_to_their_timeout(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def wait() -> None:
        async with table.set_up() as simulation:
            with pytest.raises(SimulationFailed, match="no image"):
                await Hands(simulation.loop, table.rig.world, timeout_ms=0.0).wait_frames(1)
            await Hands(simulation.loop, table.rig.world, timeout_ms=1e9).wait_frames(1)

    asyncio.run(wait())


def test_an_empty_journal_is_refused_by_name(folder: Path, laserboard: Laserboard) -> None:
    (folder / "2026-03-01-1.journal").touch()
    said = laserboard.refuses("resume")
    assert said.startswith("laserboard: cannot resume 2026-03-01-1: it holds no entry")


@pytest.mark.parametrize(
    ("how", "leds", "buttons"),
    [
        (("--page", "--port", "0"), "none, beams are on the screen", "none: fire on the page"),
        (("--fire", "auto:3"), "none", "none: moves fire by themselves"),
    ],
)
def test_missing_leds_and_buttons_are_reported_with_their_replacement(
    how: tuple[str, ...],
    leds: str,
    buttons: str,
    laserboard: Laserboard,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = [Pressed("power", system_clock().now_ms() + 500)]
    monkeypatch.setattr(pauses, "SHUTDOWN_DELAY_MS", 0.0)
    monkeypatch.setattr(NullButtons, "pressed", lambda _: [held.pop()] if held else [])
    camera = ("--camera", "sim://?width=960&height=540")
    ran = laserboard("play", "--board", "paper-10x8", *camera, "--voice", "none", *how)
    assert ran.status == 0, ran
    assert f"LEDs: {leds}" in ran.lines
    assert f"buttons: {buttons}" in ran.lines


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (False, [WITH_KEYBOARD()]),
        (True, [WITH_KEYBOARD(), ON_PAGE()]),
    ],
)
def test_without_buttons_the_report_names_the_keyboard(
    page: bool, expected: list[Sentence]
) -> None:
    report: list[Sentence] = []
    leds = open_leds(
        "none://", led_settings_or_default(load_board_file("paper-10x8")), SteppedClock()
    )
    devices: Any = SimpleNamespace(
        camera=SimpleNamespace(details=lambda: None),
        lights=SimpleNamespace(leds=leds),
        buttons=NullButtons(),
    )
    DeviceReport(devices, report.append, keyboard=True, page=page).check()
    leds.close()
    assert report == [
        DEVICE_IS(device="LEDs", details=NO_LEDS_BUT_SCREEN()),
        DEVICE_IS(device="buttons", details=NO_BUTTONS_BUT(screens=join_or(expected))),
    ]


@pytest.fixture
def ctrl_c_not_ignored() -> Iterator[None]:
    """A background job ignores SIGINT; asyncio handles it only in place of this handler."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_not_ignored")
def test_ctrl_c_at_a_real_table_closes_all_devices(
    folder: Path, laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls: list[None] = []

    def press_ctrl_c(_: NullButtons) -> list[Pressed]:
        polls.append(None)
        if len(polls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        assert len(polls) < 100, "the program ignores Ctrl-C"
        return []

    monkeypatch.setattr(NullButtons, "pressed", press_ctrl_c)
    threads = set(threading.enumerate())
    camera = ("--camera", "sim://?width=320&height=180")
    ran = laserboard("play", "--board", "paper-10x8", *camera, "--fire", "auto:3")
    assert (ran.status, ran.err) == (128 + signal.SIGINT, f"{NOTHING_STORED()}\n")
    assert ran.lines[0] == "Laser Chess on paper-10x8"
    assert set(threading.enumerate()) <= threads
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("players", "number"),
    [
        pytest.param("human", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("human", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("human", signal.SIGHUP, marks=pytest.mark.slow),
        pytest.param("computer:1", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("computer:1", signal.SIGTERM),
        pytest.param("computer:1", signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_the_program_without_a_traceback(
    tmp_path: Path, number: signal.Signals, players: str
) -> None:
    given = ("--fast", "--leds", "memory://", "--blue", players, "--red", players)
    program = subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", "simulate", *given],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        preexec_fn=default_signals,
    )
    assert program.stdout is not None
    for line in program.stdout:
        if line == "the board is set up\n":
            break
    if players == "human":
        assert program.stdout.read(len("blue: ")) == "blue: "
    program.send_signal(number)
    try:
        program.wait(60)  # stdin is still open
    finally:
        program.kill()
        _, complaint = program.communicate()
    assert (program.returncode, complaint) == (128 + number, "")
