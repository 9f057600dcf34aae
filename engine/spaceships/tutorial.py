"""The tutorial of Spaceships: example turns on a small map of land."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Piece, Turn
from engine.grid import Cell, Heading, HexGrid, opposite
from engine.spaceships.state import Action, Position, Ship
from engine.spaceships.terrain import Terrain
from engine.tutorial import IsolatedPiece, Lesson, Strike, Tutorial, strike_by

GRID = HexGrid.hexagon(3)
ROW = tuple(map(GRID.cell, ("c4", "d4", "e4")))
FAR = GRID.cell("d1")  # out of every line of fire below
MIDDLE = GRID.cell("d4")
RIGHT, LEFT = 1, 4
Ground = Mapping[Cell, Terrain]  # all cells that are not land
_STAND_STILL = Action.noop("stands still")


class SpaceshipsTutorial(Tutorial[Position, Action]):
    def isolate_piece(self, piece: Piece) -> IsolatedPiece:
        ships = {piece.owner: MIDDLE, 1 - piece.owner: FAR}
        return IsolatedPiece(
            self._build_position(ships, hit_points={piece.owner: piece.hit_points}), MIDDLE
        )

    def strike(self, piece: Piece, heading: Heading) -> Strike | None:
        gun = GRID.ahead(MIDDLE, opposite(GRID, heading))
        assert gun is not None, "there is room around the middle"
        shooter = 1 - piece.owner
        position = self._build_position(
            {piece.owner: MIDDLE, shooter: gun}, hit_points={piece.owner: piece.hit_points}
        )
        turn = self.game.resolve(
            position, {piece.owner: _STAND_STILL, shooter: Action.laser(heading)}
        )
        return strike_by(turn, MIDDLE, shooter)

    def lessons(self) -> Mapping[str, Lesson]:
        a, b, c = ROW
        fly, back, fire, fire_back = (
            Action.move(RIGHT), Action.move(LEFT), Action.laser(RIGHT), Action.laser(LEFT),
        )  # fmt: skip
        mountain, void = {b: Terrain.MOUNTAIN}, {b: Terrain.VOID}

        def played(
            first: Cell, second: Cell, *actions: Action, terrain: Ground | None = None
        ) -> Turn[Position, Action]:
            position = self._build_position({0: first, 1: second}, terrain or {})
            return self.game.resolve(position, dict(enumerate(actions)))

        return {
            "fly": Lesson(played(a, FAR, fly, _STAND_STILL), (a, b)),
            "bump": Lesson(played(a, FAR, fly, _STAND_STILL, terrain=mountain), (a, b), [(a, b)]),
            "both": Lesson(played(a, c, fly, back), (a, b, c), [(a, b), (c, b)]),
            "over": Lesson(played(a, c, fire, _STAND_STILL, terrain=void), (a, b, c)),
            "rock": Lesson(played(a, c, fire, _STAND_STILL, terrain=mountain), (a, b, c)),
            "duel": Lesson(played(a, c, fire, fire_back), (a, b, c)),
        }

    def _build_position(
        self,
        ships: Mapping[int, Cell],
        terrain: Ground | None = None,
        hit_points: Mapping[int, int] | None = None,
    ) -> Position:
        full = next(iter(self.game.start().pieces.values())).hit_points
        first, second = (
            Ship(name, (hit_points or {}).get(player, full), ships[player])
            for player, name in enumerate(self.game.players)
        )
        ground = tuple((terrain or {}).get(cell, Terrain.LAND) for cell in range(GRID.size))
        return Position(GRID, ground, (first, second))
