"""LEDs that are not there: drawn (`terminal://`), kept (`memory://`) or nothing (`none://`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

import numpy as np

from controller.devices.leds import LinkCounts, Unavailable
from controller.ports import MatrixDetails, Pixels

FOR_EVER_MS = float("inf")
KEPT = 1000


@dataclass(slots=True)
class MemoryLink:
    """Keeps what it is sent; a test may take it away and bring it back."""

    leds: int
    name: str = "memory://"
    keep_alive_ms: float = FOR_EVER_MS
    counts: LinkCounts = field(default_factory=LinkCounts)
    pictures: deque[Pixels] = field(default_factory=lambda: deque(maxlen=KEPT))  # the last ones
    away: str = ""  # why it cannot be reached
    alive: int = 0  # signs of life
    opened: int = 0

    @property
    def displayed(self) -> Pixels | None:
        return self.pictures[-1] if self.pictures else None

    def open(self) -> MatrixDetails:
        self._reach()
        self.opened += 1
        return MatrixDetails(self.leds, True, "LEDs in memory")

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        self._reach()
        self.pictures.append(picture)

    def keep_alive(self) -> None:
        self._reach()
        self.alive += 1

    def blank(self) -> None:
        self.send(np.zeros((self.leds, 3), np.uint8), None)

    def close(self) -> None:
        return

    def _reach(self) -> None:
        if self.away:
            raise Unavailable(self.away)


@dataclass(slots=True)
class NoLink:
    """A board without LEDs: every picture counts as shown."""

    leds: int
    name: str = "none://"
    keep_alive_ms: float = FOR_EVER_MS
    counts: LinkCounts = field(default_factory=LinkCounts)

    def open(self) -> MatrixDetails:
        return MatrixDetails(self.leds, False, "no LEDs")

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        return

    def keep_alive(self) -> None:
        return

    def blank(self) -> None:
        return

    def close(self) -> None:
        return


@dataclass(slots=True)
class TerminalLink:
    """Writes each picture to a stream as `draw` draws it."""

    leds: int
    stream: TextIO
    draw: Callable[[Pixels], str]
    name: str = "terminal://"
    keep_alive_ms: float = FOR_EVER_MS
    counts: LinkCounts = field(default_factory=LinkCounts)
    _drawn: bool = False  # anything yet

    def open(self) -> MatrixDetails:
        return MatrixDetails(self.leds, True, "a picture in the terminal")

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        try:
            self._drawn = True
            self.stream.write(self.draw(picture))
            self.stream.flush()
        except (OSError, ValueError) as trouble:  # ValueError: the stream is closed
            raise Unavailable(f"the terminal takes no more: {trouble}") from None

    def keep_alive(self) -> None:
        return

    def blank(self) -> None:
        if self._drawn:
            self.send(np.zeros((self.leds, 3), np.uint8), None)

    def close(self) -> None:
        return
