"""Elo, its error bars and the likelihood of superiority, against numbers worked out by hand."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.matches.statistics import elo, strength

many_pairs = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=2, max_size=60)


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
    assert elo(score) == pytest.approx(difference, abs=1e-3)


def test_error_bars_are_those_of_the_average_of_pairs() -> None:
    """Shares 1, 1, 0.5, 0.5: mean 0.75, variance 1/12, standard error sqrt(1/48) = 0.14434, so
    0.75 +- 0.28289: from 0.46711 to above 1; 1.7321 errors above one half."""
    found = strength([2, 2, 1, 1])
    assert found is not None
    assert found.elo == pytest.approx(190.8485, abs=1e-3)
    assert found.low == pytest.approx(-22.887, abs=0.01)
    assert found.high == inf
    assert found.superiority == pytest.approx(0.958368, abs=1e-5)


def test_a_hundred_pairs_of_a_known_match() -> None:
    """Shares sum up to 53.75, their squares to 0 + 1.25 + 7.5 + 14.0625 + 15 = 37.8125: variance
    (37.8125 - 53.75 ** 2 / 100) / 99 = 0.0901200, standard error 0.0300200."""
    pairs = [0.0] * 10 + [0.5] * 20 + [1.0] * 30 + [1.5] * 25 + [2.0] * 15
    found = strength(pairs)
    assert found is not None
    assert found.elo == pytest.approx(26.107, abs=0.01)
    assert found.low == pytest.approx(elo(0.5375 - 1.959964 * 0.0300200), abs=0.01)
    assert found.high == pytest.approx(elo(0.5375 + 1.959964 * 0.0300200), abs=0.01)
    assert found.superiority == pytest.approx(0.89420, abs=1e-4)


def test_a_match_that_is_all_won_is_not_certain() -> None:
    """20 pairs in a row: below 0.025 ** (1/20) = 0.83156 that is less likely than 2.5 %."""
    won, lost = strength([2.0] * 20), strength([0.0] * 20)
    assert won is not None
    assert lost is not None
    assert (won.elo, won.high, won.superiority) == (inf, inf, 1.0)
    assert won.low == pytest.approx(elo(0.83156), abs=0.1)
    assert (lost.elo, lost.low, lost.superiority) == (-inf, -inf, 0.0)
    assert lost.high == pytest.approx(-won.low)


def test_too_little_says_nothing() -> None:
    assert strength([]) is None
    one = strength([2.0])
    assert one is not None
    assert (one.low, one.high, one.superiority) == (-inf, inf, 0.5)
    equal = strength([1.0] * 10)
    assert equal is not None
    assert (equal.elo, equal.superiority) == (0, 0.5)


@given(many_pairs)
def test_the_other_player_is_as_much_worse(pairs: list[float]) -> None:
    ours, theirs = strength(pairs), strength([2 - points for points in pairs])
    assert ours is not None
    assert theirs is not None
    assert ours.low <= ours.elo <= ours.high
    assert (theirs.low, theirs.high) == pytest.approx((-ours.high, -ours.low), abs=1e-6)
    assert ours.superiority + theirs.superiority == pytest.approx(1)
