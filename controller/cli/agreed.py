"""The arguments by which a command is told who plays what at a table, and how."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.console import BadInput, Console
from controller.cli.event import occasion_from, with_names
from controller.cli.positions import add_position, any_number, position_from
from engine import native
from engine.turn_based import TurnBased

if TYPE_CHECKING:
    from controller.agreement import Seat
    from controller.beginning import Plan
    from controller.config import BoardFile
    from controller.session_values import Habits
    from engine.game import AnyGame

GIVEN = ("game", "setup", "position", "seed")
ORDER = ("first", "second")  # whatever the sides of a game are called
SIDES = (*ORDER, "blue", "red")
AGREED = {**{side: f"--{side}" for side in SIDES}, "clock": "--clock"}  # and how they are given


def add_agreed(parser: argparse.ArgumentParser) -> None:
    """Who plays what, how, and against which clock."""
    group = parser.add_argument_group("who plays (default: as the board file says, else people)")
    for side in SIDES:
        group.add_argument(
            f"--{side}", metavar="WHO", help=f"{side}: human, or computer:LEVEL, level 1 to 8"
        )
    group.add_argument(
        "--clock",
        metavar="CONTROL",
        help="time for each player: none, 10m, 5m+3s (Fischer), 5m-bronstein-3s, 5m-delay-3s"
        " or 30s/move",
    )
    add_fire(group)
    group.add_argument(
        "--chance", metavar="N", type=any_number, default=1, help="another number, another game"
    )
    add_position(parser)
    parser.set_defaults(game=None)


def add_fire(group: argparse._ArgumentGroup) -> None:
    """When a move that was made fires."""
    group.add_argument(
        "--fire",
        metavar="HOW",
        help="button, or auto:SECONDS of rest after a move (default: as the board file says)",
    )


def plan_from(
    args: argparse.Namespace, place: str, file: BoardFile, simulated: bool, console: Console
) -> Plan:
    """A new game, as the command line says, or else the board file."""
    from controller.beginning import agreed
    from controller.clocks import TimeControl
    from controller.tabletop import fitted

    play = file.play
    if all(getattr(args, name) is None for name in GIVEN):
        args.setup = play.setup
    args.game = args.game or play.game or fitted(file.board).game.name
    game, position = position_from(args, console)
    seats = [
        _seat(given, usual)
        for given, usual in zip(_given_seats(args, game), play.seats, strict=True)
    ]
    first, second = with_names(args, seats)
    if any(seat.level for seat in seats):
        note_slow_core(game, console)
    refereed = getattr(args, "referee", False)
    named = args.position is None and args.seed is None and bool(game.setups())
    return agreed(
        game,
        position,
        args.setup or game.default_setup if named else None,
        (first, second),
        TimeControl.read(args.clock) if args.clock is not None else play.clock,
        place=place,
        file=file,
        simulated=simulated,
        habits=habits_from(args.fire, file, refereed),
        chance=args.chance,
        occasion=occasion_from(args, file),
        laws=file.referee.laws if refereed else None,
    )


def note_slow_core(game: AnyGame, console: Console) -> None:
    """Say so where the computer could play better than it does."""
    if isinstance(game, TurnBased) and native.missing():
        console.note(f"laserboard: {native.missing()}")


def habits_from(fire: str | None, file: BoardFile, refereed: bool = False) -> Habits:
    """How people play at a table: as the command line says, or else the board file."""
    from controller.session_values import Habits, TakeBack

    take_back = TakeBack.NEVER if refereed else TakeBack(file.play.take_back)
    return Habits(_auto_fire_ms(fire, file), take_back)


def _given_seats(args: argparse.Namespace, game: AnyGame) -> list[str | None]:
    """Who plays first and who second, by the order of play or by the names of the sides."""
    strange = [side for side in SIDES if side not in (*ORDER, *game.players)]
    for side in strange:
        if getattr(args, side) is not None:
            players = " and ".join(f"--{each}" for each in game.players)
            raise BadInput(f"--{side}: the players of {game.title} are {players}")
    seats: list[str | None] = []
    for order, side in zip(ORDER, game.players, strict=True):
        given = {each: getattr(args, each) for each in (order, side)}
        told = [each for each, who in given.items() if who is not None]
        if len(told) > 1:
            raise BadInput(f"--{order} and --{side} are the same player of {game.title}: give one")
        seats.append(given[told[0]] if told else None)
    return seats


def _seat(given: str | None, usual: Seat) -> Seat:
    from controller.play_settings import read_seat

    return usual if given is None else read_seat(given, usual.name)


def _auto_fire_ms(given: str | None, file: BoardFile) -> float | None:
    from controller.play_settings import FIRE_AFTER_S

    if given is None:
        return 1000 * file.play.fire_after_s if file.play.fire == "auto" else None
    if given == "button":
        return None
    how, _, seconds = given.partition(":")
    least, most = FIRE_AFTER_S
    try:
        wait_s = float(seconds or file.play.fire_after_s)
    except ValueError:
        wait_s = -1.0
    if how != "auto" or not least <= wait_s <= most:
        raise BadInput(f"--fire {given}: write button, or auto:3 for 3 seconds of rest")
    return 1000 * wait_s
