"""`laserboard games export`: writes a stored game as a record, journal, score sheet or zip."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.args.stored_game import add_stored_game
from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console, printable_name, write_file

if TYPE_CHECKING:
    from controller.storage.stored_game import StoredGame

FORMS = ("text", "json", "jsonl", "sheet", "zip")
FORM_BY_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".html": "sheet",
    ".htm": "sheet",
    ".zip": "zip",
}


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
        "sheet is a score sheet for paper; zip has all of them and the pictures, and "
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
    from controller.storage.games import JOURNAL_SUFFIX, find_journal, games_folder
    from controller.storage.stored_game import load_game
    from controller.ui.commands.record_files import exit_status

    stored = load_game(find_journal(games_folder(), args.name))
    if args.to.endswith(JOURNAL_SUFFIX):
        raise BadInput(
            f"--to {printable_name(args.to)}: that is a journal's name; a record is another file"
        )
    printed = args.to in ("", *FORMS)
    if not printed and "." not in args.to and "/" not in args.to:
        raise BadInput(
            f"--to {printable_name(args.to)}: say {', '.join(FORMS[:-1])} or {FORMS[-1]}, or name"
            f" a file such as {args.to}.pgn"
        )
    form = args.to if printed else FORM_BY_SUFFIX.get(Path(args.to).suffix.lower(), "")
    if form == "zip":
        return _export_zip(stored, f"{stored.path.stem}.zip" if printed else args.to, console)
    write_file("-" if printed else args.to, _text(stored, form), console)
    return exit_status(stored, console)


def _text(stored: StoredGame, form: str) -> str:
    from controller.session.journal import format_entries
    from controller.session.replay import game_record
    from controller.storage.export.score_sheet import score_sheet
    from engine.record import Unwritable, write_record

    entries, played = stored.recovered.entries, stored.played
    match form:
        case "jsonl":
            return format_entries(entries).decode("ascii")
        case "sheet":
            return score_sheet(entries, played)
    try:
        return write_record(
            game_record(played), "json" if form == "json" else "text" if form else None
        )
    except Unwritable as error:
        raise BadInput(f"{printable_name(str(stored.path))}: {error} (--to json)") from None


def _export_zip(stored: StoredGame, name: str, console: Console) -> int:
    """Write the whole zip or nothing; a damaged journal is not exported."""
    from controller.session.journal import pluralise
    from controller.storage.evidence_files import format_megabytes
    from controller.storage.export.manifest import write_export
    from controller.storage.export.score_sheet import group_digits
    from controller.ui.commands.record_files import EXIT_DAMAGED, exit_status

    if stored.is_damaged:
        console.note(f"{printable_name(str(stored.path))}: {stored.damage}; it is not exported")
        return EXIT_DAMAGED
    path = Path(name)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            done = write_export(stored.path, stored.recovered.entries, stored.played, file)
        part.replace(path)
    except OSError as bad:
        part.unlink(missing_ok=True)
        raise BadInput(f"cannot write {printable_name(name)}: {bad.strerror or bad}") from None
    console.print(f"wrote {printable_name(name)}: {pluralise(done.files, 'file', 'files')}, "
                  f"{format_megabytes(done.size)}")  # fmt: skip
    console.print(f"hash {group_digits(done.last_hash)}")
    for sentence in done.missing_evidence:
        console.note(f"missing: {sentence}")
    return exit_status(stored, console) or (EXIT_DAMAGED if done.missing_evidence else 0)
