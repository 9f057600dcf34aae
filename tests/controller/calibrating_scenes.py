"""Pictures of a board for the tests of the walk, good ones and bad ones, each rendered once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from controller.calibrating import Look, looked
from controller.config import load_board
from controller.ports import Pixels
from controller.tabletop import Tabletop, fitted
from vision.scene import (
    SCENARIOS,
    Conditions,
    Reflection,
    Room,
    Scenario,
    Scene,
    Staged,
    nudged,
    placed,
    render,
    stage,
)
from vision.view import Lens, View

SIZE = (1280, 720)
TILT = 10.0


@cache
def table(board: str = "demo-10x8") -> Tabletop:
    return fitted(load_board(board))


def grey(picture: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@cache
def staged(name: str, seed: int = 1) -> Staged:
    """The starting position in one of the named kinds of bad light; `tiny` is far away."""
    chosen = Scenario(fill=0.33) if name == "tiny" else SCENARIOS[name]
    if chosen.tilt_degrees is None:
        chosen = replace(chosen, tilt_degrees=TILT)
    at = table()
    return stage(chosen, at.board, seed, SIZE, at.game.start().pieces, at.game)


@cache
def look_at(name: str, seed: int = 1) -> Look:
    return looked(grey(staged(name, seed).frame), table(), 0.0)


@cache
def picture(
    board: str = "demo-10x8",
    fill: float = 0.75,
    shift_px: float = 0.0,
    towards_degrees: float = 0.0,
    turn_degrees: float = 0.0,
    bend: float = 0.0,
    standing: bool = True,
    lamp_at: str = "",
) -> Pixels:
    """A board seen from where the camera stands; the board moves by the shift in the picture."""
    at = table(board)
    pieces = at.game.start().pieces if standing else {}
    lamps = [at.board.centre_mm(at.board.grid.cell(lamp_at))] if lamp_at else []
    scene = Scene(
        at.board,
        placed(at.board, pieces, at.game.tags),
        room=Room(reflections=tuple(Reflection(x, y, 25, 2) for x, y in lamps)),
        players=at.game.players,
    )
    lens = Lens(distortion=(bend, 0, 0, 0, 0)) if bend else Lens()
    over = View.looking_down(at.board.size_mm, *SIZE, fill, TILT, turn_degrees, lens)
    view = nudged(over, shift_px, towards_degrees)
    return grey(render(scene, view, Conditions(), np.random.default_rng(1)))
