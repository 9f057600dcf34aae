"""Elo, its error bars and the likelihood of superiority, against numbers computed by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations_with_replacement, product
from math import factorial, inf, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.computer.match.statistics import MIN_PAIRS, elo_difference, estimate_elo

many_pairs = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=MIN_PAIRS, max_size=60)


@pytest.mark.parametrize(
    ("score", "difference"),
    [
        (0.5, 0.0),
        (0.75, 190.8485),  # 400 log10(3)
        (10 / 11, 400.0),  # ten to one
        (1 / 11, -400.0),
        (0.64, 99.9509),
        (1.0, inf),
        (0.0, -inf),
    ],
)
def test_an_elo_difference_is_that_of_the_expected_share(score: float, difference: float) -> None:
    assert elo_difference(score) == pytest.approx(difference, abs=1e-3)


def test_error_bars_are_those_of_the_average_of_pairs() -> None:
    """Five pairs and one that is 0, 1/4, 1/2, 3/4 and 1 at a fifth each: shares sum up to 4.5,
    their squares to 3.875; mean 0.75, variance 0.645833 - 0.5625 = 0.083333, standard error
    sqrt(0.083333 / 5) = 0.129099: from 0.49697 to above 1; 1.93649 errors above one half."""
    found = estimate_elo([2, 2, 2, 1, 1])
    assert found is not None
    assert found.elo == pytest.approx(190.8485, abs=1e-3)
    assert found.low == pytest.approx(-2.107, abs=0.01)
    assert found.high == inf
    assert found.superiority == pytest.approx(0.973597, abs=1e-5)


def test_the_statistics_of_a_known_match_are_right() -> None:
    """Shares sum up to 53.75 + 0.5, their squares to 0 + 1.25 + 7.5 + 14.0625 + 15 + 0.375 =
    38.1875: mean 54.25 / 101 = 0.5371287, variance 38.1875 / 101 - mean ** 2 = 0.0895868, standard
    error sqrt(0.0895868 / 100) = 0.0299310."""
    pairs = [0.0] * 10 + [0.5] * 20 + [1.0] * 30 + [1.5] * 25 + [2.0] * 15
    found = estimate_elo(pairs)
    assert found is not None
    assert found.elo == pytest.approx(elo_difference(0.5371287), abs=0.01)
    assert found.low == pytest.approx(elo_difference(0.5371287 - 1.959964 * 0.0299310), abs=0.01)
    assert found.high == pytest.approx(elo_difference(0.5371287 + 1.959964 * 0.0299310), abs=0.01)
    assert found.superiority == pytest.approx(0.89262, abs=1e-4)


@pytest.mark.parametrize("points", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_equal_pairs_have_a_nonzero_error(points: float) -> None:
    found = estimate_elo([points] * MIN_PAIRS)
    assert found is not None
    assert found.low < found.elo < found.high
    assert 0 < found.superiority < 1
    assert found.elo == pytest.approx(0) if points == 1 else (found.elo > 0) == (points > 1)


def test_a_match_won_completely_has_a_finite_lower_bound() -> None:
    """20 pairs are 40 games. A player that expects less than 0.9119 of a game wins them all in less
    than 2.5 % of matches; the interval begins near there."""
    won, lost = estimate_elo([2.0] * 20), estimate_elo([0.0] * 20)
    assert won is not None
    assert lost is not None
    assert won.low == pytest.approx(elo_difference(0.9119), abs=25)
    assert won.high == inf
    assert lost.low == -inf
    assert lost.high == pytest.approx(-won.low)


def test_too_few_pairs_have_no_interval() -> None:
    for number in range(MIN_PAIRS):
        assert estimate_elo([1.5] * number) is None
    assert estimate_elo([1.5] * MIN_PAIRS) is not None


@pytest.mark.parametrize("score", [0.5, 0.6, 0.75, 0.9])
@pytest.mark.parametrize("drawn", [0.0, 0.15])
def test_the_interval_contains_the_true_value_in_about_95_percent(
    score: float, drawn: float
) -> None:
    """Every possible match of five pairs, with its probability."""
    game = {0.0: 1 - score - drawn / 2, 0.5: drawn, 1.0: score - drawn / 2}
    pair = defaultdict[float, float](float)
    for (one, often), (other, so_often) in product(game.items(), repeat=2):
        pair[one + other] += often * so_often
    held = 0.0
    for pairs in combinations_with_replacement(sorted(pair), MIN_PAIRS):
        found = estimate_elo(pairs)
        assert found is not None
        if found.low <= elo_difference(score) <= found.high:
            ways = factorial(len(pairs)) / prod(map(factorial, Counter(pairs).values()))
            held += ways * prod(pair[points] for points in pairs)
    assert held >= 0.93


@given(many_pairs)
def test_likelihood_and_interval_agree(pairs: list[float]) -> None:
    found = estimate_elo(pairs)
    assert found is not None
    assert (found.superiority > 0.975) == (found.low > 0)
    assert (found.superiority < 0.025) == (found.high < 0)


@given(many_pairs)
def test_the_other_player_has_the_negated_result(pairs: list[float]) -> None:
    ours, theirs = estimate_elo(pairs), estimate_elo([2 - points for points in pairs])
    assert ours is not None
    assert theirs is not None
    assert ours.low <= ours.elo <= ours.high
    assert (theirs.low, theirs.high) == pytest.approx((-ours.high, -ours.low), abs=1e-6)
    assert ours.superiority + theirs.superiority == pytest.approx(1)
