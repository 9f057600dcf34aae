"""The meaning of each printed tag. Printed sheets depend on it, so it never changes.

Each game defines the tags of its pieces (`Game.tags`), corner tags belong to the board, and
spare tags replace another tag as the board file says. A tag's upper edge points where the piece
points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from engine.game import AnyGame, Piece
from engine.sentences import Sentence
from vision import sentences
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


def pieces_by_tag(game: AnyGame, board: PhysicalBoard) -> Mapping[int, Piece]:
    """The piece of each tag in play, oriented as when the tag points up. Includes spare tags."""
    known = dict(game.tags)
    known.update({spare: known[tag] for spare, tag in board.spares if tag in known})
    return known


def describe_tag(tag: int, game: AnyGame, board: PhysicalBoard) -> Sentence:
    """A tag with its piece, such as `tag 18 (blue deflector)`."""
    if tag in CORNERS:
        return sentences.CORNER_TAG(tag=tag)
    piece = pieces_by_tag(game, board).get(tag)
    if piece is None:
        return sentences.UNUSED_TAG(tag=tag, game=game.title)
    return sentences.PIECE_TAG(tag=tag, player=game.players[piece.owner], piece=piece.kind)
