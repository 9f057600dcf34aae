"""Scores of calibration steps: the worst finding decides the points and the sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine.sentences import Sentence

GOOD_POINTS = 75  # play is safe
EXCELLENT_POINTS = 90  # no advice is needed


class CalibrationStep(StrEnum):
    """The steps in their order."""

    POSITION = "position"
    FOCUS = "focus"
    LIGHT = "light"
    READING = "reading"


STEPS = tuple(CalibrationStep)


@dataclass(frozen=True, slots=True)
class CalibrationFinding:
    """One property of an image: 0 to 100 points, and advice to improve it."""

    points: int
    advice: Sentence


@dataclass(frozen=True, slots=True)
class StepScore:
    """Points of a step, and advice or praise."""

    step: CalibrationStep
    points: int
    sentence: Sentence

    @property
    def is_good(self) -> bool:
        return self.points >= GOOD_POINTS


def score_step(
    step: CalibrationStep, findings: Iterable[CalibrationFinding], praise: Sentence
) -> StepScore:
    """The worst finding decides; of equal ones the first, so the most urgent comes first."""
    worst = min(findings, key=lambda each: each.points)
    return StepScore(
        step, worst.points, praise if worst.points >= EXCELLENT_POINTS else worst.advice
    )


def interpolate_points(value: float, *curve: tuple[float, float]) -> int:
    """Interpolates points on a curve of (value, points), constant beyond its ends."""
    values, points = zip(*curve, strict=True)
    return round(float(np.interp(value, values, points)))
