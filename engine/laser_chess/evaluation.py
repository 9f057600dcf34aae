"""The evaluation of Laser Chess positions: piece values by square, and features of the beams.

The parameters in `data/evaluation` come from self-play (`laserboard tune`). The compiled core
uses the same. A test proves that both agree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.laser_chess.pieces import (
    BLUE,
    CAPTURED,
    DATA,
    GRID,
    HITS,
    KINDS,
    KING,
    LASER_SQUARE,
    RAYS,
    RED,
    SWITCH,
)
from engine.piece_codes import CODES, KIND, ORIENTATION, OWNER, encode_piece

PARAMETERS_FILE = DATA / "evaluation" / "laser-chess.json"
# Counted positive for Blue and negative for Red. `next` counts only for the side to move. The
# names are keys of the parameter file.
FEATURES = (
    "tempo",  # has the move
    "reach",  # squares that the own beam crosses
    "own mirrors",  # mirrors of the shooter that turn the beam
    "other mirrors",  # mirrors of the opponent that turn the beam
    "beside the king",  # squares around the opponent's king that the beam crosses
    "beside its own king",
    "aimed",  # the beam would capture an opponent's piece now
    "aimed next",
    "burns",  # the beam would capture a piece of the shooter now
    "burns next",
    "crossed",  # squares of the beam from which a beam can strike the opponent's king
    "crossed next",
    "open",  # squares from which a beam can strike the own king
    "switches",  # switches that the beam meets
)
Features = list[int]


@cache
def load_parameters() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PARAMETERS_FILE.read_text("utf-8"))
    return found


@cache
def feature_weights() -> tuple[int, ...]:
    return tuple(load_parameters()["features"][name] for name in FEATURES)


def piece_shape(piece: int) -> str:
    """The name shared by all pieces with the same values on a turned board: `deflector 90`."""
    kind, turned = KIND[piece], ORIENTATION[piece]
    if OWNER[piece] == RED:
        turned = (turned + 2) % 4
    folded = 0 if kind == KING else turned % 2 if kind == SWITCH else turned
    return f"{KINDS[kind]} {90 * folded}"


@cache
def piece_values() -> tuple[tuple[int, ...], ...]:
    """The value of each piece on each square, for Blue."""
    return expand_values(load_parameters()["worth"])


def expand_values(table: Mapping[str, Sequence[Sequence[int]]]) -> tuple[tuple[int, ...], ...]:
    """A row of values per piece, from rows by shape. Missing shapes have the value 0."""
    rows: list[tuple[int, ...]] = [(0,) * GRID.size]
    for piece in CODES:
        blue = [value for row in table.get(piece_shape(piece), ()) for value in row] or [
            0
        ] * GRID.size
        rows.append(
            tuple(blue) if OWNER[piece] == BLUE else tuple(-value for value in reversed(blue))
        )
    return tuple(rows)


def features(squares: Sequence[int], side: int) -> Features:
    """The counts of all `FEATURES`, in their order."""
    paths = [_trace_beam(squares, LASER_SQUARE[each], _heading(squares, each)) for each in (0, 1)]
    kings = [_king_square(squares, each) for each in (BLUE, RED)]
    ways = [_attack_squares(squares, king) for king in kings]
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


def beam_score(squares: Sequence[int], side: int) -> int:
    """The weighted sum of the features, for Blue."""
    return sum(map(int.__mul__, feature_weights(), features(squares, side)))


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
_KINGS = tuple(
    tuple(encode_piece(side, KING, turned) for turned in range(4)) for side in (BLUE, RED)
)


def _heading(squares: Sequence[int], side: int) -> int:
    return ORIENTATION[squares[LASER_SQUARE[side]]]


def _king_square(squares: Sequence[int], side: int) -> int:
    return next((squares.index(king) for king in _KINGS[side] if king in squares), -1)


def _trace_beam(squares: Sequence[int], at: int, heading: int) -> tuple[int, int, int, list[int]]:
    """The squares of a beam as a mask, its steps, the captured square or -1, and its mirrors."""
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
        if heading >= CAPTURED:
            return mask, reach, at if heading == CAPTURED else -1, turned
        turned.append(squares[at])


def _attack_squares(squares: Sequence[int], king: int) -> int:
    """All squares from which a beam with the right heading strikes the king, as a mask.

    Beams are reversible: trace them from the king.
    """
    if king < 0:
        return 0
    mask = 0
    for heading in range(4):
        mask |= _trace_beam(squares, king, heading)[0]
    return mask
