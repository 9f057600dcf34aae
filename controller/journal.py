"""A journal as a value: numbered entries, each with a checksum and a link to the one before.

Entries in, lines of a file out, and back. A line is canonical JSON (ASCII, keys sorted, no spaces)
and is read only if it is exactly that: one bit that is not as it was written, and neither the
entry nor any after it is taken for true. What bodies mean is not asked here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Any

from engine import strict_json
from engine.errors import LaserboardError, excerpt

NOTHING_BEFORE = "0" * 64  # where the first entry's link leads
LONGEST_KIND = 40
_KEYS = ("at_ms", "before", "body", "hash", "kind", "n")
_BEGINNING = b'{"at_ms":'  # of every line, since keys are sorted


class BadEntry(LaserboardError, ValueError):
    """A line that is no entry, or a value that no entry can hold."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. Made by `following`, which knows the entry before."""

    number: int  # from 1
    kind: str
    at_ms: float
    body: Mapping[str, Any]  # JSON, as it comes back from a file
    before: str  # the `hash` of the entry before
    hash: str


@dataclass(frozen=True, slots=True)
class Torn:
    """Where a journal stops being one: this line and all after it are not to be trusted."""

    line: int  # from 1
    at_byte: int  # what stands before is good
    lost_bytes: int
    reason: str
    whole_after: int  # entries behind it that are whole by themselves
    is_tail: bool  # it is what a power cut leaves: an entry that was never called written

    def __str__(self) -> str:
        survive = f"the {count(self.line - 1, 'entry', 'entries')} before it survive"
        if self.line <= 2:
            survive = "the entry before it survives" if self.line == 2 else "nothing is before it"
        after = count(self.whole_after, "entry", "entries")
        rest = f", {after} behind it cannot be trusted" if self.whole_after else ""
        return f"line {self.line} {self.reason}; {survive}{rest}"


@dataclass(frozen=True, slots=True)
class Recovered:
    """What is left of a journal: every entry up to the first that is not as it was written."""

    entries: tuple[Entry, ...]
    torn: Torn | None = None


def following(before: Entry | None, kind: str, body: Mapping[str, Any], at_ms: float) -> Entry:
    """The entry after `before` (None: the first); `BadEntry` if it could not be read back."""
    number, link = (1, NOTHING_BEFORE) if before is None else (before.number + 1, before.hash)
    try:
        # Without the hash, whose length is always the same.
        text = _canonical({"n": number, "kind": kind, "at_ms": at_ms, "body": body, "before": link})
    except (TypeError, ValueError, RecursionError) as bad:
        raise BadEntry(f"the body of a {excerpt(kind)} is no JSON: {bad}") from None
    value = strict_json.read(text, BadEntry)
    entry = Entry(number, kind, at_ms, value["body"], link, _hash(text))
    _check(value | {"hash": entry.hash})
    return entry


def write_line(entry: Entry) -> bytes:
    """An entry as a line, which is ended."""
    return _canonical(_value(entry) | {"hash": entry.hash}).encode("ascii") + b"\n"


def write_lines(entries: Iterable[Entry]) -> bytes:
    return b"".join(map(write_line, entries))


def read_line(line: bytes) -> Entry:
    """The entry that a line without its end stands for; `BadEntry` says what is wrong with it."""
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError as bad:
        raise BadEntry(
            f"has a byte that was never written there (column {bad.start + 1})"
        ) from None
    try:
        value = strict_json.read(text, BadEntry)
    except BadEntry:
        raise BadEntry("is no JSON") from None
    try:
        _check(value)
    except BadEntry as bad:
        raise BadEntry(f"is no entry ({bad})") from None
    entry = Entry(
        value["n"], value["kind"], value["at_ms"], value["body"], value["before"], value["hash"]
    )
    if _hash(_canonical(_value(entry))) != entry.hash or write_line(entry) != line + b"\n":
        raise BadEntry("is not as it was written: its checksum is wrong")
    return entry


def recover(content: bytes) -> Recovered:
    """Every entry of a journal up to the first that is torn or damaged; never an error."""
    entries: list[Entry] = []
    at = 0
    while at < len(content):
        end = content.find(b"\n", at)
        try:
            if end < 0:
                raise BadEntry("is cut off: it has no end")
            entry = read_line(content[at:end])
            _check_link(entry, entries[-1] if entries else None)
        except BadEntry as bad:
            return Recovered(tuple(entries), _torn(len(entries) + 1, at, content[at:], str(bad)))
        entries.append(entry)
        at = end + 1
    return Recovered(tuple(entries))


def count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _torn(line: int, at_byte: int, rest: bytes, reason: str) -> Torn:
    """What is wrong from a line on: a tail that was never written to its end, or damage.

    An entry is on the disk before the next is begun, so with whole ones behind it, it was there.
    A line that has its end was, too, unless it has holes: blocks that never came to the disk.
    """
    whole = sum(1 for _ in _whole_entries(rest))
    unended = b"\n" not in rest and not _is_entry(rest[:-1])  # but for a line end of other bits
    is_tail = whole == 0 and (unended or b"\0" in rest)
    return Torn(line, at_byte, len(rest), reason, whole, is_tail)


def _whole_entries(content: bytes) -> Iterator[bytes]:
    """Entries that are whole by themselves, also behind a line end that is one no more."""
    for line in content.split(b"\n")[:-1]:
        at = line.find(_BEGINNING)
        while at >= 0 and not _is_entry(line[at:]):
            at = line.find(_BEGINNING, at + 1)
        if at >= 0:
            yield line[at:]


def _is_entry(line: bytes) -> bool:
    try:
        read_line(line)
    except BadEntry:
        return False
    return True


def _check_link(entry: Entry, before: Entry | None) -> None:
    number, link = (1, NOTHING_BEFORE) if before is None else (before.number + 1, before.hash)
    if entry.number != number:
        raise BadEntry(f"is entry {entry.number}, where {number} must be")
    if entry.before != link:
        raise BadEntry("does not follow from the line before it")


def _check(value: Any) -> None:
    """Refuse what has not the shape of an entry."""
    found = strict_json.fields(value, "an entry", BadEntry, _KEYS)
    strict_json.whole(found["n"], "the number of an entry", BadEntry, 1, 10**9)
    kind, at_ms = found["kind"], found["at_ms"]
    if not isinstance(kind, str) or not 1 <= len(kind) <= LONGEST_KIND or not kind.isprintable():
        raise BadEntry(f"{excerpt(kind)} is no kind of entry: a word or two, such as 'turn'")
    if type(at_ms) not in (int, float) or not isfinite(at_ms):
        raise BadEntry(f"{excerpt(at_ms)} is no time in ms")
    if not isinstance(found["body"], dict):
        raise BadEntry(f"the body of an entry must be an object, not {excerpt(found['body'])}")
    for name in ("before", "hash"):
        if not isinstance(found[name], str):
            raise BadEntry(f"{name} must be a checksum, not {excerpt(found[name])}")


def _value(entry: Entry) -> dict[str, Any]:
    return {
        "n": entry.number,
        "kind": entry.kind,
        "at_ms": entry.at_ms,
        "body": entry.body,
        "before": entry.before,
    }


def _canonical(value: Any) -> str:
    return json.dumps(
        value, separators=(",", ":"), sort_keys=True, ensure_ascii=True, allow_nan=False
    )


def _hash(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()
