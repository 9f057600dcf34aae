"""Setting the camera up, step by step: from a picture to scores and one sentence of advice.

    onlooker, walk = Onlooker(table), Walk()
    walk = walk.see(onlooker.look(frame.grey, frame.at_ms))
    walk.verdict.points, walk.verdict.sentence

Nothing here opens a device or knows a clock: pictures come in, with the time of each.
"""

from controller.calibrating.look import Look, Onlooker, looked
from controller.calibrating.verdict import FINE, GOOD, Step, Verdict
from controller.calibrating.walk import Walk

__all__ = ["FINE", "GOOD", "Look", "Onlooker", "Step", "Verdict", "Walk", "looked"]
