"""A zip that is written in exactly one way, and read from strangers without harm.

Nothing in it is compressed (pictures are already), and every byte follows from the files: whatever
somebody hides between them, or changes in the zip itself, makes another zip of it.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import BinaryIO
from zlib import crc32

from engine.errors import LaserboardError, excerpt

MIB = 1024**2
MOST_FILES = 60_000
LARGEST = 2048 * MIB  # of the whole
_MADE_ON_UNIX, _VERSION, _FIRST_OF_1980 = 3 << 8, 20, 0x21
_PLAIN_FILE = 0o100644 << 16
_ENCRYPTED = 0x1
_TROUBLE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError),
    *(EOFError, OSError, ValueError, struct.error, OverflowError),
)


class BadArchive(LaserboardError, ValueError):
    """A file that is no zip, or too much of one."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a zip, as its headers tell it."""

    name: str
    crc: int
    size: int
    offset: int  # of its first header

    def first_header(self) -> bytes:
        name = self.name.encode("ascii")
        return struct.pack(
            "<4sHHHHHIIIHH",
            *(b"PK\3\4", _VERSION, 0, 0, 0, _FIRST_OF_1980),
            *(self.crc, self.size, self.size, len(name), 0),
        ) + name  # fmt: skip

    def last_header(self) -> bytes:
        name = self.name.encode("ascii")
        return struct.pack(
            "<4sHHHHHHIIIHHHHHII",
            *(b"PK\1\2", _MADE_ON_UNIX | _VERSION, _VERSION, 0, 0, 0, _FIRST_OF_1980),
            *(self.crc, self.size, self.size, len(name), 0, 0, 0, 0, _PLAIN_FILE, self.offset),
        ) + name  # fmt: skip

    @property
    def end(self) -> int:
        return self.offset + len(self.first_header()) + self.size


def pack(files: Iterable[tuple[str, bytes]], write: Callable[[bytes], object]) -> int:
    """Write a zip of these files, in their order; how many bytes it has."""
    members: list[Member] = []
    at = 0
    for name, content in files:
        member = Member(name, crc32(content), len(content), at)
        at = member.end
        if at > LARGEST or len(members) == MOST_FILES:
            raise BadArchive(f"more than {MOST_FILES} files or {LARGEST // MIB} MiB in one zip")
        write(member.first_header())
        write(content)
        members.append(member)
    tail = _tail(members)
    write(tail)
    return at + len(tail)


def _tail(members: list[Member]) -> bytes:
    """What stands behind the last file: all names once more, and an end."""
    names = b"".join(each.last_header() for each in members)
    count, at = len(members), members[-1].end if members else 0
    return names + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, len(names), at, 0)


# -- read ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """One file that was read."""

    hash: str
    content: bytes  # empty, where nobody needs to keep it


@dataclass(frozen=True, slots=True)
class Archive:
    """What was found in a zip, and what is wrong with it."""

    files: Mapping[str, Found]
    findings: tuple[tuple[str, str], ...]  # a name and a sentence; no name: the zip itself


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that may be in a zip."""

    largest: int
    kept: bool = True  # its content, not the hash alone


@dataclass(slots=True)
class _Reading:
    files: dict[str, Found] = field(default_factory=dict)
    findings: list[tuple[str, str]] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)


def read_archive(file: BinaryIO, kind_of: Callable[[str], Kind | None]) -> Archive:
    """Read what is known, and tell what should not be there; `BadArchive` if it is no zip.

    Nothing is unpacked to a disk, nothing is decompressed, and nothing is read that is larger
    than its kind may be.
    """
    size = file.seek(0, 2)
    if size > LARGEST:
        raise BadArchive(f"is larger than {LARGEST // MIB} MiB: it is no export")
    reading = _Reading()
    try:
        with zipfile.ZipFile(file) as zipped:
            found = zipped.infolist()
            if len(found) > MOST_FILES:
                raise BadArchive(f"has {len(found)} files: it is no export")
            for info in found:
                _read(zipped, info, kind_of, reading)
    except _TROUBLE as bad:
        if isinstance(bad, BadArchive):
            raise
        raise BadArchive("is no zip, or its end is missing") from None
    if not reading.findings and not _as_written(file, reading.members, size):
        sentence = (
            "the zip itself is not as Laserboard writes it: it was packed anew, or something is "
            "hidden between its files"
        )
        reading.findings.append(("", sentence))
    return Archive(reading.files, tuple(reading.findings))


def _read(
    zipped: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    kind_of: Callable[[str], Kind | None],
    reading: _Reading,
) -> None:
    name, kind = info.filename, kind_of(info.filename)
    # What `zipfile` makes of a name, a NUL in it or a backslash, is not what others make of it.
    if kind is None or info.orig_filename != name:
        wrong = f"{excerpt(info.orig_filename)} does not belong in an export"
        reading.findings.append((info.orig_filename, wrong))
        return
    wrong = _unfit(info, kind, name in reading.files)
    content = b""
    if not wrong:
        try:
            with zipped.open(info) as member:
                content = member.read()
        except _TROUBLE:
            wrong = "is damaged: its checksum is wrong, or its end is missing"
    if wrong:
        reading.findings.append((name, f"{name} {wrong}"))
        return
    reading.members.append(Member(name, info.CRC, info.file_size, info.header_offset))
    hashed = sha256(content).hexdigest()
    reading.files[name] = Found(hashed, content if kind.kept else b"")


def _unfit(info: zipfile.ZipInfo, kind: Kind, again: bool) -> str:
    """Why a file is not even read; empty: it is."""
    if again:
        return "is in it twice"
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted: an export never is"
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        return "is compressed: an export never is, so it was not read"
    if info.file_size > kind.largest:
        return f"has {info.file_size} bytes: that is too much to be one"
    return ""


def _as_written(file: BinaryIO, members: list[Member], size: int) -> bool:
    """Whether every byte that is not in one of the files is as `pack` writes it."""
    at = 0
    for member in members:
        file.seek(at)
        header = member.first_header()
        if member.offset != at or file.read(len(header)) != header:
            return False
        at = member.end
    tail = _tail(members)
    file.seek(at)
    return at + len(tail) == size and file.read(len(tail)) == tail
