"""Spaceships for the computer player: compact states, a round in microseconds.

Tables hold the targets of moves and lasers from every tile. A property test proves that `play`
agrees with the rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.game import Player
from engine.grid import CUBE_STEPS, Cell, HexGrid
from engine.matrix_game import DRAWN
from engine.spaceships.state import Action, Position
from engine.spaceships.terrain import Terrain

if TYPE_CHECKING:
    from engine.spaceships.rules import Spaceships

HEADINGS = len(CUBE_STEPS)  # actions below this are moves, the others lasers
HIT_VALUE = 100.0  # of a hit; everything else together is worth less
POINT_VALUE = 0.2  # of a point of score
DISTANCE_COST = 3.0  # per tile between the ships: a player who keeps away never wins
BLOCKED = -1


class FastState(NamedTuple):
    """Both ships before a round. Equal states are equivalent positions."""

    round: int
    cells: tuple[Cell, Cell]
    hit_points: tuple[int, int]
    scores: tuple[int, int]


class FastSpaceships:
    """A `SimultaneousGame` on one map with one set of options."""

    def __init__(self, game: Spaceships, position: Position) -> None:
        self._game, self._tiles = game, position.grid.tiles
        self._ahead, self._aims = _move_and_aim_tables(position.grid, position.terrain, game.reach)
        first, second = position.ships
        self.start = FastState(
            position.round,
            (first.cell, second.cell),
            (first.hit_points, second.hit_points),
            (first.score, second.score),
        )

    def move(self, action: int) -> Action:
        return Action.move(action) if action < HEADINGS else Action.laser(action - HEADINGS)

    def actions(self, state: FastState, player: Player) -> list[int]:
        """The actions worth searching: moves without collision, lasers that may hit."""
        own, other = state.cells[player], state.cells[1 - player]
        moves = [way for way, to in enumerate(self._ahead[own]) if to not in (BLOCKED, other)]
        aims = self._aims[own]
        reached = {other, *self._ahead[other]} - {BLOCKED, own}
        lasers = sorted({HEADINGS + aims[cell] for cell in reached if cell in aims})
        return [*moves, *lasers] or [HEADINGS]  # blocked, with no target: a shot does no harm

    def play(self, state: FastState, actions: tuple[int, int]) -> FastState:
        """Play one round by the rules."""
        game = self._game
        old, cells = state.cells, list(state.cells)
        health, scores = list(state.hit_points), list(state.scores)
        targets = [
            self._ahead[cell][action] if action < HEADINGS else BLOCKED
            for cell, action in zip(old, actions, strict=True)
        ]
        for player, action in enumerate(actions):
            if action >= HEADINGS:
                continue
            target = targets[player]
            if target in (BLOCKED, old[1 - player]) or targets[0] == targets[1]:
                health[player] -= min(game.collision_hp, health[player])
                scores[player] += game.collision_score
            else:
                cells[player] = target
                scores[player] += game.move_score
        flown = tuple(health)
        for player, action in enumerate(actions):
            other = 1 - player
            if (
                action >= HEADINGS
                and self._aims[cells[player]].get(cells[other]) == action - HEADINGS
            ):
                health[other] = flown[other] - min(game.hit_hp, flown[other])
                scores[player] += game.hit_score
        return FastState(
            state.round + 1,
            (cells[0], cells[1]),
            (health[0], health[1]),
            (scores[0], scores[1]),
        )

    def winner(self, state: FastState) -> int | None:
        """The winner, `DRAWN` for a draw, None while the game goes on."""
        (first, second), (ours, theirs) = state.hit_points, state.scores
        if first and second and state.round <= self._game.rounds:
            return None
        if first != second:
            return 0 if first > second else 1
        return DRAWN if ours == theirs else 0 if ours > theirs else 1

    def score(self, state: FastState, player: Player) -> float:
        """The evaluation for a player, in hundredths of a hit.

        It is not zero-sum: both players get less for distance, so that they approach each other.
        """
        other = 1 - player
        health, scores = state.hit_points, state.scores
        ahead = HIT_VALUE * (health[player] - health[other]) / self._game.hit_hp
        return (
            ahead
            + POINT_VALUE * (scores[player] - scores[other])
            - DISTANCE_COST * self._distance(state)
        )

    def _distance(self, state: FastState) -> int:
        (a, b, c), (x, y, z) = (self._tiles[cell] for cell in state.cells)
        return max(abs(a - x), abs(b - y), abs(c - z))


@lru_cache(maxsize=8)
def _move_and_aim_tables(
    grid: HexGrid, terrain: tuple[Terrain, ...], reach: int
) -> tuple[list[list[Cell]], list[dict[Cell, int]]]:
    """The target of each move from each tile, `BLOCKED` for a collision, and the heading of the
    laser from one tile to another."""
    land = [kind is Terrain.LAND for kind in terrain]
    every_way, every_aim = [], []
    for cell in range(grid.size):
        ways, aims = [], dict[Cell, int]()
        for heading in range(HEADINGS):
            ahead = grid.ahead(cell, heading)
            ways.append(BLOCKED if ahead is None or not land[ahead] else ahead)
            for _ in range(reach):
                if ahead is None or terrain[ahead] is Terrain.MOUNTAIN:
                    break
                if land[ahead]:
                    aims[ahead] = heading
                ahead = grid.ahead(ahead, heading)
        every_way.append(ways)
        every_aim.append(aims)
    return every_way, every_aim
