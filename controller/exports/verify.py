"""Whether an export is complete and as it was when its head was published.

A zip in, findings out: what is wrong, a sentence each, and what cannot be known from what was
given. Everything is held against the journal, and the journal against its head.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from controller.evidence import BadEvidence
from controller.exports.archive import Archive, BadArchive, Found, read_archive
from controller.exports.contents import (
    EDITION,
    EVIDENCE,
    FORMAT,
    HTML,
    JOURNAL,
    JSON,
    MANIFEST,
    TEXT,
    kind_of,
    linked,
    manifest,
    write_manifest,
    yielded,
)
from controller.exports.sheet import SHORT, grouped, head_of
from controller.journal import Entry, count, recover
from controller.played import Played, replay
from engine import strict_json
from engine.errors import LaserboardError, excerpt

MOST_TOLD = 20  # findings of one sort


class BadHead(LaserboardError, ValueError):
    """Text that is no head of a journal."""


class BadManifest(LaserboardError, ValueError):
    """A manifest that does not say what is there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it: with findings it is not as it was; what is `open` was not proven."""

    findings: tuple[str, ...]
    open: tuple[str, ...] = ()
    head: str = ""
    entries: int = 0
    pictures: int = 0
    played: Played | None = None

    def __str__(self) -> str:
        ended = self.played and self.played.ended
        turns = count(len(self.played.turns) if self.played else 0, "turn", "turns")
        return (
            f"{count(self.entries, 'entry', 'entries')}, {turns}, "
            f"{count(self.pictures, 'picture', 'pictures')}, {ended or 'unfinished'}; "
            f"head {grouped(self.head)}"
        )


def read_head(text: str) -> str:
    """A head as people type it: whole, or at least its first 16 digits, with or without blanks."""
    digits = re.sub(r"[\s-]", "", text).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{SHORT},64}}", digits):
        raise BadHead(
            f"{excerpt(text)} is no head: give its first {SHORT} digits or more of the 64, "
            "0 to 9 and a to f"
        )
    return digits


def against(entries: Sequence[Entry], head: str) -> str:
    """What is wrong with a journal, held against a published head; empty: nothing."""
    last = head_of(entries)
    if last.startswith(head):
        return ""
    for entry in entries:
        if entry.hash.startswith(head):
            later = count(len(entries) - entry.number, "entry was", "entries were")
            return (
                f"the published head is that of entry {entry.number}: up to there nothing was "
                f"changed, and {later} written after it"
            )
    return (
        f"the head is {grouped(last[: len(head)])} and the published one is {grouped(head)}: "
        "entries were changed, removed or written anew since"
    )


class _Findings:
    """Sentences, one at most about each file."""

    def __init__(self) -> None:
        self._told: list[str] = []
        self._about: set[str] = set()
        self._untold = 0

    def add(self, about: str, sentence: str) -> None:
        """`about`: a file; empty: none of them."""
        if about and about in self._about:
            return
        self._about.add(about)
        if about and len(self._about) > MOST_TOLD:
            self._untold += 1
        else:
            self._told.append(sentence)

    def all(self) -> tuple[str, ...]:
        rest = f"and {self._untold} more files are not as they were"
        return (*self._told, rest) if self._untold else tuple(self._told)


def verify(file: BinaryIO, head: str | None = None) -> Verdict:
    """Hold an export against itself, and against the head that was published for it."""
    findings = _Findings()
    try:
        archive = read_archive(file, kind_of)
    except BadArchive as bad:
        return Verdict((str(bad),))
    for about, sentence in archive.findings:
        findings.add(about, sentence)
    if JOURNAL not in archive.files:
        findings.add(JOURNAL, f"{JOURNAL} is missing: there is nothing to hold the rest against")
        return Verdict(findings.all())
    recovered = recover(archive.files[JOURNAL].content)
    entries = recovered.entries
    if recovered.torn is not None:
        findings.add(JOURNAL, f"{JOURNAL}: {recovered.torn}")
    if head is not None and (wrong := against(entries, head)):
        findings.add("", wrong)
    try:
        played = replay(entries)
    except LaserboardError as bad:
        findings.add("", f"{JOURNAL} tells no game: {bad}")
        return Verdict(findings.all())
    if played.fault is not None:
        findings.add("", f"{JOURNAL}: {played.fault}")
    _check_pictures(archive, entries, findings)
    edition = _check_manifest(archive.files, entries, findings)
    unsure = []
    if edition == EDITION:
        _check_derived(archive.files, yielded(entries, played), findings)
    else:
        unsure.append(
            f"that {HTML} and the records say what the journal says: they are of edition {edition},"
            f" and this Laserboard writes {EDITION}"
        )
    if head is None:
        unsure.append(
            "that nobody wrote all of it anew: only a head that was published before can prove "
            f"that, with --head (here it would be {grouped(head_of(entries)[:SHORT])})"
        )
    pictures = sum(name.endswith(".jpg") for name in archive.files)
    return Verdict(findings.all(), tuple(unsure), head_of(entries), len(entries), pictures, played)


# -- the parts -----------------------------------------------------------------------------------


def _check_pictures(archive: Archive, entries: Sequence[Entry], findings: _Findings) -> None:
    try:
        wanted = linked(entries)
    except BadEvidence as bad:
        findings.add("", f"{JOURNAL}: {bad}")
        return
    for name, what in sorted(wanted.items(), key=lambda each: each[1]):
        there = archive.files.get(name)
        if there is None:
            findings.add(name, f"{what} is missing ({name})")
        elif there.hash != name.removeprefix(EVIDENCE).partition(".")[0]:
            findings.add(name, f"{what} is another one than the journal links ({name})")
    for name in archive.files:
        if name.startswith(EVIDENCE) and name not in wanted:
            findings.add(name, f"{name} is linked by no entry of the journal")


def _check_derived(
    files: Mapping[str, Found], right: Mapping[str, bytes], findings: _Findings
) -> None:
    for name in (TEXT, JSON, HTML):
        if name not in right:
            if name in files:
                findings.add(name, f"{name} does not belong to a game that has no such form")
        elif name not in files:
            findings.add(name, f"{name} is missing")
        elif files[name].content != right[name]:
            findings.add(name, f"{name} does not say what the journal says")


def _check_manifest(
    files: Mapping[str, Found], entries: Sequence[Entry], findings: _Findings
) -> int:
    """The edition that it says the files are of; ours, where it says none."""
    if MANIFEST not in files:
        findings.add(MANIFEST, f"{MANIFEST} is missing")
        return EDITION
    content = files[MANIFEST].content
    right = manifest(entries, {name: each.hash for name, each in files.items()})
    try:
        said = _read_manifest(content)
    except BadManifest as bad:
        findings.add(MANIFEST, f"{MANIFEST}: {bad}")
        return EDITION
    if said["entries"] != len(entries):
        findings.add(
            JOURNAL,
            f"{MANIFEST} tells of {said['entries']} entries, and the journal has {len(entries)}"
            + (": its tail is missing" if said["entries"] > len(entries) else ""),
        )
    elif said["head"] != right["head"]:
        findings.add(JOURNAL, f"{MANIFEST} has another head than the journal")
    names = said["files"]
    for name in sorted(set(names) | set(right["files"])):
        if name not in right["files"]:
            findings.add(name, f"{_shown(name)} is missing, which {MANIFEST} tells of")
        elif name not in names:
            findings.add(name, f"{name} is there, and {MANIFEST} does not tell of it")
        elif names[name] != right["files"][name]:
            findings.add(name, f"{name} is not the file that {MANIFEST} tells of")
    if names == right["files"] and content != write_manifest(right | {"edition": said["edition"]}):
        findings.add(MANIFEST, f"{MANIFEST} is not as it was written")
    edition: int = said["edition"]
    return edition


def _read_manifest(content: bytes) -> Mapping[str, Any]:
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        raise BadManifest("has a byte that was never written there") from None
    value = strict_json.read(text, BadManifest)
    names = ("format", "edition", "head", "entries", "files")
    said = strict_json.fields(value, "it", BadManifest, names)
    strict_json.whole(said["format"], "its format", BadManifest, FORMAT, FORMAT)
    strict_json.whole(said["edition"], "its edition", BadManifest, 1, 10**6)
    strict_json.whole(said["entries"], "its entries", BadManifest, 0, 10**9)
    if not isinstance(said["files"], dict):
        raise BadManifest(f"files must be an object, not {excerpt(said['files'])}")
    return said


def _shown(name: str) -> str:
    return name if name.isprintable() and 0 < len(name) <= 100 else excerpt(name)
