"""Deterministic zips: the same bytes for the same files, and every changed bit is found."""

from __future__ import annotations

import io
import zipfile

import pytest

from controller.storage.export import archive
from controller.storage.export.archive import BadArchive, FileKind, read_archive, write_archive
from controller.storage.sentences import EXPORT_TOO_LARGE
from tests.support.engine.sentences import raises

FILES = {"a": b"hello", "b": b"xxx", "c": b""}


def kind_of(name: str) -> FileKind | None:
    return FileKind(1000) if name in FILES else None


def packed() -> bytes:
    out = io.BytesIO()
    assert write_archive(FILES.items(), out) == len(out.getvalue())
    return out.getvalue()


def is_refused(content: bytes) -> bool:
    try:
        return read_archive(io.BytesIO(content), kind_of).findings != ()
    except BadArchive:
        return True


def test_an_archive_is_read_back() -> None:
    found = read_archive(io.BytesIO(packed()), kind_of)
    assert found.findings == ()
    assert {name: each.content for name, each in found.files.items()} == FILES


def test_members_are_stored_with_a_fixed_date() -> None:
    assert packed() == packed()
    with zipfile.ZipFile(io.BytesIO(packed())) as zipped:
        for info in zipped.infolist():
            assert (info.compress_type, info.date_time) == (0, (1980, 1, 1, 0, 0, 0))


def test_every_flipped_bit_is_found() -> None:
    content = packed()
    for bit in range(8 * len(content)):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        assert is_refused(bytes(changed)), bit


def test_bytes_before_and_behind_the_archive_are_found() -> None:
    content = packed()
    assert is_refused(b"x" + content)
    assert is_refused(content + b"x")
    assert is_refused(content[:-1])


def test_an_archive_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 2)
    with raises(BadArchive, EXPORT_TOO_LARGE(files=2, mib=2048)):
        packed()
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    monkeypatch.setattr(archive, "MAX_ARCHIVE_BYTES", 40)
    with raises(BadArchive, EXPORT_TOO_LARGE(files=3, mib=0)):
        packed()
