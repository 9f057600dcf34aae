"""The evaluation of Photon positions: piece values, and features of the beams of both sides.

The parameters are in `data/evaluation`. The compiled core uses the same. A test proves that both
agree. Sets of squares are bit masks here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.photon.pieces import AHEAD, BLUE, GRID, HIT, KING, NEAR, RED, apply_hits
from engine.piece_codes import CODES, KIND, OWNER, encode_piece

PARAMETERS_FILE = Path(__file__).parent.parent / "data" / "evaluation" / "photon.json"
KINDS = ("king", "shooter", "mirror", "block", "cracked block")
# Counted positive for Red and negative for Blue. `next` counts only for the side to move. The
# names are keys of the parameter file.
FEATURES = (
    "tempo",  # has the move
    "reach",  # squares that the own beams touch, including those of the shooters
    "near the king",  # touched squares at most two steps from the opponent's king
    "near its own king",
    "struck",  # the value that the opponent would lose now, by any beam
    "struck next",
    "king struck",  # the opponent's king would be lost now
    "king struck next",
    "crossed",  # touched squares from which a beam can strike the opponent's king
    "crossed next",
    "own crossed",  # touched squares from which a beam can strike the own king
    "open",  # squares from which a beam can strike the own king
)
Table = Sequence[Sequence[int]]


class Volley(NamedTuple):
    """The effect of all beams together: the squares hit, and the squares touched by owner."""

    struck: list[int]
    touched: tuple[int, int]


@cache
def load_parameters() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PARAMETERS_FILE.read_text("utf-8"))
    return found


@cache
def feature_weights() -> tuple[int, ...]:
    """The weights of all `FEATURES`, in hundredths of a score."""
    return tuple(load_parameters()["features"][name] for name in FEATURES)


@cache
def piece_values() -> tuple[int, ...]:
    """The value of each piece, for Red."""
    values = [load_parameters()["worth"][kind] for kind in KINDS]
    return (0, *(values[KIND[c]] if OWNER[c] == RED else -values[KIND[c]] for c in CODES))


def features(squares: Sequence[int], side: int, table: Table, volley: Volley) -> list[int]:
    """The counts of all `FEATURES`, in their order."""
    kings = [_king_square(squares, each) for each in (RED, BLUE)]
    ways = [_attack_squares(squares, table, king) for king in kings]
    found = [0] * len(FEATURES)
    found[0] = 1 if side == RED else -1
    for each in (RED, BLUE):
        sign = 1 if each == RED else -1
        mine = volley.touched[each]
        crossed = (mine & ways[1 - each]).bit_count()
        found[1] += sign * mine.bit_count()
        if kings[1 - each] >= 0:
            found[2] += sign * (mine & _AROUND[kings[1 - each]]).bit_count()
        if kings[each] >= 0:
            found[3] += sign * (mine & _AROUND[kings[each]]).bit_count()
        found[8] += sign * crossed
        found[9] += sign * crossed if each == side else 0
        found[10] += sign * (mine & ways[each]).bit_count()
        found[11] += sign * ways[each].bit_count()
    values = piece_values()
    for at in set(volley.struck):
        piece = squares[at]
        gain = values[apply_hits(piece, volley.struck.count(at))] - values[piece]
        king = 0 if KIND[piece] != KING else 1 if OWNER[piece] == BLUE else -1
        found[4] += gain
        found[6] += king
        if OWNER[piece] != side:
            found[5] += gain
            found[7] += king
    return found


def beam_score(squares: Sequence[int], side: int, table: Table, volley: Volley) -> int:
    """The weighted sum of the features, for Red."""
    total = sum(map(int.__mul__, feature_weights(), features(squares, side, table, volley)))
    return total // 100 if total >= 0 else -(-total // 100)


_KINGS = tuple(
    frozenset(encode_piece(side, KING, turned) for turned in range(4)) for side in (RED, BLUE)
)
_AROUND = tuple(
    sum(1 << at for at in {to for beside in NEAR[king] for to in (beside, *NEAR[beside])})
    for king in range(GRID.size)
)


def _king_square(squares: Sequence[int], side: int) -> int:
    return next((at for at, piece in enumerate(squares) if piece in _KINGS[side]), -1)


def _attack_squares(squares: Sequence[int], table: Table, king: int) -> int:
    """All squares from which a beam with the right heading strikes the king, as a mask.

    Includes the king's square and the pieces on the way.
    """
    if king < 0:
        return 0
    ways = 1 << king
    for first in range(4):
        heading, at = first, AHEAD[first][king]
        while at >= 0:
            ways |= 1 << at
            if squares[at]:
                heading = table[heading][squares[at]]
                if heading == HIT:
                    break
            at = AHEAD[heading][at]
    return ways
