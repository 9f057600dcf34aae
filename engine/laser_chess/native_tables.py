"""The rules of Laser Chess as tables for the compiled core, and its tunable evaluation."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.evaluation import Evaluation
from engine.laser_chess.evaluation import (
    FEATURES,
    PARAMETERS_FILE,
    expand_values,
    feature_weights,
    features,
    load_parameters,
    piece_shape,
    piece_values,
)
from engine.laser_chess.pieces import (
    BLUE,
    DEFENDER,
    DEFLECTOR,
    FOLD,
    GRID,
    HITS,
    KING,
    LASER,
    LASER_SQUARE,
    MAY_STAND,
    ROTATIONS,
    STEPS,
    SWITCH,
)
from engine.native.binding import LaserTables, fill_table, load_library
from engine.native.rules import NativeRules
from engine.piece_codes import CODES, KIND, ORIENTATION, OWNER, rotate_piece


@cache
def native_rules() -> NativeRules | None:
    """The rules in the core, or None if it is not built."""
    return _build_rules(piece_values(), feature_weights())


def _build_rules(
    worth: Sequence[Sequence[int]], weights_by_feature: Sequence[int]
) -> NativeRules | None:
    core = load_library()
    if core is None:
        return None
    return NativeRules(core, core.lb_laser(ctypes.byref(native_tables(worth, weights_by_feature))))


def native_tables(worth: Sequence[Sequence[int]], weights_by_feature: Sequence[int]) -> LaserTables:
    """The tables of `laser.h`."""
    tables = LaserTables()
    for heading in range(4):
        fill_table(tables.hits[heading], [0, *HITS[heading][1:]])
    for c in CODES:
        tables.owner[c], tables.orientation[c] = OWNER[c], ORIENTATION[c]
        tables.fold[c] = FOLD[c]
        tables.swappable[c] = KIND[c] in (DEFLECTOR, DEFENDER)
        tables.is_switch[c], tables.is_king[c] = KIND[c] == SWITCH, KIND[c] == KING
        for way, turn in enumerate((1, -1)):
            turned = rotate_piece(c, turn)
            tables.turned[way][c] = turned if turned in ROTATIONS[c] else 0
    for side in (0, 1):
        for square in range(GRID.size):
            steps = STEPS[side][square]
            tables.near_count[side][square] = len(steps)
            fill_table(tables.near[side][square], steps)
        fill_table(tables.home[side], MAY_STAND[side])
    fill_table(tables.laser, LASER_SQUARE)
    for c, row in enumerate(worth):
        fill_table(tables.worth[c], row)
    fill_table(tables.weights, weights_by_feature)
    return tables


# -- tuning ---------------------------------------------------------------------------------------

# Lasers never leave their squares, so they have no values.
SHAPES = tuple(
    dict.fromkeys(piece_shape(c) for c in CODES if OWNER[c] == BLUE and KIND[c] != LASER)
)


class LaserEvaluation(Evaluation):
    """A parameter for each shape on each square, then one for each feature."""

    names = (
        *(f"{each} {GRID.name(square)}" for each in SHAPES for square in range(GRID.size)),
        *FEATURES,
    )
    groups = (
        *(each.split()[0] for each in SHAPES for _ in range(GRID.size)),
        *("" for _ in FEATURES),
    )
    unit = "deflector"
    file = PARAMETERS_FILE.name

    def parameters(self) -> list[int]:
        table = load_parameters()["worth"]
        worth = [value for each in SHAPES for row in table[each] for value in row]
        return [*worth, *feature_weights()]

    def terms(self, position: Any) -> list[tuple[int, int]]:
        found = []
        for square, piece in enumerate(position.squares):
            if piece and KIND[piece] != LASER:
                mine = OWNER[piece] == BLUE
                at = square if mine else GRID.size - 1 - square
                found.append((SHAPES.index(piece_shape(piece)) * GRID.size + at, 1 if mine else -1))
        counted = features(position.squares, position.side)
        first = len(SHAPES) * GRID.size
        return found + [(first + at, times) for at, times in enumerate(counted) if times]

    def rules(self, parameters: Sequence[int]) -> NativeRules | None:
        return _build_rules(expand_values(self._worth(parameters)), self._weights(parameters))

    def write(self, parameters: Sequence[int], run: Mapping[str, Any]) -> str:
        header = {
            "run": dict(run),
            "features": dict(zip(FEATURES, self._weights(parameters), strict=True)),
        }
        head = json.dumps(header, indent=2)
        worth = ",\n".join(
            f'    "{each}": [\n'
            + ",\n".join(f"      {json.dumps(row)}" for row in rows)
            + "\n    ]"
            for each, rows in self._worth(parameters).items()
        )
        return f'{head[:-2]},\n  "worth": {{\n{worth}\n  }}\n}}\n'

    def _weights(self, parameters: Sequence[int]) -> list[int]:
        return list(parameters[len(SHAPES) * GRID.size :])

    def _worth(self, parameters: Sequence[int]) -> dict[str, list[list[int]]]:
        columns, size = GRID.columns, GRID.size
        return {
            each: [
                list(parameters[at : at + columns])
                for at in range(n * size, (n + 1) * size, columns)
            ]
            for n, each in enumerate(SHAPES)
        }
