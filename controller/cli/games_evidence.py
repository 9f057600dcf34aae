"""`laserboard games evidence`: lists and prunes the stored pictures of refereed games."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.session.journal import pluralise
from controller.storage.games import games_folder
from controller.ui.console import Console, printable_name


def add(actions: Subcommands) -> None:
    evidence = add_command(
        actions,
        "evidence",
        _list,
        "list the stored pictures of games, or delete expired ones",
        "  laserboard games evidence list\n  laserboard games evidence prune --dry-run",
        "Games with a referee have a picture before and after every turn. The section `referee` of "
        "the board file sets how many days and how many megabytes of pictures are kept.",
    )
    evidence.set_defaults(board=None)
    actions = evidence.add_subparsers(title="what to do", metavar="list|prune")
    listing = add_command(
        actions, "list", _list, "list games with pictures", "  laserboard games evidence list"
    )
    pruning = add_command(
        actions,
        "prune",
        _prune,
        "delete expired pictures, and above the quota those of the oldest games",
        "  laserboard games evidence prune --dry-run",
        "Pictures of an unfinished game are deleted only when they expire. Journals are never "
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
    from controller.config.board_file import default_board, load_board_file
    from controller.devices.factory.clocks import unix_time_s
    from controller.storage.evidence_files import (
        DAY_S,
        EVIDENCE_FOLDER,
        format_megabytes,
        take_inventory,
    )

    settings = load_board_file(args.board or default_board()).referee.evidence
    found = take_inventory(games_folder() / EVIDENCE_FOLDER, unix_time_s())
    rows = [
        (
            printable_name(each.game),
            pluralise(sum(name.endswith(".jpg") for name in each.names), "picture", "pictures"),
            format_megabytes(found.size_of(each.names)),
            f"{max(0, int(each.age_s // DAY_S))} days old",
            "" if each.finished else "not over",
        )
        for each in reversed(found.games)
    ]
    if found.unreferenced:
        files = pluralise(len(found.unreferenced), "file", "files")
        rows.append(
            ("of no game", files, format_megabytes(found.size_of(found.unreferenced)), "", "")
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        console.print("  ".join(padded).rstrip())
    console.print(
        f"{format_megabytes(found.total_bytes)} of {settings.quota_mb} MB,"
        f" kept for {settings.keep_days} days"
    )
    return 0


def _prune(args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_file import default_board, load_board_file
    from controller.devices.factory.clocks import unix_time_s
    from controller.storage.evidence_files import (
        EVIDENCE_FOLDER,
        MB,
        format_megabytes,
        plan_pruning,
        prune,
        take_inventory,
    )

    settings = load_board_file(args.board or default_board()).referee.evidence
    folder = games_folder() / EVIDENCE_FOLDER
    plan = plan_pruning(take_inventory(folder, unix_time_s()), settings)
    for game in plan.expired_games:
        console.print(f"{printable_name(game)}: older than {settings.keep_days} days")
    for game in plan.over_quota_games:
        console.print(f"{printable_name(game)}: the quota of {settings.quota_mb} MB is full")
    if not args.dry_run:
        prune(folder, plan)
    sentence = plan.dry_run_sentence if args.dry_run else plan.sentence
    console.print("nothing to remove" if sentence is None else str(sentence))
    if plan.remaining_bytes > settings.quota_mb * MB:
        console.note(
            f"{format_megabytes(plan.remaining_bytes)} remain, which is more than the quota:"
            " pictures of unfinished games are kept; raise referee.evidence.quota_mb, or end them"
        )
    return 0
