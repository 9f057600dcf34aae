"""Analyses one image for calibration: board position, pieces, light and sharpness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.builder.calibration.illumination import CellLight, measure_cell_light
from controller.builder.calibration.image_quality import ImageQuality, measure_quality
from controller.ports.devices import Pixels
from controller.session.board_fit import FittedBoard
from vision.board_lock import BoardLock, detect_tags
from vision.camera_model import Points
from vision.observation import Observation, ProblemKind
from vision.reader import Reader

CORNER_TROUBLES = (ProblemKind.NO_BOARD, ProblemKind.CORNER_HIDDEN, ProblemKind.POSE_UNSURE)
MIN_BOARD_SIDE_PX = 32  # the quality of a smaller board is not measured separately


@dataclass(frozen=True)
class CalibrationFrame:
    """An image and its measurements. Earlier images have no influence: the camera moves."""

    grey: Pixels
    at_ms: float
    table: FittedBoard
    lock: BoardLock | None  # None: the board was not found
    observation: Observation
    quality: ImageQuality  # of the board; of the whole image if the board was not found
    cell_light: CellLight | None
    exposure_locked: bool | None = None  # None: the camera cannot lock it
    tags: frozenset[int] = frozenset()  # all tags in the image if the board was not found

    @property
    def width(self) -> int:
        return int(self.grey.shape[1])


class FrameAnalyzer:
    """Analyses one image after the other; starts at the last board position, which is faster."""

    def __init__(self, table: FittedBoard) -> None:
        self._table = table
        self._reader = self._new_reader()

    def analyze(
        self, grey: Pixels, at_ms: float, exposure_locked: bool | None = None
    ) -> CalibrationFrame:
        """Finds the board, reads the pieces and measures the light."""
        table, held = self._table, self._reader.lock is not None
        if held:
            self._reader.forget()
        else:
            self._reader = self._new_reader()
        observation = self._reader.read(grey)
        if held and any(problem.kind in CORNER_TROUBLES for problem in observation.problems):
            self._reader = self._new_reader()  # the board has moved: search the whole image
            observation = self._reader.read(grey)
        lock = self._reader.lock if observation.locked else None
        light = None if lock is None else measure_cell_light(grey, table.board, lock, observation)
        quality = measure_quality(_crop_to_board(grey, table, lock), grey.shape[1])
        tags = frozenset() if lock is not None else frozenset(detect_tags(grey, ()).quads)
        return CalibrationFrame(
            grey, at_ms, table, lock, observation, quality, light, exposure_locked, tags
        )

    def _new_reader(self) -> Reader:
        return Reader(self._table.board, self._table.pieces_by_tag, self._table.lens)


def analyze_frame(grey: Pixels, table: FittedBoard, at_ms: float) -> CalibrationFrame:
    """Analyses a single image."""
    return FrameAnalyzer(table).analyze(grey, at_ms)


def board_outline_px(table: FittedBoard, lock: BoardLock) -> Points:
    """The board's four corners in the image, clockwise from the upper left."""
    width, height = table.board.size_mm
    return lock.camera.project([(0, 0), (width, 0), (width, height), (0, height)])


def _crop_to_board(grey: Pixels, table: FittedBoard, lock: BoardLock | None) -> Pixels:
    """The part of the image that shows the board."""
    if lock is None:
        return grey
    corners = board_outline_px(table, lock)
    far = np.array([grey.shape[1], grey.shape[0]])
    left, top = np.clip(corners.min(axis=0), 0, far).astype(int)
    right, bottom = np.clip(corners.max(axis=0), 0, far).astype(int)
    if min(right - left, bottom - top) < MIN_BOARD_SIDE_PX:
        return grey
    return grey[top:bottom, left:right]
