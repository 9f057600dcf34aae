"""Photon for the compiled core: its rules as tables, from those that everyone plays by."""

from __future__ import annotations

import ctypes
from functools import cache

from engine.codes import CODES, KIND, ORIENTATION, OWNER, rotated
from engine.native.binding import (
    PHOTON_HITS,
    PHOTON_PIECES,
    PhotonTables,
    fill,
    library,
)
from engine.native.rules import CompiledRules
from engine.photon.judgement import weights, worth
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
    damaged,
)
from engine.photon.state import Position

_OFF = 255


def has_room(position: Position) -> bool:
    """Whether the core can hold so many pieces."""
    owners = [OWNER[c] for c in position.squares]
    return max(owners.count(RED), owners.count(BLUE)) <= PHOTON_PIECES


@cache
def rules(two_sided: bool, meeting: bool) -> CompiledRules | None:
    """The rules in the core; None where that is not built."""
    core = library()
    if core is None:
        return None
    return CompiledRules(core, core.lb_photon(ctypes.byref(tables(two_sided, meeting))))


def tables(two_sided: bool, meeting: bool) -> PhotonTables:
    """The tables of `photon.h`."""
    found = PhotonTables(meeting=meeting)
    for heading in range(4):
        fill(found.hits[heading], [0, *HITS[two_sided][heading][1:]])
        fill(found.ahead[heading], [_OFF if to < 0 else to for to in AHEAD[heading]])
    for times in range(PHOTON_HITS):
        fill(found.damaged[times], [0, *(damaged(c, times + 1) for c in CODES)])
    for c in CODES:
        found.owner[c], found.orientation[c] = OWNER[c], ORIENTATION[c]
        found.is_king[c], found.is_shooter[c] = KIND[c] == KING, KIND[c] == SHOOTER
        for way, turn in enumerate((1, -1)):
            found.turned[way][c] = rotated(c, turn) if KIND[c] in TURNABLE else 0
    for square in range(GRID.size):
        found.near_count[square] = len(NEAR[square])
        fill(found.near[square], NEAR[square])
    fill(found.worth, worth())
    fill(found.weights, weights())
    return found
