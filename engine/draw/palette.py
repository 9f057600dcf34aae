"""The colours and base shapes of board, beams and the two sides.

One side's pieces are bright on a dark, round base, the other's dark on a bright base with cut
corners. So the sides differ in a grey print and for every colour vision. Blue is round and red
is cut in every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle

BACKGROUND = "#0c1018"
RIM = "#141a26"
TILES = ("#1e2635", "#242d3f")
INK = "#9aa7bd"
PAPER = "#e8eef8"
LAND = "#27473f"
VOID = "#05060b"
ROCK = "#3b3a40"
SILVER = "#f5fbff"
SHADE = "#05070c"
LAST_MOVE = "#ffd75e"
FIRE = ("#ff7a1a", "#ffc933", "#fffbe6")  # a burst, from the outside in


class SideShape(StrEnum):
    """The shape that marks a side without colour, on drawn bases, printed caps and bodies."""

    ROUND = "round"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of one side from dark to light, of its beams, and its shape."""

    deep: str
    body: str
    bright: str
    light: str
    beam: str
    shape: SideShape


_BY_NAME = {
    "blue": Paint("#0f2c66", "#4a8df8", "#85b5ff", "#d5e6ff", "#4cc3ff", SideShape.ROUND),
    "red": Paint("#560d17", "#e8464d", "#ff8782", "#ffdedb", "#ff5548", SideShape.CUT),
}
_OTHERS = (
    Paint("#06403f", "#1fbfae", "#5fe8d8", "#cbfff6", "#3dffe0", SideShape.ROUND),
    Paint("#5e2a05", "#f6953a", "#ffba75", "#ffe8cc", "#ffa02e", SideShape.CUT),
)


def player_paints(players: Sequence[str]) -> tuple[Paint, ...]:
    """The paint of each player. A side called blue or red has the paint of its name.

    Any other side gets the remaining shape: round against red, cut against blue.
    """
    named = [_BY_NAME.get(name.lower()) for name in players]
    taken = {paint.shape for paint in named if paint}
    left = cycle([paint for paint in _OTHERS if paint.shape not in taken] or _OTHERS)
    return tuple(paint or next(left) for paint in named)


@dataclass(frozen=True, slots=True)
class Tones:
    """The colours of one piece: base, body and lines."""

    base: str
    rim: str
    body: str
    line: str
    beam: str
    shape: SideShape


def piece_tones(paint: Paint) -> Tones:
    if paint.shape is SideShape.ROUND:
        return Tones(paint.deep, paint.light, paint.bright, paint.light, paint.beam, paint.shape)
    return Tones(paint.body, paint.deep, paint.deep, paint.light, paint.beam, paint.shape)


# -- colour arithmetic -------------------------------------------------------------------------


def parse_rgb(colour: str) -> tuple[int, int, int]:
    """`#ff8000` as (255, 128, 0)."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix_colours(colour: str, other: str, part: float) -> str:
    """`colour` mixed with that part of `other`."""
    channels = zip(parse_rgb(colour), parse_rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in channels)
