"""Finding puzzles: games that the computer plays against itself, searched for positions in which
exactly one move wins; and a choice among them, so that no two are alike.

The same seed, the same computer player and the same game number give the same game, so that a
search may be ended at any time and gone on with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import ceil
from random import Random
from typing import Any, NamedTuple

from engine import games
from engine.beam import What
from engine.game import AnyGame, AnyTurn
from engine.puzzles import LONGEST, Arrangement, Book, Puzzle, differing
from engine.search import Limit, choose
from engine.solver import distinct, winning_moves

LEVELS = (2, 3, 4)  # quick, and they err often enough to be punished
OPENING = (2, 8)  # single turns by chance before they think
LONGEST_GAME = 120
STRAYS = 12  # turns by chance that are looked at beside each one played: errors to be punished
MOST_OF_ONE_GAME = 3  # puzzles of each length

FEWEST_BENDS = 2  # of the beam that ends a puzzle of one turn: the shortest are seen at once
NEAR = 7  # on fewer cells than that two puzzles must not differ alone
# The most of one sort among the puzzles of as many turns, as a share of them.
MOST_OF_ONE_SIDE, MOST_OF_ONE_TARGET, MOST_OF_ONE_SETUP = 0.55, 0.25, 0.3


class Stand(NamedTuple):
    """A position of a game, and how many turns were played before it."""

    position: Any
    after: int


def mine(
    book: Book, count: int, longest: int = LONGEST, looked: Callable[[Book], None] = lambda _: None
) -> Book:
    """The book with `count` puzzles of 1, 2, ... `longest` turns each; `looked` sees it after
    every game."""
    game = games.make(book.game).for_computers()
    choice = Choice(game, count, longest, book)
    while choice.wanted():
        for puzzle in found_in(game, book.seed, choice.book.games, choice):
            choice.take(puzzle)
        choice.book = replace(choice.book, games=choice.book.games + 1)
        looked(choice.book)
    return choice.book


class Choice:
    """Which puzzles are taken: so many of each length, of all sorts, and none twice."""

    def __init__(self, game: AnyGame, count: int, longest: int, book: Book) -> None:
        self.game, self.count, self.longest = game, count, longest
        self.book = replace(book, puzzles=())
        self.sorts: Counter[tuple[Any, ...]] = Counter()
        self.arrangements: list[Arrangement] = []
        self.lessons: set[tuple[int, str]] = set()
        for puzzle in book.puzzles:
            self.take(puzzle)

    def wanted(self) -> tuple[int, ...]:
        """Of how many turns some are still missing."""
        lengths = range(1, self.longest + 1)
        return tuple(each for each in lengths if self.sorts[(each,)] < self.count)

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether it is fair, and unlike those that are there."""
        turns = puzzle.played()
        if self.lessons & _lessons(puzzle):
            return False
        if not _fair(turns) or any(
            self.sorts[sort] >= ceil(most * self.count)
            for sort, most in _sorts(puzzle, turns, len(self.game.setups())).items()
        ):
            return False
        arrangement = puzzle.arrangement()
        return all(differing(arrangement, each) >= NEAR for each in self.arrangements)

    def take(self, puzzle: Puzzle) -> None:
        sorts = _sorts(puzzle, puzzle.played(), len(self.game.setups()))
        self.sorts.update((*sorts, (puzzle.turns,)))
        self.arrangements.append(puzzle.arrangement())
        self.lessons |= _lessons(puzzle)
        self.book = replace(self.book, puzzles=(*self.book.puzzles, puzzle))


def _sorts(puzzle: Puzzle, turns: tuple[AnyTurn, ...], setups: int) -> dict[tuple[Any, ...], float]:
    """What a puzzle is one of, with the share that its sort may have."""
    struck = next(loss.cell for loss in turns[-1].removed if loss.piece.owner != puzzle.solver)
    seen = struck if puzzle.solver == 0 else turns[0].before.grid.size - 1 - struck
    return {
        (puzzle.turns, "side", puzzle.solver): MOST_OF_ONE_SIDE,
        (puzzle.turns, "target", seen): MOST_OF_ONE_TARGET,
        (puzzle.turns, "setup", puzzle.setup): max(MOST_OF_ONE_SETUP, 1.2 / setups),
    }


def _lessons(puzzle: Puzzle) -> set[tuple[int, str]]:
    """What is learnt from it, how it begins and ends: once is enough in one game."""
    return {(puzzle.source, puzzle.line[0]), (puzzle.source, puzzle.line[-1])}


def _fair(turns: tuple[AnyTurn, ...]) -> bool:
    """No obvious capture: a beam that bends, or a first move that takes nothing."""
    if len(turns) == 1:
        return bends(turns[-1]) >= FEWEST_BENDS
    return not turns[0].losses


# -- one game ----------------------------------------------------------------------------------


def self_play(game: AnyGame, seed: int, number: int) -> tuple[str, list[Stand]]:
    """The setup of that game, and every position in which somebody was to move."""
    random = Random(f"{seed} {number}")
    names = list(game.setups())
    setup = names[number % len(names)]
    levels = [random.choice(LEVELS) for _ in game.players]
    opening = random.randint(*OPENING)
    position, stands = game.start(setup), list[Stand]()
    while game.outcome(position) is None and len(stands) < LONGEST_GAME:
        (mover,) = game.to_move(position)
        stands.append(Stand(position, len(stands)))
        if len(stands) <= opening:
            move = random.choice(game.legal(position, mover))
        else:
            limit = Limit(levels[mover], seed=random.randrange(2**31))
            move = choose(game, position, limit).move
        position = game.resolve(position, {mover: move}).after
    return setup, stands


def found_in(game: AnyGame, seed: int, number: int, choice: Choice) -> Iterator[Puzzle]:
    """A few puzzles of each length that is wanted and fits: positions of that game, and those that
    a careless turn would have led to."""
    setup, stands = self_play(game, seed, number)
    random = Random(f"{seed} {number} strays")
    left = Counter(dict.fromkeys(choice.wanted(), MOST_OF_ONE_GAME))
    random.shuffle(stands)
    for stand in stands:
        for position, after in (stand, *_strays(game, stand, random)):
            wanted = [turns for turns in choice.wanted() if left[turns]]
            if not wanted:
                return
            puzzle = puzzle_at(game, position, max(wanted))
            if puzzle is None or puzzle.turns not in wanted:
                continue
            puzzle = replace(puzzle, setup=setup, source=number, after=after)
            if choice.fits(puzzle):
                left[puzzle.turns] -= 1
                yield puzzle


def _strays(game: AnyGame, stand: Stand, random: Random) -> Iterator[Stand]:
    """Where the game would stand after some other turn than the one that was played."""
    (mover,) = game.to_move(stand.position)
    moves = game.legal(stand.position, mover)
    for move in random.sample(moves, min(STRAYS, len(moves))):
        turn = game.resolve(stand.position, {mover: move})
        if turn.outcome is None:
            yield Stand(turn.after, stand.after + 1)


def puzzle_at(game: AnyGame, position: Any, longest: int) -> Puzzle | None:
    """The puzzle that this position is, if exactly one move wins soon."""
    (mover,) = game.to_move(position)
    position = game.arranged(position, position.pieces, mover)  # without its past
    for turns in range(1, longest + 1):
        winning = winning_moves(game, position, turns)
        if not winning:
            continue
        if len(distinct(game, position, winning)) > 1:
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
    """The move, and then the longest defence, each time, and what wins against it."""
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
        return [turn]  # every answer loses by itself: nobody would be shown how
    left, answer, wins = longest
    return [turn, answer, *_line(game, answer.after, wins, left)]


def bends(turn: AnyTurn) -> int:
    """How often the longest beam of a turn changes its way."""
    return max(sum(step.what is What.TURN for step in beam.steps) for beam in turn.beams)


def _rating(game: AnyGame, line: list[AnyTurn]) -> int:
    """How hard it looks: turns first; then how the last beam winds, how many captures tempt
    elsewhere, and whether the piece to move lies in the light already."""
    first = line[0]
    position = first.before
    ((player, move),) = first.moves
    tempting = sum(
        any(loss.piece.owner != player for loss in turn.losses)
        for turn in game.turns(position)
        if turn.moves != first.moves
    )
    lit = {cell for beam in game.standing_beams(position, player) for cell in beam.path}
    turned = 50 * min(bends(line[-1]), 8) + 10 * min(tempting, 15)
    dark = 150 if game.origin(position, player, move) not in lit else 0
    return 500 * ((len(line) + 1) // 2) + turned + dark
