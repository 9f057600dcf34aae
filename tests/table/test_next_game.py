"""The next game at a table."""

from __future__ import annotations

from typing import Any

import pytest

from controller.config.board_file import load_board_file
from controller.session.clocks import BadClock, TimeControl
from controller.session.setup import Seat
from controller.session.state import TablePreferences
from controller.table.next_game import NewGame, ScheduledGame
from controller.table.plan import GamePlan, plan_game
from engine import games
from engine.errors import LaserboardError, UnknownName
from vision.board import BoardDoesNotFit


def scheduled_game(simulated: bool = True, board: str = "demo-10x8") -> ScheduledGame:
    game, file = games.make("laser-chess"), load_board_file(board)
    seats = (Seat("Ada"), Seat("", 3))
    plan: GamePlan = plan_game(
        game, game.start("sophie"), "sophie", seats, TimeControl.parse("5m"),
        board_name=board, board_file=file, simulated=simulated,
        preferences=TablePreferences(), random_seed=1,
    )  # fmt: skip
    return ScheduledGame(board, plan)


def test_an_empty_request_repeats_the_game() -> None:
    start = scheduled_game().next_game(NewGame()).plan.setup
    assert (start.game.name, start.setup_name, start.time_control) == (
        "laser-chess",
        "sophie",
        "5m",
    )
    assert [(seat.name, seat.level) for seat in start.seats] == [
        ("Ada", None),
        ("computer 3", 3),
    ]
    assert start.simulated


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"seats": ("human", "human")}, ["Ada", "red"]),
        ({"seats": ("computer:1", "human")}, ["computer 1", "red"]),
        ({"names": ("", "Bob")}, ["blue", "Bob"]),
        ({"game": "photon"}, ["Ada", "computer 3"]),
    ],
)
def test_people_keep_their_names(fields: dict[str, Any], names: list[str]) -> None:
    start = scheduled_game().next_game(NewGame(**fields)).plan.setup
    assert [seat.name for seat in start.seats] == names


def test_a_simulated_table_changes_its_board_for_another_game() -> None:
    for name in games.GAMES:
        following = scheduled_game().next_game(NewGame(game=name, seats=("human", "human")))
        assert following.plan.setup.game.name == name
        assert following.plan.fitted_board.board.grid == following.plan.setup.first_position().grid
        assert load_board_file(following.board_name).board == following.plan.board_file.board


def test_a_real_table_offers_only_games_that_fit() -> None:
    table = scheduled_game(simulated=False)
    with pytest.raises(BoardDoesNotFit):
        table.next_game(NewGame(game="photon"))
    assert [each["name"] for each in table.new_game_choices()["games"]] == ["laser-chess"]


def test_every_choice_of_the_page_can_be_played() -> None:
    table = scheduled_game()
    choices = table.new_game_choices()
    assert [each["name"] for each in choices["games"]] == list(games.GAMES)
    for game in choices["games"]:
        who = "computer:1" if game["computer"] else "human"
        for setup in game["setups"] or [{"name": None}]:
            table.next_game(NewGame(game=game["name"], setup=setup["name"], seats=("human", who)))
    for clock in choices["clocks"]:
        assert table.next_game(NewGame(clock=clock)).plan.setup.time_control


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"game": "chess"}, UnknownName),
        ({"setup": "sofie"}, UnknownName),
        ({"clock": "soon"}, BadClock),
        ({"seats": ("human", "computer:99")}, LaserboardError),
    ],
)
def test_an_impossible_request_is_refused(fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        scheduled_game().next_game(NewGame(**fields))


def test_another_seed_gives_another_map() -> None:
    one = scheduled_game().next_game(NewGame(game="spaceships", seats=("human", "human"), seed=7))
    other = scheduled_game().next_game(NewGame(game="spaceships", seats=("human", "human"), seed=8))
    assert one.plan.setup.first_position() != other.plan.setup.first_position()
