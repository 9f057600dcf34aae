"""Any LEDs as a `controller.ports.LedMatrix`: sends the newest picture, keeps it, survives loss.

A link is one matrix, opened, written and closed by one thread. With `threaded=False` there is no
thread: `wait` itself sends. A `ManualClock` goes with that, since only then time moves by waiting.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from controller.finish import BadPicture
from controller.ports import (
    Clock,
    DeviceBack,
    DeviceEvent,
    DeviceLost,
    LedStats,
    MatrixDetails,
    Pixels,
)

FIRST_RETRY_MS, LONGEST_RETRY_MS = 100.0, 5_000.0
JOIN_SECONDS = 3.0
LATENCIES = 32  # that the average goes over
SLICE_MS = 25.0  # how long a sleep without a thread goes on

Answer = TypeVar("Answer")


class Unavailable(Exception):
    """The matrix does not answer now; it may later."""


class PictureGone(Exception):
    """The matrix answers, but does not show what it was sent: it wants the whole picture."""


@dataclass(frozen=True, slots=True)
class MatrixSettings:
    """How the LEDs are built, from the board file."""

    lanes: tuple[int, ...]  # how many LEDs on each
    color_order: str = "GRB"
    limit_ma: int = 3000
    ma_per_led: int = 55
    watchdog_ms: int = 500

    @property
    def leds(self) -> int:
        return sum(self.lanes)


@dataclass(slots=True)
class LinkCounts:
    """What a link went through; only its thread counts."""

    retries: int = 0
    refused: int = 0
    unanswered: int = 0
    restarts: int = 0


@dataclass(slots=True)
class _PictureCounts:
    """What became of the pictures."""

    shown: int = 0
    acknowledged: int = 0
    skipped: int = 0
    losses: int = 0


class Link(Protocol):
    """What a kind of matrix has to do; all of it may take its time."""

    @property
    def name(self) -> str:
        """Its URL without the options."""

    @property
    def leds(self) -> int:
        """How many LEDs a picture has."""

    @property
    def keep_alive_ms(self) -> float:
        """How long it may hear nothing."""

    @property
    def counts(self) -> LinkCounts: ...

    def open(self) -> MatrixDetails:
        """Begin, also after a loss. Raises `Unavailable`."""

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        """Show a picture; returns when that is confirmed, or sent where nothing is confirmed.

        `before` is what it shows now; None: unknown. Raises `Unavailable`.
        """

    def keep_alive(self) -> None:
        """Say that we are still here. Raises `Unavailable` or `PictureGone`."""

    def blank(self) -> None:
        """Make it dark. Raises `Unavailable`."""

    def close(self) -> None:
        """Let the device go; also when it is not open."""


class LiveLeds:
    """A link that always gets the newest picture."""

    def __init__(self, link: Link, clock: Clock, threaded: bool = True) -> None:
        self.link, self._clock = link, clock
        self._changed = threading.Condition()
        # Guarded by `_changed`:
        self._newest: Pixels | None = None
        self._number = 0  # of the newest
        self._asked_ms = 0.0  # when the newest came
        self._waiting = False  # the newest was not sent yet, or must be sent again uncounted
        self._restore = False  # the newest was confirmed once and is gone
        self._confirmed = 0  # the number of what is shown now
        self._shown: Pixels | None = None
        self._questions: deque[Callable[[], None]] = deque()
        self._counts = _PictureCounts()
        self._link_counts = replace(link.counts)
        self._latencies_ms: deque[float] = deque(maxlen=LATENCIES)
        self._details: MatrixDetails | None = None
        self._events: list[DeviceEvent] = []
        self._lost = False
        self._closed = False
        # Only for whoever sends:
        self._open = False
        self._retry_ms = FIRST_RETRY_MS
        self._next_ms = clock.now_ms()  # of the next try, or of the next sign of life
        self._thread: threading.Thread | None = None
        if threaded:
            self._thread = threading.Thread(target=self._run, name=link.name, daemon=True)
            self._thread.start()

    @property
    def name(self) -> str:
        return self.link.name

    def show(self, picture: Pixels) -> int:
        if picture.shape != (self.link.leds, 3) or picture.dtype != np.uint8:
            raise BadPicture(
                f"{self.name}: got a picture of {picture.shape} {picture.dtype}, "
                f"want ({self.link.leds}, 3) uint8: as many LEDs as the board file says"
            )
        kept = np.array(picture, order="C")
        kept.setflags(write=False)
        with self._changed:
            if self._waiting:
                self._counts.skipped += 1
            self._newest, self._asked_ms = kept, self._clock.now_ms()
            self._number += 1
            self._waiting = True
            self._counts.shown += 1
            self._changed.notify_all()
            return self._number

    def wait(self, number: int, timeout_ms: float) -> bool:
        until_ms = self._clock.now_ms() + timeout_ms
        while True:
            with self._changed:
                if number <= self._confirmed:
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

    def events(self) -> list[DeviceEvent]:
        with self._changed:
            events, self._events = self._events, []
            return events

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
                links.refused,
                links.unanswered,
                ours.losses,
                links.restarts,
                sum(latencies) / len(latencies) if latencies else 0.0,
            )

    def ask(self, question: Callable[[], Answer], timeout_ms: float) -> Answer:
        """Have something done with the link by the thread that owns it, between two pictures.

        Waits for it; raises `Unavailable` when the matrix is away for so long.
        """
        answers: list[Answer] = []
        troubles: list[Exception] = []

        def put() -> None:
            try:
                answers.append(question())
            except (Unavailable, PictureGone) as trouble:
                troubles.append(trouble)
                raise
            except Exception as trouble:  # not the link's: only whoever asked must know
                troubles.append(trouble)

        with self._changed:
            self._questions.append(put)
            self._changed.notify_all()
        until_ms = self._clock.now_ms() + timeout_ms
        while not answers and not troubles:
            with self._changed:
                left_ms = until_ms - self._clock.now_ms()
                if self._closed or left_ms <= 0:
                    with contextlib.suppress(ValueError):  # it is being asked this moment
                        self._questions.remove(put)
                    raise Unavailable(f"{self.name} gave no answer within {timeout_ms:g} ms")
                if self._thread is not None:
                    self._changed.wait(min(left_ms, SLICE_MS) / 1000)
                    continue
            self._step(until_ms)
        if not troubles:
            return answers[0]
        if isinstance(troubles[0], PictureGone):
            raise Unavailable(f"{self.name} went dark meanwhile; it is lit again now")
        raise troubles[0]

    def close(self) -> None:
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        if self._thread is None:
            self._end()
        elif self._thread is not threading.current_thread():
            self._thread.join(JOIN_SECONDS)  # a driver that hangs is left behind: it is a daemon

    def _run(self) -> None:
        while not self._closed:
            self._step(float("inf"))
        self._end()

    def _step(self, until_ms: float) -> None:
        """Do what is due now, or let time pass: to the next moment there is something to do."""
        with self._changed:
            now_ms = self._clock.now_ms()
            work = self._open and (self._waiting or self._restore or bool(self._questions))
            if self._closed:  # the news of it may have come before this thread listened
                return
            if not work and now_ms < self._next_ms:
                self._pass_time(min(self._next_ms, until_ms) - now_ms)
                return
        try:
            self._act() if self._open else self._begin()
        except PictureGone:
            self._plan_keep_alive()  # it was heard: without a picture there is nothing else to do
            self._forget()
        except Unavailable as gone:
            self._lose(str(gone))
        except Exception as defect:  # of a driver: the thread must not die in silence
            self._lose(f"{type(defect).__name__}: {defect}")
        with self._changed:
            self._link_counts = replace(self.link.counts)
            self._changed.notify_all()

    def _begin(self) -> None:
        details = self.link.open()
        self._open = True
        self._plan_keep_alive()
        with self._changed:
            self._details = details
            if not (self._waiting or self._restore):
                self._tell_back()

    def _act(self) -> None:
        with self._changed:
            question = self._questions.popleft() if self._questions else None
            picture, before = self._newest, self._shown
            number, asked_ms = self._number, self._asked_ms
            counted, wanted = self._waiting, self._waiting or self._restore
            if question is None and wanted:
                self._waiting = self._restore = False
        if question is not None:
            question()
        elif wanted and picture is not None:
            try:
                self.link.send(picture, before)
            except Exception:
                self._give_back(counted)
                raise
            self._confirm(picture, number, asked_ms, counted)
        else:
            self.link.keep_alive()
            self._retry_ms = FIRST_RETRY_MS
        self._plan_keep_alive()

    def _give_back(self, counted: bool) -> None:
        """A picture that did not arrive is tried again, unless a newer one has come."""
        with self._changed:
            if not counted:
                self._restore = True
            elif self._waiting:
                self._counts.skipped += 1
            else:
                self._waiting = True

    def _confirm(self, picture: Pixels, number: int, asked_ms: float, counted: bool) -> None:
        self._retry_ms = FIRST_RETRY_MS
        with self._changed:
            self._shown, self._confirmed = picture, number
            if counted:
                self._counts.acknowledged += 1
                self._latencies_ms.append(self._clock.now_ms() - asked_ms)
            self._tell_back()
            self._changed.notify_all()

    def _forget(self) -> None:
        """The matrix is dark: what it showed must be sent again, all of it."""
        with self._changed:
            self._restore = self._restore or self._confirmed > 0
            self._shown, self._confirmed = None, 0

    def _lose(self, reason: str) -> None:
        """Let the link go and try again after a while."""
        self._open = False
        now_ms = self._clock.now_ms()
        self._forget()
        with self._changed:
            if not self._lost:
                self._events.append(DeviceLost(self.name, reason, now_ms))
                self._counts.losses += 1
            self._lost = True
        self._let_go()
        self._next_ms = now_ms + self._retry_ms
        self._retry_ms = min(2 * self._retry_ms, LONGEST_RETRY_MS)

    def _end(self) -> None:
        if self._open:
            with contextlib.suppress(Exception):  # it is gone already: its watchdog makes it dark
                self.link.blank()
        self._open = False
        self._let_go()
        with self._changed:
            self._shown, self._confirmed = None, 0
            self._changed.notify_all()

    def _let_go(self) -> None:
        with contextlib.suppress(Exception):  # of a driver whose device is gone
            self.link.close()

    def _plan_keep_alive(self) -> None:
        self._next_ms = self._clock.now_ms() + self.link.keep_alive_ms

    def _tell_back(self) -> None:
        """Only with `_changed` held."""
        if self._lost:
            self._lost = False
            self._events.append(DeviceBack(self.name, self._clock.now_ms()))

    def _pass_time(self, duration_ms: float) -> None:
        """Only with `_changed` held, which a thread lets go while it sleeps."""
        if self._thread is not None:
            self._changed.wait(min(duration_ms, 60_000) / 1000)
        else:
            self._clock.wait_ms(min(duration_ms, SLICE_MS))
