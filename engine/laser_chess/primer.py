"""Laser Chess by example: a laser turns into the way it fires, one mirror guides the beam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.game import Piece, Player
from engine.grid import Cell, Heading
from engine.laser_chess.pieces import BLUE, GRID, LASER_ORIENTATIONS, LASER_SQUARE, RED
from engine.laser_chess.position import Move, Position
from engine.primer import Alone, Lesson, Primer, Strike, aimed_at

MIDDLE = GRID.cell("e4")
# Kings out of the way of every beam below.
_KINGS = {GRID.cell("g2"): Piece("king", BLUE), GRID.cell("c7"): Piece("king", RED)}


class _Way(NamedTuple):
    """How a beam comes to its target: by whose laser, and round which mirror."""

    shooter: Player
    fires: Heading
    mirror: Cell
    mirror_piece: Piece
    target: Cell


def _way(shooter: Player, fires: Heading, mirror: str, piece: Piece, target: str) -> _Way:
    return _Way(shooter, fires, GRID.cell(mirror), piece, GRID.cell(target))


_WAYS: Mapping[Heading, _Way] = {
    0: _way(BLUE, 3, "e1", Piece("deflector", BLUE, 2), "e4"),
    1: _way(RED, 2, "a4", Piece("deflector", RED, 2), "e4"),
    2: _way(RED, 1, "e8", Piece("deflector", RED), "e5"),
    3: _way(BLUE, 0, "j5", Piece("deflector", BLUE), "e5"),
}
# A laser stands in a corner: only two of its sides can be reached, by the other laser.
_TO_LASER: Mapping[tuple[Player, Heading], _Way] = {
    (BLUE, 1): _way(RED, 2, "a1", Piece("deflector", RED, 2), "j1"),
    (BLUE, 2): _way(RED, 1, "j8", Piece("deflector", BLUE), "j1"),
    (RED, 0): _way(BLUE, 3, "a1", Piece("deflector", RED, 2), "a8"),
    (RED, 3): _way(BLUE, 0, "j8", Piece("deflector", BLUE), "a8"),
}


class LaserChessPrimer(Primer[Position, Move]):
    def alone(self, piece: Piece) -> Alone:
        cell = LASER_SQUARE[piece.owner] if piece.kind == "laser" else MIDDLE
        return Alone(self._stage({cell: piece}, piece.owner), cell)

    def strike(self, piece: Piece, heading: Heading) -> Strike | None:
        laser = piece.kind == "laser"
        way = _TO_LASER.get((piece.owner, heading)) if laser else _WAYS[heading]
        if way is None:
            return None
        gun = LASER_SQUARE[way.shooter]
        first, second = LASER_ORIENTATIONS[way.shooter]
        waits = second if way.fires == first else first
        pieces = {
            way.mirror: way.mirror_piece,
            gun: Piece("laser", way.shooter, waits),
            way.target: piece,
        }
        turn = self.game.resolve(
            self._stage(pieces, way.shooter),
            {way.shooter: Move(gun, gun, turn=1 if (waits + 1) % 4 == way.fires else -1)},
        )
        return aimed_at(turn, way.target, way.shooter)

    def lessons(self) -> Mapping[str, Lesson]:
        switch, other = GRID.cell("e4"), GRID.cell("f5")
        pieces = {switch: Piece("switch", BLUE), other: Piece("deflector", RED)}
        swap = self.game.resolve(self._stage(pieces, BLUE), {BLUE: Move(switch, other, swap=True)})
        return {"swap": Lesson(swap, _block("e5", "f4"))}

    def _stage(self, pieces: Mapping[Cell, Piece], mover: Player) -> Position:
        """These pieces, and the kings and lasers that are still missing."""
        kings = {piece.owner for piece in pieces.values() if piece.kind == "king"}
        lasers = {
            LASER_SQUARE[owner]: Piece("laser", owner, LASER_ORIENTATIONS[owner][0])
            for owner in (BLUE, RED)
        }
        others = {cell: king for cell, king in _KINGS.items() if king.owner not in kings}
        position: Position = self.game.arranged(
            self.game.start(), lasers | others | dict(pieces), mover
        )
        return position


def _block(upper_left: str, lower_right: str) -> list[Cell]:
    (left, top), (right, bottom) = (GRID.xy(GRID.cell(name)) for name in (upper_left, lower_right))
    return [GRID.at(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
