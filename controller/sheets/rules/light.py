"""Beams, hits and arrows in the ink of paper, told apart without colour too.

All is drawn in units of a hundredth of a cell, as `engine.draw` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, degrees, hypot, isclose

from engine.beam import Beam, What
from engine.draw import palette
from engine.draw.palette import Paint, mixed
from engine.draw.shapes import Point, circle, number, points, polygon, star, tag, text

INK = "#1b2230"
WHITE = "#ffffff"
_RAY = 10.0
_CASING = 17.0  # white around a ray, so that it is seen over a dark piece
_FIRE_EDGE = "#8a3200"

Box = tuple[float, float, float, float]  # left, top, right, bottom


def ray_colour(paint: Paint) -> str:
    """The owner's light, dark enough for white paper."""
    return mixed(paint.body, paint.deep, 0.25)


def ray(line: Sequence[Point], colour: str) -> str:
    """A beam along the line: arrows say which way."""
    strokes = "".join(
        tag("polyline", points=points(line), fill="none", stroke=paint, stroke_width=wide,
            stroke_linejoin="round", stroke_linecap="round", **named)
        for paint, wide, named in ((WHITE, _CASING, {}), (colour, _RAY, {"class_": "ray"}))
    )  # fmt: skip
    start, end = line[:2]
    way, length = _bearing(start, end), hypot(end.x - start.x, end.y - start.y)
    return strokes + _head(start.towards(way, min(29.0, 0.72 * length)), way, colour)


def pointed(line: Sequence[Point], colour: str) -> str:
    """A beam that goes on: an arrow at its end too."""
    return ray(line, colour) + _head(line[-1].towards(_bearing(*line[-2:]), 8),
                                     _bearing(*line[-2:]), colour)  # fmt: skip


def _head(tip: Point, way: float, colour: str) -> str:
    corners = (
        tip,
        tip.towards(way + 148, 30),
        tip.towards(way + 180, 21),
        tip.towards(way - 148, 30),
    )
    return polygon(corners, fill=colour, stroke=WHITE, stroke_width=2.5, stroke_linejoin="round")


def _bearing(start: Point, end: Point) -> float:
    """Clockwise from straight up."""
    return degrees(atan2(end.x - start.x, start.y - end.y))


def ending(beam: Beam, line: Sequence[Point], colour: str) -> str:
    """How a beam ends that ends in sight."""
    at = line[-1]
    match beam.end.what:
        case What.ABSORB:
            return _stopped(at, _bearing(*line[-2:]), colour)
        case What.DAMAGE:
            return flash(at)
        case What.CAPTURE:
            return _burst(at)
        case What.ANNIHILATE:
            return _spark(at)
        case _:
            return ""


def _stopped(at: Point, way: float, colour: str) -> str:
    """A bar across the beam."""
    bar = (at.towards(way - 90, 20), at.towards(way + 90, 20))
    return tag(
        "g",
        *(
            tag("polyline", points=points(bar), fill="none", stroke=paint, stroke_width=wide,
                stroke_linecap="round")
            for paint, wide in ((WHITE, 20), (colour, 12))
        ),
        class_="stopped",
    )  # fmt: skip


def flash(at: Point) -> str:
    """Something was hit, or run into, and still stands."""
    outer, inner, white = palette.FIRE
    return tag("g", star(at, 8, 22, 10, fill=outer, stroke=_FIRE_EDGE, stroke_width=2,
                         stroke_linejoin="round"),
               star(at, 8, 13, 6, fill=inner), circle(at, 3, fill=white),
               class_="flash")  # fmt: skip


def _burst(at: Point) -> str:
    outer, inner, white = palette.FIRE
    return tag("g", star(at, 11, 31, 17, fill=outer, stroke=_FIRE_EDGE, stroke_width=2.5,
                         stroke_linejoin="round"),
               star(at, 9, 20, 11, fill=inner), star(at, 7, 11, 6, fill=white),
               class_="burst")  # fmt: skip


def _spark(at: Point) -> str:
    return tag("g", circle(at, 21, fill=WHITE, stroke=INK, stroke_width=3),
               star(at, 4, 20, 5, fill=palette.LAST_MOVE, stroke=INK, stroke_width=2.5,
                    stroke_linejoin="round"),
               class_="spark")  # fmt: skip


def lost(at: Point, hits: int) -> str:
    """A plate with the hit points that are lost."""
    label = f"-{hits}"
    wide = 20.0 + 13 * len(label)
    plate = tag("rect", x=at.x - wide / 2, y=at.y - 17, width=wide, height=34, rx=17,
                fill=WHITE, stroke=_FIRE_EDGE, stroke_width=3)  # fmt: skip
    return tag("g", plate, text(label, at, 25, _FIRE_EDGE, font_weight="bold"), class_="lost")


def arrow(start: Point, end: Point) -> str:
    """Where a piece goes."""
    way = _bearing(start, end)
    neck = end.towards(way + 180, 12)
    shaft = "".join(
        tag("polyline", points=points((start, neck)), fill="none", stroke=paint, stroke_width=wide)
        for paint, wide in ((WHITE, 12), (INK, 7.5))
    )
    tip = (end, end.towards(way + 150, 28), end.towards(way - 150, 28))
    return shaft + polygon(tip, fill=INK, stroke=WHITE, stroke_width=2)


def turning(radius: float, towards: float, sweep: float) -> str:
    """A curved arrow round (0, 0), from the bearing on by so many degrees."""
    middle = Point(0, 0)
    start, end = middle.towards(towards, radius), middle.towards(towards + sweep, radius)
    clockwise = sweep > 0
    arc = f"M{number(start.x)} {number(start.y)}A{radius} {radius} 0 0 {int(clockwise)} " \
          f"{number(end.x)} {number(end.y)}"  # fmt: skip
    way = towards + sweep + (90 if clockwise else -90)
    tip = end.towards(way, 14)
    head = (tip, tip.towards(way + 150, 30), tip.towards(way - 150, 30))
    return tag("path", d=arc, fill="none", stroke=INK, stroke_width=7) + polygon(head, fill=INK)


# -- what of a line is in sight ------------------------------------------------------------------


def within(line: Sequence[Point], box: Box) -> list[Point]:
    """The first stretch of the line that lies in the box."""
    stretch: list[Point] = []
    for start, end in pairwise(line):
        part = _clipped(start, end, box)
        if part is None:
            if stretch:
                break
            continue
        if not stretch:
            stretch.append(part[0])
        elif len(stretch) > 1 and isclose(_bearing(*stretch[-2:]), _bearing(*part), abs_tol=1e-6):
            stretch.pop()  # straight on: arrows want whole legs
        stretch.append(part[1])
        if part[1] != end:
            break
    return stretch


def _clipped(start: Point, end: Point, box: Box) -> tuple[Point, Point] | None:
    """The part of a segment in the box, if it has a length."""
    enters, leaves = 0.0, 1.0
    for at, way, least, most in (
        (start.x, end.x - start.x, box[0], box[2]),
        (start.y, end.y - start.y, box[1], box[3]),
    ):
        if way == 0:
            if not least <= at <= most:
                return None
            continue
        near, far = sorted(((least - at) / way, (most - at) / way))
        enters, leaves = max(enters, near), min(leaves, far)
    if (leaves - enters) * hypot(end.x - start.x, end.y - start.y) <= 1e-6:
        return None
    first = start if enters == 0 else _along(start, end, enters)
    return first, end if leaves == 1 else _along(start, end, leaves)


def _along(start: Point, end: Point, part: float) -> Point:
    return Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
