"""Games that the computer plays against itself, kept as positions with how they ended.

Every game has its own seed, so that a run that was broken off goes on where it was. A kept position
is one to be judged by its looks: nothing was captured by the move that the search chose there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from engine import games
from engine.search import DECIDED, Limit, choose
from engine.turn_based import TurnBased

T = TypeVar("T")

LONGEST = 200  # single turns
FEWEST_RANDOM, MOST_RANDOM = 2, 10
LOPSIDED = 700  # beyond this, a position teaches nothing


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """How games are played: which, by which seeds, and with how much thought."""

    game: str
    seed: int
    nodes: int

    def make(self) -> TurnBased[Any, Any]:
        game = games.make(self.game).for_computers()
        assert isinstance(game, TurnBased)
        return game


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its number, its result for the first player (1, 0.5, 0), and what was kept of it."""

    number: int
    result: float
    positions: tuple[tuple[str, int], ...]  # each with the score that the search gave the first

    def line(self) -> str:
        return json.dumps([self.number, self.result, self.positions])

    @classmethod
    def read(cls, line: str) -> Played:
        number, result, positions = json.loads(line)
        return cls(number, result, tuple((text, score) for text, score in positions))


def play_one(plan: SelfPlay, number: int) -> Played:
    """One game: a few turns by chance, then the computer for both."""
    game, random = plan.make(), Random(f"{plan.seed}/{number}")
    setups = list(game.setups())
    position = game.start(setups[number % len(setups)])
    chance = random.randint(FEWEST_RANDOM, MOST_RANDOM)
    kept: list[tuple[str, int]] = []
    for n in range(LONGEST):
        if game.outcome(position) is not None:
            break
        if n < chance:
            move = random.choice(game.legal(position, position.side))
            position = game.play(position, move).after
            continue
        limit = Limit(nodes=plan.nodes, seed=random.randrange(2**31))
        choice = choose(game, position, limit)
        turn = game.play(position, choice.move)
        if not turn.losses and abs(choice.score) < min(LOPSIDED, DECIDED):
            score = choice.score if position.side == 0 else -choice.score
            kept.append((game.write_position(position), score))
        position = turn.after
    ended = game.outcome(position)
    winner = None if ended is None else ended.winner
    return Played(number, 0.5 if winner is None else float(winner == 0), tuple(kept))


def kept_games(file: Path) -> list[Played]:
    """What an earlier run left; a torn last line is not counted."""
    if not file.exists():
        return []
    whole = file.read_text("utf-8").rpartition("\n")[0]
    return [Played.read(line) for line in whole.splitlines()]


def play_games(plan: SelfPlay, file: Path, count: int, jobs: int) -> Iterator[Played]:
    """Play until that many games are in the file; yields each as it is written."""
    known = kept_games(file)
    if file.exists():  # a torn last line goes
        whole = file.with_suffix(".whole")
        whole.write_text("".join(f"{each.line()}\n" for each in known), "utf-8")
        whole.replace(file)
    missing = sorted(set(range(count)) - {each.number for each in known})
    if not missing:
        return
    with file.open("a", encoding="utf-8") as written:
        for played in side_by_side(partial(play_one, plan), missing, jobs):
            written.write(f"{played.line()}\n")
            written.flush()
            yield played


def side_by_side(task: Callable[[int], T], numbers: Sequence[int], jobs: int) -> Iterator[T]:
    """The results of a task for each number, worked on in several processes."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as workers:
        try:
            yield from workers.map(task, numbers)
        finally:
            workers.shutdown(cancel_futures=True)
