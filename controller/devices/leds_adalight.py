"""`adalight://`: WLED, Hyperion and friends on a serial port, unmodified.

Adalight has no answer and no checksum over the colours: what was written is taken for shown, and
every picture is sent again after a second, which mends what a disturbed line did to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from controller.devices.leds import LinkCounts, MatrixSettings, Unavailable
from controller.devices.leds_port import Port
from controller.finish import ordered
from controller.ports import Clock, MatrixDetails, Pixels

BAUD = 115_200
REPEAT_MS = 1_000.0  # WLED takes its LEDs back after 2.5 s of silence
PATIENCE_S = 1.0


@dataclass(slots=True)
class AdalightLink:
    """One picture after another, no faster than the line carries them."""

    place: str
    settings: MatrixSettings
    clock: Clock
    baud: int = BAUD
    order: str = "RGB"  # WLED and most others put the colours in order themselves
    counts: LinkCounts = field(default_factory=LinkCounts)
    _port: Port | None = None
    _last: bytes = b""

    @property
    def name(self) -> str:
        return f"adalight://{self.place}"

    @property
    def leds(self) -> int:
        return self.settings.leds

    @property
    def keep_alive_ms(self) -> float:
        return REPEAT_MS

    def open(self) -> MatrixDetails:
        self.close()
        self._port = Port(self.place, self.baud)
        self._port.open()
        return MatrixDetails(self.leds, False, f"Adalight at {self.baud} baud")

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        self._last = adalight(ordered(picture, self.order))
        self._write(self._last)

    def keep_alive(self) -> None:
        if self._last:
            self._write(self._last)

    def blank(self) -> None:
        self._last = b""
        self._write(adalight(np.zeros((self.leds, 3), np.uint8)))

    def close(self) -> None:
        self._last = b""
        if self._port is not None:
            self._port.close()

    def _write(self, sent: bytes) -> None:
        if self._port is None:
            raise Unavailable(f"{self.name} is not open")
        while self._port.read(0):  # what it says ("Ada" at times) must not fill its way to us
            continue
        line_ms = 10_000 * len(sent) / self.baud
        self._port.write(sent, PATIENCE_S + line_ms / 1000)
        # The kernel takes more than the line: without this, pictures would queue up there.
        self.clock.wait_ms(line_ms)


def adalight(picture: Pixels) -> bytes:
    """`Ada`, the number of the last LED, a checksum of that, and the colours."""
    high, low = divmod(len(picture) - 1, 256)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + picture.tobytes()
