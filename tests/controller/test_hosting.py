"""One game after another at one table."""

from __future__ import annotations

import pytest

from controller.agreement import Seat
from controller.beginning import Plan, agreed
from controller.clocks import BadClock, TimeControl
from controller.config import load_board_file
from controller.hosting import Hosted
from controller.session_values import Habits
from controller.web.commands import NewGame
from engine import games
from engine.errors import LaserboardError, UnknownName
from vision.board import DoesNotFit

NOTHING = NewGame(None, None, None, None, None, None)


def hosted(simulated: bool = True, board: str = "demo-10x8") -> Hosted:
    game, file = games.make("laser-chess"), load_board_file(board)
    seats = (Seat("Ada"), Seat("", 3))
    plan: Plan = agreed(
        game, game.start("sophie"), "sophie", seats, TimeControl.read("5m"),
        place=board, file=file, simulated=simulated, habits=Habits(), chance=1,
    )  # fmt: skip
    return Hosted(board, plan)


def wanted(**told: object) -> NewGame:
    from dataclasses import replace

    return replace(NOTHING, **told)  # type: ignore[arg-type]


def test_what_nobody_says_stays_as_it_is() -> None:
    start = hosted().next(NOTHING).plan.start
    assert (start.game.name, start.setup, start.time_control) == ("laser-chess", "sophie", "5m")
    assert [seat.level for seat in start.seats] == [None, 3]
    assert start.simulated


def test_another_game_finds_its_own_board_in_simulation() -> None:
    for name in games.GAMES:
        following = hosted().next(wanted(game=name, seats=("human", "human")))
        assert following.plan.start.game.name == name
        assert following.plan.top.board.grid == following.plan.start.first().grid
        assert load_board_file(following.place).board == following.plan.file.board


def test_a_real_table_takes_only_games_that_fit() -> None:
    table = hosted(simulated=False)
    with pytest.raises(DoesNotFit):
        table.next(wanted(game="photon"))
    assert [each["name"] for each in table.choices()["games"]] == ["laser-chess"]


def test_whatever_is_chosen_on_a_page_can_be_played() -> None:
    table = hosted()
    choices = table.choices()
    assert [each["name"] for each in choices["games"]] == list(games.GAMES)
    for game in choices["games"]:
        who = "computer:1" if game["computer"] else "human"
        for setup in game["setups"] or [{"name": None}]:
            table.next(wanted(game=game["name"], setup=setup["name"], seats=("human", who)))
    for clock in choices["clocks"]:
        assert table.next(wanted(clock=clock)).plan.start.time_control


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({"game": "chess"}, UnknownName),
        ({"setup": "sofie"}, UnknownName),
        ({"clock": "soon"}, BadClock),
        ({"seats": ("human", "computer:99")}, LaserboardError),
    ],
)
def test_what_cannot_be_played_is_said(told: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        hosted().next(wanted(**told))


def test_a_seed_is_another_map() -> None:
    one = hosted().next(wanted(game="spaceships", seats=("human", "human"), seed=7))
    other = hosted().next(wanted(game="spaceships", seats=("human", "human"), seed=8))
    assert one.plan.start.first() != other.plan.start.first()
