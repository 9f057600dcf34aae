"""Exports and their files, also forged: everything matches except the published hash."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from hashlib import sha256

from controller.session.journal import JournalEntry, next_entry, recover
from controller.session.replay import replay
from controller.storage.export.archive import write_archive
from controller.storage.export.manifest import (
    build_manifest,
    derived_files,
    format_manifest,
    linked_evidence_files,
)
from controller.storage.export.verify import VerificationReport, verify_export

Files = dict[str, bytes]
PUNISHED = b'"penalty":"2m"'


def tampered_with(export: bytes) -> dict[str, bytes]:
    """One export for each kind of forgery, of a game with a penalised illegal move."""
    files = files_of(export)
    journal = files["game.journal"]
    entries = recover(journal).entries
    assert PUNISHED in journal
    one, other, *_ = sorted(name for name in files if name.endswith(".jpg"))
    return {
        "edited entry": _fitted(
            files | {"game.journal": journal.replace(PUNISHED, b'"penalty":"1m"')}
        ),
        "removed tail": _made_of(entries[:-1], files),
        "swapped image": _fitted(files | {one: files[other], other: files[one]}),
        "rewritten chain": _made_of(_rewritten(entries), files),
    }


def _rewritten(entries: Sequence[JournalEntry]) -> list[JournalEntry]:
    """All hashes are recomputed after the players' names were changed."""
    anew: list[JournalEntry] = []
    for entry in entries:
        body = json.loads(json.dumps(dict(entry.body)).replace('"Ada"', '"Eve"'))
        anew.append(next_entry(anew[-1] if anew else None, entry.kind, body, entry.at_ms))
    assert anew[-1].hash != entries[-1].hash
    return anew


def _made_of(entries: Sequence[JournalEntry], files: Files) -> bytes:
    """A complete export of these entries, with their images."""
    images = {
        name: content for name, content in files.items() if name in linked_evidence_files(entries)
    }
    return _fitted(images | derived_files(entries, replay(entries)))


def _fitted(files: Files) -> bytes:
    entries = recover(files["game.journal"]).entries
    hashes = {name: sha256(content).hexdigest() for name, content in files.items()}
    whole = files | {"manifest.json": format_manifest(build_manifest(entries, hashes))}
    out = io.BytesIO()
    write_archive(sorted(whole.items()), out)
    return out.getvalue()


def files_of(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


def verified(content: bytes, last_hash: str | None = None) -> VerificationReport:
    return verify_export(io.BytesIO(content), last_hash)
