"""Squares and pieces of Photon as small numbers, and the tables of the rules.

A square is a cell of `GRID`: (x, y) is `10 * y + x`. A piece is a code of `engine.piece_codes`. A
block that was hit once is a kind of its own, so that the code includes hit points.
"""

from __future__ import annotations

from engine.grid import SquareGrid
from engine.piece_codes import CODES, KIND, ORIENTATION, OWNER, encode_piece

GRID = SquareGrid(10, 10)
NAMES = ("king", "shooter", "mirror", "block", "block")
LETTERS = "KSMBB"
KING, SHOOTER, MIRROR, BLOCK, CRACKED = range(5)
HIT_POINTS = (1, 1, 1, 2, 1)
TURNABLE = (SHOOTER, MIRROR)

RED, BLUE = 0, 1
SHOOTERS = frozenset(c for c in CODES if KIND[c] == SHOOTER)


def apply_hits(piece: int, hits: int) -> int:
    """The code of a piece after that many hits, 0 if it is destroyed."""
    if KIND[piece] == BLOCK and hits == 1:
        return encode_piece(OWNER[piece], CRACKED, 0)
    return 0 if hits else piece


# NEAR[square]: the orthogonal neighbours. AHEAD[heading][square]: the next square, -1 off board.
NEAR = tuple(
    tuple(n for h in range(4) if (n := GRID.ahead(s, h)) is not None) for s in range(GRID.size)
)
AHEAD = tuple(
    tuple(-1 if (n := GRID.ahead(s, h)) is None else n for s in range(GRID.size)) for h in range(4)
)

HIT = 4  # above every heading


def _reflect(heading: int, facing: int, two_sided: bool) -> int:
    """The heading of a beam after a mirror, or HIT.

    A mirror at 0 faces the upper right: a beam that travels left goes up, one that travels down
    goes right. From behind, only two-sided mirrors reflect.
    """
    onward = {3: 0, 2: 1, 1: 2, 0: 3}[(heading - facing) % 4]
    from_behind = (heading - facing) % 4 in (0, 1)
    return HIT if from_behind and not two_sided else (onward + facing) % 4


def _hits(two_sided: bool) -> tuple[tuple[int, ...], ...]:
    return tuple(
        (
            -1,
            *(
                _reflect(heading, ORIENTATION[c], two_sided) if KIND[c] == MIRROR else HIT
                for c in CODES
            ),
        )
        for heading in range(4)
    )


# HITS[two_sided][heading][piece]: the next heading of a beam, or HIT.
HITS = (_hits(False), _hits(True))
