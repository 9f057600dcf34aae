"""`laserboard demo`: two computer players at a simulated table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.cli.main import build_parser
from tests.support.cli import Laserboard

FAST = ("demo", "--leds", "memory://", "--levels", "1,1")


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def turns(out: str) -> list[str]:
    return [line for line in out.splitlines() if re.match(r" *\d+\.? .*(blue|red) ", line)]


@pytest.mark.slow
def test_the_default_demo_plays_a_whole_game_with_a_winner(laserboard: Laserboard) -> None:
    ran = laserboard("demo", "--leds", "memory://")
    assert ran.status == 0
    assert re.search(r"(1-0|0-1) king captured|(blue|red) wins", ran.out), ran.out[-400:]
    assert laserboard("demo", "--leds", "memory://").out == ran.out, "the same game every time"


def test_the_computers_play_turn_by_turn_without_a_terminal(laserboard: Laserboard) -> None:
    ran = laserboard(*FAST, "--turns", "2")
    assert ran.status == 0
    assert "blue" in ran.out
    assert "red" in ran.out
    assert "stored in" in ran.err


def test_another_random_seed_gives_another_game(laserboard: Laserboard) -> None:
    first, second = (laserboard(*FAST, "--turns", "1", "--random-seed", seed).out for seed in "12")
    assert first != second


@pytest.mark.slow
def test_the_former_name_of_the_random_seed_gives_the_same_game(laserboard: Laserboard) -> None:
    new, old = (
        laserboard(*FAST, "--turns", "1", name, "1").out for name in ("--random-seed", "--chance")
    )
    assert new == old


def test_a_game_that_does_not_fit_the_demo_board_gets_its_own(laserboard: Laserboard) -> None:
    ran = laserboard(*FAST, "--game", "photon", "--turns", "1")
    assert ran.status == 0
    assert ran.out.startswith("Photon on ")


def test_levels_and_speed_are_checked(laserboard: Laserboard) -> None:
    assert "--levels '9,1': write two levels 1 to 8" in laserboard.refuses(
        "demo", "--levels", "9,1"
    )
    assert "'0' is not a speed from 0.1 to 10" in laserboard.refuses("demo", "--speed", "0")
    args = build_parser().parse_args(["demo", "--speed", "4"])
    assert (args.speed, args.levels) == (4.0, "6,4")


@pytest.mark.slow
def test_bench_prints_the_ratio_to_python_chess(laserboard: Laserboard) -> None:
    lines = laserboard.prints("bench", "engine", "--seconds", "0.01").splitlines()
    (ratio,) = (line for line in lines if line.startswith("ratio"))
    assert float(ratio.split()[1]) > 0
    assert any("beams" in line for line in lines)
    assert any("nodes/s" in line for line in lines)
