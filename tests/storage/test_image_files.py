"""Image files: valid ones are read, others raise one clear sentence, none exhausts memory."""

from __future__ import annotations

import struct
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.storage import sentences
from controller.storage.image_files import (
    BadImageFile,
    decode_image,
    is_complete_jpeg,
    read_grey_image,
    save_png,
)
from engine.sentences import Sentence, Template
from tests.support.engine.sentences import raises

WHAT = "image a.jpg"
RAMP = np.tile(np.arange(0, 240, 2, dtype=np.uint8), (80, 1))
NOISE = np.random.default_rng(1).integers(0, 256, (80, 120), np.uint8)


def packed(suffix: str, image: Any = RAMP) -> bytes:
    return bytes(cv2.imencode(suffix, image)[1].tobytes())


def with_size(jpeg: bytes, width: int, height: int) -> bytes:
    """A JPEG whose header has another size."""
    at = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:at] + struct.pack(">HH", height, width) + jpeg[at + 4 :]


def png_bomb(width: int, height: int) -> bytes:
    """A valid PNG of black pixels, a thousand times smaller than its pixels."""
    packer = zlib.compressobj(9)
    row = b"\0" * (width + 1)
    content = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", content),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def is_refused(content: bytes, expected: Sentence | Template) -> bool:
    with raises(BadImageFile, expected):
        decode_image(content, WHAT)
    return True


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_an_image_is_read_in_grey(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"a{suffix}"
    file.write_bytes(packed(suffix, cv2.cvtColor(RAMP, cv2.COLOR_GRAY2BGR)))
    grey = read_grey_image(file)
    assert grey.shape == RAMP.shape
    assert grey.dtype == np.uint8
    assert np.abs(grey.astype(int) - RAMP).max() <= 3


def test_a_saved_image_reads_back_the_same(tmp_path: Path) -> None:
    save_png(tmp_path / "a.png", NOISE)
    assert np.array_equal(read_grey_image(tmp_path / "a.png"), NOISE)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_an_image_that_cannot_be_saved_says_why(tmp_path: Path) -> None:
    wrong_name = sentences.IMAGE_NOT_PNG(name=str(tmp_path / "a.jpg"))
    with raises(BadImageFile, wrong_name):
        save_png(tmp_path / "a.jpg", RAMP)
    path = tmp_path / "none" / "a.png"
    reason = "No such file or directory"
    with raises(BadImageFile, sentences.IMAGE_FILE_UNWRITABLE(name=str(path), reason=reason)):
        save_png(path, RAMP)


@pytest.mark.parametrize("part", [0.02, 0.3, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_truncated_image_is_refused(suffix: str, part: float) -> None:
    whole = packed(suffix, NOISE)
    assert is_refused(whole[: int(len(whole) * part)], sentences.IMAGE_CUT_OFF(what=WHAT))


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_image() -> None:
    whole, thumbnail = packed(".jpg", NOISE), packed(".jpg", NOISE[:20, :20])
    note = b"Exif\0\0" + thumbnail
    segment = b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note
    inside = whole[:2] + segment + whole[2:]
    assert decode_image(inside, "").shape == NOISE.shape, "and its size is not the picture's"
    assert is_refused(inside[:-50], sentences.IMAGE_CUT_OFF(what=WHAT))


def test_exif_rotation_is_ignored() -> None:
    whole = packed(".jpg")
    turned = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    note = b"Exif\0\0" + turned
    segment = b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note
    content = whole[:2] + segment + whole[2:]
    obeyed = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert obeyed is not None
    assert obeyed.shape == RAMP.shape[::-1]
    assert decode_image(content, "").shape == RAMP.shape


@pytest.mark.parametrize("size", [(8192, 6144), (65535, 65535), (65535, 1000)])
def test_a_huge_image_is_refused_before_decoding(size: tuple[int, int]) -> None:
    width, height = size
    expected = sentences.IMAGE_TOO_LARGE(
        what=WHAT, width=width, height=height, megapixels=round(width * height / 1e6), most=40
    )
    assert is_refused(with_size(packed(".jpg"), *size), expected)


def test_a_png_bomb_is_refused() -> None:
    bomb = png_bomb(20_000, 20_000)
    assert len(bomb) < 500_000
    tracemalloc.start()
    expected = sentences.IMAGE_TOO_LARGE(
        what=WHAT, width=20_000, height=20_000, megapixels=400, most=40
    )
    assert is_refused(bomb, expected)
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()


def test_the_largest_allowed_image_is_read() -> None:
    assert decode_image(png_bomb(8000, 5000), "").shape == (5000, 8000)


@pytest.mark.parametrize("size", [(1, 1), (1, 100), (100, 3)])
def test_a_tiny_image_is_refused(size: tuple[int, int]) -> None:
    width, height = size
    image = np.zeros((height, width), np.uint8)
    for suffix in (".png", ".jpg"):
        too_small = sentences.IMAGE_TOO_SMALL(what=WHAT, width=width, height=height)
        assert is_refused(packed(suffix, image), too_small)


@pytest.mark.parametrize(
    "content", [b"hello", b"GIF89a....", b"\0" * 1000, b"%PDF-1.4", b"RIFF....WEBP", b"BM...."]
)
def test_another_file_is_refused(content: bytes) -> None:
    assert is_refused(content, sentences.NOT_AN_IMAGE(what=WHAT))


def test_an_empty_file_is_reported() -> None:
    assert is_refused(b"", sentences.IMAGE_EMPTY(what=WHAT))


def test_a_damaged_image_is_refused() -> None:
    content = bytearray(packed(".png", NOISE))
    content[200:400] = bytes(200)
    assert is_refused(bytes(content), sentences.IMAGE_DAMAGED(what=WHAT))


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "none.png", "No such file or directory"),
        (tmp_path, "Is a directory"),
    ):
        with raises(BadImageFile, sentences.IMAGE_FILE_UNREADABLE(name=str(path), reason=reason)):
            read_grey_image(path)
    with raises(BadImageFile, sentences.IMAGE_FILE_UNREADABLE):
        read_grey_image("a\0b.png")


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.jpg"
    with file.open("wb") as out:
        out.truncate(2**33)
    with raises(BadImageFile, sentences.IMAGE_FILE_TOO_LARGE(name=str(file), mib=64)):
        read_grey_image(file)


def test_a_truncated_camera_frame_is_detected() -> None:
    whole = packed(".jpg", NOISE)
    assert is_complete_jpeg(whole)
    assert is_complete_jpeg(whole + bytes(100)), "drivers pad"
    assert not is_complete_jpeg(whole[:-2])
    assert not is_complete_jpeg(b"")


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.sampled_from([packed(".jpg", NOISE), packed(".png", NOISE), packed(".jpg")]),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=5),
    st.integers(0, 5000),
)
def test_any_damage_raises_our_error(
    whole: bytes, changes: list[tuple[int, int]], length: int
) -> None:
    content = bytearray(whole)
    for at, value in changes:
        content[at % len(content)] = value
    for damaged in (bytes(content), bytes(content[:length])):
        try:
            grey = decode_image(damaged, "it")
        except BadImageFile:
            continue
        assert grey.ndim == 2
