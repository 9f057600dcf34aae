"""Draws a stored reading as an SVG overlay of the size of its evidence image.

Needs the JSON reading alone, no OpenCV. Each cell is a group with its name, so that a page can find
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.session.evidence import BadEvidence
from controller.session.sentence_fields import read_sentence_fields
from controller.storage import sentences
from engine import strict_json
from engine.draw.palette import player_paints
from engine.draw.shapes import Point, element, escape, format_number, polygon, text_element
from engine.errors import LaserboardError, excerpt
from engine.sentences import Sentence, joined

READING_FORMAT = 1
QUIET, FOUND, HIDDEN, DARK = "#969696", "#78dc5a", "#ffc83c", "#10161c"
SURE_CONFIDENCE = 0.95  # above it the percentage is omitted
MAX_SIDE_PX = 20_000
_HATCH = (
    '<pattern id="covered" width="9" height="9" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M0 0V9" stroke="#ffc83c" stroke-width="3"/></pattern>'
)


def parse_reading(content: bytes) -> Mapping[str, Any]:
    """Parse the JSON reading of an evidence image."""
    try:
        value = strict_json.read(content.decode("ascii"), BadEvidence)
    except UnicodeDecodeError as error:
        raise BadEvidence(sentences.READING_NOT_ASCII()) from error
    if not isinstance(value, dict) or value.get("format") != READING_FORMAT:
        raise BadEvidence(sentences.READING_FORMAT(known=READING_FORMAT))
    return value


def overlay_svg(reading: Mapping[str, Any], players: Sequence[str]) -> str:
    """Corner tags, cells, pieces and problems on a transparent ground.

    `players` are the names of the sides.
    """
    try:
        wide, high = (
            strict_json.require_int(reading[side], side, BadEvidence, 1, MAX_SIDE_PX)
            for side in ("width", "height")
        )
        colours = {
            name: paint.bright for name, paint in zip(players, player_paints(players), strict=True)
        }
        size = max(8.0, wide / 70)
        parts = [
            element("title", escape(_title_text(reading))),
            element("defs", _HATCH),
            *(_corner(each) for each in reading["corners"]),
            *(_cell(each, colours, size) for each in reading["cells"]),
        ]
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, LaserboardError):
            raise
        raise BadEvidence(sentences.READING_NOT_DRAWN(problem=excerpt(str(error)))) from error
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {format_number(wide)} {format_number(high)}",
        font_family="system-ui, 'DejaVu Sans', sans-serif",
        role="img",
    )


def problem_sentences(reading: Mapping[str, Any]) -> Iterator[Sentence]:
    """The problems of the reading; version 0.1 stored their text alone."""
    for each in reading.get("problems", ()):
        yield read_sentence_fields({**each, "sentence": each["sentence"]})


def _title_text(reading: Mapping[str, Any]) -> str:
    states = [each["state"] for each in reading["cells"]]
    pieces, covered = states.count("occupied"), states.count("covered")
    summary = sentences.READING_SUMMARY(pieces=pieces, covered=covered)
    return str(joined([summary, *problem_sentences(reading)]))


def _corner(corner: Mapping[str, Any]) -> str:
    colour = FOUND if corner["found"] else HIDDEN
    return polygon(_points(corner["outline"]), fill="none", stroke=colour, stroke_width=2)


def _cell(cell: Mapping[str, Any], colours: Mapping[str, str], size: float) -> str:
    outline = _points(cell["outline"])
    match cell["state"]:
        case "occupied":
            drawn = _piece(cell, colours, size, outline)
        case "covered":
            drawn = polygon(outline, fill="url(#covered)", fill_opacity=0.7, stroke=HIDDEN)
        case _:
            drawn = polygon(outline, fill="none", stroke=QUIET, stroke_width=1)
    return element("g", drawn, class_=str(cell["state"]), data_cell=str(cell["cell"]))


def _piece(
    cell: Mapping[str, Any], colours: Mapping[str, str], size: float, outline: list[Point]
) -> str:
    piece = cell["piece"]
    colour = HIDDEN if piece is None else colours.get(piece["owner"], HIDDEN)
    letter, sure = "?" if piece is None else str(piece["letter"]), float(cell["confidence"])
    label = letter if sure >= SURE_CONFIDENCE else f"{letter} {sure:.0%}"
    corner = min(outline, key=lambda each: each.x + each.y)
    return "".join(
        [
            polygon(outline, fill="none", stroke=QUIET, stroke_width=1),
            polygon(_points(cell["mark"]), fill="none", stroke=colour, stroke_width=2.5),
            polygon(_points(cell["tip"]), fill=colour),
            text_element(
                label,
                Point(corner.x + 2, corner.y + size * 0.7),
                size,
                colour,
                text_anchor="start",
                font_weight="bold",
                stroke=DARK,
                stroke_width=size / 5,
                paint_order="stroke",
            ),
        ]
    )


def _points(outline: Sequence[Sequence[float]]) -> list[Point]:
    return [Point(float(x), float(y)) for x, y in outline]
