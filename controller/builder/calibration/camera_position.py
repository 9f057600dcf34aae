"""Scores the camera's position and says where to move it, as seen from row 1."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from controller.builder import calibration_sentences as sentences
from controller.builder.calibration.frame import CalibrationFrame, board_outline_px
from controller.builder.calibration.image_quality import (
    MAX_SATURATED_SHARE,
    MIN_WHITE_LEVEL,
    REFERENCE_WIDTH,
    SOFT_PX,
)
from controller.builder.calibration.score import (
    CalibrationFinding,
    CalibrationStep,
    StepScore,
    interpolate_points,
    score_step,
)
from controller.builder.sentences import join_names
from engine.sentences import Sentence
from vision.board import PhysicalBoard
from vision.board_lock import BoardLock
from vision.camera_model import Points
from vision.camera_pose import tag_square
from vision.observation import ProblemKind
from vision.tags import CORNERS

MANY_PIECES = 3  # so many pieces without a corner tag: the camera is too near
DIAGONAL_SHARE = 0.5  # of the longer distance: a shorter one is not worth mentioning
CUT_OFF_POINTS, HIDDEN_POINTS = 40, 60


def score_position(frame: CalibrationFrame) -> StepScore:
    if frame.lock is None:
        return StepScore(CalibrationStep.POSITION, _search_points(frame), _why_not_found(frame))
    filled = _fill_share(frame, frame.lock)
    praise = sentences.POSITION_GOOD(percent=round(100 * filled))
    return score_step(
        CalibrationStep.POSITION, _position_findings(frame, frame.lock, filled), praise
    )


def _position_findings(
    frame: CalibrationFrame, lock: BoardLock, filled: float
) -> Iterator[CalibrationFinding]:
    board = frame.table.board
    outside = [tag for tag in CORNERS if _is_outside(lock, board, tag)]
    if outside:
        yield CalibrationFinding(CUT_OFF_POINTS, _advice_to_fit(board, lock, outside))
    for problem in frame.observation.problems:
        if problem.kind is ProblemKind.CORNER_HIDDEN and not set(problem.tags) & set(outside):
            yield CalibrationFinding(HIDDEN_POINTS, problem.sentence)
    percent = round(100 * filled)
    yield CalibrationFinding(
        interpolate_points(filled, (0.15, 10), (0.45, 75), (0.6, 100)),
        sentences.MOVE_CAMERA_NEARER(percent=percent),
    )
    yield CalibrationFinding(
        interpolate_points(filled, (0.95, 100), (1.0, 60)),
        sentences.MOVE_CAMERA_HIGHER(percent=percent),
    )
    tilt, below = _tilt_degrees(lock), _point_below_camera_mm(lock)
    yield CalibrationFinding(
        interpolate_points(tilt, (20, 100), (30, 75), (45, 30)),
        sentences.CAMERA_TILTED(
            degrees=round(tilt), direction=_direction(board, np.array(board.size_mm) / 2 - below)
        ),
    )


def _search_points(frame: CalibrationFrame) -> int:
    """10 points for each corner tag that is found, so that people see progress."""
    lost = [each for each in frame.observation.problems if each.kind is ProblemKind.NO_BOARD]
    return 10 * len(lost[0].tags) if lost else 0


def _why_not_found(frame: CalibrationFrame) -> Sentence:
    quality = frame.quality
    if quality.white_level < MIN_WHITE_LEVEL:
        return sentences.TOO_DARK_TO_FIND()
    if quality.saturated_share > 10 * MAX_SATURATED_SHARE:
        return sentences.TOO_BRIGHT_TO_FIND()
    blur = (quality.blur_px or 0.0) * REFERENCE_WIDTH / frame.width
    if blur > SOFT_PX:
        return sentences.TOO_BLURRED_TO_FIND()
    if len(frame.tags - set(CORNERS)) >= MANY_PIECES and not frame.tags & set(CORNERS):
        return sentences.NO_CORNER_IN_VIEW()
    for problem in frame.observation.problems:
        return problem.sentence
    return sentences.NO_BOARD_IN_VIEW()


def _fill_share(frame: CalibrationFrame, lock: BoardLock) -> float:
    """The board's share of the image's width or height, whichever is larger."""
    spans = np.ptp(board_outline_px(frame.table, lock), axis=0)
    return float((spans / (lock.camera.width, lock.camera.height)).max())


def _is_outside(lock: BoardLock, board: PhysicalBoard, tag: int) -> bool:
    pixels = lock.camera.project(tag_square(board, tag))
    return bool((pixels < 0).any() or (pixels > (lock.camera.width, lock.camera.height)).any())


def _advice_to_fit(board: PhysicalBoard, lock: BoardLock, outside: list[int]) -> Sentence:
    tags = np.concatenate([lock.camera.project(tag_square(board, tag)) for tag in CORNERS])
    spans = np.ptp(tags, axis=0) / (lock.camera.width, lock.camera.height)
    if spans.max() > 1:
        return sentences.BOARD_TOO_LARGE()
    corners = board.corner_tags_mm()[[CORNERS.index(tag) for tag in outside]]
    direction = _direction(board, corners.mean(axis=0) - np.array(board.size_mm) / 2)
    near = dict(zip(CORNERS, board.corner_cells(), strict=True))
    names = join_names([near[tag] for tag in outside])
    return sentences.BOARD_CUT_OFF(corners=names, direction=direction)


def _direction(board: PhysicalBoard, shift_mm: Points) -> Sentence:
    """A shift over the board in words, for a person who stands at row 1."""
    right, down = (float(n) for n in shift_mm)
    across = sentences.TO_THE_RIGHT() if right > 0 else sentences.TO_THE_LEFT()
    far, near = (
        "".join(filter(str.isdigit, board.corner_cells()[index])) or name
        for index, name in ((0, "far"), (3, "near"))
    )
    along = sentences.TOWARDS_ROW(row=near if down > 0 else far)
    if abs(right) < DIAGONAL_SHARE * abs(down):
        directions = along
    elif abs(down) < DIAGONAL_SHARE * abs(right):
        directions = across
    else:
        directions = sentences.RIGHT_OR_LEFT_AND_ROW(across=across, along=along)
    return sentences.DIRECTION(directions=directions)


def _rotation_matrix(lock: BoardLock) -> Points:
    matrix, _ = cv2.Rodrigues(np.array(lock.camera.rotation))
    return np.asarray(matrix, np.float64)


def _tilt_degrees(lock: BoardLock) -> float:
    """Angle between the optical axis and straight down."""
    return float(np.degrees(np.arccos(np.clip(_rotation_matrix(lock)[2, 2], -1, 1))))


def _point_below_camera_mm(lock: BoardLock) -> Points:
    """The point of the board's plane straight below the camera."""
    return np.asarray((-_rotation_matrix(lock).T @ np.array(lock.camera.translation_mm))[:2])
