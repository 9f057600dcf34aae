"""Exports a stored game as a record, journal, score sheet or zip."""

from __future__ import annotations

from pathlib import Path

from controller.session.journal import format_entries
from controller.session.replay import game_record
from controller.session.sentences import OR
from controller.storage.evidence_files import format_megabytes
from controller.storage.export.manifest import write_export_file
from controller.storage.export.score_sheet import group_digits, score_sheet
from controller.storage.games import JOURNAL_SUFFIX, find_journal, games_folder
from controller.storage.sentences import counted
from controller.storage.stored_game import StoredGame, load_game
from controller.ui.commands import sentences
from controller.ui.commands.record_files import EXIT_DAMAGED, exit_status
from controller.ui.console import BadInput, Console, file_error, printable_name, write_file
from controller.ui.sentences import CANNOT_WRITE
from engine.record import Unwritable, write_record
from engine.sentences import as_sentence

FORMS = ("text", "json", "jsonl", "sheet", "zip")
FORM_BY_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".html": "sheet",
    ".htm": "sheet",
    ".zip": "zip",
}


def export_game(name: str, to: str, console: Console) -> int:
    """Print a game in the form `to`, or write it to the file `to`; the exit status."""
    stored = load_game(find_journal(games_folder(), name))
    if to.endswith(JOURNAL_SUFFIX):
        raise BadInput(sentences.TO_IS_JOURNAL(name=printable_name(to)))
    printed = to in ("", *FORMS)
    if not printed and "." not in to and "/" not in to:
        forms = OR(first=FORMS[:-1], second=FORMS[-1])
        raise BadInput(sentences.UNKNOWN_TO(name=printable_name(to), forms=forms, stem=to))
    form = to if printed else FORM_BY_SUFFIX.get(Path(to).suffix.lower(), "")
    if form == "zip":
        return _export_zip(stored, f"{stored.path.stem}.zip" if printed else to, console)
    write_file("-" if printed else to, _text(stored, form), console)
    return exit_status(stored, console)


def _text(stored: StoredGame, form: str) -> str:
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
        reason = sentences.CONVERT_TO_JSON(reason=error.sentence)
        raise BadInput(
            sentences.IN_FILE(name=printable_name(str(stored.path)), reason=reason)
        ) from error


def _export_zip(stored: StoredGame, name: str, console: Console) -> int:
    """Write the whole zip or nothing; a damaged journal is not exported."""
    if stored.is_damaged:
        name, damage = printable_name(str(stored.path)), as_sentence(stored.damage or "")
        console.note(sentences.NOT_EXPORTED(name=name, damage=damage))
        return EXIT_DAMAGED
    entries, played = stored.recovered.entries, stored.played
    try:
        done = write_export_file(Path(name), stored.path, entries, played)
    except OSError as error:
        raise file_error(CANNOT_WRITE, name, error) from error
    files = counted(done.files, sentences.ONE_FILE, sentences.FILES)
    console.print(
        sentences.EXPORTED(
            name=printable_name(name), files=files, megabytes=format_megabytes(done.size)
        )
    )
    console.print(sentences.HASH(hash=group_digits(done.last_hash)))
    for sentence in done.missing_evidence:
        console.note(sentences.MISSING(reason=sentence))
    return exit_status(stored, console) or (EXIT_DAMAGED if done.missing_evidence else 0)
