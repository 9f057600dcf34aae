"""A stored reading is drawn over its evidence image, from its JSON file alone."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from controller.session.evidence import BadEvidence, canonical_json
from controller.session.sentence_fields import sentence_fields
from controller.storage.evidence_overlay import overlay_svg, parse_reading, problem_sentences
from engine.sentences import plain
from vision.sentences import PIECE_OFF_CENTRE

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = [[10.0, 10.0], [90.0, 10.0], [90.0, 90.0], [10.0, 90.0]]
KING = {"kind": "king", "owner": "blue", "letter": "K", "degrees": 0.0}


def reading(**different: Any) -> dict[str, Any]:
    cells = [
        {"cell": "a1", "outline": SQUARE, "state": "empty", "confidence": 1.0},
        {"cell": "b1", "outline": SQUARE, "state": "covered", "confidence": 0.4},
        {
            "cell": "c1",
            "outline": SQUARE,
            "state": "occupied",
            "confidence": 0.62,
            "tag": 3,
            "piece": KING,
            "mark": SQUARE,
            "tip": SQUARE[:3],
        },
    ]
    problems = [{"trouble": "crooked", "sentence": "c1 stands <crooked>", "cells": [], "tags": []}]
    corners = [{"tag": 27, "found": True, "outline": SQUARE}]
    return {
        "format": 1,
        "width": 300,
        "height": 100,
        "cells": cells,
        "corners": corners,
        "problems": problems,
    } | different


def test_every_cell_is_drawn_with_its_name() -> None:
    drawn = ElementTree.fromstring(overlay_svg(reading(), ("blue", "red")))
    assert drawn.get("viewBox") == "0 0 300 100"
    groups = {each.get("data-cell"): each for each in drawn.iter(f"{SVG}g")}
    assert {name: each.get("class") for name, each in groups.items()} == {
        "a1": "empty",
        "b1": "covered",
        "c1": "occupied",
    }
    assert [each.text for each in groups["c1"].iter(f"{SVG}text")] == ["K 62%"]
    title = drawn.find(f"{SVG}title")
    assert title is not None
    assert title.text == "1 pieces read, 1 cells covered; c1 stands <crooked>"


def test_an_unknown_tag_is_a_question_mark() -> None:
    unknown = reading()
    unknown["cells"][2]["piece"] = None
    assert ">? 62%<" in overlay_svg(unknown, ("blue", "red"))


def test_problems_are_reported() -> None:
    assert list(problem_sentences(reading())) == [plain("c1 stands <crooked>")]
    sentence = PIECE_OFF_CENTRE(cell="c1", mm=4)
    problem = {"trouble": "crooked", "cells": [], "tags": [], **sentence_fields(sentence)}
    assert list(problem_sentences(reading(problems=[problem]))) == [sentence]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[]", b"{}", canonical_json({"format": 2}), b'{"format": 1, "format": 1}'],
)
def test_a_file_without_a_reading_is_refused(content: bytes) -> None:
    with pytest.raises(BadEvidence):
        parse_reading(content)


@pytest.mark.parametrize(
    "change",
    [
        {"width": 0},
        {"width": "wide"},
        {"cells": None},
        {"cells": [{}]},
        {"corners": [{"found": True, "outline": [["a", "b"]]}]},
    ],
)
def test_a_malformed_reading_raises_our_error(change: dict[str, Any]) -> None:
    content = json.dumps(reading(**change)).encode()
    with pytest.raises(BadEvidence):
        overlay_svg(parse_reading(content), ("blue", "red"))
