"""Lists, shows and finds puzzles."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from controller.session.sentences import AND
from controller.storage.sentences import counted, turn_count
from controller.table.puzzle_series import (
    load_progress,
    numbered_puzzles,
    progress_file,
)
from controller.ui.commands import sentences
from controller.ui.commands.puzzle_files import own_puzzles, read_puzzle_file
from controller.ui.console import BadInput, Console, check_writable, write_file
from controller.ui.terminal import render_board
from engine import games, puzzle_finder
from engine.draw import position_svg
from engine.draw.words import headline
from engine.puzzles import MAX_TURNS, PuzzleBook, puzzle_by_number, write_puzzle_book
from engine.sentences import Sentence

SAVE_EVERY_GAMES = 5


def list_puzzles(turns: int | None, source: str | None, console: Console) -> int:
    """Print the puzzles that are won in `turns` turns (None: all), and mark the solved ones."""
    own, progress, solved, count = own_puzzles(source), load_progress(progress_file()), 0, 0
    for number, puzzle in numbered_puzzles(turns, own):
        tried = progress.tries_of(puzzle)
        mark = "x" if tried.solved_at else " "
        tries = f"  ({tried})" if tried.tries else ""
        task = f"{puzzle.rules.title}, {puzzle.task}"
        console.print(f"[{mark}] {number:>3}  {task}  {puzzle.rating}{tries}")
        count, solved = count + 1, solved + bool(tried.solved_at)
    if turns is not None and not count:
        others = sorted({each.turns for _, each in numbered_puzzles(own=own)})
        raise BadInput(sentences.NO_PUZZLE_IN_TURNS(turns=turns, others=_and(others)))
    play = "laserboard puzzles play" + (f" --from {shlex.quote(source)}" if source else "")
    console.note(sentences.PUZZLES_SOLVED(solved=solved, count=count, command=play))
    return 0


def _and(numbers: list[int]) -> int | Sentence:
    """`1, 2 and 3`"""
    *some, last = numbers
    return AND(first=tuple(map(str, some)), second=last) if some else last


def show_puzzle(
    number: int, source: str | None, svg: str | None, console: Console, *, with_solution: bool
) -> int:
    """Draw a puzzle in the terminal, or into an SVG file."""
    puzzle = puzzle_by_number(number, own_puzzles(source))
    game = puzzle.rules
    if svg is not None:
        write_file(svg, position_svg(game, puzzle.start_position), console)
        if not with_solution:
            return 0
    else:
        console.print_picture(render_board(game, puzzle.start_position, colour=console.colour))
    print_line = console.note if svg == "-" else console.print  # standard output has only the SVG
    print_line(sentences.PUZZLE(number=number, task=puzzle.task))
    for turn in puzzle.solution_turns() if with_solution else ():
        print_line(f"  {headline(game, turn)}")
    return 0


@dataclass(frozen=True, slots=True)
class PuzzleSearch:
    """Options of `laserboard puzzles make`: the puzzles to search for, and their file."""

    game: str
    seed: int
    count: int  # of each length
    turns: int  # of the longest
    file: str


def make_puzzles(search: PuzzleSearch, console: Console) -> int:
    """Find puzzles, and store them from time to time; continues a file of the same search."""
    if search.turns > MAX_TURNS:
        raise BadInput(sentences.TOO_MANY_PUZZLE_TURNS(turns=search.turns, most=MAX_TURNS))
    game = games.make(search.game)
    if game.board(game.start()) is None:
        raise BadInput(sentences.NO_PUZZLES_OF_GAME(game=search.game))
    check_writable(search.file)
    book = PuzzleBook(game.name, search.seed)
    if Path(search.file).is_file():
        book = read_puzzle_file(search.file)
        if (book.game, book.seed) != (game.name, search.seed):
            raise BadInput(sentences.OTHER_SEARCH(name=search.file, game=book.game, seed=book.seed))

    def save_progress(now: PuzzleBook) -> None:
        if now.games_played % SAVE_EVERY_GAMES == 0:
            write_file(search.file, write_puzzle_book(now), console)
        console.note(_summary(now, search.turns))

    book = puzzle_finder.find_puzzles(book, search.count, search.turns, save_progress)
    write_file(search.file, write_puzzle_book(book), console)
    console.print(_summary(book, search.turns))
    return 0


def _summary(book: PuzzleBook, longest: int) -> Sentence:
    found = Counter(each.turns for each in book.puzzles)
    counts = tuple(
        sentences.WON_IN(count=found[turns], turns=turn_count(turns))
        for turns in range(1, longest + 1)
    )
    games_played = counted(book.games_played, sentences.ONE_GAME, sentences.GAMES)
    return sentences.PUZZLES_FOUND(games=games_played, counts=counts)
