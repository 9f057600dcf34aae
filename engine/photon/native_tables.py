"""The rules of Photon as tables for the compiled core."""

from __future__ import annotations

import ctypes
from functools import cache

from engine.native.binding import PHOTON_HITS, PHOTON_PIECES, PhotonTables, fill_table, load_library
from engine.native.rules import NativeRules
from engine.photon.evaluation import feature_weights, piece_values
from engine.photon.pieces import (
    AHEAD,
    BLUE,
    GRID,
    HITS,
    KING,
    NEAR,
    RED,
    SHOOTER,
    TURNABLE,
    apply_hits,
)
from engine.photon.state import Position
from engine.piece_codes import CODES, KIND, ORIENTATION, OWNER, rotate_piece

_OFF = 255


def fits_core(position: Position) -> bool:
    """Whether the core can hold that many pieces."""
    owners = [OWNER[c] for c in position.squares]
    return max(owners.count(RED), owners.count(BLUE)) <= PHOTON_PIECES


@cache
def native_rules(two_sided: bool, meeting: bool) -> NativeRules | None:
    """The rules in the core, or None if it is not built."""
    core = load_library()
    if core is None:
        return None
    return NativeRules(core, core.lb_photon(ctypes.byref(native_tables(two_sided, meeting))))


def native_tables(two_sided: bool, meeting: bool) -> PhotonTables:
    """The tables of `photon.h`."""
    tables = PhotonTables(meeting=meeting)
    for heading in range(4):
        fill_table(tables.hits[heading], [0, *HITS[two_sided][heading][1:]])
        fill_table(tables.ahead[heading], [_OFF if to < 0 else to for to in AHEAD[heading]])
    for times in range(PHOTON_HITS):
        fill_table(tables.damaged[times], [0, *(apply_hits(c, times + 1) for c in CODES)])
    for c in CODES:
        tables.owner[c], tables.orientation[c] = OWNER[c], ORIENTATION[c]
        tables.is_king[c], tables.is_shooter[c] = KIND[c] == KING, KIND[c] == SHOOTER
        for way, turn in enumerate((1, -1)):
            tables.turned[way][c] = rotate_piece(c, turn) if KIND[c] in TURNABLE else 0
    for square in range(GRID.size):
        tables.near_count[square] = len(NEAR[square])
        fill_table(tables.near[square], NEAR[square])
    fill_table(tables.worth, piece_values())
    fill_table(tables.weights, feature_weights())
    return tables
