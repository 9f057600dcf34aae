"""`laserboard games`: lists, shows, exports and verifies the stored games of this computer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli import games_evidence, games_export, games_verify
from controller.cli.args.stored_game import add_stored_game
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console

if TYPE_CHECKING:
    pass


MAX_LISTED = 20


def add(commands: Subcommands) -> None:
    games = add_command(
        commands,
        "games",
        _list,
        "list, show, export or verify the games that were played on this computer",
        "  laserboard games list\n"
        "  laserboard games show last\n"
        "  laserboard games export last --to game.pgn\n"
        "  laserboard games verify 2026-03-01-2.zip --hash 396aa3e7e9700002",
        "Every game is stored in a journal, turn by turn, so that a power cut loses nothing.",
    )
    games.set_defaults(all=False)
    actions = games.add_subparsers(title="commands", metavar="list|show|export|verify|evidence")

    listing = add_command(
        actions, "list", _list, "list the games, the newest first", "  laserboard games list --all"
    )
    listing.add_argument(
        "--all", action="store_true", help=f"all games, not only the newest {MAX_LISTED}"
    )

    show = add_command(
        actions,
        "show",
        _show,
        "show a game: who played, every turn, the last position",
        "  laserboard games show last\n  laserboard games show 2026-03-01-2 --json",
    )
    add_stored_game(show)
    show.add_argument(
        "--json", action="store_true", help="print the whole game as JSON, with beams"
    )

    games_export.add(actions)
    games_verify.add(actions)
    games_evidence.add(actions)


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.stored_games import list_games

    return list_games(None if args.all else MAX_LISTED, console)


def _show(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.stored_games import show_game

    return show_game(args.name, args.json, console)
