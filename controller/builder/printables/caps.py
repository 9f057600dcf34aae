"""Draws one printed cap: tag, name, front mark and the outline of its owner's shape.

The reader needs white around a tag (`QUIET_MODULES`); names and arrows are outside of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from controller.builder.printables.marks import draw_modules, format_mm
from engine.draw import palette
from engine.draw.font_metrics import text_width
from engine.draw.page import FAINT, INK, text_line
from engine.draw.palette import Paint, SideShape
from engine.draw.shapes import Point, element, polygon
from vision import tags
from vision.scene.piece_shapes import CUT, ROUNDING, Outline
from vision.templates import PRINT_MODULES

QUIET_MODULES = (PRINT_MODULES - tags.MODULES) / 2
TAB_BASE_MM, TAB_TIP_MM = 13.0, 8.0
LINE_MM = 0.3  # width of the cutting line
NAME_MM = 2.0  # letter size; letters of half this size are left out
NAME_ABOVE_MM = 0.4  # from the edge to the baseline
BESIDE_NAME_MM = 1.2  # from the name to the cutting line
CAPITAL = 0.74  # height of a capital, as a share of the letter size
ARROW_MM = 5.0  # width
GLYPH = 96.0  # height of a glyph with its shadow
PLAIN_CORNER = 0.05  # corner of a cap without an owner, as a share of its width


@dataclass(frozen=True, slots=True)
class PrintedCap:
    """A cap to cut out; `tab_mm` is the length of the tab in front, which shows the glyph."""

    tag: int
    name: str
    tag_mm: float
    width_mm: float
    tab_mm: float = 0.0
    paint: Paint | None = None  # of its owner; None: corner tags and spares
    glyph: str = ""  # around (0, 0), 100 wide
    seat_outline: Outline = ()  # outline of the body's seat if that is not a square

    @property
    def height_mm(self) -> float:
        return self.width_mm + self.tab_mm

    @property
    def free_border_mm(self) -> float:
        """Width between the quiet zone and the edge."""
        quiet = QUIET_MODULES * self.tag_mm / tags.MODULES
        return (self.width_mm - self.tag_mm) / 2 - quiet


def draw_cap(cap: PrintedCap, x: float, y: float) -> str:
    """The cap with the middle of its tag at (x, y)."""
    half = cap.width_mm / 2
    colour = cap.paint.body if cap.paint else FAINT
    parts = [
        element("path", d=cut_outline(cap), fill="#ffffff", stroke=colour, stroke_width=LINE_MM)
    ]
    parts.append(_draw_tab(cap) if cap.tab_mm else _draw_arrow(cap, colour))
    parts.append(_draw_tag(cap))
    name = cap.name.upper()
    fits = _name_width_mm(cap) / text_width(name, 1, bold=True)
    size = min(NAME_MM, (cap.free_border_mm - NAME_ABOVE_MM) / CAPITAL, fits)
    if size > NAME_MM / 2:
        ink = palette.mix_colours(colour, INK, 0.45)
        # Capitals have no descenders.
        parts.append(text_line(name, 0, half - NAME_ABOVE_MM, size, anchor="middle",
                           bold=True, fill=ink))  # fmt: skip
    return element("g", *parts, transform=f"translate({format_mm(x)} {format_mm(y)})")


def cut_outline(cap: PrintedCap) -> str:
    """The cutting line: round or cut corners, and a tab in front."""
    if cap.seat_outline:
        return f"M{'L'.join(f'{format_mm(x)} {format_mm(y)}' for x, y in cap.seat_outline)}Z"
    half = cap.width_mm / 2
    form, corner = _corner_shape(cap)
    inner = half - corner
    ends = ((half, -inner), (inner, half), (-half, inner), (-inner, -half))
    starts = ((inner, -half), (half, inner), (-inner, half), (-half, -inner))
    drawn = [f"M{format_mm(-inner)} {format_mm(-half)}"]
    if cap.tab_mm:
        top = -half - cap.tab_mm
        for x, y in ((-TAB_BASE_MM / 2, -half), (-TAB_TIP_MM / 2, top), (TAB_TIP_MM / 2, top),
                     (TAB_BASE_MM / 2, -half)):  # fmt: skip
            drawn.append(f"L{format_mm(x)} {format_mm(y)}")
    for (x, y), (to_x, to_y) in zip(starts, ends, strict=True):
        drawn.append(f"L{format_mm(x)} {format_mm(y)}")
        arc = (
            f"A{format_mm(corner)} {format_mm(corner)} 0 0 1 " if form is not SideShape.CUT else "L"
        )
        drawn.append(f"{arc}{format_mm(to_x)} {format_mm(to_y)}")
    return "".join(drawn) + "Z"


def _corner_shape(cap: PrintedCap) -> tuple[SideShape | None, float]:
    """Shape and size of the corners."""
    form = cap.paint.shape if cap.paint else None
    part = PLAIN_CORNER if form is None else ROUNDING if form is SideShape.ROUND else CUT
    return form, part * cap.width_mm


def _name_width_mm(cap: PrintedCap) -> float:
    """The maximum width of a name at its baseline, between the corners."""
    form, corner = _corner_shape(cap)
    if cap.seat_outline:
        return cap.width_mm * (1 - 2 * ROUNDING)
    above = max(0.0, corner - NAME_ABOVE_MM)
    taken = above if form is SideShape.CUT else corner - sqrt(corner**2 - above**2)
    return cap.width_mm - 2 * (taken + BESIDE_NAME_MM)


def _draw_tag(cap: PrintedCap) -> str:
    half = cap.tag_mm / 2
    return draw_modules(tags.modules(cap.tag) == 0, -half, -half, cap.tag_mm)


def _draw_tab(cap: PrintedCap) -> str:
    """The glyph of the piece on the tab."""
    size = cap.tab_mm + max(0.0, cap.free_border_mm) - 2 * LINE_MM
    middle = -cap.width_mm / 2 - cap.tab_mm + LINE_MM + size / 2
    place = f"translate(0 {format_mm(middle)}) scale({size / GLYPH:.5f})"
    return element("g", cap.glyph, transform=place)


def _draw_arrow(cap: PrintedCap, colour: str) -> str:
    """An arrow at the front edge, if there is room."""
    height = min(0.3 * ARROW_MM, cap.free_border_mm - LINE_MM)
    if height <= 0:
        return ""
    foot = -cap.width_mm / 2 + LINE_MM / 2 + height
    corners = (Point(-ARROW_MM / 2, foot), Point(0, foot - height), Point(ARROW_MM / 2, foot))
    return polygon(corners, fill=palette.mix_colours(colour, INK, 0.45))
