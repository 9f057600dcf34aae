"""The difficulty of the simulated camera, measured with plain OpenCV.

A plain detector's scores on images like these are known. An easier renderer would flatter every
reader, a harder one would measure nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import mean

import cv2
import numpy as np
import pytest

from engine.grid import SquareGrid
from vision.board import PhysicalBoard
from vision.scene import SCENARIOS, build_scenario
from vision.tags import dictionary

BOARD = PhysicalBoard("test", SquareGrid(10, 8))
LOW, HIGH = (1280, 720), (1920, 1080)
# Percent of the visible tags that `detectMarkers` finds with default parameters.
KNOWN = {"motion_10": 12, "defocus_3": 19, "very_dim": 48, "strong_glare": 84, "mixed_hi": 36}
OVERALL = (80.0, 87.0)
TOLERANCE = 10.0


def recall(
    names: Iterable[str], seeds: Iterable[int], sizes: Iterable[tuple[int, int]]
) -> Mapping[str, float]:
    """Percent of tags found, by scenario.

    The loop over seeds is the outer one, because the scenarios of a seed share a camera.
    """
    detector = cv2.aruco.ArucoDetector(dictionary())
    names, seeds = list(names), list(seeds)
    found, visible = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for size in sizes:
        for seed in seeds:
            for name in names:
                staged = build_scenario(name, BOARD, seed, size)
                _, ids, _ = detector.detectMarkers(cv2.cvtColor(staged.frame, cv2.COLOR_BGR2GRAY))
                read = set() if ids is None else set(np.ravel(ids).tolist())
                there = {seen.tag for seen in staged.truth.tags if seen.visible}
                found[name] += len(there & read)
                visible[name] += len(there)
    return {name: 100 * found[name] / visible[name] for name in names}


@pytest.mark.slow
def test_hard_scenarios_have_the_measured_recall() -> None:
    measured = recall(KNOWN, range(500, 508), [LOW])
    for name, expected in KNOWN.items():
        assert measured[name] == pytest.approx(expected, abs=TOLERANCE + 5), measured


def test_plain_opencv_reads_an_ordinary_image() -> None:
    ordinary = ("plain", "noise_12", "jpeg_30", "dim", "leds_24", "placement", "tilt_35")
    assert min(recall(ordinary, range(500, 502), [LOW]).values()) > 95


@pytest.mark.slow
def test_all_scenarios_together_have_the_measured_recall() -> None:
    measured = recall(SCENARIOS, range(1000, 1006), [LOW, HIGH])
    low, high = OVERALL
    assert low < mean(measured.values()) < high, measured
    for name, expected in KNOWN.items():
        assert measured[name] == pytest.approx(expected, abs=TOLERANCE), measured
