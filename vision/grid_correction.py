"""Corrects cell positions for errors of the camera model: lens, cap height, a bent board.

Fits an affine correction to the offsets of at least `MIN_PIECES` caps from their cells: an offset
that all pieces share is caused by the camera model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.board import PhysicalBoard
from vision.camera_model import Points

MIN_PIECES = 6
MIN_CORRECTION_MM = 1.0  # smaller corrections are not worth a change


@dataclass(frozen=True)
class GridCorrection:
    """An affine correction of cell positions: shift, stretch and shear.

    `terms` are millimetres in x and y per (1, board widths right of the middle, board widths
    below).
    """

    terms: Points  # 3 x 2

    def offsets_mm(self, board: PhysicalBoard, points_mm: Points) -> Points:
        return np.asarray(_basis(board, points_mm) @ self.terms)


def _basis(board: PhysicalBoard, points_mm: Points) -> Points:
    width, height = board.size_mm
    flat = points_mm.reshape(-1, 2)
    return np.column_stack(
        [np.ones(len(flat)), flat[:, 0] / width - 0.5, flat[:, 1] / width - height / width / 2]
    )


def fit_correction(
    board: PhysicalBoard, centres_mm: Points, offsets_mm: Points
) -> GridCorrection | None:
    """Fit the correction that explains most of the caps' offsets from their cells' centres."""
    if len(centres_mm) < MIN_PIECES:
        return None
    basis, offsets = _basis(board, centres_mm), offsets_mm
    # A ridge on stretch and shear: few pieces on one side must not distort the other side.
    ridge = np.diag([0.0, 1.0, 1.0])
    terms = np.linalg.solve(basis.T @ basis + ridge, basis.T @ offsets)
    off = np.hypot(*(offsets - basis @ terms).T)
    inliers = off <= 3 * max(0.5, float(np.median(off)))
    basis, offsets = basis[inliers], offsets[inliers]
    terms = np.linalg.solve(basis.T @ basis + ridge, basis.T @ offsets)
    correction = GridCorrection(np.asarray(terms, np.float64))
    everywhere = correction.offsets_mm(board, board.centres_mm())
    is_large = float(np.hypot(*everywhere.T).max()) > MIN_CORRECTION_MM
    return correction if is_large else None
