"""Laser Chess positions and moves as frozen values, and the check of arrangements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine import catalogue
from engine.errors import BadPosition
from engine.game import Piece
from engine.grid import SquareGrid
from engine.laser_chess.pieces import (
    BLUE,
    FOLD,
    GRID,
    KINDS,
    KING,
    LASER,
    LASER_ORIENTATIONS,
    LASER_SQUARE,
    MAX_PIECES,
    MAY_STAND,
    RED,
)
from engine.piece_codes import KIND, ORIENTATION, OWNER, encode_piece, rotate_piece

SIDES = ("blue", "red")
PIECES = (None, *(Piece(KINDS[KIND[c]], OWNER[c], ORIENTATION[c]) for c in range(1, 41)))


@dataclass(frozen=True, slots=True)
class Position:
    """A piece code per square, the side to move, and the arrangements since the last capture.

    Positions with the same pieces and side to move are equal: `keys_since_capture` is only for the
    draw rules.
    """

    squares: bytes
    side: int
    keys_since_capture: tuple[bytes, ...] = field(default=(), compare=False, repr=False)

    @property
    def grid(self) -> SquareGrid:
        return GRID

    @property
    def pieces(self) -> Mapping[int, Piece]:
        return {s: piece for s, c in enumerate(self.squares) if (piece := PIECES[c])}

    @property
    def key(self) -> bytes:
        """The key of the repetition rule: switches modulo 180 degrees, kings unoriented."""
        return repetition_key(self.squares, self.side)

    def king_missing(self) -> int | None:
        """The side without a king, if there is one."""
        folded = self.squares.translate(FOLD)
        return next(
            (side for side in (BLUE, RED) if encode_piece(side, KING, 0) not in folded), None
        )


def repetition_key(squares: bytes, side: int) -> bytes:
    return squares.translate(FOLD) + bytes((side,))


@dataclass(frozen=True, slots=True)
class Move:
    """One action: a step to `dst`, a swap with the piece there, or a rotation in place."""

    src: int
    dst: int
    swap: bool = False
    turn: int = 0  # 1 clockwise, -1 counter-clockwise; then dst is src


def apply_move(squares: bytes, move: Move) -> bytes:
    """The arrangement after a legal move, before the laser fires."""
    after = bytearray(squares)
    if move.turn:
        after[move.src] = rotate_piece(squares[move.src], move.turn)
    else:
        after[move.src], after[move.dst] = squares[move.dst], squares[move.src]
    return bytes(after)


def check_arrangement(squares: bytes) -> None:
    """Raise `BadPosition` for an arrangement that no game can have."""
    for side, name in enumerate(SIDES):
        _check_laser(squares, side, name)
        for kind, most in enumerate(MAX_PIECES):
            n = sum(1 for c in squares if c and OWNER[c] == side and KIND[c] == kind)
            if n > most:
                raise BadPosition(
                    catalogue.TOO_MANY_PIECES(player=name, count=n, kind=KINDS[kind], most=most)
                )
    for square, c in enumerate(squares):
        if c and KIND[c] != LASER and not MAY_STAND[OWNER[c]][square]:
            side = OWNER[c]
            named = {"player": SIDES[side], "kind": KINDS[KIND[c]], "cell": GRID.name(square)}
            if square in LASER_SQUARE:
                raise BadPosition(catalogue.SQUARE_KEPT_FOR_LASER(**named))
            raise BadPosition(catalogue.SQUARE_KEPT_FOR_PLAYER(**named, other=SIDES[1 - side]))
    if not any(c and KIND[c] == KING for c in squares):
        raise BadPosition(catalogue.NO_KING())


def _check_laser(squares: bytes, side: int, name: str) -> None:
    home = LASER_SQUARE[side]
    lasers = [s for s, c in enumerate(squares) if c and OWNER[c] == side and KIND[c] == LASER]
    if lasers != [home]:
        cells = " ".join(map(GRID.name, lasers))
        cell = GRID.name(home)
        if cells:
            raise BadPosition(catalogue.LASER_MISPLACED(player=name, cell=cell, found=cells))
        raise BadPosition(catalogue.LASER_MISSING(player=name, cell=cell))
    if ORIENTATION[squares[home]] not in LASER_ORIENTATIONS[side]:
        first, second = (90 * o for o in LASER_ORIENTATIONS[side])
        raise BadPosition(
            catalogue.LASER_POINTS_OFF(
                player=name,
                cell=GRID.name(home),
                degrees=90 * ORIENTATION[squares[home]],
                first=first,
                second=second,
            )
        )
