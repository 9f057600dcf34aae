"""A table as a value: the board, what stands on it, what shines, and who reaches over it.

Millimetres are those of `vision.board`. Colours of light are linear red, green and blue, where
1 is what white paper in full room light sends into the camera.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import cos, radians, sin

import numpy as np

from engine.errors import LaserboardError
from engine.game import Piece
from engine.grid import Cell, Grid, Heading
from vision.board import PhysicalBoard
from vision.scene.prints import Prints

Colour = tuple[float, float, float]
PLAYERS = ("blue", "red")


class NoTagLeft(LaserboardError, ValueError):
    """More pieces of a kind than there are printed tags."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A tagged piece, wherever it stands: crooked, between cells or off the board."""

    tag: int
    piece: Piece  # as it stands when the tag's upper edge points up
    x_mm: float
    y_mm: float
    angle_degrees: float = 0.0  # of the tag's upper edge, clockwise from straight up


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light under the board; over 1 it outshines white paper."""

    x_mm: float
    y_mm: float
    rgb: Colour


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the board, with the arm that it belongs to."""

    x_mm: float  # between the fingertips
    y_mm: float
    arm_degrees: float  # where the arm leads to, clockwise from straight up
    height_mm: float = 65.0
    left: bool = False
    skin: Colour = (0.52, 0.29, 0.19)
    sleeve: Colour = (0.05, 0.08, 0.16)


@dataclass(frozen=True, slots=True)
class Reflection:
    """A lamp of the room mirrored in what is glossy: light that says nothing of the print."""

    x_mm: float
    y_mm: float
    radius_mm: float
    strength: float  # in the middle, where 1 is white paper


@dataclass(frozen=True, slots=True)
class Shadow:
    """The edge of a shadow that lies over part of the table."""

    x_mm: float  # a point on the edge
    y_mm: float
    towards_degrees: float  # the side that is dark
    depth: float  # part of the light that is missing
    softness_mm: float = 12.0


@dataclass(frozen=True, slots=True)
class Room:
    """The light in the room: one lamp from somewhere, the rest from everywhere."""

    lamp_degrees: float = -50.0  # where the lamp is, clockwise from straight up
    elevation_degrees: float = 55.0
    ambient: float = 0.5  # part of the light that comes from everywhere
    shadows: tuple[Shadow, ...] = ()
    reflections: tuple[Reflection, ...] = ()

    def bare(self) -> Room:
        """The same lamp in a room that throws no shadow and mirrors nothing."""
        return replace(self, shadows=(), reflections=())


@dataclass(frozen=True)
class Scene:
    """Everything there is to see."""

    board: PhysicalBoard
    things: tuple[Thing, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    hands: tuple[Hand, ...] = ()
    room: Room = Room()
    players: tuple[str, ...] = PLAYERS  # their names choose the colours
    prints: Prints | None = None  # the board and the caps of paper; None: as they are built


def placed(
    board: PhysicalBoard, pieces: Mapping[Cell, Piece], tags: Mapping[int, Piece]
) -> tuple[Thing, ...]:
    """Pieces on the middles of their cells, each under a printed tag of its kind and owner."""
    free: dict[tuple[str, int], list[tuple[int, Piece]]] = defaultdict(list)
    for tag, meant in sorted(tags.items(), reverse=True):
        free[meant.kind, meant.owner].append((tag, meant))
    standing = []
    for cell, piece in sorted(pieces.items()):
        stack = free[piece.kind, piece.owner]
        if not stack:
            raise NoTagLeft(f"there is no tag left for another {piece.kind} of {piece.owner}")
        tag, meant = stack.pop()
        heading = (piece.orientation - meant.orientation) % board.grid.headings
        x, y = board.centre_mm(cell)
        standing.append(Thing(tag, meant, x, y, board.grid.degrees(heading)))
    return tuple(standing)


def lit(board: PhysicalBoard, cells: Iterable[tuple[Cell, Colour]]) -> tuple[Lamp, ...]:
    """A lamp in the middle of each of these cells."""
    return tuple(Lamp(*board.centre_mm(cell), rgb) for cell, rgb in cells)


def cell_at(board: PhysicalBoard, x_mm: float, y_mm: float) -> Cell | None:
    """The cell that a point is on, or None off the board."""
    away = np.array((x_mm, y_mm)) - board.centres_mm()
    nearest = int(np.argmin(np.hypot(*away.T)))
    for heading in range(board.grid.headings):
        angle = radians(board.grid.degrees(heading))
        if away[nearest] @ (sin(angle), -cos(angle)) > board.cell_mm / 2:
            return None
    return nearest


def heading_of(grid: Grid, angle_degrees: float) -> Heading:
    """The heading nearest to an angle."""
    off = [abs((angle_degrees - grid.degrees(h) + 180) % 360 - 180) for h in range(grid.headings)]
    return off.index(min(off))
