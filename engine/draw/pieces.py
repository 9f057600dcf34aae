"""The glyphs of all kinds of pieces, drawn around (0, 0) at orientation 0.

To add a kind, add it to `GLYPHS`. Other kinds are drawn as a letter in a disc. The `turning` part
rotates with the piece, the `upright` part does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.beam import Beam
from engine.draw import palette
from engine.draw.palette import SideShape, Tones
from engine.draw.shapes import ORIGIN, Point, circle, element, format_number, polygon, text_element
from engine.game import Piece
from engine.grid import Cell

Drawing = Callable[[Piece, Tones], str]
TURNS_TO_FIRE = frozenset({"ship"})  # kinds without an orientation, which face their beam


class Glyph(NamedTuple):
    turning: Drawing | None = None
    upright: Drawing | None = None
    has_base: bool = True  # prisms have none: the board shows on their open side


def draw_piece(piece: Piece, letter: str, colours: Tones, *, degrees: float, headings: int) -> str:
    """The piece around (0, 0), turned by `degrees`. The base depends on `headings`."""
    glyph = GLYPHS.get(piece.kind) or Glyph(_notch, _letter_drawing(letter))
    parts = [base(colours, headings)] if glyph.has_base else []
    if glyph.turning:
        turned = glyph.turning(piece, colours)
        parts.append(element("g", turned, class_="turning", transform=f"rotate({degrees:g})"))
    if glyph.upright:
        parts.append(glyph.upright(piece, colours))
    return "".join(parts)


def turn_to_fire(pieces: Mapping[Cell, Piece], beams: Iterable[Beam]) -> dict[Cell, Piece]:
    """The pieces sorted by cell, with `TURNS_TO_FIRE` kinds facing their beams."""
    fired = {beam.steps[0].cell: beam.steps[0].left for beam in beams}
    turned = {}
    for cell, piece in sorted(pieces.items()):
        heading = fired.get(cell) if piece.kind in TURNS_TO_FIRE else None
        turned[cell] = piece if heading is None else replace(piece, orientation=heading)
    return turned


def base(colours: Tones, headings: int, scale: float = 1) -> str:
    """The base of a piece: round for one side, with cut corners for the other."""
    shape = _BASES[headings == 4, colours.shape]
    parts = (
        element("path", d=shape, fill=palette.SHADE, fill_opacity=0.5, transform="translate(0 4)"),
        element("path", d=shape, fill=colours.base, stroke=colours.rim, stroke_width=2.5),
    )
    return "".join(parts) if scale == 1 else element("g", *parts, transform=f"scale({scale:g})")


_BASES = {
    (True, SideShape.ROUND): "M-24-42H24A18 18 0 0 1 42-24V24A18 18 0 0 1 24 42H-24"
    "A18 18 0 0 1-42 24V-24A18 18 0 0 1-24-42Z",
    (True, SideShape.CUT): "M-27-42H27L42-27V27L27 42H-27L-42 27V-27Z",
    (False, SideShape.ROUND): "M0-31A31 31 0 0 1 0 31A31 31 0 0 1 0-31Z",
    (False, SideShape.CUT): "M-16.5-28.6H16.5L33 0L16.5 28.6H-16.5L-33 0Z",
}
# The upper right half of a base, for prisms.
_HALVES = {
    SideShape.ROUND: "M-38-42H20A22 22 0 0 1 42-20V38Z",
    SideShape.CUT: "M-38-42H22L42-22V38Z",
}


def _mirror_line(width: float) -> str:
    r"""A silver line along `\` through the middle of the cell, where beams turn."""
    ends = {"x1": -36.0, "y1": -36.0, "x2": 36.0, "y2": 36.0}
    return "".join(
        element("line", **ends, stroke=colour, stroke_width=wide, stroke_linecap="round")
        for colour, wide in ((palette.SHADE, width + 4), (palette.SILVER, width))
    )


def _deflector(_: Piece, colours: Tones) -> str:
    """A prism with its body in the upper right. Its lower left side reflects."""
    prism = element("path", d=_HALVES[colours.shape], fill=colours.base, stroke=colours.rim,
                stroke_width=2.5, stroke_linejoin="round")  # fmt: skip
    body = polygon(
        (Point(-12, -33), Point(20, -33), Point(33, -20), Point(33, 12)),
        class_="prism",
        fill=colours.body,
        stroke=colours.line,
        stroke_width=2,
        stroke_linejoin="round",
    )
    return prism + body + _mirror_line(8)


def _mirror(piece: Piece, colours: Tones) -> str:
    """The same prism, facing the upper right at orientation 0."""
    return element("g", _deflector(piece, colours), transform="rotate(180)")


def _switch(_: Piece, colours: Tones) -> str:
    wings = "".join(
        element("path", d=d, fill=colours.body, stroke=colours.line, stroke_width=2)
        for d in ("M-6-24A26 26 0 0 1 24 6Z", "M6 24A26 26 0 0 1-24-6Z")
    )
    return wings + _mirror_line(9)


def _defender(_: Piece, colours: Tones) -> str:
    """A body behind a shield along the upper edge."""
    body = element("path", d="M-23-15Q0-23 23-15V10Q23 26 0 34Q-23 26-23 10Z", fill=colours.body,
               stroke=colours.line, stroke_width=2, stroke_linejoin="round")  # fmt: skip
    bar = "M-35-28Q0-40 35-28"
    shield = "".join(
        element(
            "path",
            d=bar,
            class_="shield",
            fill="none",
            stroke=colour,
            stroke_width=width,
            stroke_linecap="round",
            stroke_linejoin="round",
        )
        for colour, width in ((palette.SHADE, 15), (palette.SILVER, 10))
    )
    stripe = element("path", d="M-10 2L0-7 10 2M-10 14L0 5 10 14", fill="none", stroke=colours.line,
                 stroke_width=3, stroke_opacity=0.6)  # fmt: skip
    return body + stripe + shield


def _king(_: Piece, colours: Tones) -> str:
    crown = element("path", d="M-26 19L-30-13-14 1 0-21 14 1 30-13 26 19Z", fill=colours.body,
                stroke=colours.line, stroke_width=2.5, stroke_linejoin="round")  # fmt: skip
    band = element("rect", x=-27, y=22, width=54, height=9, rx=3, fill=colours.body,
               stroke=colours.line, stroke_width=2)  # fmt: skip
    jewels = "".join(
        circle(Point(x, y), 4.5, fill=palette.LAST_MOVE, stroke=palette.SHADE, stroke_width=1)
        for x, y in ((-30, -15), (0, -23), (30, -15))
    )
    return crown + band + jewels


def _notch(_: Piece, colours: Tones) -> str:
    """A mark at the front of a piece whose glyph shows none."""
    return polygon((Point(-7, -34), Point(7, -34), Point(0, -41)), fill=colours.line)


def _laser(_: Piece, colours: Tones) -> str:
    """A gun that points up, with a glowing lens."""
    housing = element("path", d="M-29 33V9L-13-9H13L29 9V33Z", fill=colours.body,
                  stroke=colours.line, stroke_width=2, stroke_linejoin="round")  # fmt: skip
    return housing + _barrel(colours, width=16, foot=-6) + _lens(colours, Point(0, 14), 10)


def _shooter(_: Piece, colours: Tones) -> str:
    """A round turret with a gun that points up."""
    turret = circle(Point(0, 8), 25, fill=colours.body, stroke=colours.line, stroke_width=2)
    return turret + _barrel(colours, width=14, foot=2) + _lens(colours, Point(0, 12), 10)


def _barrel(colours: Tones, *, width: float, foot: float) -> str:
    half = width / 2
    tube = element("rect", x=-half, y=-30, width=width, height=30 + foot, fill=palette.SILVER,
               stroke=palette.SHADE, stroke_width=2)  # fmt: skip
    tip = polygon((Point(-half - 7, -26), Point(0, -41), Point(half + 7, -26)),
                  fill=palette.SILVER, stroke=palette.SHADE, stroke_width=2,
                  stroke_linejoin="round")  # fmt: skip
    bore = element("line", x1=0, y1=-26, x2=0, y2=foot - 4, stroke=colours.beam, stroke_width=5)
    return tube + tip + bore


def _lens(colours: Tones, at: Point, radius: float) -> str:
    return circle(at, radius, fill=palette.SHADE) + circle(at, radius - 3, fill=colours.beam)


def _block(piece: Piece, colours: Tones) -> str:
    """A brick wall, cracked after a hit, with a dot for each hit point."""
    wall = element("rect", x=-32, y=-32, width=64, height=64, rx=5, fill=colours.body,
               stroke=colours.line, stroke_width=2.5)  # fmt: skip
    joints = element(
        "path",
        d="M-32-11H32M-32 11H32M-11-32V-11M11-32V-11M-20 11V32M2 11V32M22 11V32",
        fill="none",
        stroke=colours.line,
        stroke_width=2,
        stroke_opacity=0.45,
    )
    crack = ""
    if piece.hit_points == 1:
        zigzag = "M-30-24L-16-17-19-7-4-14 6-24 12-30M-30 24L-14 15-6 24 8 14 20 20 30 12"
        crack = "".join(
            element(
                "path",
                d=zigzag,
                fill="none",
                stroke=colour,
                stroke_width=width,
                stroke_linejoin="round",
            )
            for colour, width in ((palette.SHADE, 6), (palette.PAPER, 1.5))
        )
    first = -11.0 * (piece.hit_points - 1)
    pips = "".join(
        circle(
            Point(first + 22 * i, 0),
            7.5,
            class_="pip",
            fill=palette.SILVER,
            stroke=palette.SHADE,
            stroke_width=2.5,
        )
        for i in range(piece.hit_points)
    )
    return wall + joints + crack + pips


FULL_SHIP = 100


def _ship(_: Piece, colours: Tones) -> str:
    """A rocket that points up."""
    flame = polygon((Point(-6, 17), Point(0, 29), Point(6, 17)), fill=palette.FIRE[1])
    fins = element("path", d="M-8 4L-20 21-8 17ZM8 4L20 21 8 17Z", fill=colours.line,
               stroke=palette.SHADE, stroke_width=1.5, stroke_linejoin="round")  # fmt: skip
    hull = element("path", d="M0-29Q13-14 10 17H-10Q-13-14 0-29Z", fill=palette.SILVER,
               stroke=palette.SHADE, stroke_width=2)  # fmt: skip
    nose = element("path", d="M0-29Q7-21 9-12H-9Q-7-21 0-29Z", fill=colours.body)
    window = circle(Point(0, -3), 5, fill=colours.beam, stroke=palette.SHADE, stroke_width=2)
    return flame + fins + hull + nose + window


def _health(piece: Piece, _: Tones) -> str:
    """An arc around the ship whose length shows the hit points, and their number."""
    part = max(0.0, min(1.0, piece.hit_points / FULL_SHIP))
    colour = "#6ee787" if part > 0.5 else "#ffd75e" if part > 0.25 else "#ff7a6e"
    ring = circle(ORIGIN, 36.5, fill="none", stroke=palette.SHADE, stroke_width=6)
    arc = ""
    if part == 1:
        arc = circle(ORIGIN, 36.5, class_="health", fill="none", stroke=colour, stroke_width=4)
    elif part > 0:
        end = ORIGIN.towards(360 * part, 36.5)
        d = f"M0-36.5A36.5 36.5 0 {int(part > 0.5)} 1 {format_number(end.x)} {format_number(end.y)}"
        arc = element("path", d=d, class_="health", fill="none", stroke=colour, stroke_width=4)
    plate = element("rect", x=-14, y=20, width=28, height=15, rx=7.5, fill=palette.SHADE)
    count = text_element(
        str(piece.hit_points), Point(0, 27.5), 12, palette.PAPER, font_weight="bold", class_="count"
    )
    return ring + arc + plate + count


def _letter_drawing(letter: str) -> Drawing:
    def draw(_: Piece, colours: Tones) -> str:
        disc = circle(ORIGIN, 27, fill=colours.body, stroke=colours.line, stroke_width=2)
        return disc + text_element(letter, ORIGIN, 34, palette.PAPER, font_weight="bold")

    return draw


GLYPHS: Mapping[str, Glyph] = {
    "laser": Glyph(_laser),
    "deflector": Glyph(_deflector, has_base=False),
    "defender": Glyph(_defender),
    "switch": Glyph(_switch),
    "king": Glyph(_notch, _king),
    "shooter": Glyph(_shooter),
    "mirror": Glyph(_mirror, has_base=False),
    "block": Glyph(upright=_block),
    "ship": Glyph(_ship, _health),
}
