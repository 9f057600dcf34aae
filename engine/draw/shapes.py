"""SVG elements as text, and the geometry of cells.

A cell is 100 wide, its middle is at `100 * grid.centre(cell)`. No element has an id, a style or
a script, so that several pictures can share a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import cos, pi, radians, sin
from typing import NamedTuple

from engine.grid import Cell, Grid, Heading

CELL = 100.0

# XML allows no other characters, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN = re.compile(r"[\w #.,:;+*/()-]*", re.ASCII)
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class Point(NamedTuple):
    x: float
    y: float

    def towards(self, degrees: float, length: float) -> Point:
        """The point at that distance. Degrees are clockwise from straight up."""
        angle = radians(degrees)
        return Point(self.x + length * sin(angle), self.y - length * cos(angle))


ORIGIN = Point(0, 0)


def escape(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return _NOT_XML.sub("\ufffd", text).translate(_ESCAPES)


def format_number(value: float) -> str:
    """A number with at most two decimals. A cell is 100 wide."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *inside: str, **attributes: str | float) -> str:
    """One element. `inside` is SVG, and `stroke_width=2` becomes `stroke-width="2"`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="'
        f'{escape(value) if isinstance(value, str) else format_number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def text_element(words: str, at: Point, size: float, fill: str, **attributes: str | float) -> str:
    """A line of text, by default centred on `at`."""
    placed = {"text_anchor": "middle", **attributes}
    baseline = at.y + 0.35 * size  # half a capital; not all viewers support dominant-baseline
    return element("text", escape(words), x=at.x, y=baseline, font_size=size, fill=fill, **placed)


def points_attribute(corners: Iterable[Point]) -> str:
    return " ".join(f"{format_number(x)},{format_number(y)}" for x, y in corners)


def polygon(corners: Iterable[Point], **attributes: str | float) -> str:
    return element("polygon", points=points_attribute(corners), **attributes)


def circle(at: Point, radius: float, **attributes: str | float) -> str:
    return element("circle", cx=at.x, cy=at.y, r=radius, **attributes)


def star(at: Point, spikes: int, outer: float, inner: float, **attributes: str | float) -> str:
    step = 180 / spikes
    tips = (at.towards(i * step, inner if i % 2 else outer) for i in range(2 * spikes))
    return polygon(tips, **attributes)


def cell_centre(grid: Grid, cell: Cell) -> Point:
    x, y = grid.centre(cell)
    return Point(CELL * x, CELL * y)


def point_towards(grid: Grid, cell: Cell, heading: Heading, part: float = 0.5) -> Point:
    """The point at `part` of the way from the middle of a cell to the next. 0.5 is the edge."""
    return cell_centre(grid, cell).towards(grid.degrees(heading), CELL * part)


def cell_corners(grid: Grid, inset: float = 0) -> list[Point]:
    """The corners of a cell around (0, 0), `inset` from its edges."""
    half = pi / grid.headings
    radius = (CELL / 2 - inset) / cos(half)
    return [
        ORIGIN.towards(grid.degrees(heading) + half * 180 / pi, radius)
        for heading in range(grid.headings)
    ]


def translate(at: Point) -> str:
    """The transform for something drawn around (0, 0)."""
    return f"translate({format_number(at.x)} {format_number(at.y)})"
