"""`laserboard simulate` from arguments to the game that is hosted."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.ui.console import Console
from controller.ui.hosting import simulated_games
from controller.ui.hosting.options import PlayOptions
from controller.ui.hosting.simulated_table import SimulatedStart
from tests.support.cli import Laserboard


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[SimulatedStart]:
    """The games that would be hosted in real time."""
    starts: list[SimulatedStart] = []

    def host(_: PlayOptions, __: Console, start: SimulatedStart, **___: object) -> int:
        starts.append(start)
        return 0

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(simulated_games, "host_simulated_table", host)
    return starts


def levels(start: SimulatedStart) -> list[int | None]:
    return [seat.level for seat in start.plan.setup.seats]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        ((), [None, 3]),
        (("--red", "human"), [None, None]),
        (("--second", "human"), [None, None]),
        (("--blue", "computer:2"), [2, None]),
        (("--red", "computer:5"), [None, 5]),
    ],
)
def test_on_the_page_the_computer_plays_second_unless_players_are_named(
    laserboard: Laserboard,
    hosted: list[SimulatedStart],
    players: tuple[str, ...],
    expected: list[int | None],
) -> None:
    laserboard.prints("simulate", "--page", *players)
    assert levels(hosted[0]) == expected


def test_referee_simulate_has_two_human_players(
    laserboard: Laserboard, hosted: list[SimulatedStart]
) -> None:
    laserboard.prints("referee", "--simulate", "--event", "Club")
    assert levels(hosted[0]) == [None, None]


def test_an_initial_position_is_corrected_by_the_players(
    laserboard: Laserboard, hosted: list[SimulatedStart]
) -> None:
    for option in ("--initial-position", "--table"):
        laserboard.prints("simulate", "--page", "--setup", "ace", option, "curiosity")
    for start in hosted:
        assert not start.hands_set_up
        assert start.pieces == start.plan.setup.game.start("curiosity").pieces


def test_an_initial_position_needs_the_page(laserboard: Laserboard) -> None:
    refused = laserboard.refuses("simulate", "--fast", "--initial-position", "ace")
    assert "--initial-position: play on the page" in refused
