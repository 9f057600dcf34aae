"""Standings compared with tables computed by hand."""

from __future__ import annotations

import pytest

from controller.tournament.standings import ScoredGame, compute_standings, format_fraction


def rows(players: str, games: str) -> list[str]:
    """Convert `Ada-Bob 1-0; ...` to rows such as `1 Ada 3 games +3 =0 -0 3 SB 3`."""
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


def test_without_games_all_players_share_the_first_rank() -> None:
    assert rows("Bob Ada", "") == ["1 Ada +0 =0 -0 0 0", "1 Bob +0 =0 -0 0 0"]


def test_points_are_the_first_criterion() -> None:
    # Ada 2, Bob 1, Cy 0.
    assert rows("Ada Bob Cy", "Ada-Bob 1-0; Bob-Cy 1-0; Cy-Ada 0-1") == [
        "1 Ada +2 =0 -0 2 1",  # wins against Bob (1) and Cy (0)
        "2 Bob +1 =0 -1 1 0",
        "3 Cy +0 =0 -2 0 0",
    ]


def test_sonneborn_berger_breaks_ties_in_points() -> None:
    # Ada and Bob have 2 of 3 points. Ada won against Cy (1½), Bob won against Di (½).
    games = "Ada-Bob 1/2-1/2; Ada-Cy 1-0; Ada-Di 1/2-1/2; Bob-Cy 1/2-1/2; Bob-Di 1-0; Cy-Di 1-0"
    assert rows("Ada Bob Cy Di", games) == [
        "1 Ada +1 =2 -0 2 2¾",  # ½·2 + 1½ + ½·½
        "2 Bob +1 =2 -0 2 2¼",  # ½·2 + ½·1½ + ½
        "3 Cy +1 =1 -1 1½ 1½",  # ½·2 + ½
        "4 Di +0 =1 -2 ½ 1",  # ½·2
    ]


def test_players_equal_in_all_criteria_share_a_rank_and_the_next_rank_is_skipped() -> None:
    games = "Ada-Bob 1-0; Bob-Cy 1-0; Cy-Ada 1-0; Ada-Di 1-0; Bob-Di 1-0; Cy-Di 1-0"
    assert [row.split()[0] for row in rows("Ada Bob Cy Di", games)] == ["1", "1", "1", "4"]


def test_wins_break_the_remaining_ties() -> None:
    # Eve won against Fay and lost to Gus; Hal drew both. Points and Sonneborn-Berger are equal.
    games = "Eve-Fay 1-0; Eve-Gus 0-1; Hal-Fay 1/2-1/2; Hal-Gus 1/2-1/2"
    found = {row.split()[1]: row for row in rows("Eve Fay Gus Hal", games)}
    assert found["Gus"].startswith("1 ")
    assert found["Eve"].split()[-2:] == ["1", "½"]
    assert found["Hal"].split()[-2:] == ["1", "1"]


def test_names_are_normalised_and_unregistered_players_are_listed() -> None:
    found = rows("Ada Bob", "ADA-bob 1-0; Eve-Ada 1-0")
    assert [row.split()[1] for row in found] == ["Eve", "Ada", "Bob"]


@pytest.mark.parametrize("result", ["*", "2-0", ""])
def test_an_invalid_result_does_not_count(result: str) -> None:
    assert [
        row.played for row in compute_standings(["a", "b"], [ScoredGame("a", "b", result)])
    ] == [0, 0]


def test_a_game_of_a_player_against_the_same_player_does_not_count() -> None:
    assert compute_standings(["a"], [ScoredGame("a", "A", "1-0")])[0].played == 0


def test_half_points_are_written_with_the_half_sign() -> None:
    assert [format_fraction(value, 2) for value in range(4)] == ["0", "½", "1", "1½"]
    assert [format_fraction(value, 4) for value in range(6)] == ["0", "¼", "½", "¾", "1", "1¼"]
