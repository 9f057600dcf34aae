"""Plays an animation on LEDs: renders, converts and shows each picture."""

from __future__ import annotations

from dataclasses import dataclass

from controller.lighting.animation import Animation
from controller.lighting.output import OutputStage
from controller.ports.devices import Clock, LedMatrix, Pixels

PLAYBACK_FPS = 30.0
CONFIRM_TIMEOUT_MS = 2_000.0


@dataclass(frozen=True, slots=True)
class AnimationPlayer:
    """The LEDs, their output stage, and the clock of the animations."""

    leds: LedMatrix
    output_stage: OutputStage
    clock: Clock

    def play(self, animation: Animation, duration_ms: float | None = None) -> Pixels:
        """Play to the end, or for that time if there is none; returns the last picture."""
        length_ms = _length_ms(animation, duration_ms)
        begin_ms = self.clock.now_ms()
        interval_ms = 1000 / PLAYBACK_FPS
        while True:
            elapsed_ms = self.clock.now_ms() - begin_ms
            picture = self.output_stage(animation.at(min(elapsed_ms, length_ms)))
            number = self.leds.show(picture)
            if elapsed_ms >= length_ms:
                self.leds.wait(number, CONFIRM_TIMEOUT_MS)
                return picture
            self.clock.wait_ms(min(interval_ms, length_ms - elapsed_ms))


def _length_ms(animation: Animation, for_ms: float | None) -> float:
    length_ms = animation.duration_ms if for_ms is None else for_ms
    if length_ms is None:
        raise ValueError("an animation without end needs a time to play")
    return length_ms
