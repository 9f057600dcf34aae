"""Rendered tables for tests of the reader: a scene, a camera, and grey frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from engine import games
from engine.game import AnyGame, Piece
from engine.grid import Cell, Grid, HexGrid, SquareGrid
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel
from vision.observation import CellState, Observation
from vision.reader import Reader
from vision.scene import CameraConditions, Scene, ScenePiece, place_pieces, render

Grey = npt.NDArray[np.uint8]

DEMO = PhysicalBoard("demo", SquareGrid(10, 8))
PAPER = PhysicalBoard("paper", SquareGrid(10, 8), cap_height_mm=0.0)
LARGE = PhysicalBoard("large", SquareGrid(10, 10))
HEXAGONS = PhysicalBoard("hexagons", HexGrid.hexagon(5))


@dataclass(frozen=True)
class RenderedTable:
    """A table and its camera; every change makes a new value."""

    scene: Scene
    view: CameraModel
    conditions: CameraConditions = field(default_factory=CameraConditions)

    @property
    def board(self) -> PhysicalBoard:
        return self.scene.board

    def frame(self, seed: int = 1) -> Grey:
        image = render(self.scene, self.view, self.conditions, np.random.default_rng(seed))
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)

    def reader(self) -> Reader:
        """A reader that has found this board and read it."""
        reader = Reader(self.board, {placed.tag for placed in self.scene.pieces} | set(range(26)))
        reader.read(self.frame())
        return reader

    def with_pieces(self, *pieces: ScenePiece) -> RenderedTable:
        return replace(self, scene=replace(self.scene, pieces=pieces))

    def shifted(
        self, cell: Cell, x_mm: float = 0, y_mm: float = 0, degrees: float = 0
    ) -> RenderedTable:
        """The table with the piece on a cell moved and rotated."""
        placed = self.piece_on(cell)
        others = [each for each in self.scene.pieces if each is not placed]
        shifted = ScenePiece(
            placed.tag,
            placed.piece,
            placed.x_mm + x_mm,
            placed.y_mm + y_mm,
            placed.angle_degrees + degrees,
        )
        return self.with_pieces(*others, shifted)

    def moved(self, cell: Cell, target: Cell) -> RenderedTable:
        (x, y), placed = self.board.centre_mm(target), self.piece_on(cell)
        return self.shifted(cell, x - placed.x_mm, y - placed.y_mm)

    def piece_on(self, cell: Cell) -> ScenePiece:
        at = self.board.centre_mm(cell)
        return min(
            self.scene.pieces, key=lambda each: np.hypot(each.x_mm - at[0], each.y_mm - at[1])
        )

    def seen_with(self, **scene: object) -> RenderedTable:
        return replace(self, scene=replace(self.scene, **scene))  # type: ignore[arg-type]


@cache
def start(
    name: str | None = None, board: PhysicalBoard = DEMO, tilt: float = 15.0, turn: float = 2.0
) -> RenderedTable:
    """The starting position of a game on a board."""
    game = games.make() if name is None else games.make(name)
    position = game.start()
    return setting(position.pieces, game, board.with_grid(position.grid), tilt, turn)


def setting(
    pieces: Mapping[Cell, Piece],
    game: AnyGame,
    board: PhysicalBoard,
    tilt: float = 15.0,
    turn: float = 2.0,
) -> RenderedTable:
    scene = Scene(board, place_pieces(board, pieces, game.tags), players=game.players)
    return RenderedTable(
        scene, CameraModel.looking_down(board.size_mm, 1280, 720, 0.72, tilt, turn)
    )


def read_tags(seen: Observation) -> dict[str, tuple[int, int]]:
    """Tag and orientation that were read, by cell name."""
    return {
        seen.grid.name(cell): (each.tag, each.orientation)
        for cell, each in enumerate(seen.sightings)
        if each.state is CellState.OCCUPIED
    }


def real_tags(setting: RenderedTable) -> dict[str, tuple[int, int]]:
    """Tag and orientation that a perfect reader would read."""
    board = setting.board
    centres = board.centres_mm()
    real = {}
    for placed in setting.scene.pieces:
        cell = int(np.argmin(np.hypot(*(centres - (placed.x_mm, placed.y_mm)).T)))
        real[board.grid.name(cell)] = (placed.tag, _heading(board.grid, placed.angle_degrees))
    return real


def _heading(grid: Grid, angle: float) -> int:
    off = [abs((angle - grid.degrees(h) + 180) % 360 - 180) for h in range(grid.headings)]
    return int(np.argmin(off))
