"""Squares and pieces of Laser Chess as small numbers, and the tables of the rules.

A square is a cell of `GRID` (a8 is 0, j1 is 79). A piece is a code of `engine.piece_codes`. Owner
0 is Blue.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine.game import Mark
from engine.grid import SquareGrid
from engine.piece_codes import CODES, KIND, ORIENTATION, OWNER, rotate_piece

GRID = SquareGrid(10, 8)
KINDS = ("laser", "deflector", "defender", "switch", "king")
LETTERS = "LBDSK"
LASER, DEFLECTOR, DEFENDER, SWITCH, KING = range(5)
MAX_PIECES = (1, 7, 2, 2, 1)  # per kind and side

BLUE, RED = 0, 1

LASER_SQUARE = (GRID.cell("j1"), GRID.cell("a8"))
LASER_ORIENTATIONS = ((0, 3), (2, 1))  # Blue up or left, Red down or right
RESERVED = (
    frozenset(map(GRID.cell, ["j2", "j3", "j4", "j5", "j6", "j7", "j8", "b1", "b8"])),
    frozenset(map(GRID.cell, ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "i1", "i8"])),
)
# MAY_STAND[owner][square]: whether a piece of that owner other than a laser may stand there.
MAY_STAND = tuple(
    tuple(s not in LASER_SQUARE and s not in RESERVED[1 - owner] for s in range(GRID.size))
    for owner in (BLUE, RED)
)
MARKS = {
    LASER_SQUARE[BLUE]: Mark.FIRST_LASER,
    LASER_SQUARE[RED]: Mark.SECOND_LASER,
    **dict.fromkeys(RESERVED[BLUE], Mark.FIRST_ONLY),
    **dict.fromkeys(RESERVED[RED], Mark.SECOND_ONLY),
}


def _rotations(piece: int) -> tuple[int, ...]:
    """The codes that a piece can get by one rotation. A laser turns between two directions."""
    turned = (rotate_piece(piece, 1), rotate_piece(piece, -1))
    if KIND[piece] == LASER:
        return tuple(t for t in turned if ORIENTATION[t] in LASER_ORIENTATIONS[OWNER[piece]])
    return turned


ROTATIONS = ((), *map(_rotations, CODES))


def _near(square: int) -> tuple[int, ...]:
    x, y = GRID.xy(square)
    return tuple(
        GRID.at(x + dx, y + dy)
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
        if (dx or dy) and GRID.contains(x + dx, y + dy)
    )


# STEPS[owner][square]: the squares that a piece of that owner may step to. None for lasers.
STEPS = tuple(
    tuple(
        () if s in LASER_SQUARE else tuple(to for to in _near(s) if MAY_STAND[owner][to])
        for s in range(GRID.size)
    )
    for owner in (BLUE, RED)
)


def _ray(square: int, heading: int) -> tuple[int, ...]:
    ray: list[int] = []
    at = GRID.ahead(square, heading)
    while at is not None:
        ray.append(at)
        at = GRID.ahead(at, heading)
    return tuple(ray)


# RAYS[heading][square]: the squares from `square` to the edge of the board.
RAYS = tuple(tuple(_ray(s, heading) for s in range(GRID.size)) for heading in range(4))

# -- effects of beams (Laser Hit Action Notation) -------------------------------------------

DIRECTIONS = ("top", "right", "bottom", "left")  # of travel, by heading
CAPTURED, ABSORBED = 4, 5  # above every heading
ACTIONS = (*DIRECTIONS, "kill", "nothing")
DATA = Path(__file__).parent.parent / "data"


def _hits() -> tuple[tuple[int, ...], ...]:
    table = json.loads((DATA / "laser_hits.json").read_text("utf-8"))
    return tuple(
        (
            -1,
            *(
                ACTIONS.index(table[direction][LETTERS[KIND[c]].lower()][str(90 * ORIENTATION[c])])
                for c in CODES
            ),
        )
        for direction in DIRECTIONS
    )


# HITS[heading][piece]: the next heading of a beam, or CAPTURED, or ABSORBED.
HITS = _hits()

# Maps codes of equivalent pieces to one: a switch turned by 180 degrees, a king turned by any.
FOLD = bytes(
    0 if c == 0 else c - 2 if KIND[c] == SWITCH and ORIENTATION[c] >= 2
    else c - ORIENTATION[c] if KIND[c] == KING else c
    for c in range(41)
).ljust(256, b"\0")  # fmt: skip
