"""A file of puzzles, as `laserboard puzzles make` writes it, read for a person: what is wrong is
told with the file's name."""

from __future__ import annotations

from controller.ui.console import BadInput, printable_name, read_file
from engine.errors import LaserboardError
from engine.puzzles import Puzzle, PuzzleBook, read_puzzle_book


def read_puzzle_file(name: str) -> PuzzleBook:
    """All that the file says; whether its puzzles can be played is not looked at."""
    text = read_file(name)
    try:
        return read_puzzle_book(text)
    except LaserboardError as bad:
        raise BadInput(f"{printable_name(name)}: {bad}") from None


def read_playable_puzzles(name: str) -> tuple[Puzzle, ...]:
    """Puzzles to be played, at least one: their solutions are legal and win."""
    puzzles = read_puzzle_file(name).puzzles
    if not puzzles:
        raise BadInput(
            f"{printable_name(name)}: there is no puzzle in it yet: `puzzles make` finds some"
        )
    for number, puzzle in enumerate(puzzles, start=1):
        try:
            ended = [turn.outcome for turn in puzzle.solution_turns()]
            won = ended and ended[-1] is not None and ended[-1].winner == puzzle.solver
        except LaserboardError as bad:
            raise BadInput(f"{printable_name(name)}: puzzle {number}: {bad}") from None
        if not won or len(ended) != 2 * puzzle.turns - 1:
            raise BadInput(
                f"{printable_name(name)}: puzzle {number}:"
                f" its line does not win in {puzzle.turns} turns"
            )
    return puzzles
