"""Computes the standings: results in, ranked rows out.

A win is 1 point, a draw half a point. Ties are broken by Sonneborn-Berger (the points of beaten
opponents plus half the points of drawn ones), then by the number of wins; players that are equal
in all three share a rank. Points are counted in halves, so that nothing is rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.tournament.messages import normalize_name

HALF_POINTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1)}


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """One result; `first` had the first move, `1-0` is a win of `first`."""

    first: str
    second: str
    result: str


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player's row."""

    rank: int
    name: str
    played: int
    wins: int
    draws: int
    losses: int
    half_points: int  # points, in halves
    sonneborn_berger_quarters: int  # Sonneborn-Berger, in quarters

    @property
    def points(self) -> str:
        return format_fraction(self.half_points, 2)

    @property
    def sonneborn_berger(self) -> str:
        return format_fraction(self.sonneborn_berger_quarters, 4)


def compute_standings(
    players: Sequence[str], games: Iterable[ScoredGame]
) -> tuple[StandingsRow, ...]:
    """Rows for all listed players and all others with a game; games against oneself are ignored."""
    names: dict[str, str] = {normalize_name(name): name for name in players}
    scores: dict[str, list[tuple[str, int]]] = defaultdict(list)  # opponent, half points
    for game in games:
        one, other = normalize_name(game.first), normalize_name(game.second)
        if game.result not in HALF_POINTS or one == other:
            continue
        names.setdefault(one, game.first)
        names.setdefault(other, game.second)
        points = HALF_POINTS[game.result]
        scores[one].append((other, points[0]))
        scores[other].append((one, points[1]))
    halves = {key: sum(score for _, score in scores[key]) for key in names}
    quarters = {
        key: sum(score * halves[opponent] for opponent, score in scores[key]) for key in names
    }
    wins = {key: sum(score == 2 for _, score in scores[key]) for key in names}

    def order(key: str) -> tuple[int, int, int]:
        return -halves[key], -quarters[key], -wins[key]

    ordered = sorted(names, key=lambda key: (*order(key), key))
    rows: list[StandingsRow] = []
    for number, key in enumerate(ordered, start=1):
        tied = bool(rows) and order(key) == order(ordered[number - 2])
        draws = sum(score == 1 for _, score in scores[key])
        rows.append(
            StandingsRow(
                rows[-1].rank if tied else number,
                names[key],
                len(scores[key]),
                wins[key],
                draws,
                len(scores[key]) - wins[key] - draws,
                halves[key],
                quarters[key],
            )
        )
    return tuple(rows)


def format_fraction(value: int, parts: int) -> str:
    """`2`, `2½`, `2¼`."""
    whole, rest = divmod(value, parts)
    fraction = {0: "", 1: "¼", 2: "½", 3: "¾"}[rest * 4 // parts]
    return f"{whole or '' if fraction else whole}{fraction}"
