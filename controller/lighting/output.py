"""Converts a canvas to the bytes for the LEDs: gamma, brightness, current limit, in that order.

A canvas has LEDs x 3 perceptual values from 0 to 1. The limit uses the integer formula of
firmware/PROTOCOL.md, so a board that applies the same limit again changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from controller.config.leds import LedSettings
from controller.lighting import sentences
from controller.ports.devices import Pixels
from engine.errors import LaserboardError

Canvas = npt.NDArray[np.float32]

GAMMA_STEPS = 4095  # of the gamma table: 16 for each byte value


class BadPictureSize(LaserboardError, ValueError):
    """The picture does not have one row for each LED."""


@dataclass(frozen=True, slots=True)
class OutputStage:
    """Converts canvases for one board: `OutputStage(...)(canvas)`."""

    gamma: float
    brightness: int
    ma_limit: int
    ma_per_led: int
    led_count: int
    _gamma_table: Pixels = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        curve = np.rint(255 * np.linspace(0, 1, GAMMA_STEPS + 1) ** self.gamma)
        table = (curve.astype(np.uint16) * self.brightness // 255).astype(np.uint8)
        object.__setattr__(self, "_gamma_table", table)

    def __call__(self, canvas: Canvas) -> Pixels:
        """The bytes to send. Values below 0 and NaN are dark, values above 1 full."""
        if canvas.shape != (self.led_count, 3):
            raise BadPictureSize(
                sentences.WRONG_CANVAS(
                    shape=" x ".join(map(str, canvas.shape)), leds=self.led_count
                )
            )
        steps = np.fmin(np.fmax(canvas, 0), 1) * GAMMA_STEPS + 0.5
        return limit_current(
            self._gamma_table[steps.astype(np.intp)], self.ma_limit, self.ma_per_led
        )


def for_settings(settings: LedSettings) -> OutputStage:
    """The output stage for the LED settings of a board file."""
    leds = sum(settings.leds_per_lane)
    return OutputStage(
        settings.gamma, settings.brightness, settings.ma_limit, settings.ma_per_led, leds
    )


def estimate_current_ma(picture: Pixels, ma_per_led: int) -> int:
    """The current of a picture, rounded up; a dark LED takes 1 mA."""
    return (_channel_sum(picture) * ma_per_led + 764) // 765 + len(picture)


def limit_current(picture: Pixels, ma_limit: int, ma_per_led: int) -> Pixels:
    """The picture, dimmed if it exceeds the limit.

    All LEDs are dark if the limit is below the current of dark LEDs.
    """
    if estimate_current_ma(picture, ma_per_led) <= ma_limit:
        return picture
    room = max(0, ma_limit - len(picture))
    scale = min(65536, room * 765 * 65536 // max(1, _channel_sum(picture) * ma_per_led))
    return (picture.astype(np.uint32) * np.uint32(scale) >> 16).astype(np.uint8)


def reorder_channels(picture: Pixels, order: str) -> Pixels:
    """The channels in the order of the LEDs, for links whose device does not reorder them."""
    return picture[:, ["RGB".index(channel) for channel in order]]


def _channel_sum(picture: Pixels) -> int:
    return int(picture.sum(dtype=np.int64))
