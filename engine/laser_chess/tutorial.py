"""The tutorial of Laser Chess: a laser turns and fires, and one mirror guides the beam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.game import Piece, Player
from engine.grid import Cell, Heading
from engine.laser_chess.pieces import BLUE, GRID, LASER_ORIENTATIONS, LASER_SQUARE, RED
from engine.laser_chess.position import Move, Position
from engine.tutorial import IsolatedPiece, Lesson, Strike, Tutorial, strike_by

MIDDLE = GRID.cell("e4")
# Kings out of the way of every beam below.
_KINGS = {GRID.cell("g2"): Piece("king", BLUE), GRID.cell("c7"): Piece("king", RED)}


class _BeamRoute(NamedTuple):
    """The route of a beam to its target: the laser that fires, and the mirror."""

    shooter: Player
    fires: Heading
    mirror: Cell
    mirror_piece: Piece
    target: Cell


def _route(shooter: Player, fires: Heading, mirror: str, piece: Piece, target: str) -> _BeamRoute:
    return _BeamRoute(shooter, fires, GRID.cell(mirror), piece, GRID.cell(target))


_ROUTES: Mapping[Heading, _BeamRoute] = {
    0: _route(BLUE, 3, "e1", Piece("deflector", BLUE, 2), "e4"),
    1: _route(RED, 2, "a4", Piece("deflector", RED, 2), "e4"),
    2: _route(RED, 1, "e8", Piece("deflector", RED), "e5"),
    3: _route(BLUE, 0, "j5", Piece("deflector", BLUE), "e5"),
}
# A laser stands in a corner: the other laser can reach only two of its sides.
_ROUTES_TO_LASER: Mapping[tuple[Player, Heading], _BeamRoute] = {
    (BLUE, 1): _route(RED, 2, "a1", Piece("deflector", RED, 2), "j1"),
    (BLUE, 2): _route(RED, 1, "j8", Piece("deflector", BLUE), "j1"),
    (RED, 0): _route(BLUE, 3, "a1", Piece("deflector", RED, 2), "a8"),
    (RED, 3): _route(BLUE, 0, "j8", Piece("deflector", BLUE), "a8"),
}


class LaserChessTutorial(Tutorial[Position, Move]):
    def isolate_piece(self, piece: Piece) -> IsolatedPiece:
        cell = LASER_SQUARE[piece.owner] if piece.kind == "laser" else MIDDLE
        return IsolatedPiece(self._build_position({cell: piece}, piece.owner), cell)

    def strike(self, piece: Piece, heading: Heading) -> Strike | None:
        laser = piece.kind == "laser"
        route = _ROUTES_TO_LASER.get((piece.owner, heading)) if laser else _ROUTES[heading]
        if route is None:
            return None
        gun = LASER_SQUARE[route.shooter]
        first, second = LASER_ORIENTATIONS[route.shooter]
        waits = second if route.fires == first else first
        pieces = {
            route.mirror: route.mirror_piece,
            gun: Piece("laser", route.shooter, waits),
            route.target: piece,
        }
        turn = self.game.resolve(
            self._build_position(pieces, route.shooter),
            {route.shooter: Move(gun, gun, turn=1 if (waits + 1) % 4 == route.fires else -1)},
        )
        return strike_by(turn, route.target, route.shooter)

    def lessons(self) -> Mapping[str, Lesson]:
        switch, other = GRID.cell("e4"), GRID.cell("f5")
        pieces = {switch: Piece("switch", BLUE), other: Piece("deflector", RED)}
        swap = self.game.resolve(
            self._build_position(pieces, BLUE), {BLUE: Move(switch, other, swap=True)}
        )
        return {"swap": Lesson(swap, _block("e5", "f4"))}

    def _build_position(self, pieces: Mapping[Cell, Piece], mover: Player) -> Position:
        """A position with these pieces, and the missing kings and lasers."""
        kings = {piece.owner for piece in pieces.values() if piece.kind == "king"}
        lasers = {
            LASER_SQUARE[owner]: Piece("laser", owner, LASER_ORIENTATIONS[owner][0])
            for owner in (BLUE, RED)
        }
        others = {cell: king for cell, king in _KINGS.items() if king.owner not in kings}
        position: Position = self.game.with_pieces(
            self.game.start(), lasers | others | dict(pieces), mover
        )
        return position


def _block(upper_left: str, lower_right: str) -> list[Cell]:
    (left, top), (right, bottom) = (GRID.xy(GRID.cell(name)) for name in (upper_left, lower_right))
    return [GRID.at(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
