"""The shipped puzzles: each proven, no two equal, and varied."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from engine import catalogue, games, native
from engine.puzzle_finder import MIN_DIFFERENT_CELLS
from engine.puzzles import (
    FOLDER,
    BadPuzzle,
    Puzzle,
    count_differences,
    find_defects,
    load_puzzles,
    puzzle_by_number,
    read_puzzle_book,
    write_puzzle_book,
)
from engine.search import Limit, choose
from engine.sentences import Sentence
from engine.solver import prove_in_python
from tests.support.engine.sentences import Expected, mentions, raises

PUZZLES = load_puzzles()
BOOKS = sorted(FOLDER.glob("*.json"))
IN_TWO = next(each for each in PUZZLES if each.turns == 2)


def of(turns: int, game: str = games.DEFAULT) -> list[Puzzle]:
    return [each for each in PUZZLES if (each.turns, each.game) == (turns, game)]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_there_are_a_hundred_puzzles_of_each_length(turns: int) -> None:
    assert len(of(turns)) == 100


# -- proofs ------------------------------------------------------------------------------------


def unproven(puzzles: list[Puzzle]) -> dict[str, list[Sentence]]:
    return {
        each.position: wrong
        for each in puzzles
        if (wrong := find_defects(each, prover=prove_in_python))
    }


@pytest.mark.parametrize("turns", [1, 2])
def test_exactly_one_move_wins_and_none_wins_sooner(turns: int) -> None:
    assert not unproven([each for each in PUZZLES if each.turns == turns][::2])


@pytest.mark.skipif(native.load_library() is None, reason="the compiled core is not built here")
def test_the_longest_puzzles_are_proven_by_the_compiled_core() -> None:
    assert not {each.position: wrong for each in of(3) if (wrong := find_defects(each))}


@pytest.mark.skipif(native.load_library() is None, reason="the compiled core is not built here")
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_computer_solves_every_puzzle_within_200_000_nodes(turns: int) -> None:
    for each in of(turns):
        choice = choose(each.rules, each.start_position, Limit(nodes=200_000))
        turn = each.rules.resolve(each.start_position, {each.solver: choice.move})
        assert turn.after.key == each.solution_turns()[0].after.key, each.position


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2])
def test_every_short_puzzle_is_proven_by_the_plain_rules(turns: int) -> None:
    assert not unproven([each for each in PUZZLES if each.turns == turns])


@pytest.mark.slow
def test_some_of_the_longest_puzzles_are_proven_by_the_plain_rules() -> None:
    assert not unproven(of(3)[::10])


def test_defects_of_a_puzzle_are_found() -> None:
    key, answer, strike = IN_TWO.line
    wrong: list[tuple[Expected, Puzzle]] = [
        (catalogue.PUZZLE_LENGTH(turns=1, expected=3), replace(IN_TWO, line=(key,))),
        (catalogue.PUZZLE_UNDECIDED(), replace(IN_TWO, line=(key, answer))),
        (catalogue.PUZZLE_UNPLAYABLE, replace(IN_TWO, line=(strike,))),
        (catalogue.PUZZLE_NOT_UNIQUE(count=0), replace(IN_TWO, turns=1)),
        (catalogue.PUZZLE_TOO_EASY(turns=2), replace(IN_TWO, turns=3)),
        (catalogue.PUZZLE_SPELLING(), replace(IN_TWO, position=f"{IN_TWO.position} ")),
    ]
    for expected, puzzle in wrong:
        assert any(mentions(each, expected) for each in find_defects(puzzle)), expected


def test_a_first_move_other_than_the_winning_one_is_a_defect() -> None:
    game, position = IN_TWO.rules, IN_TWO.start_position
    quiet = next(
        game.write_move(position, IN_TWO.solver, turn.moves[0][1])
        for turn in game.turns(position)
        if not turn.losses and turn.after != IN_TWO.solution_turns()[0].after
    )
    assert catalogue.PUZZLE_WRONG_MOVE(move=quiet) in find_defects(replace(IN_TWO, line=(quiet,)))


def test_several_winning_moves_are_a_defect() -> None:
    """Red's king is in the standing beam, so nearly every move wins."""
    puzzle = Puzzle(games.DEFAULT, 1, 0, "l++9/*/*/*/*/*/4K5/4k4L+++ b", ("e2e3xe1",), "", 0, 0)
    defects = find_defects(puzzle)
    assert any(mentions(each, catalogue.PUZZLE_NOT_UNIQUE) for each in defects)


# -- variety -----------------------------------------------------------------------------------


def test_no_two_puzzles_are_equal() -> None:
    """A position rotated by 180 degrees with swapped colours counts as equal."""
    for game in {each.game for each in PUZZLES}:
        stand = [(each, each.arrangement()) for each in PUZZLES if each.game == game]
        for (one, here), (two, there) in combinations(stand, 2):
            assert count_differences(here, there) >= MIN_DIFFERENT_CELLS, (
                one.position,
                two.position,
            )


def test_a_position_rotated_by_180_degrees_with_swapped_colours_is_the_same_puzzle() -> None:
    game = games.make()
    one = replace(IN_TWO, position="l++9/4k5/*/2b+7/9B/*/*/4K4L b")
    two = replace(IN_TWO, position="l++4k4/*/*/b++9/7B+++2/*/5K4/9L r")
    assert game.read_position(one.position).side != game.read_position(two.position).side
    assert count_differences(one.arrangement(), two.arrangement()) == 0


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_puzzles_vary_in_side_setup_and_target(turns: int) -> None:
    puzzles = of(turns)
    sides = Counter(each.solver for each in puzzles)
    assert min(sides.values()) >= 40
    assert {each.setup for each in puzzles} == set(games.make().setups())
    struck = Counter(each.solution_turns()[-1].removed[0].cell for each in puzzles)
    assert len(struck) >= 15
    assert max(struck.values()) <= 25


def test_the_first_move_of_a_longer_puzzle_captures_nothing() -> None:
    assert not [each for each in PUZZLES if each.turns > 1 and each.solution_turns()[0].losses]


def test_puzzles_are_sorted_by_difficulty() -> None:
    for game in {each.game for each in PUZZLES}:
        order = [(each.turns, each.rating) for each in PUZZLES if each.game == game]
        assert order == sorted(order)


def test_a_puzzle_has_a_task() -> None:
    sides = ("blue", "red")
    goal = catalogue.PUZZLE_GOAL(other=sides[1 - IN_TWO.solver], turns=2)
    assert IN_TWO.task == catalogue.PUZZLE_TASK(player=sides[IN_TWO.solver], goal=goal)


# -- as text -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_puzzle_book_round_trips(path: object) -> None:
    assert hasattr(path, "read_text")
    text = path.read_text("utf-8")
    assert write_puzzle_book(read_puzzle_book(text)) == text


def broken(**changes: object) -> str:
    book = json.loads(BOOKS[0].read_text("utf-8"))
    book["puzzles"] = [{**book["puzzles"][0], **changes}]
    return json.dumps(book)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", catalogue.NOT_AN_OBJECT(what="a book of puzzles", value="[]")),
        ("{", catalogue.NOT_JSON_AT),
        (
            broken(turns=4),
            catalogue.NOT_A_WHOLE_NUMBER(what="puzzle 1: turns", least=1, most=3, value="4"),
        ),
        (
            broken(line="e2e3"),
            catalogue.NOT_AN_ARRAY(what="puzzle 1: line", value="'e2e3'"),
        ),
        (broken(rating=-1), catalogue.NOT_A_WHOLE_NUMBER),
        (broken(remark="nice"), catalogue.UNKNOWN_KEY),
    ],
)
def test_an_invalid_book_is_refused_with_the_reason(text: str, expected: Expected) -> None:
    with raises(BadPuzzle, expected):
        read_puzzle_book(text)


def test_a_book_of_another_format_is_refused() -> None:
    with raises(BadPuzzle, catalogue.PUZZLE_FORMAT(value="2", expected=1)):
        read_puzzle_book(BOOKS[0].read_text("utf-8").replace('"format":1', '"format":2', 1))


@pytest.mark.parametrize("number", [0, len(PUZZLES) + 1])
def test_an_unknown_number_is_refused(number: int) -> None:
    with raises(BadPuzzle, catalogue.NO_SUCH_PUZZLE):
        puzzle_by_number(number)
