"""Classifies cells without a readable tag as empty or covered.

In: `UnreadCells`. Out: which cells are covered, and the evidence in nats for empty.
An empty cell is smooth. A hand has edges; its smooth inside lies next to them and differs in
brightness from most empty cells. A doubtful cell counts as covered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import PATCH_TAGS, Stack
from vision.templates import BLOCKS, EDGE, PATCH

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.intp]
Points = npt.NDArray[np.float64]

MAX_EMPTY_ROUGHNESS = 0.30  # of a tag's contrast: largest variation of an empty cell
# The same on the board surface, without the light of LEDs. Measured: an empty cell has 0.04, 0.15
# in noise, 0.3 on bright hexagons in a dark room; most cells under a hand have over 0.35.
MAX_SURFACE_ROUGHNESS = 0.25
SAME_LIGHT_LOG = 0.22  # of brightness: two empty cells in the same light
OTHER_LIGHT_LOG = 0.5  # of brightness: not both empty, unless there are many of each
SAME_PRINT = 0.07  # of a tag's contrast: two empty cells with the same print
# cells with the same print: at least so many, and this share of cells without a piece
MIN_PRINTED_CELLS, PRINTED_SHARE = 4, 0.12
MIN_SAME_LIGHT_LOG = 0.08  # `SAME_LIGHT_LOG` in even light
COMMON_SHARE = 0.30  # of the smooth cells: a brightness this common is light, not a hand
MAX_HIDDEN_SHARE = 0.75  # of a cell: more of it hidden by pieces makes it unreadable
MAX_CLOSE_LOOKS = 20  # more rough cells are a hand or bad light, and not examined
# grey level, and the share of a cell: more is a lamp's reflection
SATURATED, GLARE_PART = 250, 0.15
SUREST_NATS = 6.0
BESIDE_COVERED = 0.3  # factor for a cell next to a covered one: a hand has a smooth inside
FAINTEST_CONTRAST = 5.0  # grey levels: no tag is readable below this contrast


@dataclass(frozen=True)
class UnreadCells:
    """Cells without a readable tag. The functions take the rows of some of these cells."""

    stack: Stack  # their patches in the frame
    centres: Points
    near: Bools  # which of these cells are neighbours
    glowing: Bools  # with LED light under or beside them
    is_whole_board: bool  # a few cells do not show which brightness is common
    hidden_blocks: Callable[[Ints], Bools]  # by the bodies of pieces beside them
    surface_texture: Callable[[Ints], Floats]  # brightness variation on the board surface
    # Which have the same surface print as many others, by the contrast of tags in the frame.
    share_print: Callable[[Ints, float], Bools]


def classify_unread(cells: UnreadCells, contrast: float | None) -> tuple[Bools, Floats]:
    """Classify cells without a tag: which are covered, and the evidence in nats for empty ones.

    `contrast` is that of the tags in the frame.
    """
    count = len(cells.stack)
    if not count:
        return np.zeros(0, np.bool_), np.zeros(0, np.float32)
    blocks = _blocks(cells.stack)
    level = blocks.mean(axis=1)
    if contrast is None:
        contrast = 0.3 * float(np.median(level))
    if contrast < FAINTEST_CONTRAST:  # too dark to classify
        return np.ones(count, np.bool_), np.zeros(count, np.float32)
    roughness = _roughness(cells, blocks, contrast)
    smooth = roughness < MAX_EMPTY_ROUGHNESS
    # LED light stays below this: guides reach 190 grey levels at most.
    saturated = (blocks >= SATURATED).mean(axis=1) >= GLARE_PART
    covered = ~smooth | saturated
    if cells.is_whole_board:
        brightness = np.log(level + 4)
        grown = _grow_covered(
            covered, smooth & ~cells.glowing, brightness, cells.near, cells.centres
        )
        covered = np.where(cells.glowing, covered, grown)
    sure = np.clip(SUREST_NATS * (1 - roughness / MAX_EMPTY_ROUGHNESS) + 1, 0, SUREST_NATS)
    beside = (cells.near & covered[None, :]).any(axis=1)
    sure = np.where(beside, BESIDE_COVERED * sure, sure)
    return covered, np.where(covered, 0, sure).astype(np.float32)


def _roughness(cells: UnreadCells, blocks: Floats, contrast: float) -> Floats:
    """The brightness variation of each cell, as a part of the contrast of tags. Rough cells are
    examined more closely: for pieces beside them, for print, and for the light of LEDs."""
    roughness = _texture(blocks) / contrast
    rough = np.flatnonzero(roughness >= MAX_EMPTY_ROUGHNESS)
    if 0 < len(rough) <= MAX_CLOSE_LOOKS:
        roughness[rough] = _texture_beside(blocks[rough], cells.hidden_blocks(rough)) / contrast
    rough = np.flatnonzero(roughness >= MAX_EMPTY_ROUGHNESS)
    if len(rough):
        roughness[rough[cells.share_print(rough, contrast)]] = 0.8 * MAX_EMPTY_ROUGHNESS
    rough = np.flatnonzero((roughness >= MAX_EMPTY_ROUGHNESS) & cells.glowing)
    if len(rough):
        scale = MAX_EMPTY_ROUGHNESS / MAX_SURFACE_ROUGHNESS
        roughness[rough] = cells.surface_texture(rough) / contrast * scale
    return roughness


def _grow_covered(
    covered: Bools, smooth: Bools, brightness: Floats, near: Bools, places: Points
) -> Bools:
    """Add smooth cells of another brightness: very different ones (a sleeve), or slightly different
    ones connected to covered cells (a palm)."""
    apart = abs(brightness[:, None] - brightness[None, smooth])
    common = max(3.0, COMMON_SHARE * smooth.sum())
    usual = (apart < SAME_LIGHT_LOG).sum(axis=1) >= common
    grown = covered | ((apart < OTHER_LIGHT_LOG).sum(axis=1) < common)
    if not grown.any():
        return covered
    light, within = _detrend_brightness(brightness, places, smooth)
    usual &= (abs(light[:, None] - light[None, smooth]) < within).sum(axis=1) >= common
    while (more := ~grown & ~usual & (near & grown[None, :]).any(axis=1)).any():
        grown |= more
    return np.asarray(grown, np.bool_)


def share_common_print(blocks: Floats, rows: Ints, contrast: float) -> Bools:
    """Which of these rows look like many other cells on the board surface.

    Lines and print repeat; a hand does not, nor does a piece, which stands above the surface.
    """
    level = blocks.mean(axis=1, keepdims=True)
    even, light = blocks - level, np.log(level[:, 0] + 4)
    same = abs(even[rows, None] - even[None]) < SAME_PRINT * contrast
    alike = same.sum(axis=2) > blocks.shape[1] // 2
    alike &= abs(light[rows, None] - light[None]) < 2 * SAME_LIGHT_LOG
    least = max(MIN_PRINTED_CELLS, PRINTED_SHARE * len(blocks))
    return np.asarray(alike.sum(axis=1) > least, np.bool_)


def _detrend_brightness(brightness: Floats, places: Points, smooth: Bools) -> tuple[Floats, float]:
    """Brightness without its gradient across the board, and the largest difference between two
    cells in the same light."""
    if smooth.sum() < 12:
        return brightness, SAME_LIGHT_LOG
    x, y = (places - places.mean(axis=0)).T / max(float(np.ptp(places)), 1e-6)
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    weight = np.ones(int(smooth.sum()))
    for _ in range(3):
        fit, *_ = np.linalg.lstsq(
            basis[smooth] * weight[:, None], brightness[smooth] * weight, rcond=None
        )
        off = abs(brightness[smooth] - basis[smooth] @ fit)
        weight = 1 / np.sqrt(np.maximum(off, 0.01))
    within = float(np.clip(5 * np.median(off), MIN_SAME_LIGHT_LOG, SAME_LIGHT_LOG))
    return np.asarray(brightness - basis @ fit, np.float32), within


def _blocks(stack: Stack) -> Floats:
    """The middle of each patch as block averages: cells x (BLOCKS * BLOCKS)."""
    middle = np.ascontiguousarray(stack[:, EDGE:-EDGE, EDGE:-EDGE])
    cells, side = len(middle), middle.shape[1]
    tall = middle.reshape(cells * side, side)
    small = cv2.resize(tall, (BLOCKS, cells * BLOCKS), interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(cells, -1), np.float32)


def texture(stack: Stack) -> Floats:
    """Standard deviation of each cell in grey levels, without a linear light gradient."""
    return _texture(_blocks(stack))


def block_centres_mm(tag_mm: float) -> Points:
    """The centres of the blocks of a cell, relative to its centre."""
    side = (PATCH - 2 * EDGE) / PATCH * PATCH_TAGS * tag_mm
    axis = ((np.arange(BLOCKS) + 0.5) / BLOCKS - 0.5) * side
    x, y = np.meshgrid(axis, axis)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def texture_beyond_light(blocks: Floats, bodies: Bools) -> Floats:
    """Variation of cells with LED light under them, without the light's own gradient."""
    return _texture_beside(blocks, bodies, _curves())


def _texture_beside(blocks: Floats, bodies: Bools, slopes: Floats | None = None) -> Floats:
    """Variation of the blocks that no other piece hides, without a light gradient."""
    seen = (~bodies).astype(np.float32)
    enough = seen.mean(axis=1) >= 1 - MAX_HIDDEN_SHARE
    slopes = _slopes() if slopes is None else slopes
    normal = np.einsum("cb,bi,bj->cij", seen, slopes, slopes) + 1e-6 * np.eye(slopes.shape[1])
    fit = np.linalg.solve(normal, ((blocks * seen) @ slopes)[..., None])[..., 0]
    rest = (blocks - fit @ slopes.T) * seen
    spread = np.sqrt((rest**2).sum(axis=1) / np.maximum(seen.sum(axis=1), 1))
    return np.where(enough, spread, np.inf).astype(np.float32)


@cache
def _slopes() -> Floats:
    """Basis of a linear light gradient over the blocks, as columns."""
    return np.ascontiguousarray(_curves()[:, :3])


@cache
def _curves() -> Floats:
    """Basis of a quadratic light gradient, as an LED below makes it."""
    axis = np.arange(BLOCKS) - (BLOCKS - 1) / 2
    x, y = (n.ravel() for n in np.meshgrid(axis, axis))
    basis = np.stack([np.ones(BLOCKS**2), x, y, x * x, x * y, y * y], axis=1)
    return np.asarray(basis / np.linalg.norm(basis, axis=0), np.float32)


def _texture(blocks: Floats) -> Floats:
    rest = blocks - (blocks @ _slopes()) @ _slopes().T
    return np.asarray(rest.std(axis=1), np.float32)
