"""Images of a board for the calibration tests, good and bad, each rendered once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from controller.builder.calibration import CalibrationFrame, analyze_frame
from controller.config.board_file import load_board
from controller.ports.devices import Pixels
from controller.session.board_fit import FittedBoard, fit_board
from vision.camera_model import CameraModel, Lens
from vision.scene import (
    SCENARIOS,
    BuiltScenario,
    CameraConditions,
    Reflection,
    RoomLight,
    Scenario,
    Scene,
    build_scenario,
    nudge_camera,
    place_pieces,
    render,
)

SIZE = (1280, 720)
TILT = 10.0


@cache
def table(board: str = "demo-10x8") -> FittedBoard:
    return fit_board(load_board(board))


def grey(image: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


@cache
def staged(name: str, seed: int = 1) -> BuiltScenario:
    """The starting position in a named kind of bad light; `tiny` is seen from far away."""
    chosen = Scenario(fill=0.33) if name == "tiny" else SCENARIOS[name]
    if chosen.tilt_degrees is None:
        chosen = replace(chosen, tilt_degrees=TILT)
    at = table()
    return build_scenario(chosen, at.board, seed, SIZE, at.game.start().pieces, at.game)


@cache
def look_at(name: str, seed: int = 1) -> CalibrationFrame:
    return analyze_frame(grey(staged(name, seed).frame), table(), 0.0)


@cache
def image(
    board: str = "demo-10x8",
    fill: float = 0.75,
    shift_px: float = 0.0,
    towards_degrees: float = 0.0,
    turn_degrees: float = 0.0,
    bend: float = 0.0,
    standing: bool = True,
    lamp_at: str = "",
) -> Pixels:
    """A rendered board; `shift_px` moves it in the image."""
    at = table(board)
    pieces = at.game.start().pieces if standing else {}
    lamps = [at.board.centre_mm(at.board.grid.cell(lamp_at))] if lamp_at else []
    scene = Scene(
        at.board,
        place_pieces(at.board, pieces, at.game.tags),
        room=RoomLight(reflections=tuple(Reflection(x, y, 25, 2) for x, y in lamps)),
        players=at.game.players,
    )
    lens = Lens(distortion=(bend, 0, 0, 0, 0)) if bend else Lens()
    over = CameraModel.looking_down(at.board.size_mm, *SIZE, fill, TILT, turn_degrees, lens)
    view = nudge_camera(over, shift_px, towards_degrees)
    return grey(render(scene, view, CameraConditions(), np.random.default_rng(1)))
