"""`laserboard tune`: fits the computer's evaluation by self-play."""

from __future__ import annotations

import argparse

from controller.cli.args.position import any_number, count_number
from controller.cli.command import Subcommands, add_command, add_renamed
from controller.ui.console import Console
from engine import games

DEFAULT_GAMES, DEFAULT_NODES, DEFAULT_VALIDATION_GAMES = 2000, 4000, 200


def add(commands: Subcommands) -> None:
    tune = add_command(
        commands,
        "tune",
        _tune,
        "fit the computer's evaluation of positions by self-play",
        "  laserboard tune --folder tuning              takes hours; run it again to continue\n"
        "  laserboard tune --folder tuning --games 40 --nodes 500 --validation 0   a quick try",
        "Plays games, each with its own seed, and stores them in the folder. Then it fits the "
        "weights of the evaluation to the results, and lets the new weights play against those in "
        "use. Put the file that it writes into engine/data/evaluation.",
    )
    tune.add_argument(
        "--folder", metavar="DIR", required=True, help="folder for games and the result"
    )
    tune.add_argument("--game", metavar="NAME", help="the game (default: the first)")
    for name, default, what in (
        ("games", DEFAULT_GAMES, "games to learn from"),
        ("nodes", DEFAULT_NODES, "positions to search for a move"),
        ("jobs", 2, "games in parallel"),
    ):
        tune.add_argument(
            f"--{name}", metavar="N", type=count_number, default=default,
            help=f"{what} (default {default})",
        )  # fmt: skip
    add_renamed(
        tune,
        "--validation",
        "--proof",
        metavar="N",
        type=any_number,
        default=DEFAULT_VALIDATION_GAMES,
        help=f"games of new weights against old ones (default {DEFAULT_VALIDATION_GAMES})",
    )
    tune.add_argument(
        "--seed",
        metavar="S",
        type=any_number,
        default=1,
        help="seed of the games (default 1)",
    )


def _tune(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.tuning import TuningOptions, run_tuning

    game = games.make(args.game) if args.game else games.make()
    options = TuningOptions(
        args.folder, args.games, args.nodes, args.seed, args.validation, args.jobs
    )
    return run_tuning(game, options, console)
