"""Time budgets: soft and hard limits for a move, computed from the clock."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.session.time_budget import (
    MARGIN_MS,
    SearchedDepth,
    TimeBudget,
    allocate_time,
    should_stop_search,
)
from engine.search import WIN

times = st.floats(0, 24 * 3_600_000)
increments = st.floats(0, 60_000)


@given(times, increments, st.integers(1, 60))
def test_a_move_never_takes_the_whole_clock(
    remaining_ms: float, increment_ms: float, turns: int
) -> None:
    within = allocate_time(remaining_ms, increment_ms, turns=turns)
    assert within.soft_ms is not None
    assert 0 <= within.soft_ms <= within.hard_ms <= max(0.0, remaining_ms - MARGIN_MS)


@given(st.floats(MARGIN_MS, 3_600_000), increments, st.floats(0, MARGIN_MS))
def test_thinking_to_the_hard_limit_with_late_answers_leaves_time_on_the_clock(
    remaining_ms: float, increment_ms: float, late_ms: float
) -> None:
    """As long as there is time: repeated maximum lateness uses it up in the end."""
    for _ in range(200):
        within = allocate_time(remaining_ms, increment_ms)
        took_ms = within.hard_ms + late_ms
        if within.hard_ms > 0:
            assert took_ms <= remaining_ms + 1e-6
        remaining_ms = remaining_ms - took_ms + increment_ms
        if remaining_ms < MARGIN_MS:
            break


@pytest.mark.parametrize(
    ("remaining_ms", "increment_ms", "soft_ms", "hard_ms"),
    [
        (60_100, 0, 2000, 8000),
        (60_100, 4000, 5000, 20_000),
        (3100, 0, 100, 400),
        (3100, 60_000, 3000, 3000),
        (100, 0, 0, 0),
        (0, 0, 0, 0),
        (-50, 0, 0, 0),
    ],
)
def test_a_clock_is_divided_among_the_remaining_moves(
    remaining_ms: float, increment_ms: float, soft_ms: float, hard_ms: float
) -> None:
    within = allocate_time(remaining_ms, increment_ms)
    assert (within.soft_ms, within.hard_ms) == pytest.approx((soft_ms, hard_ms))


def test_a_time_per_move_is_used_for_that_move_up_to_the_maximum() -> None:
    assert allocate_time(5100, turns=1) == TimeBudget(5000, 5000)
    assert allocate_time(inf, longest_ms=10_000) == TimeBudget(10_000, 5000)


# -- within the limits -------------------------------------------------------------------------

WITHIN = TimeBudget(hard_ms=4000, soft_ms=1000)


def depths(*rows: tuple[float, str, int]) -> list[SearchedDepth]:
    return [SearchedDepth(*each) for each in rows]


def test_without_a_soft_limit_all_time_is_used() -> None:
    assert not should_stop_search(TimeBudget(1000), depths((999, "a", 0)), only_move=True)


def test_an_only_move_and_a_decided_game_take_no_time() -> None:
    assert should_stop_search(WITHIN, depths((1, "a", 0)), only_move=True)
    assert should_stop_search(WITHIN, depths((1, "a", WIN - 5)))
    assert should_stop_search(WITHIN, depths((1, "a", 6 - WIN)))
    assert not should_stop_search(WITHIN, depths((1, "a", 0)))
    assert not should_stop_search(WITHIN, [], only_move=True)


def test_a_depth_that_will_not_finish_is_not_started() -> None:
    """Each depth takes `growth` times as long as the depth before."""
    # 5 times: at 3100 ms.
    assert not should_stop_search(WITHIN, depths((100, "a", 0), (600, "a", 0)))
    # 7 times: not before 5700 ms.
    assert should_stop_search(WITHIN, depths((100, "a", 0), (800, "a", 0)))


def test_the_soft_limit_is_shorter_if_depths_agree_and_longer_if_not() -> None:
    before = [(10.0, "a", 0), (20.0, "a", 0), (300.0, "a", 0)]

    def ends(last: tuple[float, str, int]) -> bool:
        return should_stop_search(TimeBudget(inf, 1000), depths(*before, last))

    assert not ends((599, "a", 0))
    assert ends((601, "a", 0)), "the same move four times"
    assert not ends((1599, "b", 0))
    assert ends((1601, "b", 0)), "another move: longer"
    assert not ends((899, "a", -50))
    assert ends((901, "a", -50)), "the same, but it is worse than it seemed"
    assert not ends((2399, "b", -50))
    assert ends((2401, "b", -50))


def test_the_first_depth_is_measured_by_the_soft_limit() -> None:
    assert not should_stop_search(TimeBudget(inf, 1000), depths((999, "a", 0)))
    assert should_stop_search(TimeBudget(inf, 1000), depths((1000, "a", 0)))
