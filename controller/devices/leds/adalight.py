"""`adalight://`: WLED, Hyperion and others on a serial port, unmodified.

Adalight has neither answers nor a checksum over the colours.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.devices import sentences
from controller.devices.leds.live import LedsUnavailable
from controller.devices.leds.serial_port import SerialPort
from controller.devices.leds.unacknowledged import UnacknowledgedLink
from controller.lighting.output import reorder_channels
from controller.ports.devices import Clock, Pixels
from engine.sentences import Sentence

BAUD = 115_200
WRITE_TIMEOUT_S = 1.0


@dataclass
class AdalightLink(UnacknowledgedLink):
    """Sends pictures no faster than the line carries them."""

    port_path: str
    clock: Clock
    baud: int = BAUD
    order: str = "RGB"  # WLED and most others reorder the colours themselves
    _port: SerialPort | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        return f"adalight://{self.port_path}"

    def _open_device(self) -> Sentence:
        self._port = SerialPort(self.port_path, self.baud)
        self._port.open()
        return sentences.ADALIGHT(baud=self.baud)

    def _close_device(self) -> None:
        if self._port is not None:
            self._port.close()

    def _transmit(self, picture: Pixels) -> None:
        if self._port is None:
            raise LedsUnavailable(sentences.DEVICE_NOT_OPEN(device=self.name))
        while self._port.read(0):  # discard its output ("Ada"), or its buffer would fill up
            continue
        message = encode_adalight(reorder_channels(picture, self.order))
        line_ms = 10_000 * len(message) / self.baud
        self._port.write(message, WRITE_TIMEOUT_S + line_ms / 1000)
        # The kernel accepts bytes faster than the line sends them: pictures would queue up there.
        self.clock.wait_ms(line_ms)


def encode_adalight(picture: Pixels) -> bytes:
    """`Ada`, the number of the last LED, a checksum of that number, and the colours."""
    high, low = divmod(len(picture) - 1, 256)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + picture.tobytes()
