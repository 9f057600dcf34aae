"""Verifies stored games and exports, and prints a verdict for each; returns the exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from controller.session.journal import recover
from controller.session.replay import replay
from controller.storage.export.archive import is_zip
from controller.storage.export.verify import compare_with_hash, parse_hash, verify_export
from controller.storage.games import (
    find_journal,
    games_folder,
    list_journals,
    no_games_message,
    read_journal,
)
from controller.storage.sentences import ENTRIES, ONE_ENTRY, UNFINISHED, counted, turn_count
from controller.storage.stored_game import StoredGame
from controller.ui.commands import sentences
from controller.ui.console import BAD_INPUT, BadInput, Console, file_error, printable_name
from controller.ui.sentences import CANNOT_READ
from engine.errors import LaserboardError

EXIT_DAMAGED = 1
EXIT_UNPROVEN = 3


def verify_games(names: Sequence[str], published_hash: str | None, console: Console) -> int:
    """Verify games by name or file (none: all stored games); the exit status."""
    folder = games_folder()
    if published_hash is not None and len(names) != 1:
        raise BadInput(sentences.HASH_OF_ONE_GAME())
    last_hash = None if published_hash is None else parse_hash(published_hash)
    if not names and not list_journals(folder):
        console.note(no_games_message(folder))
    statuses = set()
    for name in names or [each.stem for each in list_journals(folder)]:
        try:
            path = find_journal(folder, name)
            statuses.add(_verify_one(name, path, last_hash, console))
        except LaserboardError as error:
            console.note(f"laserboard: {error}")
            statuses.add(BAD_INPUT)
    return next((each for each in (BAD_INPUT, EXIT_DAMAGED, EXIT_UNPROVEN) if each in statuses), 0)


def _verify_one(name: str, path: Path, last_hash: str | None, console: Console) -> int:
    if path.suffix.lower() == ".zip" or is_zip(path):
        return _verify_export(name, path, last_hash, console)
    is_good, verdict = _verdict(path, last_hash)
    console.print(f"{printable_name(name)}: {verdict}")
    return 0 if is_good else EXIT_DAMAGED


def _verdict(path: Path, last_hash: str | None) -> tuple[bool, str]:
    """Whether the journal is intact, and the verdict for people."""
    recovered = recover(read_journal(path))
    try:
        stored = StoredGame(path, recovered, replay(recovered.entries))
    except LaserboardError as error:
        tail = recovered.damaged_tail
        return False, str(sentences.DAMAGED_GAME(reason=tail.sentence if tail else error.sentence))
    if stored.damage:
        template = sentences.DAMAGED_GAME if stored.is_damaged else sentences.TORN_GAME
        if stored.played.fault:
            template = sentences.WRONG_GAME
        return False, str(template(reason=stored.damage))
    if last_hash is not None and (wrong := compare_with_hash(recovered.entries, last_hash)):
        return False, str(sentences.WRONG_GAME(reason=wrong))
    played = stored.played
    good = sentences.GOOD_GAME(
        entries=counted(len(recovered.entries), ONE_ENTRY, ENTRIES),
        turns=turn_count(len(played.turns)),
        outcome=played.outcome.sentence if played.outcome else UNFINISHED(),
    )
    return True, printable_name(str(good))


def _verify_export(name: str, path: Path, last_hash: str | None, console: Console) -> int:
    try:
        with path.open("rb") as file:
            verdict = verify_export(file, last_hash)
    except OSError as error:
        raise file_error(CANNOT_READ, name, error) from error
    for sentence in verdict.findings:
        console.print(printable_name(f"{name}: {sentences.WRONG_GAME(reason=sentence)}"))
    if verdict.findings:
        return EXIT_DAMAGED
    template = sentences.CONSISTENT_EXPORT if last_hash is None else sentences.GOOD_EXPORT
    console.print(printable_name(f"{name}: {template(summary=verdict.sentence)}"))
    for sentence in verdict.unproven:
        console.print(printable_name(f"{name}: {sentences.NOT_PROVEN(reason=sentence)}"))
    return EXIT_UNPROVEN if verdict.unproven else 0
