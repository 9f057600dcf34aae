"""`laserboard games verify`: checks that journals and exports are unchanged.

An export that is consistent but was not compared with a published hash gives exit status 3.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command, add_renamed
from controller.ui.console import BAD_INPUT, BadInput, Console, printable_name
from engine.errors import LaserboardError

if TYPE_CHECKING:
    from controller.storage.export.verify import VerificationReport

EXIT_DAMAGED = 1
EXIT_UNPROVEN = 3
ZIP_MAGIC = b"PK"


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
    from controller.storage.export.verify import parse_hash
    from controller.storage.games import (
        find_journal,
        games_folder,
        list_journals,
        no_games_message,
    )

    folder = games_folder()
    if args.last_hash is not None and len(args.games) != 1:
        raise BadInput("--hash is the hash of one game: name that one")
    last_hash = None if args.last_hash is None else parse_hash(args.last_hash)
    if not args.games and not list_journals(folder):
        console.note(str(no_games_message(folder)))
    statuses = set()
    for name in args.games or [each.stem for each in list_journals(folder)]:
        try:
            path = find_journal(folder, name)
            statuses.add(_verify_one(name, path, last_hash, console))
        except LaserboardError as error:
            console.note(f"laserboard: {error}")
            statuses.add(BAD_INPUT)
    return next((each for each in (BAD_INPUT, EXIT_DAMAGED, EXIT_UNPROVEN) if each in statuses), 0)


def _verify_one(name: str, path: Path, last_hash: str | None, console: Console) -> int:
    if path.suffix.lower() == ".zip" or _is_zip(path):
        return _verify_export(name, path, last_hash, console)
    verdict = _verdict(path, last_hash)
    console.print(f"{printable_name(name)}: {verdict}")
    return 0 if verdict.startswith("good") else EXIT_DAMAGED


# -- a journal -----------------------------------------------------------------------------------


def _verdict(path: Path, last_hash: str | None) -> str:
    from controller.session.journal import pluralise, recover
    from controller.session.replay import replay
    from controller.storage.export.verify import compare_with_hash
    from controller.storage.games import read_journal
    from controller.storage.stored_game import StoredGame

    recovered = recover(read_journal(path))
    try:
        stored = StoredGame(path, recovered, replay(recovered.entries))
    except LaserboardError as error:
        return f"damaged: {recovered.damaged_tail or error}"
    if stored.damage:
        kind = "wrong" if stored.played.fault else "damaged"
        if kind == "damaged" and not stored.is_damaged:
            kind = "torn"
        return f"{kind}: {stored.damage}"
    if last_hash is not None and (wrong := compare_with_hash(recovered.entries, last_hash)):
        return f"wrong: {wrong}"
    played = stored.played
    turns = pluralise(len(played.turns), "turn", "turns")
    entries = pluralise(len(recovered.entries), "entry", "entries")
    return printable_name(f"good: {entries}, {turns}, {played.outcome or 'unfinished'}")


# -- an export -----------------------------------------------------------------------------------


def _is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC
    except OSError:
        return False


def _verify_export(name: str, path: Path, last_hash: str | None, console: Console) -> int:
    from controller.storage.export.verify import verify_export

    try:
        with path.open("rb") as file:
            verdict = verify_export(file, last_hash)
    except OSError as bad:
        raise BadInput(f"cannot read {printable_name(name)}: {bad.strerror or bad}") from None
    for sentence in verdict.findings:
        console.print(printable_name(f"{name}: wrong: {sentence}"))
    if verdict.findings:
        return EXIT_DAMAGED
    console.print(printable_name(f"{name}: {_proof_text(verdict, last_hash)}"))
    for sentence in verdict.unproven:
        console.print(printable_name(f"{name}: not proven: {sentence}"))
    return EXIT_UNPROVEN if verdict.unproven else 0


def _proof_text(verdict: VerificationReport, last_hash: str | None) -> str:
    if last_hash is None:
        return f"consistent: {verdict}"
    return f"good, complete and unchanged since its hash was published: {verdict}"
