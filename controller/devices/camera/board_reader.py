"""Reads the frames of a camera into observations: in a thread, or where time is simulated, when
the game loop polls."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from controller.devices import sentences
from controller.devices.worker import Worker, defect_sentence
from controller.ports.devices import Camera, Frame
from controller.ports.events import DeviceBack, DeviceEvent, DeviceLost
from controller.ports.frames import CapturedFrame, Observed
from engine.grid import Cell
from engine.sentences import Sentence
from vision.board_lock import detect_tags
from vision.decode import prepare
from vision.observation import Problem
from vision.reader import Reader
from vision.stray_tags import find_stray_tags

log = logging.getLogger(__name__)

WAIT_MS, POLL_MS = 200.0, 0.5
MAX_QUEUED = 4  # unread events: then the thread stops reading frames
STRAY_SEARCH_MS = 1_500.0  # between two searches of the whole frame

ReaderEvent = Observed | DeviceEvent


class FrameReader:
    """Reads frames. With `look_closer` it also searches the whole frame for stray tags."""

    def __init__(self, reader: Reader, describe_tag: Callable[[int], Sentence]) -> None:
        self._reader, self._describe_tag = reader, describe_tag
        self._look_closer = False
        self._stray_search_due_ms = 0.0
        self._strays: tuple[Problem, ...] = ()
        self._last_frame: CapturedFrame | None = None

    def prepare(self) -> None:
        """Build the decoder's tables: most of a second, several seconds on a Pi."""
        prepare(self._reader.tags)

    def last_frame(self) -> CapturedFrame | None:
        """Safe to call from another thread."""
        return self._last_frame

    def set_context(self, lit_cells: frozenset[Cell], look_closer: bool) -> None:
        """Safe to call from another thread."""
        self._reader.lit_cells = lit_cells
        self._look_closer = look_closer

    def read(self, frame: Frame) -> Observed:
        seen = self._reader.read(frame.grey)
        lock = self._reader.lock
        if not self._look_closer or lock is None or not seen.locked:
            self._strays, self._stray_search_due_ms = (), frame.at_ms
        elif frame.at_ms >= self._stray_search_due_ms:
            self._stray_search_due_ms = frame.at_ms + STRAY_SEARCH_MS
            detected, reader = detect_tags(frame.grey, ()), self._reader
            self._strays = tuple(
                find_stray_tags(
                    detected, reader.board, lock.camera, seen, reader.tags, self._describe_tag
                )
            )
        if self._strays:
            seen = replace(seen, problems=(*seen.problems, *self._strays))
        self._last_frame = CapturedFrame(frame, lock, seen)
        return Observed(seen, frame.at_ms)


class PolledReader:
    """Reads a frame when polled and a frame is due. For a camera without a thread."""

    def __init__(self, camera: Camera, frame_reader: FrameReader) -> None:
        self._camera, self._frame_reader = camera, frame_reader
        self.set_context, self.last_frame = frame_reader.set_context, frame_reader.last_frame
        frame_reader.prepare()
        self._frame_number = 0
        self._paused = False

    def read_events(self) -> list[ReaderEvent]:
        observed: list[ReaderEvent] = []
        if not self._paused:
            frame = self._camera.wait(self._frame_number, POLL_MS)
            if frame is not None:
                self._frame_number = frame.number
                observed.append(self._frame_reader.read(frame))
        return [*self._camera.events(), *observed]

    def pause(self, paused: bool) -> None:
        self._paused = paused

    def close(self) -> None:
        self._camera.close()


class ThreadedReader(Worker[ReaderEvent]):
    """Reads every frame in a thread, and calls `on_event` from it after each new event."""

    exit_join_s = 5.0  # as for the camera: the thread may run C++ code

    def __init__(
        self, camera: Camera, frame_reader: FrameReader, on_event: Callable[[], None]
    ) -> None:
        super().__init__()
        self._camera, self._frame_reader, self._on_event = camera, frame_reader, on_event
        self.set_context, self.last_frame = frame_reader.set_context, frame_reader.last_frame
        self._paused = False  # guarded by `_changed`
        self._last_frame_unreadable = False  # used by the thread only
        self._start("board reader")

    def read_events(self) -> list[ReaderEvent]:
        with self._changed:
            self._changed.notify_all()
            return self.events()

    def pause(self, paused: bool) -> None:
        with self._changed:
            self._paused = paused
            self._changed.notify_all()

    def _on_close(self) -> None:
        self._camera.close()

    def _run(self) -> None:
        try:
            self._frame_reader.prepare()
        except Exception:  # it fails again with the first frame, which is reported
            log.exception("%s: cannot prepare the reader", self._camera.name)
        number = 0
        while self._wait_for_demand():
            frame = self._camera.wait(number, WAIT_MS)
            events: list[ReaderEvent] = list(self._camera.events())
            if events:
                self._last_frame_unreadable = False  # the camera's own event is newer
            if frame is not None:
                number = frame.number
                events += self._read(frame)
            if events:
                with self._changed:
                    self._events.extend(events)
                self._on_event()

    def _report_defect(self, defect: Exception) -> None:
        last = self._frame_reader.last_frame()
        at_ms = 0.0 if last is None else last.frame.at_ms
        reason = defect_sentence(defect)
        self._add_event(DeviceLost(self._camera.name, reason, at_ms, is_permanent=True))
        self._on_event()

    def _read(self, frame: Frame) -> list[ReaderEvent]:
        """The events of a frame. A frame that cannot be read counts as a lost camera."""
        was_unreadable, name = self._last_frame_unreadable, self._camera.name
        try:
            observed = self._frame_reader.read(frame)
        except Exception as defect:
            self._last_frame_unreadable = True
            if was_unreadable:
                log.debug("%s: the frame cannot be read", name, exc_info=True)
                return []
            log.exception("%s: the frame cannot be read", name)
            reason = sentences.IMAGES_UNREADABLE(error=type(defect).__name__, message=str(defect))
            return [DeviceLost(name, reason, frame.at_ms)]
        self._last_frame_unreadable = False
        return [DeviceBack(name, frame.at_ms), observed] if was_unreadable else [observed]

    def _wait_for_demand(self) -> bool:
        """Wait while paused or while the events are not fetched; False after `close`."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or not (self._paused or len(self._events) >= MAX_QUEUED)
            )
            return not self._closed
