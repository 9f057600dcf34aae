"""Statistics of a match: an Elo difference with its error, and the likelihood of superiority.

Games come in pairs: one opening, once with each colour. The points of a pair (0, 0.5 ... 2:
pentanomial) are averaged, because its games are not independent: an opening that favours one colour
gives each player a win. A uniform prior counts as one pair, so that results without variance are
not certain. Errors are those of a normal distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, log10, sqrt

SIGMAS_95 = 1.959964  # two-sided, of a normal distribution
PAIR_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the points of a pair
PRIOR_PAIRS = 1.0  # with 0.5, the intervals of five pairs held 90 % instead of 95
MIN_PAIRS = 5


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """The first player's Elo advantage with a 95 % interval, and the likelihood that it is
    positive."""

    elo: float
    low: float
    high: float
    superiority: float  # 0 to 1: the likelihood of being the better one


def elo_difference(score: float) -> float:
    """The Elo difference at which this share of the points is expected."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def estimate_elo(pair_points: Sequence[float]) -> EloEstimate | None:
    """Estimate Elo from the first player's points in each pair, 0 to 2; None: too few pairs."""
    if len(pair_points) < MIN_PAIRS:
        return None
    shares = [points / 2 for points in pair_points]
    number = len(shares) + PRIOR_PAIRS
    mean = (sum(shares) + _prior_sum(1)) / number
    squares = (sum(share**2 for share in shares) + _prior_sum(2)) / number
    error = sqrt((squares - mean**2) / (number - 1))
    low, high = mean - SIGMAS_95 * error, mean + SIGMAS_95 * error
    superiority = 0.5 * (1 + erf((mean - 0.5) / error / sqrt(2)))
    return EloEstimate(elo_difference(mean), elo_difference(low), elo_difference(high), superiority)


def _prior_sum(power: int) -> float:
    """The prior's contribution to the sum of shares to this power."""
    return PRIOR_PAIRS * sum(share**power for share in PAIR_SHARES) / len(PAIR_SHARES)
