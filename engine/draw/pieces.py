"""A glyph for every kind of piece, drawn around (0, 0) as it stands at orientation 0.

A new kind is one entry in `GLYPHS`; without one it is drawn as its letter in a disc. `turning`
is turned with the piece, `upright` never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.beam import Beam
from engine.draw import palette
from engine.draw.palette import Form, Tones
from engine.draw.shapes import ORIGIN, Point, circle, number, polygon, tag, text
from engine.game import Piece
from engine.grid import Cell

Drawing = Callable[[Piece, Tones], str]
TURNS_TO_FIRE = frozenset({"ship"})  # kinds whose orientation says nothing: they face their beam


class Glyph(NamedTuple):
    turning: Drawing | None = None
    upright: Drawing | None = None
    based: bool = True  # stands on a base; a prism does not, its open side is the board


def draw(piece: Piece, letter: str, colours: Tones, *, degrees: float, headings: int) -> str:
    """The piece around (0, 0), turned by `degrees` on a board with that many headings."""
    glyph = GLYPHS.get(piece.kind) or Glyph(_notch, _lettered(letter))
    parts = [base(colours, headings)] if glyph.based else []
    if glyph.turning:
        turned = glyph.turning(piece, colours)
        parts.append(tag("g", turned, class_="turning", transform=f"rotate({degrees:g})"))
    if glyph.upright:
        parts.append(glyph.upright(piece, colours))
    return "".join(parts)


def facing(pieces: Mapping[Cell, Piece], beams: Iterable[Beam]) -> dict[Cell, Piece]:
    """The pieces in order of their cells, those that turn to fire turned."""
    fired = {beam.steps[0].cell: beam.steps[0].left for beam in beams}
    turned = {}
    for cell, piece in sorted(pieces.items()):
        heading = fired.get(cell) if piece.kind in TURNS_TO_FIRE else None
        turned[cell] = piece if heading is None else replace(piece, orientation=heading)
    return turned


def base(colours: Tones, headings: int, scale: float = 1) -> str:
    """What the piece stands on: round for one side, with cut corners for the other."""
    shape = _BASES[headings == 4, colours.form]
    parts = (
        tag("path", d=shape, fill=palette.SHADE, fill_opacity=0.5, transform="translate(0 4)"),
        tag("path", d=shape, fill=colours.base, stroke=colours.rim, stroke_width=2.5),
    )
    return "".join(parts) if scale == 1 else tag("g", *parts, transform=f"scale({scale:g})")


_BASES = {
    (True, Form.ROUND): "M-24-42H24A18 18 0 0 1 42-24V24A18 18 0 0 1 24 42H-24"
    "A18 18 0 0 1-42 24V-24A18 18 0 0 1-24-42Z",
    (True, Form.CUT): "M-27-42H27L42-27V27L27 42H-27L-42 27V-27Z",
    (False, Form.ROUND): "M0-31A31 31 0 0 1 0 31A31 31 0 0 1 0-31Z",
    (False, Form.CUT): "M-16.5-28.6H16.5L33 0L16.5 28.6H-16.5L-33 0Z",
}
# The upper right half of a base, for prisms: round or with its corner cut.
_HALVES = {
    Form.ROUND: "M-38-42H20A22 22 0 0 1 42-20V38Z",
    Form.CUT: "M-38-42H22L42-22V38Z",
}


def _mirror_line(width: float) -> str:
    r"""Silver along `\`, edge to edge: where light turns is the middle of the cell."""
    ends = {"x1": -36.0, "y1": -36.0, "x2": 36.0, "y2": 36.0}
    return "".join(
        tag("line", **ends, stroke=colour, stroke_width=wide, stroke_linecap="round")
        for colour, wide in ((palette.SHADE, width + 4), (palette.SILVER, width))
    )


def _deflector(_: Piece, colours: Tones) -> str:
    """A prism: its body fills the upper right, light is thrown back on the lower left."""
    prism = tag("path", d=_HALVES[colours.form], fill=colours.base, stroke=colours.rim,
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
    """The same prism, but at orientation 0 it faces the upper right."""
    return tag("g", _deflector(piece, colours), transform="rotate(180)")


def _switch(_: Piece, colours: Tones) -> str:
    wings = "".join(
        tag("path", d=d, fill=colours.body, stroke=colours.line, stroke_width=2)
        for d in ("M-6-24A26 26 0 0 1 24 6Z", "M6 24A26 26 0 0 1-24-6Z")
    )
    return wings + _mirror_line(9)


def _defender(_: Piece, colours: Tones) -> str:
    """A body that can be hurt behind a shield along the upper edge."""
    body = tag("path", d="M-23-15Q0-23 23-15V10Q23 26 0 34Q-23 26-23 10Z", fill=colours.body,
               stroke=colours.line, stroke_width=2, stroke_linejoin="round")  # fmt: skip
    bar = "M-35-28Q0-40 35-28"
    shield = "".join(
        tag(
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
    stripe = tag("path", d="M-10 2L0-7 10 2M-10 14L0 5 10 14", fill="none", stroke=colours.line,
                 stroke_width=3, stroke_opacity=0.6)  # fmt: skip
    return body + stripe + shield


def _king(_: Piece, colours: Tones) -> str:
    crown = tag("path", d="M-26 19L-30-13-14 1 0-21 14 1 30-13 26 19Z", fill=colours.body,
                stroke=colours.line, stroke_width=2.5, stroke_linejoin="round")  # fmt: skip
    band = tag("rect", x=-27, y=22, width=54, height=9, rx=3, fill=colours.body,
               stroke=colours.line, stroke_width=2)  # fmt: skip
    jewels = "".join(
        circle(Point(x, y), 4.5, fill=palette.LAST_MOVE, stroke=palette.SHADE, stroke_width=1)
        for x, y in ((-30, -15), (0, -23), (30, -15))
    )
    return crown + band + jewels


def _notch(_: Piece, colours: Tones) -> str:
    """Where the front is, on a piece that has no front of its own."""
    return polygon((Point(-7, -34), Point(7, -34), Point(0, -41)), fill=colours.line)


def _laser(_: Piece, colours: Tones) -> str:
    """A gun that points up, the lens glowing."""
    housing = tag("path", d="M-29 33V9L-13-9H13L29 9V33Z", fill=colours.body,
                  stroke=colours.line, stroke_width=2, stroke_linejoin="round")  # fmt: skip
    return housing + _barrel(colours, width=16, foot=-6) + _lens(colours, Point(0, 14), 10)


def _shooter(_: Piece, colours: Tones) -> str:
    """A round turret with a gun that points up."""
    turret = circle(Point(0, 8), 25, fill=colours.body, stroke=colours.line, stroke_width=2)
    return turret + _barrel(colours, width=14, foot=2) + _lens(colours, Point(0, 12), 10)


def _barrel(colours: Tones, *, width: float, foot: float) -> str:
    half = width / 2
    tube = tag("rect", x=-half, y=-30, width=width, height=30 + foot, fill=palette.SILVER,
               stroke=palette.SHADE, stroke_width=2)  # fmt: skip
    tip = polygon((Point(-half - 7, -26), Point(0, -41), Point(half + 7, -26)),
                  fill=palette.SILVER, stroke=palette.SHADE, stroke_width=2,
                  stroke_linejoin="round")  # fmt: skip
    bore = tag("line", x1=0, y1=-26, x2=0, y2=foot - 4, stroke=colours.beam, stroke_width=5)
    return tube + tip + bore


def _lens(colours: Tones, at: Point, radius: float) -> str:
    return circle(at, radius, fill=palette.SHADE) + circle(at, radius - 3, fill=colours.beam)


def _block(piece: Piece, colours: Tones) -> str:
    """A wall of bricks: whole at first, cracked when hit; a dot for every hit point."""
    wall = tag("rect", x=-32, y=-32, width=64, height=64, rx=5, fill=colours.body,
               stroke=colours.line, stroke_width=2.5)  # fmt: skip
    joints = tag("path", d="M-32-11H32M-32 11H32M-11-32V-11M11-32V-11M-20 11V32M2 11V32M22 11V32",
                 fill="none", stroke=colours.line, stroke_width=2, stroke_opacity=0.45)  # fmt: skip
    crack = ""
    if piece.hit_points == 1:
        zigzag = "M-30-24L-16-17-19-7-4-14 6-24 12-30M-30 24L-14 15-6 24 8 14 20 20 30 12"
        crack = "".join(
            tag(
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
    """A rocket, nose up."""
    flame = polygon((Point(-6, 17), Point(0, 29), Point(6, 17)), fill=palette.FIRE[1])
    fins = tag("path", d="M-8 4L-20 21-8 17ZM8 4L20 21 8 17Z", fill=colours.line,
               stroke=palette.SHADE, stroke_width=1.5, stroke_linejoin="round")  # fmt: skip
    hull = tag("path", d="M0-29Q13-14 10 17H-10Q-13-14 0-29Z", fill=palette.SILVER,
               stroke=palette.SHADE, stroke_width=2)  # fmt: skip
    nose = tag("path", d="M0-29Q7-21 9-12H-9Q-7-21 0-29Z", fill=colours.body)
    window = circle(Point(0, -3), 5, fill=colours.beam, stroke=palette.SHADE, stroke_width=2)
    return flame + fins + hull + nose + window


def _health(piece: Piece, _: Tones) -> str:
    """An arc round the ship as long as its hit points, and the number."""
    part = max(0.0, min(1.0, piece.hit_points / FULL_SHIP))
    colour = "#6ee787" if part > 0.5 else "#ffd75e" if part > 0.25 else "#ff7a6e"
    ring = circle(ORIGIN, 36.5, fill="none", stroke=palette.SHADE, stroke_width=6)
    arc = ""
    if part == 1:
        arc = circle(ORIGIN, 36.5, class_="health", fill="none", stroke=colour, stroke_width=4)
    elif part > 0:
        end = ORIGIN.towards(360 * part, 36.5)
        d = f"M0-36.5A36.5 36.5 0 {int(part > 0.5)} 1 {number(end.x)} {number(end.y)}"
        arc = tag("path", d=d, class_="health", fill="none", stroke=colour, stroke_width=4)
    plate = tag("rect", x=-14, y=20, width=28, height=15, rx=7.5, fill=palette.SHADE)
    count = text(
        str(piece.hit_points), Point(0, 27.5), 12, palette.PAPER, font_weight="bold", class_="count"
    )
    return ring + arc + plate + count


def _lettered(letter: str) -> Drawing:
    def draw(_: Piece, colours: Tones) -> str:
        disc = circle(ORIGIN, 27, fill=colours.body, stroke=colours.line, stroke_width=2)
        return disc + text(letter, ORIGIN, 34, palette.PAPER, font_weight="bold")

    return draw


GLYPHS: Mapping[str, Glyph] = {
    "laser": Glyph(_laser),
    "deflector": Glyph(_deflector, based=False),
    "defender": Glyph(_defender),
    "switch": Glyph(_switch),
    "king": Glyph(_notch, _king),
    "shooter": Glyph(_shooter),
    "mirror": Glyph(_mirror, based=False),
    "block": Glyph(upright=_block),
    "ship": Glyph(_ship, _health),
}
