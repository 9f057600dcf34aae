"""Rounds as people read them: who was to play whom, and what came of it.

A result belongs to the pairing of the same two people in the same round, at whichever table they
sat. What was played besides is listed behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.tournament.messages import GameResult, normalize_name
from controller.tournament.pairings import Pairing, players_with_bye
from controller.tournament.standings import ScoredGame

DISPUTED = "two games of this round have different results: a matter for the referee"
NOT_PAIRED = "this game is not among the pairings"


@dataclass(frozen=True, slots=True)
class RoundGame:
    """One game of a round."""

    table: int
    first: str
    second: str
    result: str = ""  # nothing yet, or nothing that counts
    reason: str = ""
    last_hash: str = ""
    remark: str = ""
    counts: bool = True  # else it does not count yet


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """One round."""

    number: int
    games: tuple[RoundGame, ...]
    byes: tuple[str, ...] = ()


def build_rounds(
    players: Sequence[str], pairings: Sequence[Pairing], results: Iterable[GameResult]
) -> tuple[TournamentRound, ...]:
    """All rounds that are planned or were played."""
    finished = list(results)
    numbers = {each.round for each in pairings} | {each.round for each in finished}
    return tuple(
        TournamentRound(
            number,
            _round_games(
                [each for each in pairings if each.round == number],
                [each for each in finished if each.round == number],
            ),
            players_with_bye(players, pairings, number) if pairings else (),
        )
        for number in sorted(numbers)
    )


def scored_games(played: Iterable[TournamentRound]) -> tuple[ScoredGame, ...]:
    """What counts for the standings."""
    return tuple(
        ScoredGame(line.first, line.second, line.result)
        for each in played
        for line in each.games
        if line.result and line.counts
    )


def _round_games(
    pairings: Sequence[Pairing], results: Sequence[GameResult]
) -> tuple[RoundGame, ...]:
    left: dict[frozenset[str], list[GameResult]] = {_pair(each.players): [] for each in results}
    for each in results:
        left[_pair(each.players)].append(each)
    found = []
    for pairing in pairings:
        played = left.pop(_pair((pairing.first, pairing.second)), [])
        found.append(
            _round_game(played)
            if played
            else RoundGame(pairing.table, pairing.first, pairing.second)
        )
    remark = NOT_PAIRED if pairings else ""
    found += [_round_game(played, remark) for played in left.values()]
    return tuple(sorted(found, key=lambda line: (line.table, line.first)))


def _round_game(played: Sequence[GameResult], remark: str = "") -> RoundGame:
    """The game of two people; where they have played twice, both must say the same."""
    last = max(played, key=lambda each: (each.started, each.game_id))
    first, second = last.players
    if len({_winner(each) for each in played}) > 1:
        return RoundGame(last.table, first, second, remark=DISPUTED)
    stands = any(not each.awaiting for each in played)
    remarks = [remark] if remark else []
    if not stands:
        remarks.insert(0, f"does not count yet: waits for {' and '.join(last.awaiting)}")
    remark_text = "; ".join(remarks)
    return RoundGame(
        last.table, first, second, last.result, last.reason, last.last_hash, remark_text, stands
    )


def _winner(result: GameResult) -> str:
    return {"1-0": normalize_name(result.players[0]), "0-1": normalize_name(result.players[1])}.get(
        result.result, ""
    )


def _pair(players: Sequence[str]) -> frozenset[str]:
    return frozenset(map(normalize_name, players))
