"""Pieces of the games on squares as small numbers, for boards that must be fast.

A code from 1 to 40 is `1 + 20 * owner + 4 * kind + orientation`, with up to five kinds and four
orientations; 0 is an empty square, and is nobody's.
"""

from __future__ import annotations

CODES = range(1, 41)

OWNER = (-1, *((c - 1) // 20 for c in CODES))
KIND = (-1, *((c - 1) % 20 // 4 for c in CODES))
ORIENTATION = (-1, *((c - 1) % 4 for c in CODES))


def code(owner: int, kind: int, orientation: int) -> int:
    return 1 + 20 * owner + 4 * kind + orientation


def rotated(piece: int, turn: int) -> int:
    """The same piece turned by `turn` quarters clockwise."""
    return piece - ORIENTATION[piece] + (ORIENTATION[piece] + turn) % 4
