"""A stopwatch at every place that a turn passes on its way from a frame to the first byte of its
light; for benchmarks. What is timed is the real device, with a mark set before or behind it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from controller.devices.bare import Board
from controller.devices.journal_file import Disk, JournalFile
from controller.devices.leds import LiveLeds, MatrixSettings
from controller.devices.leds_port import Port
from controller.devices.leds_serial import SerialLink
from controller.ports import CameraDetails, Clock, DeviceEvent, Frame, MatrixDetails, Pixels


class Moment(NamedTuple):
    """Time as it passes, and what all threads of this process have worked by then."""

    wall_ms: float
    cpu_ms: float


Lap = dict[str, Moment]


def now() -> Moment:
    return Moment(time.perf_counter() * 1000, time.process_time() * 1000)


class Stopwatch:
    """The moments of one turn, by the place where they were noted."""

    def __init__(self) -> None:
        self.lap: Lap = {}
        self.beams: list[Pixels] = []  # the pictures that were asked for since the fire
        self.sync_cpu_ms = 0.0
        self.finished = threading.Event()

    def start(self) -> None:
        self.finished.clear()
        self.beams = []
        self.lap = {"frame": now()}

    def mark(self, place: str) -> None:
        """The first time in a lap counts."""
        self.lap.setdefault(place, now())

    def finish(self, place: str, moment: Moment) -> None:
        if not self.finished.is_set():
            self.lap[place] = moment
            self.finished.set()


class HandedCamera:
    """Gives one picture, at the moment that somebody says so."""

    name = "handed://"

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch
        self._changed = threading.Condition()
        self._frame: Frame | None = None

    def hand_over(self, grey: Pixels, at_ms: float) -> None:
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
        """Whoever waits is let go."""
        with self._changed:
            self._changed.notify_all()


class TimedDisk(Disk):
    """The real disk; how long its sync takes is noted."""

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    def sync(self, file: int) -> None:
        before_s = time.thread_time()
        self._watch.mark("syncing")
        super().sync(file)
        self._watch.mark("synced")
        self._watch.sync_cpu_ms = 1000 * (time.thread_time() - before_s)


class TimedJournal(JournalFile):
    """A journal on that disk; when it is asked to write is noted."""

    def __init__(
        self, path: Path, clock: Clock, watch: Stopwatch, told: Callable[[], None]
    ) -> None:
        self._watch = watch
        super().__init__(path, clock, new=True, disk=TimedDisk(watch), told=told)

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        self._watch.mark("asked")
        return super().write(kind, body, at_ms)


class TimedPort(Port):
    """An open port, taken over; remembers when it first took bytes since it was last asked."""

    def __init__(self, port: Port) -> None:
        vars(self).update(vars(port))
        self.taken: Moment | None = None

    def write(self, sent: bytes, patience_s: float) -> None:
        super().write(sent, patience_s)
        if self.taken is None:
            self.taken = now()


class TimedLink(SerialLink):
    """The real serial driver; the first byte of a beam ends the lap."""

    def __init__(self, place: str, settings: MatrixSettings, watch: Stopwatch) -> None:
        super().__init__(place, settings)
        self._watch = watch
        self._port: TimedPort | None = None

    def open(self) -> MatrixDetails:
        details = super().open()
        assert self._talk is not None
        self._talk.port = self._port = TimedPort(self._talk.port)
        return details

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        assert self._port is not None
        self._port.taken = None
        super().send(picture, before)
        # A guide's picture may be on its way still when the beam's is asked for.
        beam = any(np.array_equal(picture, each) for each in self._watch.beams)
        if beam and self._port.taken is not None:
            self._watch.finish("byte", self._port.taken)


class TimedLeds(LiveLeds):
    """The LEDs of the firmware's own core on a pty; when a beam's first picture comes is noted."""

    def __init__(self, settings: MatrixSettings, clock: Clock, watch: Stopwatch) -> None:
        self._watch, self._board = watch, Board()
        super().__init__(TimedLink(self._board.path, settings, watch), clock)

    def show(self, picture: Pixels) -> int:
        if "fire" in self._watch.lap:
            self._watch.mark("show")
            self._watch.beams.append(picture)
        return super().show(picture)

    def close(self) -> None:
        super().close()
        self._board.close()


class Instruments:
    """All that one benchmark measures with: one stopwatch, and the devices that it is put at."""

    def __init__(self, settings: MatrixSettings, clock: Clock) -> None:
        self.watch, self._clock = Stopwatch(), clock
        self.leds = TimedLeds(settings, clock, self.watch)

    def camera(self) -> HandedCamera:
        return HandedCamera(self.watch)

    def journal(self, path: Path, told: Callable[[], None]) -> TimedJournal:
        return TimedJournal(path, self._clock, self.watch, told)

    def cpu_ms(self, work: Callable[[], object]) -> float:
        """What the whole process works meanwhile."""
        before_ms = now().cpu_ms
        work()
        return now().cpu_ms - before_ms

    def own_cpu_ms(self) -> float:
        """What this thread alone has worked so far."""
        return 1000 * time.thread_time()
