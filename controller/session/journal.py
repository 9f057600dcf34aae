"""The hash chain of a journal: numbered entries with a checksum and a link to the previous one.

Formats entries as lines and parses them. A line is canonical JSON (ASCII, sorted keys, no spaces)
and must match byte for byte: after one changed bit neither the entry nor any later one is trusted.
This module does not interpret bodies.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Any

from controller.ports.events import JournalEntry as JournalEntry  # callers import it from here
from controller.session import sentences
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.sentences import Sentence

NO_PREVIOUS_HASH = "0" * 64  # the link of the first entry
MAX_KIND_LENGTH = 40
_KEYS = ("at_ms", "before", "body", "hash", "kind", "n")
_LINE_PREFIX = b'{"at_ms":'  # of every line, since keys are sorted


class BadEntry(LaserboardError, ValueError):
    """A line that is not an entry, or a value that an entry cannot hold."""


@dataclass(frozen=True, slots=True)
class DamagedTail:
    """Where a journal is damaged: this line and all later ones are not trusted."""

    line: int  # from 1
    at_byte: int  # the content before it is intact
    lost_bytes: int
    reason: Sentence
    intact_after: int  # later entries that are intact on their own
    is_power_cut_tail: bool  # an entry that was never acknowledged as written

    @property
    def sentence(self) -> Sentence:
        line, reason = self.line, self.reason
        match line:
            case 1:
                damage = sentences.DAMAGED_FIRST(line=line, reason=reason)
            case 2:
                damage = sentences.DAMAGED_SECOND(line=line, reason=reason)
            case _:
                damage = sentences.DAMAGED_LATER(line=line, reason=reason, count=line - 1)
        if self.intact_after > 1:
            return sentences.DAMAGED_AND_MORE(damage=damage, count=self.intact_after)
        return sentences.DAMAGED_AND_ONE(damage=damage) if self.intact_after else damage

    def __str__(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True, slots=True)
class RecoveredJournal:
    """Every entry of a journal up to the first damaged one."""

    entries: tuple[JournalEntry, ...]
    damaged_tail: DamagedTail | None = None


def next_entry(
    before: JournalEntry | None, kind: str, body: Mapping[str, Any], at_ms: float
) -> JournalEntry:
    """The entry that follows `before` (None: the first); `BadEntry` if it cannot be stored."""
    number, link = (1, NO_PREVIOUS_HASH) if before is None else (before.number + 1, before.hash)
    try:
        text = _canonical({"n": number, "kind": kind, "at_ms": at_ms, "body": body, "before": link})
    except (TypeError, ValueError, RecursionError) as error:
        raise BadEntry(sentences.BODY_NOT_JSON(kind=excerpt(kind), reason=str(error))) from error
    value = strict_json.read(text, BadEntry)
    entry = JournalEntry(number, kind, at_ms, value["body"], link, _hash(text))
    _validate_fields(value | {"hash": entry.hash})
    return entry


def format_entry(entry: JournalEntry) -> bytes:
    """An entry as a line with its newline."""
    return _canonical(_hashed_fields(entry) | {"hash": entry.hash}).encode("ascii") + b"\n"


def format_entries(entries: Iterable[JournalEntry]) -> bytes:
    return b"".join(map(format_entry, entries))


def parse_entry(line: bytes) -> JournalEntry:
    """Parse a line without its newline; `BadEntry` has the reason."""
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError as error:
        raise BadEntry(sentences.FOREIGN_BYTE(column=error.start + 1)) from error
    try:
        value = strict_json.read(text, BadEntry)
    except BadEntry as error:
        raise BadEntry(sentences.LINE_NOT_JSON()) from error
    try:
        _validate_fields(value)
    except BadEntry as error:
        raise BadEntry(sentences.LINE_NO_ENTRY(reason=error.sentence)) from error
    entry = JournalEntry(
        value["n"], value["kind"], value["at_ms"], value["body"], value["before"], value["hash"]
    )
    if (
        _hash(_canonical(_hashed_fields(entry))) != entry.hash
        or format_entry(entry) != line + b"\n"
    ):
        raise BadEntry(sentences.CHECKSUM_WRONG())
    return entry


def recover(content: bytes) -> RecoveredJournal:
    """Every entry of a journal up to the first damaged one. Never raises."""
    entries: list[JournalEntry] = []
    at = 0
    while at < len(content):
        end = content.find(b"\n", at)
        try:
            if end < 0:
                raise BadEntry(sentences.LINE_CUT_OFF())
            entry = parse_entry(content[at:end])
            _check_link(entry, entries[-1] if entries else None)
        except BadEntry as error:
            return RecoveredJournal(
                tuple(entries), _damaged_tail(len(entries) + 1, at, content[at:], error.sentence)
            )
        entries.append(entry)
        at = end + 1
    return RecoveredJournal(tuple(entries))


def _damaged_tail(line: int, at_byte: int, rest: bytes, reason: Sentence) -> DamagedTail:
    """Decide whether the rest is an incomplete entry, as a power cut leaves it, or damage.

    Each entry is synced before the next one is written: an entry followed by intact ones had been
    complete. So had a line that ends with a newline, unless it contains zeros: blocks that were
    not written to the disk.
    """
    intact = sum(1 for _ in _intact_entries(rest))
    # If only its newline is damaged, the entry had been complete.
    incomplete = b"\n" not in rest and not _is_entry(rest[:-1])
    is_tail = intact == 0 and (incomplete or b"\0" in rest)
    return DamagedTail(line, at_byte, len(rest), reason, intact, is_tail)


def _intact_entries(content: bytes) -> Iterator[bytes]:
    """Lines that are intact entries, also where the newline before them is damaged."""
    for line in content.split(b"\n")[:-1]:
        at = line.find(_LINE_PREFIX)
        while at >= 0 and not _is_entry(line[at:]):
            at = line.find(_LINE_PREFIX, at + 1)
        if at >= 0:
            yield line[at:]


def _is_entry(line: bytes) -> bool:
    try:
        parse_entry(line)
    except BadEntry:
        return False
    return True


def _check_link(entry: JournalEntry, before: JournalEntry | None) -> None:
    number, link = (1, NO_PREVIOUS_HASH) if before is None else (before.number + 1, before.hash)
    if entry.number != number:
        raise BadEntry(sentences.ENTRY_NUMBER(number=entry.number, expected=number))
    if entry.previous_hash != link:
        raise BadEntry(sentences.ENTRY_LINK())


def _validate_fields(value: Any) -> None:
    """Raise `BadEntry` for a value that does not have the structure of an entry."""
    found = strict_json.require_object(value, "an entry", BadEntry, _KEYS)
    strict_json.require_int(found["n"], "the number of an entry", BadEntry, 1, 10**9)
    kind, at_ms = found["kind"], found["at_ms"]
    if not isinstance(kind, str) or not 1 <= len(kind) <= MAX_KIND_LENGTH or not kind.isprintable():
        raise BadEntry(sentences.NOT_A_KIND(value=excerpt(kind)))
    if type(at_ms) not in (int, float) or not isfinite(at_ms):
        raise BadEntry(sentences.NOT_A_TIME(value=excerpt(at_ms)))
    if not isinstance(found["body"], dict):
        raise BadEntry(sentences.BODY_NOT_OBJECT(value=excerpt(found["body"])))
    for name in ("before", "hash"):
        if not isinstance(found[name], str):
            raise BadEntry(sentences.NOT_A_CHECKSUM(name=name, value=excerpt(found[name])))


def _hashed_fields(entry: JournalEntry) -> dict[str, Any]:
    return {
        "n": entry.number,
        "kind": entry.kind,
        "at_ms": entry.at_ms,
        "body": entry.body,
        "before": entry.previous_hash,
    }


def _canonical(value: Any) -> str:
    return json.dumps(
        value, separators=(",", ":"), sort_keys=True, ensure_ascii=True, allow_nan=False
    )


def _hash(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()
