"""Cells without a readable tag: is nothing there, or does something hide what is there?

An empty cell is smooth. A hand has edges; and its smooth inside lies next to them and is not as
bright as most empty cells. In doubt a cell is covered: that is never mistaken for empty.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import Stack
from vision.templates import PATCH

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

BLOCKS = 8  # a cell's middle is looked at in so many blocks a side: enough to average noise away
SMOOTH = 0.30  # of a tag's contrast: what an empty cell may vary by
ALIKE = 0.22  # in log brightness: two empty cells in the same light
COMMON = 0.30  # of the smooth cells: as many alike are a kind of light, not a hand
SATURATED, GLARE_PART = 250, 0.15  # grey level; of a cell: what a lamp's reflection may whiten
SUREST_NATS = 6.0
BESIDE_COVERED = 0.3  # as sure is a cell next to one that is covered: a hand has a smooth inside
FAINTEST_CONTRAST = 5.0  # grey levels: no tag could be read below this


def judge(stack: Stack, contrast: float | None, near: Bools) -> tuple[Bools, Floats]:
    """For cells where no tag was read: which are covered, and how sure the others are empty.

    `near` says which of these cells are neighbours; `contrast` is that of the tags in the frame.
    """
    if not len(stack):
        return np.zeros(0, np.bool_), np.zeros(0, np.float32)
    blocks = _blocks(stack)
    level = blocks.mean(axis=1)
    if contrast is None:
        contrast = 0.3 * float(np.median(level))
    unrest = _texture(blocks) / max(contrast, FAINTEST_CONTRAST)
    smooth = unrest < SMOOTH
    blown = np.percentile(blocks, 100 * (1 - GLARE_PART), axis=1) >= SATURATED
    covered = ~smooth | blown
    brightness = np.log(level + 4)
    alike = abs(brightness[:, None] - brightness[None, smooth]) < ALIKE
    usual = alike.sum(axis=1) >= max(3.0, COMMON * smooth.sum())
    odd = ~covered & ~usual
    while True:
        grown = odd & ~covered & (near & covered[None, :]).any(axis=1)
        if not grown.any():
            break
        covered |= grown
    sure = np.clip(SUREST_NATS * (1 - unrest / SMOOTH) + 1, 0, SUREST_NATS)
    beside = (near & covered[None, :]).any(axis=1)
    sure = np.where(beside, BESIDE_COVERED * sure, sure)
    return covered, np.where(covered, 0, sure).astype(np.float32)


def _blocks(stack: Stack) -> Floats:
    """The middle of each patch as a few averages: cells x (BLOCKS * BLOCKS)."""
    edge = PATCH // 6
    middle = np.ascontiguousarray(stack[:, edge:-edge, edge:-edge])
    cells, side = len(middle), middle.shape[1]
    tall = middle.reshape(cells * side, side)
    small = cv2.resize(tall, (BLOCKS, cells * BLOCKS), interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(cells, -1), np.float32)


def texture(stack: Stack) -> Floats:
    """How much each cell varies in grey levels, beyond light that falls off evenly across it."""
    return _texture(_blocks(stack))


def _texture(blocks: Floats) -> Floats:
    axis = np.arange(BLOCKS) - (BLOCKS - 1) / 2
    x, y = (n.ravel() for n in np.meshgrid(axis, axis))
    basis = np.stack([np.ones(BLOCKS**2), x, y], axis=1)
    basis /= np.linalg.norm(basis, axis=0)
    slope = basis.astype(np.float32)
    rest = blocks - (blocks @ slope) @ slope.T
    return np.asarray(rest.std(axis=1), np.float32)
