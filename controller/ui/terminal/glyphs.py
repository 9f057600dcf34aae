"""Characters for drawing boards in a terminal, and their ASCII replacements."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.game import Mark

# Direction characters by orientation. Other kinds of pieces show an arrow.
FACING_SIGNS: Mapping[str, str] = {
    "laser": "▲▶▼◀",
    "shooter": "▲▶▼◀",
    "deflector": "◥◢◣◤",  # the long side is the mirror
    "mirror": "◣◤◥◢",
    "defender": "▀▐▄▌",  # the shield
    "switch": "╲╱╲╱",
    "king": "♚♚♚♚",
    "block": "■■■■",
}
KINDS_WITH_HIT_POINTS = frozenset({"block"})  # hit points are shown on the board
ARROWS = "↑↗→↘↓↙←↖"
CAPTURED, DAMAGED, STOPPED, ANNIHILATED = "✸✶×✕"
EMPTY_CELL_SIGNS: Mapping[Mark | None, str] = {
    None: "·",
    Mark.FIRST_ONLY: "•",
    Mark.SECOND_ONLY: "◦",
    Mark.FIRST_LASER: "+",
    Mark.SECOND_LASER: "+",
    Mark.LAND: "·",
    Mark.VOID: "⋆",
    Mark.MOUNTAIN: "▲",
}
# By the connected sides of the character, in degrees.
BOX_SIGNS = {
    frozenset(arms): sign
    for sign, arms in {
        "│": (0, 180), "─": (90, 270), "└": (0, 90), "┌": (90, 180), "┐": (180, 270),
        "┘": (0, 270), "├": (0, 90, 180), "┬": (90, 180, 270), "┤": (0, 180, 270),
        "┴": (0, 90, 270), "┼": (0, 90, 180, 270), "╵": (0,), "╶": (90,), "╷": (180,),
        "╴": (270,),
    }.items()
}  # fmt: skip
HEXAGON_BEAM_SIGNS = {frozenset({30}): "╱", frozenset({90}): "─", frozenset({150}): "╲",
           frozenset({30, 150}): "╳"}  # fmt: skip
HEAVY_LINES = str.maketrans("│─└┌┐┘├┬┤┴┼╵╶╷╴", "┃━┗┏┓┛┣┳┫┻╋╹╺╻╸")


class CellRole(StrEnum):
    """Why a cell is marked. If a cell has several roles, the first of this list counts."""

    CURSOR = "cursor"
    CHOSEN = "chosen"  # the piece that is to move
    MISMATCH = "wrong"  # the table differs from the position
    TARGET = "target"  # the chosen piece may go there
    AIM = "aim"  # it may fire there
    LAST_TURN = "last"  # changed in the last turn


# Around a cell, without colour.
ROLE_BRACKETS: Mapping[CellRole, str] = {
    CellRole.CURSOR: "[]",
    CellRole.CHOSEN: "()",
    CellRole.MISMATCH: "!!",
    CellRole.TARGET: "<>",
    CellRole.AIM: "::",
    CellRole.LAST_TURN: "''",
}
ROLE_COLOURS: Mapping[CellRole, str] = {
    CellRole.CURSOR: "#b8951f",
    CellRole.CHOSEN: "#8a6d10",
    CellRole.MISMATCH: "#a11f4e",
    CellRole.TARGET: "#1f6b3c",
    CellRole.AIM: "#2b5a8c",
    CellRole.LAST_TURN: "#4a4526",
}
FREE_TARGET = "○"

_ASCII = str.maketrans(
    {
        **dict(zip("▲▶▼◀↑→↓←", "^>v<^>v<", strict=True)),
        **dict(zip("◥◢◣◤", "7JLF", strict=True)),  # letters with ink in the same corner
        **dict(zip("▀▐▄▌", "^>v<", strict=True)),
        **dict(zip("╲╱╳↗↙↘↖✳", "\\/X//\\\\*", strict=True)),
        **dict(zip("♚■✸✶×✕·•◦⋆○", "*#**xX.#o~o", strict=True)),
        **dict.fromkeys("│┃╵╷╹╻", "|"),
        **dict.fromkeys("─━╶╴╺╸", "-"),
        **dict.fromkeys("└┌┐┘├┬┤┴┼┗┏┓┛┣┳┫┻╋", "+"),
        "…": "~",
    }
)


def to_ascii(text: str) -> str:
    """Replace characters by ASCII ones; `?` where there is no replacement."""
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")
