"""Measures brightness and sharpness of an image and gives advice.

Dark images can be read; saturated ones cannot, because white areas lose the print on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from controller.builder import sentences
from controller.ports.devices import Pixels
from engine.sentences import Sentence

SATURATED_LEVEL = 250
MAX_SATURATED_SHARE = 0.01  # of the image
MIN_WHITE_LEVEL, DIM_WHITE_LEVEL = 30, 70  # levels of the brightest parts
REFERENCE_WIDTH = 1280  # limits in pixels are for images of this width
SHARP_PX, SOFT_PX = 1.2, 2.0  # standard deviations of the blur
MIN_EDGE_CONTRAST = 50  # levels across an edge; weaker edges are ignored
EDGE_WINDOW_PX = 17  # maximum width of an edge
FILTER_BLUR_PX = 0.85  # blur added by smoothing and the Sobel filter
MIN_EDGES = 200


class ImageVerdict(NamedTuple):
    """A measurement in words, and advice if it is not good."""

    verdict: Sentence
    advice: Sentence | None = None

    @property
    def sentence(self) -> Sentence:
        """Verdict and advice in one sentence."""
        if self.advice is None:
            return self.verdict
        return sentences.VERDICT_AND_ADVICE(verdict=self.verdict, advice=self.advice)


@dataclass(frozen=True, slots=True)
class ImageQuality:
    """Brightness and blur of one image."""

    mean_level: float
    white_level: float  # 99th percentile
    saturated_share: float  # of the image
    blur_px: float | None  # None: too few strong edges in view

    @property
    def is_bright(self) -> bool:
        return self.brightness().verdict == sentences.BRIGHTNESS_GOOD()

    def brightness(self) -> ImageVerdict:
        if self.saturated_share > MAX_SATURATED_SHARE:
            percent = round(100 * self.saturated_share)
            return ImageVerdict(sentences.SATURATED(percent=percent), sentences.EXPOSE_LOWER())
        if self.white_level < MIN_WHITE_LEVEL:
            return ImageVerdict(sentences.TOO_DARK(), sentences.MORE_LIGHT())
        if self.white_level < DIM_WHITE_LEVEL:
            return ImageVerdict(sentences.DARK_BUT_READABLE())
        return ImageVerdict(sentences.BRIGHTNESS_GOOD())

    def sharpness(self, width: int) -> ImageVerdict:
        """Sharpness of an image of this width in pixels."""
        if self.blur_px is None:
            return ImageVerdict(sentences.SHARPNESS_UNKNOWN(), sentences.NO_EDGES())
        blur = self.blur_px * REFERENCE_WIDTH / width
        if blur <= SHARP_PX:
            return ImageVerdict(sentences.SHARP())
        if blur <= SOFT_PX:
            return ImageVerdict(sentences.SOFT(), sentences.FOCUS_ON_CAPS())
        return ImageVerdict(sentences.BLURRED(), sentences.FOCUS_AND_HOLD())


def measure_quality(grey: Pixels, image_width: int | None = None) -> ImageQuality:
    """Measures an image, or a part of an image that is `image_width` wide."""
    return ImageQuality(
        float(grey.mean()),
        float(np.percentile(grey, 99)),
        float((grey >= SATURATED_LEVEL).mean()),
        _blur_sigma_px(grey, image_width or grey.shape[1]),
    )


def _blur_sigma_px(grey: Pixels, width: int) -> float | None:
    """Standard deviation of the blur, from the slope of the strongest edges.

    A blurred step of height h has the slope h / (sigma * sqrt(2 pi)) per pixel in its middle.
    """
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.5).astype(np.float32)
    slope = np.hypot(
        cv2.Sobel(smooth, -1, 1, 0, scale=1 / 8), cv2.Sobel(smooth, -1, 0, 1, scale=1 / 8)
    )
    side = max(9, round(EDGE_WINDOW_PX * width / REFERENCE_WIDTH) | 1)
    window = np.ones((side, side), np.uint8)
    height = cv2.dilate(smooth, window) - cv2.erode(smooth, window)
    peak = (slope > 0) & (slope == cv2.dilate(slope, np.ones((5, 5), np.uint8)))
    steepest = peak & (height > MIN_EDGE_CONTRAST)
    if steepest.sum() < MIN_EDGES:
        return None
    sigmas = height[steepest] / (slope[steepest] * np.sqrt(2 * np.pi))
    return float(np.sqrt(max(0.0, np.percentile(sigmas, 25) ** 2 - FILTER_BLUR_PX**2)))
