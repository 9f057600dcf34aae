"""Thinking time for a move: from the time on a clock to a soft and a hard limit.

At the hard limit the search is stopped. At about the soft limit it begins no further depth:
earlier when the result is stable, later when it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

from engine.search import DECIDED

EXPECTED_TURNS = 30  # still to come
MARGIN_MS = 100.0  # reserve for the communication with the player process
INCREMENT_SHARE = 0.75
HARD_TO_SOFT_RATIO = 4.0
MAX_CLOCK_SHARE = 0.3  # of the clock for one move, if more moves follow
CALM_SHARE = 0.5  # soft limit as a share of `longest_ms`

# Factors of the soft limit.
UNSETTLED_FACTOR, SCORE_DROP_FACTOR, SETTLED_FACTOR = 1.6, 1.5, 0.6
SETTLED_DEPTHS = 4  # depths that agree on the move
SCORE_DROP = 50  # in hundredths of a common piece
USUAL_GROWTH, MIN_GROWTH, MAX_GROWTH = 4.0, 1.5, 8.0  # of the time from one depth to the next


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """The time for one move; without a soft limit all of it is used."""

    hard_ms: float = inf
    soft_ms: float | None = None


def allocate_time(
    remaining_ms: float,
    increment_ms: float = 0.0,
    *,
    turns: int = EXPECTED_TURNS,
    margin_ms: float = MARGIN_MS,
    longest_ms: float = inf,
) -> TimeBudget:
    """The time for a move, from the remaining time and the increment.

    `turns` is the number of moves that the clock must last for: 1 if each move has its own time.
    `longest_ms` limits the time however much is on the clock.
    """
    usable_ms = max(0.0, remaining_ms - margin_ms)
    soft_ms = min(usable_ms / turns + INCREMENT_SHARE * increment_ms, CALM_SHARE * longest_ms)
    share = MAX_CLOCK_SHARE if turns > 1 else 1.0
    hard_ms = min(
        HARD_TO_SOFT_RATIO * soft_ms, share * usable_ms + increment_ms, usable_ms, longest_ms
    )
    return TimeBudget(hard_ms, min(soft_ms, hard_ms))


class SearchedDepth(NamedTuple):
    """A completed search depth: when it ended, and its best move."""

    elapsed_ms: float
    move: Any
    score: int


def should_stop_search(
    within: TimeBudget, depths: Sequence[SearchedDepth], only_move: bool = False
) -> bool:
    """Whether to move now instead of searching one depth more."""
    if within.soft_ms is None or not depths:
        return False
    last = depths[-1]
    if only_move or abs(last.score) > DECIDED:
        return True
    wanted_ms = min(_soft_limit_share(depths) * within.soft_ms, within.hard_ms)
    return last.elapsed_ms >= wanted_ms or last.elapsed_ms + _next_depth_ms(depths) > within.hard_ms


def _soft_limit_share(depths: Sequence[SearchedDepth]) -> float:
    """Factor of the soft limit: larger after a change of move or score, smaller when stable."""
    if len(depths) < 2:
        return 1.0
    before, last = depths[-2:]
    share = 1.0
    if last.move != before.move:
        share *= UNSETTLED_FACTOR
    elif len(depths) >= SETTLED_DEPTHS and all(
        each.move == last.move for each in depths[-SETTLED_DEPTHS:]
    ):
        share *= SETTLED_FACTOR
    if last.score <= before.score - SCORE_DROP:
        share *= SCORE_DROP_FACTOR
    return share


def _next_depth_ms(depths: Sequence[SearchedDepth]) -> float:
    """The expected time of the next depth."""
    ends_ms = [0.0, *(each.elapsed_ms for each in depths)]
    took_ms = [end - begin for begin, end in pairwise(ends_ms)]
    growth = USUAL_GROWTH
    if len(took_ms) > 1 and took_ms[-2] > 0:
        growth = min(MAX_GROWTH, max(MIN_GROWTH, took_ms[-1] / took_ms[-2]))
    return growth * took_ms[-1]
