"""One printed cap: a tag on white, cut out in its owner's shape, with a name and a front.

The reader needs white around a tag (`QUIET_MODULES`); names and arrows stand outside of that.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from controller.sheets.letters import width
from controller.sheets.marks import modules, number3
from controller.sheets.page import FAINT, INK, words
from engine.draw import palette
from engine.draw.palette import Form, Paint
from engine.draw.shapes import Point, polygon, tag
from vision import tags
from vision.scene.bodies import CUT, ROUNDING, Outline
from vision.templates import PRINT_MODULES

QUIET_MODULES = (PRINT_MODULES - tags.MODULES) / 2
TAB_BASE_MM, TAB_TIP_MM = 13.0, 8.0
LINE_MM = 0.3  # to cut along
NAME_MM = 2.0  # of letters, and those of half the size nobody reads
NAME_ABOVE_MM = 0.4  # from the edge to the foot of the letters
BESIDE_NAME_MM = 1.2  # to the line that is cut along
CAPITAL = 0.74  # of the size of letters
ARROW_MM = 5.0  # wide
GLYPH = 96.0  # a glyph with its shadow is so high
PLAIN_CORNER = 0.05  # of the width of a cap that is nobody's


@dataclass(frozen=True, slots=True)
class Cap:
    """What is cut out: `tab_mm` is how far the front sticks out, to carry the glyph."""

    tag: int
    name: str
    tag_mm: float
    width_mm: float
    tab_mm: float = 0.0
    paint: Paint | None = None  # of its side, none for a cap that is nobody's
    glyph: str = ""  # around (0, 0), 100 wide
    seat: Outline = ()  # where the body's seat wants another shape

    @property
    def height_mm(self) -> float:
        return self.width_mm + self.tab_mm

    @property
    def band_mm(self) -> float:
        """What is free between the quiet zone and the edge."""
        quiet = QUIET_MODULES * self.tag_mm / tags.MODULES
        return (self.width_mm - self.tag_mm) / 2 - quiet


def cap(what: Cap, x: float, y: float) -> str:
    """The cap around (x, y), which is the middle of its tag."""
    half = what.width_mm / 2
    colour = what.paint.body if what.paint else FAINT
    parts = [tag("path", d=outline(what), fill="#ffffff", stroke=colour, stroke_width=LINE_MM)]
    parts.append(_tab(what) if what.tab_mm else _arrow(what, colour))
    parts.append(_tag(what))
    name = what.name.upper()
    fits = _room(what) / width(name, 1, bold=True)
    size = min(NAME_MM, (what.band_mm - NAME_ABOVE_MM) / CAPITAL, fits)
    if size > NAME_MM / 2:
        ink = palette.mixed(colour, INK, 0.45)
        # Capitals have nothing below the line that they stand on.
        parts.append(words(name, 0, half - NAME_ABOVE_MM, size, anchor="middle",
                           bold=True, fill=ink))  # fmt: skip
    return tag("g", *parts, transform=f"translate({number3(x)} {number3(y)})")


def outline(what: Cap) -> str:
    """Where to cut: round corners for one side, cut ones for the other, a tab in front."""
    if what.seat:
        return f"M{'L'.join(f'{number3(x)} {number3(y)}' for x, y in what.seat)}Z"
    half = what.width_mm / 2
    form, corner = _corner(what)
    inner = half - corner
    ends = ((half, -inner), (inner, half), (-half, inner), (-inner, -half))
    starts = ((inner, -half), (half, inner), (-inner, half), (-half, -inner))
    drawn = [f"M{number3(-inner)} {number3(-half)}"]
    if what.tab_mm:
        top = -half - what.tab_mm
        for x, y in ((-TAB_BASE_MM / 2, -half), (-TAB_TIP_MM / 2, top), (TAB_TIP_MM / 2, top),
                     (TAB_BASE_MM / 2, -half)):  # fmt: skip
            drawn.append(f"L{number3(x)} {number3(y)}")
    for (x, y), (to_x, to_y) in zip(starts, ends, strict=True):
        drawn.append(f"L{number3(x)} {number3(y)}")
        arc = f"A{number3(corner)} {number3(corner)} 0 0 1 " if form is not Form.CUT else "L"
        drawn.append(f"{arc}{number3(to_x)} {number3(to_y)}")
    return "".join(drawn) + "Z"


def _corner(what: Cap) -> tuple[Form | None, float]:
    """What its corners are like, and how much of a side each takes."""
    form = what.paint.form if what.paint else None
    part = PLAIN_CORNER if form is None else ROUNDING if form is Form.ROUND else CUT
    return form, part * what.width_mm


def _room(what: Cap) -> float:
    """How wide a name may be at its foot, between the corners."""
    form, corner = _corner(what)
    if what.seat:
        return what.width_mm * (1 - 2 * ROUNDING)
    above = max(0.0, corner - NAME_ABOVE_MM)
    taken = above if form is Form.CUT else corner - sqrt(corner**2 - above**2)
    return what.width_mm - 2 * (taken + BESIDE_NAME_MM)


def _tag(what: Cap) -> str:
    half = what.tag_mm / 2
    return modules(tags.modules(what.tag) == 0, -half, -half, what.tag_mm)


def _tab(what: Cap) -> str:
    """The piece itself, small, on the part that sticks out in front."""
    size = what.tab_mm + max(0.0, what.band_mm) - 2 * LINE_MM
    middle = -what.width_mm / 2 - what.tab_mm + LINE_MM + size / 2
    place = f"translate(0 {number3(middle)}) scale({size / GLYPH:.5f})"
    return tag("g", what.glyph, transform=place)


def _arrow(what: Cap, colour: str) -> str:
    """A tip at the front edge, where there is room for one."""
    height = min(0.3 * ARROW_MM, what.band_mm - LINE_MM)
    if height <= 0:
        return ""
    foot = -what.width_mm / 2 + LINE_MM / 2 + height
    corners = (Point(-ARROW_MM / 2, foot), Point(0, foot - height), Point(ARROW_MM / 2, foot))
    return polygon(corners, fill=palette.mixed(colour, INK, 0.45))
