"""Lens calibration with a printed ChArUco sheet: images in, a `Lens` and a score out.

The sheet uses another tag dictionary than the pieces. Its printed size has no influence: a lens is
the same at every scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt

from engine.errors import LaserboardError
from engine.sentences import Sentence
from vision import sentences
from vision.camera_model import GUESSED_FOCAL, Lens

Image = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

DICTIONARY = cv2.aruco.DICT_4X4_50
TAG_SHARE = 0.75  # of a square's side
MAX_SQUARES = 100  # every other square has a tag, and the dictionary has 50
MIN_CORNERS = 8
MIN_VIEWS = 6
ENOUGH_VIEWS = 12
STEEP_DEGREES = 15.0  # a steeper view separates focal length from distance
MIN_STEEP = 3
SPREAD_DEGREES = 12.0  # between the two most different directions
MAX_SCORE_PX = 2.0  # at an image width of REFERENCE_WIDTH
REFERENCE_WIDTH = 1280
MIN_SCALE_RATIO = 1.3  # between the closest and the farthest view
OUTLIER_FACTOR = 3.0  # times the median error


class BadCalibration(LaserboardError, ValueError):
    """A sheet or images from which a lens cannot be computed."""


@dataclass(frozen=True, slots=True)
class CalibrationSheet:
    """The printed chessboard with a tag in every white square."""

    columns: int = 7
    rows: int = 5

    def __post_init__(self) -> None:
        squares, corners = self.columns * self.rows, (self.columns - 1) * (self.rows - 1)
        if min(self.columns, self.rows) < 3 or corners < MIN_CORNERS or squares > MAX_SQUARES:
            raise BadCalibration(
                sentences.BAD_SHEET(columns=self.columns, rows=self.rows, most=MAX_SQUARES)
            )

    def board(self) -> cv2.aruco.CharucoBoard:
        tags = cv2.aruco.getPredefinedDictionary(DICTIONARY)
        return cv2.aruco.CharucoBoard((self.columns, self.rows), 1.0, TAG_SHARE, tags)

    def picture(self, square_px: int = 200) -> Image:
        """The sheet to print, with a white margin of half a square."""
        edge = square_px // 2
        size = (self.columns * square_px + 2 * edge, self.rows * square_px + 2 * edge)
        return np.asarray(self.board().generateImage(size, marginSize=edge), np.uint8)


class SheetRejection(Enum):
    """Why an image shows no usable sheet."""

    NOTHING = sentences.NO_SHEET()
    TOO_LITTLE = sentences.TOO_LITTLE_SHEET()

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, eq=False)
class SheetView:
    """The sheet as found in one image."""

    name: str
    width: int
    height: int
    sheet_points: Points  # n x 3, in squares
    image_points: Points  # n x 2, in pixels
    direction: tuple[float, float, float]  # approximate normal of the sheet in camera coordinates

    @property
    def tilt_degrees(self) -> float:
        return float(np.degrees(np.arccos(np.clip(self.direction[2], -1, 1))))

    @property
    def scale(self) -> float:
        """Approximate width of a square in pixels."""
        spans = (np.ptp(points[:, :2], axis=0) for points in (self.image_points, self.sheet_points))
        seen, real = (float(np.hypot(*span)) for span in spans)
        return seen / real


def find_sheet(grey: Image, sheet: CalibrationSheet, name: str = "") -> SheetView | SheetRejection:
    """Find the sheet in an image, or say why it cannot be used."""
    board = sheet.board()
    found = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    corners, ids = found[0], found[1]
    if corners is None or ids is None or len(ids) == 0:
        return (
            SheetRejection.NOTHING
            if found[3] is None or len(found[3]) == 0
            else SheetRejection.TOO_LITTLE
        )
    if len(ids) < MIN_CORNERS:
        return SheetRejection.TOO_LITTLE
    flat, seen = board.matchImagePoints(cast(Any, corners), ids)
    sheet_points = np.asarray(flat, np.float32).reshape(-1, 3)
    image_points = np.asarray(seen, np.float32).reshape(-1, 2)
    if np.linalg.matrix_rank(sheet_points[:, :2] - sheet_points[0, :2]) < 2:
        return SheetRejection.TOO_LITTLE  # all corners on one line
    height, width = grey.shape[:2]
    direction = _direction(sheet_points, image_points, width, height)
    return SheetView(name, width, height, sheet_points, image_points, direction)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How well a set of views covers the image, the tilts and the distances."""

    views: int
    zones: frozenset[tuple[int, int]]  # row and column of the covered ninths of the image
    steep: int  # number of views tilted by at least STEEP_DEGREES
    spread_degrees: float
    scale_ratio: float  # size of the closest view over size of the farthest

    def advice(self) -> list[Sentence]:
        """The missing kinds of views, the most important first. Empty: the views suffice."""
        missing = []
        if self.steep < MIN_STEEP:
            missing.append(
                sentences.TILT_MORE(steep=self.steep, needed=MIN_STEEP, degrees=STEEP_DEGREES)
            )
        elif self.spread_degrees < 2 * SPREAD_DEGREES:
            missing.append(sentences.TILT_OTHER_SIDES())
        if self.scale_ratio < MIN_SCALE_RATIO:
            missing.append(sentences.VARY_DISTANCE())
        missing += [
            sentences.ZONE_UNSEEN(zone=sentences.ZONES[row][column]())
            for row in range(3)
            for column in range(3)
            if (row, column) not in self.zones
        ]
        if self.views < ENOUGH_VIEWS:
            missing.append(sentences.MORE_VIEWS(views=self.views, needed=ENOUGH_VIEWS))
        return missing


def measure_coverage(views: Sequence[SheetView]) -> Coverage:
    zones = frozenset(
        (int(np.clip(3 * y / view.height, 0, 2)), int(np.clip(3 * x / view.width, 0, 2)))
        for view in views
        for x, y in view.image_points
    )
    steep = sum(view.tilt_degrees >= STEEP_DEGREES for view in views)
    scales = [view.scale for view in views]
    variety = max(scales) / min(scales) if scales else 1.0
    return Coverage(len(views), zones, steep, _spread_degrees(views), variety)


def is_new_view(view: SheetView, views: Sequence[SheetView]) -> bool:
    """Whether a view differs enough from the views taken so far."""
    return all(
        abs(view.image_points.mean(axis=0) - other.image_points.mean(axis=0)).max()
        > 0.08 * view.width
        or _between_degrees(view, other) > 8
        for other in views
    )


@dataclass(frozen=True, slots=True)
class Calibration:
    """A lens, and how well it explains the images."""

    lens: Lens
    score_px: float  # root mean square distance of corners from where the lens projects them
    focal_error: float  # relative standard deviation of the focal length
    used: tuple[str, ...]
    left_out: tuple[str, ...]  # names of views that did not agree with the others
    width: int
    height: int

    def verdict(self) -> Sentence:
        score = self.score_px * REFERENCE_WIDTH / self.width
        if self.focal_error > 0.02:
            return sentences.FOCAL_UNCERTAIN()
        if score < 0.35:
            return sentences.LENS_VERY_GOOD()
        if score < 0.7:
            return sentences.LENS_GOOD()
        if score < 1.2:
            return sentences.LENS_USABLE()
        return sentences.LENS_POOR()


def calibrate(views: Sequence[SheetView]) -> Calibration:
    """Compute the lens from views of one size that show the sheet at several angles."""
    _check(views)
    kept = list(views)
    found = _solve(kept)
    left_out = []
    while len(kept) > MIN_VIEWS:
        worst = int(np.argmax(found.errors))
        if found.errors[worst] <= OUTLIER_FACTOR * max(float(np.median(found.errors)), 0.05):
            break
        left_out.append(kept.pop(worst).name)
        found = _solve(kept)
    width, height = kept[0].width, kept[0].height
    score = found.score * REFERENCE_WIDTH / width
    if not np.isfinite(score) or score > MAX_SCORE_PX:
        raise BadCalibration(sentences.VIEWS_DISAGREE(px=f"{found.score:.1f}"))
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
        first, second, *_ = (
            sentences.VIEW_SIZE(name=name, width=width, height=height)
            for (width, height), name in sizes.items()
        )
        raise BadCalibration(sentences.VIEW_SIZES_DIFFER(first=first, second=second))
    if len(views) < MIN_VIEWS:
        raise BadCalibration(
            sentences.TOO_FEW_VIEWS(views=len(views), needed=MIN_VIEWS, enough=ENOUGH_VIEWS)
        )
    if _spread_degrees(views) < SPREAD_DEGREES:
        raise BadCalibration(sentences.VIEWS_TOO_ALIKE(degrees=STEEP_DEGREES))


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
            [view.image_points for view in views],
            (width, height),
            guess,
            np.zeros(5),
            # A `Lens` has one focal length: camera pixels are square.
            flags=cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO,
        )
    except cv2.error as error:
        raise BadCalibration(sentences.NO_LENS(reason=error.err)) from error
    return _Solution(
        float(score),
        np.asarray(matrix, np.float64),
        np.asarray(distortion, np.float64).ravel(),
        float(np.ravel(deviations)[1]),
        np.asarray(errors, np.float64).ravel(),
    )


def _direction(
    sheet_points: Points, image_points: Points, width: int, height: int
) -> tuple[float, float, float]:
    """The normal of the sheet, estimated with a guessed lens; z points to the camera."""
    guess = Lens().matrix(width, height)
    found, rotation, _ = cv2.solvePnP(sheet_points, image_points, guess, np.zeros(5))
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
