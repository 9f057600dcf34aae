"""What an export is made of: the journal, what it yields, the pictures it links, a manifest.

All of it follows from the journal. `EDITION` counts up whenever the same journal yields other
files than before: an older export is then not held against them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from controller.evidence import BadEvidence, evidence_of
from controller.evidence_store import evidence_folder, read_file
from controller.exports.archive import MIB, Kind, pack
from controller.exports.sheet import EDITION as SHEET
from controller.exports.sheet import head_of, sheet
from controller.game_store import LARGEST as LARGEST_JOURNAL
from controller.journal import Entry, write_lines
from controller.played import Played, record
from engine.record import write

FORMAT = 1
EDITION = SHEET
JOURNAL, MANIFEST = "game.journal", "manifest.json"
TEXT, JSON, HTML = "game.pgn", "game.json", "sheet.html"
EVIDENCE = "evidence/"
_PICTURE = re.compile(rf"{EVIDENCE}[0-9a-f]{{64}}\.(jpg|json)")
_KINDS = {
    JOURNAL: Kind(LARGEST_JOURNAL),
    MANIFEST: Kind(16 * MIB),
    TEXT: Kind(64 * MIB),
    JSON: Kind(64 * MIB),
    HTML: Kind(64 * MIB),
}
_PICTURES = {"jpg": Kind(32 * MIB, kept=False), "json": Kind(4 * MIB)}


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    files: int
    size: int
    head: str
    missing: tuple[str, ...]  # pictures that are not kept any more, or are damaged; a sentence each


def kind_of(name: str) -> Kind | None:
    """What a file of that name is; None: nothing that belongs in an export."""
    found = _PICTURE.fullmatch(name)
    return _KINDS.get(name) if found is None else _PICTURES[found[1]]


def yielded(entries: Sequence[Entry], played: Played) -> dict[str, bytes]:
    """The files that follow from a journal, and itself."""
    files = {
        JOURNAL: write_lines(entries),
        JSON: write(record(played), "json").encode(),
        HTML: sheet(entries, played).encode(),
    }
    if played.start.game.record_form == "text":
        files[TEXT] = write(record(played), "text").encode()
    return files


def linked(entries: Sequence[Entry]) -> dict[str, str]:
    """The files of all pictures that a journal links, with what each is."""
    files: dict[str, str] = {}
    for each in evidence_of(entries):
        for when, picture in (("before", each.before), ("after", each.after)):
            if picture is not None:
                jpeg, seen = picture.names()
                files[EVIDENCE + jpeg] = f"the picture {when} turn {each.turn}"
                files[EVIDENCE + seen] = f"what was read in the picture {when} turn {each.turn}"
    return files


def manifest(entries: Sequence[Entry], hashes: Mapping[str, str]) -> dict[str, Any]:
    """What an export says it holds: every file but this one, by its hash."""
    return {
        "format": FORMAT,
        "edition": EDITION,
        "head": head_of(entries),
        "entries": len(entries),
        "files": {name: hashes[name] for name in sorted(hashes) if name != MANIFEST},
    }


def write_manifest(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode("ascii")


def export(
    journal: Path, entries: Sequence[Entry], played: Played, put: Callable[[bytes], object]
) -> Exported:
    """Write an export of a game; `journal` is where its pictures are beside."""
    own = yielded(entries, played)
    missing: list[str] = []
    hashes = {name: sha256(content).hexdigest() for name, content in own.items()}

    def files() -> Iterator[tuple[str, bytes]]:
        folder = evidence_folder(journal)
        for name, what in sorted(linked(entries).items()):
            try:
                content = read_file(folder, name.removeprefix(EVIDENCE))
            except BadEvidence as bad:
                missing.append(f"{what}: {bad}")
                continue
            hashes[name] = Path(name).stem  # it was held against that when it was read
            yield name, content
        own[MANIFEST] = write_manifest(manifest(entries, hashes))
        yield from sorted(own.items())

    size = pack(files(), put)
    return Exported(len(hashes) + 1, size, head_of(entries), tuple(missing))
