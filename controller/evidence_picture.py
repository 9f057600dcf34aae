"""A glimpse of the table as it is kept: the board cut out of the picture, and what was read in it.

Nothing of the room but what lies over the board and its corner tags is kept. A picture in which
the board was not found would show the room alone: there is none of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from controller.evidence import Picture, canonical
from controller.ports import Pixels
from controller.sight import Glimpse
from controller.tabletop import Tabletop
from vision.observation import Sighting, State
from vision.outlines import board_outline, cell_outline, corner_outlines, piece_outlines
from vision.tags import CORNERS
from vision.view import View

FORMAT = 1
QUALITY = 82  # of the JPEG: tags can still be read in it
SMALLEST_PX = 16

Outline = list[list[float]]


@dataclass(frozen=True, slots=True)
class Developed:
    """A picture's two files, and what they are called by."""

    picture: Picture
    jpeg: bytes
    seen: bytes


@dataclass(frozen=True, slots=True)
class _Cut:
    """A part of a frame."""

    left: int
    top: int
    right: int
    bottom: int

    def within(self, points: npt.ArrayLike) -> Outline:
        """Points of the frame as points of the part, to a tenth of a pixel."""
        moved = np.asarray(points, np.float64).reshape(-1, 2) - (self.left, self.top)
        return [[float(x), float(y)] for x, y in np.round(moved, 1) + 0.0]


def developed(glimpse: Glimpse, top: Tabletop) -> Developed | None:
    """What to keep of a glimpse; None: the board is not in it."""
    lock = glimpse.lock
    if lock is None or not glimpse.seen.locked:
        return None
    frame = glimpse.frame
    pixels = frame.grey if frame.bgr is None else frame.bgr
    cut = _cut(top, lock.view, pixels)
    if cut is None:
        return None
    part = np.ascontiguousarray(pixels[cut.top : cut.bottom, cut.left : cut.right])
    _, encoded = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    jpeg = encoded.tobytes()
    picture = sha256(jpeg).hexdigest()
    seen = canonical(_seen(glimpse, top, lock.view, cut, lock.corners) | {"picture": picture})
    return Developed(Picture(picture, sha256(seen).hexdigest()), jpeg, seen)


def _cut(top: Tabletop, view: View, pixels: Pixels) -> _Cut | None:
    high, wide = pixels.shape[:2]
    around = board_outline(top.board, view)
    left, upper = np.floor(around.min(axis=0)).clip(0, (wide, high)).astype(int)
    right, lower = np.ceil(around.max(axis=0)).clip(0, (wide, high)).astype(int)
    if right - left < SMALLEST_PX or lower - upper < SMALLEST_PX:
        return None
    return _Cut(int(left), int(upper), int(right), int(lower))


def _seen(
    glimpse: Glimpse, top: Tabletop, view: View, cut: _Cut, corners: tuple[int, ...]
) -> dict[str, Any]:
    board, seen = top.board, glimpse.seen
    name = board.grid.name
    return {
        "format": FORMAT,
        "frame": glimpse.frame.number,
        "at_ms": glimpse.frame.at_ms,
        "width": cut.right - cut.left,
        "height": cut.bottom - cut.top,
        "cut_from": [cut.left, cut.top],
        "corners": [
            {"tag": tag, "found": tag in corners, "outline": cut.within(outline)}
            for tag, outline in zip(CORNERS, corner_outlines(board, view), strict=True)
        ],
        "cells": [_cell(top, view, cut, cell, each) for cell, each in enumerate(seen.sightings)],
        "problems": [
            {
                "trouble": each.trouble.value,
                "sentence": each.sentence,
                "cells": [name(cell) for cell in each.cells],
                "tags": list(each.tags),
            }
            for each in seen.problems
        ],
    }


def _cell(top: Tabletop, view: View, cut: _Cut, cell: int, seen: Sighting) -> dict[str, Any]:
    board, game = top.board, top.game
    told: dict[str, Any] = {
        "cell": board.grid.name(cell),
        "outline": cut.within(cell_outline(board, view, cell)),
        "state": seen.state.value,
        "confidence": round(float(seen.confidence), 3),
    }
    if seen.state is not State.OCCUPIED:
        return told
    square, tip = piece_outlines(board, view, cell, seen)
    meant = top.meanings.get(seen.tag)
    heading = (0 if meant is None else meant.orientation) + seen.orientation
    return told | {
        "tag": seen.tag,
        "piece": None
        if meant is None
        else {
            "kind": meant.kind,
            "owner": game.players[meant.owner],
            "letter": game.letters[meant.kind],
            "degrees": board.grid.degrees(heading % board.grid.headings),
        },
        "crooked_degrees": round(float(seen.residual_degrees), 1) + 0.0,
        "off_mm": [round(float(each), 1) + 0.0 for each in seen.offset_mm],
        "mark": cut.within(square),
        "tip": cut.within(tip),
    }
