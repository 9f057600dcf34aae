"""Time that waits for LEDs, as long as a machine may be slow and no longer."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from controller.ports.devices import LedStats, Pixels
from controller.simulation.stepped_time import CONFIRM_TIMEOUT_MS, LOST_MS, SteppedTime

DARK = np.zeros((1, 3), np.uint8)


class ScriptedLeds:
    """Show a picture when they were waited for so often, and are lost so often."""

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


def test_a_picture_is_waited_for_on_a_machine_that_stands_still() -> None:
    slow = ScriptedLeds(after=CONFIRM_TIMEOUT_MS / LOST_MS - 1)
    assert shows(stepped(), slow)
    assert sum(slow.waited_ms) == CONFIRM_TIMEOUT_MS


def test_leds_that_never_show_it_do_not_stop_time_for_ever() -> None:
    dead = ScriptedLeds(after=10**9)
    assert not shows(stepped(), dead)
    assert sum(dead.waited_ms) == CONFIRM_TIMEOUT_MS


def test_lost_leds_are_given_a_moment_and_those_known_to_be_lost_none() -> None:
    just, known = ScriptedLeds(10**9, losses=1), ScriptedLeds(10**9, losses=1)
    assert not shows(stepped(), just)
    assert just.waited_ms == [LOST_MS]
    assert not shows(stepped(), known, lost=True)
    assert known.waited_ms == [0.0]


def test_leds_that_were_lost_and_are_back_are_waited_for_as_before() -> None:
    pace = stepped()
    assert shows(pace, ScriptedLeds(after=0, losses=1))
    assert shows(pace, ScriptedLeds(after=3, losses=1))
    assert shows(stepped(), ScriptedLeds(after=3, losses=1, shown=DARK))
