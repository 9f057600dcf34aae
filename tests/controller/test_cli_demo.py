"""The demo: a whole game, on a clock of ours, with and without a terminal."""

from __future__ import annotations

import io
import re

import pytest

from controller.cli.console import Console
from controller.cli.main import parser
from controller.devices.clock import ManualClock
from engine import games
from engine.search import NoComputer
from tests.controller.cli import Laserboard

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def watch(*arguments: str, size: tuple[int, int] = (80, 30)) -> tuple[str, ManualClock]:
    """Run the demo as on a terminal; what it notes is at the end."""
    clock, out = ManualClock(), io.StringIO()
    args = parser().parse_args(["demo", *arguments])
    assert args.run(args, Console(out, out, True, size, clock)) == 0
    return out.getvalue(), clock


def test_the_default_demo_is_a_whole_game_with_a_winner(laserboard: Laserboard) -> None:
    lines = laserboard.prints("demo").splitlines()
    assert lines[0].lstrip().startswith("1. blue ")
    assert re.fullmatch(r"after \d+ turns: (1-0|0-1) king captured", lines[-1])
    assert laserboard.prints("demo").splitlines() == lines, "the same game every time"


def test_on_a_terminal_the_beam_grows_cell_by_cell() -> None:
    text, clock = watch("--turns", "1")
    frames = text.split("\x1b[H")
    assert len(frames) - 1 == len(clock.waits), "every frame is given time"
    assert min(clock.waits) > 0
    move = re.search(r"1\. blue ([a-j0-9u+x-]+)", text)
    assert move is not None
    game = games.make()
    start = game.start()
    (beam,) = game.resolve(start, {0: game.read_move(start, 0, move[1])}).beams
    pictures = {ESCAPES.sub("", frame) for frame in frames}
    assert len(pictures) >= len(beam.path)
    assert text.startswith("\x1b[?25l")
    assert text.endswith("\x1b[?25h"), "the cursor comes back"


def test_a_board_that_does_not_fit_is_told_instead_of_drawn() -> None:
    text, clock = watch("--turns", "1", size=(30, 30))
    assert "; it is 30 x 30" in text
    assert "1. blue" in text
    assert clock.waits == []


def test_an_ordinary_terminal_shows_every_board_whole() -> None:
    for name in games.GAMES:
        try:
            text, _ = watch("--game", name, "--levels", "1,1", "--turns", "2", size=(80, 24))
        except NoComputer:
            continue
        frames = text.split("\x1b[H")[1:]
        assert frames
        assert max(frame.count("\n") for frame in frames[:-1]) < 24


def test_speed_divides_every_wait() -> None:
    _, slow = watch("--turns", "1")
    _, fast = watch("--turns", "1", "--speed", "10")
    assert [round(wait, 6) for wait in fast.waits] == [round(w / 10, 6) for w in slow.waits]


def test_other_games_and_setups_can_be_watched(laserboard: Laserboard) -> None:
    photon = laserboard.prints("demo", "--game", "photon", "--levels", "2,2", "--turns", "4")
    assert re.search(r"2\. blue [a-j]\d+ (to [a-j]\d+|turns (left|right))", photon)
    assert laserboard.prints("demo", "--setup", "grail", "--levels", "1,1", "--turns", "3")


@pytest.mark.slow
def test_bench_prints_the_ratio(laserboard: Laserboard) -> None:
    lines = laserboard.prints("bench", "engine", "--seconds", "0.01").splitlines()
    (ratio,) = (line for line in lines if line.startswith("ratio"))
    assert float(ratio.split()[1]) > 0
    assert any("beams" in line for line in lines)
    assert any("nodes/s" in line for line in lines)
