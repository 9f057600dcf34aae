"""Printed sheets in a rendered scene: a paper board, and caps cut out of sheets.

A folder of prints holds `prints.json` and its images, all at one scale:

    {"px_per_mm": 10, "board": {"file": "board.png", "left_mm": -43, "top_mm": -43},
     "caps": {"13": "cap-13.png"}}

`left_mm` and `top_mm` are the image's upper left, relative to the board's. The centre of a cap's
image is the centre of its tag; transparent pixels were cut off.
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
from vision import sentences
from vision.scene.camera import FULL_SCALE, linear
from vision.scene.projection import Raster

INDEX = "prints.json"
BOARD_PX_PER_MM = 4.0
INK = 0.07  # reflectance of printer's black (0.06), relative to white paper (0.85)
Image = npt.NDArray[np.uint8]
Reflectance = npt.NDArray[np.float32]


class BadPrints(LaserboardError, ValueError):
    """A folder that does not hold prints."""


@dataclass(frozen=True, eq=False)
class PaperCap:
    """A cut-out cap, centred on its tag."""

    colour: Reflectance  # blue first
    opacity: Reflectance
    width_mm: float
    height_mm: float


@dataclass(frozen=True, eq=False)
class PrintedSet:
    """A printed board and printed caps by tag. Compared by identity."""

    surface: npt.NDArray[np.uint16]  # in the format of `board_surface`
    raster: Raster
    caps: Mapping[int, PaperCap]

    @classmethod
    def from_images(
        cls,
        board: Image,
        left_mm: float,
        top_mm: float,
        caps: Mapping[int, Image],
        px_per_mm: float,
    ) -> PrintedSet:
        """From images in blue, green and red; caps have opacity as a fourth channel."""
        height, width = (length / px_per_mm for length in board.shape[:2])
        raster = Raster(left_mm, top_mm, width, height, min(px_per_mm, BOARD_PX_PER_MM))
        size = raster.shape[1], raster.shape[0]
        paper = cv2.resize(paper_reflectance(board), size, interpolation=cv2.INTER_AREA)
        surface = np.asarray(np.asarray(paper) * FULL_SCALE, np.uint16)
        return cls(surface, raster, {tag: _cap(each, px_per_mm) for tag, each in caps.items()})

    @classmethod
    def load(cls, folder: Path) -> PrintedSet:
        index = folder / INDEX
        try:
            index_json = json.loads(index.read_text(encoding="utf-8"))
            board, scale = index_json["board"], float(index_json["px_per_mm"])
            left, top = float(board["left_mm"]), float(board["top_mm"])
            files = {int(tag): str(name) for tag, name in index_json["caps"].items()}
            ground = _read_image(folder / board["file"], 3)
            caps = {tag: _read_image(folder / name, 4) for tag, name in files.items()}
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadPrints(sentences.PRINTS_UNREADABLE(file=str(index), reason=reason)) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadPrints(sentences.PRINTS_INVALID(file=str(index), reason=str(error))) from error
        if not scale > 0:
            raise BadPrints(sentences.PRINTS_SCALE(file=str(index), px_per_mm=scale))
        return cls.from_images(ground, left, top, caps, scale)


def paper_reflectance(image: Image) -> Reflectance:
    """The reflectance of printed paper: ink is never quite black."""
    curve = (INK + (1 - INK) * linear(np.arange(256) / 255)).astype(np.float32)
    return np.asarray(curve[image])


def _cap(image: Image, px_per_mm: float) -> PaperCap:
    height, width = image.shape[:2]
    opacity = image[..., 3].astype(np.float32) / np.float32(255)
    return PaperCap(
        paper_reflectance(image[..., :3]), opacity, width / px_per_mm, height / px_per_mm
    )


def _read_image(file: Path, channels: int) -> Image:
    packed: Any = np.frombuffer(file.read_bytes(), np.uint8)
    flag = cv2.IMREAD_COLOR if channels == 3 else cv2.IMREAD_UNCHANGED
    image = cv2.imdecode(packed, flag) if len(packed) else None
    if image is None or image.ndim != 3 or image.shape[2] != channels:
        expected = "an image" if channels == 3 else "an image with transparency"
        raise ValueError(f"{file.name} is not {expected}")
    return np.asarray(image, np.uint8)
