"""Combines pairings and results to rounds.

A result belongs to the pairing of the same two players in the same round, at any table. Games
without a pairing are listed too, with a remark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.session.sentences import join_and
from controller.tournament import sentences
from controller.tournament.messages import GameResult, normalize_name
from controller.tournament.pairings import Pairing, players_with_bye
from controller.tournament.standings import ScoredGame
from engine.sentences import Sentence, joined


@dataclass(frozen=True, slots=True)
class RoundGame:
    """One game of a round."""

    table: int
    first: str
    second: str
    result: str = ""  # empty if there is none, or if two games disagree
    reason: Sentence | None = None
    last_hash: str = ""
    remark: Sentence | None = None
    counts: bool = True  # false while a confirmation is missing


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """One round, with the players that have a bye."""

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
    """The games that count for the standings."""
    return tuple(
        ScoredGame(game.first, game.second, game.result)
        for each in played
        for game in each.games
        if game.result and game.counts
    )


def _round_games(
    pairings: Sequence[Pairing], results: Sequence[GameResult]
) -> tuple[RoundGame, ...]:
    by_pair: dict[frozenset[str], list[GameResult]] = {_pair(each.players): [] for each in results}
    for each in results:
        by_pair[_pair(each.players)].append(each)
    games = []
    for pairing in pairings:
        played = by_pair.pop(_pair((pairing.first, pairing.second)), [])
        games.append(
            _round_game(played)
            if played
            else RoundGame(pairing.table, pairing.first, pairing.second)
        )
    remark = sentences.NOT_PAIRED() if pairings else None
    games += [_round_game(played, remark) for played in by_pair.values()]
    return tuple(sorted(games, key=lambda game: (game.table, game.first)))


def _round_game(played: Sequence[GameResult], remark: Sentence | None = None) -> RoundGame:
    """The game of two players. If they played twice, both results must agree."""
    last = max(played, key=lambda each: (each.started, each.game_id))
    first, second = last.players
    if len({_winner(each) for each in played}) > 1:
        return RoundGame(last.table, first, second, remark=sentences.DISPUTED())
    counts = any(not each.awaiting for each in played)
    if not counts:
        waits = sentences.DOES_NOT_COUNT_YET(names=join_and(last.awaiting))
        remark = waits if remark is None else joined([waits, remark])
    return RoundGame(
        last.table, first, second, last.result, last.reason, last.last_hash, remark, counts
    )


def _winner(result: GameResult) -> str:
    return {"1-0": normalize_name(result.players[0]), "0-1": normalize_name(result.players[1])}.get(
        result.result, ""
    )


def _pair(players: Sequence[str]) -> frozenset[str]:
    return frozenset(map(normalize_name, players))
