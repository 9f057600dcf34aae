"""The tag contract: which printed tag is what. Printed sheets depend on it, so it never changes.

Every game says which tags are its pieces (`Game.tags`); corners belong to the board; spares
stand for another tag, as the board file says. A tag's upper edge points where the piece points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from engine.game import AnyGame, Piece
from vision.board import PhysicalBoard

DICTIONARY = cv2.aruco.DICT_5X5_50
BITS = 5
MODULES = BITS + 2  # with the black border, one module wide
CORNERS = (26, 27, 28, 29)  # clockwise from the board's upper left
SPARES = range(34, 50)
TAGS = range(50)


@cache
def dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(DICTIONARY)


@cache
def modules(tag: int) -> npt.NDArray[np.uint8]:
    """A tag as 7 x 7 modules, 1 is white; row 0 is its upper edge."""
    drawn = cv2.aruco.generateImageMarker(dictionary(), tag, MODULES)
    return (drawn > 0).astype(np.uint8)


def pieces(game: AnyGame, board: PhysicalBoard) -> Mapping[int, Piece]:
    """What each tag in play stands for; the orientation is that of a tag pointing up.

    A spare is the piece that it stands for.
    """
    known = dict(game.tags)
    known.update({spare: known[tag] for spare, tag in board.spares if tag in known})
    return known


def described(tag: int, game: AnyGame, board: PhysicalBoard) -> str:
    """A tag in words: `tag 18 (blue deflector)`."""
    if tag in CORNERS:
        return f"corner tag {tag}"
    piece = pieces(game, board).get(tag)
    if piece is None:
        return f"tag {tag} (no piece of {game.title})"
    return f"tag {tag} ({game.players[piece.owner]} {piece.kind})"
