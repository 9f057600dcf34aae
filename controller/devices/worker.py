"""The thread behind a device. Callers run on the game loop and must not block, so a worker thread
does the slow part. Both sides share state under one condition; the worker reports by events."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

from controller.devices import sentences
from controller.ports.devices import Clock
from controller.ports.events import DeviceBack, DeviceEvent, DeviceLost
from engine.sentences import Sentence

log = logging.getLogger(__name__)

UNTHREADED_SLEEP_MS = 25.0

Event = TypeVar("Event")


class DeviceError(Exception):
    """Base of the errors by which the drivers report a device. `sentence` is the reason."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(sentence)


def defect_sentence(defect: Exception) -> Sentence:
    """An unexpected error of a driver: `KeyError: 'AnalogueGain'`"""
    return sentences.DEFECT(error=type(defect).__name__, message=str(defect))


class Worker(Generic[Event]):
    """One daemon thread, one condition, one list of events.

    A subclass sets its fields and then calls `_start`. The thread runs `_run`, which returns soon
    after `_closed` is set, and then `_finish`. Without `_start` there is no thread: the calls of
    the owner do the work, and `close` runs `_finish`.
    """

    join_s: ClassVar[float] = 2.0  # `close` waits that long; a thread that hangs is abandoned
    exit_join_s: ClassVar[float] = 0.0  # Python waits that long for an abandoned thread at exit

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._closed = False  # guarded by `_changed`, like `_events`
        self._events: list[Event] = []
        self._thread: threading.Thread | None = None

    def events(self) -> list[Event]:
        with self._changed:
            events, self._events = self._events, []
            return events

    def close(self) -> None:
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        self._on_close()
        if self._thread is None:
            self._finish()
        elif self._thread is not threading.current_thread():
            self._thread.join(self.join_s)
            if self._thread.is_alive():
                log.warning("%s hangs: abandoned", self._thread.name)
                if self.exit_join_s:
                    atexit.register(self._thread.join, self.exit_join_s)

    def _start(self, name: str) -> None:
        self._thread = threading.Thread(target=self._main, name=name, daemon=True)
        self._thread.start()

    def _main(self) -> None:
        try:
            self._run()
        except Exception as defect:
            log.exception("%s: the thread died", threading.current_thread().name)
            self._report_defect(defect)
        finally:
            self._finish()

    def _run(self) -> None:
        raise NotImplementedError

    def _report_defect(self, defect: Exception) -> None:
        """Tell the owner that the thread died. Runs in the thread."""

    def _on_close(self) -> None:
        """Interrupt a blocking call of the thread. Runs in the thread that closes."""

    def _finish(self) -> None:
        """Release the device."""

    def _add_event(self, event: Event) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()


class ReconnectingWorker(Worker[DeviceEvent]):
    """Drives a device that may be lost and come back. Waits twice as long after each failed try.

    `_step` does the work that is due, or sleeps. It calls `_report_lost` when the device fails,
    and `_report_back` when it works.
    """

    first_retry_ms: ClassVar[float]
    longest_retry_ms: ClassVar[float]
    longest_sleep_ms: ClassVar[float]

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        # Guarded by `_changed`:
        self._lost = False
        self._loss_count = 0
        # Used by the thread only:
        self._is_open = False
        self._retry_ms = self.first_retry_ms
        self._next_ms = clock.now_ms()  # when there is work even if no caller asks for any

    @property
    def name(self) -> str:
        raise NotImplementedError

    def _run(self) -> None:
        while not self._closed:
            self._step(float("inf"))

    def _step(self, until_ms: float) -> None:
        raise NotImplementedError

    def _close_device(self) -> None:
        raise NotImplementedError

    def _report_lost(self, reason: Sentence) -> None:
        """Close the device and plan the next try. Only the first of several losses is an event."""
        self._is_open = False
        now_ms = self._clock.now_ms()
        with self._changed:
            if not self._lost:
                self._lost = True
                self._loss_count += 1
                log.info("%s is lost: %s", self.name, reason)
                self._add_event(DeviceLost(self.name, reason, now_ms))
        self._close_device()
        self._next_ms = now_ms + self._retry_ms
        self._retry_ms = min(2 * self._retry_ms, self.longest_retry_ms)

    def _report_defect(self, defect: Exception) -> None:
        reason, now_ms = defect_sentence(defect), self._clock.now_ms()
        self._add_event(DeviceLost(self.name, reason, now_ms, is_permanent=True))

    def _report_back(self) -> None:
        with self._changed:
            if self._lost:
                self._lost = False
                log.info("%s is back", self.name)
                self._add_event(DeviceBack(self.name, self._clock.now_ms()))

    def _sleep(self, duration_ms: float) -> None:
        """Let time pass until something changes. Call with `_changed` held."""
        if self._thread is None:
            self._clock.wait_ms(min(duration_ms, UNTHREADED_SLEEP_MS))
        elif not self._closed:
            self._changed.wait(min(duration_ms, self.longest_sleep_ms) / 1000)


def close_quietly(close: Callable[[], object], name: str) -> None:
    """Close a device that may be gone already: a failure is logged, not raised."""
    try:
        close()
    except Exception:
        log.warning("%s: closing it failed", name, exc_info=True)
