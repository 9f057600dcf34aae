"""Verifies that an export is complete and unchanged since its hash was published.

Takes a zip and returns a report: findings, and statements that it cannot prove. All files are
compared with the journal, and the journal with the published hash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from controller.session.evidence import BadEvidence
from controller.session.journal import JournalEntry, pluralise, recover
from controller.session.replay import ReplayedGame, replay
from controller.storage.export.archive import Archive, ArchivedFile, BadArchive, read_archive
from controller.storage.export.manifest import (
    EDITION,
    EVIDENCE_PREFIX,
    HTML_FILE,
    JOURNAL_FILE,
    JSON_FILE,
    MANIFEST_FILE,
    MANIFEST_FORMAT,
    READABLE_EDITIONS,
    TEXT_FILE,
    build_manifest,
    derived_files,
    file_kind_of,
    format_manifest,
    linked_evidence_files,
)
from controller.storage.export.score_sheet import SHORT_HASH_DIGITS, group_digits, last_hash_of
from engine import strict_json
from engine.errors import LaserboardError, excerpt

MAX_LISTED_FILES = 20


class BadHash(LaserboardError, ValueError):
    """Text that is not a hash of a journal."""


class BadManifest(LaserboardError, ValueError):
    """A malformed manifest."""


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The result of a verification.

    `findings` show that the export was changed; `unproven` are statements without proof.
    """

    findings: tuple[str, ...]
    unproven: tuple[str, ...] = ()
    last_hash: str = ""
    entries: int = 0
    pictures: int = 0
    played: ReplayedGame | None = None

    def __str__(self) -> str:
        ended = self.played and self.played.outcome
        turns = pluralise(len(self.played.turns) if self.played else 0, "turn", "turns")
        return (
            f"{pluralise(self.entries, 'entry', 'entries')}, {turns}, "
            f"{pluralise(self.pictures, 'picture', 'pictures')}, {ended or 'unfinished'}; "
            f"hash {group_digits(self.last_hash)}"
        )


def parse_hash(text: str) -> str:
    """Parse a typed hash: at least its first 16 digits, with or without blanks."""
    digits = re.sub(r"[\s-]", "", text).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{SHORT_HASH_DIGITS},64}}", digits):
        raise BadHash(
            f"{excerpt(text)} is not a hash: give its first {SHORT_HASH_DIGITS} digits or more of"
            " the 64, 0 to 9 and a to f"
        )
    return digits


def compare_with_hash(entries: Sequence[JournalEntry], published_hash: str) -> str:
    """Compare a journal with a published hash; empty if they match."""
    last = last_hash_of(entries)
    if last.startswith(published_hash):
        return ""
    for entry in entries:
        if entry.hash.startswith(published_hash):
            later = pluralise(len(entries) - entry.number, "entry was", "entries were")
            return (
                f"the published hash is that of entry {entry.number}: up to there nothing was "
                f"changed, and {later} written after it"
            )
    return (
        f"the hash is {group_digits(last[: len(published_hash)])} and the published one is "
        f"{group_digits(published_hash)}: entries were changed, removed or rewritten since"
    )


class _Findings:
    """Sentences, at most one for each file."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._files: set[str] = set()
        self._omitted = 0

    def add(self, about: str, sentence: str) -> None:
        """`about`: the name of a file, or empty."""
        if about and about in self._files:
            return
        self._files.add(about)
        if about and len(self._files) > MAX_LISTED_FILES:
            self._omitted += 1
        else:
            self._sentences.append(sentence)

    def all(self) -> tuple[str, ...]:
        rest = f"and {self._omitted} more files were changed"
        return (*self._sentences, rest) if self._omitted else tuple(self._sentences)


def verify_export(file: IO[bytes], published_hash: str | None = None) -> VerificationReport:
    """Check an export against its journal, and the journal against the published hash."""
    findings = _Findings()
    try:
        archive = read_archive(file, file_kind_of)
    except BadArchive as bad:
        return VerificationReport((str(bad),))
    for about, sentence in archive.findings:
        findings.add(about, sentence)
    if JOURNAL_FILE not in archive.files:
        findings.add(
            JOURNAL_FILE, f"{JOURNAL_FILE} is missing: the rest cannot be checked without it"
        )
        return VerificationReport(findings.all())
    recovered = recover(archive.files[JOURNAL_FILE].content)
    entries = recovered.entries
    if recovered.damaged_tail is not None:
        findings.add(JOURNAL_FILE, f"{JOURNAL_FILE}: {recovered.damaged_tail}")
    if published_hash is not None and (wrong := compare_with_hash(entries, published_hash)):
        findings.add("", wrong)
    try:
        played = replay(entries)
    except LaserboardError as bad:
        findings.add("", f"{JOURNAL_FILE} holds no game: {bad}")
        return VerificationReport(findings.all())
    if played.fault is not None:
        findings.add("", f"{JOURNAL_FILE}: {played.fault}")
    _check_pictures(archive, entries, findings)
    edition = _check_manifest(archive.files, entries, findings)
    unproven = []
    if edition in READABLE_EDITIONS:
        _check_derived(archive.files, derived_files(entries, played, edition), findings)
    else:
        unproven.append(
            f"that {HTML_FILE} and the records agree with the journal: they have edition {edition},"
            f" and this Laserboard writes edition {EDITION}"
        )
    if published_hash is None:
        short = group_digits(last_hash_of(entries)[:SHORT_HASH_DIGITS])
        unproven.append(
            "that the journal was not rewritten as a whole: only a hash that was published before"
            f" can prove that, with --hash (here it would be {short})"
        )
    pictures = sum(name.endswith(".jpg") for name in archive.files)
    return VerificationReport(
        findings.all(), tuple(unproven), last_hash_of(entries), len(entries), pictures, played
    )


# -- checks --------------------------------------------------------------------------------------


def _check_pictures(archive: Archive, entries: Sequence[JournalEntry], findings: _Findings) -> None:
    try:
        linked = linked_evidence_files(entries)
    except BadEvidence as bad:
        findings.add("", f"{JOURNAL_FILE}: {bad}")
        return
    for name, description in sorted(linked.items(), key=lambda each: each[1]):
        file = archive.files.get(name)
        if file is None:
            findings.add(name, f"{description} is missing ({name})")
        elif file.hash != name.removeprefix(EVIDENCE_PREFIX).partition(".")[0]:
            findings.add(name, f"{description} is not the one that the journal links ({name})")
    for name in archive.files:
        if name.startswith(EVIDENCE_PREFIX) and name not in linked:
            findings.add(name, f"no entry of the journal links {name}")


def _check_derived(
    files: Mapping[str, ArchivedFile], expected: Mapping[str, bytes], findings: _Findings
) -> None:
    for name in (TEXT_FILE, JSON_FILE, HTML_FILE):
        if name not in expected:
            if name in files:
                findings.add(name, f"{name} does not belong to this game, which has no such form")
        elif name not in files:
            findings.add(name, f"{name} is missing")
        elif files[name].content != expected[name]:
            findings.add(name, f"{name} does not agree with the journal")


def _check_manifest(
    files: Mapping[str, ArchivedFile], entries: Sequence[JournalEntry], findings: _Findings
) -> int:
    """Check the manifest; return its edition, or ours if it has none."""
    if MANIFEST_FILE not in files:
        findings.add(MANIFEST_FILE, f"{MANIFEST_FILE} is missing")
        return EDITION
    content = files[MANIFEST_FILE].content
    expected = build_manifest(entries, {name: each.hash for name, each in files.items()})
    try:
        stored = _read_manifest(content)
    except BadManifest as bad:
        findings.add(MANIFEST_FILE, f"{MANIFEST_FILE}: {bad}")
        return EDITION
    if stored["entries"] != len(entries):
        findings.add(
            JOURNAL_FILE,
            f"{MANIFEST_FILE} lists {stored['entries']} entries, and the journal has {len(entries)}"
            + (": its tail is missing" if stored["entries"] > len(entries) else ""),
        )
    elif stored["head"] != expected["head"]:
        findings.add(JOURNAL_FILE, f"{MANIFEST_FILE} has another hash than the journal")
    names = stored["files"]
    for name in sorted(set(names) | set(expected["files"])):
        if name not in expected["files"]:
            findings.add(name, f"{_printable_name(name)} is missing, which {MANIFEST_FILE} lists")
        elif name not in names:
            findings.add(name, f"{MANIFEST_FILE} does not list {name}")
        elif names[name] != expected["files"][name]:
            findings.add(name, f"{name} is not the file that {MANIFEST_FILE} lists")
    if names == expected["files"] and content != format_manifest(
        expected | {"edition": stored["edition"]}
    ):
        findings.add(MANIFEST_FILE, f"{MANIFEST_FILE} was changed")
    edition: int = stored["edition"]
    return edition


def _read_manifest(content: bytes) -> Mapping[str, Any]:
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        raise BadManifest("is not ASCII") from None
    value = strict_json.read(text, BadManifest)
    names = ("format", "edition", "head", "entries", "files")
    stored = strict_json.require_object(value, "it", BadManifest, names)
    strict_json.require_int(
        stored["format"], "its format", BadManifest, MANIFEST_FORMAT, MANIFEST_FORMAT
    )
    strict_json.require_int(stored["edition"], "its edition", BadManifest, 1, 10**6)
    strict_json.require_int(stored["entries"], "its entries", BadManifest, 0, 10**9)
    if not isinstance(stored["files"], dict):
        raise BadManifest(f"files must be an object, not {excerpt(stored['files'])}")
    return stored


def _printable_name(name: str) -> str:
    return name if name.isprintable() and 0 < len(name) <= 100 else excerpt(name)
