"""Does it play better? New numbers against those in use, at equal effort."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from controller.tuning.selfplay import LONGEST, SelfPlay, side_by_side
from engine.native import CompiledRules
from engine.native.thinking import think
from engine.search import Limit, Plan, go_on, never

RANDOM_TURNS = 4


@dataclass(frozen=True, slots=True)
class Contest:
    """Two judgements; games come in pairs with the same beginning, each side once."""

    plan: SelfPlay
    new: tuple[int, ...]
    old: tuple[int, ...]

    def play(self, number: int) -> float:
        """What the new numbers get from that game: 1, 0.5 or 0."""
        game = self.plan.make()
        judgement = game.judgement()
        assert judgement is not None
        first = number % 2
        players: list[CompiledRules] = []
        for numbers in (self.new, self.old) if first == 0 else (self.old, self.new):
            rules = judgement.rules(numbers)
            assert rules is not None, "the caller has looked whether the core is there"
            players.append(rules)
        random = Random(f"{self.plan.seed}/{number // 2}")
        position: Any = game.start(list(game.setups())[number // 2 % len(game.setups())])
        for n in range(LONGEST):
            if game.outcome(position) is not None:
                break
            if n < RANDOM_TURNS:
                move = random.choice(game.legal(position, position.side))
            else:
                limit = Limit(nodes=self.plan.nodes, seed=random.randrange(2**31))
                found = think(players[position.side], Plan.of(game, position, limit), never, go_on)
                move = found.move
            position = game.play(position, move).after
        ended = game.outcome(position)
        if ended is None or ended.winner is None:
            return 0.5
        return float(ended.winner == first)

    def games(self, count: int, jobs: int) -> Iterator[float]:
        return side_by_side(self.play, range(count), jobs)
