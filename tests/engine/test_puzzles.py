"""The puzzles that are shipped: each proven, no two alike, and of all sorts."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from engine import games, native
from engine.mining import NEAR
from engine.puzzles import (
    FOLDER,
    BadPuzzle,
    Puzzle,
    differing,
    faults,
    numbered,
    read,
    shelf,
    write,
)
from engine.search import Limit, choose
from engine.solver import in_python

PUZZLES = shelf()
BOOKS = sorted(FOLDER.glob("*.json"))
IN_TWO = next(each for each in PUZZLES if each.turns == 2)


def of(turns: int, game: str = games.DEFAULT) -> list[Puzzle]:
    return [each for each in PUZZLES if (each.turns, each.game) == (turns, game)]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_there_are_a_hundred_of_each_length(turns: int) -> None:
    assert len(of(turns)) == 100


# -- proofs ------------------------------------------------------------------------------------


def unproven(puzzles: list[Puzzle]) -> dict[str, list[str]]:
    return {each.position: wrong for each in puzzles if (wrong := faults(each, proof=in_python))}


@pytest.mark.parametrize("turns", [1, 2])
def test_exactly_one_move_wins_and_none_wins_sooner(turns: int) -> None:
    assert not unproven([each for each in PUZZLES if each.turns == turns][::2])


@pytest.mark.skipif(native.library() is None, reason="the compiled core is not built here")
def test_the_longest_are_proven_by_the_compiled_core() -> None:
    assert not {each.position: wrong for each in of(3) if (wrong := faults(each))}


@pytest.mark.skipif(native.library() is None, reason="the compiled core is not built here")
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_computer_solves_every_one_with_less_than_a_second_holds(turns: int) -> None:
    for each in of(turns):
        choice = choose(each.rules, each.first, Limit(nodes=200_000))
        turn = each.rules.resolve(each.first, {each.solver: choice.move})
        assert turn.after.key == each.played()[0].after.key, each.position


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2])
def test_every_short_one_is_proven_by_plain_rules(turns: int) -> None:
    assert not unproven([each for each in PUZZLES if each.turns == turns])


@pytest.mark.slow
def test_some_of_the_longest_are_proven_by_plain_rules_too() -> None:
    assert not unproven(of(3)[::10])


def test_what_is_no_puzzle_is_found_out() -> None:
    key, answer, strike = IN_TWO.line
    wrong = {
        "its solution takes 1 single": replace(IN_TWO, line=(key,)),
        "nothing decided": replace(IN_TWO, line=(key, answer)),
        "cannot be played": replace(IN_TWO, line=(strike,)),
        "0 different moves win": replace(IN_TWO, turns=1),
        "is won in 2 turns already": replace(IN_TWO, turns=3),
        "not written as the game": replace(IN_TWO, position=f"{IN_TWO.position} "),
    }
    for said, puzzle in wrong.items():
        assert any(said in each for each in faults(puzzle)), said


def test_another_first_move_than_the_winning_one_is_found_out() -> None:
    game, position = IN_TWO.rules, IN_TWO.first
    quiet = next(
        game.write_move(position, IN_TWO.solver, turn.moves[0][1])
        for turn in game.turns(position)
        if not turn.losses and turn.after != IN_TWO.played()[0].after
    )
    assert f"{quiet} is not the move that wins" in faults(replace(IN_TWO, line=(quiet,)))


def test_several_winning_moves_are_found_out() -> None:
    """Red's king stands in the light already: nearly everything wins."""
    puzzle = Puzzle(games.DEFAULT, 1, 0, "l++9/*/*/*/*/*/4K5/4k4L+++ b", ("e2e3xe1",), "", 0, 0)
    assert any("different moves win" in each for each in faults(puzzle))


# -- of all sorts ------------------------------------------------------------------------------


def test_no_two_are_alike() -> None:
    """Neither as they stand, nor with the board turned by half and the colours exchanged."""
    for game in {each.game for each in PUZZLES}:
        stand = [(each, each.arrangement()) for each in PUZZLES if each.game == game]
        for (one, here), (two, there) in combinations(stand, 2):
            assert differing(here, there) >= NEAR, (one.position, two.position)


def test_a_board_turned_by_half_with_the_colours_exchanged_is_the_same_puzzle() -> None:
    game = games.make()
    one = replace(IN_TWO, position="l++9/4k5/*/2b+7/9B/*/*/4K4L b")
    two = replace(IN_TWO, position="l++4k4/*/*/b++9/7B+++2/*/5K4/9L r")
    assert game.read_position(one.position).side != game.read_position(two.position).side
    assert differing(one.arrangement(), two.arrangement()) == 0


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_they_are_of_all_sorts(turns: int) -> None:
    puzzles = of(turns)
    sides = Counter(each.solver for each in puzzles)
    assert min(sides.values()) >= 40
    assert {each.setup for each in puzzles} == set(games.make().setups())
    struck = Counter(each.played()[-1].removed[0].cell for each in puzzles)
    assert len(struck) >= 15
    assert max(struck.values()) <= 25


def test_the_first_move_of_a_longer_one_takes_nothing() -> None:
    assert not [each for each in PUZZLES if each.turns > 1 and each.played()[0].losses]


def test_easy_ones_come_first() -> None:
    for game in {each.game for each in PUZZLES}:
        order = [(each.turns, each.rating) for each in PUZZLES if each.game == game]
        assert order == sorted(order)


def test_its_task_is_told_in_words() -> None:
    sides = ("blue", "red")
    told = f"{sides[IN_TWO.solver]} to move: strike {sides[1 - IN_TWO.solver]}'s king in 2 turns"
    assert IN_TWO.task == told


# -- as text -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_book_reads_back_as_it_is_written(path: object) -> None:
    assert hasattr(path, "read_text")
    text = path.read_text("utf-8")
    assert write(read(text)) == text


def broken(**changes: object) -> str:
    book = json.loads(BOOKS[0].read_text("utf-8"))
    book["puzzles"] = [{**book["puzzles"][0], **changes}]
    return json.dumps(book)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "a book of puzzles"),
        ("{", "JSON"),
        (broken(turns=4), "puzzle 1: turns must be a whole number from 1 to 3"),
        (broken(line="e2e3"), "puzzle 1: line must be an array"),
        (broken(rating=-1), "puzzle 1: rating"),
        (broken(remark="nice"), "remark"),
    ],
)
def test_what_is_no_book_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(BadPuzzle, match=said):
        read(text)


def test_a_book_of_another_format_is_refused() -> None:
    with pytest.raises(BadPuzzle, match="its format is 2"):
        read(BOOKS[0].read_text("utf-8").replace('"format":1', '"format":2', 1))


@pytest.mark.parametrize("number", [0, len(PUZZLES) + 1])
def test_a_number_that_no_puzzle_has_is_answered_with_those_there_are(number: int) -> None:
    with pytest.raises(BadPuzzle, match=f"they go from 1 to {len(PUZZLES)}"):
        numbered(number)
