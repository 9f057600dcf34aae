"""A worker process that plays games of a soak test one after the other.

It is forked from a server with all modules loaded, so that it starts fast. For the fault `kill` the
process sends a snapshot of its state and then kills itself with SIGKILL.
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

WorkerMessage = int | ProcessSnapshot | SoakResult  # an int is the number of turns so far


@dataclass
class SoakWorker:
    """A worker process, seen from the runner."""

    leds: str
    clock: Clock
    folder: Path  # for temporary files, which a killed process cannot remove
    soak_game: SoakGame | None = None  # in progress
    turns: int = 0
    snapshot: ProcessSnapshot | None = None  # of the process that was killed
    pipe: Connection = field(init=False)
    _process: BaseProcess = field(init=False)
    _last_message_ms: float = 0.0

    def __post_init__(self) -> None:
        self._start()

    def start_game(self, soak_game: SoakGame, journal: Path) -> None:
        self.soak_game, self.turns, self.snapshot = soak_game, 0, None
        self._send(journal)

    def resume(self, journal: Path) -> None:
        """Continue the game of a killed process in a new one."""
        self.kill()
        self._start()
        self._send(journal)
        self.snapshot = None

    def _send(self, journal: Path) -> None:
        self._last_message_ms = self.clock.now_ms()
        with contextlib.suppress(OSError):  # the process has ended; see `is_dead`
            self.pipe.send((self.soak_game, journal, self.snapshot))

    def poll_result(self) -> SoakResult | None:
        """Read all messages of the process; returns the result when the game is over."""
        try:
            while self.soak_game is not None and self.pipe.poll():
                message: WorkerMessage = self.pipe.recv()
                self._last_message_ms = self.clock.now_ms()
                if isinstance(message, SoakResult):
                    self.soak_game, self.turns = None, 0
                    return message
                if isinstance(message, ProcessSnapshot):
                    self.snapshot = message
                else:
                    self.turns = message
        except (EOFError, OSError):  # the process has ended; see `is_dead`
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


def _worker_main(pipe: Connection, leds: str, folder: Path) -> None:
    """Play the games that the runner sends, until it closes the pipe."""
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner handles Ctrl-C
    cv2.setNumThreads(1)  # `--jobs` sets the number of processes
    tempfile.tempdir = str(folder)

    def kill(snapshot: ProcessSnapshot) -> None:
        pipe.send(snapshot)
        os.kill(os.getpid(), signal.SIGKILL)

    while True:
        try:
            soak_game, journal, snapshot = pipe.recv()
        except EOFError:
            return
        pipe.send(
            play_soak_game(soak_game, leds, journal, system_clock(), pipe.send, snapshot, kill)
        )
