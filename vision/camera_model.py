"""A camera over the board: its lens, its pose, and the projection of points into the image.

Points are (x, y) on the board in millimetres plus a height above it. OpenCV needs a right-handed
frame, so this module negates heights; no other module does.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]

GUESSED_FOCAL = 0.87  # of the image's width: fits webcams and the Pi's cameras


@dataclass(frozen=True, slots=True)
class Lens:
    """Focal length and centre in image widths, so that they hold for any resolution."""

    focal: float = GUESSED_FOCAL
    centre: tuple[float, float] | None = None  # None: the middle of the image
    distortion: tuple[float, ...] = ()  # k1, k2, p1, p2, k3 in OpenCV's order
    calibrated: bool = False

    def matrix(self, width: int, height: int) -> Matrix:
        x, y = (width / 2, height / 2)
        if self.centre is not None:
            x, y = self.centre[0] * width, self.centre[1] * width
        return np.array([[self.focal * width, 0, x], [0, self.focal * width, y], [0, 0, 1.0]])

    def coefficients(self) -> Matrix:
        return np.array(self.distortion if self.distortion else (0.0,) * 5)


@dataclass(frozen=True, slots=True)
class CameraModel:
    """Lens, pose and image size of a camera over a board."""

    lens: Lens
    width: int
    height: int
    rotation: tuple[float, float, float]  # Rodrigues vector, board to camera
    translation_mm: tuple[float, float, float]

    def project(self, points_mm: npt.ArrayLike, height_mm: float = 0.0) -> Points:
        """Pixels of board points that lie at one height."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        if not any(self.lens.distortion):
            # equal without distortion, and ten times faster
            return _apply_homography(self.homography(height_mm), flat)
        solid = np.column_stack([flat, np.full(len(flat), -height_mm)])
        return self.project_3d(solid)

    def project_3d(self, points_mm: npt.ArrayLike) -> Points:
        """Pixels of points given as (x, y, minus height)."""
        solid = np.asarray(points_mm, np.float64).reshape(-1, 3)
        seen, _ = cv2.projectPoints(
            solid,
            np.array(self.rotation),
            np.array(self.translation_mm),
            self.lens.matrix(self.width, self.height),
            self.lens.coefficients(),
        )
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def homography(self, height_mm: float = 0.0) -> Matrix:
        """The homography from board millimetres at this height to pixels, without distortion."""
        turned, _ = cv2.Rodrigues(np.array(self.rotation))
        shift = np.array(self.translation_mm) - height_mm * turned[:, 2]
        plane = np.column_stack([turned[:, 0], turned[:, 1], shift])
        found = self.lens.matrix(self.width, self.height) @ plane
        return np.asarray(found / found[2, 2])

    def unproject(self, pixels: npt.ArrayLike, height_mm: float = 0.0) -> Points:
        """Board points where the rays of these pixels meet the plane at this height."""
        points = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        matrix = self.lens.matrix(self.width, self.height)
        straight = cv2.undistortPoints(points, matrix, self.lens.coefficients(), P=matrix)
        flat = np.asarray(straight, np.float64).reshape(-1, 2)
        plane = np.asarray(np.linalg.inv(self.homography(height_mm)), np.float64)
        return _apply_homography(plane, flat)

    @classmethod
    def looking_down(
        cls,
        size_mm: tuple[float, float],
        width: int = 1280,
        height: int = 720,
        fill: float = 0.8,
        tilt_degrees: float = 0.0,
        turn_degrees: float = 0.0,
        lens: Lens | None = None,
    ) -> CameraModel:
        """A camera that looks at the middle of a board of this size.

        `fill` is the board's share of the image's height, `tilt_degrees` tilts the camera from
        straight down towards the near side, `turn_degrees` rotates the image.
        """
        lens = lens or Lens()
        middle = np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])
        span = max(size_mm[1] / height, size_mm[0] / width)
        distance = lens.focal * width * span / fill
        lean, _ = cv2.Rodrigues(np.array([-np.radians(tilt_degrees), 0.0, 0.0]))
        turn, _ = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turn_degrees)]))
        rotation = turn @ lean
        translation = np.array([0.0, 0.0, distance]) - rotation @ middle
        vector, _ = cv2.Rodrigues(rotation)
        x, y, z = (float(n) for n in vector.ravel())
        tx, ty, tz = (float(n) for n in translation)
        return cls(lens, width, height, (x, y, z), (tx, ty, tz))


def _apply_homography(plane: Matrix, points: Points) -> Points:
    x, y = points.T
    depth = plane[2, 0] * x + plane[2, 1] * y + plane[2, 2]
    seen = np.empty_like(points)
    seen[:, 0] = (plane[0, 0] * x + plane[0, 1] * y + plane[0, 2]) / depth
    seen[:, 1] = (plane[1, 0] * x + plane[1, 1] * y + plane[1, 2]) / depth
    return seen
