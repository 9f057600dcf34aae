"""The computer player where both act at once: a small matrix game over the actions of both.

Nobody knows what the other does, so there is no best action but a best mixture: the one that does
least badly against whatever is played against it. It is found by regret matching, and what is
played is drawn from it by the seed. Knows no game and no time, like `engine.search`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import mul
from random import Random
from typing import Any, Protocol, TypeVar

from engine.board import DRAWN
from engine.game import Player
from engine.search import DEEPEST, NO_LIMIT, WIN, Choice, Level, Limit

__all__ = ["DRAWN", "Duel", "choose", "solve"]

ROUNDS = 300  # of regret matching for what is played
INNER_ROUNDS = 24  # and for what is only thought of
# How often the other does anything at all: who expects no mistakes never wins by one.
ERRS = 0.3
# Levels as in `engine.search`, where depth counts rounds and little noise does much.
LEVELS = (
    Level(1, None, 250),
    Level(1, None, 60),
    Level(2, None, 60),
    Level(2, None, 0),
    Level(3, 20_000, 0),
    Level(4, 60_000, 0),
    Level(5, 250_000, 0),
    Level(DEEPEST, None, 0),
)
CALMER = 4  # a misjudgement is smaller than where one turn can lose a king
RARELY = 0.03  # what the mixture has so little of is left over from before it settled

S = TypeVar("S", bound=Hashable)
Payoffs = Sequence[Sequence[float]]


class Duel(Protocol[S]):
    """A game of two who act at once, in states that are cheap to make."""

    start: S

    def actions(self, state: S, player: Player) -> list[int]:
        """What is worth thinking about; never nothing."""

    def play(self, state: S, actions: tuple[int, int]) -> S: ...

    def winner(self, state: S) -> int | None:
        """Who has won; None while the game goes on, `DRAWN` if nobody has."""

    def score(self, state: S, player: Player) -> float:
        """How good it is for a player, in hundredths of a common piece."""

    def move(self, action: int) -> Any:
        """The game's own move."""


class _Stopped(Exception):
    pass


def choose(duel: Duel[Any], player: Player, limit: Limit, stop: Callable[[], bool]) -> Choice:
    """What the computer does as `player`. One round ahead is always looked at; once `stop` says
    so, the deepest look that was finished counts."""
    return _Search(duel, player, limit, stop).run()


class _Search:
    def __init__(
        self, duel: Duel[Any], player: Player, limit: Limit, stop: Callable[[], bool]
    ) -> None:
        level = LEVELS[limit.level - 1]
        self.duel, self.player, self.stop = duel, player, stop
        self.depth_limit = min(level.depth, limit.depth or DEEPEST)
        self.node_limit = min(level.nodes or NO_LIMIT, limit.nodes or NO_LIMIT)
        self.random = Random(limit.seed)
        self.own = duel.actions(duel.start, player)
        self.other = duel.actions(duel.start, 1 - player)
        noise = level.noise // CALMER
        self.errors = [self.random.randint(-noise, noise) for _ in self.own]
        self.nodes = 0
        self.stoppable = False
        self.known: dict[tuple[Hashable, int], float] = {}

    def run(self) -> Choice:
        choice = self._look(1)
        self.stoppable = True
        for depth in range(2, self.depth_limit + 1):
            try:
                choice = self._look(depth)
            except _Stopped:
                break
        return choice

    def _look(self, depth: int) -> Choice:
        payoffs = [
            [value + error for value in row]
            for row, error in zip(
                self._payoffs(self.duel.start, self.own, self.other, depth),
                self.errors,
                strict=True,
            )
        ]
        mixture, value = solve(payoffs, ROUNDS)
        action = self.own[_drawn(mixture, Random(self.random.random()))]
        return Choice(self.duel.move(action), round(value), (), self.nodes, depth)

    def _payoffs(self, state: Any, own: list[int], other: list[int], depth: int) -> Payoffs:
        """What each of our actions is worth against each of the other's, who errs at times."""
        first, payoffs = self.player == 0, []
        for mine in own:
            row = [
                self._value(self.duel.play(state, (mine, yours) if first else (yours, mine)), depth)
                for yours in other
            ]
            slips = ERRS * sum(row) / len(row)
            payoffs.append([(1 - ERRS) * value + slips for value in row])
        return payoffs

    def _value(self, state: Any, depth: int) -> float:
        """What a state is worth that a round has just led to."""
        self.nodes += 1
        if self.stoppable and (self.nodes > self.node_limit or self.stop()):
            raise _Stopped
        winner = self.duel.winner(state)
        if winner is not None:
            # A win that takes longer is worth less, a loss that does, more.
            sooner = WIN - 1000 + depth
            return 0 if winner == DRAWN else sooner if winner == self.player else -sooner
        if depth == 1:
            return self.duel.score(state, self.player)
        key = state, depth
        if key not in self.known:
            own = self.duel.actions(state, self.player)
            other = self.duel.actions(state, 1 - self.player)
            payoffs = self._payoffs(state, own, other, depth - 1)
            self.known[key] = solve(payoffs, INNER_ROUNDS)[1]
        return self.known[key]


def solve(payoffs: Payoffs, rounds: int) -> tuple[list[float], float]:
    """The mixture of rows that does best against the worst of columns, and what it is worth.

    Exact where one row and one column settle it; else both learn by regret, and the mixture is
    the average of what the rows have played.
    """
    saddle = _saddle(payoffs)
    if saddle is not None:
        return saddle
    rows, columns = len(payoffs), len(payoffs[0])
    payoffs = [[float(each) for each in row] for row in payoffs]
    turned = list(zip(*payoffs, strict=True))
    row_regret, column_regret = [0.0] * rows, [0.0] * columns
    played = [0.0] * rows
    for number in range(1, rounds + 1):
        ours, theirs = _by_regret(row_regret), _by_regret(column_regret)
        row_worth = [sum(map(mul, row, theirs)) for row in payoffs]
        column_worth = [sum(map(mul, column, ours)) for column in turned]
        value = sum(map(mul, row_worth, ours))
        row_regret = [max(0.0, r + w - value) for r, w in zip(row_regret, row_worth, strict=True)]
        column_regret = [
            max(0.0, r - w + value) for r, w in zip(column_regret, column_worth, strict=True)
        ]
        # Later rounds know better: they count more.
        played = [p + number * o for p, o in zip(played, ours, strict=True)]
    whole = sum(played)
    mixture = [each / whole for each in played]
    worth = min(sum(map(mul, column, mixture)) for column in turned)
    return mixture, worth


def _saddle(payoffs: Payoffs) -> tuple[list[float], float] | None:
    """One row that is best whatever is played against it, if there is one."""
    worst = [min(row) for row in payoffs]
    best = max(worst)
    if best < min(max(column) for column in zip(*payoffs, strict=True)):
        return None
    # Of several that are as safe, the one that gains most from mistakes.
    safe = max((sum(row), i) for i, row in enumerate(payoffs) if worst[i] == best)[1]
    return [float(i == safe) for i in range(len(payoffs))], best


def _by_regret(regret: list[float]) -> list[float]:
    whole = sum(regret)
    return [each / whole for each in regret] if whole > 0 else [1 / len(regret)] * len(regret)


def _drawn(mixture: Sequence[float], random: Random) -> int:
    """One of the rows, by chance."""
    weights = [each if each >= RARELY else 0.0 for each in mixture]
    at = random.random() * sum(weights)
    for i, weight in enumerate(weights):
        at -= weight
        if weight and at <= 0:
            return i
    return max(range(len(weights)), key=weights.__getitem__)
