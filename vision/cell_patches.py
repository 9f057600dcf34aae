"""Samples cells from frames: each cell at cap height, upright, as a patch of fixed size."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Points
from vision.decode import PATCH_TAGS, Stack
from vision.grid_correction import GridCorrection
from vision.templates import BLOCKS, EDGE, PATCH

Grey = npt.NDArray[np.uint8]
Planes = npt.NDArray[np.float32]

HALVE_ABOVE = 1.9  # pixels per sample: beyond this, sampling would skip pixels and keep their noise
SPOTS_PER_SIDE = 8  # samples a side for change detection
LATTICE = np.linspace(-0.5, 0.5, 4)  # of a patch's side
FLOOR_SAMPLES_PER_SIDE = 2 * BLOCKS  # samples a side of a cell's middle, on the board surface


def _bicubic_weights(count: int, part: float = 1.0) -> Planes:
    """Weights of the lattice points for a bicubic through them: one column per sample, with `count`
    samples a side over `part` of a patch."""
    samples = ((np.arange(count) + 0.5) / count - 0.5) * part
    cubic = np.vander(samples, 4) @ np.linalg.inv(np.vander(LATTICE, 4))
    return np.ascontiguousarray(np.kron(cubic, cubic).T, np.float32)


PATCH_WEIGHTS = _bicubic_weights(PATCH)
SPOT_WEIGHTS = _bicubic_weights(SPOTS_PER_SIDE)
FLOOR_WEIGHTS = _bicubic_weights(FLOOR_SAMPLES_PER_SIDE, (PATCH - 2 * EDGE) / PATCH)


@dataclass(frozen=True, slots=True)
class SampleMap:
    """Points of a frame to sample, in OpenCV's fast fixed-point format (1/32 pixel)."""

    integer_part: npt.NDArray[np.int16]
    fraction_part: npt.NDArray[np.uint16]

    @classmethod
    def from_pixels(cls, pixels: Planes) -> SampleMap:
        """`pixels` holds all x and all y, with one row per patch."""
        x, y = pixels
        whole, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return cls(np.asarray(whole, np.int16), np.asarray(fraction, np.uint16))

    def rows(self, rows: npt.NDArray[np.intp]) -> SampleMap:
        return SampleMap(self.integer_part[rows], self.fraction_part[rows])

    def look_up(self, grey: Grey) -> Grey:
        seen = cv2.remap(
            grey,
            self.integer_part,
            self.fraction_part,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(seen, np.uint8)


def patch_pixels(
    camera: CameraModel,
    centres_mm: Points,
    tag_mm: float,
    height_mm: float,
    weights: Planes = PATCH_WEIGHTS,
) -> Planes:
    """Pixels of the samples of a patch around each centre: (x and y) x centres x samples."""
    x, y = np.meshgrid(LATTICE * PATCH_TAGS * tag_mm, LATTICE * PATCH_TAGS * tag_mm)
    points = centres_mm[:, None, :] + np.stack([x.ravel(), y.ravel()], axis=-1)
    few = camera.project(points.reshape(-1, 2), height_mm).reshape(points.shape)
    # Projection is smooth within a patch: project a few points and interpolate.
    return np.asarray(few.transpose(2, 0, 1).astype(np.float32) @ weights, np.float32)


@dataclass(frozen=True, slots=True)
class PatchSampler:
    """The pixels of every sample of every cell."""

    patch_samples: SampleMap  # a row for each cell, in a halved frame if `halved`
    spot_samples: SampleMap  # a row for each cell, in the full frame
    floor_samples: SampleMap  # a row for each cell's middle, on the board surface
    halved: bool
    lean_mm: Points  # offset of the board point that each cell's cap hides

    @classmethod
    def for_board(
        cls, board: PhysicalBoard, camera: CameraModel, correction: GridCorrection | None = None
    ) -> PatchSampler:
        centres = board.centres_mm()
        if correction is not None:
            centres = centres + correction.offsets_mm(board, centres)
        pixels = patch_pixels(camera, centres, board.tag_mm, board.cap_height_mm)
        spots = patch_pixels(camera, centres, board.tag_mm, board.cap_height_mm, SPOT_WEIGHTS)
        row = pixels[:, :, PATCH * PATCH // 2 : PATCH * PATCH // 2 + PATCH]
        halved = bool(np.hypot(*(row[..., 1:] - row[..., :-1])).mean() > HALVE_ABOVE)
        if halved:
            pixels = pixels / np.float32(2) - np.float32(0.25)
        through = np.linalg.inv(camera.homography(board.cap_height_mm)) @ camera.homography()
        below = np.column_stack([centres, np.ones(len(centres))]) @ through.T
        lean = below[:, :2] / below[:, 2:] - centres
        floor = patch_pixels(camera, centres, board.tag_mm, 0.0, FLOOR_WEIGHTS)
        return cls(
            SampleMap.from_pixels(pixels),
            SampleMap.from_pixels(spots),
            SampleMap.from_pixels(floor),
            halved,
            lean,
        )

    def cut(self, grey: Grey, cells: npt.NDArray[np.intp] | None = None) -> Stack:
        """The patches of these cells, or of all cells."""
        if self.halved:
            height, width = grey.shape
            size = (width // 2, height // 2)
            grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        patches = self.patch_samples if cells is None else self.patch_samples.rows(cells)
        return patches.look_up(grey).reshape(-1, PATCH, PATCH)

    def spots(self, grey: Grey) -> npt.NDArray[np.float32]:
        """A few samples of every cell, for change detection."""
        return self.spot_samples.look_up(grey).astype(np.float32)

    def floor_blocks(self, grey: Grey, cells: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        """The board surface in these cells, as block averages."""
        seen = self.floor_samples.rows(cells).look_up(grey).reshape(-1, BLOCKS, 2, BLOCKS, 2)
        return np.asarray(seen.mean(axis=(2, 4)).reshape(len(cells), -1), np.float32)
