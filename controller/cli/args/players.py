"""Arguments for a game at a table: players, clock, fire mode, seed; makes its `GamePlan`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.event import name_seats, tournament_entry_from
from controller.cli.args.position import add_position, any_number, position_from
from controller.cli.command import add_renamed
from controller.ui.console import BadInput, Console
from engine import native
from engine.turn_based import TurnBased

if TYPE_CHECKING:
    from controller.config.board_file import BoardFile
    from controller.session.setup import Seat
    from controller.session.state import TablePreferences
    from controller.table.plan import GamePlan
    from engine.game import AnyGame

POSITION_ARGS = ("game", "setup", "position", "seed")
SIDES_BY_ORDER = ("first", "second")  # valid for every game, whatever its sides are called
SIDE_FLAGS = (*SIDES_BY_ORDER, "blue", "red")
PLAYER_FLAGS = {
    **{side: f"--{side}" for side in SIDE_FLAGS},
    "clock": "--clock",
}  # flag by argument name


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


def plan_from(
    args: argparse.Namespace, place: str, file: BoardFile, simulated: bool, console: Console
) -> GamePlan:
    """Plan a new game from the command line, else from the board file."""
    from controller.session.board_fit import fit_board
    from controller.session.clocks import TimeControl
    from controller.table.plan import plan_game

    play = file.play
    if all(getattr(args, name) is None for name in POSITION_ARGS):
        args.setup = play.setup
    args.game = args.game or play.game or fit_board(file.board).game.name
    game, position = position_from(args, console)
    seats = [
        _seat(given, usual)
        for given, usual in zip(_seat_arguments(args, game), play.seats, strict=True)
    ]
    first, second = name_seats(args, seats)
    if any(seat.level for seat in seats):
        warn_slow_engine(game, console)
    refereed = getattr(args, "referee", False)
    named = args.position is None and args.seed is None and bool(game.setups())
    return plan_game(
        game,
        position,
        args.setup or game.default_setup if named else None,
        (first, second),
        TimeControl.parse(args.clock) if args.clock is not None else play.clock,
        board_name=place,
        board_file=file,
        simulated=simulated,
        preferences=preferences_from(args.fire, file, refereed),
        random_seed=args.random_seed,
        tournament_entry=tournament_entry_from(args, file),
        policies=file.referee.policies if refereed else None,
    )


def warn_slow_engine(game: AnyGame, console: Console) -> None:
    """Note that the computer plays slowly because the compiled core is missing."""
    if isinstance(game, TurnBased) and native.missing_reason():
        console.note(f"laserboard: {native.missing_reason()}")


def preferences_from(fire: str | None, file: BoardFile, refereed: bool = False) -> TablePreferences:
    """Fire mode from the command line, else from the board file; no take-backs with a referee."""
    from controller.session.state import TablePreferences, TakeBackRule

    take_back = TakeBackRule.NEVER if refereed else TakeBackRule(file.play.take_back)
    return TablePreferences(_auto_fire_ms(fire, file), take_back)


def _seat_arguments(args: argparse.Namespace, game: AnyGame) -> list[str | None]:
    """The seat arguments of both players, given as `--first` or by the name of the side."""
    unknown = [side for side in SIDE_FLAGS if side not in (*SIDES_BY_ORDER, *game.players)]
    for side in unknown:
        if getattr(args, side) is not None:
            players = " and ".join(f"--{each}" for each in game.players)
            raise BadInput(f"--{side}: the players of {game.title} are {players}")
    seats: list[str | None] = []
    for order, side in zip(SIDES_BY_ORDER, game.players, strict=True):
        given = {each: getattr(args, each) for each in (order, side)}
        named = [each for each, who in given.items() if who is not None]
        if len(named) > 1:
            raise BadInput(f"--{order} and --{side} are the same player of {game.title}: give one")
        seats.append(given[named[0]] if named else None)
    return seats


def _seat(given: str | None, usual: Seat) -> Seat:
    from controller.config.play import parse_seat

    return usual if given is None else parse_seat(given, usual.name)


def _auto_fire_ms(given: str | None, file: BoardFile) -> float | None:
    from controller.config.play import FIRE_AFTER_S_RANGE

    if given is None:
        return 1000 * file.play.fire_after_s if file.play.fire == "auto" else None
    if given == "button":
        return None
    how, _, seconds = given.partition(":")
    least, most = FIRE_AFTER_S_RANGE
    try:
        wait_s = float(seconds or file.play.fire_after_s)
    except ValueError:
        wait_s = -1.0
    if how != "auto" or not least <= wait_s <= most:
        raise BadInput(f"--fire {given}: write button, or auto:3 for 3 seconds after a move")
    return 1000 * wait_s
