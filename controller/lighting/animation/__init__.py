"""Animations of turns and messages on LEDs.

Each function takes a layout and returns an `Animation`, which gives the canvas for any time.
Nothing flashes faster than 3 times a second, with `LightEffects.CALM` every 2 seconds.
"""

from controller.lighting.animation.beams import animate_beams, animate_still_beams, animate_turn
from controller.lighting.animation.board_patterns import (
    EdgeState,
    animate_choices,
    animate_clock_countdown,
    animate_last_turn,
    animate_pause,
    animate_player_edges,
    animate_terrain,
)
from controller.lighting.animation.cell_patterns import CellPattern
from controller.lighting.animation.digits import CannotDraw, animate_digits
from controller.lighting.animation.signals import (
    DamagedPiece,
    animate_differences,
    animate_heading,
    animate_hit_points,
    animate_idle,
    animate_legal_targets,
    animate_low_clock,
    animate_move,
    animate_patterns,
    animate_put_back,
    animate_removals,
    animate_rotation,
    animate_thinking,
    animate_turn_to_make,
    animate_winner,
    pattern_for_difference,
)
from controller.lighting.animation.timeline import (
    Animation,
    Canvas,
    LightEffects,
    concatenate,
    dark_animation,
    dim,
    mix,
    overlay,
)

__all__ = [
    "Animation",
    "CannotDraw",
    "Canvas",
    "CellPattern",
    "DamagedPiece",
    "EdgeState",
    "LightEffects",
    "animate_beams",
    "animate_choices",
    "animate_clock_countdown",
    "animate_differences",
    "animate_digits",
    "animate_heading",
    "animate_hit_points",
    "animate_idle",
    "animate_last_turn",
    "animate_legal_targets",
    "animate_low_clock",
    "animate_move",
    "animate_patterns",
    "animate_pause",
    "animate_player_edges",
    "animate_put_back",
    "animate_removals",
    "animate_rotation",
    "animate_still_beams",
    "animate_terrain",
    "animate_thinking",
    "animate_turn",
    "animate_turn_to_make",
    "animate_winner",
    "concatenate",
    "dark_animation",
    "dim",
    "mix",
    "overlay",
    "pattern_for_difference",
]
