"""LED links whose device never answers: a picture counts as shown when it is sent, and is sent
again every second, so that a line error or a restart is repaired."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from controller.devices.leds.live import LinkCounts, MatrixSettings
from controller.ports.devices import MatrixDetails, Pixels
from engine.sentences import Sentence

REPEAT_MS = 1_000.0  # WLED takes its LEDs back after 2.5 s of silence


@dataclass
class UnacknowledgedLink:
    """Sends pictures and repeats the last one. A subclass opens the device and transmits."""

    settings: MatrixSettings
    counts: LinkCounts = field(default_factory=LinkCounts, kw_only=True)
    _last_picture: Pixels | None = field(default=None, init=False)

    @property
    def led_count(self) -> int:
        return self.settings.led_count

    @property
    def keep_alive_ms(self) -> float:
        return REPEAT_MS

    def open(self) -> MatrixDetails:
        self.close()
        return MatrixDetails(self.led_count, False, self._open_device())

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        self._last_picture = picture
        self._transmit(picture)

    def keep_alive(self) -> None:
        if self._last_picture is not None:
            self._transmit(self._last_picture)

    def blank(self) -> None:
        self._last_picture = None
        self._transmit(np.zeros((self.led_count, 3), np.uint8))

    def close(self) -> None:
        self._last_picture = None
        self._close_device()

    def _open_device(self) -> Sentence:
        """Open the device; returns its description. Raises `LedsUnavailable`."""
        raise NotImplementedError

    def _transmit(self, picture: Pixels) -> None:
        """Send a picture. Raises `LedsUnavailable`."""
        raise NotImplementedError

    def _close_device(self) -> None:
        raise NotImplementedError
