"""LEDs without hardware: drawn (`terminal://`), recorded (`memory://`) or none (`none://`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

import numpy as np

from controller.devices import sentences
from controller.devices.leds.live import LedsUnavailable, LinkCounts
from controller.ports.devices import MatrixDetails, Pixels
from engine.sentences import Sentence

MAX_PICTURES = 1000


@dataclass
class NullLink:
    """A board without LEDs: every picture counts as shown."""

    led_count: int
    name: str = field(default="none://", kw_only=True)
    keep_alive_ms: float = field(default=float("inf"), kw_only=True)
    counts: LinkCounts = field(default_factory=LinkCounts, kw_only=True)

    def open(self) -> MatrixDetails:
        return MatrixDetails(self.led_count, False, sentences.NO_LEDS())

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        """Does nothing."""

    def keep_alive(self) -> None:
        """Does nothing."""

    def blank(self) -> None:
        self.send(np.zeros((self.led_count, 3), np.uint8), None)

    def close(self) -> None:
        """Does nothing."""


@dataclass
class MemoryLink(NullLink):
    """Records pictures. A test can make it unavailable."""

    name: str = field(default="memory://", kw_only=True)
    pictures: deque[Pixels] = field(default_factory=lambda: deque(maxlen=MAX_PICTURES))
    unavailable_reason: Sentence | None = None
    keep_alive_count: int = 0
    open_count: int = 0

    @property
    def displayed(self) -> Pixels | None:
        return self.pictures[-1] if self.pictures else None

    def open(self) -> MatrixDetails:
        self._check_available()
        self.open_count += 1
        return MatrixDetails(self.led_count, True, sentences.LEDS_IN_MEMORY())

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        self._check_available()
        self.pictures.append(picture)

    def keep_alive(self) -> None:
        self._check_available()
        self.keep_alive_count += 1

    def _check_available(self) -> None:
        if self.unavailable_reason is not None:
            raise LedsUnavailable(self.unavailable_reason)


@dataclass
class TerminalLink(NullLink):
    """Writes each picture to a stream, drawn by `draw`."""

    stream: TextIO
    draw: Callable[[Pixels], str]
    name: str = field(default="terminal://", kw_only=True)
    _has_drawn: bool = field(default=False, init=False)

    def open(self) -> MatrixDetails:
        return MatrixDetails(self.led_count, True, sentences.TERMINAL_PICTURE())

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        try:
            self._has_drawn = True
            self.stream.write(self.draw(picture))
            self.stream.flush()
        except (OSError, ValueError) as error:  # ValueError: the stream is closed
            raise LedsUnavailable(sentences.TERMINAL_GONE(reason=str(error))) from error

    def blank(self) -> None:
        if self._has_drawn:
            super().blank()
