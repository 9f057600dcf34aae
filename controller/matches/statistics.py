"""What the results of a match say: points, an Elo difference, and how sure that is. Pure numbers.

Games come in pairs: one opening, once with each colour. What is averaged is the points of a pair
(0, 0.5 ... 2: a pentanomial), because its two games are not independent: an opening that favours
one colour brings each player a win. Before the first pair all five are as likely, which counts as
one pair: results that do not vary are not certain. Error bars are those of a normal distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, log10, sqrt

SIGMAS_95 = 1.959964  # of a normal distribution, on either side
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the points that a pair has
PRIOR_PAIRS = 1.0  # with half of one, the intervals of five pairs held 90 % instead of 95
FEWEST_PAIRS = 5


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
    """What pairs of games show, by the points of the first player in each, 0 to 2; None: they are
    too few to tell."""
    if len(pairs) < FEWEST_PAIRS:
        return None
    shares = [points / 2 for points in pairs]
    number = len(shares) + PRIOR_PAIRS
    mean = (sum(shares) + _prior(1)) / number
    squares = (sum(share**2 for share in shares) + _prior(2)) / number
    error = sqrt((squares - mean**2) / (number - 1))
    low, high = mean - SIGMAS_95 * error, mean + SIGMAS_95 * error
    superiority = 0.5 * (1 + erf((mean - 0.5) / error / sqrt(2)))
    return Strength(elo(mean), elo(low), elo(high), superiority)


def _prior(power: int) -> float:
    """What the pairs that nobody has played add to the sum of shares to that power."""
    return PRIOR_PAIRS * sum(share**power for share in SHARES) / len(SHARES)
