"""`laserboard analyse`: how good was every move of a game, and what would have been better?"""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console
from controller.cli.positions import count_number, seconds_number
from controller.game_store import LAST
from engine.analysis import LEAST_DEPTH


def add(commands: Subcommands) -> None:
    command = add_command(
        commands,
        "analyse",
        _analyse,
        "judge every move of a game: scores, mistakes, and what was better",
        "  laserboard analyse game.pgn --seconds 2\n"
        "  laserboard analyse last --output analysed.pgn --svg score.svg",
        "FILE is a record as text or JSON, or a game from `laserboard games list`. The move that "
        "was played is searched as deep as the best one. Ctrl-C keeps what was done.",
    )
    command.add_argument(
        "file", metavar=f"FILE|NAME|{LAST}", help="a record, - for standard input, or a kept game"
    )
    spend = command.add_mutually_exclusive_group()
    spend.add_argument(
        "--seconds", metavar="S", type=seconds_number, help="time for a position (default 1)"
    )
    spend.add_argument(
        "--depth", metavar="N", type=count_number, help=f"turns to look ahead, from {LEAST_DEPTH}"
    )
    command.add_argument(
        "--from", metavar="N", type=count_number, default=1, dest="first", help="the first turn"
    )
    command.add_argument("--to", metavar="N", type=count_number, dest="last", help="the last turn")
    command.add_argument(
        "--output", metavar="FILE", help="write the record with scores, verdicts and better moves"
    )
    command.add_argument("--svg", metavar="FILE", help="draw how the score went")
    command.add_argument("--json", action="store_true", help="print JSON, a game a line")


def _analyse(args: argparse.Namespace, console: Console) -> int:
    from controller.cli.analysing import run  # not before it is needed: it draws

    return run(args, console)
