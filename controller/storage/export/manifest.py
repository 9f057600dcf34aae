"""The files of an export: journal, records, score sheet, linked evidence, manifest.

All files follow from the journal. `EDITION` increases whenever the same journal gives other files
than before; `verify` can still derive the files of `READABLE_EDITIONS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from controller.session.evidence import BadEvidence, iter_evidence
from controller.session.journal import JournalEntry, format_entries
from controller.session.replay import ReplayedGame, game_record
from controller.storage import sentences
from controller.storage.evidence_files import evidence_folder, read_evidence_file
from controller.storage.export.archive import MIB, FileKind, write_archive
from controller.storage.export.score_sheet import SHEET_EDITION, last_hash_of, score_sheet
from controller.storage.games import MAX_JOURNAL_BYTES
from engine.record import write_record
from engine.sentences import Sentence

MANIFEST_FORMAT = 1
EDITION = SHEET_EDITION
READABLE_EDITIONS = (2, EDITION)
JOURNAL_FILE, MANIFEST_FILE = "game.journal", "manifest.json"
TEXT_FILE, JSON_FILE, HTML_FILE = "game.pgn", "game.json", "sheet.html"
EVIDENCE_PREFIX = "evidence/"
_EVIDENCE_NAME = re.compile(rf"{EVIDENCE_PREFIX}[0-9a-f]{{64}}\.(jpg|json)")
_KIND_BY_NAME = {
    JOURNAL_FILE: FileKind(MAX_JOURNAL_BYTES),
    MANIFEST_FILE: FileKind(16 * MIB),
    TEXT_FILE: FileKind(64 * MIB),
    JSON_FILE: FileKind(64 * MIB),
    HTML_FILE: FileKind(64 * MIB),
}
_EVIDENCE_KINDS = {"jpg": FileKind(32 * MIB, keep_content=False), "json": FileKind(4 * MIB)}


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """The result of an export."""

    files: int
    size: int
    last_hash: str
    missing_evidence: tuple[Sentence, ...]  # one for each deleted or damaged image


def file_kind_of(name: str) -> FileKind | None:
    """The kind of a file by its name; None if it does not belong in an export."""
    found = _EVIDENCE_NAME.fullmatch(name)
    return _KIND_BY_NAME.get(name) if found is None else _EVIDENCE_KINDS[found[1]]


def derived_files(
    entries: Sequence[JournalEntry], played: ReplayedGame, edition: int = EDITION
) -> dict[str, bytes]:
    """The journal and the files that follow from it."""
    files = {
        JOURNAL_FILE: format_entries(entries),
        JSON_FILE: write_record(game_record(played), "json").encode(),
        HTML_FILE: score_sheet(entries, played, edition).encode(),
    }
    if played.setup.game.record_form == "text":
        files[TEXT_FILE] = write_record(game_record(played), "text").encode()
    return files


def linked_evidence_files(entries: Sequence[JournalEntry]) -> dict[str, Sentence]:
    """The evidence files that a journal references, each with a description."""
    files: dict[str, Sentence] = {}
    before = sentences.IMAGE_BEFORE_TURN, sentences.READING_BEFORE_TURN
    after = sentences.IMAGE_AFTER_TURN, sentences.READING_AFTER_TURN
    for each in iter_evidence(entries):
        for templates, image in ((before, each.before), (after, each.after)):
            if image is not None:
                for name, template in zip(image.file_names(), templates, strict=True):
                    files[EVIDENCE_PREFIX + name] = template(turn=each.turn)
    return files


def build_manifest(entries: Sequence[JournalEntry], hashes: Mapping[str, str]) -> dict[str, Any]:
    """The manifest: hashes of all other files of the export."""
    return {
        "format": MANIFEST_FORMAT,
        "edition": EDITION,
        "head": last_hash_of(entries),
        "entries": len(entries),
        "files": {name: hashes[name] for name in sorted(hashes) if name != MANIFEST_FILE},
    }


def format_manifest(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode("ascii")


def write_export_file(
    path: Path, journal: Path, entries: Sequence[JournalEntry], played: ReplayedGame
) -> ExportSummary:
    """Write the export to a file through a temporary one; after an `OSError` there is neither."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            done = write_export(journal, entries, played, file)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return done


def write_export(
    journal: Path,
    entries: Sequence[JournalEntry],
    played: ReplayedGame,
    file: IO[bytes],
) -> ExportSummary:
    """Write the export of a game; its evidence folder is beside `journal`."""
    derived = derived_files(entries, played)
    missing: list[Sentence] = []
    hashes = {name: sha256(content).hexdigest() for name, content in derived.items()}

    def files() -> Iterator[tuple[str, bytes]]:
        folder = evidence_folder(journal)
        for name, description in sorted(
            linked_evidence_files(entries).items(), key=lambda each: each[0]
        ):
            try:
                content = read_evidence_file(folder, name.removeprefix(EVIDENCE_PREFIX))
            except BadEvidence as error:
                missing.append(sentences.EVIDENCE_MISSING(what=description, reason=error.sentence))
                continue
            hashes[name] = Path(name).stem  # `read_evidence_file` has checked it
            yield name, content
        derived[MANIFEST_FILE] = format_manifest(build_manifest(entries, hashes))
        yield from sorted(derived.items())

    size = write_archive(files(), file)
    return ExportSummary(len(hashes) + 1, size, last_hash_of(entries), tuple(missing))
