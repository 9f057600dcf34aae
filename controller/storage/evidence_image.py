"""Encodes a captured frame as evidence: the board cropped out as JPEG, and its reading as JSON.

Privacy: the crop shows only the board and its corner tags. A frame without a located board gives no
evidence, because it would show the room.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from controller.ports.devices import Pixels
from controller.ports.frames import CapturedFrame
from controller.session.board_fit import FittedBoard
from controller.session.evidence import EvidenceImage, canonical_json
from controller.session.sentence_fields import sentence_fields
from vision.camera_model import CameraModel
from vision.image_outlines import board_outline, cell_outline, corner_outlines, piece_outlines
from vision.observation import CellState, Sighting
from vision.tags import CORNERS

FORMAT = 1
JPEG_QUALITY = 82  # tags stay readable
MIN_SIDE_PX = 16

Outline = list[list[float]]


@dataclass(frozen=True, slots=True)
class EncodedEvidence:
    """The two files of an evidence image, and their hashes."""

    image: EvidenceImage
    jpeg: bytes
    reading: bytes


@dataclass(frozen=True, slots=True)
class _Crop:
    """A rectangle of a frame."""

    left: int
    top: int
    right: int
    bottom: int

    def to_crop(self, points: npt.ArrayLike) -> Outline:
        """Convert points of the frame to the crop, rounded to a tenth of a pixel."""
        moved = np.asarray(points, np.float64).reshape(-1, 2) - (self.left, self.top)
        return [[float(x), float(y)] for x, y in np.round(moved, 1) + 0.0]


def encode_evidence(captured: CapturedFrame, table: FittedBoard) -> EncodedEvidence | None:
    """Encode a frame; None if the board is not located in it."""
    lock = captured.lock
    if lock is None or not captured.observation.locked:
        return None
    frame = captured.frame
    pixels = frame.grey if frame.bgr is None else frame.bgr
    cut = _crop_to_board(table, lock.camera, pixels)
    if cut is None:
        return None
    part = np.ascontiguousarray(pixels[cut.top : cut.bottom, cut.left : cut.right])
    _, encoded = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    jpeg = encoded.tobytes()
    image_hash = sha256(jpeg).hexdigest()
    seen = canonical_json(
        _reading_json(captured, table, lock.camera, cut, lock.corners) | {"picture": image_hash}
    )
    return EncodedEvidence(EvidenceImage(image_hash, sha256(seen).hexdigest()), jpeg, seen)


def _crop_to_board(table: FittedBoard, view: CameraModel, pixels: Pixels) -> _Crop | None:
    high, wide = pixels.shape[:2]
    around = board_outline(table.board, view)
    left, upper = np.floor(around.min(axis=0)).clip(0, (wide, high)).astype(int)
    right, lower = np.ceil(around.max(axis=0)).clip(0, (wide, high)).astype(int)
    if right - left < MIN_SIDE_PX or lower - upper < MIN_SIDE_PX:
        return None
    return _Crop(int(left), int(upper), int(right), int(lower))


def _reading_json(
    captured: CapturedFrame,
    table: FittedBoard,
    view: CameraModel,
    crop: _Crop,
    corners: tuple[int, ...],
) -> dict[str, Any]:
    board, seen = table.board, captured.observation
    name = board.grid.name
    return {
        "format": FORMAT,
        "frame": captured.frame.number,
        "at_ms": captured.frame.at_ms,
        "width": crop.right - crop.left,
        "height": crop.bottom - crop.top,
        "cut_from": [crop.left, crop.top],
        "corners": [
            {"tag": tag, "found": tag in corners, "outline": crop.to_crop(outline)}
            for tag, outline in zip(CORNERS, corner_outlines(board, view), strict=True)
        ],
        "cells": [
            _cell_json(table, view, crop, cell, each) for cell, each in enumerate(seen.sightings)
        ],
        "problems": [
            {
                "trouble": each.kind.value,
                **sentence_fields(each.sentence),
                "cells": [name(cell) for cell in each.cells],
                "tags": list(each.tags),
            }
            for each in seen.problems
        ],
    }


def _cell_json(
    table: FittedBoard, view: CameraModel, crop: _Crop, cell: int, seen: Sighting
) -> dict[str, Any]:
    board, game = table.board, table.game
    cell_json: dict[str, Any] = {
        "cell": board.grid.name(cell),
        "outline": crop.to_crop(cell_outline(board, view, cell)),
        "state": seen.state.value,
        "confidence": round(float(seen.confidence), 3),
    }
    if seen.state is not CellState.OCCUPIED:
        return cell_json
    square, tip = piece_outlines(board, view, cell, seen)
    meant = table.pieces_by_tag.get(seen.tag)
    heading = (0 if meant is None else meant.orientation) + seen.orientation
    return cell_json | {
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
        "mark": crop.to_crop(square),
        "tip": crop.to_crop(tip),
    }
