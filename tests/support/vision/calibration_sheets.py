"""Images of a calibration sheet through a known lens, rendered by ray tracing."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import CalibrationSheet
from vision.camera_model import Lens

LENS = Lens(0.93, (0.505, 0.278), (0.08, -0.15, 0.001, -0.0008, 0.02))
SQUARE_PX = 100
Vector = tuple[float, float, float]


def seen_through(
    lens: Lens,
    sheet: CalibrationSheet,
    turned: Vector,
    middle: Vector,
    size: tuple[int, int] = (1280, 720),
) -> npt.NDArray[np.uint8]:
    """A sheet with this rotation (a Rodrigues vector) and this centre, in squares."""
    width, height = size
    drawn = sheet.picture(SQUARE_PX)
    rotation, _ = cv2.Rodrigues(np.array(turned))
    corner = np.array(middle) - rotation @ (sheet.columns / 2, sheet.rows / 2, 0.0)
    to_sheet = np.linalg.inv(np.column_stack([rotation[:, 0], rotation[:, 1], corner]))
    points = to_sheet @ _rays(lens, width, height)
    # The sheet's image has a margin of half a square; pixel positions are their centres.
    places = (points[:2] / points[2] * SQUARE_PX + SQUARE_PX / 2 - 0.5).astype(np.float32)
    x, y = (place.reshape(height, width) for place in places)
    seen = cv2.remap(drawn, x, y, cv2.INTER_LINEAR, borderValue=(120,))
    soft = cv2.GaussianBlur(seen, (0, 0), 0.7) * 0.8 + 20
    noise = np.random.default_rng(1).normal(0, 2, soft.shape)
    return np.clip(soft + noise, 0, 255).astype(np.uint8)


@cache
def directions() -> list[tuple[Vector, Vector]]:
    """Fourteen ways to hold the sheet, tilted and all over the image."""
    rng = np.random.default_rng(4)
    ways: list[tuple[Vector, Vector]] = []
    for number in range(14):
        steep = 0.15 if number % 4 == 3 else 0.5
        around = rng.uniform(0, 2 * np.pi)
        lean = rng.uniform(0.5, 1) * steep
        far = float(rng.uniform(8, 12))
        x, y = (float(rng.uniform(-reach, reach)) * far for reach in (0.3, 0.15))
        turned = (lean * float(np.cos(around)), lean * float(np.sin(around)), 0.0)
        ways.append((turned, (x, y, far)))
    return ways


@cache
def _rays(lens: Lens, width: int, height: int) -> npt.NDArray[np.float64]:
    """The direction of every pixel's ray."""
    x, y = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    pixels = np.column_stack([x.ravel(), y.ravel()])[:, None]
    straight = cv2.undistortPoints(pixels, lens.matrix(width, height), lens.coefficients())
    return np.column_stack([straight.reshape(-1, 2), np.ones(width * height)]).T.astype(np.float64)
