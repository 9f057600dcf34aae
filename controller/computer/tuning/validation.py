"""A match of new evaluation weights against those in use, at equal effort."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from controller.computer.tuning.selfplay import MAX_TURNS, SelfPlaySettings, run_in_processes
from engine.native import NativeRules
from engine.native.search import search_natively
from engine.search import Limit, SearchPlan, never_enough, never_stop

RANDOM_TURNS = 4


@dataclass(frozen=True, slots=True)
class ValidationMatch:
    """Two sets of weights; games come in pairs with the same opening, each side once."""

    plan: SelfPlaySettings
    new_weights: tuple[int, ...]
    old_weights: tuple[int, ...]

    def play_validation_game(self, number: int) -> float:
        """The points of the new weights in this game: 1, 0.5 or 0."""
        game = self.plan.make_game()
        evaluation = game.evaluation()
        assert evaluation is not None
        first = number % 2
        players: list[NativeRules] = []
        for numbers in (
            (self.new_weights, self.old_weights)
            if first == 0
            else (self.old_weights, self.new_weights)
        ):
            rules = evaluation.rules(numbers)
            assert rules is not None, "the caller checks that the core is built"
            players.append(rules)
        random = Random(f"{self.plan.seed}/{number // 2}")
        position: Any = game.start(list(game.setups())[number // 2 % len(game.setups())])
        for n in range(MAX_TURNS):
            if game.outcome(position) is not None:
                break
            if n < RANDOM_TURNS:
                move = random.choice(game.legal(position, position.side))
            else:
                limit = Limit(nodes=self.plan.nodes, seed=random.randrange(2**31))
                found = search_natively(
                    players[position.side],
                    SearchPlan.of(game, position, limit),
                    never_stop,
                    never_enough,
                )
                move = found.move
            position = game.play(position, move).after
        ended = game.outcome(position)
        if ended is None or ended.winner is None:
            return 0.5
        return float(ended.winner == first)

    def games(self, count: int, jobs: int) -> Iterator[float]:
        return run_in_processes(self.play_validation_game, range(count), jobs)
