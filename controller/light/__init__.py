"""Turns and pictures as light: what LEDs show, as a function of time.

Each function here takes a layout and says what to show, and gives back an `Animation`: ask it
for any moment. Nothing flashes faster than 3 times a second, and in calm light every 2 seconds.
"""

from controller.light.animation import (
    Animation,
    Canvas,
    Effects,
    added,
    dark,
    dimmed,
    over,
    then,
)
from controller.light.beams import beams_fired, fired, rays
from controller.light.catalogue import (
    Wounded,
    clock_low,
    faced,
    fault,
    hit_points,
    idle,
    legal,
    marked,
    move,
    put_back,
    remove,
    thinking,
    to_be_made,
    turned,
    winner,
    wrong,
)
from controller.light.digits import CannotDraw, number
from controller.light.figures import Figure
from controller.light.moods import Edge, burning, choices, edges, paused, terrain, traces

__all__ = [
    "Animation",
    "CannotDraw",
    "Canvas",
    "Edge",
    "Effects",
    "Figure",
    "Wounded",
    "added",
    "beams_fired",
    "burning",
    "choices",
    "clock_low",
    "dark",
    "dimmed",
    "edges",
    "faced",
    "fault",
    "fired",
    "hit_points",
    "idle",
    "legal",
    "marked",
    "move",
    "number",
    "over",
    "paused",
    "put_back",
    "rays",
    "remove",
    "terrain",
    "then",
    "thinking",
    "to_be_made",
    "traces",
    "turned",
    "winner",
    "wrong",
]
