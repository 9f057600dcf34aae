"""`gpio://spi`: APA102 and SK9822 on the Pi's own SPI pins, through gpiozero.

Both have a clock line, so pauses of Linux in the middle of a transfer do no harm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from controller.devices import sentences
from controller.devices.leds.live import LedsUnavailable
from controller.devices.leds.unacknowledged import UnacknowledgedLink
from controller.lighting.output import reorder_channels
from controller.ports.devices import Pixels
from controller.ports.sentences import REMEDY_AFTER_COLON
from engine.sentences import Sentence

RATE_HZ = 8_000_000
APA102, SK9822 = "apa102", "sk9822"
FULL_BRIGHTNESS = 0xE0 | 31
MAX_TRANSFER_BYTES = 4096  # the default limit of the kernel's spidev


@dataclass
class SpiLink(UnacknowledgedLink):
    """One strip on one SPI bus, on gpiozero's default pins unless a pin factory is given."""

    bus: int = 0
    chip_select: int = 0
    rate_hz: int = RATE_HZ
    kind: str = APA102
    order: str = "BGR"
    factory: Any = None
    _device: Any = field(default=None, init=False)

    @property
    def name(self) -> str:
        return "gpio://spi"

    def _open_device(self) -> Sentence:
        from gpiozero import GPIOZeroError, SPIDevice  # type: ignore[import-untyped]
        from gpiozero.exc import SPIFixedRate  # type: ignore[import-untyped]

        try:
            self._device = SPIDevice(
                port=self.bus, device=self.chip_select, pin_factory=self.factory
            )
            try:
                self._device._spi.rate = self.rate_hz  # the default is 500 kHz
                return sentences.SPI_LEDS(kind=self.kind.upper(), mhz=self.rate_hz / 1e6)
            except SPIFixedRate:
                return sentences.SPI_LEDS_BY_SOFTWARE(kind=self.kind.upper())
        except (GPIOZeroError, OSError, ImportError) as error:
            problem = sentences.SPI_CANNOT_OPEN(
                bus=self.bus, device=self.chip_select, reason=str(error)
            )
            raise LedsUnavailable(
                REMEDY_AFTER_COLON(problem=problem, remedy=sentences.SWITCH_SPI_ON())
            ) from error

    def _close_device(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None

    def _transmit(self, picture: Pixels) -> None:
        if self._device is None:
            raise LedsUnavailable(sentences.DEVICE_NOT_OPEN(device=self.name))
        message = list(encode_apa102(picture, self.kind, self.order))
        try:
            for start in range(0, len(message), MAX_TRANSFER_BYTES):
                self._device._spi.transfer(message[start : start + MAX_TRANSFER_BYTES])
        except OSError as error:
            raise LedsUnavailable(
                sentences.SPI_FAULT(bus=self.bus, device=self.chip_select, reason=str(error))
            ) from error


def encode_apa102(picture: Pixels, kind: str = APA102, order: str = "BGR") -> bytes:
    """A start frame, full brightness and the colours for each LED, and an end frame.

    Every LED delays the clock by half a period, so n LEDs need n / 2 more bits at the end. An
    SK9822 shows a picture only after the 32 zero bits of the next start: they are appended. The
    end is zeros, because a LED beyond the configured ones would show ones as white.
    """
    body = np.empty((len(picture), 4), np.uint8)
    body[:, 0] = FULL_BRIGHTNESS
    body[:, 1:] = reorder_channels(picture, order)
    latch = bytes(4) if kind == SK9822 else b""
    return bytes(4) + body.tobytes() + latch + bytes((len(picture) + 15) // 16)
