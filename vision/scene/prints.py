"""What came out of a printer, to lie on the table: a board of paper, and caps cut out of sheets.

A folder of prints holds `prints.json` and its pictures, all at one scale:

    {"px_per_mm": 10, "board": {"file": "board.png", "left_mm": -43, "top_mm": -43},
     "caps": {"13": "cap-13.png"}}

The board's picture begins that far from the board's upper left corner. The middle of a cap's
picture is the middle of its tag; what is transparent was cut off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.errors import LaserboardError
from vision.scene.camera import FULL, linear
from vision.scene.planes import Raster

INDEX = "prints.json"
BOARD_PX_PER_MM = 4.0
INK = 0.07  # reflectance of printer's black (0.06), white paper (0.85) being 1
Picture = npt.NDArray[np.uint8]
Reflectance = npt.NDArray[np.float32]


class BadPrints(LaserboardError, ValueError):
    """A folder that is not one of prints."""


@dataclass(frozen=True, eq=False)
class Cap:
    """A cut-out cap; its middle is the middle of its tag."""

    colour: Reflectance  # blue first
    opacity: Reflectance
    width_mm: float
    height_mm: float


@dataclass(frozen=True, eq=False)
class Prints:
    """A printed board and printed caps by their tags; two are never equal."""

    surface: npt.NDArray[np.uint16]  # as `board_surface` has it
    raster: Raster
    caps: Mapping[int, Cap]

    @classmethod
    def of(
        cls,
        board: Picture,
        left_mm: float,
        top_mm: float,
        caps: Mapping[int, Picture],
        px_per_mm: float,
    ) -> Prints:
        """From pictures in blue, green and red; those of caps have a fourth channel, opacity."""
        height, width = (length / px_per_mm for length in board.shape[:2])
        raster = Raster(left_mm, top_mm, width, height, min(px_per_mm, BOARD_PX_PER_MM))
        size = raster.shape[1], raster.shape[0]
        paper = cv2.resize(printed(board), size, interpolation=cv2.INTER_AREA)
        surface = np.asarray(np.asarray(paper) * FULL, np.uint16)
        return cls(surface, raster, {tag: _cap(each, px_per_mm) for tag, each in caps.items()})

    @classmethod
    def load(cls, folder: Path) -> Prints:
        index = folder / INDEX
        try:
            told = json.loads(index.read_text(encoding="utf-8"))
            board, scale = told["board"], float(told["px_per_mm"])
            left, top = float(board["left_mm"]), float(board["top_mm"])
            files = {int(tag): str(name) for tag, name in told["caps"].items()}
            ground = _opened(folder / board["file"], 3)
            caps = {tag: _opened(folder / name, 4) for tag, name in files.items()}
        except OSError as bad:
            raise BadPrints(f"{index}: {bad.strerror or bad}; name a folder of prints") from None
        except (ValueError, KeyError, TypeError, AttributeError) as bad:
            raise BadPrints(f"{index}: not as prints are described ({bad})") from None
        if not scale > 0:
            raise BadPrints(f"{index}: px_per_mm: got {scale:g}, want more than 0")
        return cls.of(ground, left, top, caps, scale)


def printed(picture: Picture) -> Reflectance:
    """What paper with that printed on it reflects: ink is never quite black."""
    curve = (INK + (1 - INK) * linear(np.arange(256) / 255)).astype(np.float32)
    return np.asarray(curve[picture])


def _cap(picture: Picture, px_per_mm: float) -> Cap:
    height, width = picture.shape[:2]
    opacity = picture[..., 3].astype(np.float32) / np.float32(255)
    return Cap(printed(picture[..., :3]), opacity, width / px_per_mm, height / px_per_mm)


def _opened(file: Path, channels: int) -> Picture:
    packed: Any = np.frombuffer(file.read_bytes(), np.uint8)
    flag = cv2.IMREAD_COLOR if channels == 3 else cv2.IMREAD_UNCHANGED
    picture = cv2.imdecode(packed, flag) if len(packed) else None
    if picture is None or picture.ndim != 3 or picture.shape[2] != channels:
        wanted = "a picture" if channels == 3 else "a picture with transparency"
        raise ValueError(f"{file.name} is not {wanted}")
    return np.asarray(picture, np.uint8)
