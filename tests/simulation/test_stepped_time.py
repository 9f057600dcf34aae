"""Stepped time: how long it waits for LEDs."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from controller.ports.devices import LedStats, Pixels
from controller.simulation.stepped_time import CONFIRM_TIMEOUT_MS, LOST_MS, SteppedTime

DARK = np.zeros((1, 3), np.uint8)


class ScriptedLeds:
    """LEDs that show a picture after a number of waits, with a number of losses."""

    def __init__(self, after: float, losses: int = 0, shown: Pixels | None = None) -> None:
        self._after, self._losses, self._shown = after, losses, shown
        self.waited_ms: list[float] = []

    def wait(self, _: int, timeout_ms: float) -> bool:
        self.waited_ms.append(timeout_ms)
        return len(self.waited_ms) > self._after

    def shown(self) -> Pixels | None:
        return self._shown

    def stats(self) -> LedStats:
        return LedStats(losses=self._losses)


def shows(pace: SteppedTime, leds: ScriptedLeds, lost: bool = False) -> bool:
    return pace.wait_until_shown(cast(Any, leds), 1, lost)


def stepped() -> SteppedTime:
    return SteppedTime(cast(Any, None), cast(Any, None), cast(Any, None))


def test_a_slow_machine_gets_time_to_show_a_picture() -> None:
    slow = ScriptedLeds(after=CONFIRM_TIMEOUT_MS / LOST_MS - 1)
    assert shows(stepped(), slow)
    assert sum(slow.waited_ms) == CONFIRM_TIMEOUT_MS


def test_the_wait_for_leds_that_never_answer_times_out() -> None:
    dead = ScriptedLeds(after=10**9)
    assert not shows(stepped(), dead)
    assert sum(dead.waited_ms) == CONFIRM_TIMEOUT_MS


def test_newly_lost_leds_get_a_short_wait_and_known_lost_ones_none() -> None:
    just, known = ScriptedLeds(10**9, losses=1), ScriptedLeds(10**9, losses=1)
    assert not shows(stepped(), just)
    assert just.waited_ms == [LOST_MS]
    assert not shows(stepped(), known, lost=True)
    assert known.waited_ms == [0.0]


def test_returned_leds_get_the_full_wait_again() -> None:
    pace = stepped()
    assert shows(pace, ScriptedLeds(after=0, losses=1))
    assert shows(pace, ScriptedLeds(after=3, losses=1))
    assert shows(stepped(), ScriptedLeds(after=3, losses=1, shown=DARK))
