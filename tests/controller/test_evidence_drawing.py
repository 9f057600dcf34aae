"""What was read is drawn over a kept picture again, from the file beside it and nothing else."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from controller.evidence import BadEvidence, canonical
from controller.evidence_drawing import overlay_svg, read_seen, sentences

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = [[10.0, 10.0], [90.0, 10.0], [90.0, 90.0], [10.0, 90.0]]
KING = {"kind": "king", "owner": "blue", "letter": "K", "degrees": 0.0}


def seen(**different: Any) -> dict[str, Any]:
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


def test_every_cell_is_drawn_by_its_name_as_it_was_read() -> None:
    drawn = ElementTree.fromstring(overlay_svg(seen(), ("blue", "red")))
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


def test_a_tag_of_no_piece_is_a_question() -> None:
    unknown = seen()
    unknown["cells"][2]["piece"] = None
    assert ">? 62%<" in overlay_svg(unknown, ("blue", "red"))


def test_problems_are_told() -> None:
    assert list(sentences(seen())) == ["c1 stands <crooked>"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[]", b"{}", canonical({"format": 2}), b'{"format": 1, "format": 1}'],
)
def test_a_file_that_tells_no_reading_is_refused(content: bytes) -> None:
    with pytest.raises(BadEvidence):
        read_seen(content)


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
def test_what_cannot_be_drawn_is_one_of_our_errors(change: dict[str, Any]) -> None:
    content = json.dumps(seen(**change)).encode()
    with pytest.raises(BadEvidence):
        overlay_svg(read_seen(content), ("blue", "red"))
