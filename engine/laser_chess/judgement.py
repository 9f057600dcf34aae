"""How good a Laser Chess position is: what pieces are worth where, and what beams promise.

The numbers come from `data/judgement`, found by self-play (`laserboard tune`). The compiled core
judges by the same numbers; a test proves both equal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.codes import CODES, KIND, ORIENTATION, OWNER, code
from engine.laser_chess.pieces import (
    BLUE,
    DATA,
    GRID,
    HITS,
    KILL,
    KINDS,
    KING,
    LASER_SQUARE,
    RAYS,
    RED,
    SWITCH,
)

FILE = DATA / "judgement" / "laser-chess.json"
# Each is counted for Blue, and against it for Red; `next` counts for the side to move alone.
FEATURES = (
    "tempo",  # to be to move
    "reach",  # squares that one's beam crosses
    "own mirrors",  # of the shooter, that turn it
    "other mirrors",  # of the other side, that turn it
    "beside the king",  # squares around the other king that it crosses
    "beside its own king",
    "aimed",  # it would hit something of the other side now
    "aimed next",
    "burns",  # it would hit something of the shooter now
    "burns next",
    "crossed",  # squares that it shares with the ways that lead to the other king
    "crossed next",
    "open",  # squares on ways that lead to one's own king
    "switches",  # that its beam meets
)
Features = list[int]


@cache
def numbers() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


@cache
def weights() -> tuple[int, ...]:
    return tuple(numbers()["features"][name] for name in FEATURES)


def shape(piece: int) -> str:
    """Pieces that are worth the same turned round with the board, as one: `deflector 90`."""
    kind, turned = KIND[piece], ORIENTATION[piece]
    if OWNER[piece] == RED:
        turned = (turned + 2) % 4
    folded = 0 if kind == KING else turned % 2 if kind == SWITCH else turned
    return f"{KINDS[kind]} {90 * folded}"


@cache
def worth() -> tuple[tuple[int, ...], ...]:
    """What each piece is worth to Blue on each square."""
    return spread(numbers()["worth"])


def spread(table: Mapping[str, Sequence[Sequence[int]]]) -> tuple[tuple[int, ...], ...]:
    """Rows by shape, as a row for each piece; what is not among them is worth nothing."""
    rows: list[tuple[int, ...]] = [(0,) * GRID.size]
    for piece in CODES:
        blue = [value for row in table.get(shape(piece), ()) for value in row] or [0] * GRID.size
        rows.append(
            tuple(blue) if OWNER[piece] == BLUE else tuple(-value for value in reversed(blue))
        )
    return tuple(rows)


def features(squares: Sequence[int], side: int) -> Features:
    """What the beams promise, in the order of `FEATURES`."""
    paths = [_follow(squares, LASER_SQUARE[each], _heading(squares, each)) for each in (0, 1)]
    kings = [_king(squares, each) for each in (BLUE, RED)]
    ways = [_ways_to(squares, king) for king in kings]
    found = [0] * len(FEATURES)
    found[0] = 1 if side == BLUE else -1
    for each in (BLUE, RED):
        sign = 1 if each == BLUE else -1
        to_move = sign if each == side else 0
        mask, reach, hit, turned = paths[each]
        mask |= 1 << LASER_SQUARE[each]
        own = sum(OWNER[piece] == each for piece in turned)
        found[1] += sign * reach
        found[2] += sign * own
        found[3] += sign * (len(turned) - own)
        if kings[1 - each] >= 0:
            found[4] += sign * (mask & _AROUND[kings[1 - each]]).bit_count()
        if kings[each] >= 0:
            found[5] += sign * (mask & _AROUND[kings[each]]).bit_count()
        if hit >= 0:
            at = 8 if OWNER[squares[hit]] == each else 6
            found[at] += sign
            found[at + 1] += to_move
        crossed = (mask & ways[1 - each]).bit_count()
        found[10] += sign * crossed
        found[11] += to_move * crossed
        found[12] += sign * ways[each].bit_count()
        found[13] += sign * sum(KIND[piece] == SWITCH for piece in turned)
    return found


def promise(squares: Sequence[int], side: int) -> int:
    """The score of all that, for Blue."""
    return sum(map(int.__mul__, weights(), features(squares, side)))


def _mask(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)


_RAY_MASKS = tuple(tuple(map(_mask, rays)) for rays in RAYS)
_AROUND = tuple(
    _mask(
        [
            b
            for b in range(GRID.size)
            if all(abs(p - q) <= 1 for p, q in zip(GRID.xy(a), GRID.xy(b), strict=True))
        ]
    )
    for a in range(GRID.size)
)
_KINGS = tuple(tuple(code(side, KING, turned) for turned in range(4)) for side in (BLUE, RED))


def _heading(squares: Sequence[int], side: int) -> int:
    return ORIENTATION[squares[LASER_SQUARE[side]]]


def _king(squares: Sequence[int], side: int) -> int:
    return next((squares.index(king) for king in _KINGS[side] if king in squares), -1)


def _follow(squares: Sequence[int], at: int, heading: int) -> tuple[int, int, int, list[int]]:
    """The squares of a beam from `at` on, how many steps it takes, what it captures (or -1), and
    what turns it."""
    mask = reach = 0
    turned: list[int] = []
    while True:
        rays, masks = RAYS[heading], _RAY_MASKS[heading]
        for to in rays[at]:
            if squares[to]:
                break
        else:
            return mask | masks[at], reach + len(rays[at]), -1, turned
        mask |= masks[at] ^ masks[to]
        reach += len(rays[at]) - len(rays[to])
        at, heading = to, HITS[heading][squares[to]]
        if heading >= KILL:
            return mask, reach, at if heading == KILL else -1, turned
        turned.append(squares[at])


def _ways_to(squares: Sequence[int], king: int) -> int:
    """All squares from which a beam on the right way strikes the king, and what is in that way."""
    if king < 0:
        return 0
    mask = 0
    for heading in range(4):
        mask |= _follow(squares, king, heading)[0]
    return mask
