"""`laserboard games evidence`: lists and prunes the stored images of refereed games."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console


def add(actions: Subcommands) -> None:
    evidence = add_command(
        actions,
        "evidence",
        _list,
        "list the stored images of games, or delete expired ones",
        "  laserboard games evidence list\n  laserboard games evidence prune --dry-run",
        "Games with a referee have an image before and after every turn. The section `referee` of "
        "the board file sets how many days and how many megabytes of images are stored.",
    )
    evidence.set_defaults(board=None)
    actions = evidence.add_subparsers(title="commands", metavar="list|prune")
    listing = add_command(
        actions, "list", _list, "list games with images", "  laserboard games evidence list"
    )
    pruning = add_command(
        actions,
        "prune",
        _prune,
        "delete expired images, and above the quota those of the oldest games",
        "  laserboard games evidence prune --dry-run",
        "Images of an unfinished game are deleted only when they expire. Journals are never "
        "deleted.",
    )
    pruning.add_argument(
        "--dry-run", action="store_true", help="print what would be deleted, and delete nothing"
    )
    for parser in (listing, pruning):
        parser.add_argument(
            "--board", metavar="FILE", help="board file with the settings (default: as for play)"
        )


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.evidence import list_evidence

    return list_evidence(args.board, console)


def _prune(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.evidence import prune_evidence

    return prune_evidence(args.board, args.dry_run, console)
