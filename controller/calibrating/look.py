"""One picture with all that was found in it: what every step is judged by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.calibrating.light import CellLight, cell_light
from controller.picture_quality import Quality, measure
from controller.ports import Pixels
from controller.tabletop import Tabletop
from vision.observation import Observation, Trouble
from vision.pose import Lock, detect
from vision.reader import Reader
from vision.view import Points

OF_THE_CORNERS = (Trouble.NO_BOARD, Trouble.CORNER_HIDDEN, Trouble.POSE_UNSURE)
LEAST_SIDE = 32  # pixels of the board that are worth measuring by themselves


@dataclass(frozen=True)
class Look:
    """A picture, read afresh: where a camera is moved and turned, memory only misleads."""

    grey: Pixels
    at_ms: float
    table: Tabletop
    lock: Lock | None  # None: the board was not found
    seen: Observation
    quality: Quality  # of the board; of the whole picture, where there is none
    light: CellLight | None
    exposure_locked: bool | None = None  # None: there is nothing to lock
    tags: frozenset[int] = frozenset()  # all that are somewhere in a picture without a board

    @property
    def width(self) -> int:
        return int(self.grey.shape[1])


class Onlooker:
    """Looks at one picture after the other. A board that is held is quicker to see than to find."""

    def __init__(self, table: Tabletop) -> None:
        self._table = table
        self._reader = self._fresh()

    def look(self, grey: Pixels, at_ms: float, exposure_locked: bool | None = None) -> Look:
        """Find the board in a picture, read it and measure the light on it."""
        table, held = self._table, self._reader.lock is not None
        if held:
            self._reader.forget()
        else:
            self._reader = self._fresh()
        seen = self._reader.read(grey)
        if held and any(problem.trouble in OF_THE_CORNERS for problem in seen.problems):
            self._reader = self._fresh()  # what is not where it was is looked for everywhere
            seen = self._reader.read(grey)
        lock = self._reader.lock if seen.locked else None
        light = None if lock is None else cell_light(grey, table.board, lock, seen)
        quality = measure(_board(grey, table, lock), grey.shape[1])
        tags = frozenset() if lock is not None else frozenset(detect(grey, ()).quads)
        return Look(grey, at_ms, table, lock, seen, quality, light, exposure_locked, tags)

    def _fresh(self) -> Reader:
        return Reader(self._table.board, self._table.meanings, self._table.lens)


def looked(grey: Pixels, table: Tabletop, at_ms: float) -> Look:
    """One picture alone."""
    return Onlooker(table).look(grey, at_ms)


def outline_px(table: Tabletop, lock: Lock) -> Points:
    """The four corners of the board in the picture, clockwise from the upper left."""
    width, height = table.board.size_mm
    return lock.view.project([(0, 0), (width, 0), (width, height), (0, height)])


def _board(grey: Pixels, table: Tabletop, lock: Lock | None) -> Pixels:
    """The part of the picture that the board is in."""
    if lock is None:
        return grey
    corners = outline_px(table, lock)
    far = np.array([grey.shape[1], grey.shape[0]])
    left, top = np.clip(corners.min(axis=0), 0, far).astype(int)
    right, bottom = np.clip(corners.max(axis=0), 0, far).astype(int)
    if min(right - left, bottom - top) < LEAST_SIDE:
        return grey
    return grey[top:bottom, left:right]
