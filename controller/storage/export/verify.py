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
from controller.session.journal import JournalEntry, recover
from controller.session.replay import ReplayedGame, replay
from controller.storage import sentences
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
from engine.sentences import Sentence

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

    findings: tuple[Sentence, ...]
    unproven: tuple[Sentence, ...] = ()
    last_hash: str = ""
    entries: int = 0
    images: int = 0
    played: ReplayedGame | None = None

    @property
    def sentence(self) -> Sentence:
        """How much was checked, the result of the game and the hash."""
        ended = self.played and self.played.outcome
        return sentences.EXPORT_SUMMARY(
            entries=sentences.counted(self.entries, sentences.ONE_ENTRY, sentences.ENTRIES),
            turns=sentences.turn_count(len(self.played.turns) if self.played else 0),
            images=sentences.counted(self.images, sentences.ONE_IMAGE, sentences.IMAGES),
            outcome=ended.sentence if ended else sentences.UNFINISHED(),
            hash=group_digits(self.last_hash),
        )

    def __str__(self) -> str:
        return str(self.sentence)


def parse_hash(text: str) -> str:
    """Parse a typed hash: at least its first 16 digits, with or without blanks."""
    digits = re.sub(r"[\s-]", "", text).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{SHORT_HASH_DIGITS},64}}", digits):
        raise BadHash(sentences.NOT_A_HASH(value=excerpt(text), digits=SHORT_HASH_DIGITS))
    return digits


def compare_with_hash(entries: Sequence[JournalEntry], published_hash: str) -> Sentence | None:
    """Compare a journal with a published hash; None if they match."""
    last = last_hash_of(entries)
    if last.startswith(published_hash):
        return None
    for entry in entries:
        if entry.hash.startswith(published_hash):
            later = len(entries) - entry.number
            template = sentences.HASH_OF_ENTRY_ONE_LATER if later == 1 else sentences.HASH_OF_ENTRY
            return template(number=entry.number, count=later)
    return sentences.OTHER_HASH(
        found=group_digits(last[: len(published_hash)]), published=group_digits(published_hash)
    )


class _Findings:
    """Sentences, at most one for each file."""

    def __init__(self) -> None:
        self._sentences: list[Sentence] = []
        self._files: set[str] = set()
        self._omitted = 0

    def add(self, about: str, sentence: Sentence) -> None:
        """`about`: the name of a file, or empty."""
        if about and about in self._files:
            return
        self._files.add(about)
        if about and len(self._files) > MAX_LISTED_FILES:
            self._omitted += 1
        else:
            self._sentences.append(sentence)

    def all(self) -> tuple[Sentence, ...]:
        rest = sentences.MORE_FILES_CHANGED(count=self._omitted)
        return (*self._sentences, rest) if self._omitted else tuple(self._sentences)


def verify_export(file: IO[bytes], published_hash: str | None = None) -> VerificationReport:
    """Check an export against its journal, and the journal against the published hash."""
    findings = _Findings()
    try:
        archive = read_archive(file, file_kind_of)
    except BadArchive as error:
        return VerificationReport((error.sentence,))
    for about, sentence in archive.findings:
        findings.add(about, sentence)
    if JOURNAL_FILE not in archive.files:
        findings.add(JOURNAL_FILE, sentences.JOURNAL_MISSING(file=JOURNAL_FILE))
        return VerificationReport(findings.all())
    recovered = recover(archive.files[JOURNAL_FILE].content)
    entries = recovered.entries
    if recovered.damaged_tail is not None:
        damage = recovered.damaged_tail.sentence
        findings.add(JOURNAL_FILE, sentences.FILE_FAULT(file=JOURNAL_FILE, fault=damage))
    if published_hash is not None and (wrong := compare_with_hash(entries, published_hash)):
        findings.add("", wrong)
    try:
        played = replay(entries)
    except LaserboardError as error:
        findings.add("", sentences.FILE_HOLDS_NO_GAME(file=JOURNAL_FILE, reason=error.sentence))
        return VerificationReport(findings.all())
    if played.fault is not None:
        findings.add("", sentences.FILE_FAULT(file=JOURNAL_FILE, fault=played.fault.sentence))
    _check_images(archive, entries, findings)
    edition = _check_manifest(archive.files, entries, findings)
    unproven = []
    if edition in READABLE_EDITIONS:
        _check_derived(archive.files, derived_files(entries, played, edition), findings)
    else:
        unproven.append(sentences.UNPROVEN_EDITION(sheet=HTML_FILE, found=edition, edition=EDITION))
    if published_hash is None:
        short = group_digits(last_hash_of(entries)[:SHORT_HASH_DIGITS])
        unproven.append(sentences.UNPROVEN_JOURNAL(hash=short))
    images = sum(name.endswith(".jpg") for name in archive.files)
    return VerificationReport(
        findings.all(), tuple(unproven), last_hash_of(entries), len(entries), images, played
    )


# -- checks --------------------------------------------------------------------------------------


def _check_images(archive: Archive, entries: Sequence[JournalEntry], findings: _Findings) -> None:
    try:
        linked = linked_evidence_files(entries)
    except BadEvidence as error:
        findings.add("", sentences.FILE_FAULT(file=JOURNAL_FILE, fault=error.sentence))
        return
    for name, description in sorted(linked.items(), key=lambda each: str(each[1])):
        file = archive.files.get(name)
        if file is None:
            findings.add(name, sentences.LINKED_MISSING(what=description, file=name))
        elif file.hash != name.removeprefix(EVIDENCE_PREFIX).partition(".")[0]:
            findings.add(name, sentences.LINKED_CHANGED(what=description, file=name))
    for name in archive.files:
        if name.startswith(EVIDENCE_PREFIX) and name not in linked:
            findings.add(name, sentences.NOT_LINKED(file=name))


def _check_derived(
    files: Mapping[str, ArchivedFile], expected: Mapping[str, bytes], findings: _Findings
) -> None:
    for name in (TEXT_FILE, JSON_FILE, HTML_FILE):
        if name not in expected:
            if name in files:
                findings.add(name, sentences.FILE_UNKNOWN_TO_GAME(file=name))
        elif name not in files:
            findings.add(name, sentences.FILE_MISSING(file=name))
        elif files[name].content != expected[name]:
            findings.add(name, sentences.FILE_DISAGREES(file=name))


def _check_manifest(
    files: Mapping[str, ArchivedFile], entries: Sequence[JournalEntry], findings: _Findings
) -> int:
    """Check the manifest; return its edition, or ours if it has none."""
    if MANIFEST_FILE not in files:
        findings.add(MANIFEST_FILE, sentences.FILE_MISSING(file=MANIFEST_FILE))
        return EDITION
    content = files[MANIFEST_FILE].content
    expected = build_manifest(entries, {name: each.hash for name, each in files.items()})
    try:
        stored = _read_manifest(content)
    except BadManifest as error:
        findings.add(MANIFEST_FILE, sentences.FILE_FAULT(file=MANIFEST_FILE, fault=error.sentence))
        return EDITION
    if stored["entries"] != len(entries):
        template = (
            sentences.MANIFEST_MORE_ENTRIES
            if stored["entries"] > len(entries)
            else sentences.MANIFEST_FEWER_ENTRIES
        )
        findings.add(
            JOURNAL_FILE,
            template(manifest=MANIFEST_FILE, listed=stored["entries"], found=len(entries)),
        )
    elif stored["head"] != expected["head"]:
        findings.add(JOURNAL_FILE, sentences.MANIFEST_OTHER_HASH(manifest=MANIFEST_FILE))
    names = stored["files"]
    for name in sorted(set(names) | set(expected["files"])):
        if name not in expected["files"]:
            findings.add(
                name,
                sentences.LISTED_MISSING(file=_printable_name(name), manifest=MANIFEST_FILE),
            )
        elif name not in names:
            findings.add(name, sentences.NOT_LISTED(manifest=MANIFEST_FILE, file=name))
        elif names[name] != expected["files"][name]:
            findings.add(name, sentences.LISTED_CHANGED(file=name, manifest=MANIFEST_FILE))
    if names == expected["files"] and content != format_manifest(
        expected | {"edition": stored["edition"]}
    ):
        findings.add(MANIFEST_FILE, sentences.MANIFEST_CHANGED(manifest=MANIFEST_FILE))
    edition: int = stored["edition"]
    return edition


def _read_manifest(content: bytes) -> Mapping[str, Any]:
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError as error:
        raise BadManifest(sentences.MANIFEST_NOT_ASCII()) from error
    value = strict_json.read(text, BadManifest)
    names = ("format", "edition", "head", "entries", "files")
    stored = strict_json.require_object(value, "it", BadManifest, names)
    strict_json.require_int(
        stored["format"], "its format", BadManifest, MANIFEST_FORMAT, MANIFEST_FORMAT
    )
    strict_json.require_int(stored["edition"], "its edition", BadManifest, 1, 10**6)
    strict_json.require_int(stored["entries"], "its entries", BadManifest, 0, 10**9)
    if not isinstance(stored["files"], dict):
        raise BadManifest(sentences.MANIFEST_FILES(value=excerpt(stored["files"])))
    return stored


def _printable_name(name: str) -> str:
    return name if name.isprintable() and 0 < len(name) <= 100 else excerpt(name)
