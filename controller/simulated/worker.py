"""A process that plays games of a soak, one after the other, and may be killed over one.

It is forked from a server that has loaded everything, so that the next one begins at once. One
that kills itself says first what it leaves behind; then nothing is closed and nothing flushed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import tempfile
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from controller.ports import Clock
from controller.simulated.chaos.game import Left
from controller.simulated.soak import Fixture, Verdict, play
from controller.wiring import system_clock

Said = int | Left | Verdict  # so many turns, last words, or what came of the game


@dataclass
class Worker:
    """A process that plays one game after the other."""

    leds: str
    clock: Clock
    folder: Path  # for what it cannot take away when it is killed
    what: Fixture | None = None  # that is being played
    turns: int = 0
    left: Left | None = None  # by the process that was killed over it
    line: Connection = field(init=False)
    _process: BaseProcess = field(init=False)
    _heard_ms: float = 0.0

    def __post_init__(self) -> None:
        self._start()

    def begin(self, what: Fixture, journal: Path) -> None:
        self.what, self.turns, self.left = what, 0, None
        self._send(journal)

    def go_on(self, journal: Path) -> None:
        """In another process, where the one that was killed has left off."""
        self.end()
        self._start()
        self._send(journal)
        self.left = None

    def _send(self, journal: Path) -> None:
        self._heard_ms = self.clock.now_ms()
        with contextlib.suppress(OSError):  # it has ended: `is_dead` tells
            self.line.send((self.what, journal, self.left))

    def heard(self) -> Verdict | None:
        """Everything it has said; the verdict, if the game is over."""
        try:
            while self.what is not None and self.line.poll():
                said: Said = self.line.recv()
                self._heard_ms = self.clock.now_ms()
                if isinstance(said, Verdict):
                    self.what, self.turns = None, 0
                    return said
                if isinstance(said, Left):
                    self.left = said
                else:
                    self.turns = said
        except (EOFError, OSError):  # it has ended: `is_dead` tells
            self._process.join()
        return None

    def silent_s(self) -> float:
        return (self.clock.now_ms() - self._heard_ms) / 1000

    def is_dead(self) -> bool:
        return not self._process.is_alive()

    def begin_anew(self) -> None:
        self.end()
        self.what, self.turns = None, 0
        self._start()

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.line.close()

    def _start(self) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["cv2", __name__])
        self.line, other = context.Pipe()
        self._process = context.Process(
            target=_work, args=(other, self.leds, self.folder), daemon=True
        )
        self._process.start()
        other.close()


def _work(line: Connection, leds: str, folder: Path) -> None:
    """Play whatever comes in, until nobody is at the other end."""
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this ends it
    cv2.setNumThreads(1)  # there are as many processes as anybody wants
    tempfile.tempdir = str(folder)

    def die(left: Left) -> None:
        line.send(left)
        os.kill(os.getpid(), signal.SIGKILL)

    while True:
        try:
            what, journal, left = line.recv()
        except EOFError:
            return
        line.send(play(what, leds, journal, system_clock(), line.send, left, die))
