"""What the results of a match say: points, an Elo difference, and how sure that is. Pure numbers.

Games come in pairs: one opening, once with each colour. What is averaged is the points of a pair
(0, 0.5 ... 2: a pentanomial), because its two games are not independent: an opening that favours
one colour brings each player a win. Error bars are those of a normal distribution of that average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, log10, sqrt

SIGMAS_95 = 1.959964  # of a normal distribution, on either side


@dataclass(frozen=True, slots=True)
class Strength:
    """How much better the first is: Elo points with a 95 % interval, and how likely that it is."""

    elo: float
    low: float
    high: float
    superiority: float  # 0 to 1: the likelihood of being the better one


def elo(score: float) -> float:
    """The Elo difference at which that share of the points is expected."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def strength(pairs: Sequence[float]) -> Strength | None:
    """What pairs of games show, by the points of the first player in each, 0 to 2."""
    if not pairs:
        return None
    shares = [points / 2 for points in pairs]
    mean = sum(shares) / len(shares)
    if len(pairs) < 2:
        return Strength(elo(mean), -inf, inf, 0.5)
    variance = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
    error = sqrt(variance / len(shares))
    low, high = mean - SIGMAS_95 * error, mean + SIGMAS_95 * error
    if mean in (0.0, 1.0):
        # Nothing varies, and yet it is not certain. A player who takes less than this share of
        # pairs would show such a row of them in less than 2.5 % of matches.
        least = 0.025 ** (1 / len(pairs))
        low, high = (least, 1.0) if mean else (0.0, 1 - least)
    return Strength(elo(mean), elo(low), elo(high), _superiority(mean, error))


def _superiority(mean: float, error: float) -> float:
    ahead = mean - 0.5
    if error == 0:
        return 0.5 if ahead == 0 else float(ahead > 0)
    return 0.5 * (1 + erf(ahead / error / sqrt(2)))
