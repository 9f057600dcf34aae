"""Rendered tables for the reader's tests: a scene, the camera over it, and grey frames."""

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
from vision.observation import Observation, State
from vision.reader import Reader
from vision.scene import Conditions, Scene, Thing, placed, render
from vision.view import View

Grey = npt.NDArray[np.uint8]

DEMO = PhysicalBoard("demo", SquareGrid(10, 8))
PAPER = PhysicalBoard("paper", SquareGrid(10, 8), cap_height_mm=0.0)
LARGE = PhysicalBoard("large", SquareGrid(10, 10))
HEXAGONS = PhysicalBoard("hexagons", HexGrid.hexagon(5))


@dataclass(frozen=True)
class Setting:
    """A table and the camera that looks at it; every change is a new one."""

    scene: Scene
    view: View
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def board(self) -> PhysicalBoard:
        return self.scene.board

    def frame(self, seed: int = 1) -> Grey:
        picture = render(self.scene, self.view, self.conditions, np.random.default_rng(seed))
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)

    def reader(self) -> Reader:
        """One that has found the board here and read it."""
        reader = Reader(self.board, {thing.tag for thing in self.scene.things} | set(range(26)))
        reader.read(self.frame())
        return reader

    def with_things(self, *things: Thing) -> Setting:
        return replace(self, scene=replace(self.scene, things=things))

    def shifted(self, cell: Cell, x_mm: float = 0, y_mm: float = 0, degrees: float = 0) -> Setting:
        """The piece on that cell moved and turned by so much."""
        thing = self.thing(cell)
        others = [each for each in self.scene.things if each is not thing]
        shifted = Thing(
            thing.tag,
            thing.piece,
            thing.x_mm + x_mm,
            thing.y_mm + y_mm,
            thing.angle_degrees + degrees,
        )
        return self.with_things(*others, shifted)

    def moved(self, cell: Cell, target: Cell) -> Setting:
        (x, y), thing = self.board.centre_mm(target), self.thing(cell)
        return self.shifted(cell, x - thing.x_mm, y - thing.y_mm)

    def thing(self, cell: Cell) -> Thing:
        at = self.board.centre_mm(cell)
        return min(
            self.scene.things, key=lambda each: np.hypot(each.x_mm - at[0], each.y_mm - at[1])
        )

    def seen_with(self, **scene: object) -> Setting:
        return replace(self, scene=replace(self.scene, **scene))  # type: ignore[arg-type]


@cache
def start(
    name: str | None = None, board: PhysicalBoard = DEMO, tilt: float = 15.0, turn: float = 2.0
) -> Setting:
    """A game's starting position on a board."""
    game = games.make() if name is None else games.make(name)
    position = game.start()
    return setting(position.pieces, game, board.playing(position.grid), tilt, turn)


def setting(
    pieces: Mapping[Cell, Piece],
    game: AnyGame,
    board: PhysicalBoard,
    tilt: float = 15.0,
    turn: float = 2.0,
) -> Setting:
    scene = Scene(board, placed(board, pieces, game.tags), players=game.players)
    return Setting(scene, View.looking_down(board.size_mm, 1280, 720, 0.72, tilt, turn))


def read_tags(seen: Observation) -> dict[str, tuple[int, int]]:
    """What was read, by the names of the cells: tag and orientation."""
    return {
        seen.grid.name(cell): (each.tag, each.orientation)
        for cell, each in enumerate(seen.sightings)
        if each.state is State.OCCUPIED
    }


def real_tags(setting: Setting) -> dict[str, tuple[int, int]]:
    """What a perfect reader would read."""
    board = setting.board
    centres = board.centres_mm()
    real = {}
    for thing in setting.scene.things:
        cell = int(np.argmin(np.hypot(*(centres - (thing.x_mm, thing.y_mm)).T)))
        real[board.grid.name(cell)] = (thing.tag, _heading(board.grid, thing.angle_degrees))
    return real


def _heading(grid: Grid, angle: float) -> int:
    off = [abs((angle - grid.degrees(h) + 180) % 360 - 180) for h in range(grid.headings)]
    return int(np.argmin(off))
