"""Tags that are not where they belong: between cells, beside the board, or of another game.

Searches the whole frame, which is slow: for a picture that is looked at once, and for a board
that does not come right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import numpy as np

from vision.board import PhysicalBoard
from vision.observation import Observation, Problem, State, Trouble
from vision.pose import Found
from vision.sighted import CROOKED_CELLS, CROOKED_DEGREES, nearest_heading
from vision.tags import CORNERS
from vision.view import Points, View

IN_CELL = 0.32  # of a cell: a cap this near the middle stands on it
TOWARDS = 0.2  # of a cell: and one that is this far on the way to the next is between the two
BESIDE = 0.25  # of a cell: with its middle farther out than this a cap is off the board
SAME = 0.45  # of a cell: how near a reading must be to be the same thing


def strays(
    found: Found,
    board: PhysicalBoard,
    view: View,
    seen: Observation,
    in_play: Collection[int],
    described: Callable[[int], str],
) -> Iterator[Problem]:
    """A problem for every tag of the frame that no cell's sighting accounts for."""
    for tag in sorted(found.quads.keys() - set(CORNERS)):
        for quad in found.quads[tag]:
            corners = view.on_board(quad, board.cap_height_mm)
            if not _accounted_for(tag, corners.mean(axis=0), board, seen):
                yield _judged(tag, corners, board, in_play, described(tag))


def _accounted_for(tag: int, centre: Points, board: PhysicalBoard, seen: Observation) -> bool:
    return any(
        each.state is State.OCCUPIED
        and each.tag == tag
        and np.hypot(*(np.array(board.centre_mm(cell)) + each.offset_mm - centre))
        < SAME * board.cell_mm
        for cell, each in enumerate(seen.sightings)
    )


def _judged(
    tag: int, corners: Points, board: PhysicalBoard, in_play: Collection[int], what: str
) -> Problem:
    centre = corners.mean(axis=0)
    away = np.hypot(*(board.centres_mm() - centre).T) / board.cell_mm
    cell, second = (int(each) for each in np.argsort(away)[:2])
    name = board.grid.name(cell)
    beyond = _beyond(board, cell, centre)
    if beyond > BESIDE:
        text = f"{what} lies beside the board, near {name}"
        return Problem(Trouble.OFF_BOARD, text, (cell,), (tag,))
    if tag not in in_play:
        return Problem(Trouble.FOREIGN, f"{name}: {what}: take it off", (cell,), (tag,))
    if beyond > 0:
        text = f"{what} stands on the edge of the board at {name}: put it in the middle of a cell"
        return Problem(Trouble.OFF_BOARD, text, (cell,), (tag,))
    if away[cell] > IN_CELL and _towards(board, cell, second, centre) > TOWARDS:
        other = board.grid.name(second)
        text = f"{what} stands between {name} and {other}: put it in the middle of one"
        return Problem(Trouble.BETWEEN, text, (cell, second), (tag,))
    up = corners[0] + corners[1] - corners[2] - corners[3]
    _, off = nearest_heading(board.grid, float(np.degrees(np.arctan2(up[0], -up[1]))))
    if abs(off) > CROOKED_DEGREES:
        text = f"{name}: {what} stands {abs(off):.0f} degrees askew: straighten it"
    elif away[cell] > CROOKED_CELLS:
        far_mm = away[cell] * board.cell_mm
        text = f"{name}: {what} stands {far_mm:.0f} mm off the middle: straighten it"
    else:
        text = f"{name}: {what} is there, but hard to read: free it of hands, shadow and glare"
    return Problem(Trouble.CROOKED, text, (cell,), (tag,))


def _towards(board: PhysicalBoard, cell: int, other: int, at: Points) -> float:
    """How far a point is from one cell on the way to another, in cells."""
    start, end = (np.array(board.centre_mm(each)) for each in (cell, other))
    return float((at - start) @ (end - start) / np.linalg.norm(end - start) / board.cell_mm)


def _beyond(board: PhysicalBoard, cell: int, at: Points) -> float:
    """How far a point is beyond the edge of the cell nearest to it, in cells: off the board."""
    grid = board.grid
    angles = np.radians([grid.degrees(heading) for heading in range(grid.headings)])
    outward = np.stack([np.sin(angles), -np.cos(angles)])
    away = (at - np.array(board.centre_mm(cell))) / board.cell_mm
    return float((away @ outward).max()) - 0.5
