"""Photon by example: a shooter stands beside what it shoots at, a king far away makes the move."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Piece, Player
from engine.grid import Cell, Heading, opposite
from engine.photon.pieces import BLUE, GRID, RED
from engine.photon.state import Move, Position
from engine.primer import Alone, Lesson, Primer, Strike, aimed_at

MIDDLE = GRID.at(4, 4)
# Kings out of the way of every beam below, with a free square above them to step on.
_KINGS = {RED: GRID.at(9, 1), BLUE: GRID.at(0, 8)}

_GUN = GRID.at(9, 9)  # a game without any shooter would be over; this one fires off the board


class PhotonPrimer(Primer[Position, Move]):
    def alone(self, piece: Piece) -> Alone:
        pieces = {MIDDLE: piece, _GUN: Piece("shooter", 1 - piece.owner, 1)}
        return Alone(self._stage(pieces, piece.owner), MIDDLE)

    def strike(self, piece: Piece, heading: Heading) -> Strike | None:
        gun = GRID.ahead(MIDDLE, opposite(GRID, heading))
        assert gun is not None, "there is room around the middle"
        shooter = 1 - piece.owner
        position = self._stage({MIDDLE: piece, gun: Piece("shooter", shooter, heading)}, shooter)
        turn = self.game.resolve(position, {shooter: self._step(shooter)})
        return aimed_at(turn, MIDDLE, shooter)

    def lessons(self) -> Mapping[str, Lesson]:
        right, left, up = 1, 3, 0
        return {
            "meet": self._lesson(
                {(0, 0): Piece("shooter", RED, right), (4, 0): Piece("shooter", BLUE, left)},
            ),
            "cross": self._lesson(
                {(0, 0): Piece("shooter", RED, right), (1, 1): Piece("shooter", BLUE, up)},
            ),
            "both": self._lesson(
                {
                    (0, 0): Piece("shooter", BLUE, right),
                    (2, 0): Piece("block", RED, hit_points=2),
                    (4, 0): Piece("shooter", BLUE, left),
                },
            ),
            "own": self._lesson(
                {(0, 0): Piece("shooter", RED, right), (2, 0): Piece("mirror", RED)}
            ),
        }

    def _lesson(self, pieces: Mapping[tuple[int, int], Piece]) -> Lesson:
        x, y = GRID.xy(MIDDLE)
        stood = {GRID.at(x + dx, y + dy): piece for (dx, dy), piece in pieces.items()}
        turn = self.game.resolve(self._stage(stood, RED), {RED: self._step(RED)})
        across, down = (range(max(side) + 1) for side in zip(*pieces, strict=True))
        return Lesson(turn, [GRID.at(x + dx, y + dy) for dy in down for dx in across])

    def _step(self, player: Player) -> Move:
        king = _KINGS[player]
        ahead = GRID.ahead(king, 0)
        assert ahead is not None, "a king has a square to step on"
        return Move(king, ahead)

    def _stage(self, pieces: Mapping[Cell, Piece], mover: Player) -> Position:
        """These pieces, and the kings that are still missing."""
        there = {piece.owner for piece in pieces.values() if piece.kind == "king"}
        kings = {cell: Piece("king", owner) for owner, cell in _KINGS.items() if owner not in there}
        position: Position = self.game.arranged(self.game.start(), kings | dict(pieces), mover)
        return position
