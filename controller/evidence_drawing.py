"""What was read in a kept picture, drawn over it again: SVG, as large as the picture is.

It takes the JSON that is kept beside the picture and nothing else: no reader, no camera, no
OpenCV. Every cell is a group with its name, for pages that want to find one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.evidence import BadEvidence
from engine import strict_json
from engine.draw.palette import paints
from engine.draw.shapes import Point, escape, number, polygon, tag, text
from engine.errors import LaserboardError, excerpt

FORMAT = 1
QUIET, FOUND, HIDDEN, DARK = "#969696", "#78dc5a", "#ffc83c", "#10161c"
SURE = 0.95  # above it no percentage is written
LARGEST_PX = 20_000
_HATCH = (
    '<pattern id="covered" width="9" height="9" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M0 0V9" stroke="#ffc83c" stroke-width="3"/></pattern>'
)


def read_seen(content: bytes) -> Mapping[str, Any]:
    """The JSON beside a picture, if it is of a kind that can be drawn here."""
    try:
        value = strict_json.read(content.decode("ascii"), BadEvidence)
    except UnicodeDecodeError:
        raise BadEvidence("what was read in a picture is kept as ASCII, and this is none") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BadEvidence(f"what was read is told in another format than {FORMAT}")
    return value


def overlay_svg(seen: Mapping[str, Any], players: Sequence[str]) -> str:
    """Corner tags, cells, pieces and problems over a picture; `players` as their game names them.

    Transparent where nothing is drawn: to be laid over the picture.
    """
    try:
        wide, high = (
            strict_json.whole(seen[side], side, BadEvidence, 1, LARGEST_PX)
            for side in ("width", "height")
        )
        colours = {name: paint.bright for name, paint in zip(players, paints(players), strict=True)}
        size = max(8.0, wide / 70)
        parts = [
            tag("title", escape(_told(seen))),
            tag("defs", _HATCH),
            *(_corner(each) for each in seen["corners"]),
            *(_cell(each, colours, size) for each in seen["cells"]),
        ]
    except (KeyError, TypeError, ValueError, IndexError) as bad:
        if isinstance(bad, LaserboardError):
            raise
        raise BadEvidence(f"what was read cannot be drawn: {excerpt(str(bad))}") from None
    return tag(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(wide)} {number(high)}",
        font_family="system-ui, 'DejaVu Sans', sans-serif",
        role="img",
    )


def sentences(seen: Mapping[str, Any]) -> Iterator[str]:
    """The problems that the picture had."""
    for each in seen.get("problems", ()):
        yield str(each["sentence"])


def _told(seen: Mapping[str, Any]) -> str:
    states = [each["state"] for each in seen["cells"]]
    pieces, covered = states.count("occupied"), states.count("covered")
    return "; ".join([f"{pieces} pieces read, {covered} cells covered", *sentences(seen)])


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
    return tag("g", drawn, class_=str(cell["state"]), data_cell=str(cell["cell"]))


def _piece(
    cell: Mapping[str, Any], colours: Mapping[str, str], size: float, outline: list[Point]
) -> str:
    piece = cell["piece"]
    colour = HIDDEN if piece is None else colours.get(piece["owner"], HIDDEN)
    letter, sure = "?" if piece is None else str(piece["letter"]), float(cell["confidence"])
    label = letter if sure >= SURE else f"{letter} {sure:.0%}"
    corner = min(outline, key=lambda each: each.x + each.y)
    return "".join(
        [
            polygon(outline, fill="none", stroke=QUIET, stroke_width=1),
            polygon(_points(cell["mark"]), fill="none", stroke=colour, stroke_width=2.5),
            polygon(_points(cell["tip"]), fill=colour),
            text(
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
