"""A Laser Chess position and its moves, as everyone else sees them: frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.codes import KIND, ORIENTATION, OWNER, code, rotated
from engine.errors import BadPosition
from engine.game import Piece
from engine.grid import SquareGrid
from engine.laser_chess.pieces import (
    BLUE,
    FOLD,
    GRID,
    HOME,
    KINDS,
    KING,
    LASER,
    LASER_ORIENTATIONS,
    LASER_SQUARE,
    MOST,
    RED,
)

SIDES = ("blue", "red")
PIECES = (None, *(Piece(KINDS[KIND[c]], OWNER[c], ORIENTATION[c]) for c in range(1, 41)))


@dataclass(frozen=True, slots=True)
class Position:
    """One piece code per square, the side to move, and the arrangements since the last capture.

    Two positions with the same pieces and the same side to move are equal, however they came
    about: `quiet` only serves the draw rules.
    """

    squares: bytes
    side: int
    quiet: tuple[bytes, ...] = field(default=(), compare=False, repr=False)

    @property
    def grid(self) -> SquareGrid:
        return GRID

    @property
    def pieces(self) -> Mapping[int, Piece]:
        return {s: piece for s, c in enumerate(self.squares) if (piece := PIECES[c])}

    @property
    def key(self) -> bytes:
        """What repetition compares: a switch modulo 180 degrees, a king without orientation."""
        return arrangement(self.squares, self.side)

    def king_missing(self) -> int | None:
        """The side whose king has been captured."""
        folded = self.squares.translate(FOLD)
        return next((side for side in (BLUE, RED) if code(side, KING, 0) not in folded), None)


def arrangement(squares: bytes, side: int) -> bytes:
    return squares.translate(FOLD) + bytes((side,))


@dataclass(frozen=True, slots=True)
class Move:
    """One action: a step to `dst`, a swap with the piece there, or a rotation in place."""

    src: int
    dst: int
    swap: bool = False
    turn: int = 0  # 1 clockwise, -1 counter-clockwise; then dst is src


def moved(squares: bytes, move: Move) -> bytes:
    """The arrangement after a legal move, before the laser fires."""
    after = bytearray(squares)
    if move.turn:
        after[move.src] = rotated(squares[move.src], move.turn)
    else:
        after[move.src], after[move.dst] = squares[move.dst], squares[move.src]
    return bytes(after)


def check(squares: bytes) -> None:
    """Refuse an arrangement that no game can have."""
    for side, name in enumerate(SIDES):
        _check_laser(squares, side, name)
        for kind, most in enumerate(MOST):
            n = sum(1 for c in squares if c and OWNER[c] == side and KIND[c] == kind)
            if n > most:
                raise BadPosition(f"{name} has {n} pieces of kind {KINDS[kind]}; at most {most}")
    for square, c in enumerate(squares):
        if c and KIND[c] != LASER and not HOME[OWNER[c]][square]:
            where, name = GRID.name(square), SIDES[OWNER[c]]
            kept = "a laser" if square in LASER_SQUARE else SIDES[1 - OWNER[c]]
            raise BadPosition(f"{name}'s {KINDS[KIND[c]]} on {where}: that is kept for {kept}")
    if not any(c and KIND[c] == KING for c in squares):
        raise BadPosition("there is no king: at least one side must have its king")


def _check_laser(squares: bytes, side: int, name: str) -> None:
    home = LASER_SQUARE[side]
    lasers = [s for s, c in enumerate(squares) if c and OWNER[c] == side and KIND[c] == LASER]
    if lasers != [home]:
        found = " ".join(map(GRID.name, lasers)) or "none"
        raise BadPosition(f"{name} needs exactly one laser, on {GRID.name(home)}; found {found}")
    if ORIENTATION[squares[home]] not in LASER_ORIENTATIONS[side]:
        ways = " or ".join(str(90 * o) for o in LASER_ORIENTATIONS[side])
        got = 90 * ORIENTATION[squares[home]]
        raise BadPosition(f"{name}'s laser on {GRID.name(home)} points off the board: "
                          f"orientation {got}, allowed {ways}")  # fmt: skip
