"""Finds tags in wrong places: between cells, beside the board, or of another game.

Searches the whole frame, which is slow. Used for single images, and when a board does not settle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import numpy as np

from engine.sentences import Sentence
from vision import sentences
from vision.board import PhysicalBoard
from vision.board_lock import DetectedTags
from vision.camera_model import CameraModel, Points
from vision.cell_evidence import CROOKED_CELLS, CROOKED_DEGREES, nearest_heading
from vision.observation import CellState, Observation, Problem, ProblemKind
from vision.tags import CORNERS

ON_CELL_RADIUS_CELLS = 0.32  # a cap this near the centre stands on the cell
BETWEEN_OFFSET_CELLS = 0.2  # a cap this far towards the next cell is between the two
OFF_BOARD_CELLS = 0.25  # a cap whose centre is farther out is off the board
SAME_PIECE_CELLS = 0.45  # readings this near are the same piece


def find_stray_tags(
    found: DetectedTags,
    board: PhysicalBoard,
    camera: CameraModel,
    seen: Observation,
    in_play: Collection[int],
    describe: Callable[[int], Sentence],
) -> Iterator[Problem]:
    """Yield a problem for every tag in the frame that no sighting explains."""
    for tag in sorted(found.quads.keys() - set(CORNERS)):
        for quad in found.quads[tag]:
            corners = camera.unproject(quad, board.cap_height_mm)
            if not _is_accounted_for(tag, corners.mean(axis=0), board, seen):
                yield _describe_stray(tag, corners, board, in_play, describe(tag))


def _is_accounted_for(tag: int, centre: Points, board: PhysicalBoard, seen: Observation) -> bool:
    return any(
        each.state is CellState.OCCUPIED
        and each.tag == tag
        and np.hypot(*(np.array(board.centre_mm(cell)) + each.offset_mm - centre))
        < SAME_PIECE_CELLS * board.cell_mm
        for cell, each in enumerate(seen.sightings)
    )


def _describe_stray(
    tag: int, corners: Points, board: PhysicalBoard, in_play: Collection[int], what: Sentence
) -> Problem:
    centre = corners.mean(axis=0)
    away = np.hypot(*(board.centres_mm() - centre).T) / board.cell_mm
    cell, second = (int(each) for each in np.argsort(away)[:2])
    name = board.grid.name(cell)
    beyond = _beyond(board, cell, centre)
    if beyond > OFF_BOARD_CELLS:
        sentence = sentences.BESIDE_BOARD(tag=what, cell=name)
        return Problem(ProblemKind.OFF_BOARD, sentence, (cell,), (tag,))
    if tag not in in_play:
        sentence = sentences.FOREIGN_TAG(cell=name, tag=what)
        return Problem(ProblemKind.FOREIGN, sentence, (cell,), (tag,))
    if beyond > 0:
        sentence = sentences.ON_EDGE(tag=what, cell=name)
        return Problem(ProblemKind.OFF_BOARD, sentence, (cell,), (tag,))
    if (
        away[cell] > ON_CELL_RADIUS_CELLS
        and _towards(board, cell, second, centre) > BETWEEN_OFFSET_CELLS
    ):
        sentence = sentences.BETWEEN_CELLS(tag=what, cell=name, other=board.grid.name(second))
        return Problem(ProblemKind.BETWEEN, sentence, (cell, second), (tag,))
    up = corners[0] + corners[1] - corners[2] - corners[3]
    _, off = nearest_heading(board.grid, float(np.degrees(np.arctan2(up[0], -up[1]))))
    if abs(off) > CROOKED_DEGREES:
        sentence = sentences.ASKEW(cell=name, tag=what, degrees=round(abs(off)))
    elif away[cell] > CROOKED_CELLS:
        off_mm = round(float(away[cell]) * board.cell_mm)
        sentence = sentences.OFF_CENTRE(cell=name, tag=what, mm=off_mm)
    else:
        sentence = sentences.HARD_TO_READ(cell=name, tag=what)
    return Problem(ProblemKind.CROOKED, sentence, (cell,), (tag,))


def _towards(board: PhysicalBoard, cell: int, other: int, at: Points) -> float:
    """Distance of a point from one cell in the direction of another, in cells."""
    start, end = (np.array(board.centre_mm(each)) for each in (cell, other))
    return float((at - start) @ (end - start) / np.linalg.norm(end - start) / board.cell_mm)


def _beyond(board: PhysicalBoard, cell: int, at: Points) -> float:
    """Distance of a point beyond the edge of its nearest cell, in cells."""
    grid = board.grid
    angles = np.radians([grid.degrees(heading) for heading in range(grid.headings)])
    outward = np.stack([np.sin(angles), -np.cos(angles)])
    away = (at - np.array(board.centre_mm(cell))) / board.cell_mm
    return float((away @ outward).max()) - 0.5
