"""A camera and the reader: pictures of the table become observations, in a thread of their own
or, where time is simulated, whenever somebody asks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from controller.ports import Camera, DeviceEvent
from controller.session_values import Observed
from engine.grid import Cell
from vision.reader import Reader

WAIT_MS, GLANCE_MS = 200.0, 0.5
MOST_WAITING = 4  # observations that nobody fetched: then the reader waits
JOIN_SECONDS = 2.0

Seen = Observed | DeviceEvent


class Glances:
    """Reads a picture when it is asked and one is due. For a camera without a thread."""

    def __init__(self, camera: Camera, reader: Reader) -> None:
        self._camera, self._reader = camera, reader
        self._number = 0
        self._resting = False

    def seen(self) -> list[Seen]:
        found: list[Seen] = []
        if not self._resting:
            frame = self._camera.wait(self._number, GLANCE_MS)
            if frame is not None:
                self._number = frame.number
                found.append(Observed(self._reader.read(frame.grey), frame.at_ms))
        return [*self._camera.events(), *found]

    def rest(self, resting: bool) -> None:
        self._resting = resting

    def mind(self, lit: frozenset[Cell]) -> None:
        self._reader.lit = lit

    def close(self) -> None:
        self._camera.close()


class Watching:
    """Reads every picture as it comes; `told` is called from its thread when there is news."""

    def __init__(self, camera: Camera, reader: Reader, told: Callable[[], None]) -> None:
        self._camera, self._reader, self._told = camera, reader, told
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._seen: deque[Seen] = deque()
        self._resting = self._closed = False
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

    def mind(self, lit: frozenset[Cell]) -> None:
        self._reader.lit = lit

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._camera.close()
        self._thread.join(JOIN_SECONDS)

    def _run(self) -> None:
        number = 0
        while self._wanted():
            frame = self._camera.wait(number, WAIT_MS)
            news: list[Seen] = list(self._camera.events())
            if frame is not None:
                number = frame.number
                news.append(Observed(self._reader.read(frame.grey), frame.at_ms))
            if news:
                with self._changed:
                    self._seen.extend(news)
                self._told()

    def _wanted(self) -> bool:
        """Whether to go on; waits while nobody wants to see anything."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or not (self._resting or len(self._seen) >= MOST_WAITING)
            )
            return not self._closed
