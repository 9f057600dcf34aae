"""Puzzles: positions with exactly one winning move, as values, as text, and proven.

Exactly one move wins within the puzzle's turns, and no move wins sooner; moves that lead to
positions which play alike are one. They come from games that the computer played against itself
(`engine.mining`), and are kept in `data/puzzles/`, a file for each game, a line for each puzzle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine import games, strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Cell
from engine.search import never
from engine.solver import Core, Stop, core, distinct

FORMAT = 1
LONGEST = 3  # turns of whoever solves it
HARDEST = 5000
FOLDER = Path(__file__).parent / "data" / "puzzles"

# What stands on each cell, however it may stand there: kind, owner, orientations.
Arrangement = Mapping[Cell, tuple[str, Player, frozenset[int]]]


class BadPuzzle(LaserboardError, ValueError):
    """Text that is no book of puzzles, or a puzzle that is none."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One position, whose side to move is to win in so many of its own turns."""

    game: str
    turns: int
    rating: int  # how hard it looks: an estimate, more is harder
    position: str
    line: tuple[str, ...]  # the one move, the longest defence, and so on to the win
    setup: str  # where the game began from which it comes
    source: int  # the number of that game
    after: int  # the turns that were played there before

    @property
    def rules(self) -> AnyGame:
        return games.make(self.game)

    @property
    def first(self) -> Any:
        return self.rules.read_position(self.position)

    @property
    def solver(self) -> Player:
        return self.rules.to_move(self.first)[0]

    @property
    def task(self) -> str:
        """`blue to move: strike red's king in 2 turns`"""
        sides, solver = self.rules.players, self.solver
        return f"{sides[solver]} to move: {goal(sides[1 - solver], self.turns)}"

    def played(self) -> tuple[AnyTurn, ...]:
        """The solution, turn by turn; `IllegalMove` where it is none."""
        game, position, turns = self.rules, self.first, []
        for text in self.line:
            mover = game.to_move(position)[0] if game.outcome(position) is None else self.solver
            turns.append(game.resolve(position, {mover: game.read_move(position, mover, text)}))
            position = turns[-1].after
        return tuple(turns)

    def arrangement(self) -> Arrangement:
        """What stands where, as if the first player were to solve it: the board turned by half,
        and the colours exchanged, is the same puzzle."""
        position = self.first
        pieces = self.rules.standing(position).items()
        stands = {cell: (each.kind, each.owner, each.orientations) for cell, each in pieces}
        if self.solver == 0:
            return stands
        last, headings = position.grid.size - 1, position.grid.headings
        return {
            last - cell: (kind, 1 - owner, frozenset((o + headings // 2) % headings for o in ways))
            for cell, (kind, owner, ways) in stands.items()
        }


def goal(other: str, turns: int) -> str:
    """What is to be done, in words."""
    return f"strike {other}'s king {'this turn' if turns == 1 else f'in {turns} turns'}"


def differing(one: Arrangement, two: Arrangement) -> int:
    """On how many cells something else stands."""
    return sum(one.get(cell) != two.get(cell) for cell in {*one, *two})


@dataclass(frozen=True, slots=True)
class Book:
    """The puzzles of one game, and the run that found them: its seed, and the games it has played
    so far."""

    game: str
    seed: int
    games: int = 0
    puzzles: tuple[Puzzle, ...] = ()


# -- proofs ------------------------------------------------------------------------------------


def faults(puzzle: Puzzle, stop: Stop = never, proof: Core | None = None) -> list[str]:
    """Why it is no puzzle; nothing: it is proven to be one."""
    game, position = puzzle.rules, puzzle.first
    if game.write_position(position) != puzzle.position:
        return ["its position is not written as the game writes it"]
    if game.outcome(position) is not None:
        return ["its game is over"]
    found = []
    try:
        turns = puzzle.played()
    except LaserboardError as wrong:
        return [f"its solution cannot be played: {wrong}"]
    ended = turns[-1].outcome if turns else None
    if len(turns) != 2 * puzzle.turns - 1:
        found.append(f"its solution takes {len(turns)} single turns, not {2 * puzzle.turns - 1}")
    if ended is None or ended.winner != puzzle.solver:
        found.append(f"its solution ends with {ended or 'nothing decided'}")
    proof = proof or core(game, position)
    if puzzle.turns > 1 and proof(game, position, puzzle.turns - 1, stop):
        found.append(f"it is won in {puzzle.turns - 1} turns already")
    keys = distinct(game, position, proof(game, position, puzzle.turns, stop))
    if len(keys) != 1:
        found.append(f"{len(keys)} different moves win, not one")
    elif not any(turns and move == dict(turns[0].moves)[puzzle.solver] for move in keys[0]):
        found.append(f"{puzzle.line[0]} is not the move that wins")
    return found


# -- as text -----------------------------------------------------------------------------------


def write(book: Book) -> str:
    """Easy puzzles before hard ones, each on a line of its own."""
    head = {"format": FORMAT, "game": book.game, "seed": book.seed, "games": book.games}
    in_words = games.make(book.game).record_form == "text"
    order = sorted(book.puzzles, key=lambda each: (each.turns, each.rating, each.position))
    lines = ",\n".join(strict_json.write(_value(each, in_words)) for each in order)
    return f'{strict_json.write(head)[:-1]},"puzzles":[\n{lines}\n]}}\n'


def _value(puzzle: Puzzle, in_words: bool) -> dict[str, Any]:
    return {
        "turns": puzzle.turns,
        "rating": puzzle.rating,
        "position": puzzle.position if in_words else json.loads(puzzle.position),
        "line": [each if in_words else json.loads(each) for each in puzzle.line],
        "from": {"setup": puzzle.setup, "game": puzzle.source, "turn": puzzle.after},
    }


def read(text: str) -> Book:
    """A book as it was written; whether its puzzles are any is for `faults` to say."""
    found = strict_json.fields(
        strict_json.read(text, BadPuzzle),
        "a book of puzzles",
        BadPuzzle,
        ("format", "game", "seed", "games", "puzzles"),
    )
    if found["format"] != FORMAT:
        raise BadPuzzle(f"its format is {excerpt(found['format'])}, and this one reads {FORMAT}")
    game = games.make(_text(found["game"], "game")).name
    puzzles = strict_json.items(found["puzzles"], "puzzles", BadPuzzle)
    return Book(
        game,
        strict_json.whole(found["seed"], "seed", BadPuzzle, 0, 10**9),
        strict_json.whole(found["games"], "games", BadPuzzle, 0, 10**9),
        tuple(_puzzle(game, each, f"puzzle {n}") for n, each in enumerate(puzzles, start=1)),
    )


def _puzzle(game: str, value: Any, what: str) -> Puzzle:
    keys = ("turns", "rating", "position", "line", "from")
    found = strict_json.fields(value, what, BadPuzzle, keys)
    origin = strict_json.fields(found["from"], f"{what}: from", BadPuzzle,
                                ("setup", "game", "turn"))  # fmt: skip
    line = strict_json.items(found["line"], f"{what}: line", BadPuzzle)
    return Puzzle(
        game,
        strict_json.whole(found["turns"], f"{what}: turns", BadPuzzle, 1, LONGEST),
        strict_json.whole(found["rating"], f"{what}: rating", BadPuzzle, 0, HARDEST),
        _words(found["position"]),
        tuple(_words(each) for each in line),
        _text(origin["setup"], f"{what}: setup"),
        strict_json.whole(origin["game"], f"{what}: game", BadPuzzle, 0, 10**9),
        strict_json.whole(origin["turn"], f"{what}: turn", BadPuzzle, 0, 10**9),
    )


def _words(value: Any) -> str:
    """As its game writes it: words, or JSON."""
    return value if isinstance(value, str) else strict_json.write(value)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise BadPuzzle(f"{what} must be text, not {excerpt(value)}")
    return value


@cache
def shelf() -> tuple[Puzzle, ...]:
    """All puzzles there are, game after game; puzzle 1 is the first."""
    texts = [FOLDER / f"{name}.json" for name in games.GAMES]
    return tuple(
        puzzle
        for path in texts
        if path.is_file()
        for puzzle in read(path.read_text("utf-8")).puzzles
    )


def numbered(number: int, own: Sequence[Puzzle] = ()) -> Puzzle:
    """The puzzle of that number; among those of somebody's own, if there are any."""
    puzzles = own or shelf()
    if not 1 <= number <= len(puzzles):
        raise BadPuzzle(f"there is no puzzle {number}: they go from 1 to {len(puzzles)}")
    return puzzles[number - 1]
