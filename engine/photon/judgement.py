"""How good a Photon position is: what pieces are worth, and what the beams of both sides promise.

The numbers are those of `data/judgement`, which says where they come from. The compiled core judges
by the same ones; a test proves both equal. Sets of squares are bits of one number here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.codes import CODES, KIND, OWNER, code
from engine.photon.pieces import AHEAD, BLUE, GRID, HIT, KING, NEAR, RED, damaged

FILE = Path(__file__).parent.parent / "data" / "judgement" / "photon.json"
KINDS = ("king", "shooter", "mirror", "block", "cracked block")
# Each is counted for Red, and against it for Blue; `next` counts for the side to move alone.
FEATURES = (
    "tempo",  # to be to move
    "reach",  # squares that one's beams touch, those of the shooters included
    "near the king",  # squares at most two steps from the other king that they touch
    "near its own king",
    "struck",  # what the other side would lose now, by whatever beam: its worth
    "struck next",
    "king struck",  # the other king would be lost now
    "king struck next",
    "crossed",  # squares that one's beams share with the ways to the other king
    "crossed next",
    "own crossed",  # squares that they share with the ways to one's own king
    "open",  # squares on ways that lead to one's own king
)
Table = Sequence[Sequence[int]]


class Volley(NamedTuple):
    """What all beams do at once: the squares they strike, and by owner those they touch."""

    struck: list[int]
    touched: tuple[int, int]


@cache
def numbers() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


@cache
def weights() -> tuple[int, ...]:
    """In hundredths of a score."""
    return tuple(numbers()["features"][name] for name in FEATURES)


@cache
def worth() -> tuple[int, ...]:
    """What each piece is worth to Red."""
    values = [numbers()["worth"][kind] for kind in KINDS]
    return (0, *(values[KIND[c]] if OWNER[c] == RED else -values[KIND[c]] for c in CODES))


def features(squares: Sequence[int], side: int, table: Table, volley: Volley) -> list[int]:
    """What the beams promise, in the order of `FEATURES`."""
    kings = [_king(squares, each) for each in (RED, BLUE)]
    ways = [_ways_to(squares, table, king) for king in kings]
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
    values = worth()
    for at in set(volley.struck):
        piece = squares[at]
        gain = values[damaged(piece, volley.struck.count(at))] - values[piece]
        king = 0 if KIND[piece] != KING else 1 if OWNER[piece] == BLUE else -1
        found[4] += gain
        found[6] += king
        if OWNER[piece] != side:
            found[5] += gain
            found[7] += king
    return found


def promise(squares: Sequence[int], side: int, table: Table, volley: Volley) -> int:
    """The score of all that, for Red."""
    total = sum(map(int.__mul__, weights(), features(squares, side, table, volley)))
    return total // 100 if total >= 0 else -(-total // 100)


_KINGS = tuple(frozenset(code(side, KING, turned) for turned in range(4)) for side in (RED, BLUE))
_AROUND = tuple(
    sum(1 << at for at in {to for beside in NEAR[king] for to in (beside, *NEAR[beside])})
    for king in range(GRID.size)
)


def _king(squares: Sequence[int], side: int) -> int:
    return next((at for at, piece in enumerate(squares) if piece in _KINGS[side]), -1)


def _ways_to(squares: Sequence[int], table: Table, king: int) -> int:
    """All squares from which a beam on the right way strikes the king, its own and what is in the
    way included."""
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
