"""Outlines of cells, tags and the board in an image, in pixels, for drawing."""

from __future__ import annotations

import numpy as np

from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Points
from vision.observation import Sighting

HALF_CELL = 0.5  # of a cell
AROUND_MM = 6.0  # beyond the corner tags


def cell_outline(
    board: PhysicalBoard, camera: CameraModel, cell: int, part: float = HALF_CELL
) -> Points:
    """The edge of a cell at cap height; `part` below 0.5 gives a smaller outline inside it."""
    grid, centre = board.grid, np.array(board.centre_mm(cell))
    if grid.headings == 6:
        angles = np.radians([grid.degrees(h) + 30 for h in range(6)])
        reach = 2 * part / np.sqrt(3)
    else:
        angles = np.radians([grid.degrees(h) + 45 for h in range(4)])
        reach = part * np.sqrt(2)
    around = np.stack([np.sin(angles), -np.cos(angles)], axis=1) * reach * board.cell_mm
    return camera.project(centre + around, board.cap_height_mm)


def corner_outlines(board: PhysicalBoard, camera: CameraModel) -> list[Points]:
    """The four corner tags, in the order of `vision.tags.CORNERS`."""
    half = board.corner_mm / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return [camera.project(centre + around) for centre in board.corner_tags_mm()]


def piece_outlines(
    board: PhysicalBoard, camera: CameraModel, cell: int, seen: Sighting
) -> tuple[Points, Points]:
    """The tag of a piece where it was seen, and an arrow tip at its upper edge."""
    turn = np.radians(board.grid.degrees(seen.orientation) + seen.residual_degrees)
    right = np.array([np.cos(turn), np.sin(turn)])
    up = np.array([np.sin(turn), -np.cos(turn)])
    centre = np.array(board.centre_mm(cell)) + seen.offset_mm
    half, cap = board.tag_mm / 2, board.cap_height_mm
    square = [centre + x * half * right + y * half * up
              for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]  # fmt: skip
    tip = [centre + up * half * 1.45, centre + (up * 1.05 - right * 0.3) * half,
           centre + (up * 1.05 + right * 0.3) * half]  # fmt: skip
    return camera.project(square, cap), camera.project(tip, cap)


def board_outline(board: PhysicalBoard, camera: CameraModel) -> Points:
    """Points around the board with its corner tags and the caps at its edge."""
    (width, height), reach = board.size_mm, board.corner_offset_mm + board.corner_mm / 2 + AROUND_MM
    low, tall = (
        [(x, y) for x in (-reach, width + reach) for y in (-reach, height + reach)],
        [(x, y) for x in (0.0, width) for y in (0.0, height)],
    )
    return np.vstack([camera.project(low), camera.project(tall, board.cap_height_mm)])
