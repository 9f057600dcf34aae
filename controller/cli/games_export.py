"""`laserboard games export`: a game as a record, as lines, as a score sheet, or all in one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, shown, write_file
from controller.cli.kept_game import DAMAGED, KeptGame, add_game, load, status
from controller.game_store import SUFFIX, find, games_folder
from controller.journal import count, write_lines
from controller.played import record
from engine.record import Unwritable, write

FORMS = ("text", "json", "jsonl", "sheet", "zip")
ENDINGS = {".json": "json", ".jsonl": "jsonl", ".html": "sheet", ".htm": "sheet", ".zip": "zip"}


def add(whats: Subcommands) -> None:
    export = add_command(
        whats,
        "export",
        _export,
        "write a game as a record, as lines, as a score sheet, or with everything that proves it",
        "  laserboard games export last --to game.pgn\n"
        "  laserboard games export 2026-03-01-2 --to json\n"
        "  laserboard games export last --to sheet > sheet.html\n"
        "  laserboard games export last --to zip",
        "text and json are records, which `laserboard replay` plays again; jsonl is the journal, "
        "line by line; sheet is for paper; zip has all of them and the pictures, and is what "
        "`laserboard games verify` proves. What was taken back is in none of the records.",
    )
    add_game(export)
    export.add_argument(
        "--to",
        metavar="text|json|jsonl|sheet|zip|FILE",
        default="",
        help="print that form (zip: write GAME.zip here), or write FILE, by its ending: .json, "
        ".jsonl, .html, .zip, any other: text (default: print the game's own form)",
    )


def _export(args: argparse.Namespace, console: Console) -> int:
    kept_game = load(find(games_folder(), args.name))
    if args.to.endswith(SUFFIX):
        raise BadInput(f"--to {shown(args.to)}: that is a journal's name; a record is another file")
    printed = args.to in ("", *FORMS)
    if not printed and "." not in args.to and "/" not in args.to:
        raise BadInput(
            f"--to {shown(args.to)}: say {', '.join(FORMS[:-1])} or {FORMS[-1]}, or name a file"
            f" such as {args.to}.pgn"
        )
    form = args.to if printed else ENDINGS.get(Path(args.to).suffix.lower(), "")
    if form == "zip":
        return _export_zip(kept_game, f"{kept_game.path.stem}.zip" if printed else args.to, console)
    write_file("-" if printed else args.to, _text(kept_game, form), console)
    return status(kept_game, console)


def _text(kept_game: KeptGame, form: str) -> str:
    from controller.exports.sheet import sheet

    entries, played = kept_game.recovered.entries, kept_game.played
    match form:
        case "jsonl":
            return write_lines(entries).decode("ascii")
        case "sheet":
            return sheet(entries, played)
    try:
        return write(record(played), "json" if form == "json" else "text" if form else None)
    except Unwritable as error:
        raise BadInput(f"{shown(str(kept_game.path))}: {error} (--to json)") from None


def _export_zip(kept_game: KeptGame, name: str, console: Console) -> int:
    """Whole, or not at all; and never of a journal that has lost something."""
    from controller.evidence_store import megabytes
    from controller.exports.contents import export
    from controller.exports.sheet import grouped

    if kept_game.is_damaged:
        console.note(f"{shown(str(kept_game.path))}: {kept_game.harm}; it proves nothing any more")
        return DAMAGED
    path = Path(name)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            done = export(kept_game.path, kept_game.recovered.entries, kept_game.played, file.write)
        part.replace(path)
    except OSError as bad:
        part.unlink(missing_ok=True)
        raise BadInput(f"cannot write {shown(name)}: {bad.strerror or bad}") from None
    console.print(f"wrote {shown(name)}: {count(done.files, 'file', 'files')}, "
                  f"{megabytes(done.size)}")  # fmt: skip
    console.print(f"head {grouped(done.head)}")
    for sentence in done.missing:
        console.note(f"missing: {sentence}")
    return status(kept_game, console) or (DAMAGED if done.missing else 0)
