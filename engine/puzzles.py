"""Puzzles: positions with exactly one winning move, as values and text, and their proofs.

Exactly one move wins within the puzzle's turns, and no move wins sooner. Moves to equivalent
positions count as one. `engine.puzzle_finder` makes them by self-play. `data/puzzles/` has a file
per game and a line per puzzle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine import catalogue, games, strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Cell
from engine.search import never_stop
from engine.sentences import Sentence
from engine.solver import Prover, Stop, group_equivalent, select_prover

FORMAT = 1
MAX_TURNS = 3  # turns of the solver
MAX_RATING = 5000
FOLDER = Path(__file__).parent / "data" / "puzzles"

# Kind, owner and equivalent orientations by cell.
Arrangement = Mapping[Cell, tuple[str, Player, frozenset[int]]]


class BadPuzzle(LaserboardError, ValueError):
    """Text that is not a puzzle book, or a puzzle number that does not exist."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position whose side to move wins in `turns` of its own turns."""

    game: str
    turns: int
    rating: int  # estimated difficulty
    position: str
    line: tuple[str, ...]  # the winning move, the longest defence, and so on to the win
    setup: str  # of the game that it comes from
    game_number: int
    turns_before: int  # turns of that game before the position

    @property
    def rules(self) -> AnyGame:
        return games.make(self.game)

    @property
    def start_position(self) -> Any:
        return self.rules.read_position(self.position)

    @property
    def solver(self) -> Player:
        return self.rules.to_move(self.start_position)[0]

    @property
    def task(self) -> Sentence:
        """`blue to move: capture red's king in 2 turns`"""
        sides, solver = self.rules.players, self.solver
        goal = goal_sentence(sides[1 - solver], self.turns)
        return catalogue.PUZZLE_TASK(player=sides[solver], goal=goal)

    def solution_turns(self) -> tuple[AnyTurn, ...]:
        """The turns of the solution. Raises `IllegalMove` if it cannot be played."""
        game, position, turns = self.rules, self.start_position, []
        for text in self.line:
            mover = game.to_move(position)[0] if game.outcome(position) is None else self.solver
            turns.append(game.resolve(position, {mover: game.read_move(position, mover, text)}))
            position = turns[-1].after
        return tuple(turns)

    def arrangement(self) -> Arrangement:
        """The pieces by cell, normalised to the first player as solver.

        A puzzle for the second player is turned by 180 degrees with colours exchanged.
        """
        position = self.start_position
        pieces = self.rules.expected_pieces(position).items()
        stands = {cell: (each.kind, each.owner, each.orientations) for cell, each in pieces}
        if self.solver == 0:
            return stands
        last, headings = position.grid.size - 1, position.grid.headings
        return {
            last - cell: (kind, 1 - owner, frozenset((o + headings // 2) % headings for o in ways))
            for cell, (kind, owner, ways) in stands.items()
        }


def goal_sentence(other: str, turns: int) -> Sentence:
    """`capture red's king in 2 turns`"""
    if turns == 1:
        return catalogue.PUZZLE_GOAL_NOW(other=other)
    return catalogue.PUZZLE_GOAL(other=other, turns=turns)


def count_differences(one: Arrangement, two: Arrangement) -> int:
    """The number of cells with different contents."""
    return sum(one.get(cell) != two.get(cell) for cell in {*one, *two})


@dataclass(frozen=True, slots=True)
class PuzzleBook:
    """The puzzles of one game, and the state of the search: its seed and games played so far."""

    game: str
    seed: int
    games_played: int = 0
    puzzles: tuple[Puzzle, ...] = ()


# -- proofs ------------------------------------------------------------------------------------


def find_defects(
    puzzle: Puzzle, stop: Stop = never_stop, prover: Prover | None = None
) -> list[Sentence]:
    """Why it is not a valid puzzle. An empty list is a proof that it is one."""
    game, position = puzzle.rules, puzzle.start_position
    if game.write_position(position) != puzzle.position:
        return [catalogue.PUZZLE_SPELLING()]
    if game.outcome(position) is not None:
        return [catalogue.PUZZLE_OVER()]
    defects = []
    try:
        turns = puzzle.solution_turns()
    except LaserboardError as error:
        return [catalogue.PUZZLE_UNPLAYABLE(problem=error.sentence)]
    ended, expected = turns[-1].outcome if turns else None, 2 * puzzle.turns - 1
    if len(turns) != expected:
        defects.append(catalogue.PUZZLE_LENGTH(turns=len(turns), expected=expected))
    if ended is None:
        defects.append(catalogue.PUZZLE_UNDECIDED())
    elif ended.winner != puzzle.solver:
        defects.append(catalogue.PUZZLE_ENDS(outcome=ended.sentence))
    prover = prover or select_prover(game, position)
    if puzzle.turns > 1 and prover(game, position, puzzle.turns - 1, stop):
        defects.append(catalogue.PUZZLE_TOO_EASY(turns=puzzle.turns - 1))
    groups = group_equivalent(game, position, prover(game, position, puzzle.turns, stop))
    if len(groups) != 1:
        defects.append(catalogue.PUZZLE_NOT_UNIQUE(count=len(groups)))
    elif not any(turns and move == dict(turns[0].moves)[puzzle.solver] for move in groups[0]):
        defects.append(catalogue.PUZZLE_WRONG_MOVE(move=puzzle.line[0]))
    return defects


# -- as text -----------------------------------------------------------------------------------


def write_puzzle_book(book: PuzzleBook) -> str:
    """A book as text: easy puzzles first, one per line."""
    head = {"format": FORMAT, "game": book.game, "seed": book.seed, "games": book.games_played}
    in_words = games.make(book.game).record_form == "text"
    order = sorted(book.puzzles, key=lambda each: (each.turns, each.rating, each.position))
    lines = ",\n".join(strict_json.write(_puzzle_json(each, in_words)) for each in order)
    return f'{strict_json.write(head)[:-1]},"puzzles":[\n{lines}\n]}}\n'


def _puzzle_json(puzzle: Puzzle, in_words: bool) -> dict[str, Any]:
    return {
        "turns": puzzle.turns,
        "rating": puzzle.rating,
        "position": puzzle.position if in_words else json.loads(puzzle.position),
        "line": [each if in_words else json.loads(each) for each in puzzle.line],
        "from": {"setup": puzzle.setup, "game": puzzle.game_number, "turn": puzzle.turns_before},
    }


def read_puzzle_book(text: str) -> PuzzleBook:
    """A book from its text. `find_defects` checks the puzzles themselves."""
    book = strict_json.require_object(
        strict_json.read(text, BadPuzzle),
        "a book of puzzles",
        BadPuzzle,
        ("format", "game", "seed", "games", "puzzles"),
    )
    if book["format"] != FORMAT:
        value = excerpt(book["format"])
        raise BadPuzzle(catalogue.PUZZLE_FORMAT(value=value, expected=FORMAT))
    game = games.make(_text(book["game"], "game")).name
    puzzles = strict_json.require_list(book["puzzles"], "puzzles", BadPuzzle)
    return PuzzleBook(
        game,
        strict_json.require_int(book["seed"], "seed", BadPuzzle, 0, 10**9),
        strict_json.require_int(book["games"], "games", BadPuzzle, 0, 10**9),
        tuple(_puzzle(game, each, f"puzzle {n}") for n, each in enumerate(puzzles, start=1)),
    )


def _puzzle(game: str, value: Any, what: str) -> Puzzle:
    keys = ("turns", "rating", "position", "line", "from")
    entry = strict_json.require_object(value, what, BadPuzzle, keys)
    origin = strict_json.require_object(
        entry["from"], f"{what}: from", BadPuzzle, ("setup", "game", "turn")
    )
    line = strict_json.require_list(entry["line"], f"{what}: line", BadPuzzle)
    return Puzzle(
        game,
        strict_json.require_int(entry["turns"], f"{what}: turns", BadPuzzle, 1, MAX_TURNS),
        strict_json.require_int(entry["rating"], f"{what}: rating", BadPuzzle, 0, MAX_RATING),
        _notation_text(entry["position"]),
        tuple(_notation_text(each) for each in line),
        _text(origin["setup"], f"{what}: setup"),
        strict_json.require_int(origin["game"], f"{what}: game", BadPuzzle, 0, 10**9),
        strict_json.require_int(origin["turn"], f"{what}: turn", BadPuzzle, 0, 10**9),
    )


def _notation_text(value: Any) -> str:
    """A position or move in the notation of its game: a word, or JSON text."""
    return value if isinstance(value, str) else strict_json.write(value)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise BadPuzzle(catalogue.NOT_TEXT(what=what, value=excerpt(value)))
    return value


@cache
def load_puzzles() -> tuple[Puzzle, ...]:
    """All puzzles of all games. Puzzle 1 is the first."""
    texts = [FOLDER / f"{name}.json" for name in games.GAMES]
    return tuple(
        puzzle
        for path in texts
        if path.is_file()
        for puzzle in read_puzzle_book(path.read_text("utf-8")).puzzles
    )


def puzzle_by_number(number: int, own: Sequence[Puzzle] = ()) -> Puzzle:
    """The puzzle of that number in `own`, by default in the built-in puzzles."""
    puzzles = own or load_puzzles()
    if not 1 <= number <= len(puzzles):
        raise BadPuzzle(catalogue.NO_SUCH_PUZZLE(number=number, most=len(puzzles)))
    return puzzles[number - 1]
