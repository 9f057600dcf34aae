"""Names of the buttons at a table."""

from __future__ import annotations

LONG_PRESS_MS = 3_000.0

FIRE = ("fire 0", "fire 1")  # by seat from the switches, by player in the session
PAUSE, REFEREE, POWER = "pause", "referee", "power"
BUTTONS = (*FIRE, PAUSE, REFEREE, POWER)
