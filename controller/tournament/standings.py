"""How an event stands: results in, rows in order out.

A win is 1 point, a draw half of one. Equal points are told apart by Sonneborn-Berger (the points of
those whom one has beaten, and half of those with whom one drew), then by the number of wins. Who
is equal in all of that shares a rank. Points are counted in halves, so that nothing is rounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.tournament.messages import normalize_name

HALF_POINTS = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1)}
TIE_BREAKS = "equal points: Sonneborn-Berger, then wins; who is equal in both shares a rank"


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """One result: `1-0` is a win of whoever had the first move."""

    first: str
    second: str
    result: str


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player."""

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
    """Everybody in the list, and whoever else has played; a game against oneself counts nothing."""
    names: dict[str, str] = {normalize_name(name): name for name in players}
    met: dict[str, list[tuple[str, int]]] = defaultdict(list)  # whom, and the halves made
    for game in games:
        one, other = normalize_name(game.first), normalize_name(game.second)
        if game.result not in HALF_POINTS or one == other:
            continue
        names.setdefault(one, game.first)
        names.setdefault(other, game.second)
        made = HALF_POINTS[game.result]
        met[one].append((other, made[0]))
        met[other].append((one, made[1]))
    halves = {key: sum(made for _, made in met[key]) for key in names}
    quarters = {key: sum(made * halves[whom] for whom, made in met[key]) for key in names}
    wins = {key: sum(made == 2 for _, made in met[key]) for key in names}

    def order(key: str) -> tuple[int, int, int]:
        return -halves[key], -quarters[key], -wins[key]

    ordered = sorted(names, key=lambda key: (*order(key), key))
    rows: list[StandingsRow] = []
    for number, key in enumerate(ordered, start=1):
        tied = bool(rows) and order(key) == order(ordered[number - 2])
        draws = sum(made == 1 for _, made in met[key])
        rows.append(
            StandingsRow(
                rows[-1].rank if tied else number,
                names[key],
                len(met[key]),
                wins[key],
                draws,
                len(met[key]) - wins[key] - draws,
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
