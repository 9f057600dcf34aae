"""Converts a `Reading` into the `Sighting`s, `Evidence` and `Problem`s of an `Observation`."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import numpy as np
import numpy.typing as npt

from engine.grid import Grid
from engine.sentences import joined
from vision import decode, sentences
from vision.board import PhysicalBoard
from vision.observation import CellState, Problem, ProblemKind, Sighting

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]

MAX_NATS = 12.0  # limit on the evidence of one frame about one cell
CROOKED_DEGREES, CROOKED_CELLS = 16.0, 0.2


def nearest_heading(grid: Grid, angle: float) -> tuple[int, float]:
    """The heading nearest to an angle, and the remaining degrees clockwise."""
    headings, off = nearest_headings(grid, np.array([angle], np.float32))
    return int(headings[0]), float(off[0])


def nearest_headings(grid: Grid, angles: Floats) -> tuple[Ints, Floats]:
    along = np.array([grid.degrees(heading) for heading in range(grid.headings)], np.float32)
    off = (angles[:, None] - along + 180) % 360 - 180
    headings = np.abs(off).argmin(axis=1)
    return headings, off[np.arange(len(angles)), headings]


def make_sightings(
    reading: decode.Reading, read: Bools, grid: Grid, tags: tuple[int, ...]
) -> Iterator[Sighting]:
    headings, off = nearest_headings(grid, reading.pose[read, 2])
    places = reading.pose[read, :2].astype(np.float64).round(1).tolist()
    confidence = (1 - np.exp(-reading.margin[read].astype(np.float64) / 4)).round(3).tolist()
    rows = zip(
        reading.best[read].tolist(),
        headings.tolist(),
        off.astype(np.float64).round(1).tolist(),
        places,
        confidence,
        strict=True,
    )
    for best, heading, residual, (x, y), sure in rows:
        yield Sighting(CellState.OCCUPIED, tags[best], heading, residual, (x, y), sure)


def make_evidence(reading: decode.Reading, read: Bools, grid: Grid) -> tuple[Floats, Floats]:
    """Nats for each tag and heading, and for empty, of cells that are not smooth.

    A tag that was read counts against everything else. Where no tag was read, tags are only
    compared with each other: a poor fit of all of them may be caused by a hand.
    """
    nats = decode.to_nats(reading.prints)
    best = nats.max(axis=(1, 2), keepdims=True)
    for_best = np.clip(best - decode.to_nats(np.array(decode.MIN_SCORE, np.float32)), 0, MAX_NATS)
    weighted = np.maximum(nats - best, -MAX_NATS) + for_best
    cells, tags, _ = weighted.shape
    if grid.headings == 4:
        tagged = weighted
    else:
        tagged = np.full((cells, tags, grid.headings), -MAX_NATS, np.float32)
        rows = np.arange(cells)
        for turn in range(4):
            headings, _ = nearest_headings(grid, reading.base_degrees + 90 * turn)
            tagged[rows, :, headings] = weighted[rows, :, turn]
    against_empty = np.where(read, -MAX_NATS, 0).astype(np.float32)
    return tagged.astype(np.float32), against_empty


def find_problems(board: PhysicalBoard, seen: tuple[Sighting, ...]) -> tuple[Problem, ...]:
    """Problems for duplicate tags and crooked pieces."""
    grid, most = board.grid, CROOKED_CELLS * board.cell_mm
    where: dict[int, list[int]] = {}
    found = []
    for cell, each in enumerate(seen):
        if each.state is not CellState.OCCUPIED:
            continue
        where.setdefault(each.tag, []).append(cell)
        off, turned = hypot(*each.offset_mm), each.residual_degrees
        if abs(turned) > CROOKED_DEGREES:
            way = sentences.PIECE_CLOCKWISE if turned > 0 else sentences.PIECE_COUNTER_CLOCKWISE
            sentence = way(cell=grid.name(cell), degrees=round(abs(turned)))
            found.append(Problem(ProblemKind.CROOKED, sentence, (cell,), (each.tag,)))
        elif off > most:
            sentence = sentences.PIECE_OFF_CENTRE(cell=grid.name(cell), mm=round(off))
            found.append(Problem(ProblemKind.CROOKED, sentence, (cell,), (each.tag,)))
    for tag, cells in where.items():
        if len(cells) > 1:
            names = joined((grid.name(cell) for cell in cells), " and ")
            sentence = sentences.DUPLICATE_TAG(tag=tag, cells=names)
            found.append(Problem(ProblemKind.DUPLICATE, sentence, tuple(cells), (tag,)))
    return tuple(found)
