"""The colours of the board, the light and the two owners, told apart without colour too.

The first owner's pieces are bright on a dark, round base; the second's are dark on a bright base
with cut corners. So a grey print and every kind of colour vision show who owns what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Paint:
    """One owner's colour from dark to light; `beam` is the colour of the light it shoots."""

    deep: str
    body: str
    bright: str
    light: str
    beam: str


_BY_NAME = {
    "blue": Paint("#0f2c66", "#4a8df8", "#85b5ff", "#d5e6ff", "#4cc3ff"),
    "red": Paint("#560d17", "#e8464d", "#ff8782", "#ffdedb", "#ff5548"),
}
_BY_NUMBER = (
    Paint("#06403f", "#1fbfae", "#5fe8d8", "#cbfff6", "#3dffe0"),
    Paint("#5e2a05", "#f6953a", "#ffba75", "#ffe8cc", "#ffa02e"),
)


def paints(players: Sequence[str]) -> tuple[Paint, ...]:
    """Every owner's colours: a side that is called blue or red is painted so."""
    return tuple(
        _BY_NAME.get(name.lower(), _BY_NUMBER[number % 2]) for number, name in enumerate(players)
    )


@dataclass(frozen=True, slots=True)
class Tones:
    """The colours of one piece: the base it stands on, its body, and the lines on it."""

    base: str
    rim: str
    body: str
    line: str
    beam: str
    cut: bool  # corners cut off the base


def tones(paint: Paint, owner: int) -> Tones:
    if owner == 0:
        return Tones(paint.deep, paint.light, paint.bright, paint.light, paint.beam, cut=False)
    return Tones(paint.body, paint.deep, paint.deep, paint.light, paint.beam, cut=True)


# -- arithmetic for those who show colours otherwise -------------------------------------------


def rgb(colour: str) -> tuple[int, int, int]:
    """`#ff8000` as (255, 128, 0)."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, part: float) -> str:
    """`colour` with that part of `other` in it."""
    channels = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in channels)
