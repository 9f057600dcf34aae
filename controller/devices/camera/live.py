"""`LiveCamera`: any `FrameSource` as a `controller.ports.devices.Camera`.

Reads the source in one thread, keeps the newest frame and reopens a source that was lost. With
`threaded=False` there is no thread: `wait` reads. Use a stepped clock then.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Protocol

import cv2
import numpy as np

from controller.devices import sentences
from controller.devices.worker import (
    DeviceError,
    ReconnectingWorker,
    close_quietly,
    defect_sentence,
)
from controller.ports.devices import CameraDetails, Clock, Frame, Pixels
from controller.ports.events import DeviceEvent, DeviceLost, DeviceRemark
from engine.sentences import Sentence

log = logging.getLogger(__name__)

FROZEN_AFTER_MS = 3_000.0  # without a new frame
OPEN_TIMEOUT_MS = 15_000.0  # a USB camera may take seconds to start and to settle its exposure


class CameraUnavailable(DeviceError):
    """The source does not answer now; it may later."""


class SourceEnded(DeviceError):
    """The source gives no more frames."""


class FrameSource(Protocol):
    """A kind of camera. Every method may block."""

    @property
    def name(self) -> str:
        """Its URL without the options."""

    @property
    def interval_ms(self) -> float:
        """Time between two reads; 0 if the device itself sets the pace."""

    def open(self) -> CameraDetails:
        """Open the device, also after a loss. Raises `CameraUnavailable` or `SourceEnded`."""

    def read(self) -> Pixels | None:
        """The next image, grey or BGR; None if it was damaged.

        The caller owns the array. Raises `CameraUnavailable` or `SourceEnded`.
        """

    def remarks(self) -> list[Sentence]:
        """Sentences for people since the last call."""

    def close(self) -> None:
        """Release the device; allowed when it is not open."""


class LiveCamera(ReconnectingWorker):
    """Reads a source continuously."""

    join_s = 2.0
    exit_join_s = 5.0  # Python aborts if it ends while a thread runs C++ code
    first_retry_ms, longest_retry_ms = 500.0, 8_000.0
    longest_sleep_ms = 25.0

    def __init__(self, source: FrameSource, clock: Clock, threaded: bool = True) -> None:
        super().__init__(clock)
        self._source = source
        # Guarded by `_changed`:
        self._frame: Frame | None = None
        self._details: CameraDetails | None = None
        self._event_pending = False  # an event that made no `wait` return yet
        self._ended = False
        self._frozen_at_ms = clock.now_ms() + OPEN_TIMEOUT_MS
        if threaded:
            self._start(source.name)

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
                self._check_for_silence()
                if self._closed:
                    return None
                if self._frame is not None and self._frame.number > after:
                    return self._frame
                left_ms = until_ms - self._clock.now_ms()
                if self._event_pending or left_ms <= 0:
                    self._event_pending = False
                    return None
                if self._thread is not None:
                    # Short, because a thread that hangs does not notify.
                    self._changed.wait(min(left_ms, FROZEN_AFTER_MS / 10) / 1000)
                    continue
            self._step(until_ms)

    def events(self) -> list[DeviceEvent]:
        with self._changed:
            self._check_for_silence()
            self._event_pending = False
            return super().events()

    def details(self) -> CameraDetails | None:
        with self._changed:
            return self._details

    def _run(self) -> None:
        while not self._closed and not self._ended:
            self._step(float("inf"))

    def _step(self, until_ms: float) -> None:
        """Open or read the source if that is due, else sleep."""
        due_ms = until_ms if self._ended else min(self._next_ms, until_ms)
        with self._changed:
            left_ms = due_ms - self._clock.now_ms()
            if self._ended or left_ms > 0:
                self._sleep(max(left_ms, 0.0))
                return
        try:
            self._read_frame() if self._is_open else self._open_source()
        except SourceEnded as end:
            self._end(end.sentence)
        except CameraUnavailable as gone:
            self._report_lost(gone.sentence)
        except Exception as defect:
            log.exception("%s: the driver failed", self.name)
            self._report_lost(defect_sentence(defect))
        self._add_remarks(self._source.remarks())

    def _open_source(self) -> None:
        details = self._source.open()
        self._is_open = True
        with self._changed:
            before, self._details = self._details, details
            # Keeps the rest of OPEN_TIMEOUT_MS if that is longer.
            self._frozen_at_ms = max(self._frozen_at_ms, self._clock.now_ms() + FROZEN_AFTER_MS)
        if before is None or before.remarks != details.remarks:
            self._add_remarks(details.remarks)

    def _read_frame(self) -> None:
        started_ms = self._clock.now_ms()
        image = self._source.read()
        now_ms = self._clock.now_ms()
        # Counted from the time it was due, to keep the rate; lost time is not made up.
        self._next_ms = max(started_ms, self._next_ms) + self._source.interval_ms
        if image is None:
            if now_ms > self._frozen_at_ms:
                raise CameraUnavailable(sentences.NO_GOOD_IMAGE(seconds=FROZEN_AFTER_MS / 1000))
            return
        bgr = image if image.ndim == 3 else None
        grey = image
        if bgr is not None:
            grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        for array in (grey, image):
            array.setflags(write=False)
        self._retry_ms = self.first_retry_ms
        with self._changed:
            number = 1 if self._frame is None else self._frame.number + 1
            self._frame = Frame(grey, now_ms, number, bgr)
            self._frozen_at_ms = now_ms + FROZEN_AFTER_MS + self._source.interval_ms
            self._report_back()
            self._changed.notify_all()

    def _end(self, reason: Sentence) -> None:
        self._is_open = False
        with self._changed:
            self._lost = self._ended = True
            self._add_event(DeviceLost(self.name, reason, self._clock.now_ms(), is_permanent=True))

    def _close_device(self) -> None:
        close_quietly(self._source.close, self.name)

    def _finish(self) -> None:
        self._close_device()

    def _add_remarks(self, remarks: Iterable[Sentence]) -> None:
        for sentence in remarks:
            self._add_event(DeviceRemark(self.name, sentence, self._clock.now_ms()))

    def _check_for_silence(self) -> None:
        """Report a loss if the thread hangs in the driver: only the caller can notice that."""
        if self._lost or self._ended or self._closed or self._thread is None:
            return
        now_ms = self._clock.now_ms()
        if now_ms > self._frozen_at_ms:
            self._lost = True
            reason = sentences.IMAGES_STOPPED() if self._details else sentences.DOES_NOT_START()
            log.info("%s is lost: %s", self.name, reason)
            self._add_event(DeviceLost(self.name, reason, now_ms))

    def _add_event(self, event: DeviceEvent) -> None:
        with self._changed:
            self._event_pending = True
            super()._add_event(event)
