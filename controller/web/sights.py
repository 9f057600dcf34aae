"""What can be looked at beside the board: the LEDs as they were last confirmed, the camera's
pictures. Asked for from the page's thread, when somebody looks, and never by the game's loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.ports import LedMatrix


@dataclass(frozen=True)
class Sights:
    """Of one game's table."""

    leds: LedMatrix
    gamma: float

    def light(self) -> str:
        """Every LED as six hexadecimal digits, as bright as people see it; empty: all dark."""
        shown = self.leds.shown()
        if shown is None:
            return ""
        seen = (np.asarray(shown, np.float32) / 255.0) ** (1.0 / self.gamma)
        return bytes(np.rint(seen * 255.0).astype(np.uint8)).hex()
