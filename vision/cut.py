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
Planes = npt.NDArray[np.float32]

HALVE_ABOVE = 1.9  # pixels a sample: beyond it, samples would skip pixels and keep their noise
SPOTS = 8  # samples a side that tell whether a cell has changed
LATTICE = np.linspace(-0.5, 0.5, 4)  # of a patch's side
FLOOR = 2 * BLOCKS  # samples a side of a cell's middle, on the board itself


def _through_lattice(count: int, part: float = 1.0) -> Planes:
    """The weights that a bicubic through the lattice gives each of its points, a column a
    sample: so many samples a side over that part of a patch."""
    samples = ((np.arange(count) + 0.5) / count - 0.5) * part
    cubic = np.vander(samples, 4) @ np.linalg.inv(np.vander(LATTICE, 4))
    return np.ascontiguousarray(np.kron(cubic, cubic).T, np.float32)


CURVE = _through_lattice(PATCH)
SPOT_CURVE = _through_lattice(SPOTS)
FLOOR_CURVE = _through_lattice(FLOOR, (PATCH - 2 * EDGE) / PATCH)


@dataclass(frozen=True, slots=True)
class Samples:
    """Points of a frame to be looked up, each to 1/32 of a pixel: what OpenCV does fastest."""

    whole: npt.NDArray[np.int16]
    fraction: npt.NDArray[np.uint16]

    @classmethod
    def at(cls, pixels: Planes) -> Samples:
        """`pixels` are all x and all y, a row for each patch."""
        x, y = pixels
        whole, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return cls(np.asarray(whole, np.int16), np.asarray(fraction, np.uint16))

    def of(self, rows: npt.NDArray[np.intp]) -> Samples:
        return Samples(self.whole[rows], self.fraction[rows])

    def look_up(self, grey: Grey) -> Grey:
        seen = cv2.remap(
            grey, self.whole, self.fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, np.uint8)


def patch_pixels(
    view: View, centres_mm: Points, tag_mm: float, height_mm: float, curve: Planes = CURVE
) -> Planes:
    """Where the samples of a patch around each of these points are: x and y, points, samples."""
    x, y = np.meshgrid(LATTICE * PATCH_TAGS * tag_mm, LATTICE * PATCH_TAGS * tag_mm)
    points = centres_mm[:, None, :] + np.stack([x.ravel(), y.ravel()], axis=-1)
    few = view.project(points.reshape(-1, 2), height_mm).reshape(points.shape)
    # Within one patch a view is smooth: a few points and the curve through them are enough.
    return np.asarray(few.transpose(2, 0, 1).astype(np.float32) @ curve, np.float32)


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
        spots = patch_pixels(view, centres, board.tag_mm, board.cap_height_mm, SPOT_CURVE)
        row = pixels[:, :, PATCH * PATCH // 2 : PATCH * PATCH // 2 + PATCH]
        halved = bool(np.hypot(*(row[..., 1:] - row[..., :-1])).mean() > HALVE_ABOVE)
        if halved:
            pixels = pixels / np.float32(2) - np.float32(0.25)
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
