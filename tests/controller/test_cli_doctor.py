"""`laserboard doctor`: the simulated table is well, and every illness has its sentence."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from controller import wiring
from controller.agreement import GAME, Seat, Start, game_body
from controller.cli.console import Console
from controller.cli.doctor import told
from controller.config import load_board_file, write_board
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.player import ProcessPlayer
from controller.doctor import checks, devices, examination, machine
from controller.doctor.checks import Finding, Level
from controller.doctor.examination import Bench, Examination, attempt
from controller.doctor.patience import TooLong
from controller.game_store import games_folder
from controller.journal import Entry, following, recover, write_lines
from controller.pictures import save_picture
from controller.played import RESULT, result_body
from controller.ports import Clock
from engine import games, native
from engine.errors import LaserboardError
from engine.game import Outcome
from engine.spaceships import Spaceships
from tests.controller.cli import Laserboard
from tests.controller.patient_links import be_patient
from tests.controller.scripted_board import WELCOME, ScriptedBoard

EVERYTHING = [
    *("python", "file", "permissions", "camera", "light", "board", "pieces", "leds", "current"),
    *("buttons", "speaker", "voice", "computer", "disk", "clock", "games"),
]
SIMULATED = ("--camera", "sim://", "--leds", "sim://")
UNLIT = ("--camera", "sim://", "--leds", "memory://")
PLAY = "play: {game: laser-chess, setup: ace, voice: none}\n"


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, a place for games, and an espeak-ng that is silent."""
    tools = tmp_path / "tools"
    tools.mkdir()
    espeak = tools / "espeak-ng"
    espeak.write_text("#!/bin/sh\ncat > /dev/null\n")
    espeak.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(devices, "VOICE_MS", 300.0)
    monkeypatch.setattr(examination, "RATE_MS", 0.0)
    # A machine that is busy with other things is no worse a table.
    monkeypatch.setattr(checks, "SLOWEST_RATE_HZ", 0.0)
    monkeypatch.setattr(checks, "SLOW_SYNC_MS", 60_000.0)
    monkeypatch.setattr(devices, "LEDS_MS", 60_000.0)
    monkeypatch.setattr(examination, "PATIENCE_S", 90.0)
    return tmp_path


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedBoard]:
    be_patient(monkeypatch)
    with closing(ScriptedBoard()) as board:
        yield board


def examined(
    board: str = "demo-10x8", camera: str = "none", leds: str | None = "memory://", **more: Path
) -> Iterator[Finding]:
    """The findings, one by one, so that what comes later need not be waited for."""
    return Examination(Bench(board, SystemClock(), StringIO(), camera, leds, **more)).findings()


def the(name: str, findings: Iterator[Finding]) -> Finding:
    return next(each for each in findings if each.name == name)


def own_board(*lines: str) -> str:
    """A file in this folder: the demo board, and these lines."""
    Path("mine.yaml").write_text(
        write_board(load_board_file("demo-10x8").board) + "".join(lines), "utf-8"
    )
    return "./mine.yaml"


# -- all is well -----------------------------------------------------------------------------------


def test_the_simulated_table_is_well(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", *SIMULATED)
    assert ran.status == 0, ran
    signs = [(line[0], line[2:].split()[0]) for line in ran.lines if line[0] in "✓!✗-"]
    assert signs == [("✓", name) for name in EVERYTHING]
    assert "26 of the 26 pieces" in ran.out
    assert "80 LEDs, a picture shown" in ran.out
    assert ran.lines[-1] == "ready to play: `laserboard play`"


@pytest.mark.parametrize("board", ["photon-10x10", "hex-r5"])
def test_every_board_can_be_well(board: str, laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--board", board, *UNLIT, "--json")
    assert ran.status == 0
    assert {each["level"] for each in json.loads(ran.out)} == {"good"}, ran.out


def test_the_findings_can_be_read_by_programs(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--camera", "usb://99", "--leds", "memory://", "--json")
    assert ran.status == 1
    found = json.loads(ran.out)
    assert [each["name"] for each in found] == EVERYTHING
    camera = found[EVERYTHING.index("camera")]
    assert camera.keys() == {"name", "level", "sentence", "remedy"}
    assert camera["level"] == "bad"


def test_the_file_of_the_folder_is_the_one_to_check(laserboard: Laserboard) -> None:
    laserboard("init")
    ran = laserboard("doctor", "--camera", "usb://99", "--leds", "memory://")
    assert "Laser Chess on laserboard.yaml" in ran.out


# -- the board file --------------------------------------------------------------------------------


def test_a_mistake_in_the_board_file_is_told_and_the_rest_looked_at(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--board", own_board("play: {fier: auto}\n"), *UNLIT)
    assert ran.status == 1
    assert "✗ file        mine.yaml:12: play.fier: unknown key, did you mean 'fire'?" in ran.out
    assert "- camera      not looked at: a board file" in ran.out
    assert "✓ disk" in ran.out
    assert ran.lines[-1] == "not ready: put right file"


def test_a_board_that_does_not_exist_is_told(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--board", "demo-8x10", *UNLIT)
    assert ran.status == 1
    assert "there is no board 'demo-8x10', did you mean 'demo-10x8'?" in ran.out
    assert "name a board that is there" in ran.out


# -- eyes ------------------------------------------------------------------------------------------


def test_a_camera_that_is_not_plugged_in(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--camera", "usb://99", "--leds", "memory://")
    assert ran.status == 1
    assert "✗ camera      usb://99: there is no /dev/video99\n              -> plug the" in ran.out
    for name in ("light", "board", "pieces"):
        assert f"- {name:12}not looked at" in ran.out


def test_no_camera_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "find_cameras", list)
    bench = Bench("demo-10x8", SystemClock(), StringIO(), None, "memory://")
    found = the("camera", Examination(bench).findings())
    assert (found.level, found.sentence) == (Level.BAD, "no camera found")
    assert "plug in a USB camera" in found.remedy


def test_a_picture_too_dark_to_read(room: Path) -> None:
    (room / "dark").mkdir()
    for number in range(4):
        save_picture(room / "dark" / f"{number}.png", np.full((720, 1280), 12, np.uint8))
    findings = examined(camera=f"folder://{room / 'dark'}?fps=20")
    light = the("light", findings)
    assert (light.level, "more light" in light.remedy) == (Level.BAD, True)
    assert next(findings).level is Level.BAD  # the board
    assert next(findings).level is Level.SKIPPED  # the pieces


def test_a_picture_of_another_board_asks_for_the_right_file() -> None:
    found = the("board", examined("photon-10x10", camera="sim://demo-10x8"))
    assert found.level is Level.BAD
    assert "right board file" in f"{found.sentence} {found.remedy}"


def test_pieces_that_stand_elsewhere_are_no_reason_not_to_play() -> None:
    found = the("pieces", examined(own_board(PLAY), camera="sim://?setup=sophie"))
    assert found.level is Level.WARNING
    assert "for ace: " in found.remedy
    assert " more (`laserboard play` guides you through it)" in found.remedy


# -- LEDs, buttons and sound -----------------------------------------------------------------------


def test_a_board_that_cannot_drive_so_many_leds(scripted: ScriptedBoard) -> None:
    scripted.welcome = replace(WELCOME, most_leds=40)
    found = the("leds", examined(leds=f"serial://{scripted.path}"))
    assert found.level is Level.BAD
    assert "drives 40 LEDs" in found.sentence
    assert "the board file has 80" in found.sentence


def test_frames_that_were_damaged_on_the_way(scripted: ScriptedBoard) -> None:
    found = the("leds", examined(leds=f"serial://{scripted.path}"))
    assert found.level is Level.WARNING
    assert "8 bad crc, 7 overflow, 6 malformed" in found.remedy


def test_leds_that_are_not_plugged_in() -> None:
    found = the("leds", examined(leds="serial:///dev/ttyACM99"))
    assert found.level is Level.BAD
    assert "there is no /dev/ttyACM99" in found.sentence
    assert "plug the board in" in found.remedy


def test_no_leds_named_and_none_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "find_ports", list)
    found = the("leds", examined(leds=None))
    assert (found.level, "laserboard ports" in found.remedy) == (Level.WARNING, True)


def test_a_board_without_leds_needs_none() -> None:
    assert the("leds", examined("paper-10x8")).level is Level.GOOD


def test_buttons_are_named() -> None:
    found = the("buttons", examined(own_board('buttons: {url: "script://fire 0@10"}\n')))
    assert (found.level, "fire 0" in found.sentence) == (Level.GOOD, True)


def test_pins_where_there_are_none() -> None:
    findings = examined(own_board('buttons: {url: "gpio://"}\nspeaker: {url: "gpio://"}\n'))
    for name in ("buttons", "speaker"):
        found = the(name, findings)
        assert found.level is Level.BAD
        assert "Raspberry Pi" in found.sentence


def test_a_missing_espeak_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    found = devices.voice("auto", SystemClock(), StringIO())
    assert found.level is Level.WARNING
    assert "sudo apt install espeak-ng" in found.remedy


def test_an_espeak_that_cannot_be_heard_says_why(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "VOICE_MS", 20_000.0)
    (room / "tools" / "espeak-ng").write_text("#!/bin/sh\necho 'error: no ALSA' >&2\n")
    found = devices.voice("auto", SystemClock(), StringIO())
    assert found.level is Level.WARNING
    assert "is there a loudspeaker?" in found.remedy


def test_silence_that_was_asked_for_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert the("voice", examined(own_board(PLAY))).level is Level.GOOD


# -- the computer ----------------------------------------------------------------------------------


def test_a_computer_that_was_asked_to_play_what_it_cannot(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Spaceships, "computer_plays", lambda *_: False)
    text = write_board(load_board_file("hex-r5").board)
    (room / "hex.yaml").write_text(f"{text}play: {{players: [human, computer:2]}}\n", "utf-8")
    found = the("computer", examined("./hex.yaml"))
    assert found.level is Level.BAD
    assert "players: [human, human]" in found.remedy


def test_a_computer_player_that_fails_is_told_in_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(clock: Clock) -> ProcessPlayer:
        return ProcessPlayer(clock, ("/bin/sh", "-c", "echo 'no memory' >&2; exit 3"))

    monkeypatch.setattr(wiring, "open_player", failing)
    found = devices.computer(games.make(), True, SystemClock())
    assert found.level is Level.BAD
    assert found.sentence == "the program ended with 3: no memory"


def test_a_computer_player_without_its_core_is_told_to_be_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert devices.computer(games.make(), True, SystemClock()).level is Level.GOOD
    monkeypatch.setattr(native, "missing", lambda: "it is not built")
    found = devices.computer(games.make(), True, SystemClock())
    assert found.level is Level.WARNING
    assert "C compiler" in found.remedy


# -- disk and games --------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="no folder that nobody can write in")
def test_a_folder_that_cannot_be_written_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/sys/kernel")
    found = attempt("disk", lambda: machine.disk(SystemClock()))
    assert found.level is Level.BAD
    assert "cannot write /sys/kernel/laserboard" in found.sentence
    assert "set XDG_DATA_HOME to a folder of yours" in found.remedy


def test_the_disk_is_tried_and_nothing_left_on_it() -> None:
    assert attempt("disk", lambda: machine.disk(SystemClock())).level is Level.GOOD
    assert list(games_folder().iterdir()) == []


def kept(name: str, *, over: bool, torn: bytes = b"") -> None:
    start = Start(games.make("laser-chess"), (Seat("Ada"), Seat("Bob")), setup="ace")
    entries: list[Entry] = [following(None, GAME, game_body(start), 0)]
    if over:
        entries.append(following(entries[-1], RESULT, result_body(Outcome.win(0, "time")), 1))
    games_folder().mkdir(parents=True, exist_ok=True)
    (games_folder() / f"{name}.journal").write_bytes(write_lines(entries) + torn)


def test_games_that_can_go_on_are_named() -> None:
    kept("2026-03-01-1", over=False)
    kept("2026-03-01-2", over=True)
    found = machine.kept_games()
    assert found.level is Level.GOOD
    assert found.sentence == "2 kept, one can go on: 2026-03-01-1 (`laserboard resume`)"


def test_a_torn_journal_is_told_and_goes_on() -> None:
    kept("2026-03-01-1", over=False, torn=b'{"at_ms":1.0,"bef')
    found = machine.kept_games()
    assert found.level is Level.WARNING
    assert "one can go on: 2026-03-01-1" in found.sentence
    assert found.remedy.startswith("2026-03-01-1: line 2 ")


def test_a_damaged_journal_is_told_and_not_offered() -> None:
    kept("2026-03-01-1", over=False)
    path = games_folder() / "2026-03-01-1.journal"
    begun = recover(path.read_bytes()).entries[0]
    second = following(begun, "note", {"said": "hello"}, 1)
    lines = write_lines([begun, second, following(second, "note", {}, 2)])
    path.write_bytes(lines.replace(b"hello", b"jello"))
    found = machine.kept_games()
    assert (found.level, "can go on" in found.sentence) == (Level.WARNING, False)


def test_a_clock_behind_the_newest_game_is_noticed() -> None:
    kept("2099-12-31-1", over=True)
    found = machine.clocks(SystemClock())
    assert (found.level, "2099-12-31" in found.sentence) == (Level.WARNING, True)


# -- permissions -----------------------------------------------------------------------------------


def test_only_devices_that_are_to_be_used_must_be_allowed(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (room / "dev").mkdir()
    for name in ("video0", "ttyACM0", "gpiochip0", "null"):
        (room / "dev" / name).touch()
    monkeypatch.setattr(os, "access", lambda *_: False)

    def barred(board: str, camera: str, leds: str) -> str:
        return the("permissions", examined(board, camera, leds, devices=room / "dev")).sentence

    assert barred("demo-10x8", "sim://", "sim://") == "no device here that needs any"
    assert "video0" in barred("demo-10x8", "usb://0", "sim://")
    assert "ttyACM0" in barred("demo-10x8", "sim://", "serial://auto")
    assert "gpiochip0" not in barred("demo-10x8", "usb://0", "serial://auto")
    assert "gpiochip0" in barred(own_board('buttons: {url: "gpio://"}\n'), "sim://", "sim://")


# -- checks that fail ------------------------------------------------------------------------------


def failing(error: Exception) -> Finding:
    def check() -> Finding:
        raise error

    return attempt("leds", check, 10)


def test_a_check_that_fails_is_itself_a_finding() -> None:
    ours = failing(LaserboardError("it is broken; glue it"))
    assert ours == Finding("leds", Level.BAD, "it is broken", "glue it")
    defect = failing(KeyError("x"))
    assert (defect.sentence, "please report it" in defect.remedy) == ("KeyError: 'x'", True)
    late = failing(TooLong("no answer in 30 s"))
    assert (late.level, late.sentence) == (Level.BAD, "no answer in 30 s")


# -- how it looks ----------------------------------------------------------------------------------


def console(colour: bool = False, size: tuple[int, int] | None = None) -> Console:
    return Console(StringIO(), StringIO(), colour, size, ManualClock())


FOUND = Finding("disk", Level.BAD, "it is full of pictures of cats and dogs", "throw some away")


def test_a_terminal_without_unicode_gets_plain_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = console(size=(80, 24))
    assert told(FOUND, terminal).startswith("✗ disk        it")
    monkeypatch.setenv("LC_ALL", "de_DE.ISO-8859-1")
    assert told(FOUND, terminal).startswith("X disk        it")
    assert told(FOUND, terminal).isascii()
    assert told(FOUND, console()).startswith("✗")  # a file is UTF-8 in any language


def test_colours_are_only_for_the_sign() -> None:
    assert told(FOUND, console(colour=True)).startswith("\x1b[31m✗\x1b[0m disk ")


def test_a_narrow_terminal_is_kept_to() -> None:
    for width in range(30, 60):
        lines = told(FOUND, console(size=(width, 20))).splitlines()
        assert max(map(len, lines)) <= width
    assert all(line.startswith(" " * 14) for line in lines[1:])
