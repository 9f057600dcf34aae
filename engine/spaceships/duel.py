"""Spaceships for the computer player: small numbers in place of values, a round in microseconds.

What a ship can step to and what it can hit from every tile is known beforehand. A property test
proves `play` equal to the rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.duels import DRAWN
from engine.game import Player
from engine.grid import CUBE_STEPS, Cell, HexGrid
from engine.spaceships.state import Action, Position
from engine.spaceships.terrain import Terrain

if TYPE_CHECKING:
    from engine.spaceships.rules import Spaceships

WAYS = len(CUBE_STEPS)  # an action below this is a move, above it a laser
A_HIT = 100.0  # what a hit is worth; the rest is worth less than one
A_POINT = 0.2  # of score
A_STEP = 3.0  # nearer to the other: whoever never meets him wins nothing
NOWHERE = -1


class State(NamedTuple):
    """Both ships before a round; equal states play alike."""

    round: int
    cells: tuple[Cell, Cell]
    hit_points: tuple[int, int]
    scores: tuple[int, int]


class ShipDuel:
    """One map under one set of rules."""

    def __init__(self, game: Spaceships, position: Position) -> None:
        self._game, self._tiles = game, position.grid.tiles
        self._ahead, self._aims = _ways(position.grid, position.terrain, game.reach)
        first, second = position.ships
        self.start = State(
            position.round,
            (first.cell, second.cell),
            (first.hit_points, second.hit_points),
            (first.score, second.score),
        )

    def move(self, action: int) -> Action:
        return Action.move(action) if action < WAYS else Action.laser(action - WAYS)

    def actions(self, state: State, player: Player) -> list[int]:
        """What is worth thinking about: moves that lead somewhere, lasers that may strike."""
        own, other = state.cells[player], state.cells[1 - player]
        moves = [way for way, to in enumerate(self._ahead[own]) if to not in (NOWHERE, other)]
        aims = self._aims[own]
        reached = {other, *self._ahead[other]} - {NOWHERE, own}
        lasers = sorted({WAYS + aims[cell] for cell in reached if cell in aims})
        return [*moves, *lasers] or [WAYS]  # shut in, and nothing to hit: a shot hurts nobody

    def play(self, state: State, actions: tuple[int, int]) -> State:
        """One round, as the rules play it."""
        game = self._game
        old, cells = state.cells, list(state.cells)
        health, scores = list(state.hit_points), list(state.scores)
        targets = [
            self._ahead[cell][action] if action < WAYS else NOWHERE
            for cell, action in zip(old, actions, strict=True)
        ]
        for player, action in enumerate(actions):
            if action >= WAYS:
                continue
            target = targets[player]
            if target in (NOWHERE, old[1 - player]) or targets[0] == targets[1]:
                health[player] -= min(game.collision_hp, health[player])
                scores[player] += game.collision_score
            else:
                cells[player] = target
                scores[player] += game.move_score
        flown = tuple(health)
        for player, action in enumerate(actions):
            other = 1 - player
            if action >= WAYS and self._aims[cells[player]].get(cells[other]) == action - WAYS:
                health[other] = flown[other] - min(game.hit_hp, flown[other])
                scores[player] += game.hit_score
        return State(
            state.round + 1,
            (cells[0], cells[1]),
            (health[0], health[1]),
            (scores[0], scores[1]),
        )

    def winner(self, state: State) -> int | None:
        """Who has won; None while the game goes on, `DRAWN` if nobody has."""
        (first, second), (ours, theirs) = state.hit_points, state.scores
        if first and second and state.round <= self._game.rounds:
            return None
        if first != second:
            return 0 if first > second else 1
        return DRAWN if ours == theirs else 0 if ours > theirs else 1

    def score(self, state: State, player: Player) -> float:
        """How good it is for a player, in hundredths of a hit. Both want to come near: it is no
        zero-sum, but a fight that nobody seeks has no end."""
        other = 1 - player
        health, scores = state.hit_points, state.scores
        ahead = A_HIT * (health[player] - health[other]) / self._game.hit_hp
        return ahead + A_POINT * (scores[player] - scores[other]) - A_STEP * self._apart(state)

    def _apart(self, state: State) -> int:
        (a, b, c), (x, y, z) = (self._tiles[cell] for cell in state.cells)
        return max(abs(a - x), abs(b - y), abs(c - z))


@lru_cache(maxsize=8)
def _ways(
    grid: HexGrid, terrain: tuple[Terrain, ...], reach: int
) -> tuple[list[list[Cell]], list[dict[Cell, int]]]:
    """Where a move leads from each tile, NOWHERE being a collision; and in which direction a laser
    strikes from one tile to another."""
    land = [kind is Terrain.LAND for kind in terrain]
    every_way, every_aim = [], []
    for cell in range(grid.size):
        ways, aims = [], dict[Cell, int]()
        for heading in range(WAYS):
            ahead = grid.ahead(cell, heading)
            ways.append(NOWHERE if ahead is None or not land[ahead] else ahead)
            for _ in range(reach):
                if ahead is None or terrain[ahead] is Terrain.MOUNTAIN:
                    break
                if land[ahead]:
                    aims[ahead] = heading
                ahead = grid.ahead(ahead, heading)
        every_way.append(ways)
        every_aim.append(aims)
    return every_way, every_aim
