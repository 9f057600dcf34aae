"""Reads JPEG and PNG files as arrays, and writes PNG files.

Checks the size in the header before decoding, and refuses truncated files: OpenCV would fill the
missing part with grey, and the board reader would take that for the board.
"""

from __future__ import annotations

import struct
from pathlib import Path

from controller.ports.devices import Pixels
from controller.storage import sentences
from engine.errors import LaserboardError, excerpt
from engine.sentences import Sentence

MIB = 1024 * 1024
MAX_FILE_BYTES = 64 * MIB
MAX_PIXELS = 40_000_000
MIN_SIDE_PX = 16
IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png")

PNG_START, PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xae\x42\x60\x82"
JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"
# Start of frame: all of 0xC0 to 0xCF that carry a size (not DHT, JPG, DAC).
JPEG_SIZE_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
JPEG_SCAN_MARKER = 0xDA
JPEG_STANDALONE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length


class BadImageFile(LaserboardError, ValueError):
    """A file that is not an image, or not a usable one."""


def read_grey_image(path: str | Path) -> Pixels:
    """Read an image file in grey, in the orientation of the sensor (EXIF rotation is ignored).

    Lens calibration and board reading need the sensor's orientation; phones set EXIF rotation.
    """
    return decode_image(_read_bytes(path), sentences.IMAGE(name=_shown(path)))


def read_colour_image(path: str | Path) -> Pixels:
    """Read an image file in colour, in the orientation of the sensor."""
    return decode_image(_read_bytes(path), sentences.IMAGE(name=_shown(path)), colour=True)


def _read_bytes(path: str | Path) -> bytes:
    shown = _shown(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadImageFile(
            sentences.IMAGE_FILE_UNREADABLE(name=shown, reason=_reason(error))
        ) from error
    if len(content) > MAX_FILE_BYTES:
        raise BadImageFile(sentences.IMAGE_FILE_TOO_LARGE(name=shown, mib=MAX_FILE_BYTES // MIB))
    return content


def decode_image(content: bytes, what: str | Sentence, *, colour: bool = False) -> Pixels:
    """Decode the bytes of an image; errors call them `what`."""
    width, height = _checked_size(content, what)
    if width * height > MAX_PIXELS:
        raise BadImageFile(
            sentences.IMAGE_TOO_LARGE(
                what=what,
                width=width,
                height=height,
                megapixels=round(width * height / 1e6),
                most=round(MAX_PIXELS / 1e6),
            )
        )
    if min(width, height) < MIN_SIDE_PX:
        raise BadImageFile(sentences.IMAGE_TOO_SMALL(what=what, width=width, height=height))
    import cv2
    import numpy as np

    flags = cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE
    try:
        pixels = cv2.imdecode(
            np.frombuffer(content, np.uint8), flags | cv2.IMREAD_IGNORE_ORIENTATION
        )
    except cv2.error:
        pixels = None
    if pixels is None:
        raise BadImageFile(sentences.IMAGE_DAMAGED(what=what))
    return np.asarray(pixels, np.uint8)


def save_png(path: str | Path, pixels: Pixels) -> None:
    """Write a PNG atomically."""
    import cv2

    shown, target = _shown(path), Path(path)
    if target.suffix.lower() != ".png":
        raise BadImageFile(sentences.IMAGE_NOT_PNG(name=shown))
    _, content = cv2.imencode(".png", pixels)
    part = target.with_name(target.name + ".part")
    try:
        part.write_bytes(content.tobytes())
        part.replace(target)
    except (OSError, ValueError) as error:
        raise BadImageFile(
            sentences.IMAGE_FILE_UNWRITABLE(name=shown, reason=_reason(error))
        ) from error


def is_complete_jpeg(content: bytes) -> bool:
    """Whether a JPEG from a camera has its end marker; padding may follow."""
    try:
        _jpeg_size(content, "")
    except BadImageFile:
        return False
    return True


def _shown(path: str | Path) -> str:
    name = str(path)
    return name if name and name.isprintable() else excerpt(name)


def _reason(bad: Exception) -> str:
    """The words of the operating system, or of Python for a name with a NUL byte."""
    return (bad.strerror if isinstance(bad, OSError) else None) or str(bad)


def _checked_size(content: bytes, what: str | Sentence) -> tuple[int, int]:
    if not content:
        raise BadImageFile(sentences.IMAGE_EMPTY(what=what))
    if content.startswith(JPEG_START):
        return _jpeg_size(content, what)
    if content.startswith(PNG_START):
        return _png_size(content, what)
    raise BadImageFile(sentences.NOT_AN_IMAGE(what=what))


def _png_size(content: bytes, what: str | Sentence) -> tuple[int, int]:
    if PNG_END not in content[-64:] or content[12:16] != b"IHDR":
        raise BadImageFile(sentences.IMAGE_CUT_OFF(what=what))
    width, height = struct.unpack(">II", content[16:24])
    return int(width), int(height)


def _jpeg_size(content: bytes, what: str | Sentence) -> tuple[int, int]:
    """Walk the segments to the first scan; skips embedded thumbnails, which have sizes too."""
    size = None
    at = 2
    while at + 4 <= len(content):
        if content[at] != 0xFF:
            raise BadImageFile(sentences.IMAGE_DAMAGED_AT(what=what, at=at))
        marker = content[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        if marker in JPEG_STANDALONE_MARKERS:
            at += 2
            continue
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        if marker in JPEG_SIZE_MARKERS and at + 9 <= len(content):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            size = int(width), int(height)
        at += 2 + max(length, 2)
        if marker == JPEG_SCAN_MARKER:
            break
    if size is None or content.find(JPEG_END, at) < 0:
        raise BadImageFile(sentences.IMAGE_CUT_OFF(what=what))
    return size
