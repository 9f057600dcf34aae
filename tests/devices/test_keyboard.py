"""Keys from a pty and from lines, and the restored terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.clock import ManualClock, SystemClock
from controller.devices.keyboard import ESCAPE_TIMEOUT_MS, TerminalKeys, decode_keys
from controller.ports.keyboard import Keys
from tests.support.engine.random_play import examples
from tests.support.paths import ROOT

NAMES = {"up", "down", "left", "right", "home", "end", "delete", "enter", "space", "tab",
         "backspace", "esc", "ctrl-c", "eof", "redraw"}  # fmt: skip


@dataclass
class Terminal:
    """A pty with a keyboard; keys arrive with a delay."""

    keyboard: int
    file: int

    def shows_keys(self) -> bool:
        return bool(termios.tcgetattr(self.file)[3] & (termios.ECHO | termios.ICANON))

    def types(self, keys: TerminalKeys, text: bytes, fewest: int) -> list[str]:
        os.write(self.keyboard, text)
        real, reported = SystemClock(), list[str]()
        end_ms = real.now_ms() + 20_000
        while len(reported) < fewest and real.now_ms() < end_ms:
            reported += keys.pressed()
            real.wait_ms(1)
        return reported


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal(*pty.openpty())
    yield made
    os.close(made.keyboard)
    os.close(made.file)


# -- keys --------------------------------------------------------------------------------------


def test_escape_sequences_are_decoded_to_key_names(terminal: Terminal) -> None:
    keys: Keys = TerminalKeys(terminal.file, ManualClock())
    assert isinstance(keys, TerminalKeys)
    typed = b"j4 \x1b[A\x1bOB\x1b[1;5C\x1b[D\x1b[3~\x7f\tR?\xc3\xa9\n\x0c"
    reported = terminal.types(keys, typed, 15)
    assert reported == [
        *("j", "4", "space", "up", "down", "right", "left", "delete", "backspace", "tab"),
        *("R", "?", "é", "enter", "redraw"),
    ]
    keys.close()


def test_a_character_or_a_sequence_may_arrive_in_two_parts(terminal: Terminal) -> None:
    keys = TerminalKeys(terminal.file, ManualClock())
    assert terminal.types(keys, b"a\xc3", 1) == ["a"]
    assert terminal.types(keys, b"\xa9b\x1b", 2) == ["é", "b"]
    assert terminal.types(keys, b"[", 0) == []
    assert terminal.types(keys, b"Ax", 2) == ["up", "x"]
    keys.close()


def test_escape_alone_is_a_key_after_its_timeout(terminal: Terminal) -> None:
    clock = ManualClock()
    keys = TerminalKeys(terminal.file, clock)
    assert terminal.types(keys, b"x\x1b", 1) == ["x"]
    assert keys.escape_pending
    clock.wait_ms(ESCAPE_TIMEOUT_MS - 1)
    assert keys.pressed() == []
    clock.wait_ms(1)
    assert keys.pressed() == ["esc"]
    assert not keys.escape_pending
    assert keys.pressed() == []
    keys.close()


def test_a_letter_long_after_escape_is_a_letter(
    terminal: Terminal,
) -> None:
    clock = ManualClock()
    keys = TerminalKeys(terminal.file, clock)
    assert terminal.types(keys, b"x\x1b", 1) == ["x"]
    clock.wait_ms(10 * ESCAPE_TIMEOUT_MS)
    assert terminal.types(keys, b"j", 2) == ["esc", "j"]
    keys.close()


def test_ctrl_d_ends_the_input_once(terminal: Terminal) -> None:
    keys = TerminalKeys(terminal.file, ManualClock())
    assert terminal.types(keys, b"a\x04b", 2) == ["a", "eof"]
    assert keys.pressed() == []
    keys.close()


def test_a_hang_up_of_the_terminal_ends_the_input() -> None:
    keyboard, file = pty.openpty()
    keys = TerminalKeys(file, ManualClock())
    os.close(keyboard)
    assert keys.pressed() == ["eof"]
    assert keys.pressed() == []
    keys.close()
    os.close(file)


def test_any_typed_text_becomes_keys_with_known_names() -> None:
    @examples(300)
    @given(st.text(alphabet=st.sampled_from("ab\x1b[O;1~A?\x00\x7f\r\té\x9b\u202e"), max_size=12))
    def check(text: str) -> None:
        for key in decode_keys(text):
            assert key in NAMES or (len(key) == 1 and key.isprintable())

    check()


# -- lines -------------------------------------------------------------------------------------


def test_lines_are_returned_one_by_one_and_the_end_once() -> None:
    reading, writing = os.pipe()
    keys = TerminalKeys(reading, ManualClock())
    os.write(writing, b"j4j3\n\n  Fire \nha")
    assert keys.pressed() == ["/", *"j4j3", "enter", "/", *"Fire", "enter"]
    os.write(writing, b"lf")
    os.close(writing)
    assert keys.pressed() == ["/", *"half", "enter", "eof"]
    assert keys.pressed() == []
    keys.close()
    os.close(reading)


# -- the terminal afterwards -------------------------------------------------------------------


def test_the_terminal_is_restored_and_the_callback_called(terminal: Terminal) -> None:
    before = termios.tcgetattr(terminal.file)
    reported: list[str] = []
    keys = TerminalKeys(terminal.file, ManualClock(), lambda: reported.append("away"))
    flags = termios.tcgetattr(terminal.file)[3]
    assert not terminal.shows_keys()
    assert flags & termios.ISIG
    keys.close()
    keys.close()
    assert termios.tcgetattr(terminal.file) == before
    assert reported == ["away"]
    assert keys.pressed() == []


def test_signal_handlers_are_restored(terminal: Terminal) -> None:
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGCONT)
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored under `nohup`
    try:
        before = [signal.getsignal(number) for number in numbers]
        keys = TerminalKeys(terminal.file, ManualClock())
        assert all(signal.getsignal(n) != b for n, b in zip(numbers, before, strict=True))
        keys.close()
        assert [signal.getsignal(number) for number in numbers] == before
    finally:
        signal.signal(signal.SIGHUP, hang_up)


PLAYER = """
import os
from controller.devices.clock import SystemClock
from controller.devices.keyboard import TerminalKeys
# Not by print: a signal may come while that is not done, and none may begin in another.
def say(word): os.write(1, f"{word}\\n".encode())
clock = SystemClock()
keys = TerminalKeys(0, clock, lambda: say("away"), lambda: say("back"))
say("ready")
while True:
    for key in keys.pressed():
        say(key)
        if key == "x": raise SystemExit("as asked")
        if key == "e": raise ZeroDivisionError
    clock.wait_ms(1)
"""


@dataclass
class Program:
    """A process that reads keys from a pty."""

    terminal: Terminal
    process: subprocess.Popen[str]

    def read_until(self, word: str) -> list[str]:
        """All its output lines up to that word."""
        assert self.process.stdout is not None
        words: list[str] = []
        while not words or words[-1] != word:
            line = self.process.stdout.readline()
            assert line, f"it ended after {words}"
            words.append(line.strip())
        return words

    def types(self, text: bytes) -> None:
        os.write(self.terminal.keyboard, text)


@pytest.fixture
def program(terminal: Terminal) -> Iterator[Program]:
    with subprocess.Popen(
        [sys.executable, "-c", PLAYER],
        stdin=terminal.file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        process_group=0,
    ) as process:
        made = Program(terminal, process)
        made.read_until("ready")
        yield made
        process.kill()
        process.wait()


def test_the_terminal_is_restored_after_any_signal(program: Program) -> None:
    assert not program.terminal.shows_keys()
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(60) == -signal.SIGTERM
    assert program.terminal.shows_keys()
    assert program.read_until("away") == ["away"]


@pytest.mark.parametrize("key", [b"x", b"e"])
def test_the_terminal_is_restored_after_an_error_or_an_exit(program: Program, key: bytes) -> None:
    program.types(key)
    program.read_until("away")
    assert program.process.wait(60) == 1
    assert program.terminal.shows_keys()


def test_ctrl_z_restores_the_terminal_until_the_program_continues(program: Program) -> None:
    program.process.send_signal(signal.SIGTSTP)
    _, status = os.waitpid(program.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert program.terminal.shows_keys()
    assert program.read_until("away") == ["away"]
    program.process.send_signal(signal.SIGCONT)
    assert program.read_until("redraw")[0] == "back"
    assert not program.terminal.shows_keys()
    program.types(b"a")
    program.read_until("a")
    program.process.send_signal(signal.SIGTSTP)  # and once more
    _, status = os.waitpid(program.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert program.terminal.shows_keys()
    program.process.send_signal(signal.SIGCONT)
    program.read_until("redraw")
    program.types(b"x")
    program.read_until("away")
