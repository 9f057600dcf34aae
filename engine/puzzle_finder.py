"""Finds puzzles by self-play: positions with exactly one winning move, selected for variety.

The same seed, computer player and game number give the same game, so a search can be stopped and
resumed at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import ceil
from random import Random
from typing import Any, NamedTuple

from engine import games
from engine.beam import BeamEvent
from engine.game import AnyGame, AnyTurn
from engine.puzzles import MAX_TURNS, Arrangement, Puzzle, PuzzleBook, count_differences
from engine.search import Limit, choose
from engine.solver import group_equivalent, winning_moves

LEVELS = (2, 3, 4)  # quick levels that make mistakes
OPENING_TURNS = (2, 8)  # random single turns at the start
MAX_GAME_TURNS = 120
CARELESS_TURNS = 12  # random alternatives tried for each turn played, to find mistakes
MAX_PER_GAME = 3  # puzzles of each length

MIN_BENDS = 2  # of the last beam of a puzzle in one turn: straight beams are too easy
MIN_DIFFERENT_CELLS = 7  # between any two puzzles
# The largest share of one category among the puzzles of the same length.
MAX_SIDE_SHARE, MAX_TARGET_SHARE, MAX_SETUP_SHARE = 0.55, 0.25, 0.3


class PuzzleCandidate(NamedTuple):
    """A position of a game, and the number of turns before it."""

    position: Any
    turns_before: int


def find_puzzles(
    book: PuzzleBook,
    count: int,
    longest: int = MAX_TURNS,
    on_game: Callable[[PuzzleBook], None] = lambda _: None,
) -> PuzzleBook:
    """The book with `count` puzzles of each length from 1 to `longest` turns.

    Calls `on_game` with the book after every game.
    """
    game = games.make(book.game).for_computers()
    selection = PuzzleSelection(game, count, longest, book)
    while selection.missing_lengths():
        for puzzle in puzzles_in_game(game, book.seed, selection.book.games_played, selection):
            selection.add(puzzle)
        selection.book = replace(selection.book, games_played=selection.book.games_played + 1)
        on_game(selection.book)
    return selection.book


class PuzzleSelection:
    """Selects puzzles: `count` of each length, of all categories, without near-duplicates."""

    def __init__(self, game: AnyGame, count: int, longest: int, book: PuzzleBook) -> None:
        self.game, self.count, self.longest = game, count, longest
        self.book = replace(book, puzzles=())
        self.category_counts: Counter[tuple[Any, ...]] = Counter()
        self.arrangements: list[Arrangement] = []
        self.lessons: set[tuple[int, str]] = set()
        for puzzle in book.puzzles:
            self.add(puzzle)

    def missing_lengths(self) -> tuple[int, ...]:
        """The lengths, in turns, of which puzzles are still missing."""
        lengths = range(1, self.longest + 1)
        return tuple(each for each in lengths if self.category_counts[(each,)] < self.count)

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle is fair and different from those selected."""
        turns = puzzle.solution_turns()
        if self.lessons & _lessons(puzzle):
            return False
        if not _is_fair(turns) or any(
            self.category_counts[category] >= ceil(most * self.count)
            for category, most in _categories(puzzle, turns, len(self.game.setups())).items()
        ):
            return False
        arrangement = puzzle.arrangement()
        return all(
            count_differences(arrangement, each) >= MIN_DIFFERENT_CELLS
            for each in self.arrangements
        )

    def add(self, puzzle: Puzzle) -> None:
        categories = _categories(puzzle, puzzle.solution_turns(), len(self.game.setups()))
        self.category_counts.update((*categories, (puzzle.turns,)))
        self.arrangements.append(puzzle.arrangement())
        self.lessons |= _lessons(puzzle)
        self.book = replace(self.book, puzzles=(*self.book.puzzles, puzzle))


def _categories(
    puzzle: Puzzle, turns: tuple[AnyTurn, ...], setups: int
) -> dict[tuple[Any, ...], float]:
    """The categories of a puzzle, with the largest share of each."""
    struck = next(loss.cell for loss in turns[-1].removed if loss.piece.owner != puzzle.solver)
    target = struck if puzzle.solver == 0 else turns[0].before.grid.size - 1 - struck
    return {
        (puzzle.turns, "side", puzzle.solver): MAX_SIDE_SHARE,
        (puzzle.turns, "target", target): MAX_TARGET_SHARE,
        (puzzle.turns, "setup", puzzle.setup): max(MAX_SETUP_SHARE, 1.2 / setups),
    }


def _lessons(puzzle: Puzzle) -> set[tuple[int, str]]:
    """The first and the last move with the game: each may occur once per game."""
    return {(puzzle.game_number, puzzle.line[0]), (puzzle.game_number, puzzle.line[-1])}


def _is_fair(turns: tuple[AnyTurn, ...]) -> bool:
    """Whether the win is not obvious: its beam bends, or the first move captures nothing."""
    if len(turns) == 1:
        return count_bends(turns[-1]) >= MIN_BENDS
    return not turns[0].losses


# -- one game ----------------------------------------------------------------------------------


def self_play(game: AnyGame, seed: int, number: int) -> tuple[str, list[PuzzleCandidate]]:
    """The setup of that game, and all positions before its turns."""
    random = Random(f"{seed} {number}")
    names = list(game.setups())
    setup = names[number % len(names)]
    levels = [random.choice(LEVELS) for _ in game.players]
    opening = random.randint(*OPENING_TURNS)
    position, candidates = game.start(setup), list[PuzzleCandidate]()
    while game.outcome(position) is None and len(candidates) < MAX_GAME_TURNS:
        (mover,) = game.to_move(position)
        candidates.append(PuzzleCandidate(position, len(candidates)))
        if len(candidates) <= opening:
            move = random.choice(game.legal(position, mover))
        else:
            limit = Limit(levels[mover], seed=random.randrange(2**31))
            move = choose(game, position, limit).move
        position = game.resolve(position, {mover: move}).after
    return setup, candidates


def puzzles_in_game(
    game: AnyGame, seed: int, number: int, selection: PuzzleSelection
) -> Iterator[Puzzle]:
    """Up to `MAX_PER_GAME` puzzles of each missing length from one game.

    Tries the positions of the game, and those after random alternatives to its turns.
    """
    setup, candidates = self_play(game, seed, number)
    random = Random(f"{seed} {number} strays")
    left = Counter(dict.fromkeys(selection.missing_lengths(), MAX_PER_GAME))
    random.shuffle(candidates)
    for candidate in candidates:
        for position, before in (candidate, *_careless_turns(game, candidate, random)):
            lengths = [turns for turns in selection.missing_lengths() if left[turns]]
            if not lengths:
                return
            puzzle = puzzle_at(game, position, max(lengths))
            if puzzle is None or puzzle.turns not in lengths:
                continue
            puzzle = replace(puzzle, setup=setup, game_number=number, turns_before=before)
            if selection.fits(puzzle):
                left[puzzle.turns] -= 1
                yield puzzle


def _careless_turns(
    game: AnyGame, candidate: PuzzleCandidate, random: Random
) -> Iterator[PuzzleCandidate]:
    """Positions after random turns instead of the one played."""
    (mover,) = game.to_move(candidate.position)
    moves = game.legal(candidate.position, mover)
    for move in random.sample(moves, min(CARELESS_TURNS, len(moves))):
        turn = game.resolve(candidate.position, {mover: move})
        if turn.outcome is None:
            yield PuzzleCandidate(turn.after, candidate.turns_before + 1)


def puzzle_at(game: AnyGame, position: Any, longest: int) -> Puzzle | None:
    """The puzzle of this position, if exactly one move wins within `longest` turns."""
    (mover,) = game.to_move(position)
    position = game.with_pieces(position, position.pieces, mover)  # without its history
    for turns in range(1, longest + 1):
        winning = winning_moves(game, position, turns)
        if not winning:
            continue
        if len(group_equivalent(game, position, winning)) > 1:
            return None
        line = _line(game, position, winning[0], turns)
        if len(line) != 2 * turns - 1:
            return None
        rating = _rating(game, line)
        written = tuple(
            game.write_move(turn.before, player, move)
            for turn in line
            for player, move in turn.moves
        )
        text = game.write_position(position)
        return Puzzle(game.name, turns, rating, text, written, "", 0, 0)
    return None


def _line(game: AnyGame, position: Any, move: Any, turns: int) -> list[AnyTurn]:
    """The winning move, then the longest defence and the win against it, and so on."""
    (mover,) = game.to_move(position)
    turn = game.resolve(position, {mover: move})
    if turn.outcome is not None:
        return [turn]
    longest: tuple[int, AnyTurn, Any] | None = None
    for answer in game.turns(turn.after):
        if answer.outcome is not None:
            continue
        for left in range(1, turns):
            wins = winning_moves(game, answer.after, left)
            if wins:
                if longest is None or left > longest[0]:
                    longest = left, answer, wins[0]
                break
        if longest is not None and longest[0] == turns - 1:
            break
    if longest is None:
        return [turn]  # every answer loses by itself: there is no win to show
    left, answer, wins = longest
    return [turn, answer, *_line(game, answer.after, wins, left)]


def count_bends(turn: AnyTurn) -> int:
    """The largest number of bends in a beam of a turn."""
    return max(sum(step.event is BeamEvent.TURN for step in beam.steps) for beam in turn.beams)


def _rating(game: AnyGame, line: list[AnyTurn]) -> int:
    """The estimated difficulty: mostly turns, then the bends of the last beam, the number of
    tempting captures, and whether the piece to move is outside the standing beam."""
    first = line[0]
    position = first.before
    ((player, move),) = first.moves
    tempting = sum(
        any(loss.piece.owner != player for loss in turn.losses)
        for turn in game.turns(position)
        if turn.moves != first.moves
    )
    lit = {cell for beam in game.standing_beams(position, player) for cell in beam.path}
    bends = 50 * min(count_bends(line[-1]), 8)
    outside = 150 if game.origin(position, player, move) not in lit else 0
    return 500 * ((len(line) + 1) // 2) + bends + 10 * min(tempting, 15) + outside
