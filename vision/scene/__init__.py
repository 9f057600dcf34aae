"""A simulated camera: renders a table as a frame, together with the truth about it.

    from vision.scene import build_scenario

    built = build_scenario("motion_7", board, seed=1)
    built.frame, built.lock_frame, built.truth

`render` draws any `Scene` for any `CameraModel`; `build_scenario` builds one of `SCENARIOS`.
"""

from vision.scene.camera import CameraConditions
from vision.scene.prints import PrintedSet
from vision.scene.render import render
from vision.scene.scenario_builder import BuiltScenario, build_scenario, nudge_camera
from vision.scene.scenarios import SCENARIOS, Scenario
from vision.scene.table import (
    Hand,
    LedLight,
    Reflection,
    RoomLight,
    Scene,
    ScenePiece,
    Shadow,
    light_cells,
    place_pieces,
)
from vision.scene.truth import SceneTruth, TagTruth, compute_truth

__all__ = [
    "SCENARIOS",
    "BuiltScenario",
    "CameraConditions",
    "Hand",
    "LedLight",
    "PrintedSet",
    "Reflection",
    "RoomLight",
    "Scenario",
    "Scene",
    "ScenePiece",
    "SceneTruth",
    "Shadow",
    "TagTruth",
    "build_scenario",
    "compute_truth",
    "light_cells",
    "nudge_camera",
    "place_pieces",
    "render",
]
