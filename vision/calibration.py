"""Lens calibration with a printed ChArUco sheet: pictures in, a `Lens` and a score out.

The sheet's tags are of another dictionary than the pieces', so that one is never taken for the
other. How large it is printed does not matter: a lens is the same for every scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt

from engine.errors import LaserboardError
from vision.view import GUESSED_FOCAL, Lens

Picture = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

DICTIONARY = cv2.aruco.DICT_4X4_50
TAG_SHARE = 0.75  # of a square's side
MOST_SQUARES = 100  # every other one has a tag, and there are 50
FEWEST_CORNERS = 8
FEWEST_VIEWS = 6
ENOUGH_VIEWS = 12
STEEP_DEGREES = 15.0  # a view that tells focal length from distance
FEWEST_STEEP = 3
SPREAD_DEGREES = 12.0  # between the two most different directions
LARGEST_SCORE_PX = 2.0  # of a picture REFERENCE_WIDTH wide
REFERENCE_WIDTH = 1280
VARIETY = 1.3  # between the closest and the farthest view
OUTLIER = 3.0  # times the median error
ROWS, COLUMNS = ("upper", "middle", "lower"), ("left", "middle", "right")


class BadCalibration(LaserboardError, ValueError):
    """Pictures that a lens cannot be worked out from."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The printed chessboard with a tag in every white square."""

    columns: int = 7
    rows: int = 5

    def __post_init__(self) -> None:
        squares, corners = self.columns * self.rows, (self.columns - 1) * (self.rows - 1)
        if min(self.columns, self.rows) < 3 or corners < FEWEST_CORNERS or squares > MOST_SQUARES:
            raise BadCalibration(
                f"a sheet of {self.columns} x {self.rows} squares cannot be used:"
                f" from 4 x 4 up to {MOST_SQUARES} squares in all"
            )

    def board(self) -> cv2.aruco.CharucoBoard:
        tags = cv2.aruco.getPredefinedDictionary(DICTIONARY)
        return cv2.aruco.CharucoBoard((self.columns, self.rows), 1.0, TAG_SHARE, tags)

    def picture(self, square_px: int = 200) -> Picture:
        """To print: the sheet with a white edge of half a square."""
        edge = square_px // 2
        size = (self.columns * square_px + 2 * edge, self.rows * square_px + 2 * edge)
        return np.asarray(self.board().generateImage(size, marginSize=edge), np.uint8)


class Sight(StrEnum):
    """Why a picture shows no sheet that can be used."""

    NOTHING = "no calibration sheet in it"
    TOO_LITTLE = "too little of the sheet in it"


@dataclass(frozen=True, eq=False)
class SheetView:
    """The sheet in one picture."""

    name: str
    width: int
    height: int
    sheet_points: Points  # n x 3, in squares
    picture_points: Points  # n x 2, in pixels
    direction: tuple[float, float, float]  # the sheet's normal, seen from the camera, roughly

    @property
    def tilt_degrees(self) -> float:
        return float(np.degrees(np.arccos(np.clip(self.direction[2], -1, 1))))

    @property
    def scale(self) -> float:
        """About how many pixels a square is wide."""
        spans = (
            np.ptp(points[:, :2], axis=0) for points in (self.picture_points, self.sheet_points)
        )
        seen, real = (float(np.hypot(*span)) for span in spans)
        return seen / real


def find_sheet(grey: Picture, sheet: Sheet, name: str = "") -> SheetView | Sight:
    """The sheet in a picture, or why it cannot be used."""
    board = sheet.board()
    found = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    corners, ids = found[0], found[1]
    if corners is None or ids is None or len(ids) == 0:
        return Sight.NOTHING if found[3] is None or len(found[3]) == 0 else Sight.TOO_LITTLE
    if len(ids) < FEWEST_CORNERS:
        return Sight.TOO_LITTLE
    flat, seen = board.matchImagePoints(cast(Any, corners), ids)
    sheet_points = np.asarray(flat, np.float32).reshape(-1, 3)
    picture_points = np.asarray(seen, np.float32).reshape(-1, 2)
    if np.linalg.matrix_rank(sheet_points[:, :2] - sheet_points[0, :2]) < 2:
        return Sight.TOO_LITTLE  # all on one line
    height, width = grey.shape[:2]
    direction = _direction(sheet_points, picture_points, width, height)
    return SheetView(name, width, height, sheet_points, picture_points, direction)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How well a set of views covers the picture, and from how many sides."""

    views: int
    zones: frozenset[tuple[int, int]]  # row and column of the 3 x 3 parts that were covered
    steep: int  # views that are tilted enough
    spread_degrees: float
    scales: float  # the closest view is so many times as large as the farthest

    def advice(self) -> list[str]:
        """What is still missing, the most important first; nothing: it will do."""
        missing = []
        if self.steep < FEWEST_STEEP:
            missing.append(
                f"tilt the sheet more: {self.steep} of {FEWEST_STEEP} views are steeper than"
                f" {STEEP_DEGREES:g} degrees"
            )
        elif self.spread_degrees < 2 * SPREAD_DEGREES:
            missing.append("tilt the sheet to other sides as well")
        if self.scales < VARIETY:
            missing.append("hold the sheet closer in some views and farther away in others")
        missing += [
            f"no view of the {zone_name(row, column)} yet"
            for row in range(3)
            for column in range(3)
            if (row, column) not in self.zones
        ]
        if self.views < ENOUGH_VIEWS:
            missing.append(f"more views: {self.views} of {ENOUGH_VIEWS}")
        return missing


def zone_name(row: int, column: int) -> str:
    """A ninth of the picture in words."""
    return "middle" if row == column == 1 else f"{ROWS[row]} {COLUMNS[column]}"


def coverage(views: Sequence[SheetView]) -> Coverage:
    zones = frozenset(
        (int(np.clip(3 * y / view.height, 0, 2)), int(np.clip(3 * x / view.width, 0, 2)))
        for view in views
        for x, y in view.picture_points
    )
    steep = sum(view.tilt_degrees >= STEEP_DEGREES for view in views)
    scales = [view.scale for view in views]
    variety = max(scales) / min(scales) if scales else 1.0
    return Coverage(len(views), zones, steep, _spread_degrees(views), variety)


def adds_something(view: SheetView, views: Sequence[SheetView]) -> bool:
    """Is a view different enough from those there are?"""
    return all(
        abs(view.picture_points.mean(axis=0) - other.picture_points.mean(axis=0)).max()
        > 0.08 * view.width
        or _between_degrees(view, other) > 8
        for other in views
    )


@dataclass(frozen=True, slots=True)
class Calibration:
    """A lens, and how well it explains the pictures."""

    lens: Lens
    score_px: float  # how far corners are from where the lens puts them
    focal_error: float  # part of the focal length, one standard deviation
    used: tuple[str, ...]
    left_out: tuple[str, ...]  # views that did not agree with the others
    width: int
    height: int

    def verdict(self) -> str:
        score = self.score_px * REFERENCE_WIDTH / self.width
        if self.focal_error > 0.02:
            return "uncertain: the focal length is a guess, tilt the sheet more"
        if score < 0.35:
            return "very good"
        if score < 0.7:
            return "good"
        if score < 1.2:
            return "usable: a flatter sheet or sharper pictures would do better"
        return "poor: glue the sheet to something flat, and keep it still"


def calibrate(views: Sequence[SheetView]) -> Calibration:
    """The lens from views of a sheet; they must be of one size, and from several sides."""
    _check(views)
    kept = list(views)
    found = _solve(kept)
    left_out = []
    while len(kept) > FEWEST_VIEWS:
        worst = int(np.argmax(found.errors))
        if found.errors[worst] <= OUTLIER * max(float(np.median(found.errors)), 0.05):
            break
        left_out.append(kept.pop(worst).name)
        found = _solve(kept)
    width, height = kept[0].width, kept[0].height
    score = found.score * REFERENCE_WIDTH / width
    if not np.isfinite(score) or score > LARGEST_SCORE_PX:
        raise BadCalibration(
            f"the views do not agree: corners are off by {found.score:.1f} px on average."
            " Is the sheet flat, and has it as many squares as was said?"
        )
    matrix = found.matrix
    lens = Lens(
        float(matrix[0, 0] / width),
        (float(matrix[0, 2] / width), float(matrix[1, 2] / width)),
        tuple(float(term) for term in found.distortion[:5]),
        calibrated=True,
    )
    return Calibration(
        lens,
        found.score,
        found.focal_deviation / float(matrix[0, 0]),
        tuple(view.name for view in kept),
        tuple(left_out),
        width,
        height,
    )


def _check(views: Sequence[SheetView]) -> None:
    sizes = {(view.width, view.height): view.name for view in views}
    if len(sizes) > 1:
        (first, second, *_) = (f"{name} is {w} x {h}" for (w, h), name in sizes.items())
        raise BadCalibration(f"all pictures must be of one size: {first}, {second}")
    if len(views) < FEWEST_VIEWS:
        raise BadCalibration(
            f"too few views of the sheet: {len(views)} of at least {FEWEST_VIEWS};"
            f" {ENOUGH_VIEWS} or more are good"
        )
    if _spread_degrees(views) < SPREAD_DEGREES:
        raise BadCalibration(
            "all views are from nearly the same angle, so focal length and distance cannot be told"
            f" apart: tilt the sheet, by {STEEP_DEGREES:g} degrees or more and to different sides"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Solution:
    score: float
    matrix: npt.NDArray[np.float64]
    distortion: npt.NDArray[np.float64]
    focal_deviation: float
    errors: npt.NDArray[np.float64]  # one for each view


def _solve(views: Sequence[SheetView]) -> _Solution:
    width, height = views[0].width, views[0].height
    guess = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]]) * 1.0
    guess[0, 0] = guess[1, 1] = GUESSED_FOCAL * width
    try:
        score, matrix, distortion, _, _, deviations, _, errors = cv2.calibrateCameraExtended(
            [view.sheet_points for view in views],
            [view.picture_points for view in views],
            (width, height),
            guess,
            np.zeros(5),
            # A `Lens` has one focal length: pixels are square in every camera of today.
            flags=cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO,
        )
    except cv2.error as bad:
        raise BadCalibration(f"no lens explains these views: {bad.err}") from None
    return _Solution(
        float(score),
        np.asarray(matrix, np.float64),
        np.asarray(distortion, np.float64).ravel(),
        float(np.ravel(deviations)[1]),
        np.asarray(errors, np.float64).ravel(),
    )


def _direction(
    sheet_points: Points, picture_points: Points, width: int, height: int
) -> tuple[float, float, float]:
    """Where the sheet looks, as far as a guessed lens can tell; toward the camera is z."""
    guess = Lens().matrix(width, height)
    found, rotation, _ = cv2.solvePnP(sheet_points, picture_points, guess, np.zeros(5))
    if not found:
        return 0.0, 0.0, 1.0
    turned, _ = cv2.Rodrigues(rotation)
    x, y, z = (float(n) for n in turned[:, 2])
    return (x, y, z) if z >= 0 else (-x, -y, -z)


def _between_degrees(view: SheetView, other: SheetView) -> float:
    product = float(np.dot(view.direction, other.direction))
    return float(np.degrees(np.arccos(np.clip(product, -1, 1))))


def _spread_degrees(views: Sequence[SheetView]) -> float:
    """The angle between the two most different directions."""
    return max((_between_degrees(a, b) for a in views for b in views), default=0.0)
