"""`laserboard doctor`: a simulated table passes, and every problem has a sentence and a remedy."""

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

from controller.builder import sentences
from controller.builder.doctor import checks, device_checks, host_checks, run
from controller.builder.doctor.checks import Finding, Severity
from controller.builder.doctor.problems import KnownProblem
from controller.builder.doctor.run import DoctorOptions, DoctorRun, run_check
from controller.builder.doctor.timeout import CheckTimedOut
from controller.config.board_file import load_board_file, write_board
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.players.process_player import ProcessPlayer
from controller.devices.sentences import (
    ALLOW_WRITING,
    CANNOT_WRITE,
    CHECK_LOUDSPEAKER,
    LIST_PORTS,
    NO_SUCH_DEVICE,
    NOT_A_PI,
    PLAYER_ENDED,
    PLUG_BOARD_IN,
    THE_PROGRAM,
    TOO_MANY_LEDS,
)
from controller.ports.buttons import BUTTONS
from controller.ports.devices import Clock
from controller.ports.sentences import REMEDY
from controller.session.journal import JournalEntry, format_entries, next_entry, recover
from controller.session.replay import RESULT, result_body
from controller.session.sentences import OUT_OF_TIME, with_reasons
from controller.session.setup import GAME, GameSetup, Seat, setup_body
from controller.storage.games import games_folder
from controller.storage.image_files import save_png
from controller.ui.commands.doctor import finding_text
from controller.ui.console import Console
from engine import games, native
from engine.errors import LaserboardError
from engine.game import Outcome
from engine.sentences import joined, plain
from engine.spaceships import Spaceships
from tests.support.cli import Laserboard
from tests.support.devices.long_timeout_links import use_long_timeouts
from tests.support.devices.scripted_led_board import WELCOME, ScriptedBoard
from tests.support.engine.sentences import mentions
from vision.sentences import WRONG_BOARD

EVERYTHING = [
    *("python", "file", "permissions", "camera", "light", "board", "pieces", "leds", "current"),
    *("buttons", "speaker", "voice", "computer", "disk", "clock", "games"),
]
SIMULATED = ("--camera", "sim://", "--leds", "sim://")
UNLIT = ("--camera", "sim://", "--leds", "memory://")
PLAY = "play: {game: laser-chess, setup: ace, voice: none}\n"


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, a games folder, and a silent fake espeak-ng."""
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
    monkeypatch.setattr(device_checks, "VOICE_TIMEOUT_MS", 300.0)
    monkeypatch.setattr(run, "RATE_WINDOW_MS", 0.0)
    # A busy test machine must not fail the speed checks.
    monkeypatch.setattr(checks, "MIN_FRAME_RATE_HZ", 0.0)
    monkeypatch.setattr(checks, "SLOW_SYNC_MS", 60_000.0)
    monkeypatch.setattr(device_checks, "LEDS_TIMEOUT_MS", 60_000.0)
    monkeypatch.setattr(run, "CHECK_TIMEOUT_S", 90.0)
    return tmp_path


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedBoard]:
    use_long_timeouts(monkeypatch)
    with closing(ScriptedBoard()) as board:
        yield board


def examined(
    board: str = "demo-10x8", camera: str = "none", leds: str | None = "memory://", **more: Path
) -> Iterator[Finding]:
    """The findings, lazily: tests need not wait for the later checks."""
    return DoctorRun(
        DoctorOptions(board, SystemClock(), StringIO(), camera, leds, **more)
    ).findings()


def the(name: str, findings: Iterator[Finding]) -> Finding:
    return next(each for each in findings if each.name == name)


def own_board(*lines: str) -> str:
    """Write a board file: the demo board with these lines appended."""
    Path("mine.yaml").write_text(
        write_board(load_board_file("demo-10x8").board) + "".join(lines), "utf-8"
    )
    return "./mine.yaml"


# -- everything passes -----------------------------------------------------------------------------


def test_a_simulated_table_passes_every_check(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", *SIMULATED)
    assert ran.status == 0, ran
    signs = [(line[0], line[2:].split()[0]) for line in ran.lines if line[0] in "✓!✗-"]
    assert signs == [("✓", name) for name in EVERYTHING]
    assert "26 of the 26 pieces" in ran.out
    assert "80 LEDs, a picture shown" in ran.out
    assert ran.lines[-1] == "ready to play: `laserboard play`"


@pytest.mark.parametrize("board", ["photon-10x10", "hex-r5"])
def test_every_shipped_board_can_pass(board: str, laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--board", board, *UNLIT, "--json")
    assert ran.status == 0
    assert {each["level"] for each in json.loads(ran.out)} == {"good"}, ran.out


def test_the_findings_have_a_json_form(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--camera", "usb://99", "--leds", "memory://", "--json")
    assert ran.status == 1
    found = json.loads(ran.out)
    assert [each["name"] for each in found] == EVERYTHING
    camera = found[EVERYTHING.index("camera")]
    assert camera.keys() == {"name", "level", "sentence", "remedy"}
    assert camera["level"] == "bad"


def test_the_board_file_in_the_folder_is_checked(laserboard: Laserboard) -> None:
    laserboard("init")
    ran = laserboard("doctor", "--camera", "usb://99", "--leds", "memory://")
    assert "Laser Chess on laserboard.yaml" in ran.out


# -- the board file --------------------------------------------------------------------------------


def test_an_error_in_the_board_file_does_not_stop_the_other_checks(
    laserboard: Laserboard,
) -> None:
    ran = laserboard("doctor", "--board", own_board("play: {fier: auto}\n"), *UNLIT)
    assert ran.status == 1
    assert "✗ file        mine.yaml:12: play.fier: unknown key, did you mean 'fire'?" in ran.out
    assert "- camera      not checked: the board file" in ran.out
    assert "✓ disk" in ran.out
    assert ran.lines[-1] == "not ready: fix file"


def test_a_board_that_does_not_exist_is_reported(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--board", "demo-8x10", *UNLIT)
    assert ran.status == 1
    assert "there is no board 'demo-8x10', did you mean 'demo-10x8'?" in ran.out
    assert "name a board file that exists" in ran.out


# -- the camera ------------------------------------------------------------------------------------


def test_a_camera_that_is_not_plugged_in_is_bad(laserboard: Laserboard) -> None:
    ran = laserboard("doctor", "--camera", "usb://99", "--leds", "memory://")
    assert ran.status == 1
    assert "✗ camera      usb://99: there is no /dev/video99\n              -> plug the" in ran.out
    for name in ("light", "board", "pieces"):
        assert f"- {name:12}not checked" in ran.out


def test_a_computer_without_a_camera_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.builder.doctor.run.find_cameras", list)
    bench = DoctorOptions("demo-10x8", SystemClock(), StringIO(), None, "memory://")
    found = the("camera", DoctorRun(bench).findings())
    assert (found.level, found.sentence) == (Severity.BAD, sentences.NO_CAMERA_FOUND())
    assert found.remedy == sentences.REMEDY_NO_CAMERA()


def test_a_dark_image_is_bad(room: Path) -> None:
    (room / "dark").mkdir()
    for number in range(4):
        save_png(room / "dark" / f"{number}.png", np.full((720, 1280), 12, np.uint8))
    findings = examined(camera=f"folder://{room / 'dark'}?fps=20")
    light = the("light", findings)
    assert (light.level, light.remedy) == (Severity.BAD, sentences.MORE_LIGHT())
    assert next(findings).level is Severity.BAD  # the board
    assert next(findings).level is Severity.SKIPPED  # the pieces


def test_an_image_of_another_board_is_reported_with_the_right_board_file() -> None:
    found = the("board", examined("photon-10x10", camera="sim://demo-10x8"))
    assert found.level is Severity.BAD
    assert found.sentence == sentences.BOARD_NOT_FOUND()
    assert found.remedy == WRONG_BOARD(tags=("26", "27", "28", "29"), board="photon-10x10")


def test_pieces_on_other_cells_are_no_problem() -> None:
    found = the("pieces", examined(own_board(PLAY), camera="sim://?setup=sophie"))
    assert found.level is Severity.WARNING
    assert found.remedy is not None
    assert found.remedy.key == sentences.SETUP_DIFFERS.key
    assert found.remedy.slots["setup"] == "ace"
    assert mentions(found.remedy, sentences.AND_MORE(count=38))


# -- LEDs, buttons and sound -----------------------------------------------------------------------


def test_an_led_board_that_drives_fewer_leds_is_bad(scripted: ScriptedBoard) -> None:
    scripted.welcome = replace(WELCOME, max_leds=40)
    found = the("leds", examined(leds=f"serial://{scripted.path}"))
    assert found.level is Severity.BAD
    too_many = TOO_MANY_LEDS(path=scripted.path, max_leds=40, max_lanes=4, leds=80, lanes=1)
    assert mentions(found.sentence, too_many)


def test_damaged_led_frames_are_reported(scripted: ScriptedBoard) -> None:
    found = the("leds", examined(leds=f"serial://{scripted.path}"))
    assert found.level is Severity.WARNING
    counters = {"bad crc": 8, "overflow": 7, "malformed": 6}
    counts = tuple(
        sentences.ERROR_COUNT(count=count, counter=name) for name, count in counters.items()
    )
    assert found.remedy == sentences.REMEDY_LEDS_DAMAGED(counts=counts)


def test_leds_that_are_not_plugged_in_are_bad() -> None:
    found = the("leds", examined(leds="serial:///dev/ttyACM99"))
    assert found.level is Severity.BAD
    assert mentions(found.sentence, NO_SUCH_DEVICE(path="/dev/ttyACM99"))
    assert found.remedy == joined((PLUG_BOARD_IN(), LIST_PORTS()))


def test_leds_neither_named_nor_found_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.builder.doctor.device_checks.find_serial_ports", list)
    found = the("leds", examined(leds=None))
    assert (found.level, found.remedy) == (Severity.WARNING, sentences.REMEDY_LEDS_NOT_FOUND())


def test_a_board_without_leds_passes() -> None:
    assert the("leds", examined("paper-10x8")).level is Severity.GOOD


def test_the_buttons_are_listed() -> None:
    found = the("buttons", examined(own_board('buttons: {url: "script://fire 0@10"}\n')))
    listed = sentences.BUTTONS_FOUND(url="script://", buttons=BUTTONS)
    assert (found.level, found.sentence) == (Severity.GOOD, listed)


def test_gpio_buttons_on_a_computer_without_gpio_are_bad() -> None:
    findings = examined(own_board('buttons: {url: "gpio://"}\nspeaker: {url: "gpio://"}\n'))
    for name in ("buttons", "speaker"):
        found = the(name, findings)
        assert found.level is Severity.BAD
        assert mentions(found.sentence, NOT_A_PI)


def test_a_missing_espeak_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    found = device_checks.check_voice("auto", SystemClock(), StringIO())
    assert found.level is Severity.WARNING
    assert found.remedy == sentences.REMEDY_NO_ESPEAK()


def test_espeak_without_a_sound_device_is_reported_with_the_reason(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_checks, "VOICE_TIMEOUT_MS", 20_000.0)
    (room / "tools" / "espeak-ng").write_text("#!/bin/sh\necho 'error: no ALSA' >&2\n")
    found = device_checks.check_voice("auto", SystemClock(), StringIO())
    assert found.level is Severity.WARNING
    assert found.remedy == CHECK_LOUDSPEAKER()


def test_voice_none_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert the("voice", examined(own_board(PLAY))).level is Severity.GOOD


# -- the computer ----------------------------------------------------------------------------------


def test_a_computer_player_for_a_game_it_cannot_play_is_bad(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Spaceships, "computer_plays", lambda *_: False)
    text = write_board(load_board_file("hex-r5").board)
    (room / "hex.yaml").write_text(f"{text}play: {{players: [human, computer:2]}}\n", "utf-8")
    found = the("computer", examined("./hex.yaml"))
    assert found.level is Severity.BAD
    assert found.remedy == sentences.REMEDY_COMPUTER_CANNOT_PLAY()


def test_a_computer_player_that_fails_is_reported_with_its_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(clock: Clock) -> ProcessPlayer:
        return ProcessPlayer(clock, ("/bin/sh", "-c", "echo 'no memory' >&2; exit 3"))

    monkeypatch.setattr("controller.builder.doctor.device_checks.open_computer_player", failing)
    found = device_checks.check_computer(games.make(), True, SystemClock())
    assert found.level is Severity.BAD
    ended = PLAYER_ENDED(player=THE_PROGRAM(), code=3)
    assert found.sentence == with_reasons(ended, [plain("no memory")])


def test_a_computer_player_without_the_compiled_core_is_reported_as_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert device_checks.check_computer(games.make(), True, SystemClock()).level is Severity.GOOD
    monkeypatch.setattr(native, "missing_reason", lambda: "it is not built")
    found = device_checks.check_computer(games.make(), True, SystemClock())
    assert found.level is Severity.WARNING
    assert found.remedy == sentences.REMEDY_NO_COMPILED_CORE()


# -- disk and games --------------------------------------------------------------------------------


@pytest.mark.skipif(
    not Path("/sys/kernel").is_dir(), reason="needs a folder that not even root can write to"
)
def test_a_read_only_games_folder_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/sys/kernel")
    found = run_check("disk", lambda: host_checks.check_disk(SystemClock()))
    assert found.level is Severity.BAD
    assert mentions(found.sentence, CANNOT_WRITE)
    assert found.remedy == ALLOW_WRITING(folder="/sys/kernel/laserboard/games")


def test_the_disk_test_leaves_no_file() -> None:
    assert run_check("disk", lambda: host_checks.check_disk(SystemClock())).level is Severity.GOOD
    assert list(games_folder().iterdir()) == []


ONE_RESUMABLE = sentences.ONE_RESUMABLE(games=plain("2026-03-01-1"))


def kept(name: str, *, over: bool, torn: bytes = b"") -> None:
    start = GameSetup(games.make("laser-chess"), (Seat("Ada"), Seat("Bob")), setup_name="ace")
    entries: list[JournalEntry] = [next_entry(None, GAME, setup_body(start), 0)]
    if over:
        entries.append(
            next_entry(entries[-1], RESULT, result_body(Outcome.win(0, OUT_OF_TIME())), 1)
        )
    games_folder().mkdir(parents=True, exist_ok=True)
    (games_folder() / f"{name}.journal").write_bytes(format_entries(entries) + torn)


def test_resumable_games_are_named() -> None:
    kept("2026-03-01-1", over=False)
    kept("2026-03-01-2", over=True)
    found = host_checks.check_stored_games()
    assert found.level is Severity.GOOD
    assert found.sentence == joined((sentences.GAMES_STORED(count=2), ONE_RESUMABLE), ", ")


def test_a_torn_journal_is_reported_as_resumable() -> None:
    kept("2026-03-01-1", over=False, torn=b'{"at_ms":1.0,"bef')
    found = host_checks.check_stored_games()
    assert found.level is Severity.WARNING
    assert found.sentence == joined((sentences.GAMES_STORED(count=1), ONE_RESUMABLE), ", ")
    assert found.remedy is not None
    assert found.remedy.key == sentences.GAME_DAMAGED.key
    assert found.remedy.slots["game"] == "2026-03-01-1"


def test_a_damaged_journal_is_reported_and_not_offered() -> None:
    kept("2026-03-01-1", over=False)
    path = games_folder() / "2026-03-01-1.journal"
    begun = recover(path.read_bytes()).entries[0]
    second = next_entry(begun, "note", {"said": "hello"}, 1)
    lines = format_entries([begun, second, next_entry(second, "note", {}, 2)])
    path.write_bytes(lines.replace(b"hello", b"jello"))
    found = host_checks.check_stored_games()
    assert (found.level, found.sentence) == (Severity.WARNING, sentences.GAMES_STORED(count=1))


def test_a_clock_behind_the_newest_game_is_reported() -> None:
    kept("2099-12-31-1", over=True)
    found = host_checks.check_clocks(SystemClock())
    assert (found.level, found.sentence.slots["day"]) == (Severity.WARNING, "2099-12-31")
    assert found.sentence.key == sentences.CLOCK_BEHIND_GAME.key


# -- permissions -----------------------------------------------------------------------------------


def test_permissions_are_checked_only_for_devices_in_use(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (room / "dev").mkdir()
    for name in ("video0", "ttyACM0", "gpiochip0", "null"):
        (room / "dev" / name).touch()
    monkeypatch.setattr(os, "access", lambda *_: False)

    def barred(board: str, camera: str, leds: str) -> str:
        findings = examined(board, camera, leds, devices=room / "dev")
        return str(the("permissions", findings).sentence)

    assert barred("demo-10x8", "sim://", "sim://") == "no device needs any"
    assert "video0" in barred("demo-10x8", "usb://0", "sim://")
    assert "ttyACM0" in barred("demo-10x8", "sim://", "serial://auto")
    assert "gpiochip0" not in barred("demo-10x8", "usb://0", "serial://auto")
    assert "gpiochip0" in barred(own_board('buttons: {url: "gpio://"}\n'), "sim://", "sim://")


# -- checks that fail ------------------------------------------------------------------------------


def failing(error: Exception) -> Finding:
    def check() -> Finding:
        raise error

    return run_check("leds", check, 10)


def test_a_check_that_raises_is_reported_as_a_finding() -> None:
    broken, glue = plain("it is broken"), plain("glue it")
    ours = failing(LaserboardError(REMEDY(problem=broken, remedy=glue)))
    assert ours == Finding("leds", Severity.BAD, broken, glue)
    defect = failing(KeyError("x"))
    assert defect.sentence == sentences.DEFECT(error="KeyError", message="'x'")
    assert defect.remedy == KnownProblem.PROGRAM_DEFECT.remedy()
    late = failing(CheckTimedOut("no answer in 30 s"))
    assert (late.level, str(late.sentence)) == (Severity.BAD, "no answer in 30 s")


def test_a_defect_in_a_check_is_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    failing(KeyError("x"))
    assert caplog.records[-1].exc_info is not None
    assert "the check leds failed" in caplog.text


# -- output ----------------------------------------------------------------------------------------


def console(colour: bool = False, size: tuple[int, int] | None = None) -> Console:
    return Console(StringIO(), StringIO(), colour, size, ManualClock())


FOUND = Finding(
    "disk",
    Severity.BAD,
    plain("it is full of pictures of cats and dogs"),
    plain("throw some away"),
)


def test_a_terminal_without_unicode_gets_ascii_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = console(size=(80, 24))
    assert finding_text(FOUND, terminal).startswith("✗ disk        it")
    monkeypatch.setenv("LC_ALL", "de_DE.ISO-8859-1")
    assert finding_text(FOUND, terminal).startswith("X disk        it")
    assert finding_text(FOUND, terminal).isascii()
    # The encoding of a file does not depend on the locale.
    assert finding_text(FOUND, console()).startswith("✗")


def test_only_the_mark_is_coloured() -> None:
    assert finding_text(FOUND, console(colour=True)).startswith("\x1b[31m✗\x1b[0m disk ")


def test_lines_are_wrapped_to_a_narrow_terminal() -> None:
    for width in range(30, 60):
        lines = finding_text(FOUND, console(size=(width, 20))).splitlines()
        assert max(map(len, lines)) <= width
    assert all(line.startswith(" " * 14) for line in lines[1:])
