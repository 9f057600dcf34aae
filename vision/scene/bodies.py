"""What each kind of piece looks like from the side: upright prisms on a foot, under a cap.

A new kind is one entry in `BODIES`; without one it is a plain block. Outlines are millimetres
around the middle of a piece at orientation 0, clockwise, for a piece 30 mm high.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, pi, sin

from engine.draw import palette
from engine.draw.palette import Form, Paint
from engine.game import Piece
from vision.board import PhysicalBoard

Outline = tuple[tuple[float, float], ...]

FOOT_WIDER_MM = 3.0  # than the cap
FOOT_HEIGHT_MM = 4.0
CAP_THICKNESS_MM = 2.2
ROUNDING = 0.17  # of the width
CUT = 0.13
GOLD = "#e0a93a"
WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Prism:
    """An upright block with a convex outline."""

    outline: Outline
    bottom_mm: float
    top_mm: float
    colour: str
    faces: tuple[str, ...] = ()  # the colour of each side face, if they differ


@dataclass(frozen=True, slots=True)
class Part:
    """A prism between two levels of a body: 0 is on the foot, 1 under the cap."""

    outline: Outline
    colour: str
    faces: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0


Body = Callable[[Paint], tuple[Part, ...]]


def prisms(piece: Piece, board: PhysicalBoard, paint: Paint) -> tuple[Prism, ...]:
    """A piece from the foot up; without room for a body it is a flat disc."""
    cap_mm, top = board.cap_mm, board.cap_height_mm
    cap = owned(cap_mm, paint.form)
    low, high = FOOT_HEIGHT_MM, top - CAP_THICKNESS_MM
    if high <= low:
        return (Prism(cap, 0.0, top, WHITE),)
    scale = cap_mm / 34.0
    parts = BODIES.get(piece.kind, _plain)(paint)
    return (
        Prism(owned(cap_mm + FOOT_WIDER_MM, paint.form), 0.0, low, _foot(paint)),
        *(
            Prism(
                tuple((x * scale, y * scale) for x, y in part.outline),
                low + (high - low) * part.low,
                low + (high - low) * part.high,
                part.colour,
                part.faces,
            )
            for part in parts
        ),
        Prism(cap, high, top, WHITE),
    )


def owned(width: float, form: Form) -> Outline:
    """The outline that says whose it is: round corners for one side, cut for the other."""
    return rounded(width, ROUNDING * width) if form is Form.ROUND else cut(width, CUT * width)


def box(left: float, top: float, right: float, bottom: float) -> Outline:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def cut(width: float, corner: float) -> Outline:
    """A square with its corners cut off."""
    h, c = width / 2, width / 2 - corner
    return ((-c, -h), (c, -h), (h, -c), (h, c), (c, h), (-c, h), (-h, c), (-h, -c))


def rounded(width: float, radius: float, steps: int = 4) -> Outline:
    """A square with round corners."""
    c = width / 2 - radius
    middles = ((c, -c), (c, c), (-c, c), (-c, -c))
    return tuple(
        (x + radius * sin(angle), y - radius * cos(angle))
        for quarter, (x, y) in enumerate(middles)
        for i in range(steps + 1)
        for angle in ((quarter + i / steps) * pi / 2,)
    )


def disc(radius: float, y: float = 0.0, sides: int = 14) -> Outline:
    return tuple(
        (radius * sin(2 * pi * i / sides), y - radius * cos(2 * pi * i / sides))
        for i in range(sides)
    )


def _foot(paint: Paint) -> str:
    return paint.deep if paint.form is Form.ROUND else palette.mixed(paint.deep, paint.body, 0.35)


def _turned_round(outline: Outline) -> Outline:
    return tuple((-x, -y) for x, y in outline)


def _plain(paint: Paint) -> tuple[Part, ...]:
    return (Part(rounded(28, 6), paint.body),)


_WEDGE: Outline = ((-15, -15), (15, -15), (15, 15))


def _deflector(paint: Paint) -> tuple[Part, ...]:
    """A wedge in the upper right whose long side is a mirror."""
    return (Part(_WEDGE, paint.body, (paint.body, paint.body, palette.SILVER)),)


def _mirror(paint: Paint) -> tuple[Part, ...]:
    return (Part(_turned_round(_WEDGE), paint.body, (paint.body, paint.body, palette.SILVER)),)


def _switch(paint: Paint) -> tuple[Part, ...]:
    """A slab with a mirror on both sides."""
    slab: Outline = ((-15, -11), (-11, -15), (15, 11), (11, 15))
    return (Part(slab, paint.body, (paint.body, palette.SILVER) * 2),)


def _defender(paint: Paint) -> tuple[Part, ...]:
    """A block behind a bright shield."""
    return (
        Part(rounded(21, 5), paint.body),
        Part(box(-16, -16, 16, -12), palette.SILVER, low=0.05, high=0.95),
    )


def _king(paint: Paint) -> tuple[Part, ...]:
    """A column with a golden belt that widens to the top."""
    return (
        Part(disc(12), paint.body, high=0.45),
        Part(disc(13.5), GOLD, low=0.45, high=0.62),
        Part(disc(12), paint.body, low=0.62, high=0.8),
        Part(disc(15), GOLD, low=0.8),
    )


def _gun(paint: Paint) -> Part:
    lens = (paint.beam, palette.SILVER, palette.SILVER, palette.SILVER)
    return Part(box(-5, -18, 5, -4), palette.SILVER, lens, low=0.3, high=0.75)


def _laser(paint: Paint) -> tuple[Part, ...]:
    return (Part(box(-12, -6, 12, 15), paint.body), _gun(paint))


def _shooter(paint: Paint) -> tuple[Part, ...]:
    return (Part(disc(12, y=3), paint.body), _gun(paint))


def _block(paint: Paint) -> tuple[Part, ...]:
    """Three courses of bricks."""
    bright = palette.mixed(paint.body, WHITE, 0.2)
    return tuple(
        Part(cut(29, 1.5), colour, low=i / 3, high=(i + 1) / 3)
        for i, colour in enumerate((paint.body, bright, paint.body))
    )


def _ship(paint: Paint) -> tuple[Part, ...]:
    hull: Outline = ((0, -17), (9, -4), (9, 12), (-9, 12), (-9, -4))
    nose = (paint.body, palette.SILVER, palette.SILVER, palette.SILVER, paint.body)
    return (Part(hull, palette.SILVER, nose),)


BODIES: Mapping[str, Body] = {
    "laser": _laser,
    "deflector": _deflector,
    "defender": _defender,
    "switch": _switch,
    "king": _king,
    "shooter": _shooter,
    "mirror": _mirror,
    "block": _block,
    "ship": _ship,
}
