"""Arguments for a game at a table: players, clock, fire mode, seed; makes its `GamePlan`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.cli.args.event import EventChoice, event_from, name_seats, tournament_entry_from
from controller.cli.args.position import add_position, any_number, position_choice
from controller.cli.command import add_renamed
from controller.ui.console import BadInput, Console
from controller.ui.position_choice import PositionChoice

if TYPE_CHECKING:
    from controller.config.board_file import BoardFile
    from controller.session.setup import Seat
    from controller.table.plan import GamePlan
    from engine.game import AnyGame

SIDES_BY_ORDER = ("first", "second")  # valid for every game, whatever its sides are called
SIDE_FLAGS = (*SIDES_BY_ORDER, "blue", "red")


def add_players(parser: argparse.ArgumentParser) -> None:
    """Players, clock, fire mode, random seed, game and position."""
    group = parser.add_argument_group("who plays (default: as the board file says, else people)")
    for side in SIDE_FLAGS:
        group.add_argument(
            f"--{side}", metavar="WHO", help=f"{side}: human, or computer:LEVEL, level 1 to 8"
        )
    group.add_argument(
        "--clock",
        metavar="CONTROL",
        help="time for each player: none, 10m, 5m+3s (Fischer), 5m-bronstein-3s, 5m-delay-3s"
        " or 30s/move",
    )
    add_fire_mode(group)
    add_random_seed(group, default=1)
    add_position(parser)
    parser.set_defaults(game=None)


def add_random_seed(group: argparse._ActionsContainer, *, default: int) -> None:
    """`--random-seed` of the computer's play; `--seed` names a map."""
    add_renamed(
        group,
        "--random-seed",
        "--chance",
        metavar="N",
        type=any_number,
        default=default,
        help=f"seed of the computer's random choices (default {default})",
    )


def add_fire_mode(group: argparse._ArgumentGroup) -> None:
    """`--fire`: by a button, or automatically."""
    group.add_argument(
        "--fire",
        metavar="HOW",
        help="button, or auto:SECONDS after a move (default: as the board file says)",
    )


@dataclass(frozen=True, slots=True)
class GameChoice:
    """The arguments of a new game; None: as the board file says."""

    position: PositionChoice
    seats: Mapping[str, str | None]  # by the names of `SIDE_FLAGS`
    clock: str | None
    fire: str | None
    random_seed: int
    event: EventChoice
    refereed: bool = False

    def given_flags(self) -> list[str]:
        """The flags of settings that a resumed game keeps."""
        players = [f"--{side}" for side, who in self.seats.items() if who is not None]
        clock = [] if self.clock is None else ["--clock"]
        return [*self.position.given_flags(), *players, *clock, *self.event.given_flags()]


def game_choice(args: argparse.Namespace) -> GameChoice:
    return GameChoice(
        position_choice(args),
        {side: getattr(args, side) for side in SIDE_FLAGS},
        args.clock,
        args.fire,
        args.random_seed,
        event_from(args),
        getattr(args, "referee", False),
    )


def plan_from(
    choice: GameChoice, place: str, file: BoardFile, simulated: bool, console: Console
) -> GamePlan:
    """Plan a new game from the command line, else from the board file."""
    from controller.session.board_fit import fit_board
    from controller.session.clocks import TimeControl
    from controller.table.plan import plan_game
    from controller.ui.hosting.preferences import preferences_from, warn_slow_engine

    play, start = file.play, choice.position
    if not start.given_flags():
        start = replace(start, setup=play.setup)
    start = replace(start, game=start.game or play.game or fit_board(file.board).game.name)
    game, position = start.make_position(console)
    seats = [
        _seat(given, usual)
        for given, usual in zip(_seat_arguments(choice.seats, game), play.seats, strict=True)
    ]
    first, second = name_seats(choice.event.names, seats)
    if any(seat.level for seat in seats):
        warn_slow_engine(game, console)
    named = start.position is None and start.seed is None and bool(game.setups())
    return plan_game(
        game,
        position,
        start.setup or game.default_setup if named else None,
        (first, second),
        TimeControl.parse(choice.clock) if choice.clock is not None else play.clock,
        board_name=place,
        board_file=file,
        simulated=simulated,
        preferences=preferences_from(choice.fire, file, choice.refereed),
        random_seed=choice.random_seed,
        tournament_entry=tournament_entry_from(choice.event, file),
        policies=file.referee.policies if choice.refereed else None,
    )


def _seat_arguments(seats_by_side: Mapping[str, str | None], game: AnyGame) -> list[str | None]:
    """The seat arguments of both players, given as `--first` or by the name of the side."""
    unknown = [side for side in SIDE_FLAGS if side not in (*SIDES_BY_ORDER, *game.players)]
    for side in unknown:
        if seats_by_side[side] is not None:
            players = " and ".join(f"--{each}" for each in game.players)
            raise BadInput(f"--{side}: the players of {game.title} are {players}")
    seats: list[str | None] = []
    for order, side in zip(SIDES_BY_ORDER, game.players, strict=True):
        given = {each: seats_by_side[each] for each in (order, side)}
        named = [each for each, who in given.items() if who is not None]
        if len(named) > 1:
            raise BadInput(f"--{order} and --{side} are the same player of {game.title}: give one")
        seats.append(given[named[0]] if named else None)
    return seats


def _seat(given: str | None, usual: Seat) -> Seat:
    from controller.config.play import parse_seat

    return usual if given is None else parse_seat(given, usual.name)
