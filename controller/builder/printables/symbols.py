"""Symbols of the wiring sheets: lines, arrows, boxes, badges and circuit symbols.

Readable without colour: lanes differ in dashes and in the tint of their LEDs, power is thicker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from controller.builder import paper_sentences as sentences
from engine.draw.page import GREY, INK, text_line
from engine.draw.shapes import Point, element, format_number, points_attribute, polygon
from engine.sentences import Sentence

PAPER, SHADE, EDGE = "#ffffff", "#f3f1ec", "#b9b4a8"
PLUS, GROUND = "#b3261e", "#111111"
POWER_MM, WIRE_MM = 1.3, 0.55


@dataclass(frozen=True, slots=True)
class LaneStyle:
    """Line style of a lane: SVG dashes, and the tint of its LEDs, darker with each lane."""

    colour: str
    dashes: str
    line_name: Sentence
    tint: str


LANE_STYLES = (
    LaneStyle("#14703a", "", sentences.SOLID(), PAPER),
    LaneStyle("#1d4fa3", "3 1.3", sentences.DASHED(), "#cbdcf7"),
    LaneStyle("#8a5a00", "0.9 1.1", sentences.DOTTED(), "#e0bf85"),
    LaneStyle("#6a2c91", "4 1.1 0.9 1.1", sentences.DASH_DOTTED(), "#b79ad0"),
)


def path(
    places: Sequence[Point], colour: str = INK, width: float = WIRE_MM, dashes: str = ""
) -> str:
    """A line through the places."""
    dashed = {"stroke_dasharray": dashes} if dashes else {}
    return element(
        "polyline", points=points_attribute(places), fill="none", stroke=colour, stroke_width=width,
        stroke_linejoin="round", stroke_linecap="butt" if dashes else "round", **dashed,
    )  # fmt: skip


def lane_path(places: Sequence[Point], lane: int, width: float = WIRE_MM) -> str:
    return path(places, LANE_STYLES[lane].colour, width, LANE_STYLES[lane].dashes)


def lane_join(a: Point, b: Point, lane: int, width: float, clear: float) -> str:
    """A line from one LED to the next that starts and ends `clear` from their middles.

    Dashes are scaled so that a short line shows whole dashes and ends with a long one.
    """
    far = hypot(b.x - a.x, b.y - a.y)
    if far <= 2 * clear:
        return ""
    start, end = _between(a, b, clear / far), _between(a, b, 1 - clear / far)
    lengths = [float(length) for length in LANE_STYLES[lane].dashes.split()]
    pattern = sum(lengths) + lengths[0] if lengths else 0.0
    part = min(1.0, (far - 2 * clear) / pattern) if pattern else 1.0
    dashes = " ".join(format_number(part * length) for length in lengths)
    return path([start, end], LANE_STYLES[lane].colour, width, dashes)


def _between(a: Point, b: Point, part: float) -> Point:
    return Point(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)


def arrow_head(tip: Point, degrees: float, size: float, colour: str) -> str:
    """A filled triangle with its tip at `tip`; degrees are clockwise from straight up."""
    back = tip.towards(degrees + 180, size)
    sides = [back.towards(degrees + turn, 0.5 * size) for turn in (90, -90)]
    return polygon([tip, *sides], fill=colour)


def box(
    x: float, y: float, width: float, height: float, *, fill: str = SHADE, stroke: str = INK,
    radius: float = 1.5, line: float = 0.35,
) -> str:  # fmt: skip
    return element(
        "rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, stroke=stroke,
        stroke_width=line,
    )  # fmt: skip


def badge(text: str, x: float, y: float, fill: str, width: float, height: float = 4.6) -> str:
    """White text on a dark plate with its middle at (x, y)."""
    return element(
        "rect", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=1, fill=fill
    ) + text_line(text, x, y + 0.24 * height, 0.68 * height, anchor="middle", bold=True, fill=PAPER)


def resistor(x: float, y: float, colour: str, label: str) -> str:
    """A box of 9 x 3 mm on a line that runs along y; x is its left end."""
    return box(x, y - 1.5, 9, 3, fill=PAPER, stroke=colour, radius=0, line=0.45) + text_line(
        label, x + 4.5, y - 2.3, 2.6, anchor="middle"
    )


def fuse(x: float, y: float) -> str:
    """A box of 10 mm with the wire through it; x is its left end."""
    return (
        path([Point(x, y), Point(x + 13, y)], PLUS, 0.7)
        + box(x, y - 1.5, 10, 3, fill=PAPER, stroke=PLUS, radius=0, line=0.45)
        + path([Point(x, y), Point(x + 10, y)], PLUS, 0.4)
    )


def gate(x: float, y: float, colour: str) -> str:
    """A buffer: a triangle of 9 mm that points right; x is its left edge."""
    corners = [Point(x, y - 4), Point(x, y + 4), Point(x + 9, y)]
    return polygon(corners, fill=PAPER, stroke=colour, stroke_width=0.5)


def capacitor(x: float, y: float, label: str) -> str:
    """A vertical capacitor, + at y and - at y + 5."""
    return (
        path([Point(x, y), Point(x, y + 2)], INK, 0.4)
        + path([Point(x - 2, y + 2), Point(x + 2, y + 2)], INK, 0.6)
        + path([Point(x - 2, y + 3), Point(x + 2, y + 3)], INK, 0.6)
        + path([Point(x, y + 3), Point(x, y + 5)], INK, 0.4)
        + text_line(label, x + 2.8, y + 3.4, 2.6)
    )


def push_button(x: float, y: float, way: int) -> str:
    """A switch of 8 mm on a horizontal line, from x to the right (`way` 1) or the left (-1)."""
    a, b = Point(x + way * 2, y), Point(x + way * 6, y)
    return (
        path([Point(x, y), a], INK, 0.45)
        + path([b, Point(x + way * 8, y)], INK, 0.45)
        + path([Point(a.x, y - 1.1), Point(b.x, y - 1.1)], INK, 0.45)
        + path([Point((a.x + b.x) / 2, y - 1.1), Point((a.x + b.x) / 2, y - 2)], INK, 0.45)
        + "".join(dot(each, 0.45, PAPER) for each in (a, b))
    )


def labelled_box(x: float, y: float, way: int, label: str) -> str:
    """A box with a label, in the place of a switch."""
    left = x if way > 0 else x - 8
    return box(left, y - 1.6, 8, 3.2, fill=PAPER, radius=0.6) + text_line(
        label, left + 4, y + 0.85, 2.3, anchor="middle"
    )


def dot(at: Point, radius: float = 0.7, fill: str = GROUND) -> str:
    return element("circle", cx=at.x, cy=at.y, r=radius, fill=fill, stroke=GROUND, stroke_width=0.3)


def page_heading(title: str, subtitle: str, x: float, y: float) -> str:
    return text_line(title, x, y + 5.5, 6.5, bold=True) + text_line(
        subtitle, x, y + 11, 3.4, fill=GREY
    )
