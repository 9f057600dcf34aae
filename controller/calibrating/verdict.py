"""Points and sentences: every step is as good as the worst that was found about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

GOOD = 75  # points from which play is safe
FINE = 90  # points from which there is nothing left to say


class Step(StrEnum):
    """What is looked after, one after the other."""

    POSITION = "position"
    FOCUS = "focus"
    LIGHT = "light"
    READING = "reading"


STEPS = tuple(Step)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was judged: 0 to 100, and what to do where that is not enough."""

    points: int
    advice: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a step stands, and the one sentence to tell."""

    step: Step
    points: int
    sentence: str

    @property
    def good(self) -> bool:
        return self.points >= GOOD


def verdict(step: Step, findings: Iterable[Finding], praise: str) -> Verdict:
    """The worst finding decides; of equals the first, so the most urgent ones go first."""
    worst = min(findings, key=lambda each: each.points)
    return Verdict(step, worst.points, praise if worst.points >= FINE else worst.advice)


def points(value: float, *curve: tuple[float, float]) -> int:
    """Points by a curve through these (value, points), level beyond its ends."""
    values, worth = zip(*curve, strict=True)
    return round(float(np.interp(value, values, worth)))


def some(names: list[str], most: int = 3) -> str:
    """`a1, b2 and c3`, or `a1, b2, c3 and 4 more`."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last
