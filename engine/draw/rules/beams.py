"""Draws beams, hits and arrows for paper, distinguishable without colour.

Units are hundredths of a cell, as in `engine.draw`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, degrees, hypot, isclose

from engine.beam import Beam, BeamEvent
from engine.draw import palette
from engine.draw.palette import Paint, mix_colours
from engine.draw.shapes import (
    Point,
    circle,
    element,
    format_number,
    points_attribute,
    polygon,
    star,
    text_element,
)

INK = "#1b2230"
WHITE = "#ffffff"
_RAY = 10.0
_CASING = 17.0  # white around a ray, to see it on a dark piece
_FIRE_EDGE = "#8a3200"

BoundingBox = tuple[float, float, float, float]  # left, top, right, bottom


def ray_colour(paint: Paint) -> str:
    """The colour of the owner's beams, dark enough for white paper."""
    return mix_colours(paint.body, paint.deep, 0.25)


def draw_ray(line: Sequence[Point], colour: str) -> str:
    """A beam along the line, with an arrow for its direction."""
    strokes = "".join(
        element(
            "polyline",
            points=points_attribute(line),
            fill="none",
            stroke=paint,
            stroke_width=wide,
            stroke_linejoin="round",
            stroke_linecap="round",
            **named,
        )
        for paint, wide, named in ((WHITE, _CASING, {}), (colour, _RAY, {"class_": "ray"}))
    )
    start, end = line[:2]
    way, length = _bearing(start, end), hypot(end.x - start.x, end.y - start.y)
    return strokes + _arrow_head(start.towards(way, min(29.0, 0.72 * length)), way, colour)


def draw_ray_onward(line: Sequence[Point], colour: str) -> str:
    """A beam that goes on beyond the picture, with an arrow at its end too."""
    way = _bearing(*line[-2:])
    return draw_ray(line, colour) + _arrow_head(line[-1].towards(way, 8), way, colour)


def _arrow_head(tip: Point, way: float, colour: str) -> str:
    corners = (
        tip,
        tip.towards(way + 148, 30),
        tip.towards(way + 180, 21),
        tip.towards(way - 148, 30),
    )
    return polygon(corners, fill=colour, stroke=WHITE, stroke_width=2.5, stroke_linejoin="round")


def _bearing(start: Point, end: Point) -> float:
    """The direction from `start` to `end` in degrees clockwise from straight up."""
    return degrees(atan2(end.x - start.x, start.y - end.y))


def draw_beam_end(beam: Beam, line: Sequence[Point], colour: str) -> str:
    """The mark at the end of a beam that ends inside the picture."""
    at = line[-1]
    match beam.end.event:
        case BeamEvent.ABSORB:
            return _draw_stop_bar(at, _bearing(*line[-2:]), colour)
        case BeamEvent.DAMAGE:
            return draw_flash(at)
        case BeamEvent.CAPTURE:
            return _burst(at)
        case BeamEvent.ANNIHILATE:
            return _spark(at)
        case _:
            return ""


def _draw_stop_bar(at: Point, way: float, colour: str) -> str:
    """A bar across the beam."""
    bar = (at.towards(way - 90, 20), at.towards(way + 90, 20))
    return element(
        "g",
        *(
            element(
                "polyline",
                points=points_attribute(bar),
                fill="none",
                stroke=paint,
                stroke_width=wide,
                stroke_linecap="round",
            )
            for paint, wide in ((WHITE, 20), (colour, 12))
        ),
        class_="stopped",
    )


def draw_flash(at: Point) -> str:
    """A hit or a collision that removes no piece."""
    outer, inner, white = palette.FIRE
    return element("g", star(at, 8, 22, 10, fill=outer, stroke=_FIRE_EDGE, stroke_width=2,
                         stroke_linejoin="round"),
               star(at, 8, 13, 6, fill=inner), circle(at, 3, fill=white),
               class_="flash")  # fmt: skip


def _burst(at: Point) -> str:
    outer, inner, white = palette.FIRE
    return element("g", star(at, 11, 31, 17, fill=outer, stroke=_FIRE_EDGE, stroke_width=2.5,
                         stroke_linejoin="round"),
               star(at, 9, 20, 11, fill=inner), star(at, 7, 11, 6, fill=white),
               class_="burst")  # fmt: skip


def _spark(at: Point) -> str:
    return element("g", circle(at, 21, fill=WHITE, stroke=INK, stroke_width=3),
               star(at, 4, 20, 5, fill=palette.LAST_MOVE, stroke=INK, stroke_width=2.5,
                    stroke_linejoin="round"),
               class_="spark")  # fmt: skip


def draw_lost_hit_points(at: Point, hits: int) -> str:
    """A plate with the number of lost hit points."""
    label = f"-{hits}"
    wide = 20.0 + 13 * len(label)
    plate = element("rect", x=at.x - wide / 2, y=at.y - 17, width=wide, height=34, rx=17,
                fill=WHITE, stroke=_FIRE_EDGE, stroke_width=3)  # fmt: skip
    return element(
        "g", plate, text_element(label, at, 25, _FIRE_EDGE, font_weight="bold"), class_="lost"
    )


def draw_move_arrow(start: Point, end: Point) -> str:
    """The arrow of a move."""
    way = _bearing(start, end)
    neck = end.towards(way + 180, 12)
    shaft = "".join(
        element(
            "polyline",
            points=points_attribute((start, neck)),
            fill="none",
            stroke=paint,
            stroke_width=wide,
        )
        for paint, wide in ((WHITE, 12), (INK, 7.5))
    )
    tip = (end, end.towards(way + 150, 28), end.towards(way - 150, 28))
    return shaft + polygon(tip, fill=INK, stroke=WHITE, stroke_width=2)


def draw_turn_arrow(radius: float, towards: float, sweep: float) -> str:
    """A curved arrow around (0, 0), from the bearing `towards` by `sweep` degrees."""
    middle = Point(0, 0)
    start, end = middle.towards(towards, radius), middle.towards(towards + sweep, radius)
    clockwise = sweep > 0
    arc = (
        f"M{format_number(start.x)} {format_number(start.y)}"
        f"A{radius} {radius} 0 0 {int(clockwise)} {format_number(end.x)} {format_number(end.y)}"
    )
    way = towards + sweep + (90 if clockwise else -90)
    tip = end.towards(way, 14)
    head = (tip, tip.towards(way + 150, 30), tip.towards(way - 150, 30))
    return element("path", d=arc, fill="none", stroke=INK, stroke_width=7) + polygon(head, fill=INK)


# -- clipping ------------------------------------------------------------------------------------


def clip_polyline(line: Sequence[Point], box: BoundingBox) -> list[Point]:
    """The first part of the line inside the box."""
    stretch: list[Point] = []
    for start, end in pairwise(line):
        part = _clip_segment(start, end, box)
        if part is None:
            if stretch:
                break
            continue
        if not stretch:
            stretch.append(part[0])
        elif len(stretch) > 1 and isclose(_bearing(*stretch[-2:]), _bearing(*part), abs_tol=1e-6):
            stretch.pop()  # merge straight legs, for the arrows
        stretch.append(part[1])
        if part[1] != end:
            break
    return stretch


def _clip_segment(start: Point, end: Point, box: BoundingBox) -> tuple[Point, Point] | None:
    """The part of a segment inside the box, or None if it has no length."""
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
