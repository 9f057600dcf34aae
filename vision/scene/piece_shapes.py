"""The shape of each kind of piece: upright prisms on a foot, under a cap.

A new kind needs one entry in `PIECE_SHAPES`; without one it is a plain block. Outlines are in
millimetres around the centre of a piece at orientation 0, clockwise, for a piece 30 mm high.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, pi, sin

from engine.draw import palette
from engine.draw.palette import Paint, SideShape
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
class ShapePart:
    """A prism between two levels of a body: 0 is on the foot, 1 under the cap."""

    outline: Outline
    colour: str
    faces: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0


PieceShape = Callable[[Paint], tuple[ShapePart, ...]]


def piece_prisms(piece: Piece, board: PhysicalBoard, paint: Paint) -> tuple[Prism, ...]:
    """The prisms of a piece from the foot up. Without room for a body it is a flat disc."""
    cap_mm, top = board.cap_mm, board.cap_height_mm
    cap = side_outline(cap_mm, paint.shape)
    low, high = FOOT_HEIGHT_MM, top - CAP_THICKNESS_MM
    if high <= low:
        return (Prism(cap, 0.0, top, WHITE),)
    scale = cap_mm / 34.0
    parts = PIECE_SHAPES.get(piece.kind, _plain)(paint)
    return (
        Prism(side_outline(cap_mm + FOOT_WIDER_MM, paint.shape), 0.0, low, _foot(paint)),
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


def side_outline(width: float, form: SideShape) -> Outline:
    """The outline that identifies the owner: round or cut corners."""
    return (
        rounded_square(width, ROUNDING * width)
        if form is SideShape.ROUND
        else cut_corner_square(width, CUT * width)
    )


def rectangle(left: float, top: float, right: float, bottom: float) -> Outline:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def cut_corner_square(width: float, corner: float) -> Outline:
    """A square with its corners cut off."""
    h, c = width / 2, width / 2 - corner
    return ((-c, -h), (c, -h), (h, -c), (h, c), (c, h), (-c, h), (-h, c), (-h, -c))


def rounded_square(width: float, radius: float, steps: int = 4) -> Outline:
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
    return (
        paint.deep
        if paint.shape is SideShape.ROUND
        else palette.mix_colours(paint.deep, paint.body, 0.35)
    )


def _rotate_half(outline: Outline) -> Outline:
    return tuple((-x, -y) for x, y in outline)


def _plain(paint: Paint) -> tuple[ShapePart, ...]:
    return (ShapePart(rounded_square(28, 6), paint.body),)


_WEDGE: Outline = ((-15, -15), (15, -15), (15, 15))


def _deflector(paint: Paint) -> tuple[ShapePart, ...]:
    """A wedge in the upper right whose long side is a mirror."""
    return (ShapePart(_WEDGE, paint.body, (paint.body, paint.body, palette.SILVER)),)


def _mirror(paint: Paint) -> tuple[ShapePart, ...]:
    return (ShapePart(_rotate_half(_WEDGE), paint.body, (paint.body, paint.body, palette.SILVER)),)


def _switch(paint: Paint) -> tuple[ShapePart, ...]:
    """A slab with a mirror on both sides."""
    slab: Outline = ((-15, -11), (-11, -15), (15, 11), (11, 15))
    return (ShapePart(slab, paint.body, (paint.body, palette.SILVER) * 2),)


def _defender(paint: Paint) -> tuple[ShapePart, ...]:
    """A block behind a bright shield."""
    return (
        ShapePart(rounded_square(21, 5), paint.body),
        ShapePart(rectangle(-16, -16, 16, -12), palette.SILVER, low=0.05, high=0.95),
    )


def _king(paint: Paint) -> tuple[ShapePart, ...]:
    """A column with a golden belt that widens to the top."""
    return (
        ShapePart(disc(12), paint.body, high=0.45),
        ShapePart(disc(13.5), GOLD, low=0.45, high=0.62),
        ShapePart(disc(12), paint.body, low=0.62, high=0.8),
        ShapePart(disc(15), GOLD, low=0.8),
    )


def _gun(paint: Paint) -> ShapePart:
    lens = (paint.beam, palette.SILVER, palette.SILVER, palette.SILVER)
    return ShapePart(rectangle(-5, -18, 5, -4), palette.SILVER, lens, low=0.3, high=0.75)


def _laser(paint: Paint) -> tuple[ShapePart, ...]:
    return (ShapePart(rectangle(-12, -6, 12, 15), paint.body), _gun(paint))


def _shooter(paint: Paint) -> tuple[ShapePart, ...]:
    return (ShapePart(disc(12, y=3), paint.body), _gun(paint))


def _block(paint: Paint) -> tuple[ShapePart, ...]:
    """Three courses of bricks."""
    bright = palette.mix_colours(paint.body, WHITE, 0.2)
    return tuple(
        ShapePart(cut_corner_square(29, 1.5), colour, low=i / 3, high=(i + 1) / 3)
        for i, colour in enumerate((paint.body, bright, paint.body))
    )


def _ship(paint: Paint) -> tuple[ShapePart, ...]:
    hull: Outline = ((0, -17), (9, -4), (9, 12), (-9, 12), (-9, -4))
    nose = (paint.body, palette.SILVER, palette.SILVER, palette.SILVER, paint.body)
    return (ShapePart(hull, palette.SILVER, nose),)


PIECE_SHAPES: Mapping[str, PieceShape] = {
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
