"""Laser Chess for the compiled core: its rules as tables, from those that everyone plays by, and
its judgement as numbers that can be learnt there.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.codes import CODES, KIND, ORIENTATION, OWNER, rotated
from engine.judging import Judgement
from engine.laser_chess.judgement import FEATURES, FILE, features, numbers, shape, spread, weights
from engine.laser_chess.judgement import worth as known_worth
from engine.laser_chess.pieces import (
    BLUE,
    DEFENDER,
    DEFLECTOR,
    FOLD,
    GRID,
    HITS,
    HOME,
    KING,
    LASER,
    LASER_SQUARE,
    ROTATIONS,
    STEPS,
    SWITCH,
)
from engine.native.binding import LaserTables, fill, library
from engine.native.rules import CompiledRules


@cache
def rules() -> CompiledRules | None:
    """The rules in the core; None where that is not built."""
    return _rules(known_worth(), weights())


def _rules(worth: Sequence[Sequence[int]], judged_by: Sequence[int]) -> CompiledRules | None:
    core = library()
    if core is None:
        return None
    return CompiledRules(core, core.lb_laser(ctypes.byref(tables(worth, judged_by))))


def tables(worth: Sequence[Sequence[int]], judged_by: Sequence[int]) -> LaserTables:
    """The tables of `laser.h`."""
    found = LaserTables()
    for heading in range(4):
        fill(found.hits[heading], [0, *HITS[heading][1:]])
    for c in CODES:
        found.owner[c], found.orientation[c] = OWNER[c], ORIENTATION[c]
        found.fold[c] = FOLD[c]
        found.swappable[c] = KIND[c] in (DEFLECTOR, DEFENDER)
        found.is_switch[c], found.is_king[c] = KIND[c] == SWITCH, KIND[c] == KING
        for way, turn in enumerate((1, -1)):
            turned = rotated(c, turn)
            found.turned[way][c] = turned if turned in ROTATIONS[c] else 0
    for side in (0, 1):
        for square in range(GRID.size):
            steps = STEPS[side][square]
            found.near_count[side][square] = len(steps)
            fill(found.near[side][square], steps)
        fill(found.home[side], HOME[side])
    fill(found.laser, LASER_SQUARE)
    for c, row in enumerate(worth):
        fill(found.worth[c], row)
    fill(found.weights, judged_by)
    return found


# -- learning -------------------------------------------------------------------------------------

# A laser never leaves its square; all others are worth something on each.
SHAPES = tuple(dict.fromkeys(shape(c) for c in CODES if OWNER[c] == BLUE and KIND[c] != LASER))


class LaserJudgement(Judgement):
    """A number for each shape on each square, then one for each feature."""

    names = (
        *(f"{each} {GRID.name(square)}" for each in SHAPES for square in range(GRID.size)),
        *FEATURES,
    )
    groups = (
        *(each.split()[0] for each in SHAPES for _ in range(GRID.size)),
        *("" for _ in FEATURES),
    )
    unit = "deflector"
    file = FILE.name

    def numbers(self) -> list[int]:
        table = numbers()["worth"]
        worth = [value for each in SHAPES for row in table[each] for value in row]
        return [*worth, *weights()]

    def terms(self, position: Any) -> list[tuple[int, int]]:
        found = []
        for square, piece in enumerate(position.squares):
            if piece and KIND[piece] != LASER:
                mine = OWNER[piece] == BLUE
                at = square if mine else GRID.size - 1 - square
                found.append((SHAPES.index(shape(piece)) * GRID.size + at, 1 if mine else -1))
        counted = features(position.squares, position.side)
        first = len(SHAPES) * GRID.size
        return found + [(first + at, times) for at, times in enumerate(counted) if times]

    def rules(self, numbers: Sequence[int]) -> CompiledRules | None:
        return _rules(spread(self._worth(numbers)), self._weights(numbers))

    def write(self, numbers: Sequence[int], run: Mapping[str, Any]) -> str:
        told = {
            "run": dict(run),
            "features": dict(zip(FEATURES, self._weights(numbers), strict=True)),
        }
        head = json.dumps(told, indent=2)
        worth = ",\n".join(
            f'    "{each}": [\n'
            + ",\n".join(f"      {json.dumps(row)}" for row in rows)
            + "\n    ]"
            for each, rows in self._worth(numbers).items()
        )
        return f'{head[:-2]},\n  "worth": {{\n{worth}\n  }}\n}}\n'

    def _weights(self, numbers: Sequence[int]) -> list[int]:
        return list(numbers[len(SHAPES) * GRID.size :])

    def _worth(self, numbers: Sequence[int]) -> dict[str, list[list[int]]]:
        columns, size = GRID.columns, GRID.size
        return {
            each: [
                list(numbers[at : at + columns]) for at in range(n * size, (n + 1) * size, columns)
            ]
            for n, each in enumerate(SHAPES)
        }
