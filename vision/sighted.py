"""From what was decoded to what is told: sightings, evidence and problems."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import numpy as np
import numpy.typing as npt

from engine.grid import Grid
from vision import decode
from vision.board import PhysicalBoard
from vision.observation import Problem, Sighting, State, Trouble

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]

MOST = 12.0  # nats that one frame may say about one cell
CROOKED_DEGREES, CROOKED_CELLS = 16.0, 0.2


def nearest_heading(grid: Grid, angle: float) -> tuple[int, float]:
    """The heading that an angle is nearest to, and the degrees clockwise off it."""
    headings, off = nearest_headings(grid, np.array([angle], np.float32))
    return int(headings[0]), float(off[0])


def nearest_headings(grid: Grid, angles: Floats) -> tuple[Ints, Floats]:
    along = np.array([grid.degrees(heading) for heading in range(grid.headings)], np.float32)
    off = (angles[:, None] - along + 180) % 360 - 180
    headings = np.abs(off).argmin(axis=1)
    return headings, off[np.arange(len(angles)), headings]


def sightings(
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
        yield Sighting(State.OCCUPIED, tags[best], heading, residual, (x, y), sure)


def evidence(reading: decode.Reading, read: Bools, grid: Grid) -> tuple[Floats, Floats]:
    """Nats for each tag and heading, and for empty, of cells that are not smooth.

    A tag that was read speaks for itself and against all else. Where none was read, tags are
    only weighed against each other: that none fits well may be a hand's doing.
    """
    nats = decode.nats(reading.prints)
    best = nats.max(axis=(1, 2), keepdims=True)
    for_best = np.clip(best - decode.nats(np.array(decode.SCORE, np.float32)), 0, MOST)
    weighed = np.maximum(nats - best, -MOST) + for_best
    cells, tags, _ = weighed.shape
    if grid.headings == 4:
        tagged = weighed
    else:
        tagged = np.full((cells, tags, grid.headings), -MOST, np.float32)
        rows = np.arange(cells)
        for turn in range(4):
            headings, _ = nearest_headings(grid, reading.turn + 90 * turn)
            tagged[rows, :, headings] = weighed[rows, :, turn]
    against_empty = np.where(read, -MOST, 0).astype(np.float32)
    return tagged.astype(np.float32), against_empty


def problems(board: PhysicalBoard, seen: tuple[Sighting, ...]) -> tuple[Problem, ...]:
    """Tags that are there twice, and pieces that stand crooked."""
    grid, most = board.grid, CROOKED_CELLS * board.cell_mm
    where: dict[int, list[int]] = {}
    found = []
    for cell, each in enumerate(seen):
        if each.state is not State.OCCUPIED:
            continue
        where.setdefault(each.tag, []).append(cell)
        off, turned = hypot(*each.offset_mm), each.residual_degrees
        if abs(turned) > CROOKED_DEGREES:
            way = "clockwise" if turned > 0 else "counter-clockwise"
            text = f"{grid.name(cell)}: the piece stands {abs(turned):.0f} degrees {way}"
            found.append(_crooked(text, cell, each.tag))
        elif off > most:
            text = f"{grid.name(cell)}: the piece stands {off:.0f} mm off the middle"
            found.append(_crooked(text, cell, each.tag))
    for tag, cells in where.items():
        if len(cells) > 1:
            names = " and ".join(grid.name(cell) for cell in cells)
            text = f"tag {tag} is seen twice, on {names}: one of them is the wrong piece"
            found.append(Problem(Trouble.DUPLICATE, text, tuple(cells), (tag,)))
    return tuple(found)


def _crooked(text: str, cell: int, tag: int) -> Problem:
    return Problem(Trouble.CROOKED, f"{text}: straighten it", (cell,), (tag,))
