"""`laserboard analyse`: scores every move of a game and shows better moves."""

from __future__ import annotations

import argparse

from controller.cli.args.position import count_number, seconds_number
from controller.cli.args.stored_game import LAST
from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console


def add(commands: Subcommands) -> None:
    command = add_command(
        commands,
        "analyse",
        _analyse,
        "analyse every move of a game: scores, mistakes and better moves",
        "  laserboard analyse game.pgn --seconds 2\n"
        "  laserboard analyse last --output analysed.pgn --svg score.svg",
        "FILE is a record as text or JSON, or a game from `laserboard games list`. The played move "
        "is searched as deep as the best one. Ctrl-C keeps what was analysed so far.",
    )
    command.add_argument(
        "file", metavar=f"FILE|NAME|{LAST}", help="a record, - for standard input, or a stored game"
    )
    spend = command.add_mutually_exclusive_group()
    spend.add_argument(
        "--seconds", metavar="S", type=seconds_number, help="time for a position (default 1)"
    )
    spend.add_argument(
        "--depth", metavar="N", type=count_number, help="turns to search ahead, 2 or more"
    )
    command.add_argument(
        "--from", metavar="N", type=count_number, default=1, dest="first", help="the first turn"
    )
    command.add_argument("--to", metavar="N", type=count_number, dest="last", help="the last turn")
    command.add_argument(
        "--output", metavar="FILE", help="write the record with scores, verdicts and better moves"
    )
    command.add_argument("--svg", metavar="FILE", help="draw the score of every turn")
    command.add_argument("--json", action="store_true", help="print JSON, one line for each game")


def _analyse(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.analysis import AnalysisOptions, run_analysis

    if args.last is not None and args.last < args.first:
        raise BadInput(f"--from {args.first} --to {args.last}: there is no turn in between")
    options = AnalysisOptions(
        args.file,
        args.first,
        args.last,
        args.seconds,
        args.depth,
        args.output,
        args.svg,
        args.json,
    )
    return run_analysis(options, console)
