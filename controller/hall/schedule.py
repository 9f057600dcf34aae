"""Rounds as people read them: who was to play whom, and what came of it.

A result belongs to the pairing of the same two people in the same round, at whichever table they
sat. What was played besides is listed behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.hall.messages import Result
from controller.hall.names import same
from controller.hall.pairings import Pairing, resting
from controller.hall.standings import Game

DISPUTED = "two games of this round have different results: a matter for the referee"
NOT_PAIRED = "this game is not among the pairings"


@dataclass(frozen=True, slots=True)
class Line:
    """One game of a round."""

    table: int
    first: str
    second: str
    result: str = ""  # nothing yet, or nothing that counts
    reason: str = ""
    head: str = ""
    remark: str = ""
    stands: bool = True  # else it does not count yet


@dataclass(frozen=True, slots=True)
class Round:
    """One round."""

    number: int
    lines: tuple[Line, ...]
    rests: tuple[str, ...] = ()


def rounds(
    players: Sequence[str], pairings: Sequence[Pairing], results: Iterable[Result]
) -> tuple[Round, ...]:
    """All rounds that are planned or were played."""
    finished = list(results)
    numbers = {each.round for each in pairings} | {each.round for each in finished}
    return tuple(
        Round(
            number,
            _lines(
                [each for each in pairings if each.round == number],
                [each for each in finished if each.round == number],
            ),
            resting(players, pairings, number) if pairings else (),
        )
        for number in sorted(numbers)
    )


def games(played: Iterable[Round]) -> tuple[Game, ...]:
    """What counts for the standings."""
    return tuple(
        Game(line.first, line.second, line.result)
        for each in played
        for line in each.lines
        if line.result and line.stands
    )


def _lines(pairings: Sequence[Pairing], results: Sequence[Result]) -> tuple[Line, ...]:
    left = {_pair(each.players): [] for each in results}  # type: dict[frozenset[str], list[Result]]
    for each in results:
        left[_pair(each.players)].append(each)
    found = []
    for pairing in pairings:
        played = left.pop(_pair((pairing.first, pairing.second)), [])
        found.append(
            _line(played) if played else Line(pairing.table, pairing.first, pairing.second)
        )
    remark = NOT_PAIRED if pairings else ""
    found += [_line(played, remark) for played in left.values()]
    return tuple(sorted(found, key=lambda line: (line.table, line.first)))


def _line(played: Sequence[Result], remark: str = "") -> Line:
    """The game of two people; where they have played twice, both must say the same."""
    last = max(played, key=lambda each: (each.started, each.game_id))
    first, second = last.players
    if len({_winner(each) for each in played}) > 1:
        return Line(last.table, first, second, remark=DISPUTED)
    stands = any(not each.waits for each in played)
    remarks = [remark] if remark else []
    if not stands:
        remarks.insert(0, f"does not count yet: waits for {' and '.join(last.waits)}")
    told = "; ".join(remarks)
    return Line(last.table, first, second, last.result, last.reason, last.head, told, stands)


def _winner(result: Result) -> str:
    return {"1-0": same(result.players[0]), "0-1": same(result.players[1])}.get(result.result, "")


def _pair(players: Sequence[str]) -> frozenset[str]:
    return frozenset(map(same, players))
