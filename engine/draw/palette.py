"""The colours of the board, the light and the two owners, told apart without colour too.

One side's pieces are bright on a dark, round base; the other's are dark on a bright base with cut
corners. So a grey print and every kind of colour vision show who owns what. A side keeps colour
and shape from game to game: blue is round and red is cut, whoever goes first.
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


class Form(StrEnum):
    """The shape that tells a side without colour: of a drawn base, a printed cap, a body's foot."""

    ROUND = "round"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Paint:
    """One owner's colour from dark to light, and shape; `beam` is the colour of its light."""

    deep: str
    body: str
    bright: str
    light: str
    beam: str
    form: Form


_BY_NAME = {
    "blue": Paint("#0f2c66", "#4a8df8", "#85b5ff", "#d5e6ff", "#4cc3ff", Form.ROUND),
    "red": Paint("#560d17", "#e8464d", "#ff8782", "#ffdedb", "#ff5548", Form.CUT),
}
_OTHERS = (
    Paint("#06403f", "#1fbfae", "#5fe8d8", "#cbfff6", "#3dffe0", Form.ROUND),
    Paint("#5e2a05", "#f6953a", "#ffba75", "#ffe8cc", "#ffa02e", Form.CUT),
)


def paints(players: Sequence[str]) -> tuple[Paint, ...]:
    """Every owner's colours and shape: a side called blue or red has those of its name.

    Any other has what those leave: against red it is round, against blue it is cut.
    """
    named = [_BY_NAME.get(name.lower()) for name in players]
    taken = {paint.form for paint in named if paint}
    left = cycle([paint for paint in _OTHERS if paint.form not in taken] or _OTHERS)
    return tuple(paint or next(left) for paint in named)


@dataclass(frozen=True, slots=True)
class Tones:
    """The colours of one piece: the base it stands on, its body, and the lines on it."""

    base: str
    rim: str
    body: str
    line: str
    beam: str
    form: Form


def tones(paint: Paint) -> Tones:
    if paint.form is Form.ROUND:
        return Tones(paint.deep, paint.light, paint.bright, paint.light, paint.beam, paint.form)
    return Tones(paint.body, paint.deep, paint.deep, paint.light, paint.beam, paint.form)


# -- arithmetic for those who show colours otherwise -------------------------------------------


def rgb(colour: str) -> tuple[int, int, int]:
    """`#ff8000` as (255, 128, 0)."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, part: float) -> str:
    """`colour` with that part of `other` in it."""
    channels = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in channels)
