"""Reading and writing pictures: JPEG and PNG files in, grey arrays out.

The size is read from the header before anything is unpacked, and a file that was cut off is
refused: OpenCV would fill what is missing with grey, and a reader would take that for the board.
"""

from __future__ import annotations

import struct
from pathlib import Path

from controller.ports import Pixels
from engine.errors import LaserboardError, excerpt

MIB = 1024 * 1024
LARGEST_FILE = 64 * MIB
MOST_PIXELS = 40_000_000
SMALLEST_SIDE = 16
SUFFIXES = (".jpg", ".jpeg", ".png")

PNG_START, PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xae\x42\x60\x82"
JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"
# Start of frame: all of 0xC0 to 0xCF that carry a size (not DHT, JPG, DAC).
JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
JPEG_SCAN = 0xDA
JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers that stand alone


class BadPicture(LaserboardError, ValueError):
    """A file that is no picture, or one that cannot be used."""


def open_picture(path: str | Path) -> Pixels:
    """A picture file in shades of grey, as the sensor saw it: a turn noted beside it is left out.

    Lens calibration and reading go by the sensor, and phones note a turn in most pictures.
    """
    return decode(_content(path), f"picture {_shown(path)}")


def open_colour_picture(path: str | Path) -> Pixels:
    """The same in colour, to draw on."""
    return decode(_content(path), f"picture {_shown(path)}", colour=True)


def _content(path: str | Path) -> bytes:
    shown = _shown(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as bad:
        reason = bad.strerror if isinstance(bad, OSError) else bad
        raise BadPicture(f"cannot read the picture {shown}: {reason or bad}") from None
    if len(content) > LARGEST_FILE:
        raise BadPicture(f"picture {shown}: larger than {LARGEST_FILE // MIB} MiB")
    return content


def decode(content: bytes, what: str, *, colour: bool = False) -> Pixels:
    """The same for bytes; `what` they are, for the error."""
    width, height = _checked_size(content, what)
    if width * height > MOST_PIXELS:
        raise BadPicture(
            f"{what}: {width} x {height} are {width * height / 1e6:.0f} million pixels,"
            f" at most {MOST_PIXELS / 1e6:.0f} are read: scale it down"
        )
    if min(width, height) < SMALLEST_SIDE:
        raise BadPicture(f"{what}: {width} x {height} pixels are too few to see anything")
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
        raise BadPicture(f"{what}: damaged, it cannot be unpacked")
    return np.asarray(pixels, np.uint8)


def save_picture(path: str | Path, pixels: Pixels) -> None:
    """Write a PNG, whole or not at all."""
    import cv2

    shown, target = _shown(path), Path(path)
    if target.suffix.lower() != ".png":
        raise BadPicture(f"cannot write {shown}: pictures are saved as .png")
    _, content = cv2.imencode(".png", pixels)
    part = target.with_name(target.name + ".part")
    try:
        part.write_bytes(content.tobytes())
        part.replace(target)
    except (OSError, ValueError) as bad:
        reason = bad.strerror if isinstance(bad, OSError) else bad
        raise BadPicture(f"cannot write {shown}: {reason or bad}") from None


def is_whole_jpeg(content: bytes) -> bool:
    """Does a JPEG from a camera have its end? What follows the end is padding."""
    try:
        _jpeg_size(content, "")
    except BadPicture:
        return False
    return True


def _shown(path: str | Path) -> str:
    name = str(path)
    return name if name and name.isprintable() else excerpt(name)


def _checked_size(content: bytes, what: str) -> tuple[int, int]:
    if not content:
        raise BadPicture(f"{what}: the file is empty")
    if content.startswith(JPEG_START):
        return _jpeg_size(content, what)
    if content.startswith(PNG_START):
        return _png_size(content, what)
    raise BadPicture(f"{what}: neither JPEG nor PNG")


def _png_size(content: bytes, what: str) -> tuple[int, int]:
    if PNG_END not in content[-64:] or content[12:16] != b"IHDR":
        raise BadPicture(f"{what}: cut off, the end of the file is missing")
    width, height = struct.unpack(">II", content[16:24])
    return int(width), int(height)


def _jpeg_size(content: bytes, what: str) -> tuple[int, int]:
    """Walk the segments to the first scan: a thumbnail inside has sizes and ends of its own."""
    size = None
    at = 2
    while at + 4 <= len(content):
        if content[at] != 0xFF:
            raise BadPicture(f"{what}: damaged, it is no JPEG after byte {at}")
        marker = content[at + 1]
        if marker == 0xFF:  # filling
            at += 1
            continue
        if marker in JPEG_BARE:
            at += 2
            continue
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        if marker in JPEG_SIZES and at + 9 <= len(content):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            size = int(width), int(height)
        at += 2 + max(length, 2)
        if marker == JPEG_SCAN:
            break
    if size is None or content.find(JPEG_END, at) < 0:
        raise BadPicture(f"{what}: cut off, the end of the file is missing")
    return size
