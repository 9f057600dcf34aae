"""Any camera as a `controller.ports.Camera`: reads a source, keeps the newest frame, survives loss.

A source is one device, opened, read and closed by one thread. With `threaded=False` there is no
thread: `wait` itself reads. A `ManualClock` goes with that, since only then time moves by waiting.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Iterable
from typing import Protocol

import cv2
import numpy as np

from controller.ports import (
    CameraDetails,
    Clock,
    DeviceBack,
    DeviceEvent,
    DeviceLost,
    DeviceRemark,
    Frame,
    Pixels,
)

FIRST_RETRY_MS, LONGEST_RETRY_MS = 500.0, 8_000.0
PATIENCE_MS = 3_000.0  # no new frame for that long: frozen
OPENING_PATIENCE_MS = 15_000.0  # a USB camera may take seconds to start, and settles its exposure
SLICE_MS = 25.0  # how long a sleep goes on after `close`
JOIN_SECONDS = 2.0
LAST_SECONDS = 5.0  # Python must not end while a thread is in the middle of C++: that aborts


class Unavailable(Exception):
    """The source does not answer now; it may later."""


class Ended(Exception):
    """Nothing more will come from the source."""


class Source(Protocol):
    """What a kind of camera has to do; all of it may take its time."""

    @property
    def name(self) -> str:
        """Its URL without the options."""

    @property
    def interval_ms(self) -> float:
        """How far apart to read; 0 where the device itself sets the pace."""

    def open(self) -> CameraDetails:
        """Begin, also after a loss. Raises `Unavailable` or `Ended`."""

    def read(self) -> Pixels | None:
        """The next picture, grey or in colour (blue first); None: that one was no good.

        The array is given away. Raises `Unavailable` or `Ended`.
        """

    def remarks(self) -> list[str]:
        """Sentences since this was last asked."""

    def close(self) -> None:
        """Let the device go; also when it is not open."""


def leave_behind(thread: threading.Thread) -> None:
    """Wait a little for a thread that should end; a driver that hangs is left behind."""
    thread.join(JOIN_SECONDS)
    if thread.is_alive():
        atexit.register(thread.join, LAST_SECONDS)


class LiveCamera:
    """A source that is read all the time."""

    def __init__(self, source: Source, clock: Clock, threaded: bool = True) -> None:
        self._source, self._clock = source, clock
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._frame: Frame | None = None
        self._details: CameraDetails | None = None
        self._events: list[DeviceEvent] = []
        self._untold = False  # an event that made no `wait` return yet
        self._lost = False
        self._over = False
        self._closed = False
        self._alive_until_ms = clock.now_ms() + OPENING_PATIENCE_MS
        # Only for whoever reads:
        self._open = False
        self._retry_ms = FIRST_RETRY_MS
        self._next_ms = clock.now_ms()
        self._thread: threading.Thread | None = None
        if threaded:
            self._thread = threading.Thread(target=self._run, name=source.name, daemon=True)
            self._thread.start()

    @property
    def name(self) -> str:
        return self._source.name

    def latest(self) -> Frame | None:
        with self._changed:
            return self._frame

    def wait(self, after: int, timeout_ms: float) -> Frame | None:
        until_ms = self._clock.now_ms() + timeout_ms
        while True:
            with self._changed:
                self._notice_silence()
                if self._closed:
                    return None
                if self._frame is not None and self._frame.number > after:
                    return self._frame
                left_ms = until_ms - self._clock.now_ms()
                if self._untold or left_ms <= 0:
                    self._untold = False
                    return None
                if self._thread is not None:
                    # Short enough to notice silence, which nobody announces.
                    self._changed.wait(min(left_ms, PATIENCE_MS / 10) / 1000)
                    continue
            self._step(until_ms)

    def events(self) -> list[DeviceEvent]:
        with self._changed:
            self._notice_silence()
            events, self._events = self._events, []
            self._untold = False
            return events

    def details(self) -> CameraDetails | None:
        with self._changed:
            return self._details

    def close(self) -> None:
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        if self._thread is None:
            self._let_go()
        elif self._thread is not threading.current_thread():
            leave_behind(self._thread)

    def _run(self) -> None:
        while not self._closed and not self._over:
            self._step(float("inf"))
        self._let_go()

    def _step(self, until_ms: float) -> None:
        """Read once, or let time pass: to the next moment there is something to do, at most."""
        if self._over:
            self._pass_time(until_ms)
        elif self._next_ms > self._clock.now_ms():
            self._pass_time(min(self._next_ms, until_ms))
        else:
            try:
                self._read() if self._open else self._begin()
            except Ended as end:
                self._lose(str(end), for_good=True)
            except Unavailable as gone:
                self._lose(str(gone))
            except Exception as defect:  # of a driver: the thread must not die in silence
                self._lose(f"{type(defect).__name__}: {defect}")
            self._remark(self._source.remarks())

    def _begin(self) -> None:
        details = self._source.open()
        self._open = True
        with self._changed:
            before, self._details = self._details, details
            # At first the rest of the opening's patience holds, if that is longer.
            self._alive_until_ms = max(self._alive_until_ms, self._clock.now_ms() + PATIENCE_MS)
        if before is None or before.remarks != details.remarks:
            self._remark(details.remarks)

    def _read(self) -> None:
        started_ms = self._clock.now_ms()
        seen = self._source.read()
        now_ms = self._clock.now_ms()
        # From the moment it was due, so that the pace holds; what is late stays late.
        self._next_ms = max(started_ms, self._next_ms) + self._source.interval_ms
        if seen is None:
            if now_ms > self._alive_until_ms:
                raise Unavailable(f"no good picture for {PATIENCE_MS / 1000:g} s")
            return
        bgr = seen if seen.ndim == 3 else None
        grey = seen if bgr is None else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        for array in (grey, seen):
            array.setflags(write=False)
        self._retry_ms = FIRST_RETRY_MS
        with self._changed:
            number = 1 if self._frame is None else self._frame.number + 1
            self._frame = Frame(grey, now_ms, number, bgr)
            self._alive_until_ms = now_ms + PATIENCE_MS + self._source.interval_ms
            if self._lost:
                self._lost = False
                self._tell(DeviceBack(self.name, now_ms))
            self._changed.notify_all()

    def _lose(self, reason: str, for_good: bool = False) -> None:
        """Let the source go and, unless it is gone for good, try again after a while."""
        self._open = False
        now_ms = self._clock.now_ms()
        with self._changed:
            if for_good or not self._lost:
                self._tell(DeviceLost(self.name, reason, now_ms, for_good))
            self._lost = True
            self._over = for_good
        if not for_good:
            self._let_go()
            self._next_ms = now_ms + self._retry_ms
            self._retry_ms = min(2 * self._retry_ms, LONGEST_RETRY_MS)

    def _let_go(self) -> None:
        with contextlib.suppress(Exception):  # of a driver whose device is gone
            self._source.close()

    def _remark(self, sentences: Iterable[str]) -> None:
        with self._changed:
            for sentence in sentences:
                self._tell(DeviceRemark(self.name, sentence, self._clock.now_ms()))

    def _notice_silence(self) -> None:
        """Whoever asks notices that the reader hangs: it cannot tell, it hangs."""
        if self._lost or self._over or self._closed or self._thread is None:
            return
        now_ms = self._clock.now_ms()
        if now_ms > self._alive_until_ms:
            self._lost = True
            reason = "it has stopped sending pictures" if self._details else "it does not start"
            self._tell(DeviceLost(self.name, reason, now_ms))

    def _tell(self, event: DeviceEvent) -> None:
        """Only with `_changed` held."""
        self._events.append(event)
        self._untold = True
        self._changed.notify_all()

    def _pass_time(self, until_ms: float) -> None:
        while not self._closed and (left_ms := until_ms - self._clock.now_ms()) > 0:
            self._clock.wait_ms(min(left_ms, SLICE_MS))
