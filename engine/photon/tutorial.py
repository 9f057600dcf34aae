"""The tutorial of Photon: a shooter fires at the piece beside it, and a distant king moves."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Piece, Player
from engine.grid import Cell, Heading, opposite
from engine.photon.pieces import BLUE, GRID, RED
from engine.photon.state import Move, Position
from engine.tutorial import IsolatedPiece, Lesson, Strike, Tutorial, strike_by

MIDDLE = GRID.at(4, 4)
# Kings out of the way of every beam below, with a free square above them.
_KINGS = {RED: GRID.at(9, 1), BLUE: GRID.at(0, 8)}
# A game without shooters would be over. This one fires off the board.
_SPARE_SHOOTER = GRID.at(9, 9)


class PhotonTutorial(Tutorial[Position, Move]):
    def isolate_piece(self, piece: Piece) -> IsolatedPiece:
        pieces = {MIDDLE: piece, _SPARE_SHOOTER: Piece("shooter", 1 - piece.owner, 1)}
        return IsolatedPiece(self._build_position(pieces, piece.owner), MIDDLE)

    def strike(self, piece: Piece, heading: Heading) -> Strike | None:
        gun = GRID.ahead(MIDDLE, opposite(GRID, heading))
        assert gun is not None, "there is room around the middle"
        shooter = 1 - piece.owner
        position = self._build_position(
            {MIDDLE: piece, gun: Piece("shooter", shooter, heading)}, shooter
        )
        turn = self.game.resolve(position, {shooter: self._step(shooter)})
        return strike_by(turn, MIDDLE, shooter)

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
        placed = {GRID.at(x + dx, y + dy): piece for (dx, dy), piece in pieces.items()}
        turn = self.game.resolve(self._build_position(placed, RED), {RED: self._step(RED)})
        across, down = (range(max(side) + 1) for side in zip(*pieces, strict=True))
        return Lesson(turn, [GRID.at(x + dx, y + dy) for dy in down for dx in across])

    def _step(self, player: Player) -> Move:
        king = _KINGS[player]
        ahead = GRID.ahead(king, 0)
        assert ahead is not None, "a king has a square to step on"
        return Move(king, ahead)

    def _build_position(self, pieces: Mapping[Cell, Piece], mover: Player) -> Position:
        """A position with these pieces, and the missing kings."""
        present = {piece.owner for piece in pieces.values() if piece.kind == "king"}
        missing = _KINGS.keys() - present
        kings = {_KINGS[owner]: Piece("king", owner) for owner in sorted(missing)}
        position: Position = self.game.with_pieces(self.game.start(), kings | dict(pieces), mover)
        return position
