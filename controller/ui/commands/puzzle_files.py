"""Reads puzzle files of `laserboard puzzles make`. Errors name the file."""

from __future__ import annotations

from controller.ui.commands import sentences
from controller.ui.console import BadInput, printable_name, read_file
from engine.errors import LaserboardError
from engine.puzzles import Puzzle, PuzzleBook, read_puzzle_book
from engine.sentences import Sentence


def read_puzzle_file(name: str) -> PuzzleBook:
    """Read a puzzle file without checking the solutions."""
    text = read_file(name)
    try:
        return read_puzzle_book(text)
    except LaserboardError as error:
        raise BadInput(
            sentences.IN_FILE(name=printable_name(name), reason=error.sentence)
        ) from error


def own_puzzles(name: str | None) -> tuple[Puzzle, ...]:
    """The puzzles of a file; empty without one: the built-in puzzles."""
    return () if name is None else read_playable_puzzles(name)


def read_playable_puzzles(name: str) -> tuple[Puzzle, ...]:
    """Read at least one puzzle, and check that all solutions are legal and win."""
    puzzles = read_puzzle_file(name).puzzles
    if not puzzles:
        raise BadInput(sentences.NO_PUZZLES_IN_FILE(name=printable_name(name)))
    for number, puzzle in enumerate(puzzles, start=1):
        try:
            ended = [turn.outcome for turn in puzzle.solution_turns()]
            won = ended and ended[-1] is not None and ended[-1].winner == puzzle.solver
        except LaserboardError as error:
            raise _puzzle_error(name, number, error.sentence) from error
        if not won or len(ended) != 2 * puzzle.turns - 1:
            raise _puzzle_error(name, number, sentences.LINE_DOES_NOT_WIN(turns=puzzle.turns))
    return puzzles


def _puzzle_error(name: str, number: int, reason: Sentence) -> BadInput:
    return BadInput(sentences.AT_PUZZLE(name=printable_name(name), number=number, reason=reason))
