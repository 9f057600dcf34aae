"""Standings against tables that were made by hand."""

from __future__ import annotations

import pytest

from controller.tournament.standings import ScoredGame, compute_standings, format_fraction


def rows(players: str, games: str) -> list[str]:
    """`Ada-Bob 1-0; ...` in, `1 Ada 3 games +3 =0 -0 3 SB 3` out."""
    played = []
    for text in filter(None, (each.strip() for each in games.split(";"))):
        who, result = text.split()
        first, second = who.split("-")
        played.append(ScoredGame(first, second, result))
    return [
        f"{row.rank} {row.name} +{row.wins} ={row.draws} -{row.losses}"
        f" {row.points} {row.sonneborn_berger}"
        for row in compute_standings(players.split(), played)
    ]


def test_before_anything_is_played_all_share_the_first_rank() -> None:
    assert rows("Bob Ada", "") == ["1 Ada +0 =0 -0 0 0", "1 Bob +0 =0 -0 0 0"]


def test_points_come_first() -> None:
    # Ada 2, Bob 1, Cy 0.
    assert rows("Ada Bob Cy", "Ada-Bob 1-0; Bob-Cy 1-0; Cy-Ada 0-1") == [
        "1 Ada +2 =0 -0 2 1",  # she has beaten Bob (1) and Cy (0)
        "2 Bob +1 =0 -1 1 0",
        "3 Cy +0 =0 -2 0 0",
    ]


def test_whom_one_has_beaten_tells_equal_points_apart() -> None:
    # Ada and Bob have 2 of 3 each; Ada has beaten Cy (1½), Bob has beaten Di (½).
    games = "Ada-Bob 1/2-1/2; Ada-Cy 1-0; Ada-Di 1/2-1/2; Bob-Cy 1/2-1/2; Bob-Di 1-0; Cy-Di 1-0"
    assert rows("Ada Bob Cy Di", games) == [
        "1 Ada +1 =2 -0 2 2¾",  # ½·2 + 1½ + ½·½
        "2 Bob +1 =2 -0 2 2¼",  # ½·2 + ½·1½ + ½
        "3 Cy +1 =1 -1 1½ 1½",  # ½·2 + ½
        "4 Di +0 =1 -2 ½ 1",  # ½·2
    ]


def test_who_is_equal_in_everything_shares_a_rank_and_the_next_is_counted_on() -> None:
    games = "Ada-Bob 1-0; Bob-Cy 1-0; Cy-Ada 1-0; Ada-Di 1-0; Bob-Di 1-0; Cy-Di 1-0"
    assert [row.split()[0] for row in rows("Ada Bob Cy Di", games)] == ["1", "1", "1", "4"]


def test_wins_tell_apart_what_the_rest_does_not() -> None:
    # Eve beat Fay and lost to Gus, Hal drew both: 1 point each, and the same Sonneborn-Berger.
    games = "Eve-Fay 1-0; Eve-Gus 0-1; Hal-Fay 1/2-1/2; Hal-Gus 1/2-1/2"
    found = {row.split()[1]: row for row in rows("Eve Fay Gus Hal", games)}
    assert found["Gus"].startswith("1 ")
    assert found["Eve"].split()[-2:] == ["1", "½"]
    assert found["Hal"].split()[-2:] == ["1", "1"]


def test_names_are_people_however_they_are_typed_and_strangers_are_listed_too() -> None:
    found = rows("Ada Bob", "ADA-bob 1-0; Eve-Ada 1-0")
    assert [row.split()[1] for row in found] == ["Eve", "Ada", "Bob"]


@pytest.mark.parametrize("result", ["*", "2-0", ""])
def test_what_is_no_result_counts_nothing(result: str) -> None:
    assert [
        row.played for row in compute_standings(["a", "b"], [ScoredGame("a", "b", result)])
    ] == [0, 0]


def test_a_game_against_oneself_counts_nothing() -> None:
    assert compute_standings(["a"], [ScoredGame("a", "A", "1-0")])[0].played == 0


def test_halves_are_written_as_people_write_them() -> None:
    assert [format_fraction(value, 2) for value in range(4)] == ["0", "½", "1", "1½"]
    assert [format_fraction(value, 4) for value in range(6)] == ["0", "¼", "½", "¾", "1", "1¼"]
