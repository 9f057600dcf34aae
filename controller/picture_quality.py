"""Is a picture good to read? Brightness and sharpness as numbers, with advice in words.

Dark can be read, saturated cannot: what is white for good has no print on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from controller.ports import Pixels

SATURATED_LEVEL = 250
MOST_SATURATED = 0.01  # of the picture
DARKEST_WHITE, DIM_WHITE = 30, 70  # levels of the brightest parts
REFERENCE_WIDTH = 1280  # the blur limits are pixels of a picture that wide
SHARP_PX, SOFT_PX = 1.2, 2.0  # standard deviations
STRONG_CONTRAST = 50  # levels across an edge that can be judged
WINDOW = 17  # pixels that an edge may be wide, in a picture of that width
OWN_BLUR_PX = 0.85  # what smoothing and the Sobel filter add
FEWEST_EDGES = 200


@dataclass(frozen=True, slots=True)
class Quality:
    """What was measured in one picture."""

    mean: float
    white: float  # level of the brightest hundredth
    saturated: float  # part of the picture
    blur_px: float | None  # None: no edge in view that is strong enough

    def brightness(self) -> str:
        """A verdict, with what to do."""
        if self.saturated > MOST_SATURATED:
            return f"expose lower: {100 * self.saturated:.0f} % of the picture is saturated"
        if self.white < DARKEST_WHITE:
            return "too dark: more light, or a longer exposure"
        if self.white < DIM_WHITE:
            return "dark, but it can be read"
        return "good"

    def sharpness(self, width: int) -> str:
        if self.blur_px is None:
            return "cannot be told: no strong edges in view, put the board under the camera"
        blur = self.blur_px * REFERENCE_WIDTH / width
        if blur <= SHARP_PX:
            return "sharp"
        if blur <= SOFT_PX:
            return "a little soft: focus the lens on the caps"
        return "blurred: focus the lens on the caps, and see that the camera does not shake"


def measure(grey: Pixels, whole_width: int | None = None) -> Quality:
    """Measure a picture, or part of one that is `whole_width` wide."""
    return Quality(
        float(grey.mean()),
        float(np.percentile(grey, 99)),
        float((grey >= SATURATED_LEVEL).mean()),
        _blur(grey, whole_width or grey.shape[1]),
    )


def _blur(grey: Pixels, width: int) -> float | None:
    """How wide edges are, as the standard deviation of the blur that would make them so.

    A blurred step of height h is steepest in its middle, h / (sigma * sqrt(2 pi)) a pixel.
    """
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.5).astype(np.float32)
    slope = np.hypot(
        cv2.Sobel(smooth, -1, 1, 0, scale=1 / 8), cv2.Sobel(smooth, -1, 0, 1, scale=1 / 8)
    )
    side = max(9, round(WINDOW * width / REFERENCE_WIDTH) | 1)
    window = np.ones((side, side), np.uint8)
    height = cv2.dilate(smooth, window) - cv2.erode(smooth, window)
    peak = (slope > 0) & (slope == cv2.dilate(slope, np.ones((5, 5), np.uint8)))
    steepest = peak & (height > STRONG_CONTRAST)
    if steepest.sum() < FEWEST_EDGES:
        return None
    sigmas = height[steepest] / (slope[steepest] * np.sqrt(2 * np.pi))
    return float(np.sqrt(max(0.0, np.percentile(sigmas, 25) ** 2 - OWN_BLUR_PX**2)))
