"""Fits evaluation weights to results of games by logistic regression.

A position's score predicts its game's result. The target combines the real result with the search's
score. Weights of a group are regularised towards their mean, rare ones more. For example, the
weight of a piece on a square where it never stood becomes the mean over all squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.computer.tuning.selfplay import SelfPlayGame
from engine.evaluation import Evaluation

LOGISTIC_SCALE = 160.0  # three of four games are won at this times ln 3
RESULT_WEIGHT = 0.5  # of the result; the rest is the search's score
VALIDATION_EVERY = 10  # every so many games of each setup are held out for validation
GROUP_REGULARIZATION = 3000.0  # strength of the pull to a group's mean
STEPS, LEARNING_RATE = 300, 1.5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Positions as rows of a sparse matrix, with their win probabilities."""

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    coefficients: Floats
    targets: Floats
    is_validation: NDArray[np.bool_]

    def scores(self, weights: Floats) -> Floats:
        weighted = self.coefficients * weights[self.columns]
        return np.asarray(np.bincount(self.rows, weighted, len(self.targets)), np.float64)


@dataclass(frozen=True, slots=True)
class FitResult:
    """Weights, with their losses on training and validation data."""

    weights: tuple[int, ...]
    training_loss: float | None
    validation_loss: float | None  # None: no validation data


def build_training_set(
    game: Any, evaluation: Evaluation, self_play_games: Iterable[SelfPlayGame]
) -> TrainingSet:
    rows: list[int] = []
    columns: list[int] = []
    counts: list[int] = []
    targets: list[float] = []
    is_validation: list[bool] = []
    setups = len(game.setups())
    for each in self_play_games:
        for text, score in each.positions:
            row = len(targets)
            for term, count in evaluation.terms(game.read_position(text)):
                rows.append(row)
                columns.append(term)
                counts.append(count)
            targets.append(
                RESULT_WEIGHT * each.result + (1 - RESULT_WEIGHT) * _win_probability(score)
            )
            is_validation.append(sum(divmod(each.number, setups)) % VALIDATION_EVERY == 0)
    return TrainingSet(
        np.array(rows, np.int32),
        np.array(columns, np.int32),
        np.array(counts, np.float64),
        np.array(targets, np.float64),
        np.array(is_validation, np.bool_),
    )


def cross_entropy(
    training_set: TrainingSet, weights: Sequence[float], validation: bool
) -> float | None:
    """The mean cross entropy; None if there are no such positions."""
    chosen = training_set.is_validation == validation
    if not chosen.any():
        return None
    predicted = np.clip(
        _sigmoid(training_set.scores(np.array(weights, np.float64))[chosen]), 1e-9, 1 - 1e-9
    )
    target = training_set.targets[chosen]
    return float(-np.mean(target * np.log(predicted) + (1 - target) * np.log(1 - predicted)))


def fit_weights(
    evaluation: Evaluation, training_set: TrainingSet, steps: int = STEPS
) -> Iterator[FitResult]:
    """Improve the weights by gradient descent (Adam); yields every 50 steps."""
    numbers = np.array(evaluation.parameters(), np.float64)
    groups = _group_members(evaluation)
    learn = ~training_set.is_validation[training_set.rows]
    count = np.count_nonzero(~training_set.is_validation)
    mean, square = np.zeros_like(numbers), np.zeros_like(numbers)
    for step in range(1, steps + 1):
        error = _sigmoid(training_set.scores(numbers)) - training_set.targets
        weighted = (training_set.coefficients * error[training_set.rows])[learn]
        gradient = np.bincount(training_set.columns[learn], weighted, len(numbers)) / LOGISTIC_SCALE
        for members in groups:
            gradient[members] += (
                GROUP_REGULARIZATION
                * (numbers[members] - numbers[members].mean())
                / LOGISTIC_SCALE**2
            )
        gradient *= LOGISTIC_SCALE / count
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        spread = np.sqrt(square / (1 - 0.99**step)) + 1e-12
        rate = LEARNING_RATE * (1 - 0.9 * step / steps)
        numbers -= rate * mean / (1 - 0.9**step) / spread
        if step % 50 == 0 or step == steps:
            weights = tuple(round(each) for each in _scale_to_unit(evaluation, numbers).tolist())
            yield FitResult(
                weights,
                cross_entropy(training_set, weights, False),
                cross_entropy(training_set, weights, True),
            )


def _group_members(evaluation: Evaluation) -> list[NDArray[np.int64]]:
    names = np.array(evaluation.groups)
    return [np.flatnonzero(names == name) for name in sorted(set(evaluation.groups)) if name]


def _scale_to_unit(evaluation: Evaluation, weights: Floats) -> Floats:
    """Scale weights so that the common piece is worth 100."""
    unit = weights[np.array(evaluation.groups) == evaluation.unit].mean()
    return np.asarray(weights * (100.0 / unit), np.float64)


def _sigmoid(scores: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(scores / LOGISTIC_SCALE, -30, 30))), np.float64)


def _win_probability(score: float) -> float:
    return float(_sigmoid(np.array([score], np.float64))[0])
