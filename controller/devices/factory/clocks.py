"""Opens clocks: real time, stepped time, and a clock that can jump; the calendar."""

from __future__ import annotations

from controller.devices.clock import JumpingClock, ScaledClock, SteppedClock, SystemClock
from controller.ports.devices import Clock


def system_clock() -> Clock:
    return SystemClock()


def scaled_clock(speed: float) -> Clock:
    """The system's clock, `speed` times as fast."""
    return ScaledClock(SystemClock(), speed)


def stepped_clock() -> Clock:
    """A clock that advances only by waiting."""
    return SteppedClock()


def jumping_clock(clock: Clock) -> JumpingClock:
    """Wrap a clock so that it can jump forward."""
    return JumpingClock(clock)


def local_time_text() -> str:
    """Local date and time for people, such as `2026-03-01 19:30`."""
    from controller.devices.clock import local_time_text as now

    return now()


def today_ordinal() -> int:
    """Today as a day number."""
    from controller.devices.clock import today_ordinal as now

    return now()


def unix_time_s() -> float:
    """Seconds since 1970, comparable with file times."""
    from controller.devices.clock import unix_time_s as now

    return now()
