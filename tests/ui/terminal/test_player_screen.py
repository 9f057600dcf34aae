"""The player's screen: wrong URLs at the start, and the note at the end."""

from __future__ import annotations

import sys
from io import StringIO
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from controller.config.board_file import load_board_file
from controller.devices.factory.clocks import system_clock
from controller.devices.simulated.table import SimulatedTable, fit_view
from controller.devices.simulated.world import SimulatedWorld
from controller.session.journal import JournalEntry, format_entries, next_entry
from controller.session.referee.policy import RefereePolicies
from controller.session.replay import RESULT, TURN, result_body, turn_body
from controller.session.sentences import RESIGNED
from controller.session.setup import GAME, GameSetup, Seat, setup_body
from controller.storage.games import games_folder, list_journals
from controller.ui import console as consoles
from controller.ui.console import Console, program_name
from controller.ui.terminal.player_screen import print_kept_game
from controller.ui.terminal.sentences import NOTHING_STORED, STORED_TO_RESUME, STORED_TO_SHOW
from engine import games
from engine.game import Outcome
from tests.support.cli import Laserboard
from tests.support.lighting.scene_cases import laid
from tests.support.play.keyboard_sessions import session
from tests.support.play.refereed_play import Refereed
from vision.scene import CameraConditions

START = GameSetup(games.make("laser-chess"), (Seat("Ada"), Seat("Bob")), setup_name="ace")


@pytest.mark.parametrize(
    "wrong",
    [("--leds", "lamp://"), ("--camera", "eye://"), ("--speaker", "horn://"), ("--voice", "loud")],
)
def test_a_wrong_url_starts_no_game(
    wrong: tuple[str, str], laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    devices = {"--camera": "sim://", "--leds": "none://", "--voice": "none"} | dict([wrong])
    named = [word for pair in devices.items() for word in pair]
    done = laserboard("play", "--board", "demo-10x8", "--fire", "auto:3", *named)
    assert done.status == 2
    assert wrong[1].removesuffix("://") in done.err
    assert list_journals(games_folder()) == []
    assert "stored in" not in done.err


def journal(path: Path, *results: Outcome, turns: int = 1) -> Path:
    first = next_entry(None, GAME, setup_body(START), 0.0)
    entries: list[JournalEntry] = [first]
    for turn in islice(START.game.turns(START.first_position()), turns):
        entries.append(next_entry(first, TURN, turn_body(START.game, turn), 0.0))
    for outcome in results:
        entries.append(next_entry(entries[-1], RESULT, result_body(outcome), 0.0))
    path.write_bytes(format_entries(entries))
    return path


def note_for(path: Path | None) -> str:
    reported = StringIO()
    print_kept_game(path, Console(StringIO(), reported, False, None, system_clock()))
    return reported.getvalue()


def test_the_note_says_how_to_resume_or_show_the_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.journal"
    assert note_for(None) == ""
    resumable = STORED_TO_RESUME(path=str(path), program="laserboard")
    assert note_for(journal(path)) == f"{resumable}\n"
    over = STORED_TO_SHOW(path=str(path), program="laserboard", game="mine")
    assert note_for(journal(path, Outcome.win(0, RESIGNED()))) == f"{over}\n"


@pytest.mark.parametrize("events", ["blue resigns", "red calls the referee", "300 s pass"])
def test_a_refereed_game_without_turns_is_kept(events: str, tmp_path: Path) -> None:
    table = Refereed(RefereePolicies())
    table.does(events)
    path = tmp_path / "2026-03-01-1.journal"
    path.write_bytes(format_entries(table.entries()))
    stored = (
        STORED_TO_RESUME(path=str(path), program="laserboard"),
        STORED_TO_SHOW(path=str(path), program="laserboard", game=path.stem),
    )
    assert note_for(path).rstrip() in map(str, stored)
    assert path.exists()


def test_a_game_without_turns_is_not_kept(tmp_path: Path) -> None:
    path = journal(tmp_path / "mine.journal", turns=0)
    assert note_for(path) == f"{NOTHING_STORED()}\n"
    assert not path.exists()


@pytest.mark.parametrize(
    ("given", "found", "reported"),
    [
        (".venv/bin/laserboard", None, ".venv/bin/laserboard"),
        ("/home/ada/bin/laserboard", "/home/ada/bin/laserboard", "laserboard"),
        ("/usr/bin/pytest", None, "laserboard"),
    ],
)
def test_the_printed_command_can_be_run_in_a_shell(
    given: str, found: str | None, reported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [given])
    monkeypatch.setattr(consoles, "which", lambda _: found)
    assert program_name() == reported


@pytest.mark.parametrize("count", [0, 80, 91, 120])
def test_the_led_glow_is_drawn_for_any_number_of_leds(count: int) -> None:
    now = session("spaceships")
    board, layout = load_board_file("hex-r5").board, laid("hex-r5").for_grid(now.position.grid)
    table = SimulatedTable(board, now.game, fit_view(board, 320, 240), CameraConditions())
    pixels = np.full((count, 3), 255, np.uint8)
    SimulatedWorld(table, layout, lambda: pixels).apply_led_glow()
    assert len(table.snapshot().scene.led_lights) == min(count, 91)
