"""From cut-out cells to tags: where a cap stands in its cell, and which tag is on it.

Input is a stack of patches as `vision.cut` makes them; all cells go through each step together,
because a Python loop over cells would take longer than the arithmetic.
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
    Outlines,
    blurred_prints,
    flattened,
    normalised,
    outlines,
    print_grid,
    prints,
)

Stack = npt.NDArray[np.uint8]  # cells x PATCH x PATCH
Flat = npt.NDArray[np.uint8]  # the same one below the other, each point against what is around
Ints = npt.NDArray[np.intp]

PATCH_TAGS = 1.85  # a patch's width in tags: room for a cap put down badly
REACH_TAGS = 0.26  # how far from the middle of its cell a cap is looked for, in tags
WIDE_REACH_TAGS = 0.42  # and where something is that was not read at first
FLATTEN = round(FLATTEN_TAGS * PATCH / PATCH_TAGS)  # samples
FAINT_LEVELS = 8.0  # grey levels: a spread of this much is no more than noise
GUESSES = 2  # outlines that are tried before the tag is known
FAINT_OUTLINE = 0.33  # correlation with the best outline below which a cell holds no tag
CLIMB_TAGS, CLIMB_DEGREES = 0.04, 4.0  # how far around a guess it is tried again
FAINT_PRINT = 0.40  # correlation with the best print, roughly placed, below which it holds none
SCORE, MARGIN = 0.60, 7.0  # correlation; nats: from these on a tag counts as read
INDEPENDENT = 40.0  # samples of a print that are worth one each: neighbours say much the same


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in each cell of a stack; rows of cells without an outline are zero."""

    score: Floats  # correlation with the best print
    margin: Floats  # in nats: how much better that explains the patch than any other print
    best: Ints  # index of the tag
    pose: Floats  # dx, dy in millimetres, clockwise degrees in 0..360
    turn: Floats  # degrees, before the quarter turn that the best print adds
    prints: Floats  # cells x tags x 4: correlation with every tag in every quarter turn
    foreign: Floats  # correlation with the best print of a tag that is not in play
    outline: Floats  # correlation with the best outline

    def take(self, cells: Ints, other: Reading) -> None:
        """Put in what another reading says of these cells, where it read a tag."""
        better = other.accepted()
        for each in fields(self):
            getattr(self, each.name)[cells[better]] = getattr(other, each.name)[better]

    def accepted(self) -> npt.NDArray[np.bool_]:
        """The cells whose tag explains what is seen, and much better than any other would."""
        sure = (self.score >= SCORE) & (self.margin >= MARGIN)
        return np.asarray(sure & (self.foreign <= self.score), np.bool_)


def read(
    stack: Stack,
    tags: tuple[int, ...],
    tag_mm: float,
    cap_mm: float,
    reach_degrees: float,
    reach_tags: float = REACH_TAGS,
) -> Reading:
    """The tag on each cap that is within reach of its cell's middle and of upright."""
    known = outlines(tag_mm, cap_mm, PATCH_TAGS * tag_mm, reach_tags * tag_mm, reach_degrees)
    fits = _outline_fits(stack, known)
    outline = fits.max(axis=1)
    cells = np.flatnonzero(outline > FAINT_OUTLINE)
    result = _nothing(len(stack), len(tags), outline)
    if not len(cells):
        return result

    tall = _flat(stack[cells])
    fits = fits[cells]
    likely = np.arange(len(cells))
    order = np.argpartition(-fits, GUESSES, axis=1)[:, :GUESSES]
    poses = known.poses[order].reshape(-1, 3)
    samples = _sampled(tall, np.repeat(likely, GUESSES), poses, tag_mm)
    marks = prints(tags)
    sharp = marks[: len(BLURS)].reshape(-1, PRINT * PRINT)
    scores = samples @ sharp.T
    tops = scores.max(axis=1).reshape(-1, GUESSES)
    chosen = tops.argmax(axis=1) + np.arange(len(likely)) * GUESSES
    chosen = chosen[tops.max(axis=1) > FAINT_PRINT]
    likely, poses = likely[chosen // GUESSES], poses[chosen]
    if not len(likely):
        return result
    pattern = sharp[scores[chosen].argmax(axis=1)]
    poses = _climbed(tall, likely, poses, pattern, tag_mm, (CLIMB_TAGS * tag_mm, CLIMB_DEGREES))
    samples = _sampled(tall, likely, poses, tag_mm)
    every = samples @ marks.reshape(-1, PRINT * PRINT).T
    scores = every.reshape(len(likely), -1, len(tags), 4).max(axis=1)
    _decide(result, cells[likely], scores, poses)
    result.foreign[cells[likely]] = (samples @ _foreign_prints(tags).T).max(axis=1)
    return result


def _flat(stack: Stack) -> Flat:
    """The patches one below the other, each point against what is around it."""
    flat = flattened(stack.reshape(-1, PATCH), FLATTEN, FAINT_LEVELS)
    flat *= 60
    flat += 128
    return np.asarray(cv2.convertScaleAbs(np.maximum(flat, 0, out=flat)), np.uint8)


def _outline_fits(stack: Stack, known: Outlines) -> Floats:
    """How well each cell fits each outline."""
    tall = stack.reshape(-1, PATCH)
    coarse = cv2.resize(tall, (COARSE, len(stack) * COARSE), interpolation=cv2.INTER_AREA)
    flat = flattened(np.asarray(coarse, np.uint8), FLATTEN // 2 | 1, FAINT_LEVELS)
    return np.asarray(normalised(flat.reshape(len(stack), -1)) @ known.patterns.T, np.float32)


def nats(correlation: Floats) -> Floats:
    """The log-likelihood of a pattern whose gain, offset and noise are unknown."""
    return np.asarray(
        -INDEPENDENT / 2 * np.log1p(-(np.clip(correlation, 0, 0.999) ** 2)), np.float32
    )


def _decide(result: Reading, cells: Ints, scores: Floats, poses: Floats) -> None:
    flat = scores.reshape(len(cells), -1)
    rows = np.arange(len(cells))
    best = flat.argmax(axis=1)
    top = flat[rows, best]
    rest = flat.copy()
    rest[rows, best] = -1
    result.score[cells] = top
    result.margin[cells] = nats(top) - nats(rest.max(axis=1))
    result.best[cells] = best // 4
    result.pose[cells] = poses
    result.turn[cells] = poses[:, 2]
    result.pose[cells, 2] = (poses[:, 2] + 90 * (best % 4)) % 360
    result.prints[cells] = scores


def prepare(tags: tuple[int, ...]) -> None:
    """Draw all prints now: the first frame need not wait for them."""
    prints(tags)
    _foreign_prints(tags)


@cache
def _foreign_prints(tags: tuple[int, ...]) -> Floats:
    """Patterns of all the tags that are not in play, seen more or less sharply."""
    foreign = tuple(tag for tag in TAGS if tag not in tags)
    return np.ascontiguousarray(blurred_prints(foreign).reshape(-1, PRINT * PRINT))


def _nothing(cells: int, tags: int, outline: Floats) -> Reading:
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


def _sampled(tall: Flat, owners: Ints, poses: Floats, tag_mm: float) -> Floats:
    """The prints that would be seen with those poses, normalised."""
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
    return normalised(seen.astype(np.float32))


def _climbed(
    tall: Flat,
    owners: Ints,
    poses: Floats,
    pattern: Floats,
    tag_mm: float,
    steps: tuple[float, float],
) -> Floats:
    """Poses moved to the top of the parabola through their neighbours, each way by itself."""
    sizes = np.array([steps[0], steps[0], steps[1]], np.float32)
    ways = np.concatenate([np.zeros((1, 3), np.float32), np.diag(sizes), -np.diag(sizes)])
    around = (poses[:, None] + ways).reshape(-1, 3)
    samples = _sampled(tall, np.repeat(owners, len(ways)), around, tag_mm)
    fit = np.einsum("nks,ns->nk", samples.reshape(len(owners), len(ways), -1), pattern)
    here, after, before = fit[:, :1], fit[:, 1:4], fit[:, 4:]
    bend = before - 2 * here + after
    top = 0.5 * (before - after) / np.minimum(bend, -1e-6)
    shift = np.where(bend < 0, top, np.sign(after - before))
    return np.asarray(poses + np.clip(shift, -1.5, 1.5) * sizes, np.float32)
