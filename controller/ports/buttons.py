"""The buttons at a table: their names, default pins and keys, and what holding one does."""

from __future__ import annotations

from dataclasses import dataclass

LONG_PRESS_MS = 3_000.0

# From a device `fire 0` means seat 0; the loop replaces it with the player who sits there.
FIRE = ("fire 0", "fire 1")
PAUSE, REFEREE, POWER = "pause", "referee", "power"


@dataclass(frozen=True, slots=True)
class Button:
    """One button. `controller/session/step.py` handles its presses by name."""

    name: str
    pin: int  # the default, a BCM number
    key: str  # on a keyboard
    held: str | None = None  # the press that holding it for `LONG_PRESS_MS` makes
    hold_only: bool = False  # a short press does nothing


TABLE_BUTTONS = (
    Button(FIRE[0], pin=17, key="a"),
    Button(FIRE[1], pin=27, key="l"),
    Button(PAUSE, pin=22, key="p", held=POWER),
    Button(REFEREE, pin=23, key="r"),
    # Pulling pin 3 to ground starts a halted Pi: the power button also switches it on.
    Button(POWER, pin=3, key="o", held=POWER, hold_only=True),
)
BUTTONS = tuple(button.name for button in TABLE_BUTTONS)
