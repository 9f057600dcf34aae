"""The signs that boards are drawn with in a terminal, and what stands for them without Unicode."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.game import Mark

# The way a piece faces, by its orientation. Any other kind shows an arrow.
FACES: Mapping[str, str] = {
    "laser": "▲▶▼◀",
    "shooter": "▲▶▼◀",
    "deflector": "◥◢◣◤",  # the body of the prism: its long side is the mirror
    "mirror": "◣◤◥◢",
    "defender": "▀▐▄▌",  # the shield
    "switch": "╲╱╲╱",
    "king": "♚♚♚♚",
    "block": "■■■■",
}
COUNTED = frozenset({"block"})  # kinds that show their hit points beside the sign
ARROWS = "↑↗→↘↓↙←↖"
CAPTURED, DAMAGED, STOPPED, MET = "✸✶×✕"
EMPTY: Mapping[Mark | None, str] = {
    None: "·",
    Mark.FIRST_ONLY: "•",
    Mark.SECOND_ONLY: "◦",
    Mark.FIRST_LASER: "+",
    Mark.SECOND_LASER: "+",
    Mark.LAND: "·",
    Mark.VOID: "⋆",
    Mark.MOUNTAIN: "▲",
}
# By the sides of the character that are joined, in degrees.
BOX = {
    frozenset(arms): sign
    for sign, arms in {
        "│": (0, 180), "─": (90, 270), "└": (0, 90), "┌": (90, 180), "┐": (180, 270),
        "┘": (0, 270), "├": (0, 90, 180), "┬": (90, 180, 270), "┤": (0, 180, 270),
        "┴": (0, 90, 270), "┼": (0, 90, 180, 270), "╵": (0,), "╶": (90,), "╷": (180,),
        "╴": (270,),
    }.items()
}  # fmt: skip
SLANTS = {frozenset({30}): "╱", frozenset({90}): "─", frozenset({150}): "╲",
           frozenset({30, 150}): "╳"}  # fmt: skip
HEAVY = str.maketrans("│─└┌┐┘├┬┤┴┼╵╶╷╴", "┃━┗┏┓┛┣┳┫┻╋╹╺╻╸")


class Spot(StrEnum):
    """What a cell means to whoever plays; where several meet, the first here counts."""

    CURSOR = "cursor"
    CHOSEN = "chosen"  # the piece that is to move
    WRONG = "wrong"  # looks otherwise than it should
    TARGET = "target"  # the chosen piece may go there
    AIM = "aim"  # it may fire there
    LAST = "last"  # changed in the last turn


# Around a cell, for who sees no colours.
AROUND: Mapping[Spot, str] = {
    Spot.CURSOR: "[]",
    Spot.CHOSEN: "()",
    Spot.WRONG: "!!",
    Spot.TARGET: "<>",
    Spot.AIM: "::",
    Spot.LAST: "''",
}
TINTS: Mapping[Spot, str] = {
    Spot.CURSOR: "#b8951f",
    Spot.CHOSEN: "#8a6d10",
    Spot.WRONG: "#a11f4e",
    Spot.TARGET: "#1f6b3c",
    Spot.AIM: "#2b5a8c",
    Spot.LAST: "#4a4526",
}
FREE_TARGET = "○"

_ASCII = str.maketrans(
    {
        **dict(zip("▲▶▼◀↑→↓←", "^>v<^>v<", strict=True)),
        **dict(zip("◥◢◣◤", "7JLF", strict=True)),  # the corner that the body fills
        **dict(zip("▀▐▄▌", "^>v<", strict=True)),
        **dict(zip("╲╱╳↗↙↘↖✳", "\\/X//\\\\*", strict=True)),
        **dict(zip("♚■✸✶×✕·•◦⋆○", "*#**xX.#o~o", strict=True)),
        **dict.fromkeys("│┃╵╷╹╻", "|"),
        **dict.fromkeys("─━╶╴╺╸", "-"),
        **dict.fromkeys("└┌┐┘├┬┤┴┼┗┏┓┛┣┳┫┻╋", "+"),
        "…": "~",
    }
)


def in_ascii(text: str) -> str:
    """The same picture for a terminal that knows no other signs; what has none is a `?`."""
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")
