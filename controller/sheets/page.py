"""A page is an SVG picture whose unit is a millimetre: what is 26 long is 26 mm on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.draw.shapes import Point, number, tag, text

FONT = "helvetica"
INK = "#1a1a1a"
GREY = "#4a4a4a"  # what is read, and is not the main thing
FAINT = "#8a8a8a"


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright."""

    name: str
    width_mm: float
    height_mm: float
    margin_mm: float = 8.0  # most printers leave this free

    def landscape(self) -> Paper:
        return Paper(f"{self.name} landscape", self.height_mm, self.width_mm, self.margin_mm)


A4 = Paper("A4", 210.0, 297.0)
LETTER = Paper("Letter", 215.9, 279.4)
PAPERS = {"a4": A4, "letter": LETTER}


@dataclass(frozen=True, slots=True)
class Page:
    """One side of paper; `parts` are SVG elements, the origin is the upper left corner."""

    width_mm: float
    height_mm: float
    parts: Sequence[str]

    def svg(self) -> str:
        width, height = number(self.width_mm), number(self.height_mm)
        return tag(
            "svg",
            *self.parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            width=f"{width}mm",
            height=f"{height}mm",
            font_family=FONT,
        )


def page(paper: Paper, parts: Sequence[str]) -> Page:
    return Page(paper.width_mm, paper.height_mm, parts)


def words(
    what: str, x: float, y: float, size: float, *, anchor: str = "start", bold: bool = False,
    fill: str = INK,
) -> str:  # fmt: skip
    """A line of text that stands on y; its capitals are about 0.7 of `size` high."""
    weight = {"font_weight": "bold"} if bold else {}
    at = Point(x, y - 0.35 * size)  # `text` centres on a point
    return text(printable(what), at, size, fill, text_anchor=anchor, **weight)


def printable(what: str) -> str:
    """Letters that every PDF reader has a font for, `?` for others."""
    return what.encode("latin-1", "replace").decode("latin-1")
