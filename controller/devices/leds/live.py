"""`LiveLeds`: any `LedLink` as a `controller.ports.devices.LedMatrix`.

One thread sends the newest picture, keeps the matrix alive, and reopens a link that was lost. With
`threaded=False` there is no thread: `wait` sends. Use a stepped clock then.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from controller.devices import sentences
from controller.devices.worker import (
    UNTHREADED_SLEEP_MS,
    DeviceError,
    ReconnectingWorker,
    close_quietly,
    defect_sentence,
)
from controller.lighting.output import BadPictureSize
from controller.ports.devices import Clock, LedStats, MatrixDetails, Pixels
from engine.sentences import Sentence

log = logging.getLogger(__name__)

LATENCY_SAMPLES = 32  # in the average

Result = TypeVar("Result")


class LedsUnavailable(DeviceError):
    """The matrix does not answer now; it may later."""


class PictureLost(Exception):
    """The matrix answers but no longer shows its picture: send the whole picture again."""


@dataclass(frozen=True, slots=True)
class MatrixSettings:
    """How the LEDs are built, from the board file."""

    leds_per_lane: tuple[int, ...]
    color_order: str = "GRB"
    limit_ma: int = 3000
    ma_per_led: int = 55
    watchdog_ms: int = 500

    @property
    def led_count(self) -> int:
        return sum(self.leds_per_lane)


@dataclass(slots=True)
class LinkCounts:
    """Statistics of a link, counted by its thread."""

    retries: int = 0
    nacks: int = 0
    unanswered: int = 0
    restarts: int = 0


@dataclass(slots=True)
class _PictureCounts:
    shown: int = 0
    acknowledged: int = 0
    skipped: int = 0


class LedLink(Protocol):
    """A kind of LED matrix. Every method may block."""

    @property
    def name(self) -> str:
        """Its URL without the options."""

    @property
    def led_count(self) -> int: ...

    @property
    def keep_alive_ms(self) -> float:
        """The longest allowed time between two messages."""

    @property
    def counts(self) -> LinkCounts: ...

    def open(self) -> MatrixDetails:
        """Open the device, also after a loss. Raises `LedsUnavailable`."""

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        """Show a picture. Returns when it is acknowledged, or sent if the device does not answer.

        `before` is the picture that is shown now; None: unknown. Raises `LedsUnavailable`.
        """

    def keep_alive(self) -> None:
        """Reset the device's watchdog. Raises `LedsUnavailable` or `PictureLost`."""

    def blank(self) -> None:
        """Make all LEDs dark. Raises `LedsUnavailable`."""

    def close(self) -> None:
        """Release the device; allowed when it is not open."""


class LiveLeds(ReconnectingWorker):
    """Sends the newest picture over a link; pictures in between are skipped."""

    join_s = 3.0
    first_retry_ms, longest_retry_ms = 100.0, 5_000.0
    longest_sleep_ms = 60_000.0

    def __init__(self, link: LedLink, clock: Clock, threaded: bool = True) -> None:
        super().__init__(clock)
        self.link = link
        # Guarded by `_changed`:
        self._newest: Pixels | None = None
        self._newest_number = 0
        self._newest_at_ms = 0.0  # when `show` was called
        self._send_pending = False  # the newest picture is not sent yet
        self._resend_pending = False  # the newest picture was acknowledged once and got lost
        self._confirmed_number = 0  # of the picture that is shown now
        self._shown: Pixels | None = None
        self._link_calls: deque[Callable[[], None]] = deque()
        self._counts = _PictureCounts()
        self._link_counts = replace(link.counts)
        self._latencies_ms: deque[float] = deque(maxlen=LATENCY_SAMPLES)
        self._details: MatrixDetails | None = None
        if threaded:
            self._start(link.name)

    @property
    def name(self) -> str:
        return self.link.name

    def show(self, picture: Pixels) -> int:
        if picture.shape != (self.link.led_count, 3) or picture.dtype != np.uint8:
            raise BadPictureSize(
                sentences.WRONG_PICTURE(
                    leds=self.name,
                    shape=str(picture.shape),
                    type=str(picture.dtype),
                    count=self.link.led_count,
                )
            )
        kept = np.array(picture, order="C")
        kept.setflags(write=False)
        with self._changed:
            if self._send_pending:
                self._counts.skipped += 1
            self._newest, self._newest_at_ms = kept, self._clock.now_ms()
            self._newest_number += 1
            self._send_pending = True
            self._counts.shown += 1
            self._changed.notify_all()
            return self._newest_number

    def wait(self, number: int, timeout_ms: float) -> bool:
        until_ms = self._clock.now_ms() + timeout_ms
        while True:
            with self._changed:
                if number <= self._confirmed_number:
                    return True
                left_ms = until_ms - self._clock.now_ms()
                if self._closed or left_ms <= 0:
                    return False
                if self._thread is not None:
                    self._changed.wait(left_ms / 1000)
                    continue
            self._step(until_ms)

    def shown(self) -> Pixels | None:
        with self._changed:
            return self._shown

    def details(self) -> MatrixDetails | None:
        with self._changed:
            return self._details

    def stats(self) -> LedStats:
        with self._changed:
            ours, links, latencies = self._counts, self._link_counts, self._latencies_ms
            return LedStats(
                ours.shown,
                ours.acknowledged,
                ours.skipped,
                links.retries,
                links.nacks,
                links.unanswered,
                self._loss_count,
                links.restarts,
                sum(latencies) / len(latencies) if latencies else 0.0,
            )

    def call_on_link_thread(self, call: Callable[[], Result], timeout_ms: float) -> Result:
        """Run `call` between two pictures in the thread that owns the link, and wait for it.

        Raises `LedsUnavailable` if the matrix is away for so long.
        """
        results: list[Result] = []
        errors: list[Exception] = []

        def run() -> None:
            try:
                results.append(call())
            except LedsUnavailable as gone:
                errors.append(gone)
                raise
            except Exception as error:
                log.debug("%s: the call failed in the caller's own code", self.name, exc_info=True)
                errors.append(error)  # raised again in the caller's thread

        with self._changed:
            self._link_calls.append(run)
            self._changed.notify_all()
        until_ms = self._clock.now_ms() + timeout_ms
        while not results and not errors:
            with self._changed:
                left_ms = until_ms - self._clock.now_ms()
                if self._closed or left_ms <= 0:
                    with contextlib.suppress(ValueError):  # it runs at this moment
                        self._link_calls.remove(run)
                    raise LedsUnavailable(sentences.NO_ANSWER_WITHIN(leds=self.name, ms=timeout_ms))
                if self._thread is not None:
                    self._changed.wait(min(left_ms, UNTHREADED_SLEEP_MS) / 1000)
                    continue
            self._step(until_ms)
        if errors:
            raise errors[0]
        return results[0]

    def _step(self, until_ms: float) -> None:
        """Open, send or keep alive if that is due, else sleep."""
        with self._changed:
            if self._closed:  # `close` may have notified before this thread waited
                return
            now_ms = self._clock.now_ms()
            has_work = self._is_open and (
                self._send_pending or self._resend_pending or bool(self._link_calls)
            )
            if not has_work and now_ms < self._next_ms:
                self._sleep(min(self._next_ms, until_ms) - now_ms)
                return
        try:
            self._send_next() if self._is_open else self._open_link()
        except PictureLost:
            self._plan_keep_alive()
            self._mark_dark()
        except LedsUnavailable as gone:
            self._lose(gone.sentence)
        except Exception as defect:
            log.exception("%s: the driver failed", self.name)
            self._lose(defect_sentence(defect))
        with self._changed:
            self._link_counts = replace(self.link.counts)
            self._changed.notify_all()

    def _open_link(self) -> None:
        details = self.link.open()
        self._is_open = True
        self._plan_keep_alive()
        with self._changed:
            self._details = details
            if not (self._send_pending or self._resend_pending):
                self._report_back()

    def _send_next(self) -> None:
        with self._changed:
            call = self._link_calls.popleft() if self._link_calls else None
            picture, before = self._newest, self._shown
            number, asked_ms = self._newest_number, self._newest_at_ms
            is_new, has_picture = self._send_pending, self._send_pending or self._resend_pending
            if call is None and has_picture:
                self._send_pending = self._resend_pending = False
        if call is not None:
            call()
        elif has_picture and picture is not None:
            try:
                self.link.send(picture, before)
            except Exception:
                self._requeue(is_new)
                raise
            self._confirm(picture, number, asked_ms, is_new)
        else:
            self.link.keep_alive()
            self._retry_ms = self.first_retry_ms
        self._plan_keep_alive()

    def _requeue(self, is_new: bool) -> None:
        """Try a picture again that did not arrive, unless there is a newer one."""
        with self._changed:
            if not is_new:
                self._resend_pending = True
            elif self._send_pending:
                self._counts.skipped += 1
            else:
                self._send_pending = True

    def _confirm(self, picture: Pixels, number: int, asked_ms: float, is_new: bool) -> None:
        self._retry_ms = self.first_retry_ms
        with self._changed:
            self._shown, self._confirmed_number = picture, number
            if is_new:
                self._counts.acknowledged += 1
                self._latencies_ms.append(self._clock.now_ms() - asked_ms)
            self._report_back()
            self._changed.notify_all()

    def _mark_dark(self) -> None:
        """The matrix is dark: its picture must be sent again as a whole."""
        with self._changed:
            self._resend_pending = self._resend_pending or self._confirmed_number > 0
            self._shown, self._confirmed_number = None, 0

    def _lose(self, reason: Sentence) -> None:
        self._mark_dark()
        self._report_lost(reason)

    def _close_device(self) -> None:
        close_quietly(self.link.close, self.name)

    def _finish(self) -> None:
        if self._is_open:
            close_quietly(self.link.blank, self.name)  # else its watchdog makes it dark
        self._is_open = False
        self._close_device()
        with self._changed:
            self._shown, self._confirmed_number = None, 0
            self._changed.notify_all()

    def _plan_keep_alive(self) -> None:
        self._next_ms = self._clock.now_ms() + self.link.keep_alive_ms
