"""The computer player for simultaneous games: solves a matrix game over both players' actions.

With simultaneous actions there is no best action, only a best mixture of actions: the one with
the best worst case. Regret matching finds it, and the seed draws the action from it. Like
`engine.search`, this works for any game and has no clock. Its `LEVELS` count rounds; those of
`engine.search` count single turns.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import mul
from random import Random
from typing import Any, Protocol, TypeVar

from engine.board import DRAWN
from engine.game import Player
from engine.search import DEEPEST, NO_LIMIT, WIN, Choice, Level, Limit

__all__ = ["DRAWN", "SimultaneousGame", "choose", "solve"]

REGRET_ROUNDS = 300  # of regret matching at the root
INNER_REGRET_ROUNDS = 24  # of regret matching below the root
# The share of random actions expected of the opponent. Without it, mistakes are never exploited.
ERROR_RATE = 0.3
# The same levels as in `engine.search`, with other limits.
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
NOISE_DIVISOR = 4  # errors are smaller than in games where one turn can lose a king
MIN_PROBABILITY = 0.03  # less than this is a residue of early rounds

S = TypeVar("S", bound=Hashable)
Payoffs = Sequence[Sequence[float]]


class SimultaneousGame(Protocol[S]):
    """A game in which two players act simultaneously, on states that are cheap to make."""

    start: S

    def actions(self, state: S, player: Player) -> list[int]:
        """The actions worth searching, at least one."""

    def play(self, state: S, actions: tuple[int, int]) -> S: ...

    def winner(self, state: S) -> int | None:
        """The winner, `DRAWN` for a draw, None while the game goes on."""

    def score(self, state: S, player: Player) -> float:
        """The evaluation for a player, in hundredths of a common piece."""

    def move(self, action: int) -> Any:
        """The move of the game for an action."""


class _Stopped(Exception):
    pass


def choose(
    game: SimultaneousGame[Any], player: Player, limit: Limit, stop: Callable[[], bool]
) -> Choice:
    """The computer's action as `player`.

    The first round is always searched. When `stop` returns true, the last complete depth counts.
    """
    return _Search(game, player, limit, stop).run()


class _Search:
    def __init__(
        self, game: SimultaneousGame[Any], player: Player, limit: Limit, stop: Callable[[], bool]
    ) -> None:
        level = LEVELS[limit.level - 1]
        self.game, self.player, self.stop = game, player, stop
        self.depth_limit = min(level.depth, limit.depth or DEEPEST)
        self.node_limit = min(level.nodes or NO_LIMIT, limit.nodes or NO_LIMIT)
        self.random = Random(limit.seed)
        self.own = game.actions(game.start, player)
        self.other = game.actions(game.start, 1 - player)
        noise = level.noise // NOISE_DIVISOR
        self.errors = [self.random.randint(-noise, noise) for _ in self.own]
        self.nodes = 0
        self.stoppable = False
        self.values: dict[tuple[Hashable, int], float] = {}

    def run(self) -> Choice:
        choice = self._search_depth(1)
        self.stoppable = True
        for depth in range(2, self.depth_limit + 1):
            try:
                choice = self._search_depth(depth)
            except _Stopped:
                break
        return choice

    def _search_depth(self, depth: int) -> Choice:
        payoffs = [
            [value + error for value in row]
            for row, error in zip(
                self._payoffs(self.game.start, self.own, self.other, depth),
                self.errors,
                strict=True,
            )
        ]
        mixture, value = solve(payoffs, REGRET_ROUNDS)
        action = self.own[_sample_row(mixture, Random(self.random.random()))]
        return Choice(self.game.move(action), round(value), (), self.nodes, depth)

    def _payoffs(self, state: Any, own: list[int], other: list[int], depth: int) -> Payoffs:
        """The value of each own action against each of the opponent's, who errs at times."""
        first, payoffs = self.player == 0, []
        for own_action in own:
            row = [
                self._value(
                    self.game.play(
                        state, (own_action, other_action) if first else (other_action, own_action)
                    ),
                    depth,
                )
                for other_action in other
            ]
            slips = ERROR_RATE * sum(row) / len(row)
            payoffs.append([(1 - ERROR_RATE) * value + slips for value in row])
        return payoffs

    def _value(self, state: Any, depth: int) -> float:
        """The value of a state after a round."""
        self.nodes += 1
        if self.stoppable and (self.nodes > self.node_limit or self.stop()):
            raise _Stopped
        winner = self.game.winner(state)
        if winner is not None:
            # A later win is worth less, a later loss more.
            sooner = WIN - 1000 + depth
            return 0 if winner == DRAWN else sooner if winner == self.player else -sooner
        if depth == 1:
            return self.game.score(state, self.player)
        key = state, depth
        if key not in self.values:
            own = self.game.actions(state, self.player)
            other = self.game.actions(state, 1 - self.player)
            payoffs = self._payoffs(state, own, other, depth - 1)
            self.values[key] = solve(payoffs, INNER_REGRET_ROUNDS)[1]
        return self.values[key]


def solve(payoffs: Payoffs, rounds: int) -> tuple[list[float], float]:
    """The mixture of rows with the best worst case, and its value.

    Exact if there is a saddle point. Otherwise both sides learn by regret matching, and the
    mixture is the average of the rows played.
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
        ours, theirs = _mix_by_regret(row_regret), _mix_by_regret(column_regret)
        row_worth = [sum(map(mul, row, theirs)) for row in payoffs]
        column_worth = [sum(map(mul, column, ours)) for column in turned]
        value = sum(map(mul, row_worth, ours))
        row_regret = [max(0.0, r + w - value) for r, w in zip(row_regret, row_worth, strict=True)]
        column_regret = [
            max(0.0, r - w + value) for r, w in zip(column_regret, column_worth, strict=True)
        ]
        # Later rounds are better and count more.
        played = [p + number * o for p, o in zip(played, ours, strict=True)]
    total = sum(played)
    mixture = [each / total for each in played]
    worth = min(sum(map(mul, column, mixture)) for column in turned)
    return mixture, worth


def _saddle(payoffs: Payoffs) -> tuple[list[float], float] | None:
    """The pure row of a saddle point and its value, if there is one."""
    worst = [min(row) for row in payoffs]
    best = max(worst)
    if best < min(max(column) for column in zip(*payoffs, strict=True)):
        return None
    # Among equally safe rows, take the one that gains most from mistakes.
    safe = max((sum(row), i) for i, row in enumerate(payoffs) if worst[i] == best)[1]
    return [float(i == safe) for i in range(len(payoffs))], best


def _mix_by_regret(regret: list[float]) -> list[float]:
    total = sum(regret)
    return [each / total for each in regret] if total > 0 else [1 / len(regret)] * len(regret)


def _sample_row(mixture: Sequence[float], random: Random) -> int:
    """A random row with the probabilities of the mixture."""
    weights = [each if each >= MIN_PROBABILITY else 0.0 for each in mixture]
    at = random.random() * sum(weights)
    for i, weight in enumerate(weights):
        at -= weight
        if weight and at <= 0:
            return i
    return max(range(len(weights)), key=weights.__getitem__)
