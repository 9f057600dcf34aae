"""Self-play games of the computer, stored as positions with their results.

Every game has its own seed, so an interrupted run can continue. Only quiet positions are kept:
those in which the move that the search chose captures nothing.
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

MAX_TURNS = 200  # single turns
MIN_RANDOM_TURNS, MAX_RANDOM_TURNS = 2, 10
MAX_KEPT_SCORE = 700  # positions with a larger score are decided, and not stored


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """Which game to play, with which seeds and how many search nodes."""

    game: str
    seed: int
    nodes: int

    def make_game(self) -> TurnBased[Any, Any]:
        game = games.make(self.game).for_computers()
        assert isinstance(game, TurnBased)
        return game


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game: its number, its result for the first player (1, 0.5, 0), and its kept positions."""

    number: int
    result: float
    positions: tuple[tuple[str, int], ...]  # each with the search's score for the first player

    def to_json_line(self) -> str:
        return json.dumps([self.number, self.result, self.positions])

    @classmethod
    def from_json_line(cls, line: str) -> SelfPlayGame:
        number, result, positions = json.loads(line)
        return cls(number, result, tuple((text, score) for text, score in positions))


def play_self_game(plan: SelfPlaySettings, number: int) -> SelfPlayGame:
    """Play one game: a few random turns, then the computer for both."""
    game, random = plan.make_game(), Random(f"{plan.seed}/{number}")
    setups = list(game.setups())
    position = game.start(setups[number % len(setups)])
    random_turns = random.randint(MIN_RANDOM_TURNS, MAX_RANDOM_TURNS)
    kept: list[tuple[str, int]] = []
    for n in range(MAX_TURNS):
        if game.outcome(position) is not None:
            break
        if n < random_turns:
            move = random.choice(game.legal(position, position.side))
            position = game.play(position, move).after
            continue
        limit = Limit(nodes=plan.nodes, seed=random.randrange(2**31))
        choice = choose(game, position, limit)
        turn = game.play(position, choice.move)
        if not turn.losses and abs(choice.score) < min(MAX_KEPT_SCORE, DECIDED):
            score = choice.score if position.side == 0 else -choice.score
            kept.append((game.write_position(position), score))
        position = turn.after
    ended = game.outcome(position)
    winner = None if ended is None else ended.winner
    return SelfPlayGame(number, 0.5 if winner is None else float(winner == 0), tuple(kept))


def load_games(file: Path) -> list[SelfPlayGame]:
    """The games of an earlier run, without a torn last line."""
    if not file.exists():
        return []
    complete = file.read_text("utf-8").rpartition("\n")[0]
    return [SelfPlayGame.from_json_line(line) for line in complete.splitlines()]


def play_games(plan: SelfPlaySettings, file: Path, count: int, jobs: int) -> Iterator[SelfPlayGame]:
    """Play until the file has `count` games; yields each as it is written."""
    known = load_games(file)
    if file.exists():  # removes a torn last line
        complete = file.with_suffix(".complete")
        complete.write_text("".join(f"{each.to_json_line()}\n" for each in known), "utf-8")
        complete.replace(file)
    missing = sorted(set(range(count)) - {each.number for each in known})
    if not missing:
        return
    with file.open("a", encoding="utf-8") as written:
        for played in run_in_processes(partial(play_self_game, plan), missing, jobs):
            written.write(f"{played.to_json_line()}\n")
            written.flush()
            yield played


def run_in_processes(task: Callable[[int], T], numbers: Sequence[int], jobs: int) -> Iterator[T]:
    """The results of a task for each number, computed in several processes."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as workers:
        try:
            yield from workers.map(task, numbers)
        finally:
            workers.shutdown(cancel_futures=True)
