"""Arguments for a game at a table: players, clock, fire mode, seed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.event import event_choice
from controller.cli.args.position import add_position, any_number, position_options
from controller.cli.command import add_renamed

if TYPE_CHECKING:
    from controller.ui.hosting.game_options import GameOptions

SIDE_FLAGS = ("first", "second", "blue", "red")


def add_players(parser: argparse.ArgumentParser) -> None:
    """Players, clock, fire mode, random seed, game and position."""
    group = parser.add_argument_group("players (default: as the board file says, else people)")
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


def game_options(args: argparse.Namespace) -> GameOptions:
    from controller.ui.hosting.game_options import GameOptions

    return GameOptions(
        position_options(args),
        {side: getattr(args, side) for side in SIDE_FLAGS},
        args.clock,
        args.fire,
        args.random_seed,
        event_choice(args),
        getattr(args, "referee", False),
    )
