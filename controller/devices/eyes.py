"""A camera and the reader: pictures of the table become observations, in a thread of their own
or, where time is simulated, whenever somebody asks."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from controller.devices.camera import leave_behind
from controller.ports import Camera, DeviceBack, DeviceEvent, DeviceLost, Frame
from controller.session_values import Observed
from controller.sight import Glimpse
from engine.grid import Cell
from vision.decode import prepare
from vision.observation import Problem
from vision.pose import detect
from vision.reader import Reader
from vision.strays import strays

WAIT_MS, GLANCE_MS = 200.0, 0.5
MOST_WAITING = 4  # observations that nobody fetched: then the reader waits
CLOSER_MS = 1_500.0  # between two looks at the whole picture

Seen = Observed | DeviceEvent


class Sight:
    """Reads pictures; where a table at rest puzzles people, it looks through them whole."""

    def __init__(self, reader: Reader, described: Callable[[int], str]) -> None:
        self._reader, self._described = reader, described
        self._puzzled = False
        self._due_ms = 0.0
        self._strays: tuple[Problem, ...] = ()
        self._glimpse: Glimpse | None = None

    def prepare(self) -> None:
        """All that reading needs before the first picture: most of a second, or several on a Pi."""
        prepare(self._reader.tags)

    def glimpse(self) -> Glimpse | None:
        """May be called from another thread."""
        return self._glimpse

    def mind(self, lit: frozenset[Cell], puzzled: bool) -> None:
        """May be called from another thread."""
        self._reader.lit = lit
        self._puzzled = puzzled

    def read(self, frame: Frame) -> Observed:
        seen = self._reader.read(frame.grey)
        lock = self._reader.lock
        if not self._puzzled or lock is None or not seen.locked:
            self._strays, self._due_ms = (), frame.at_ms
        elif frame.at_ms >= self._due_ms:
            self._due_ms = frame.at_ms + CLOSER_MS
            found, reader = detect(frame.grey, ()), self._reader
            self._strays = tuple(
                strays(found, reader.board, lock.view, seen, reader.tags, self._described)
            )
        if self._strays:
            seen = replace(seen, problems=(*seen.problems, *self._strays))
        self._glimpse = Glimpse(frame, lock, seen)
        return Observed(seen, frame.at_ms)


class Glances:
    """Reads a picture when it is asked and one is due. For a camera without a thread."""

    def __init__(self, camera: Camera, sight: Sight) -> None:
        self._camera, self._sight = camera, sight
        self.mind, self.glimpse = sight.mind, sight.glimpse
        sight.prepare()
        self._number = 0
        self._resting = False

    def seen(self) -> list[Seen]:
        found: list[Seen] = []
        if not self._resting:
            frame = self._camera.wait(self._number, GLANCE_MS)
            if frame is not None:
                self._number = frame.number
                found.append(self._sight.read(frame))
        return [*self._camera.events(), *found]

    def rest(self, resting: bool) -> None:
        self._resting = resting

    def close(self) -> None:
        self._camera.close()


class Watching:
    """Reads every picture as it comes; `told` is called from its thread when there is news."""

    def __init__(self, camera: Camera, sight: Sight, told: Callable[[], None]) -> None:
        self._camera, self._sight, self._told = camera, sight, told
        self.mind, self.glimpse = sight.mind, sight.glimpse
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._seen: deque[Seen] = deque()
        self._resting = self._closed = False
        # Only for the thread:
        self._unread = False  # the newest picture could not be read
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def seen(self) -> list[Seen]:
        with self._changed:
            found = list(self._seen)
            self._seen.clear()
            self._changed.notify_all()
            return found

    def rest(self, resting: bool) -> None:
        with self._changed:
            self._resting = resting
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._camera.close()
        leave_behind(self._thread)

    def _run(self) -> None:
        with contextlib.suppress(Exception):  # a defect shows with the first picture, and is told
            self._sight.prepare()
        number = 0
        while self._wanted():
            frame = self._camera.wait(number, WAIT_MS)
            news: list[Seen] = list(self._camera.events())
            if news:  # the camera's own word is the newest
                self._unread = False
            if frame is not None:
                number = frame.number
                news += self._read(frame)
            if news:
                with self._changed:
                    self._seen.extend(news)
                self._told()

    def _read(self, frame: Frame) -> list[Seen]:
        """What a picture shows; one that cannot be read is told like a camera that is gone."""
        before, name = self._unread, self._camera.name
        try:
            seen = self._sight.read(frame)
        except Exception as defect:  # of the reader: the thread must not die in silence
            self._unread = True
            reason = f"its pictures cannot be read: {type(defect).__name__}: {defect}"
            return [] if before else [DeviceLost(name, reason, frame.at_ms)]
        self._unread = False
        return [DeviceBack(name, frame.at_ms), seen] if before else [seen]

    def _wanted(self) -> bool:
        """Whether to go on; waits while nobody wants to see anything."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or not (self._resting or len(self._seen) >= MOST_WAITING)
            )
            return not self._closed
