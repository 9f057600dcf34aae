"""Deterministic zip files for exports: stored, not compressed, with a fixed date.

`write_archive` writes the same bytes for the same files. `read_archive` reads an untrusted zip
without unpacking it, and reports a zip that `write_archive` would have written differently.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO

from controller.storage import sentences
from engine.errors import LaserboardError, excerpt
from engine.sentences import Sentence

MIB = 1024**2
MAX_FILES = 60_000
MAX_ARCHIVE_BYTES = 2048 * MIB
ZIP_MAGIC = b"PK"
_CREATED_ON_UNIX = 3
_REGULAR_FILE = 0o100644 << 16
_FIRST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_ENCRYPTED = 0x1
_ZIP_ERRORS = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError),
    *(EOFError, OSError, ValueError, struct.error, OverflowError),
)


class BadArchive(LaserboardError, ValueError):
    """A file that is not a zip, or exceeds a limit."""


def write_archive(files: Iterable[tuple[str, bytes]], file: IO[bytes]) -> int:
    """Write a zip of these files in their order into a seekable file; return its size in bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=False) as zipped:
        for number, (name, content) in enumerate(files):
            if file.tell() + len(content) > MAX_ARCHIVE_BYTES or number == MAX_FILES:
                raise BadArchive(
                    sentences.EXPORT_TOO_LARGE(files=MAX_FILES, mib=MAX_ARCHIVE_BYTES // MIB)
                )
            zipped.writestr(_member_info(name), content)
    return file.tell()


def _member_info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _FIRST_ZIP_DATE)
    info.create_system, info.external_attr = _CREATED_ON_UNIX, _REGULAR_FILE
    return info


def is_zip(path: Path) -> bool:
    """Whether a file begins like a zip; false if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC
    except OSError:
        return False


# -- read ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """One member that was read."""

    hash: str
    content: bytes  # empty if `FileKind.keep_content` is false


@dataclass(frozen=True, slots=True)
class Archive:
    """The members of a zip, and the findings about it."""

    files: Mapping[str, ArchivedFile]
    findings: tuple[tuple[str, Sentence], ...]  # with the name of a member; empty: the zip itself


@dataclass(frozen=True, slots=True)
class FileKind:
    """Limits for a kind of file in an export."""

    max_bytes: int
    keep_content: bool = True  # false: keep the hash alone


@dataclass(slots=True)
class _Reading:
    files: dict[str, ArchivedFile] = field(default_factory=dict)
    findings: list[tuple[str, Sentence]] = field(default_factory=list)
    infos: list[zipfile.ZipInfo] = field(default_factory=list)


def read_archive(file: IO[bytes], kind_of: Callable[[str], FileKind | None]) -> Archive:
    """Read the members of known kinds and report all others; `BadArchive` if it is not a zip.

    Does not unpack to disk, does not decompress, and does not read a member that is larger than its
    kind allows.
    """
    size = file.seek(0, 2)
    if size > MAX_ARCHIVE_BYTES:
        raise BadArchive(sentences.ZIP_TOO_LARGE(mib=MAX_ARCHIVE_BYTES // MIB))
    reading = _Reading()
    try:
        with zipfile.ZipFile(file) as zipped:
            infos = zipped.infolist()
            if len(infos) > MAX_FILES:
                raise BadArchive(sentences.ZIP_TOO_MANY_FILES(files=len(infos)))
            for info in infos:
                _read_member(zipped, info, kind_of, reading)
    except _ZIP_ERRORS as error:
        if isinstance(error, BadArchive):
            raise
        raise BadArchive(sentences.NOT_A_ZIP()) from error
    if not reading.findings and not _is_canonical(file, reading.infos, size):
        reading.findings.append(("", sentences.ZIP_REPACKED()))
    return Archive(reading.files, tuple(reading.findings))


def _read_member(
    zipped: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    kind_of: Callable[[str], FileKind | None],
    reading: _Reading,
) -> None:
    name, kind = info.filename, kind_of(info.filename)
    # `zipfile` normalises names (NUL, backslash); other programs may read another name.
    if kind is None or info.orig_filename != name:
        foreign = sentences.FOREIGN_MEMBER(name=excerpt(info.orig_filename))
        reading.findings.append((info.orig_filename, foreign))
        return
    wrong = _unreadable_reason(info, kind, name in reading.files)
    content = b""
    if wrong is None:
        try:
            with zipped.open(info) as member:
                content = member.read()
        except _ZIP_ERRORS:
            wrong = sentences.MEMBER_DAMAGED(name=name)
    if wrong is not None:
        reading.findings.append((name, wrong))
        return
    reading.infos.append(info)
    hashed = sha256(content).hexdigest()
    reading.files[name] = ArchivedFile(hashed, content if kind.keep_content else b"")


def _unreadable_reason(
    info: zipfile.ZipInfo, kind: FileKind, is_duplicate: bool
) -> Sentence | None:
    """Why a member is not read; None if it is."""
    name = info.filename
    if is_duplicate:
        return sentences.MEMBER_TWICE(name=name)
    if info.flag_bits & _ENCRYPTED:
        return sentences.MEMBER_ENCRYPTED(name=name)
    if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
        return sentences.MEMBER_COMPRESSED(name=name)
    if info.file_size > kind.max_bytes:
        return sentences.MEMBER_TOO_LARGE(name=name, size=info.file_size)
    return None


def _is_canonical(file: IO[bytes], infos: list[zipfile.ZipInfo], size: int) -> bool:
    """Whether every byte outside the members is the one that `write_archive` writes."""
    at, directory = 0, b""
    for found in infos:
        info = _member_info(found.filename)
        info.CRC, info.file_size, info.compress_size = found.CRC, found.file_size, found.file_size
        info.header_offset = at
        header = info.FileHeader(zip64=False)
        file.seek(at)
        if found.header_offset != at or file.read(len(header)) != header:
            return False
        at += len(header) + info.file_size
        directory += _central_header(info)
    count = len(infos)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, len(directory), at, 0)
    file.seek(at)
    return file.read(len(directory + end) + 1) == directory + end and file.tell() == size


def _central_header(info: zipfile.ZipInfo) -> bytes:
    """The directory entry that `zipfile` writes. Parsing it back would miss changed lengths."""
    header = info.FileHeader(zip64=False)
    same_fields = header[4:30]  # from the version up to the length of the extra field
    version = struct.pack("<BB", info.create_version, info.create_system)
    rest = struct.pack("<3H2L", 0, 0, 0, info.external_attr, info.header_offset)
    return b"PK\1\2" + version + same_fields + rest + header[30:]
