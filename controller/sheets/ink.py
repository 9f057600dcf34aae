"""Shapes of the wiring sheets: lines, arrows, boxes, badges, and what an electrician draws.

Everything is told apart without colour: lanes by their dashes and by how dark their LEDs are,
power by its thickness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from controller.sheets.page import GREY, INK, words
from engine.draw.shapes import Point, number, points, polygon, tag

PAPER, SHADE, EDGE = "#ffffff", "#f3f1ec", "#b9b4a8"
PLUS, GROUND = "#b3261e", "#111111"
POWER_MM, WIRE_MM = 1.3, 0.55


@dataclass(frozen=True, slots=True)
class LaneStyle:
    """How a lane is drawn; `dashes` of an SVG line, `tint` of its LEDs, darker lane by lane."""

    colour: str
    dashes: str
    words: str
    tint: str


LANES = (
    LaneStyle("#14703a", "", "solid", PAPER),
    LaneStyle("#1d4fa3", "3 1.3", "dashed", "#cbdcf7"),
    LaneStyle("#8a5a00", "0.9 1.1", "dotted", "#e0bf85"),
    LaneStyle("#6a2c91", "4 1.1 0.9 1.1", "dash-dotted", "#b79ad0"),
)


def path(
    places: Sequence[Point], colour: str = INK, width: float = WIRE_MM, dashes: str = ""
) -> str:
    """A line from place to place."""
    dashed = {"stroke_dasharray": dashes} if dashes else {}
    return tag(
        "polyline", points=points(places), fill="none", stroke=colour, stroke_width=width,
        stroke_linejoin="round", stroke_linecap="butt" if dashes else "round", **dashed,
    )  # fmt: skip


def lane_path(places: Sequence[Point], lane: int, width: float = WIRE_MM) -> str:
    return path(places, LANES[lane].colour, width, LANES[lane].dashes)


def lane_join(a: Point, b: Point, lane: int, width: float, clear: float) -> str:
    """From the rim of one LED to that of the next, `clear` from their middles.

    However short it is, its dashes are whole, and the last is as long as the first.
    """
    far = hypot(b.x - a.x, b.y - a.y)
    if far <= 2 * clear:
        return ""
    start, end = _between(a, b, clear / far), _between(a, b, 1 - clear / far)
    lengths = [float(length) for length in LANES[lane].dashes.split()]
    whole = sum(lengths) + lengths[0] if lengths else 0.0
    part = min(1.0, (far - 2 * clear) / whole) if whole else 1.0
    dashes = " ".join(number(part * length) for length in lengths)
    return path([start, end], LANES[lane].colour, width, dashes)


def _between(a: Point, b: Point, part: float) -> Point:
    return Point(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)


def arrow_head(tip: Point, degrees: float, size: float, colour: str) -> str:
    """A filled triangle whose tip points that way; degrees are clockwise from straight up."""
    back = tip.towards(degrees + 180, size)
    sides = [back.towards(degrees + turn, 0.5 * size) for turn in (90, -90)]
    return polygon([tip, *sides], fill=colour)


def box(
    x: float, y: float, width: float, height: float, *, fill: str = SHADE, stroke: str = INK,
    radius: float = 1.5, line: float = 0.35,
) -> str:  # fmt: skip
    return tag(
        "rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, stroke=stroke,
        stroke_width=line,
    )  # fmt: skip


def badge(text: str, x: float, y: float, fill: str, width: float, height: float = 4.6) -> str:
    """White words on a dark plate whose middle is (x, y)."""
    return tag(
        "rect", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=1, fill=fill
    ) + words(text, x, y + 0.24 * height, 0.68 * height, anchor="middle", bold=True, fill=PAPER)


def resistor(x: float, y: float, colour: str, label: str) -> str:
    """A box of 9 x 3 mm on a line that runs along y; x is its left end."""
    return box(x, y - 1.5, 9, 3, fill=PAPER, stroke=colour, radius=0, line=0.45) + words(
        label, x + 4.5, y - 2.3, 2.6, anchor="middle"
    )


def fuse(x: float, y: float) -> str:
    """A box with the wire going through; 10 mm long from x on."""
    return (
        path([Point(x, y), Point(x + 13, y)], PLUS, 0.7)
        + box(x, y - 1.5, 10, 3, fill=PAPER, stroke=PLUS, radius=0, line=0.45)
        + path([Point(x, y), Point(x + 10, y)], PLUS, 0.4)
    )


def gate(x: float, y: float, colour: str) -> str:
    """An amplifier: a triangle of 9 mm that points right; x is its left edge."""
    return tag(
        "polygon", points=points([Point(x, y - 4), Point(x, y + 4), Point(x + 9, y)]), fill=PAPER,
        stroke=colour, stroke_width=0.5,
    )  # fmt: skip


def capacitor(x: float, y: float, label: str) -> str:
    """An upright one whose + plate is at y and which ends 5 mm below."""
    return (
        path([Point(x, y), Point(x, y + 2)], INK, 0.4)
        + path([Point(x - 2, y + 2), Point(x + 2, y + 2)], INK, 0.6)
        + path([Point(x - 2, y + 3), Point(x + 2, y + 3)], INK, 0.6)
        + path([Point(x, y + 3), Point(x, y + 5)], INK, 0.4)
        + words(label, x + 2.8, y + 3.4, 2.6)
    )


def push_button(x: float, y: float, way: int) -> str:
    """A switch on a line along y, 8 mm long from x on, to the right (1) or the left (-1)."""
    a, b = Point(x + way * 2, y), Point(x + way * 6, y)
    return (
        path([Point(x, y), a], INK, 0.45)
        + path([b, Point(x + way * 8, y)], INK, 0.45)
        + path([Point(a.x, y - 1.1), Point(b.x, y - 1.1)], INK, 0.45)
        + path([Point((a.x + b.x) / 2, y - 1.1), Point((a.x + b.x) / 2, y - 2)], INK, 0.45)
        + "".join(dot(each, 0.45, PAPER) for each in (a, b))
    )


def part(x: float, y: float, way: int, label: str) -> str:
    """Anything else on such a line: a box with a word in it."""
    left = x if way > 0 else x - 8
    return box(left, y - 1.6, 8, 3.2, fill=PAPER, radius=0.6) + words(
        label, left + 4, y + 0.85, 2.3, anchor="middle"
    )


def dot(at: Point, radius: float = 0.7, fill: str = GROUND) -> str:
    return tag("circle", cx=at.x, cy=at.y, r=radius, fill=fill, stroke=GROUND, stroke_width=0.3)


def heading(title: str, below: str, x: float, y: float) -> str:
    return words(title, x, y + 5.5, 6.5, bold=True) + words(below, x, y + 11, 3.4, fill=GREY)
