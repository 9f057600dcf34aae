"""Patterns of tags to correlate with camera images.

An *outline* is the white edge and black border of any tag at one place and angle in a cell; it
locates a cap. A *print* is one tag in one of four quarter turns at one blur; it identifies the tag.
Patterns have mean 0 and length 1, so a dot product is a correlation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin

import cv2
import numpy as np
import numpy.typing as npt

from vision.tags import MODULES, modules

Floats = npt.NDArray[np.float32]

PATCH = 32  # samples a side of a cell's patch; outlines are searched at half of that
COARSE = PATCH // 2
EDGE = PATCH // 6  # samples at a patch's edge that may show neighbours
BLOCKS = 8  # blocks a side of a cell's middle: enough to average out noise
PRINT = 12  # samples a side of a print
PRINT_MODULES = 8.2  # width of a print: the tag and some of the white around it
SAMPLES_PER_MODULE = 12  # resolution at which patterns are drawn
FLATTEN_TAGS = 0.42  # of a tag's width: neighbourhood for local contrast
# Standard deviation of the blur in modules: sharp, slightly and badly out of focus.
BLURS = (0.2, 0.5, 0.85)
SMEAR = 1.5  # modules of camera motion during an exposure
SMEAR_DIRECTIONS = 4


@dataclass(frozen=True, slots=True)
class OutlinePatterns:
    """Outlines for the coarse patch, one per row, and the pose of each."""

    patterns: Floats  # poses x (COARSE * COARSE)
    poses: Floats  # dx, dy in millimetres, clockwise degrees


@cache
def outline_patterns(
    tag_mm: float, cap_mm: float, patch_mm: float, reach_mm: float, reach_degrees: float
) -> OutlinePatterns:
    """Outlines at every place within `reach_mm` of the centre and every angle within
    `reach_degrees`."""
    step_mm, step_degrees = 0.08 * tag_mm, 8.0
    steps = round(reach_mm / step_mm)
    turns = round(reach_degrees / step_degrees)
    spacing = patch_mm / COARSE
    fine = 3
    axis = ((np.arange(COARSE * fine) + 0.5) / fine - COARSE / 2) * spacing
    x, y = np.meshgrid(axis, axis)
    half_tag, module = tag_mm / 2, tag_mm / MODULES
    half_white = min(cap_mm / 2, half_tag + module)
    patterns, poses = [], []
    for turn in range(-turns, turns + 1):
        angle = turn * step_degrees
        for down in range(-steps, steps + 1):
            for right in range(-steps, steps + 1):
                dx, dy = right * step_mm, down * step_mm
                u, v = _rotate(x - dx, y - dy, -angle)
                out = np.maximum(abs(u), abs(v))
                white = (out > half_tag) & (out < half_white)
                black = (out < half_tag) & (out > half_tag - module)
                drawn = white / white.sum() - black / black.sum()
                patterns.append(
                    cv2.resize(drawn, (COARSE, COARSE), interpolation=cv2.INTER_AREA).ravel()
                )
                poses.append((dx, dy, angle))
    return OutlinePatterns(_unit(np.array(patterns)), np.array(poses, np.float32))


@cache
def print_patterns(tags: tuple[int, ...]) -> Floats:
    """Patterns by (blur, tag, quarter turn): the `BLURS` first, then the smears."""
    smeared = [
        _print(tag, turn, kernel)
        for kernel in _smear_kernels()
        for tag in tags
        for turn in range(4)
    ]
    patterns = _unit(np.stack(smeared).reshape(len(smeared), -1))
    smears = patterns.reshape(SMEAR_DIRECTIONS, len(tags), 4, PRINT * PRINT)
    return np.concatenate([blurred_print_patterns(tags), smears])


@cache
def blurred_print_patterns(tags: tuple[int, ...]) -> Floats:
    """Patterns without smears: blur is symmetric, so a rotated tag is a rotated print."""
    drawn = [
        np.rot90(upright, -turn)
        for blur in BLURS
        for tag in tags
        for upright in [_print(tag, 0, _gauss(blur * SAMPLES_PER_MODULE))]
        for turn in range(4)
    ]
    patterns = _unit(np.stack(drawn).reshape(len(drawn), -1))
    return patterns.reshape(len(BLURS), len(tags), 4, PRINT * PRINT)


@cache
def print_grid(tag_mm: float) -> Floats:
    """The samples of a print on the tag, in millimetres: (PRINT * PRINT, 2)."""
    side = PRINT_MODULES / MODULES * tag_mm
    axis = ((np.arange(PRINT) + 0.5) / PRINT - 0.5) * side
    x, y = np.meshgrid(axis, axis)
    return np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32)


def flatten(grey: Floats | npt.NDArray[np.uint8], window: int, floor: float) -> Floats:
    """Normalise every point by the mean and spread of its neighbourhood, so that reflections and
    shadow edges do not outweigh the print. `floor` is added to the spread."""
    mean = np.asarray(cv2.boxFilter(grey, cv2.CV_32F, (window, window)), np.float32)
    spread = np.asarray(cv2.sqrBoxFilter(grey, cv2.CV_32F, (window, window)), np.float32)
    spread -= mean * mean
    np.maximum(spread, 0, out=spread)
    spread += floor * floor
    flat = np.subtract(grey, mean, out=mean)
    flat /= np.sqrt(spread, out=spread)
    return flat


def normalise(rows: Floats) -> Floats:
    """Rows with mean 0 and length 1. A row without contrast becomes zero."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("ij,ij->i", centred, centred))
    return np.asarray(centred / np.maximum(length, 1e-6)[:, None], np.float32)


def _print(tag: int, turn: int, kernel: Floats) -> Floats:
    # A camera moves along the image, not along the tag: rotate the tag, then smear it.
    edge = 2  # white modules around the tag: blur mixes them in
    sharp = np.pad(np.rot90(modules(tag), -turn).astype(np.float32), edge, constant_values=1.0)
    large = np.kron(sharp, np.ones((SAMPLES_PER_MODULE, SAMPLES_PER_MODULE), np.float32))
    blurred = cv2.filter2D(large, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    window = round(FLATTEN_TAGS * MODULES * SAMPLES_PER_MODULE)
    blurred = flatten(np.asarray(blurred, np.float32), window, 0.06)
    side = PRINT_MODULES * SAMPLES_PER_MODULE
    axis = ((np.arange(PRINT) + 0.5) / PRINT - 0.5) * side + large.shape[0] / 2 - 0.5
    x, y = np.meshgrid(axis.astype(np.float32), axis.astype(np.float32))
    return np.asarray(cv2.remap(blurred, x, y, cv2.INTER_LINEAR), np.float32)


def _gauss(sigma: float) -> Floats:
    line = cv2.getGaussianKernel(2 * round(3 * sigma) + 1, sigma, cv2.CV_32F)
    return np.asarray(line @ line.T, np.float32)


def _smear_kernels() -> list[Floats]:
    length = SMEAR * SAMPLES_PER_MODULE
    side = 2 * round(length) + 1
    kernels = []
    for index in range(SMEAR_DIRECTIONS):
        angle = radians(180 * index / SMEAR_DIRECTIONS)
        kernel = np.zeros((side, side), np.float32)
        for along in np.linspace(-length / 2, length / 2, 4 * side):
            x, y = side // 2 + along * cos(angle), side // 2 + along * sin(angle)
            kernel[round(y), round(x)] += 1
        soft = np.asarray(cv2.GaussianBlur(kernel, (0, 0), 0.35 * SAMPLES_PER_MODULE), np.float32)
        kernels.append(soft / soft.sum())
    return kernels


def _rotate(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], degrees: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Points rotated clockwise, with y down."""
    turn = radians(degrees)
    return x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)


def _unit(patterns: npt.NDArray[np.floating]) -> Floats:
    centred = patterns - patterns.mean(axis=1, keepdims=True)
    return np.asarray(centred / np.linalg.norm(centred, axis=1, keepdims=True), np.float32)
