"""`laserboard games export`: writes a stored game as a record, journal, score sheet or zip."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.args.stored_game import add_stored_game
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console

if TYPE_CHECKING:
    pass


def add(actions: Subcommands) -> None:
    export = add_command(
        actions,
        "export",
        _export,
        "export a game as a record, a journal, a score sheet, or a zip with all evidence",
        "  laserboard games export last --to game.pgn\n"
        "  laserboard games export 2026-03-01-2 --to json\n"
        "  laserboard games export last --to sheet > sheet.html\n"
        "  laserboard games export last --to zip",
        "text and json are records for `laserboard replay`; jsonl is the journal, line by line; "
        "sheet is a score sheet for paper; zip has all of them and the images, and "
        "`laserboard games verify` checks it. Records leave out turns that were taken back.",
    )
    add_stored_game(export)
    export.add_argument(
        "--to",
        metavar="text|json|jsonl|sheet|zip|FILE",
        default="",
        help="print this form (zip: write GAME.zip), or write FILE in the form of its suffix: "
        ".json, .jsonl, .html, .zip, else text (default: print the game's own form)",
    )


def _export(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.game_export import export_game

    return export_game(args.name, args.to, console)
