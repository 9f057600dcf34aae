"""Animations on LEDs: asks for the picture of each moment, finishes it and shows it."""

from __future__ import annotations

from dataclasses import dataclass

from controller.finish import Finish
from controller.light import Animation
from controller.ports import Clock, LedMatrix, Pixels

PICTURES_A_SECOND = 30.0
CONFIRM_MS = 2_000.0


@dataclass(frozen=True, slots=True)
class Stage:
    """LEDs, how pictures are finished for them, and the clock that animations follow."""

    leds: LedMatrix
    finish: Finish
    clock: Clock

    def play(self, animation: Animation, for_ms: float | None = None) -> Pixels:
        """Show it to its end, or for so long if it has none; the last picture."""
        length_ms = _length_ms(animation, for_ms)
        begin_ms = self.clock.now_ms()
        interval_ms = 1000 / PICTURES_A_SECOND
        while True:
            elapsed_ms = self.clock.now_ms() - begin_ms
            picture = self.finish(animation.at(min(elapsed_ms, length_ms)))
            number = self.leds.show(picture)
            if elapsed_ms >= length_ms:
                self.leds.wait(number, CONFIRM_MS)
                return picture
            self.clock.wait_ms(min(interval_ms, length_ms - elapsed_ms))


def _length_ms(animation: Animation, for_ms: float | None) -> float:
    length_ms = animation.duration_ms if for_ms is None else for_ms
    if length_ms is None:
        raise ValueError("an animation without end needs to be told how long to play")
    return length_ms
