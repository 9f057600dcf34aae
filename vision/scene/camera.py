"""Simulates a camera: blur, exposure, the sRGB curve, noise, compression.

In: linear light (1 is white paper in full room light). Out: 8 bits per channel. Noise is in output
levels, because shot noise is nearly uniform after the sRGB curve.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import ceil, cos, radians, sin
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]
Light = npt.NDArray[np.float32]
Image = npt.NDArray[Any]

FULL_SCALE = 65535
WHITE_LEVEL = 0.75  # of full scale: leaves headroom above white paper
IN_FOCUS_PX = 0.9  # blur of a good lens in an image 720 pixels high
VEIL_STEP_PX = 16
VEIL_REACH = 0.02  # standard deviation, of the image's width
NOISE_SPREAD_PX = 0.53  # neighbours share noise: each pixel of a sensor sees one colour
LUMINANCE = np.array([0.114, 0.587, 0.299], np.float32)  # blue first
CHROMA_NOISE = 0.5  # of the brightness noise: cameras smooth colours more


@dataclass(frozen=True, slots=True)
class CameraConditions:
    """Settings and flaws of a camera; lengths are in pixels of the image."""

    white: float = WHITE_LEVEL  # level of white paper in full light, of full scale
    noise: float = 1.5  # standard deviation, in levels
    blur_px: float = IN_FOCUS_PX  # standard deviation
    motion_px: float = 0.0  # length of the motion smear
    motion_degrees: float = 0.0
    vignetting: float = 0.18  # share of light missing in the corners
    veil: float = 0.03  # share of light scattered into the neighbourhood by lens and dust
    jpeg: int | None = None  # quality
    grey: bool = False  # a monochrome sensor: a third of the work

    def scaled(self, factor: float) -> CameraConditions:
        """The same conditions for an image with `factor` times the pixels a side."""
        return replace(
            self,
            blur_px=self.blur_px * factor,
            motion_px=self.motion_px * factor,
        )


def develop(light: Light, conditions: CameraConditions, rng: np.random.Generator) -> Frame:
    """Turn linear light into a frame. Overwrites `light`.

    Light of one channel gives a grey frame with two dimensions.
    """
    if light.shape[2] == 1:
        light = light[..., 0]
    if conditions.blur_px > 0:
        cv2.GaussianBlur(light, (0, 0), conditions.blur_px, dst=light)
    if conditions.motion_px > 0:
        kernel = _motion(conditions.motion_px, conditions.motion_degrees)
        light = np.asarray(cv2.filter2D(light, -1, kernel, borderType=cv2.BORDER_REPLICATE))
    if conditions.veil:
        _veil(light, conditions.veil)
    height, width = light.shape[:2]
    gain = _vignette(width, height, conditions.vignetting, light.ndim)
    counts = cv2.multiply(light, gain, scale=conditions.white * FULL_SCALE, dtype=cv2.CV_16U)
    levels = np.take(_srgb_table(), np.asarray(counts), out=light, mode="clip")
    noise = _noise(width, height, conditions.noise, rng, light.ndim)
    noisy = (
        cv2.convertScaleAbs(levels) if noise is None else cv2.add(levels, noise, dtype=cv2.CV_8U)
    )
    frame = np.asarray(noisy, np.uint8)
    if conditions.jpeg is not None:
        _, packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, conditions.jpeg])
        frame = np.asarray(cv2.imdecode(packed, cv2.IMREAD_UNCHANGED), np.uint8)
    return frame


def to_sensor_channels(light: Light, grey: bool) -> Light:
    """Light as the sensor sees it: three channels or one."""
    return np.asarray(light @ LUMINANCE)[..., None] if grey else light


def srgb(linear: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Linear light to the sRGB curve, both 0 to 1."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def linear(level: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The sRGB curve to linear light."""
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)


def _veil(light: Light, part: float) -> None:
    """Scatter part of the light: a bright lamp washes out its surroundings."""
    height, width = light.shape[:2]
    small = (ceil(width / VEIL_STEP_PX), ceil(height / VEIL_STEP_PX))
    coarse = cv2.resize(light, small, interpolation=cv2.INTER_AREA)
    spread = cv2.GaussianBlur(coarse, (0, 0), VEIL_REACH * small[0])
    wide = cv2.resize(spread, (width, height), interpolation=cv2.INTER_LINEAR)
    cv2.addWeighted(light, 1 - part, wide, part, 0, dst=light)


@cache
def _srgb_table() -> Light:
    return np.asarray(255 * srgb(np.arange(FULL_SCALE + 1) / FULL_SCALE), np.float32)


def _noise(
    width: int, height: int, deviation: float, rng: np.random.Generator, dimensions: int
) -> Light | None:
    """Brightness noise in every pixel, colour noise in every other pixel."""
    fine = _normal_noise(height, width, 1, rng)
    half = _normal_noise((height + 1) // 2, (width + 1) // 2, 3, rng)
    if not deviation:
        return None
    kernel = cv2.getGaussianKernel(5, NOISE_SPREAD_PX)
    kernel = kernel * np.sqrt(deviation / np.sum(kernel**2))
    grey = cv2.sepFilter2D(fine, -1, kernel, kernel)
    if dimensions == 2:
        return np.asarray(grey, np.float32)
    colour = cv2.resize(half, (width, height), interpolation=cv2.INTER_LINEAR)
    noise = np.asarray(cv2.merge([grey] * 3), np.float32)
    cv2.scaleAdd(colour, CHROMA_NOISE * deviation, noise, dst=noise)
    return noise


def _normal_noise(height: int, width: int, channels: int, rng: np.random.Generator) -> Light:
    """Normal random numbers from a random place in the noise table."""
    count = height * width * channels
    tape = _noise_table(1 << (2 * count - 1).bit_length())
    start = int(rng.integers(0, len(tape) - count))
    shape = (height, width) if channels == 1 else (height, width, channels)
    return tape[start : start + count].reshape(shape)


@lru_cache(maxsize=4)
def _noise_table(length: int) -> Light:
    """A table of random numbers: drawing new ones would take longer than the rest of the camera."""
    return np.random.default_rng(3).standard_normal(length, np.float32)


@lru_cache(maxsize=4)
def _vignette(width: int, height: int, missing: float, dimensions: int) -> Light:
    reach = np.hypot(width / 2, height / 2)
    x, y = ((np.arange(length) - length / 2) / reach for length in (width, height))
    plane = 1 - missing * (x[None, :] ** 2 + y[:, None] ** 2)
    return np.asarray(plane if dimensions == 2 else np.dstack([plane] * 3), np.float32)


def _motion(length: float, degrees: float) -> Light:
    """The kernel of a motion smear: a line whose points are shared between pixels."""
    half = (length + 1) / 2
    reach = ceil(half) + 1
    along = np.linspace(-half, half, 32 * reach + 1)
    x, y = (reach + along * f(radians(degrees)) for f in (cos, sin))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1))
    for dx in (0, 1):
        for dy in (0, 1):
            column, row = np.floor(x).astype(int) + dx, np.floor(y).astype(int) + dy
            part = (1 - np.abs(x - column)) * (1 - np.abs(y - row))
            inside = (column <= 2 * reach) & (row <= 2 * reach)
            np.add.at(kernel, (row[inside], column[inside]), part[inside])
    return np.asarray(kernel / kernel.sum(), np.float32)
