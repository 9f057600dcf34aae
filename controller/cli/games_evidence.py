"""`laserboard games evidence`: the pictures that are kept of refereed games; list, prune them."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console, shown
from controller.game_store import games_folder
from controller.journal import count


def add(whats: Subcommands) -> None:
    evidence = add_command(
        whats,
        "evidence",
        _list,
        "list the pictures that are kept of games, or remove those past their time",
        "  laserboard games evidence list\n  laserboard games evidence prune --dry-run",
        "Games with a referee are photographed, turn by turn. How long that is kept, and how much "
        "of it, says the section `referee` of the board file.",
    )
    evidence.set_defaults(board=None)
    acts = evidence.add_subparsers(title="what to do", metavar="list|prune")
    listing = add_command(
        acts, "list", _list, "list games with pictures", "  laserboard games evidence list"
    )
    pruning = add_command(
        acts,
        "prune",
        _prune,
        "remove pictures past their time, and above the quota those of the oldest games",
        "  laserboard games evidence prune --dry-run",
        "A game that is not over loses nothing, unless nobody went on with it for so long. "
        "Journals always stay.",
    )
    pruning.add_argument("--dry-run", action="store_true", help="say what, and remove nothing")
    for parser in (listing, pruning):
        parser.add_argument("--board", metavar="FILE", help="whose settings (default: as for play)")


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.config import load_board_file, usual_board
    from controller.evidence_store import DAY_S, FOLDER, megabytes, stock
    from controller.wiring import wall_seconds

    settings = load_board_file(args.board or usual_board()).referee.evidence
    found = stock(games_folder() / FOLDER, wall_seconds())
    rows = [
        (
            shown(each.game),
            count(sum(name.endswith(".jpg") for name in each.names), "picture", "pictures"),
            megabytes(found.size(each.names)),
            f"{max(0, int(each.age_s // DAY_S))} days old",
            "" if each.finished else "not over",
        )
        for each in reversed(found.holdings)
    ]
    if found.unowned:
        files = count(len(found.unowned), "file", "files")
        rows.append(("of no game", files, megabytes(found.size(found.unowned)), "", ""))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        console.print("  ".join(padded).rstrip())
    console.print(
        f"{megabytes(found.total)} of {settings.quota_mb} MB, kept for {settings.keep_days} days"
    )
    return 0


def _prune(args: argparse.Namespace, console: Console) -> int:
    from controller.config import load_board_file, usual_board
    from controller.evidence_store import FOLDER, MB, megabytes, prune, pruning, stock
    from controller.wiring import wall_seconds

    settings = load_board_file(args.board or usual_board()).referee.evidence
    folder = games_folder() / FOLDER
    plan = pruning(stock(folder, wall_seconds()), settings)
    for game in plan.aged:
        console.print(f"{shown(game)}: older than {settings.keep_days} days")
    for game in plan.crowded:
        console.print(f"{shown(game)}: the quota of {settings.quota_mb} MB is full")
    if not args.dry_run:
        prune(folder, plan)
    told = str(plan) or "nothing to remove"
    console.print(told.replace("removed", "to be removed") if args.dry_run else told)
    if plan.left > settings.quota_mb * MB:
        console.note(
            f"{megabytes(plan.left)} stay, which is more than the quota: games that are not over "
            "lose nothing; raise referee.evidence.quota_mb, or end them"
        )
    return 0
