"""The machine's own clock, and others that stand still until told to move."""

from __future__ import annotations

import time
from datetime import date, datetime

from controller.ports import Clock


class SystemClock:
    """Real time."""

    def now_ms(self) -> float:
        return time.perf_counter() * 1000

    def wait_ms(self, duration_ms: float) -> None:
        time.sleep(duration_ms / 1000)


class SteppedClock:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self._now_ms = 0.0

    def now_ms(self) -> float:
        return self._now_ms

    def wait_ms(self, duration_ms: float) -> None:
        self._now_ms += duration_ms


class JumpyClock:
    """Another clock that leaps forward now and then: the machine was stopped for a while, and
    nobody noticed. A machine that sleeps does not: this sort of clock stands still then."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._ahead_ms = clock, 0.0

    def now_ms(self) -> float:
        return self._clock.now_ms() + self._ahead_ms

    def wait_ms(self, duration_ms: float) -> None:
        self._clock.wait_ms(duration_ms)

    def jump(self, ahead_ms: float) -> None:
        self._ahead_ms += ahead_ms


class ManualClock(SteppedClock):
    """The same, and it remembers every wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait_ms(self, duration_ms: float) -> None:
        self.waits.append(duration_ms)
        super().wait_ms(duration_ms)


def wall_clock() -> str:
    """`2026-03-01 19:30`: for people to read, and for nothing else."""
    return datetime.now().strftime("%Y-%m-%d %H:%M")


def today() -> int:
    """The day as a number, for what lasts some days."""
    return date.today().toordinal()


def wall_seconds() -> float:
    """Seconds since 1970, to tell how old files are."""
    return time.time()
