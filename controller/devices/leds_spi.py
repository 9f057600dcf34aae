"""`gpio://spi`: APA102 and SK9822 on the Pi's own SPI pins, through gpiozero.

Both carry their own clock, so Linux may pause at any time. Nothing is confirmed: what was clocked
out is shown, if there are LEDs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from controller.devices.leds import LinkCounts, MatrixSettings, Unavailable
from controller.finish import ordered
from controller.ports import MatrixDetails, Pixels

RATE = 8_000_000
REPEAT_MS = 1_000.0  # a LED that lost its supply for a moment comes back
APA102, SK9822 = "apa102", "sk9822"
FULL_BRIGHTNESS = 0xE0 | 31
LONGEST_TRANSFER = 4096  # bytes: the kernel's spidev takes no more at once


@dataclass(slots=True)
class SpiLink:
    """One strip on one SPI bus, on the pins of gpiozero's own choice unless a factory is given."""

    settings: MatrixSettings
    bus: int = 0
    chip_select: int = 0
    rate: int = RATE
    kind: str = APA102
    order: str = "BGR"
    factory: Any = None
    counts: LinkCounts = field(default_factory=LinkCounts)
    _device: Any = None
    _last: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "gpio://spi"

    @property
    def leds(self) -> int:
        return self.settings.leds

    @property
    def keep_alive_ms(self) -> float:
        return REPEAT_MS

    def open(self) -> MatrixDetails:
        from gpiozero import GPIOZeroError, SPIDevice  # type: ignore[import-untyped]
        from gpiozero.exc import SPIFixedRate  # type: ignore[import-untyped]

        self.close()
        try:
            self._device = SPIDevice(
                port=self.bus, device=self.chip_select, pin_factory=self.factory
            )
            try:
                self._device._spi.rate = self.rate  # the hardware begins with a slow 500 kHz
                speed = f"at {self.rate / 1e6:g} MHz"
            except SPIFixedRate:
                speed = "by software, as fast as it can"
        except (GPIOZeroError, OSError, ImportError) as trouble:
            raise Unavailable(
                f"SPI {self.bus}.{self.chip_select} cannot be opened: {trouble}: switch SPI on "
                "(`sudo raspi-config nonint do_spi 0`), install laserboard[pi], and join the "
                "groups gpio and spi"
            ) from None
        return MatrixDetails(self.leds, False, f"{self.kind.upper()} on SPI {speed}")

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        self._last = list(clocked(picture, self.kind, self.order))
        self._transfer(self._last)

    def keep_alive(self) -> None:
        if self._last:
            self._transfer(self._last)

    def blank(self) -> None:
        self._last = []
        self._transfer(list(clocked(np.zeros((self.leds, 3), np.uint8), self.kind)))

    def close(self) -> None:
        self._last = []
        if self._device is not None:
            self._device.close()
            self._device = None

    def _transfer(self, sent: list[int]) -> None:
        if self._device is None:
            raise Unavailable(f"{self.name} is not open")
        try:
            for start in range(0, len(sent), LONGEST_TRANSFER):
                self._device._spi.transfer(sent[start : start + LONGEST_TRANSFER])
        except OSError as trouble:
            raise Unavailable(f"SPI {self.bus}.{self.chip_select}: {trouble}") from None


def clocked(picture: Pixels, kind: str = APA102, order: str = "BGR") -> bytes:
    """A picture as the LEDs want it: the colours after full brightness, between start and end.

    Every LED delays the clock by half a period, so n LEDs want n / 2 more bits at the end. An
    SK9822 shows a picture only with the 32 zero bits of the next start: it gets them at once.
    Zeros, because ones would be taken for a white LED where the strip is longer than told.
    """
    body = np.empty((len(picture), 4), np.uint8)
    body[:, 0] = FULL_BRIGHTNESS
    body[:, 1:] = ordered(picture, order)
    latch = bytes(4) if kind == SK9822 else b""
    return bytes(4) + body.tobytes() + latch + bytes((len(picture) + 15) // 16)
