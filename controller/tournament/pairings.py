"""Who plays whom, when and at which table: everybody meets everybody once (Berger tables).

The order is that of FIDE's handbook (C.05, annex 1): who has the first move alternates as evenly as
it can, and with an odd number of players one of them rests in each round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.session.setup import MAX_TABLE_NUMBER
from controller.tournament.messages import LONGEST_PLAYER_NAME, normalize_name
from engine.errors import LaserboardError, excerpt

MIN_PLAYERS, MAX_PLAYERS = 2, 100


class BadPlayers(LaserboardError, ValueError):
    """A list of players that no round robin can be made of."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game that is to be played."""

    round: int
    table: int
    first: str  # has the first move
    second: str


def read_players(text: str, file: str) -> tuple[str, ...]:
    """A name on every line; empty lines, and what stands behind #, are for people."""
    names: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        name = " ".join(line.partition("#")[0].split())
        if not name:
            continue
        where = f"{file}:{number}"
        if len(name) > LONGEST_PLAYER_NAME or not name.isprintable():
            raise BadPlayers(
                f"{where}: {excerpt(name)} is no name of up to {LONGEST_PLAYER_NAME} letters"
            )
        if normalize_name(name) in names:
            first = names[normalize_name(name)][1]
            raise BadPlayers(f"{where}: {excerpt(name)} is there already, on line {first}")
        names[normalize_name(name)] = name, number
        if len(names) > MAX_PLAYERS:
            raise BadPlayers(
                f"{where}: more than {MAX_PLAYERS} players: that would take {MAX_PLAYERS} rounds"
            )
    if len(names) < MIN_PLAYERS:
        raise BadPlayers(f"{file}: has {len(names)} players; write one name on every line")
    return tuple(name for name, _ in names.values())


def round_robin(players: Sequence[str]) -> tuple[Pairing, ...]:
    """All games, round by round and table by table."""
    count = len(players) + len(players) % 2  # the last of an odd number is nobody
    found: list[Pairing] = []
    for round_ in range(1, count):
        tables = [
            (players[first], players[second])
            for first, second in _berger_round(round_, count)
            if max(first, second) < len(players)
        ]
        assert len(tables) <= MAX_TABLE_NUMBER
        found += [
            Pairing(round_, table, first, second)
            for table, (first, second) in enumerate(tables, start=1)
        ]
    return tuple(found)


def players_with_bye(
    players: Sequence[str], pairings: Sequence[Pairing], round_: int
) -> tuple[str, ...]:
    """Who has nobody to play in that round."""
    play = {name for each in pairings if each.round == round_ for name in (each.first, each.second)}
    return tuple(name for name in players if name not in play)


def _berger_round(round_: int, count: int) -> list[tuple[int, int]]:
    """Who meets whom, counted from 0; whoever is named first has the first move.

    Counted from 1, two players meet when their numbers add up to the round plus one, taken modulo
    count - 1; whoever would meet himself meets the last one.
    """
    games: list[tuple[int, int]] = []
    for one in range(1, count):
        other = (round_ + 1 - one) % (count - 1) or count - 1
        if other == one:
            games.insert(0, (one, count) if 2 * one <= count else (count, one))
        elif one < other:
            games.append((one, other) if (one + other) % 2 else (other, one))
    return [(first - 1, second - 1) for first, second in games]
