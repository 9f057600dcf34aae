"""All 80 entries of the hit table (LHAN), compared with vectors reflected on normals.

Vectors are (x, y) with x to the right and y DOWN, so a clockwise quarter turn maps (x, y) to
(-y, x). The expected values do not use directions of the engine, only their names in the files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine.data
from engine.laser_chess.pieces import HITS
from engine.piece_codes import CODES, KIND, ORIENTATION, OWNER

DATA = Path(engine.data.__path__[0])
YML: Any = yaml.safe_load((DATA / "laser_hits.yml").read_text("utf-8"))
JSON: Any = json.loads((DATA / "laser_hits.json").read_text("utf-8"))

Vector = tuple[int, int]
TRAVEL: dict[str, Vector] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
PIECES = {"l": "laser", "b": "deflector", "d": "defender", "s": "switch", "k": "king"}
DEGREES = (0, 90, 180, 270)
ENTRIES = [(way, piece, rotation) for way in TRAVEL for piece in PIECES for rotation in DEGREES]


def clockwise(vector: Vector, degrees: int) -> Vector:
    x, y = vector
    for _ in range(degrees // 90):
        x, y = -y, x
    return x, y


def dot(a: Vector, b: Vector) -> int:
    return a[0] * b[0] + a[1] * b[1]


def reflect(travel: Vector, normal: Vector) -> Vector:
    """The law of reflection, d - 2 (d.n) n / |n|^2, for a diagonal normal with |n|^2 = 2."""
    assert dot(normal, normal) == 2
    along = dot(travel, normal)
    return travel[0] - along * normal[0], travel[1] - along * normal[1]


def expected_action(way: str, piece: str, degrees: int) -> str:
    travel = TRAVEL[way]
    if piece == "l":
        return "nothing"
    if piece == "k":
        return "kill"
    if piece == "d":
        shield = clockwise((0, -1), degrees)
        return "nothing" if dot(travel, shield) == -1 else "kill"
    face = clockwise((-1, 1), degrees)  # south-west
    if piece == "b" and dot(travel, face) > 0:
        return "kill"
    onward = reflect(travel, face)
    return next(name for name, vector in TRAVEL.items() if vector == onward)


def test_there_are_80_entries_and_no_others() -> None:
    assert len(ENTRIES) == 80
    table = [
        (way, p, d) for way, pieces in YML.items() for p, turns in pieces.items() for d in turns
    ]
    assert sorted(table) == sorted(ENTRIES)


@pytest.mark.parametrize(("way", "piece", "degrees"), ENTRIES)
def test_every_entry_agrees_with_geometry(way: str, piece: str, degrees: int) -> None:
    assert YML[way][piece][degrees] == expected_action(way, piece, degrees)


def test_the_yaml_and_the_json_table_are_equal() -> None:
    as_json = {
        way: {p: {str(d): action for d, action in turns.items()} for p, turns in pieces.items()}
        for way, pieces in YML.items()
    }
    assert as_json == JSON


def test_the_engine_uses_the_values_of_the_table() -> None:
    headings = ("top", "right", "bottom", "left")  # up, right, down, left
    actions = (*headings, "kill", "nothing")
    assert len(HITS) == 4
    for heading, way in enumerate(headings):
        for code in CODES:
            letter = "lbdsk"[KIND[code]]
            expected = YML[way][letter][90 * ORIENTATION[code]]
            assert actions[HITS[heading][code]] == expected, (way, letter, OWNER[code])


# Examples of the rules: direction of travel, piece, orientation, action.
EXAMPLES_OF_THE_RULES = [
    ("top", "d", 180, "nothing"),  # hit `top`: only 180 survives
    ("top", "d", 0, "kill"),
    ("top", "d", 90, "kill"),
    ("top", "d", 270, "kill"),
    ("top", "b", 0, "left"),  # travelling up turns left
    ("right", "b", 0, "bottom"),  # travelling right turns down
    ("bottom", "b", 0, "kill"),  # any other side: captured
    ("left", "b", 0, "kill"),
]


@pytest.mark.parametrize(("way", "piece", "degrees", "action"), EXAMPLES_OF_THE_RULES)
def test_the_examples_of_the_rules_agree_with_the_table(
    way: str, piece: str, degrees: int, action: str
) -> None:
    assert YML[way][piece][degrees] == action


def test_a_switch_is_never_captured_and_a_king_always() -> None:
    for way in TRAVEL:
        assert set(YML[way]["s"].values()) <= set(TRAVEL)
        assert set(YML[way]["k"].values()) == {"kill"}
        assert set(YML[way]["l"].values()) == {"nothing"}
