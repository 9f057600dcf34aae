"""The numbers of a judgement that explain best how games ended: logistic regression.

A position's score says how likely its game is won; what really happened, and what the search saw
from there, say how likely it was. Numbers of a group are held together, the more so the less often
they count: a piece on a square where it never stood is worth what it is worth elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.tuning.selfplay import Played
from engine.judging import Judgement

SCALE = 160.0  # a score at which three of four games are won is about this times ln 3
TRUST = 0.5  # in the result; the rest in what the search saw
HELD_BACK = 10  # every so many games of each setup are not learnt from, but only told apart
HOLD = 3000.0  # how strongly a group holds its numbers together
STEPS, RATE = 300, 1.5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lessons:
    """Positions as rows of a sparse matrix, with how likely each is won."""

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    times: Floats
    targets: Floats
    held_back: NDArray[np.bool_]

    def scores(self, numbers: Floats) -> Floats:
        weighted = self.times * numbers[self.columns]
        return np.asarray(np.bincount(self.rows, weighted, len(self.targets)), np.float64)


@dataclass(frozen=True, slots=True)
class Fit:
    """Numbers, and how well they explain what was learnt from and what was held back."""

    numbers: tuple[int, ...]
    learnt: float | None
    held_back: float | None  # None: nothing was


def lessons(game: Any, judgement: Judgement, played: Iterable[Played]) -> Lessons:
    rows: list[int] = []
    columns: list[int] = []
    times: list[int] = []
    targets: list[float] = []
    held: list[bool] = []
    setups = len(game.setups())
    for each in played:
        for text, score in each.positions:
            row = len(targets)
            for which, often in judgement.terms(game.read_position(text)):
                rows.append(row)
                columns.append(which)
                times.append(often)
            targets.append(TRUST * each.result + (1 - TRUST) * _likely(score))
            held.append(sum(divmod(each.number, setups)) % HELD_BACK == 0)
    return Lessons(
        np.array(rows, np.int32),
        np.array(columns, np.int32),
        np.array(times, np.float64),
        np.array(targets, np.float64),
        np.array(held, np.bool_),
    )


def loss(given: Lessons, numbers: Sequence[float], held_back: bool) -> float | None:
    """The mean surprise (cross entropy) at what happened; None: there is no such position."""
    chosen = given.held_back == held_back
    if not chosen.any():
        return None
    likely = np.clip(_sigmoid(given.scores(np.array(numbers, np.float64))[chosen]), 1e-9, 1 - 1e-9)
    target = given.targets[chosen]
    return float(-np.mean(target * np.log(likely) + (1 - target) * np.log(1 - likely)))


def fit(judgement: Judgement, given: Lessons, steps: int = STEPS) -> Iterator[Fit]:
    """Better and better numbers, by gradient descent (Adam); yields now and then."""
    numbers = np.array(judgement.numbers(), np.float64)
    groups = _members(judgement)
    learn = ~given.held_back[given.rows]
    count = np.count_nonzero(~given.held_back)
    mean, square = np.zeros_like(numbers), np.zeros_like(numbers)
    for step in range(1, steps + 1):
        surprise = _sigmoid(given.scores(numbers)) - given.targets
        weighted = (given.times * surprise[given.rows])[learn]
        slope = np.bincount(given.columns[learn], weighted, len(numbers)) / SCALE
        for members in groups:
            slope[members] += HOLD * (numbers[members] - numbers[members].mean()) / SCALE**2
        slope *= SCALE / count
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        grown = np.sqrt(square / (1 - 0.99**step)) + 1e-12
        rate = RATE * (1 - 0.9 * step / steps)
        numbers -= rate * mean / (1 - 0.9**step) / grown
        if step % 50 == 0 or step == steps:
            whole = tuple(round(each) for each in _in_units(judgement, numbers).tolist())
            yield Fit(whole, loss(given, whole, False), loss(given, whole, True))


def _members(judgement: Judgement) -> list[NDArray[np.int64]]:
    names = np.array(judgement.groups)
    return [np.flatnonzero(names == name) for name in sorted(set(judgement.groups)) if name]


def _in_units(judgement: Judgement, numbers: Floats) -> Floats:
    """So that the common piece is worth a hundred."""
    unit = numbers[np.array(judgement.groups) == judgement.unit].mean()
    return np.asarray(numbers * (100.0 / unit), np.float64)


def _sigmoid(scores: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(scores / SCALE, -30, 30))), np.float64)


def _likely(score: float) -> float:
    return float(_sigmoid(np.array([score], np.float64))[0])
