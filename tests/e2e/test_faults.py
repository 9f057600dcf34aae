"""Whole games with faults: the journal has exactly the turns that hands made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.devices.factory.clocks import system_clock
from controller.session.journal import recover
from controller.simulation.faults import people
from controller.simulation.faults.schedule import draw_schedule, possible_faults
from controller.simulation.soak.game import SoakResult, make_soak_game, play_soak_game
from controller.simulation.soak.runner import SoakGoal, SoakPlan, SoakProgress, SoakRunner
from engine import games
from tests.support.cli import Laserboard

NAMES = tuple(games.GAMES)


def play_with_faults(folder: Path, number: int, turns: int, leds: str = "memory://") -> SoakResult:
    what = make_soak_game(3, number, NAMES, turns, with_faults=True)
    return play_soak_game(what, leds, folder / f"{number}.journal", system_clock(), lambda _: None)


@pytest.mark.parametrize(
    "number",
    [1, *(pytest.param(number, marks=pytest.mark.slow) for number in range(2, len(NAMES) + 1))],
)
def test_a_game_with_faults_is_journaled_as_it_was_played(number: int, tmp_path: Path) -> None:
    result = play_with_faults(tmp_path, number, 4, "sim://")
    assert result.passed, result
    assert result.turns == 4
    assert result.faults, "faults have happened"


@pytest.mark.slow
def test_a_seed_determines_the_game_with_faults(tmp_path: Path) -> None:
    first, again = (play_with_faults(tmp_path / name, 1, 4) for name in ("a", "b"))
    assert first.passed
    assert replace(first, seconds=0, journal="") == replace(again, seconds=0, journal="")
    one, other = (recover((tmp_path / name / "1.journal").read_bytes()) for name in ("a", "b"))
    assert [each.body for each in one.entries] == [each.body for each in other.entries]


def test_a_turn_that_is_not_on_the_table_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "table_shows_turn", lambda *_: False)
    result = play_with_faults(tmp_path, 1, 2)
    assert result.wrong == 1
    assert "turn 1 is not on the table" in result.trouble


def soak_with_a_kill(number: int = 1) -> SoakPlan:
    """A soak whose first game starts with the fault `kill`."""
    faults = possible_faults(computer=False, cable=False)
    for seed in range(1, 1000):
        plan = SoakPlan(seed, NAMES[:1], "memory://", 3, chaos=True)
        if next(draw_schedule(plan.soak_game(number).seed, faults)).fault.name == "kill":
            return plan
    raise AssertionError("no seed kills first")


@pytest.mark.slow
def test_another_process_continues_after_a_kill(tmp_path: Path) -> None:
    reported: list[SoakProgress] = []
    soak = SoakRunner(soak_with_a_kill(), tmp_path, system_clock())
    (result,) = soak.run(SoakGoal(games=1), reported.append)
    assert result.passed, result
    assert (result.turns, result.start_count) == (3, 2)
    assert result.faults["kill: resumed"] == 1
    assert not (tmp_path / "scratch").exists(), "temporary files of the killed process are removed"


@pytest.fixture
def games_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "laserboard" / "games"


def test_simulate_injects_the_given_faults(laserboard: Laserboard, games_home: Path) -> None:
    ran = laserboard(
        *("simulate", "--blue", "computer:1", "--red", "computer:1", "--turns", "3"),
        *("--leds", "memory://", "--fault", "disk-full@3s", "--fault", "power-cut@12s"),
    )
    assert ran.status == 0, ran
    assert "the disk is full" in ran.lines
    assert "power cut" in ran.lines
    assert "fault" in ran.out
    (journal,) = games_home.glob("*.journal")
    verified = laserboard("games", "verify", str(journal))
    assert (verified.status, "3 turns" in verified.out) == (0, True)


@pytest.mark.slow
@pytest.mark.usefixtures("games_home")
def test_simulate_injects_random_faults(laserboard: Laserboard) -> None:
    players = ("--blue", "computer:1", "--red", "computer:1", "--turns", "4")
    ran = laserboard("simulate", *players, "--leds", "memory://", "--chaos", "7")
    assert ran.status == 0, ran
    assert any(line.startswith("fault ") for line in ran.lines)


@pytest.mark.long
def test_nine_games_with_faults_are_journaled_as_they_were_played(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    folder = str(tmp_path)
    ran = laserboard("soak", "--chaos", "--games", "9", "--resign-after", "20", "--folder", folder)
    assert ran.status == 0, ran
    assert any(line.startswith("kill ") for line in ran.lines)
