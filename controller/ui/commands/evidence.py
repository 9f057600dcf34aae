"""Lists and prunes the stored images of refereed games."""

from __future__ import annotations

from controller.config.board_file import load_board_file
from controller.config.board_names import default_board
from controller.devices.factory.clocks import unix_time_s
from controller.storage.evidence_files import (
    DAY_S,
    EVIDENCE_FOLDER,
    MB,
    format_megabytes,
    plan_pruning,
    prune,
    take_inventory,
)
from controller.storage.games import games_folder
from controller.ui.console import Console, printable_name
from engine.sentences import pluralise


def list_evidence(board: str | None, console: Console) -> int:
    """Print the games with images, their sizes and ages, and the quota of the board file."""
    settings = load_board_file(board or default_board()).referee.evidence
    found = take_inventory(games_folder() / EVIDENCE_FOLDER, unix_time_s())
    rows = [
        (
            printable_name(each.game),
            pluralise(sum(name.endswith(".jpg") for name in each.names), "image", "images"),
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


def prune_evidence(board: str | None, dry_run: bool, console: Console) -> int:
    """Delete expired images and those above the quota; `dry_run`: only print them."""
    settings = load_board_file(board or default_board()).referee.evidence
    folder = games_folder() / EVIDENCE_FOLDER
    plan = plan_pruning(take_inventory(folder, unix_time_s()), settings)
    for game in plan.expired_games:
        console.print(f"{printable_name(game)}: older than {settings.keep_days} days")
    for game in plan.over_quota_games:
        console.print(f"{printable_name(game)}: the quota of {settings.quota_mb} MB is full")
    if not dry_run:
        prune(folder, plan)
    sentence = plan.dry_run_sentence if dry_run else plan.sentence
    console.print("nothing to remove" if sentence is None else str(sentence))
    if plan.remaining_bytes > settings.quota_mb * MB:
        console.note(
            f"{format_megabytes(plan.remaining_bytes)} remain, which is more than the quota:"
            " images of unfinished games are kept; raise referee.evidence.quota_mb, or end them"
        )
    return 0
