"""Timed devices for benchmarks: they record when a turn passes, from the frame to the first byte of
its beam on the wire. Each one is the real device with a timestamp before or after a call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from controller.devices.bench.pty_board import PtyBoard
from controller.devices.journal_file import Disk, JournalFile
from controller.devices.leds.live import LiveLeds, MatrixSettings
from controller.devices.leds.serial_link import SerialLink
from controller.devices.leds.serial_port import SerialPort
from controller.ports.devices import CameraDetails, Clock, Frame, MatrixDetails, Pixels
from controller.ports.events import DeviceEvent


class TimingMark(NamedTuple):
    """Wall time, and CPU time of all threads of this process."""

    wall_ms: float
    cpu_ms: float


LapTimes = dict[str, TimingMark]


def take_mark() -> TimingMark:
    return TimingMark(time.perf_counter() * 1000, time.process_time() * 1000)


class Stopwatch:
    """The timestamps of one turn, by name."""

    def __init__(self) -> None:
        self.lap: LapTimes = {}
        self.beam_pictures: list[Pixels] = []  # shown since `fire`
        self.sync_cpu_ms = 0.0
        self.finished = threading.Event()

    def start(self) -> None:
        self.finished.clear()
        self.beam_pictures = []
        self.lap = {"frame": take_mark()}

    def mark(self, place: str) -> None:
        """Record a timestamp; only the first in a lap counts."""
        self.lap.setdefault(place, take_mark())

    def finish(self, place: str, moment: TimingMark) -> None:
        if not self.finished.is_set():
            self.lap[place] = moment
            self.finished.set()


class ManualCamera:
    """Gives one frame, when the benchmark pushes it."""

    name = "manual://"

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch
        self._changed = threading.Condition()
        self._frame: Frame | None = None

    def push_frame(self, grey: Pixels, at_ms: float) -> None:
        frame = Frame(grey, at_ms, 1)
        with self._changed:
            self._watch.start()
            self._frame = frame
            self._changed.notify_all()

    def latest(self) -> Frame | None:
        with self._changed:
            return self._frame

    def wait(self, after: int, timeout_ms: float) -> Frame | None:
        with self._changed:
            if self._frame is None or self._frame.number <= after:
                self._changed.wait(timeout_ms / 1000)
            frame = self._frame
            return frame if frame is not None and frame.number > after else None

    def events(self) -> list[DeviceEvent]:
        return []

    def details(self) -> CameraDetails | None:
        return None

    def close(self) -> None:
        """Wake up waiting callers."""
        with self._changed:
            self._changed.notify_all()


class TimedDisk(Disk):
    """The real disk; records when a sync starts and ends."""

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    def sync(self, file: int) -> None:
        before_s = time.thread_time()
        self._watch.mark("syncing")
        super().sync(file)
        self._watch.mark("synced")
        self._watch.sync_cpu_ms = 1000 * (time.thread_time() - before_s)


class TimedJournal(JournalFile):
    """A journal on that disk; records when `write` is called."""

    def __init__(
        self, path: Path, clock: Clock, watch: Stopwatch, on_event: Callable[[], None]
    ) -> None:
        self._watch = watch
        super().__init__(path, clock, new=True, disk=TimedDisk(watch), on_event=on_event)

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        self._watch.mark("asked")
        return super().write(kind, body, at_ms)


class TimedPort(SerialPort):
    """Takes over an open port; records its first write after `first_write` was cleared."""

    def __init__(self, port: SerialPort) -> None:
        vars(self).update(vars(port))
        self.first_write: TimingMark | None = None

    def write(self, sent: bytes, timeout_s: float) -> None:
        super().write(sent, timeout_s)
        if self.first_write is None:
            self.first_write = take_mark()


class TimedLink(SerialLink):
    """The real serial driver; the first write of a beam picture ends the lap."""

    def __init__(self, place: str, settings: MatrixSettings, watch: Stopwatch) -> None:
        super().__init__(place, settings)
        self._watch = watch
        self._port: TimedPort | None = None

    def open(self) -> MatrixDetails:
        details = super().open()
        assert self._exchange is not None
        self._exchange.port = self._port = TimedPort(self._exchange.port)
        return details

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        assert self._port is not None
        self._port.first_write = None
        super().send(picture, before)
        # The picture before the beam may be sent after `fire`.
        beam = any(np.array_equal(picture, each) for each in self._watch.beam_pictures)
        if beam and self._port.first_write is not None:
            self._watch.finish("byte", self._port.first_write)


class TimedLeds(LiveLeds):
    """LEDs on the firmware behind a pty; records when the first beam picture is shown."""

    def __init__(self, settings: MatrixSettings, clock: Clock, watch: Stopwatch) -> None:
        self._watch, self._board = watch, PtyBoard()
        super().__init__(TimedLink(self._board.path, settings, watch), clock)

    def show(self, picture: Pixels) -> int:
        if "fire" in self._watch.lap:
            self._watch.mark("show")
            self._watch.beam_pictures.append(picture)
        return super().show(picture)

    def close(self) -> None:
        super().close()
        self._board.close()


class Instruments:
    """A stopwatch and the devices that report to it."""

    def __init__(self, settings: MatrixSettings, clock: Clock) -> None:
        self.stopwatch, self._clock = Stopwatch(), clock
        self.leds = TimedLeds(settings, clock, self.stopwatch)

    def camera(self) -> ManualCamera:
        return ManualCamera(self.stopwatch)

    def journal(self, path: Path, on_event: Callable[[], None]) -> TimedJournal:
        return TimedJournal(path, self._clock, self.stopwatch, on_event)

    def measure_cpu_ms(self, work: Callable[[], object]) -> float:
        """CPU time of the process during a call."""
        before_ms = take_mark().cpu_ms
        work()
        return take_mark().cpu_ms - before_ms

    def thread_cpu_ms(self) -> float:
        """CPU time of this thread so far."""
        return 1000 * time.thread_time()
