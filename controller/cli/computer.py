"""`laserboard computer`: prints the computer's move in a position."""

from __future__ import annotations

import argparse

from controller.cli.args.players import add_random_seed
from controller.cli.args.position import (
    add_position,
    count_number,
    position_from,
    seconds_number,
)
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console
from engine.search import STRONGEST, Limit

DEFAULT_SECONDS = 2.0


def add(commands: Subcommands) -> None:
    computer = add_command(
        commands,
        "computer",
        _computer,
        "let the computer choose a move",
        "  laserboard computer --setup ace --seconds 2\n"
        "  laserboard computer --depth 3 --random-seed 7    the same every time",
        "The first line is the move, the second the score, depth and expected line. In games with "
        "simultaneous moves there are two lines for each player. A level limits the depth even if "
        "time is left; from level 3 on the computer searches at least 2 turns ahead.",
    )
    add_position(computer)
    spend = computer.add_mutually_exclusive_group()
    spend.add_argument(
        "--seconds", metavar="S", type=seconds_number, help="time to think (default 2)"
    )
    spend.add_argument("--depth", metavar="N", type=count_number, help="turns to search ahead")
    spend.add_argument("--nodes", metavar="N", type=count_number, help="positions to search")
    computer.add_argument(
        "--level", metavar="N", type=count_number, default=STRONGEST, help="1 (easy) to 8 (default)"
    )
    add_random_seed(computer, default=0)


def _computer(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.computer import print_best_moves

    game, position = position_from(args, console)
    timed = args.depth is None and args.nodes is None
    seconds = args.seconds if args.seconds is not None else DEFAULT_SECONDS
    limit = Limit(args.level, args.depth, args.nodes, args.random_seed)
    return print_best_moves(game, position, limit, seconds if timed else None, console)
