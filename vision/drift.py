"""The cells are not quite where the view says: lens, wrong cap height, a bent board.

What the offsets of all pieces have in common is not the pieces' but the view's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.board import PhysicalBoard
from vision.view import Points

FEWEST = 6  # pieces
LEAST_MM = 1.0  # less than this does no harm


@dataclass(frozen=True)
class Drift:
    """How far the cells really are from where the view says: an even shift, stretch and shear.

    `terms` are millimetres in x and y per (one, board widths right of the middle, and below).
    """

    terms: Points  # 3 x 2

    def at(self, board: PhysicalBoard, points_mm: Points) -> Points:
        return np.asarray(_basis(board, points_mm) @ self.terms)


def _basis(board: PhysicalBoard, points_mm: Points) -> Points:
    width, height = board.size_mm
    flat = points_mm.reshape(-1, 2)
    return np.column_stack(
        [np.ones(len(flat)), flat[:, 0] / width - 0.5, flat[:, 1] / width - height / width / 2]
    )


def fitted(board: PhysicalBoard, centres_mm: Points, offsets_mm: Points) -> Drift | None:
    """The drift that explains most of the offsets of caps from the middles of their cells."""
    if len(centres_mm) < FEWEST:
        return None
    basis, offsets = _basis(board, centres_mm), offsets_mm
    # Few pieces on one side must not bend the far side: a ridge, but not against the shift.
    ridge = np.diag([0.0, 1.0, 1.0])
    terms = np.linalg.solve(basis.T @ basis + ridge, basis.T @ offsets)
    off = np.hypot(*(offsets - basis @ terms).T)
    kept = off <= 3 * max(0.5, float(np.median(off)))
    basis, offsets = basis[kept], offsets[kept]
    terms = np.linalg.solve(basis.T @ basis + ridge, basis.T @ offsets)
    drift = Drift(np.asarray(terms, np.float64))
    everywhere = drift.at(board, board.centres_mm())
    worth_it = float(np.hypot(*everywhere.T).max()) > LEAST_MM
    return drift if worth_it else None
