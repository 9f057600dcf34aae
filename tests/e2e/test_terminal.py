"""The whole program in a pty, in real time, with typed keys."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.devices.hostile_programs import Behaviour, Server, answer, says
from tests.support.signals import default_signals

pytestmark = pytest.mark.slow

TIMEOUT_S = 120.0
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CUT_OFF = re.compile(r"\x1b(\[[0-9;?]*)?$")


class Terminal:
    """A program in a pty."""

    def __init__(self, folder: Path, *arguments: str, size: tuple[int, int] = (100, 34)) -> None:
        self._near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", *reversed(size), 0, 0))
        environment = os.environ | {
            "TERM": "xterm-256color",
            "XDG_DATA_HOME": str(folder),
            "PYTHONUNBUFFERED": "1",
        }
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "controller.cli.main", *arguments],
            stdin=far,
            stdout=far,
            stderr=far,
            env=environment,
            start_new_session=True,
            preexec_fn=default_signals,
        )
        os.close(far)
        self.seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""  # the beginning of an incomplete escape code

    def types(self, keys: str) -> None:
        os.write(self._near, keys.encode())

    def until(self, *words: str) -> None:
        """Read the screen until all these words have appeared since the last call.

        Output after them is kept for the next call.
        """
        end = time.monotonic() + TIMEOUT_S
        while not all(word in self.seen for word in words):
            assert time.monotonic() < end, f"{words} did not come: {self.seen[-2000:]}"
            assert self._read(), f"it ended before {words} came: {self.seen[-2000:]}"
        self.seen = self.seen[max(self.seen.index(word) + len(word) for word in words) :]

    def leaves(self) -> int:
        """Wait for the end; returns the exit status."""
        while self._read():
            continue
        return self.process.wait(TIMEOUT_S)

    def _read(self) -> bool:
        if not select.select([self._near], [], [], 1.0)[0]:
            return self.process.poll() is None
        try:
            content = os.read(self._near, 1 << 16)
        except OSError:  # the other side is closed
            return False
        text = self._rest + self._decoder.decode(content)
        cut = CUT_OFF.search(text)
        self._rest = cut[0] if cut else ""
        self.seen += CODES.sub("", text.removesuffix(self._rest))
        return bool(content)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._near)


@pytest.fixture
def started() -> Iterator[list[Terminal]]:
    terminals: list[Terminal] = []
    yield terminals
    for each in terminals:
        each.close()


def test_a_game_against_the_computer_is_left_and_resumed(
    started: list[Terminal], tmp_path: Path
) -> None:
    first = Terminal(tmp_path, "simulate", "--red", "computer:1", "--leds", "memory://")
    started.append(first)
    first.until("blue to move")
    first.types("j4j3\r")
    first.until("blue j4 to j3: press fire")
    first.types("F")
    first.until("2 turns played", "blue to move")
    first.types("H")
    first.until("hint:")
    first.types("Q")
    assert first.leaves() == 0
    assert "laserboard resume" in first.seen

    second = Terminal(tmp_path, "resume")
    started.append(second)
    second.until("2 turns played", "blue to move")
    second.process.send_signal(signal.SIGTERM)
    assert second.leaves() == 128 + signal.SIGTERM
    kept = list((tmp_path / "laserboard" / "games").iterdir())
    assert len(kept) == 1


def test_a_large_terminal_shows_the_camera_and_a_key_starts_another_game(
    started: list[Terminal], tmp_path: Path
) -> None:
    table = Terminal(tmp_path, "simulate", "--leds", "memory://", size=(220, 60))
    started.append(table)
    table.until("blue to move")
    table.types("VV")
    table.until("▀" * 160)
    table.types("V")
    table.types("j4j3\r")
    table.until("blue j4 to j3: press fire")
    table.types("F")
    table.until("1 turn played", "red to move")
    table.types("A")
    table.until("really?")
    table.types("y")
    table.until("stored in", "blue to move")
    table.types("Q")
    assert table.leaves() == 0
    assert len(list((tmp_path / "laserboard" / "games").iterdir())) == 1, "nothing else was played"


def test_at_a_real_table_keys_fire_but_move_no_piece(
    started: list[Terminal], tmp_path: Path
) -> None:
    devices = ("--camera", "sim://", "--leds", "sim://", "--voice", "none")
    table = Terminal(tmp_path, "play", "--board", "demo-10x8", *devices, "--clock", "5m+3s")
    started.append(table)
    table.until("blue to move", "4:5")
    table.types(" ")
    table.until("no move made yet")
    table.types("P")
    table.until("paused")
    table.types("Q")
    assert table.leaves() == 0


def test_a_match_is_watched_paused_reset_and_left(started: list[Terminal], tmp_path: Path) -> None:
    watching = Terminal(
        tmp_path, "spaceships", "--player", "Ada=computer:1", "--player", "Hal=computer:1",
        "--pace", "0.3", "--json", str(tmp_path / "match.json"),
    )  # fmt: skip
    started.append(watching)
    watching.until("Ada", "Hal", "100 hp", "round 3 of 150")
    watching.types("P")
    watching.until("paused", "P continue")
    watching.types("P")
    watching.until("P pause", "round 6 of 150")
    watching.types("R")
    watching.until("round 2 of 150")
    watching.types("Q")
    assert watching.leaves() == 0
    games = (tmp_path / "match.json").read_text("utf-8").splitlines()
    assert len(games) == 2, "both are kept, each on a line"


def test_a_person_at_a_board_plays_a_program(started: list[Terminal], tmp_path: Path) -> None:
    server = Server(Behaviour("", says(answer(b'{"type":"move","direction":[0,-1,1]}'))))
    playing = Terminal(
        tmp_path, "spaceships", "--player", "Me=board", "--player", f"Bot={server.url}",
        "--board", "hex-r5", "--camera", "sim://", "--leds", "memory://", "--seed", "7",
    )  # fmt: skip
    started.append(playing)
    playing.until("first to move")
    playing.types("a6b7\r")
    playing.until("a hand makes the move")
    playing.until("first has chosen")
    playing.types("F")
    playing.until("1 turn played", "first to move")
    playing.types("Q")
    assert playing.leaves() == 0
    server.close()


def test_a_fault_is_announced_and_a_key_corrects_the_board(
    started: list[Terminal], tmp_path: Path
) -> None:
    quick = ("simulate", "--leds", "memory://")
    table = Terminal(tmp_path, *quick, "--setup", "ace", "--fault", "bump@4s")
    started.append(table)
    table.until("bumps", "one thing to put right")
    table.types("E")
    table.until("blue to move")
    table.types("j4j3\r")
    table.until("blue j4 to j3: press fire")
    table.types("F")
    table.until("red to move")
    table.types("Q")
    assert table.leaves() == 0
    assert "resume" in table.seen

    again = Terminal(tmp_path, *quick, "--resume", "last", "--fault", "kill@4s")
    started.append(again)
    again.until("the program is killed")
    again.until("the board is set up", "1 turn played", "red to move")
    again.types("Q")
    assert again.leaves() == 0
    assert "resume" in again.seen
