"""A simulated camera: renders a table as a frame, and knows the truth about it.

    from vision.scene import stage

    staged = stage("motion_7", board, seed=1)
    staged.frame, staged.lock_frame, staged.truth

`render` draws any `Scene` for any `vision.view.View`; `stage` makes one of the named `SCENARIOS`.
"""

from vision.scene.camera import Conditions
from vision.scene.picture import render
from vision.scene.prints import Prints
from vision.scene.scenarios import SCENARIOS, Scenario
from vision.scene.staging import Staged, nudged, stage
from vision.scene.table import Hand, Lamp, Reflection, Room, Scene, Shadow, Thing, lit, placed
from vision.scene.truth import TagTruth, Truth, truth

__all__ = [
    "SCENARIOS",
    "Conditions",
    "Hand",
    "Lamp",
    "Prints",
    "Reflection",
    "Room",
    "Scenario",
    "Scene",
    "Shadow",
    "Staged",
    "TagTruth",
    "Thing",
    "Truth",
    "lit",
    "nudged",
    "placed",
    "render",
    "stage",
    "truth",
]
