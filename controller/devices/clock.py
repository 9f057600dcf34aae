"""Clocks: real time, stepped time, a clock that can jump; date and time of day."""

from __future__ import annotations

import time
from datetime import date, datetime

from controller.ports.devices import Clock


class SystemClock:
    """Real time."""

    def now_ms(self) -> float:
        return time.perf_counter() * 1000

    def wait_ms(self, duration_ms: float) -> None:
        time.sleep(duration_ms / 1000)


class SteppedClock:
    """Time that advances only by waiting."""

    def __init__(self) -> None:
        self._now_ms = 0.0

    def now_ms(self) -> float:
        return self._now_ms

    def wait_ms(self, duration_ms: float) -> None:
        self._now_ms += duration_ms


class ScaledClock:
    """Another clock, `speed` times as fast: waits take less time."""

    def __init__(self, clock: Clock, speed: float) -> None:
        self._clock, self._speed = clock, speed

    def now_ms(self) -> float:
        return self._clock.now_ms() * self._speed

    def wait_ms(self, duration_ms: float) -> None:
        self._clock.wait_ms(duration_ms / self._speed)


class JumpingClock:
    """Wraps a clock and can jump forward, as after the machine was stopped for a while.

    Suspending the machine does not do that: `perf_counter` stands still during suspend.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock, self._ahead_ms = clock, 0.0

    def now_ms(self) -> float:
        return self._clock.now_ms() + self._ahead_ms

    def wait_ms(self, duration_ms: float) -> None:
        self._clock.wait_ms(duration_ms)

    def jump(self, ahead_ms: float) -> None:
        self._ahead_ms += ahead_ms


class ManualClock(SteppedClock):
    """A `SteppedClock` that records every wait. For tests."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait_ms(self, duration_ms: float) -> None:
        self.waits.append(duration_ms)
        super().wait_ms(duration_ms)


def local_time_text() -> str:
    """Local date and time for people, such as `2026-03-01 19:30`."""
    return datetime.now().strftime("%Y-%m-%d %H:%M")


def today_ordinal() -> int:
    """Today as a day number."""
    return date.today().toordinal()


def unix_time_s() -> float:
    """Seconds since 1970, comparable with file times."""
    return time.time()
