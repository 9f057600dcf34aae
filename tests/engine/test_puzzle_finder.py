"""The puzzle search: reproducible by seed, also after an interruption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import ceil

import pytest

from engine import games, puzzle_finder
from engine.grid import Cell
from engine.puzzle_finder import (
    PuzzleSelection,
    find_puzzles,
    puzzle_at,
    puzzles_in_game,
    self_play,
)
from engine.puzzles import Puzzle, PuzzleBook, find_defects, read_puzzle_book, write_puzzle_book
from tests.support.engine.random_play import turn_cell

CHESS = games.make().for_computers()


@pytest.fixture(autouse=True)
def short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short games, so that puzzles are found fast."""
    monkeypatch.setattr(puzzle_finder, "MAX_GAME_TURNS", 8)


def test_a_game_of_a_seed_is_reproducible() -> None:
    once, again = (self_play(CHESS, 3, 5) for _ in range(2))
    assert once == again
    assert once[0] == "sophie"
    assert self_play(CHESS, 4, 5) != once


@pytest.mark.parametrize("game", ["laser-chess", pytest.param("photon", marks=pytest.mark.slow)])
def test_every_found_puzzle_is_proven(game: str) -> None:
    book = find_puzzles(PuzzleBook(game, 2), 2, longest=1)
    assert len(book.puzzles) == 2
    assert [find_defects(each) for each in book.puzzles] == [[], []]


def test_an_interrupted_search_continues() -> None:
    whole = find_puzzles(PuzzleBook(CHESS.name, 2), 3, longest=1)

    class Ended(Exception):
        pass

    seen: list[PuzzleBook] = []

    def examined(book: PuzzleBook) -> None:
        seen.append(book)
        if len(seen) == 2:
            raise Ended

    with pytest.raises(Ended):
        find_puzzles(PuzzleBook(CHESS.name, 2), 3, 1, examined)
    resumed = find_puzzles(read_puzzle_book(write_puzzle_book(seen[-1])), 3, longest=1)
    assert (resumed.games_played, set(resumed.puzzles)) == (whole.games_played, set(whole.puzzles))


def first_found(choice: PuzzleSelection) -> Puzzle:
    return next(
        puzzle for number in range(40) for puzzle in puzzles_in_game(CHESS, 2, number, choice)
    )


def test_a_puzzle_is_found_once() -> None:
    choice = PuzzleSelection(CHESS, 5, 1, PuzzleBook(CHESS.name, 2))
    puzzle = first_found(choice)
    assert choice.fits(puzzle)
    choice.add(puzzle)
    assert not choice.fits(puzzle)
    assert not choice.fits(replace(puzzle, game_number=999))  # the same position from another game


CATEGORIES: dict[str, Callable[[Puzzle], object]] = {
    "MAX_SIDE_SHARE": lambda puzzle: puzzle.solver,
    "MAX_TARGET_SHARE": lambda puzzle: captured_king(puzzle),
    "MAX_SETUP_SHARE": lambda puzzle: puzzle.setup,
}


def captured_king(puzzle: Puzzle) -> Cell:
    """Its cell, as if the first player solved the puzzle."""
    turn = puzzle.solution_turns()[-1]
    (cell,) = [
        loss.cell
        for loss in turn.removed
        if loss.piece.kind == "king" and loss.piece.owner != puzzle.solver
    ]
    return cell if puzzle.solver == 0 else turn_cell(turn.before.grid, cell)


@pytest.mark.parametrize("share", CATEGORIES)
def test_no_side_target_or_setup_has_more_than_its_share(
    share: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = ceil(getattr(puzzle_finder, share) * 4)
    with monkeypatch.context() as unlimited:
        for each in CATEGORIES:
            unlimited.setattr(puzzle_finder, each, 9.0)
        found = find_puzzles(PuzzleBook(CHESS.name, 2), 10, longest=1).puzzles
    for other in CATEGORIES.keys() - {share}:
        monkeypatch.setattr(puzzle_finder, other, 9.0)
    assert max(Counter(map(CATEGORIES[share], found)).values()) > most
    selection = PuzzleSelection(CHESS, 4, 1, PuzzleBook(CHESS.name, 2))
    for puzzle in found:
        if selection.fits(puzzle):
            selection.add(puzzle)
    assert max(Counter(map(CATEGORIES[share], selection.book.puzzles)).values()) == most


def test_a_selection_with_enough_puzzles_misses_no_length() -> None:
    choice = PuzzleSelection(CHESS, 1, 1, PuzzleBook(CHESS.name, 2))
    choice.add(first_found(choice))
    assert choice.missing_lengths() == ()


def test_a_position_with_several_winning_moves_is_no_puzzle() -> None:
    assert puzzle_at(CHESS, CHESS.read_position("l++9/*/*/*/*/*/4K5/4k4L+++ b"), 1) is None


def test_a_position_without_a_short_win_is_no_puzzle() -> None:
    assert puzzle_at(CHESS, CHESS.start("ace"), 2) is None
