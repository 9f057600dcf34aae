"""Piece codes: pieces of the games on squares as small numbers, for the fast boards.

A code from 1 to 40 is `1 + 20 * owner + 4 * kind + orientation`, with up to five kinds and four
orientations. 0 is an empty square and has no owner.
"""

from __future__ import annotations

CODES = range(1, 41)

OWNER = (-1, *((c - 1) // 20 for c in CODES))
KIND = (-1, *((c - 1) % 20 // 4 for c in CODES))
ORIENTATION = (-1, *((c - 1) % 4 for c in CODES))


def encode_piece(owner: int, kind: int, orientation: int) -> int:
    return 1 + 20 * owner + 4 * kind + orientation


def rotate_piece(piece: int, quarters: int) -> int:
    """The same piece turned clockwise by that many quarters."""
    return piece - ORIENTATION[piece] + (ORIENTATION[piece] + quarters) % 4
