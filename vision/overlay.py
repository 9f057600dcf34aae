"""Draws the reader's result over the image it was read from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from engine.draw.palette import player_paints
from engine.game import AnyGame, Piece
from vision.board import PhysicalBoard
from vision.board_lock import BoardLock
from vision.camera_model import CameraModel, Points
from vision.image_outlines import cell_outline, corner_outlines, piece_outlines
from vision.observation import CellState, Observation, Sighting
from vision.tags import CORNERS

Image = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

EMPTY_COLOUR: Colour = (150, 150, 150)
FOUND_COLOUR: Colour = (90, 220, 120)
HIDDEN_COLOUR: Colour = (60, 200, 255)
TEXT: Colour = (255, 255, 255)
BAND: Colour = (28, 22, 16)
INSIDE = 0.47  # of a cell: leaves a gap between the outlines of neighbours
FONT = cv2.FONT_HERSHEY_DUPLEX
LETTER_SIZE = 0.42  # OpenCV font scale in an image 1280 pixels wide
SENTENCE_SCALE = 1.2  # of captions, relative to letters
# of captions, and pixels: captions stay readable in small images
MIN_SCALE, MIN_WIDTH_PX = 0.5, 320


def draw_overlay(
    image: Image,
    board: PhysicalBoard,
    lock: BoardLock | None,
    seen: Observation,
    game: AnyGame,
    meanings: Mapping[int, Piece],
    sentences: Sequence[str],
) -> Image:
    """The image with the state of every cell drawn on it, and `sentences` below."""
    drawn = image.copy()
    scale = image.shape[1] / 1280
    if lock is not None and seen.locked:
        _draw_corners(drawn, board, lock, scale)
        colours = [_bgr(paint.bright) for paint in player_paints(game.players)]
        for cell, sighting in enumerate(seen.sightings):
            outline = cell_outline(board, lock.camera, cell, INSIDE)
            match sighting.state:
                case CellState.EMPTY:
                    _polygon(drawn, outline, EMPTY_COLOUR, scale)
                case CellState.COVERED:
                    _hatch(drawn, outline, scale)
                case CellState.OCCUPIED:
                    piece = meanings.get(sighting.tag)
                    colour = HIDDEN_COLOUR if piece is None else colours[piece.owner]
                    letter = "?" if piece is None else game.letters[piece.kind]
                    _draw_piece(drawn, board, lock.camera, cell, sighting, letter, colour, scale)
    return _add_captions(drawn, sentences, scale)


def _draw_corners(drawn: Image, board: PhysicalBoard, lock: BoardLock, scale: float) -> None:
    for tag, outline in zip(CORNERS, corner_outlines(board, lock.camera), strict=True):
        colour = FOUND_COLOUR if tag in lock.corners else HIDDEN_COLOUR
        _polygon(drawn, outline, colour, 2 * scale)


def _draw_piece(
    drawn: Image,
    board: PhysicalBoard,
    camera: CameraModel,
    cell: int,
    sighting: Sighting,
    letter: str,
    colour: Colour,
    scale: float,
) -> None:
    square, tip = piece_outlines(board, camera, cell, sighting)
    _polygon(drawn, square, colour, 2.5 * scale)
    cv2.fillConvexPoly(drawn, _pixels(tip), colour, cv2.LINE_AA)
    outline = cell_outline(board, camera, cell, INSIDE)
    label = f"{letter} {sighting.confidence:.0%}" if sighting.confidence < 0.95 else letter
    _write(drawn, label, outline[np.argmin(outline.sum(axis=1))] + (2, 12 * scale), colour, scale)


def _hatch(drawn: Image, outline: Points, scale: float) -> None:
    shape = _pixels(outline)
    x, y, width, height = cv2.boundingRect(shape)
    mask = np.zeros(drawn.shape[:2], np.uint8)
    for offset in range(-height, width, max(4, round(9 * scale))):
        ends = (x + offset, y + height), (x + offset + height, y)
        cv2.line(mask, *ends, (255,), max(1, round(1.4 * scale)), cv2.LINE_AA)
    inside = np.zeros(drawn.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, shape, (255,))
    drawn[(mask > 100) & (inside > 0)] = HIDDEN_COLOUR
    _polygon(drawn, outline, HIDDEN_COLOUR, scale)


def _add_captions(drawn: Image, sentences: Sequence[str], scale: float) -> Image:
    if not sentences:
        return drawn
    scale, width = max(scale, MIN_SCALE), max(drawn.shape[1], MIN_WIDTH_PX)
    margin, line = round(12 * scale), round(26 * scale)
    lines = [each for sentence in sentences for each in _wrap(sentence, width - 2 * margin, scale)]
    band = np.full((line * len(lines) + line // 2, width, 3), BAND, np.uint8)
    for number, text in enumerate(lines, start=1):
        _write(
            band, text, np.array([margin, line * number - 6 * scale]), TEXT, SENTENCE_SCALE * scale
        )
    missing = width - drawn.shape[1]
    drawn = np.asarray(
        cv2.copyMakeBorder(drawn, 0, 0, 0, missing, cv2.BORDER_CONSTANT, value=BAND), np.uint8
    )
    return np.asarray(np.vstack([drawn, band]), np.uint8)


def _wrap(sentence: str, width: float, scale: float) -> Iterator[str]:
    """Break a sentence into lines of `width` pixels; a single word may be longer."""
    line = ""
    for word in sentence.split():
        longer = f"{line} {word}" if line else word
        size, thick = LETTER_SIZE * SENTENCE_SCALE * scale, _thick(SENTENCE_SCALE * scale)
        (wide, _), _ = cv2.getTextSize(_plain(longer), FONT, size, thick)
        if line and wide > width:
            yield line
            longer = word
        line = longer
    yield line


def _write(drawn: Image, text: str, at: Points, colour: Colour, scale: float) -> None:
    where = (round(float(at[0])), round(float(at[1])))
    plain = _plain(text)
    thick = _thick(scale)
    x, y = where
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):  # dark edge, readable on any background
        at_edge = (x + dx * thick, y + dy * thick)
        cv2.putText(drawn, plain, at_edge, FONT, LETTER_SIZE * scale, (0, 0, 0), thick, cv2.LINE_AA)
    cv2.putText(drawn, plain, where, FONT, LETTER_SIZE * scale, colour, thick, cv2.LINE_AA)


def _thick(scale: float) -> int:
    return max(1, round(scale))


def _plain(text: str) -> str:
    """The text in ASCII: OpenCV's fonts have no other letters."""
    return text.encode("ascii", "replace").decode()


def _polygon(drawn: Image, points: Points, colour: Colour, thick: float) -> None:
    cv2.polylines(drawn, [_pixels(points)], True, colour, max(1, round(thick)), cv2.LINE_AA)


def _pixels(points: Points) -> npt.NDArray[np.int32]:
    return np.asarray(np.round(points), np.int32).reshape(-1, 1, 2)


def _bgr(colour: str) -> Colour:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return blue, green, red
