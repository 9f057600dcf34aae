"""`laserboard games verify`: checks that journals and exports are unchanged.

An export that is consistent but was not compared with a published hash gives exit status 3.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command, add_renamed
from controller.ui.console import Console

if TYPE_CHECKING:
    pass


def add(actions: Subcommands) -> None:
    parser = add_command(
        actions,
        "verify",
        _verify,
        "check stored games and exports: unchanged lines, legal moves, correct results",
        "  laserboard games verify\n"
        "  laserboard games verify /media/stick/*.journal\n"
        "  laserboard games verify 2026-03-01-2.zip --hash 396aa3e7e9700002",
        "With --hash, the command proves that an export is complete and unchanged since that hash "
        "was published; the page, the score sheet and the tournament show the hash. The exit "
        "status is 0 if everything is correct, 1 if anything was changed, 2 if a file cannot be "
        "read or an argument is wrong, 3 if an export is consistent, but was not compared with a "
        "hash.",
    )
    parser.add_argument(
        "games",
        metavar="NAME|FILE",
        nargs="*",
        help="games or files to check (default: all stored games)",
    )
    add_renamed(
        parser,
        "--hash",
        "--head",
        metavar="HASH",
        dest="last_hash",
        help="the published hash of one game: its 64 digits, or the first 16 or more",
    )


def _verify(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.game_verification import verify_games

    return verify_games(args.games, args.last_hash, console)
