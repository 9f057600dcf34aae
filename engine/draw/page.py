"""Printed pages: SVG whose unit is a millimetre, and the sizes of paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.draw.shapes import Point, element, format_number, text_element

FONT = "helvetica"
INK = "#1a1a1a"
GREY = "#4a4a4a"  # for secondary text
FAINT = "#8a8a8a"


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper in portrait orientation."""

    name: str
    width_mm: float
    height_mm: float
    margin_mm: float = 8.0  # most printers cannot print here

    def landscape(self) -> Paper:
        return Paper(f"{self.name} landscape", self.height_mm, self.width_mm, self.margin_mm)


A4 = Paper("A4", 210.0, 297.0)
LETTER = Paper("Letter", 215.9, 279.4)
PAPERS = {"a4": A4, "letter": LETTER}


@dataclass(frozen=True, slots=True)
class Page:
    """One side of paper. `parts` are SVG elements, the origin is the upper left corner."""

    width_mm: float
    height_mm: float
    parts: Sequence[str]

    def to_svg(self) -> str:
        width, height = format_number(self.width_mm), format_number(self.height_mm)
        return element(
            "svg",
            *self.parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            width=f"{width}mm",
            height=f"{height}mm",
            font_family=FONT,
        )


def make_page(paper: Paper, parts: Sequence[str]) -> Page:
    return Page(paper.width_mm, paper.height_mm, parts)


def text_line(
    what: str, x: float, y: float, size: float, *, anchor: str = "start", bold: bool = False,
    fill: str = INK,
) -> str:  # fmt: skip
    """A line of text with its baseline at y. Capitals are about 0.7 of `size` high."""
    weight = {"font_weight": "bold"} if bold else {}
    at = Point(x, y - 0.35 * size)  # `text_element` centres on a point
    return text_element(to_latin1(what), at, size, fill, text_anchor=anchor, **weight)


def to_latin1(what: str) -> str:
    """The text with `?` for characters outside the standard fonts of PDF."""
    return what.encode("latin-1", "replace").decode("latin-1")
