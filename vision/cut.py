"""Cutting cells out of frames: every cell at cap height, upright, as a patch of fixed size."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import PhysicalBoard
from vision.decode import PATCH_TAGS, Stack
from vision.drift import Drift
from vision.templates import BLOCKS, EDGE, PATCH
from vision.view import Points, View

Grey = npt.NDArray[np.uint8]

HALVE_ABOVE = 1.9  # pixels a sample: beyond it, samples would skip pixels and keep their noise
SPOTS = 8  # samples a side that tell whether a cell has changed
LATTICE = np.linspace(-0.5, 0.5, 4)  # of a patch's side
FLOOR = 2 * BLOCKS  # samples a side of a cell's middle, on the board itself


def _through_lattice(count: int, part: float = 1.0) -> Points:
    """The weights that a cubic through the lattice gives each of its points, a row a sample:
    so many samples over that part of a patch."""
    samples = ((np.arange(count) + 0.5) / count - 0.5) * part
    return np.asarray(np.vander(samples, 4) @ np.linalg.inv(np.vander(LATTICE, 4)), np.float64)


CURVE = _through_lattice(PATCH)
FLOOR_CURVE = _through_lattice(FLOOR, (PATCH - 2 * EDGE) / PATCH)


@dataclass(frozen=True, slots=True)
class Samples:
    """Points of a frame to be looked up, each to 1/32 of a pixel: what OpenCV does fastest."""

    whole: npt.NDArray[np.int16]
    fraction: npt.NDArray[np.uint16]

    @classmethod
    def at(cls, pixels: Points) -> Samples:
        flat = pixels.reshape(len(pixels), -1, 2).astype(np.float32)
        whole, fraction = cv2.convertMaps(
            np.ascontiguousarray(flat[..., 0]), np.ascontiguousarray(flat[..., 1]), cv2.CV_16SC2
        )
        return cls(np.asarray(whole, np.int16), np.asarray(fraction, np.uint16))

    def of(self, rows: npt.NDArray[np.intp]) -> Samples:
        return Samples(self.whole[rows], self.fraction[rows])

    def look_up(self, grey: Grey) -> Grey:
        seen = cv2.remap(
            grey, self.whole, self.fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, np.uint8)


def patch_pixels(
    view: View, centres_mm: Points, tag_mm: float, height_mm: float, curve: Points = CURVE
) -> Points:
    """Where the samples of a patch around each of these points are: points x rows x columns x 2."""
    x, y = np.meshgrid(LATTICE * PATCH_TAGS * tag_mm, LATTICE * PATCH_TAGS * tag_mm)
    points = centres_mm[:, None, None, :] + np.stack([x, y], axis=-1)
    few = view.project(points.reshape(-1, 2), height_mm).reshape(points.shape)
    # Within one patch a view is smooth: a few points and the curve through them are enough.
    rows = np.tensordot(few, curve, axes=(1, 1))  # points, lattice x, coordinate, patch y
    return np.asarray(np.tensordot(rows, curve, axes=(1, 1)).transpose(0, 2, 3, 1))


@dataclass(frozen=True, slots=True)
class Cutter:
    """Where every sample of every cell lies in the frame."""

    patches: Samples  # a row for each cell, in a halved frame if `halved`
    few: Samples  # a row for each cell, in the frame itself
    floor: Samples  # the same for the middles of the cells on the board, below the caps
    halved: bool
    lean_mm: Points  # how far a cap hides the board from where it stands, for each cell

    @classmethod
    def over(cls, board: PhysicalBoard, view: View, drift: Drift | None = None) -> Cutter:
        centres = board.centres_mm()
        if drift is not None:
            centres = centres + drift.at(board, centres)
        pixels = patch_pixels(view, centres, board.tag_mm, board.cap_height_mm)
        first, step = PATCH // SPOTS // 2, PATCH // SPOTS
        spots = pixels[:, first::step, first::step]
        row = pixels[:, PATCH // 2]
        across = np.linalg.norm(row[:, 1:] - row[:, :-1], axis=2)
        halved = bool(across.mean() > HALVE_ABOVE)
        if halved:
            pixels = (pixels + 0.5) / 2 - 0.5
        through = np.linalg.inv(view.homography(board.cap_height_mm)) @ view.homography()
        below = np.column_stack([centres, np.ones(len(centres))]) @ through.T
        lean = below[:, :2] / below[:, 2:] - centres
        floor = patch_pixels(view, centres, board.tag_mm, 0.0, FLOOR_CURVE)
        return cls(Samples.at(pixels), Samples.at(spots), Samples.at(floor), halved, lean)

    def cut(self, grey: Grey, cells: npt.NDArray[np.intp] | None = None) -> Stack:
        """These cells, or all of them, as patches."""
        if self.halved:
            height, width = grey.shape
            size = (width // 2, height // 2)
            grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        patches = self.patches if cells is None else self.patches.of(cells)
        return patches.look_up(grey).reshape(-1, PATCH, PATCH)

    def spots(self, grey: Grey) -> npt.NDArray[np.float32]:
        """A few samples of every cell, to compare frames by."""
        return self.few.look_up(grey).astype(np.float32)

    def floor_blocks(self, grey: Grey, cells: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        """The board itself in these cells, as averages over blocks."""
        seen = self.floor.of(cells).look_up(grey).reshape(-1, BLOCKS, 2, BLOCKS, 2)
        return np.asarray(seen.mean(axis=(2, 4)).reshape(len(cells), -1), np.float32)
