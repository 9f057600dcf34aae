"""Decodes tags from cell patches: where a cap stands in its cell, and which tag it has.

In: a stack of patches (`vision.cell_patches`). Out: a `Reading` with one row per patch. Each step
processes all cells together: a Python loop over cells would take longer than the arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.tags import TAGS
from vision.templates import (
    BLURS,
    COARSE,
    FLATTEN_TAGS,
    PATCH,
    PRINT,
    Floats,
    OutlinePatterns,
    blurred_print_patterns,
    flatten,
    normalise,
    outline_patterns,
    print_grid,
    print_patterns,
)

Stack = npt.NDArray[np.uint8]  # cells x PATCH x PATCH
Flat = npt.NDArray[np.uint8]  # the patches stacked vertically, with local contrast normalised
Ints = npt.NDArray[np.intp]

PATCH_TAGS = 1.85  # width of a patch in tags, with room for a badly placed cap
REACH_TAGS = 0.26  # search radius around the centre of a cell, in tags
WIDE_REACH_TAGS = 0.42  # search radius of the second attempt
FLATTEN = round(FLATTEN_TAGS * PATCH / PATCH_TAGS)  # samples
FAINT_LEVELS = 8.0  # grey levels: a spread this small is noise
GUESSES = 2  # outlines to try before the tag is known
FAINT_OUTLINE = 0.33  # lower correlation with every outline: no tag
CLIMB_TAGS, CLIMB_DEGREES = 0.04, 4.0  # steps of the pose refinement
MAX_STEP = 1.5  # how far one refinement moves a pose, in those steps
FAINT_PRINT = 0.40  # lower correlation with every print at a rough pose: no tag
MIN_SCORE, MIN_MARGIN_NATS = 0.60, 7.0  # correlation and nats from which a tag counts as read
INDEPENDENT_SAMPLES = 40.0  # effective number of samples in a print: neighbours are correlated


@dataclass(frozen=True, slots=True)
class Reading:
    """The decoded tag of each cell of a stack; rows of cells without an outline are zero."""

    score: Floats  # correlation with the best print
    margin: Floats  # nats by which the best print explains the patch better than any other
    best: Ints  # index of the tag
    pose: Floats  # dx, dy in millimetres, clockwise degrees in 0..360
    base_degrees: Floats  # angle before the quarter turns of the best print
    prints: Floats  # cells x tags x 4: correlation with every tag in every quarter turn
    foreign: Floats  # best correlation with a tag that is not in play
    outline: Floats  # correlation with the best outline

    def merge(self, cells: Ints, other: Reading) -> None:
        """Take over the cells in which another reading accepted a tag."""
        better = other.accepted_mask()
        for each in fields(self):
            getattr(self, each.name)[cells[better]] = getattr(other, each.name)[better]

    def accepted_mask(self) -> npt.NDArray[np.bool_]:
        """Cells whose tag fits well, and much better than any other tag."""
        sure = (self.score >= MIN_SCORE) & (self.margin >= MIN_MARGIN_NATS)
        return np.asarray(sure & (self.foreign <= self.score), np.bool_)


def read_tags(
    stack: Stack,
    tags: tuple[int, ...],
    tag_mm: float,
    cap_mm: float,
    reach_degrees: float,
    reach_tags: float = REACH_TAGS,
) -> Reading:
    """Read the tag of each cap within reach of its cell's centre and of upright."""
    known = outline_patterns(
        tag_mm, cap_mm, PATCH_TAGS * tag_mm, reach_tags * tag_mm, reach_degrees
    )
    fits = _outline_fits(stack, known)
    outline = fits.max(axis=1)
    cells = np.flatnonzero(outline > FAINT_OUTLINE)
    result = _empty_reading(len(stack), len(tags), outline)
    if not len(cells):
        return result

    tall = _flat(stack[cells])
    fits = fits[cells]
    likely = np.arange(len(cells))
    order = np.argpartition(-fits, GUESSES, axis=1)[:, :GUESSES]
    poses = known.poses[order].reshape(-1, 3)
    samples = _sample_prints(tall, np.repeat(likely, GUESSES), poses, tag_mm)
    marks = print_patterns(tags)
    sharp = marks[: len(BLURS)].reshape(-1, PRINT * PRINT)
    scores = samples @ sharp.T
    tops = scores.max(axis=1).reshape(-1, GUESSES)
    chosen = tops.argmax(axis=1) + np.arange(len(likely)) * GUESSES
    chosen = chosen[tops.max(axis=1) > FAINT_PRINT]
    likely, poses = likely[chosen // GUESSES], poses[chosen]
    if not len(likely):
        return result
    pattern = sharp[scores[chosen].argmax(axis=1)]
    poses = _refine_poses(
        tall, likely, poses, pattern, tag_mm, (CLIMB_TAGS * tag_mm, CLIMB_DEGREES)
    )
    samples = _sample_prints(tall, likely, poses, tag_mm)
    every = samples @ marks.reshape(-1, PRINT * PRINT).T
    scores = every.reshape(len(likely), -1, len(tags), 4).max(axis=1)
    _decide(result, cells[likely], scores, poses)
    result.foreign[cells[likely]] = (samples @ _foreign_prints(tags).T).max(axis=1)
    return result


def _flat(stack: Stack) -> Flat:
    """The patches stacked vertically, with local contrast normalised."""
    flat = flatten(stack.reshape(-1, PATCH), FLATTEN, FAINT_LEVELS)
    flat *= 60
    flat += 128
    return np.asarray(cv2.convertScaleAbs(np.maximum(flat, 0, out=flat)), np.uint8)


def _outline_fits(stack: Stack, known: OutlinePatterns) -> Floats:
    """Correlation of each cell with each outline."""
    tall = stack.reshape(-1, PATCH)
    coarse = cv2.resize(tall, (COARSE, len(stack) * COARSE), interpolation=cv2.INTER_AREA)
    flat = flatten(np.asarray(coarse, np.uint8), FLATTEN // 2 | 1, FAINT_LEVELS)
    return np.asarray(normalise(flat.reshape(len(stack), -1)) @ known.patterns.T, np.float32)


def to_nats(correlation: Floats) -> Floats:
    """The log-likelihood of a pattern whose gain, offset and noise are unknown."""
    return np.asarray(
        -INDEPENDENT_SAMPLES / 2 * np.log1p(-(np.clip(correlation, 0, 0.999) ** 2)), np.float32
    )


def _decide(result: Reading, cells: Ints, scores: Floats, poses: Floats) -> None:
    flat = scores.reshape(len(cells), -1)
    rows = np.arange(len(cells))
    best = flat.argmax(axis=1)
    top = flat[rows, best]
    rest = flat.copy()
    rest[rows, best] = -1
    result.score[cells] = top
    result.margin[cells] = to_nats(top) - to_nats(rest.max(axis=1))
    result.best[cells] = best // 4
    result.pose[cells] = poses
    result.base_degrees[cells] = poses[:, 2]
    result.pose[cells, 2] = (poses[:, 2] + 90 * (best % 4)) % 360
    result.prints[cells] = scores


def prepare(tags: tuple[int, ...]) -> None:
    """Draw and cache all prints, so that the first frame does not wait for them."""
    print_patterns(tags)
    _foreign_prints(tags)


@cache
def _foreign_prints(tags: tuple[int, ...]) -> Floats:
    """Patterns of all tags that are not in play, at every blur."""
    foreign = tuple(tag for tag in TAGS if tag not in tags)
    return np.ascontiguousarray(blurred_print_patterns(foreign).reshape(-1, PRINT * PRINT))


def _empty_reading(cells: int, tags: int, outline: Floats) -> Reading:
    zeros = np.zeros(cells, np.float32)
    return Reading(
        zeros.copy(),
        zeros.copy(),
        np.zeros(cells, np.intp),
        np.zeros((cells, 3), np.float32),
        zeros.copy(),
        np.zeros((cells, tags, 4), np.float32),
        zeros.copy(),
        outline,
    )


def _sample_prints(tall: Flat, owners: Ints, poses: Floats, tag_mm: float) -> Floats:
    """Sample the prints at these poses, normalised."""
    per_mm = np.float32(PATCH / (PATCH_TAGS * tag_mm))
    turn = np.radians(poses[:, 2:3])
    across, down = np.cos(turn) * per_mm, np.sin(turn) * per_mm
    u, v = print_grid(tag_mm).T
    middle = poses[:, :2] * per_mm + np.float32(PATCH / 2 - 0.5)
    x = across * u - down * v + middle[:, :1]
    y = down * u + across * v + middle[:, 1:]
    np.clip(y, 0, PATCH - 1, out=y)
    y += (owners * PATCH)[:, None].astype(np.float32)
    seen = cv2.remap(tall, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return normalise(seen.astype(np.float32))


def _refine_poses(
    tall: Flat,
    owners: Ints,
    poses: Floats,
    pattern: Floats,
    tag_mm: float,
    steps: tuple[float, float],
) -> Floats:
    """Move each pose to the vertex of the parabola through its neighbours, per coordinate.

    A pose whose vertex was out of reach is far from its optimum: it is refined a second time.
    """
    refined, at_limit = _parabola_step(tall, owners, poses, pattern, tag_mm, steps)
    if at_limit.any():
        refined[at_limit] = _parabola_step(
            tall, owners[at_limit], refined[at_limit], pattern[at_limit], tag_mm, steps
        )[0]
    return refined


def _parabola_step(
    tall: Flat,
    owners: Ints,
    poses: Floats,
    pattern: Floats,
    tag_mm: float,
    steps: tuple[float, float],
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The poses after one step, and which of them went as far as a step may go."""
    sizes = np.array([steps[0], steps[0], steps[1]], np.float32)
    ways = np.concatenate([np.zeros((1, 3), np.float32), np.diag(sizes), -np.diag(sizes)])
    around = (poses[:, None] + ways).reshape(-1, 3)
    samples = _sample_prints(tall, np.repeat(owners, len(ways)), around, tag_mm)
    fit = np.einsum("nks,ns->nk", samples.reshape(len(owners), len(ways), -1), pattern)
    here, after, before = fit[:, :1], fit[:, 1:4], fit[:, 4:]
    bend = before - 2 * here + after
    top = 0.5 * (before - after) / np.minimum(bend, -1e-6)
    shift = np.where(bend < 0, top, np.sign(after - before))
    moved = np.asarray(poses + np.clip(shift, -MAX_STEP, MAX_STEP) * sizes, np.float32)
    return moved, (np.abs(shift) >= MAX_STEP).any(axis=1)
