"""Round-robin pairings by Berger tables (FIDE handbook C.05, annex 1).

Every player meets every other once; first moves alternate as evenly as possible. With an odd
number of players, one has a bye in each round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.session.setup import MAX_TABLE_NUMBER
from controller.tournament import sentences
from controller.tournament.messages import MAX_PLAYER_NAME_CHARS, normalize_name
from engine.errors import LaserboardError, excerpt

MIN_PLAYERS, MAX_PLAYERS = 2, 100


class BadPlayers(LaserboardError, ValueError):
    """An invalid list of players."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned game."""

    round: int
    table: int
    first: str  # has the first move
    second: str


def read_players(text: str, file: str) -> tuple[str, ...]:
    """Read one name per line; empty lines and comments after # are ignored."""
    names: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        name = " ".join(line.partition("#")[0].split())
        if not name:
            continue
        where = f"{file}:{number}"
        if len(name) > MAX_PLAYER_NAME_CHARS or not name.isprintable():
            raise BadPlayers(
                sentences.BAD_PLAYER(place=where, value=excerpt(name), most=MAX_PLAYER_NAME_CHARS)
            )
        if normalize_name(name) in names:
            first = names[normalize_name(name)][1]
            raise BadPlayers(sentences.PLAYER_TWICE(place=where, value=excerpt(name), line=first))
        names[normalize_name(name)] = name, number
        if len(names) > MAX_PLAYERS:
            raise BadPlayers(
                sentences.TOO_MANY_PLAYERS(place=where, most=MAX_PLAYERS, rounds=MAX_PLAYERS)
            )
    if len(names) < MIN_PLAYERS:
        raise BadPlayers(sentences.TOO_FEW_PLAYERS(file=file, count=len(names)))
    return tuple(name for name, _ in names.values())


def round_robin(players: Sequence[str]) -> tuple[Pairing, ...]:
    """All pairings, by round and table."""
    count = len(players) + len(players) % 2  # with an odd number, a dummy player gives the byes
    pairings: list[Pairing] = []
    for round_ in range(1, count):
        tables = [
            (players[first], players[second])
            for first, second in _berger_round(round_, count)
            if max(first, second) < len(players)
        ]
        assert len(tables) <= MAX_TABLE_NUMBER
        pairings += [
            Pairing(round_, table, first, second)
            for table, (first, second) in enumerate(tables, start=1)
        ]
    return tuple(pairings)


def players_with_bye(
    players: Sequence[str], pairings: Sequence[Pairing], round_: int
) -> tuple[str, ...]:
    """The players without a pairing in a round."""
    paired = {
        name for each in pairings if each.round == round_ for name in (each.first, each.second)
    }
    return tuple(name for name in players if name not in paired)


def _berger_round(round_: int, count: int) -> list[tuple[int, int]]:
    """Pairs of player numbers from 0; the first of a pair has the first move.

    With numbers from 1, two players meet when their sum is the round plus one, modulo count - 1.
    The player who would meet themselves meets the last one.
    """
    games: list[tuple[int, int]] = []
    for one in range(1, count):
        other = (round_ + 1 - one) % (count - 1) or count - 1
        if other == one:
            games.insert(0, (one, count) if 2 * one <= count else (count, one))
        elif one < other:
            games.append((one, other) if (one + other) % 2 else (other, one))
    return [(first - 1, second - 1) for first, second in games]
