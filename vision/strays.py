"""Tags that are not where they belong: between cells, beside the board, or of another game.

Searches the whole frame, which is slow: for a picture that is looked at once, and for a board
that does not come right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import cv2
import numpy as np

from vision.board import PhysicalBoard
from vision.observation import Observation, Problem, State, Trouble
from vision.pose import Found
from vision.sighted import nearest_heading
from vision.tags import CORNERS
from vision.view import Points, View

IN_CELL = 0.32  # of a cell: a cap this near the middle stands on it
BESIDE = 0.75  # of a cell: farther than this from every middle is off the board
NEAR_FRAME = 0.45  # of a cell: how near a reading must be to be the same thing


def strays(
    found: Found,
    board: PhysicalBoard,
    view: View,
    seen: Observation,
    in_play: Collection[int],
    described: Callable[[int], str],
) -> Iterator[Problem]:
    """A problem for every tag of the frame that no cell's sighting accounts for."""
    to_board = np.linalg.inv(view.homography(board.cap_height_mm))
    for tag in sorted(found.quads.keys() - set(CORNERS)):
        for quad in found.quads[tag]:
            corners = cv2.perspectiveTransform(quad.reshape(1, -1, 2), to_board).reshape(-1, 2)
            problem = _judged(
                tag, np.asarray(corners, np.float64), board, seen, in_play, described(tag)
            )
            if problem is not None:
                yield problem


def _judged(
    tag: int,
    corners: Points,
    board: PhysicalBoard,
    seen: Observation,
    in_play: Collection[int],
    what: str,
) -> Problem | None:
    centre = corners.mean(axis=0)
    away = np.hypot(*(board.centres_mm() - centre).T) / board.cell_mm
    nearest = [int(cell) for cell in np.argsort(away)[:2]]
    cell, name = nearest[0], board.grid.name(nearest[0])
    sighting = seen.sightings[cell]
    if away[cell] > BESIDE:
        text = f"{what} lies beside the board, near {name}"
        return Problem(Trouble.OFF_BOARD, text, (cell,), (tag,))
    if tag not in in_play:
        return Problem(Trouble.FOREIGN, f"{name}: {what}: take it off", (cell,), (tag,))
    if sighting.state is State.OCCUPIED and sighting.tag == tag:
        return None
    if away[cell] > IN_CELL:
        other = board.grid.name(nearest[1])
        text = f"{what} stands between {name} and {other}: put it in the middle of one"
        return Problem(Trouble.BETWEEN, text, tuple(nearest), (tag,))
    up = corners[0] + corners[1] - corners[2] - corners[3]
    _, off = nearest_heading(board.grid, float(np.degrees(np.arctan2(up[0], -up[1]))))
    text = f"{name}: {what} stands {abs(off):.0f} degrees askew: straighten it"
    return Problem(Trouble.CROOKED, text, (cell,), (tag,))
