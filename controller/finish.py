"""The last step of every picture: gamma, brightness and the current limit, in that order.

A canvas of LEDs x 3 numbers from 0 to 1, as bright as people see them, becomes the bytes to
send. From the bytes on it is the whole-number arithmetic of firmware/PROTOCOL.md: a board that
applies the same limit once more changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from controller.ports import Pixels
from engine.errors import LaserboardError

Canvas = npt.NDArray[np.float32]

STEPS = 4095  # of the gamma table: 16 for each byte


class BadPicture(LaserboardError, ValueError):
    """A picture of the wrong size."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Makes canvases ready for one board: `Finish(...)(canvas)`."""

    gamma: float
    brightness: int
    ma_limit: int
    ma_per_led: int
    leds: int
    _bytes: Pixels = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        curve = np.rint(255 * np.linspace(0, 1, STEPS + 1) ** self.gamma)
        table = (curve.astype(np.uint16) * self.brightness // 255).astype(np.uint8)
        object.__setattr__(self, "_bytes", table)

    def __call__(self, canvas: Canvas) -> Pixels:
        """The bytes to send; what is below 0 or not a number is dark, above 1 is full."""
        if canvas.shape != (self.leds, 3):
            raise BadPicture(
                f"a canvas of {' x '.join(map(str, canvas.shape))} numbers for {self.leds} LEDs:"
                f" want {self.leds} x 3"
            )
        steps = np.fmin(np.fmax(canvas, 0), 1) * STEPS + 0.5
        return limited(self._bytes[steps.astype(np.intp)], self.ma_limit, self.ma_per_led)


def milliamps(picture: Pixels, ma_per_led: int) -> int:
    """What the LEDs take with this picture, rounded up; 1 mA each when dark."""
    return (_total(picture) * ma_per_led + 764) // 765 + len(picture)


def limited(picture: Pixels, ma_limit: int, ma_per_led: int) -> Pixels:
    """The picture itself where it keeps to the limit, and else as much darker as need be.

    A limit that does not even feed dark LEDs makes all of them dark: more cannot be done.
    """
    if milliamps(picture, ma_per_led) <= ma_limit:
        return picture
    room = max(0, ma_limit - len(picture))
    scale = min(65536, room * 765 * 65536 // max(1, _total(picture) * ma_per_led))
    return (picture.astype(np.uint32) * np.uint32(scale) >> 16).astype(np.uint8)


def ordered(picture: Pixels, order: str) -> Pixels:
    """The channels in the order that the LEDs want, for drivers with nobody behind to do it."""
    return picture[:, ["RGB".index(channel) for channel in order]]


def _total(picture: Pixels) -> int:
    return int(picture.sum(dtype=np.int64))
