"""A table as a value: the board, its pieces, LED lights, hands and room light.

Millimetres are those of `vision.board`. Light colours are linear red, green and blue; 1 is the
light of white paper in full room light.
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
from vision import sentences
from vision.board import PhysicalBoard
from vision.scene.prints import PrintedSet

Colour = tuple[float, float, float]
PLAYERS = ("blue", "red")


class NoTagLeft(LaserboardError, ValueError):
    """More pieces of a kind than printed tags."""


@dataclass(frozen=True, slots=True)
class ScenePiece:
    """A tagged piece anywhere: on a cell, crooked, between cells or off the board."""

    tag: int
    piece: Piece  # its orientation when the tag's upper edge points up
    x_mm: float
    y_mm: float
    angle_degrees: float = 0.0  # of the tag's upper edge, clockwise from straight up


@dataclass(frozen=True, slots=True)
class LedLight:
    """An LED under the board; over 1 it is brighter than white paper."""

    x_mm: float
    y_mm: float
    rgb: Colour


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand with its arm over the board."""

    x_mm: float  # between the fingertips
    y_mm: float
    arm_degrees: float  # direction of the arm, clockwise from straight up
    height_mm: float = 65.0
    left: bool = False
    skin: Colour = (0.52, 0.29, 0.19)
    sleeve: Colour = (0.05, 0.08, 0.16)


@dataclass(frozen=True, slots=True)
class Reflection:
    """A room lamp mirrored in a glossy surface, independent of the print."""

    x_mm: float
    y_mm: float
    radius_mm: float
    strength: float  # at its centre; 1 is white paper


@dataclass(frozen=True, slots=True)
class Shadow:
    """A shadow over part of the table, given by its edge."""

    x_mm: float  # a point on the edge
    y_mm: float
    towards_degrees: float  # direction of the dark side
    depth: float  # share of the light that is missing
    softness_mm: float = 12.0


@dataclass(frozen=True, slots=True)
class RoomLight:
    """The light in the room: one lamp and ambient light."""

    lamp_degrees: float = -50.0  # direction of the lamp, clockwise from straight up
    elevation_degrees: float = 55.0
    ambient: float = 0.5  # share of the light that is ambient
    shadows: tuple[Shadow, ...] = ()
    reflections: tuple[Reflection, ...] = ()

    def without_shadows(self) -> RoomLight:
        """The same lamp without shadows and reflections."""
        return replace(self, shadows=(), reflections=())


@dataclass(frozen=True)
class Scene:
    """Everything in front of the camera."""

    board: PhysicalBoard
    pieces: tuple[ScenePiece, ...] = ()
    led_lights: tuple[LedLight, ...] = ()
    hands: tuple[Hand, ...] = ()
    room: RoomLight = RoomLight()
    players: tuple[str, ...] = PLAYERS  # the names select the colours
    prints: PrintedSet | None = None  # a paper board and caps; None: as built


def place_pieces(
    board: PhysicalBoard, pieces: Mapping[Cell, Piece], tags: Mapping[int, Piece]
) -> tuple[ScenePiece, ...]:
    """Pieces at the centres of their cells, each under a printed tag of its kind and owner."""
    free: dict[tuple[str, int], list[tuple[int, Piece]]] = defaultdict(list)
    for tag, meant in sorted(tags.items(), reverse=True):
        free[meant.kind, meant.owner].append((tag, meant))
    standing = []
    for cell, piece in sorted(pieces.items()):
        stack = free[piece.kind, piece.owner]
        if not stack:
            raise NoTagLeft(sentences.NO_TAG_LEFT(piece=piece.kind, player=piece.owner))
        tag, meant = stack.pop()
        heading = (piece.orientation - meant.orientation) % board.grid.headings
        x, y = board.centre_mm(cell)
        standing.append(ScenePiece(tag, meant, x, y, board.grid.degrees(heading)))
    return tuple(standing)


def light_cells(board: PhysicalBoard, cells: Iterable[tuple[Cell, Colour]]) -> tuple[LedLight, ...]:
    """An LED light at the centre of each cell."""
    return tuple(LedLight(*board.centre_mm(cell), rgb) for cell, rgb in cells)


def cell_at(board: PhysicalBoard, x_mm: float, y_mm: float) -> Cell | None:
    """The cell at a point, or None off the board."""
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
