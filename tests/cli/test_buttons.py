"""`laserboard buttons test`: its output, how it ends, and boards without buttons."""

from __future__ import annotations

import io
import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from controller.cli.main import build_parser
from controller.config.board_file import SHIPPED_BOARDS_FOLDER
from controller.devices.clock import ManualClock
from controller.ui.console import Console
from tests.support.cli import Laserboard
from tests.support.paths import ROOT
from tests.support.signals import default_signals

SCRIPT = "script://fire_0@1234.5,pause@2000,fire_0@2500,fire_1@3000,referee@4000,power@5000"


def run(*arguments: str) -> tuple[int, list[str], str]:
    """Status, lines and notes, on a manual clock."""
    out, err = io.StringIO(), io.StringIO()
    args = build_parser().parse_args(["buttons", "test", *arguments])
    status = args.run(args, Console(out, err, False, None, ManualClock()))
    return status, out.getvalue().splitlines(), err.getvalue()


def test_each_press_is_shown_with_its_time_and_the_remaining_buttons() -> None:
    status, lines, notes = run("--buttons", SCRIPT)
    assert lines == [
        "script://: press fire 0, fire 1, pause, referee, power",
        "   1.234 s  fire 0    still to press: fire 1, pause, referee, power",
        "   2.000 s  pause     still to press: fire 1, referee, power",
        "   2.500 s  fire 0    still to press: fire 1, referee, power",
        "   3.000 s  fire 1    still to press: referee, power",
        "   4.000 s  referee   still to press: power",
        "   5.000 s  power     every button works",
    ]
    assert (status, notes) == (0, "")


def test_after_the_timeout_the_unpressed_buttons_are_named() -> None:
    status, lines, notes = run("--buttons", SCRIPT, "--seconds", "3")
    assert lines[-1].startswith("   3.000 s  fire 1")
    assert notes == "not pressed: referee, power\n"
    assert status == 1


def test_a_board_without_buttons_is_refused() -> None:
    assert run("--buttons", "none://") == (1, [], "none://: there are no buttons to test\n")


def test_the_board_file_names_the_buttons(tmp_path: Path) -> None:
    board = tmp_path / "mine.yaml"
    text = (SHIPPED_BOARDS_FOLDER / "demo-10x8.yaml").read_text("utf-8")
    board.write_text(f'{text}\nbuttons: {{url: "script://pause@10"}}\n', "utf-8")
    _, lines, _ = run("--board", str(board), "--seconds", "1")
    assert lines[1].startswith("   0.010 s  pause")
    _, lines, _ = run("--board", str(board), "--buttons", SCRIPT, "--seconds", "2")
    assert lines[1].startswith("   1.234 s  fire 0"), "the command line overrides the board file"


def test_on_other_computers_than_a_pi_the_error_names_the_alternative(
    laserboard: Laserboard,
) -> None:
    if Path("/proc/device-tree/model").exists():
        pytest.skip("this may be a Raspberry Pi")
    refused = laserboard.refuses("buttons", "test")
    assert refused == "laserboard: not a Raspberry Pi: use --buttons keyboard://\n"


@pytest.mark.parametrize("url", ["keyboard", "buttons://", "script://fire 9@1", "gpio://3"])
def test_an_unknown_button_url_is_refused_in_one_line(laserboard: Laserboard, url: str) -> None:
    assert "buttons" in laserboard.refuses("buttons", "test", "--buttons", url)


def test_the_help_explains_keys_pins_and_long_presses(laserboard: Laserboard) -> None:
    text = " ".join(laserboard.prints("buttons", "--help").split())
    for lesson in (
        "a = fire 0, l = fire 1",
        "between its pin and ground",
        "held for 3 s",
        "Ctrl-C",
    ):
        assert lesson in text


def start(terminal: int, *more: str) -> subprocess.Popen[str]:
    command = ["buttons", "test", "--buttons", "keyboard://", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", *command],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=default_signals,
    )


def test_the_end_of_the_input_ends_the_test() -> None:
    with start(subprocess.DEVNULL, "--seconds", "80000") as program:
        _, err = program.communicate(timeout=60)
    assert program.returncode == 1
    assert err.startswith("keyboard://: the input has ended\nnot pressed: fire 0")


def test_a_real_keyboard_works_end_to_end() -> None:
    keyboard, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)
    with start(terminal) as program:
        os.write(keyboard, b"alpro")
        out, err = program.communicate(timeout=60)
    assert err == ""
    assert program.returncode == 0
    assert out.splitlines()[0].startswith("keyboard://: press fire 0")
    assert "every button works" in out
    assert termios.tcgetattr(terminal) == before
    for file in (keyboard, terminal):
        os.close(file)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_ctrl_c_restores_the_terminal(number: int, status: int) -> None:
    keyboard, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)
    with start(terminal) as program:
        assert program.stdout is not None
        assert program.stdout.readline().startswith("keyboard://: press")
        assert termios.tcgetattr(terminal) != before
        program.send_signal(number)
        _, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (status, "")
    assert termios.tcgetattr(terminal) == before
    for file in (keyboard, terminal):
        os.close(file)
