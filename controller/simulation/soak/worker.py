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

from controller.devices.factory.clocks import system_clock
from controller.ports.devices import Clock
from controller.simulation.faults.game import ProcessSnapshot
from controller.simulation.soak.game import SoakGame, SoakResult, play_soak_game

WorkerMessage = (
    int | ProcessSnapshot | SoakResult
)  # so many turns, last words, or what came of the game


@dataclass
class SoakWorker:
    """A process that plays one game after the other."""

    leds: str
    clock: Clock
    folder: Path  # for what it cannot take away when it is killed
    soak_game: SoakGame | None = None  # that is being played
    turns: int = 0
    snapshot: ProcessSnapshot | None = None  # by the process that was killed over it
    pipe: Connection = field(init=False)
    _process: BaseProcess = field(init=False)
    _last_message_ms: float = 0.0

    def __post_init__(self) -> None:
        self._start()

    def start_game(self, what: SoakGame, journal: Path) -> None:
        self.soak_game, self.turns, self.snapshot = what, 0, None
        self._send(journal)

    def resume(self, journal: Path) -> None:
        """In another process, where the one that was killed has left off."""
        self.kill()
        self._start()
        self._send(journal)
        self.snapshot = None

    def _send(self, journal: Path) -> None:
        self._last_message_ms = self.clock.now_ms()
        with contextlib.suppress(OSError):  # it has ended: `is_dead` tells
            self.pipe.send((self.soak_game, journal, self.snapshot))

    def poll_result(self) -> SoakResult | None:
        """Everything it has said; the verdict, if the game is over."""
        try:
            while self.soak_game is not None and self.pipe.poll():
                said: WorkerMessage = self.pipe.recv()
                self._last_message_ms = self.clock.now_ms()
                if isinstance(said, SoakResult):
                    self.soak_game, self.turns = None, 0
                    return said
                if isinstance(said, ProcessSnapshot):
                    self.snapshot = said
                else:
                    self.turns = said
        except (EOFError, OSError):  # it has ended: `is_dead` tells
            self._process.join()
        return None

    def silence_s(self) -> float:
        return (self.clock.now_ms() - self._last_message_ms) / 1000

    def is_dead(self) -> bool:
        return not self._process.is_alive()

    def restart(self) -> None:
        self.kill()
        self.soak_game, self.turns = None, 0
        self._start()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def _start(self) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["cv2", __name__])
        self.pipe, other = context.Pipe()
        self._process = context.Process(
            target=_worker_main, args=(other, self.leds, self.folder), daemon=True
        )
        self._process.start()
        other.close()


def _worker_main(line: Connection, leds: str, folder: Path) -> None:
    """Play whatever comes in, until nobody is at the other end."""
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this ends it
    cv2.setNumThreads(1)  # there are as many processes as anybody wants
    tempfile.tempdir = str(folder)

    def die(left: ProcessSnapshot) -> None:
        line.send(left)
        os.kill(os.getpid(), signal.SIGKILL)

    while True:
        try:
            what, journal, left = line.recv()
        except EOFError:
            return
        line.send(play_soak_game(what, leds, journal, system_clock(), line.send, left, die))
