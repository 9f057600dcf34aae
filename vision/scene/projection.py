"""Projects rasters of the board's plane into the camera's image.

A raster is a rectangle of the board's plane, in millimetres. `warp_to_image` projects its pixels
as seen by a camera at some height. Pixel centres are whole numbers in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera_model import CameraModel

Image = npt.NDArray[Any]
Matrix = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]

UNBENDING_STEP = 16  # pixels between points where the lens distortion is inverted exactly


class Box(NamedTuple):
    """A rectangular part of the camera's image."""

    left: int
    top: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        return (
            slice(self.top, self.top + self.height),
            slice(self.left, self.left + self.width),
        )

    def to_finer(self, pixels: Points, times: int) -> Points:
        """Points of the image in the coordinates of this part, scaled by `times`."""
        return np.asarray((pixels - (self.left, self.top) + 0.5) * times - 0.5)


@dataclass(frozen=True, slots=True)
class Raster:
    """A rectangle of the board's plane, in pixels."""

    left_mm: float
    top_mm: float
    width_mm: float
    height_mm: float
    px_per_mm: float

    @property
    def shape(self) -> tuple[int, int]:
        return round(self.height_mm * self.px_per_mm), round(self.width_mm * self.px_per_mm)

    def matrix(self) -> Matrix:
        """The matrix from millimetres to pixels."""
        k = self.px_per_mm
        return np.array(
            [[k, 0, -self.left_mm * k - 0.5], [0, k, -self.top_mm * k - 0.5], [0, 0, 1.0]]
        )

    def pixels(self, points_mm: npt.ArrayLike) -> Points:
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return np.asarray((points - (self.left_mm, self.top_mm)) * self.px_per_mm - 0.5)

    def millimetres(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The x of every column and the y of every row, shaped for broadcasting."""
        rows, columns = self.shape
        x = self.left_mm + (np.arange(columns, dtype=np.float32) + 0.5) / self.px_per_mm
        y = self.top_mm + (np.arange(rows, dtype=np.float32) + 0.5) / self.px_per_mm
        return x[None, :], y[:, None]

    def outline_mm(self) -> Points:
        right, bottom = self.left_mm + self.width_mm, self.top_mm + self.height_mm
        return np.array(
            [(self.left_mm, self.top_mm), (right, self.top_mm), (right, bottom),
             (self.left_mm, bottom)]
        )  # fmt: skip


def warp_to_image(
    pixels: Image,
    to_pixels: Matrix,
    camera: CameraModel,
    height_mm: float = 0.0,
    *,
    box: Box | None = None,
    finer: int = 1,
    border: int = cv2.BORDER_CONSTANT,
) -> Image:
    """Project the pixels of a raster at a height into the image, or into the part in `box`.

    The result is `finer` times as large; `to_pixels` maps board millimetres to the raster's pixels.
    """
    if any(camera.lens.distortion):
        affine = tuple(float(n) for n in to_pixels[:2].ravel())
        if box is None and finer == 1:
            x, y = _sources_of_all(camera, height_mm, affine)
        else:
            x, y = _sources(camera, height_mm, affine, box or full_box(camera), finer)
        return cv2.remap(pixels, x, y, cv2.INTER_LINEAR, borderMode=border)
    box = box or full_box(camera)
    to_image = camera.homography(height_mm) @ np.linalg.inv(to_pixels)
    return cv2.warpPerspective(
        pixels,
        _into(box, finer) @ to_image,
        (box.width * finer, box.height * finer),
        flags=cv2.INTER_LINEAR,
        borderMode=border,
    )


def full_box(camera: CameraModel) -> Box:
    return Box(0, 0, camera.width, camera.height)


def bounding_box(points: Points, camera: CameraModel, margin: int = 1) -> Box | None:
    """The part of the image around these points; None if it is outside."""
    left, top = np.maximum(np.floor(points.min(axis=0)).astype(int) - margin, 0)
    size = (camera.width, camera.height)
    right, bottom = np.minimum(np.ceil(points.max(axis=0)).astype(int) + margin + 1, size)
    if right <= left or bottom <= top:
        return None
    return Box(int(left), int(top), int(right - left), int(bottom - top))


def camera_position_mm(camera: CameraModel) -> Points:
    """The camera's x, y and height."""
    turned, _ = cv2.Rodrigues(np.array(camera.rotation))
    x, y, z = -turned.T @ np.array(camera.translation_mm)
    return np.array([x, y, -z])


def _into(box: Box, finer: int) -> Matrix:
    """The matrix from image pixels to pixels of a finer image of a part."""
    shift = (finer - 1) / 2
    return np.array(
        [[finer, 0, shift - box.left * finer], [0, finer, shift - box.top * finer], [0, 0, 1.0]]
    )


@lru_cache(maxsize=6)
def _sources_of_all(
    camera: CameraModel, height_mm: float, to_pixels: tuple[float, ...]
) -> tuple[Image, Image]:
    return _sources(camera, height_mm, to_pixels, full_box(camera), 1)


def _sources(
    camera: CameraModel, height_mm: float, to_pixels: tuple[float, ...], box: Box, finer: int
) -> tuple[Image, Image]:
    """The source pixel in the raster for every pixel. The lens is inverted on a coarse grid."""
    step = UNBENDING_STEP
    columns, rows = (n // step + 3 for n in (box.width, box.height))
    # The centres of blocks of pixels, starting one block outside.
    x, y = np.meshgrid(
        box.left + (np.arange(columns) - 0.5) * step - 0.5,
        box.top + (np.arange(rows) - 0.5) * step - 0.5,
    )
    affine = np.array(to_pixels).reshape(2, 3)
    nodes = camera.unproject(np.stack([x, y], axis=-1), height_mm) @ affine[:, :2].T + affine[:, 2]
    coarse = nodes.reshape(rows, columns, 2).astype(np.float32)
    block = step * finer
    # Not `warpPerspective`: its 1/32 steps would be half a pixel between two nodes.
    fine = cv2.resize(coarse, (columns * block, rows * block), interpolation=cv2.INTER_LINEAR)
    inner = fine[block : block + box.height * finer, block : block + box.width * finer]
    return np.ascontiguousarray(inner[..., 0]), np.ascontiguousarray(inner[..., 1])
