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
from controller.storage.sentences import IMAGES, ONE_IMAGE, counted
from controller.ui.commands import sentences
from controller.ui.console import Console, printable_name


def list_evidence(board: str | None, console: Console) -> int:
    """Print the games with images, their sizes and ages, and the quota of the board file."""
    settings = load_board_file(board or default_board()).referee.evidence
    found = take_inventory(games_folder() / EVIDENCE_FOLDER, unix_time_s())
    rows = [
        (
            printable_name(each.game),
            str(counted(sum(name.endswith(".jpg") for name in each.names), ONE_IMAGE, IMAGES)),
            format_megabytes(found.size_of(each.names)),
            str(
                counted(max(0, int(each.age_s // DAY_S)), sentences.ONE_DAY_OLD, sentences.DAYS_OLD)
            ),
            "" if each.finished else str(sentences.NOT_OVER()),
        )
        for each in reversed(found.games)
    ]
    if found.unreferenced:
        files = str(counted(len(found.unreferenced), sentences.ONE_FILE, sentences.FILES))
        size = format_megabytes(found.size_of(found.unreferenced))
        rows.append((str(sentences.OF_NO_GAME()), files, size, "", ""))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        console.print("  ".join(padded).rstrip())
    console.print(
        sentences.EVIDENCE_QUOTA(
            megabytes=format_megabytes(found.total_bytes),
            quota=settings.quota_mb,
            days=settings.keep_days,
        )
    )
    return 0


def prune_evidence(board: str | None, dry_run: bool, console: Console) -> int:
    """Delete expired images and those above the quota; `dry_run`: only print them."""
    settings = load_board_file(board or default_board()).referee.evidence
    folder = games_folder() / EVIDENCE_FOLDER
    plan = plan_pruning(take_inventory(folder, unix_time_s()), settings)
    for game in plan.expired_games:
        console.print(
            sentences.EVIDENCE_EXPIRED(game=printable_name(game), days=settings.keep_days)
        )
    for game in plan.over_quota_games:
        console.print(
            sentences.EVIDENCE_OVER_QUOTA(game=printable_name(game), quota=settings.quota_mb)
        )
    if not dry_run:
        prune(folder, plan)
    sentence = plan.dry_run_sentence if dry_run else plan.sentence
    console.print(sentence or sentences.NOTHING_TO_REMOVE())
    if plan.remaining_bytes > settings.quota_mb * MB:
        console.note(
            sentences.EVIDENCE_STILL_OVER_QUOTA(megabytes=format_megabytes(plan.remaining_bytes))
        )
    return 0
