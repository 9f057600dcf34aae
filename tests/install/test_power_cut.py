"""The command of the service, killed during a game: it restarts without input, asks for the last
position, and the game is played to its end."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.config.board_file import SHIPPED_BOARDS_FOLDER
from controller.session.journal import recover
from controller.session.replay import ReplayedGame, replay
from controller.storage.games import list_journals
from controller.table.plan import load_resumable
from engine import games
from engine.game import AnyTurn
from tests.support.devices.notify_socket import NotifySocket
from tests.support.engine.random_play import random_turn
from tests.support.install.program_at_table import lay_out
from tests.support.install.service_unit import BOARD_FILE, PORT, PROGRAM, UNIT, service

pytestmark = pytest.mark.slow

TIMEOUT_S = 90.0
GAME, SETUP = games.make(), "grail"
TURNS, BEFORE_THE_CUT = 6, 3


def short_game() -> list[AnyTurn]:
    """Some turns without a capture, and then one that ends the game."""
    random = Random(5)
    while True:
        position: Any = GAME.start(SETUP)
        turns: list[AnyTurn] = []
        while len(turns) < TURNS - 1:
            turns.append(random_turn(GAME, position, random))
            position = turns[-1].after
        ends = [each for each in GAME.turns(position) if GAME.outcome(each.after) is not None]
        if ends and not any(each.removed for each in turns):
            return [*turns, ends[0]]


class Place:
    """The disk and the table of a computer, which outlive the program."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.table = folder, folder / "table.json"
        self.board = folder / "board.yaml"
        text = (SHIPPED_BOARDS_FOLDER / "paper-10x8.yaml").read_text()
        play = f"\nplay:\n  setup: {SETUP}\n  fire: auto\n  fire_after_s: 1\n  voice: none\n"
        self.board.write_text(text + play)
        self.systemd = NotifySocket(str(folder / "notify"))

    @contextmanager
    def started(self) -> Iterator[subprocess.Popen[bytes]]:
        """What systemd would start."""
        given = shlex.split(service()["ExecStart"])
        assert given[0] == PROGRAM
        for own, here in ((BOARD_FILE, str(self.board)), (PORT, "0")):
            given[given.index(own)] = here
        program = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.support.install.program_at_table",
                str(self.table),
                *given[1:],
            ],
            env=os.environ
            | {
                "NOTIFY_SOCKET": self.systemd.name,
                "WATCHDOG_USEC": "20000000",
                "XDG_DATA_HOME": str(self.folder),
            },
            cwd=UNIT.parents[1],
            stdin=subprocess.DEVNULL,
            stdout=(self.folder / "log").open("ab"),
            stderr=subprocess.STDOUT,
        )
        self.systemd.status = ""
        try:
            yield program
        finally:
            program.kill()
            program.wait()

    def says(self, *words: str) -> str:
        return self.systemd.until(*words, timeout_s=TIMEOUT_S)

    def played(self) -> ReplayedGame:
        return replay(recover(self.journals()[0].read_bytes()).entries)

    def journals(self) -> list[Path]:
        return list_journals(self.folder / "laserboard" / "games")

    def play(self, turn: AnyTurn, number: int) -> None:
        """Move a piece, and wait until the turn is on the disk."""
        lay_out(self.table, turn.aimed.pieces)
        end = time.monotonic() + TIMEOUT_S
        while len(self.played().turns) < number:
            assert time.monotonic() < end, f"turn {number} is not written: {self.systemd.status}"
            self.systemd.receive(0.2)
        lay_out(self.table, turn.after.pieces)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    found = Place(tmp_path)
    yield found
    found.systemd.close()


def test_after_a_power_cut_the_position_is_set_up_and_the_game_resumes(
    place: Place,
) -> None:
    turns = short_game()
    lay_out(place.table, {})
    with place.started() as program:
        place.says("set up the board", "to put right")
        lay_out(place.table, turns[0].before.pieces)
        for number, turn in enumerate(turns[:BEFORE_THE_CUT], start=1):
            place.says("to move")
            place.play(turn, number)
        place.says("to move")
        program.send_signal(signal.SIGKILL)
        program.wait()

    lay_out(place.table, turns[BEFORE_THE_CUT].aimed.pieces)  # a piece moves during the power cut
    with place.started() as program:
        place.says("set up the board", "to put right")
        assert len(place.played().turns) == BEFORE_THE_CUT
        lay_out(place.table, turns[BEFORE_THE_CUT].before.pieces)
        for number, turn in enumerate(turns[BEFORE_THE_CUT:], start=BEFORE_THE_CUT + 1):
            place.says("to move")
            place.play(turn, number)
        place.says("wins")
        program.send_signal(signal.SIGKILL)
        program.wait()
    played = place.played()
    assert played.outcome == turns[-1].outcome
    assert [turn.after for turn in played.turns] == [turn.after for turn in turns]

    with place.started() as program:  # a finished game is not resumed
        place.says("set up the board", "to put right")
        assert len(place.journals()) == 2
        program.send_signal(signal.SIGTERM)
        assert str(program.wait(TIMEOUT_S)) in service()["SuccessExitStatus"].split()
    assert len(place.journals()) == 1, "a game without turns is not stored"


def test_a_game_without_turns_survives_a_power_cut(place: Place) -> None:
    lay_out(place.table, {})
    for _ in range(2):
        with place.started() as program:
            place.says("set up the board", "to put right")
            assert place.journals()[0].stat().st_size > 0, "the result is on the disk"
            program.send_signal(signal.SIGKILL)
            program.wait()
    (journal,) = place.journals()
    assert not load_resumable(journal).turns
