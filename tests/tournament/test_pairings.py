"""Round robin pairings: every pair of players meets once, and colours are balanced."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from controller.tournament import sentences
from controller.tournament.pairings import BadPlayers, players_with_bye, read_players, round_robin
from engine.sentences import Sentence
from tests.support.engine.sentences import raises

# FIDE handbook, C.05 annex 1, six players: pairs of first and second mover, by round.
SIX = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""


def names(count: int) -> list[str]:
    return [f"player {number}" for number in range(1, count + 1)]


@pytest.mark.parametrize("count", range(2, 21))
def test_every_pair_meets_once_and_no_player_has_two_tables(count: int) -> None:
    players = names(count)
    pairings = round_robin(players)
    met = Counter(frozenset((each.first, each.second)) for each in pairings)
    assert met == Counter({frozenset(pair): 1 for pair in combinations(players, 2)})
    for round_ in range(1, max(each.round for each in pairings) + 1):
        games = [each for each in pairings if each.round == round_]
        seats = [name for each in games for name in (each.first, each.second)]
        assert len(seats) == len(set(seats)) == count - count % 2
        assert [each.table for each in games] == list(range(1, count // 2 + 1))
        assert len(players_with_bye(players, pairings, round_)) == count % 2


@pytest.mark.parametrize("count", range(2, 21))
def test_first_moves_are_balanced(count: int) -> None:
    pairings = round_robin(names(count))
    for name in names(count):
        first = sum(each.first == name for each in pairings)
        second = sum(each.second == name for each in pairings)
        assert abs(first - second) <= (1 if count % 2 == 0 else 0), name


def test_the_pairings_are_those_of_the_fide_handbook() -> None:
    expected = [set(line.split()) for line in SIX.split("\n") if line]
    pairings = round_robin(["1", "2", "3", "4", "5", "6"])
    found = [
        {f"{each.first}-{each.second}" for each in pairings if each.round == round_}
        for round_ in range(1, 6)
    ]
    assert found == expected


def test_a_players_file_has_a_name_on_every_line() -> None:
    text = "# Tuesday\nAda Lovelace\n\n  Grace   Hopper # from Arlington\nJürgen 🎉\n"
    assert read_players(text, "players.txt") == ("Ada Lovelace", "Grace Hopper", "Jürgen 🎉")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", sentences.TOO_FEW_PLAYERS(file="players.txt", count=0)),
        ("Ada\n", sentences.TOO_FEW_PLAYERS(file="players.txt", count=1)),
        (
            "Ada\nGrace\nADA\n",
            sentences.PLAYER_TWICE(place="players.txt:3", value="'ADA'", line=1),
        ),
        (
            f"Ada\n{'x' * 61}\n",
            sentences.BAD_PLAYER(place="players.txt:2", value=f"'{'x' * 60}'...", most=60),
        ),
        (
            "\n".join(names(101)),
            sentences.TOO_MANY_PLAYERS(place="players.txt:101", most=100, rounds=100),
        ),
    ],
)
def test_an_invalid_players_file_is_one_line_with_the_line_number(
    text: str, complaint: Sentence
) -> None:
    with raises(BadPlayers, complaint):
        read_players(text, "players.txt")
