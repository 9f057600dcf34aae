"""How long to think over a move: from the time on a clock to a soft and a hard limit.

Pure numbers. The hard limit is when the search is stopped, whatever it is doing; the soft one is
about when it should begin nothing new, sooner where all is clear, later where it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

from engine.search import DECIDED

TURNS = 30  # that a game is expected to go on for
MARGIN_MS = 100.0  # kept back on the clock, for the way to the player and back
SHARE_OF_INCREMENT = 0.75
STRETCH = 4.0  # the hard limit, in soft ones
MOST_OF_CLOCK = 0.3  # that one move may take, where more moves are to come
CALM_SHARE = 0.5  # of the longest that a player may think: what it takes where all is calm

UNSETTLED, FALLEN, SETTLED = 1.6, 1.5, 0.6  # what a soft limit is multiplied by
SETTLED_FOR = 4  # depths that agree on the move
FALL = 50  # by which a score drops, in hundredths of a common piece
USUAL_GROWTH, LEAST_GROWTH, MOST_GROWTH = 4.0, 1.5, 8.0  # of a depth's time from one to the next


@dataclass(frozen=True, slots=True)
class Budget:
    """The time for one move; without a soft limit, all of it is used."""

    hard_ms: float = inf
    soft_ms: float | None = None


def budget(
    remaining_ms: float,
    increment_ms: float = 0.0,
    *,
    turns: int = TURNS,
    margin_ms: float = MARGIN_MS,
    longest_ms: float = inf,
) -> Budget:
    """The time for a move, with so much on the clock, and so much more after every move.

    `turns` is how many moves the clock is for: 1 where every move has its own time. `longest_ms`
    is what a move takes at most, be there ever so much.
    """
    usable_ms = max(0.0, remaining_ms - margin_ms)
    soft_ms = min(usable_ms / turns + SHARE_OF_INCREMENT * increment_ms, CALM_SHARE * longest_ms)
    share = MOST_OF_CLOCK if turns > 1 else 1.0
    hard_ms = min(STRETCH * soft_ms, share * usable_ms + increment_ms, usable_ms, longest_ms)
    return Budget(hard_ms, min(soft_ms, hard_ms))


class Depth(NamedTuple):
    """A depth that was searched to its end: when, and what it has found."""

    elapsed_ms: float
    move: Any
    score: int


def is_enough(within: Budget, depths: Sequence[Depth], only_move: bool = False) -> bool:
    """Whether to move now rather than look a turn deeper."""
    if within.soft_ms is None or not depths:
        return False
    last = depths[-1]
    if only_move or abs(last.score) > DECIDED:
        return True
    wanted_ms = min(_share(depths) * within.soft_ms, within.hard_ms)
    return last.elapsed_ms >= wanted_ms or last.elapsed_ms + _next_ms(depths) > within.hard_ms


def _share(depths: Sequence[Depth]) -> float:
    """Of the soft limit: more where the last depth has changed something, less where none has."""
    if len(depths) < 2:
        return 1.0
    before, last = depths[-2:]
    share = 1.0
    if last.move != before.move:
        share *= UNSETTLED
    elif len(depths) >= SETTLED_FOR and all(
        each.move == last.move for each in depths[-SETTLED_FOR:]
    ):
        share *= SETTLED
    if last.score <= before.score - FALL:
        share *= FALLEN
    return share


def _next_ms(depths: Sequence[Depth]) -> float:
    """What the next depth will take, going by those before."""
    ends_ms = [0.0, *(each.elapsed_ms for each in depths)]
    took_ms = [end - begin for begin, end in pairwise(ends_ms)]
    growth = USUAL_GROWTH
    if len(took_ms) > 1 and took_ms[-2] > 0:
        growth = min(MOST_GROWTH, max(LEAST_GROWTH, took_ms[-1] / took_ms[-2]))
    return growth * took_ms[-1]
