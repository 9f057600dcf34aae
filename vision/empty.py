"""Cells without a readable tag: is nothing there, or does something hide what is there?

An empty cell is smooth. A hand has edges; and its smooth inside lies next to them and is not as
bright as most empty cells. In doubt a cell is covered: that is never mistaken for empty.
"""

from __future__ import annotations

from collections.abc import Callable
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

SMOOTH = 0.30  # of a tag's contrast: what an empty cell may vary by
# The same on the board itself, beyond what light from below makes of it: an empty cell has 0.04,
# 0.15 in noise, 0.3 on bright hexagons in a dark room; most cells under a hand more than 0.35.
SMOOTH_BELOW = 0.25
ALIKE = 0.22  # in log brightness: two empty cells in the same light
FAR_FROM_ALIKE = 0.5  # and two that cannot both be empty, unless there are many of each
SAME_PRINT = 0.07  # of a tag's contrast: two empty cells with the same print
FEWEST_PRINTED, PRINTED = 4, 0.12  # cells; of those without a piece: with the same print
LEAST_ALIKE = 0.08  # the same where light falls evenly
COMMON = 0.30  # of the smooth cells: as many alike are a kind of light, not a hand
MOST_HIDDEN = 0.75  # of a cell may be hidden by bodies, if the rest is to tell anything
FEW = 20  # cells that are worth a closer look: more are a hand or bad light
SATURATED, GLARE_PART = 250, 0.15  # grey level; of a cell: what a lamp's reflection may whiten
SUREST_NATS = 6.0
BESIDE_COVERED = 0.3  # as sure is a cell next to one that is covered: a hand has a smooth inside
FAINTEST_CONTRAST = 5.0  # grey levels: no tag could be read below this


def judge(
    stack: Stack,
    contrast: float | None,
    near: Bools,
    bodies: Callable[[Ints], Bools],
    printed: Callable[[Ints, float], Bools],
    places: Points,
    below: Callable[[Ints], Floats],
    glowing: Bools,
    whole: bool = True,
) -> tuple[Bools, Floats]:
    """For cells where no tag was read: which are covered, and how sure the others are empty.

    `near` says which of these cells are neighbours; `contrast` is that of the tags in the frame;
    `bodies` gives the blocks of these cells that show a piece which stands beside them, and
    `printed` which of them look, on the board itself, like many others. `glowing` cells have
    light under them or beside them: `below` gives how much those vary on the board itself.
    """
    if not len(stack):
        return np.zeros(0, np.bool_), np.zeros(0, np.float32)
    blocks = _blocks(stack)
    level = blocks.mean(axis=1)
    if contrast is None:
        contrast = 0.3 * float(np.median(level))
    if contrast < FAINTEST_CONTRAST:  # too dark to tell anything
        return np.ones(len(stack), np.bool_), np.zeros(len(stack), np.float32)
    unrest = _texture(blocks) / contrast
    restless = np.flatnonzero(unrest >= SMOOTH)
    if 0 < len(restless) <= FEW:
        unrest[restless] = _texture_beside(blocks[restless], bodies(restless)) / contrast
    restless = np.flatnonzero(unrest >= SMOOTH)
    if len(restless):
        unrest[restless[printed(restless, contrast)]] = 0.8 * SMOOTH
    restless = np.flatnonzero((unrest >= SMOOTH) & glowing)
    if len(restless):
        unrest[restless] = below(restless) / contrast * (SMOOTH / SMOOTH_BELOW)
    smooth = unrest < SMOOTH
    # Light from below never comes near that: guides make 190 grey levels at most.
    blown = (blocks >= SATURATED).mean(axis=1) >= GLARE_PART
    covered = ~smooth | blown
    if whole:
        grown = _with_insides(covered, smooth & ~glowing, np.log(level + 4), near, places)
        covered = np.where(glowing, covered, grown)
    sure = np.clip(SUREST_NATS * (1 - unrest / SMOOTH) + 1, 0, SUREST_NATS)
    beside = (near & covered[None, :]).any(axis=1)
    sure = np.where(beside, BESIDE_COVERED * sure, sure)
    return covered, np.where(covered, 0, sure).astype(np.float32)


def _with_insides(
    covered: Bools, smooth: Bools, brightness: Floats, near: Bools, places: Points
) -> Bools:
    """With the smooth cells that are not as bright as empty ones are: by far, as a sleeve may be,
    or by less and beside a covered one, as a palm is."""
    apart = abs(brightness[:, None] - brightness[None, smooth])
    common = max(3.0, COMMON * smooth.sum())
    usual = (apart < ALIKE).sum(axis=1) >= common
    grown = covered | ((apart < FAR_FROM_ALIKE).sum(axis=1) < common)
    if not grown.any():
        return covered
    light, within = _levelled(brightness, places, smooth)
    usual &= (abs(light[:, None] - light[None, smooth]) < within).sum(axis=1) >= common
    while (more := ~grown & ~usual & (near & grown[None, :]).any(axis=1)).any():
        grown |= more
    return np.asarray(grown, np.bool_)


def alike_on_board(blocks: Floats, rows: Ints, contrast: float) -> Bools:
    """Of cells as they are on the board itself: which of these rows look like many others?

    Lines and print do; a hand does not, nor does a piece, which stands above the board.
    """
    level = blocks.mean(axis=1, keepdims=True)
    even, light = blocks - level, np.log(level[:, 0] + 4)
    same = abs(even[rows, None] - even[None]) < SAME_PRINT * contrast
    alike = same.sum(axis=2) > blocks.shape[1] // 2
    alike &= abs(light[rows, None] - light[None]) < 2 * ALIKE
    least = max(FEWEST_PRINTED, PRINTED * len(blocks))
    return np.asarray(alike.sum(axis=1) > least, np.bool_)


def _levelled(brightness: Floats, places: Points, smooth: Bools) -> tuple[Floats, float]:
    """Brightness without what falls off across the board, and how far apart two cells in the
    same light may be."""
    if smooth.sum() < 12:
        return brightness, ALIKE
    x, y = (places - places.mean(axis=0)).T / max(float(np.ptp(places)), 1e-6)
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    weight = np.ones(int(smooth.sum()))
    for _ in range(3):
        fit, *_ = np.linalg.lstsq(
            basis[smooth] * weight[:, None], brightness[smooth] * weight, rcond=None
        )
        off = abs(brightness[smooth] - basis[smooth] @ fit)
        weight = 1 / np.sqrt(np.maximum(off, 0.01))
    within = float(np.clip(5 * np.median(off), LEAST_ALIKE, ALIKE))
    return np.asarray(brightness - basis @ fit, np.float32), within


def _blocks(stack: Stack) -> Floats:
    """The middle of each patch as a few averages: cells x (BLOCKS * BLOCKS)."""
    middle = np.ascontiguousarray(stack[:, EDGE:-EDGE, EDGE:-EDGE])
    cells, side = len(middle), middle.shape[1]
    tall = middle.reshape(cells * side, side)
    small = cv2.resize(tall, (BLOCKS, cells * BLOCKS), interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(cells, -1), np.float32)


def texture(stack: Stack) -> Floats:
    """How much each cell varies in grey levels, beyond light that falls off evenly across it."""
    return _texture(_blocks(stack))


def block_centres_mm(tag_mm: float) -> Points:
    """Where the blocks of a cell are, from its middle."""
    side = (PATCH - 2 * EDGE) / PATCH * PATCH_TAGS * tag_mm
    axis = ((np.arange(BLOCKS) + 0.5) / BLOCKS - 0.5) * side
    x, y = np.meshgrid(axis, axis)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def texture_of_light(blocks: Floats, bodies: Bools) -> Floats:
    """How much cells with light under them vary, beyond what the light makes of an empty one."""
    return _texture_beside(blocks, bodies, _curves())


def _texture_beside(blocks: Floats, bodies: Bools, slopes: Floats | None = None) -> Floats:
    """The same for what is to be seen beside the bodies of other pieces."""
    seen = (~bodies).astype(np.float32)
    enough = seen.mean(axis=1) >= 1 - MOST_HIDDEN
    slopes = _slopes() if slopes is None else slopes
    normal = np.einsum("cb,bi,bj->cij", seen, slopes, slopes) + 1e-6 * np.eye(slopes.shape[1])
    fit = np.linalg.solve(normal, ((blocks * seen) @ slopes)[..., None])[..., 0]
    rest = (blocks - fit @ slopes.T) * seen
    spread = np.sqrt((rest**2).sum(axis=1) / np.maximum(seen.sum(axis=1), 1))
    return np.where(enough, spread, np.inf).astype(np.float32)


@cache
def _slopes() -> Floats:
    """An even light that may fall off to one side, as columns over the blocks."""
    return np.ascontiguousarray(_curves()[:, :3])


@cache
def _curves() -> Floats:
    """The same, and light from below that is brightest or darkest somewhere in the cell."""
    axis = np.arange(BLOCKS) - (BLOCKS - 1) / 2
    x, y = (n.ravel() for n in np.meshgrid(axis, axis))
    basis = np.stack([np.ones(BLOCKS**2), x, y, x * x, x * y, y * y], axis=1)
    return np.asarray(basis / np.linalg.norm(basis, axis=0), np.float32)


def _texture(blocks: Floats) -> Floats:
    rest = blocks - (blocks @ _slopes()) @ _slopes().T
    return np.asarray(rest.std(axis=1), np.float32)
