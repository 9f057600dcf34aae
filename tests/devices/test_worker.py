"""Worker threads: events, an orderly end, and reconnecting with doubled waiting times."""

from __future__ import annotations

import logging
import threading

import pytest

from controller.devices.clock import ManualClock
from controller.devices.worker import (
    ReconnectingWorker,
    Worker,
    close_quietly,
    defect_sentence,
)
from controller.ports.events import DeviceBack, DeviceLost
from engine.sentences import plain


class Counter(Worker[int]):
    """Emits 1, 2, 3 and then waits until it is closed."""

    def __init__(self, defect: Exception | None = None, threaded: bool = True) -> None:
        super().__init__()
        self.defect = defect
        self.finished = 0
        if threaded:
            self._start("counter")

    def _run(self) -> None:
        for number in (1, 2, 3):
            self._add_event(number)
        if self.defect is not None:
            raise self.defect
        with self._changed:
            self._changed.wait_for(lambda: self._closed)

    def _finish(self) -> None:
        self.finished += 1

    def fetch(self, count: int) -> list[int]:
        fetched: list[int] = []
        with self._changed:
            while len(fetched) < count:
                self._changed.wait_for(lambda: self._events, 30)
                fetched += self.events()
        return fetched


def test_every_event_is_fetched_once_and_in_order() -> None:
    worker = Counter()
    assert worker.fetch(3) == [1, 2, 3]
    assert worker.events() == []
    worker.close()


@pytest.mark.parametrize("threaded", [True, False])
def test_closing_releases_the_device_once(threaded: bool) -> None:
    worker = Counter(threaded=threaded)
    worker.close()
    worker.close()
    assert worker.finished == 1
    assert all(each.name != "counter" for each in threading.enumerate())


def test_a_defect_is_logged_with_its_traceback_and_the_device_released(
    caplog: pytest.LogCaptureFixture,
) -> None:
    worker = Counter(ZeroDivisionError("by design"))
    worker.close()
    assert worker.finished == 1
    (record,) = caplog.records
    assert record.message == "counter: the thread died"
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


def test_a_thread_that_hangs_is_abandoned_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    go_on = threading.Event()

    class Hanging(Counter):
        join_s = 0.01

        def _run(self) -> None:
            go_on.wait(30)

    worker = Hanging()
    worker.close()
    thread = next(each for each in threading.enumerate() if each.name == "counter")
    assert thread.daemon
    assert [each.message for each in caplog.records] == ["counter hangs: abandoned"]
    go_on.set()
    thread.join(30)
    assert worker.finished == 1


class Flaky(ReconnectingWorker):
    """Fails to open until `works` is set."""

    first_retry_ms, longest_retry_ms, longest_sleep_ms = 100.0, 350.0, 1_000.0
    name = "flaky://"

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.works = False
        self.tried_ms: list[float] = []
        self.closed = 0

    def run_until(self, end_ms: float) -> None:
        while self._clock.now_ms() < end_ms:
            self._step(end_ms)

    def _step(self, until_ms: float) -> None:
        with self._changed:
            if (left_ms := min(self._next_ms, until_ms) - self._clock.now_ms()) > 0:
                self._sleep(left_ms)
                return
        self.tried_ms.append(self._clock.now_ms())
        if self.works:
            self._report_back()
            self._next_ms = float("inf")
        else:
            self._report_lost(plain("no cable"))

    def _close_device(self) -> None:
        self.closed += 1


def test_retry_delays_double_up_to_a_maximum_and_one_loss_is_one_event(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    worker = Flaky(ManualClock())
    worker.run_until(1_500.0)
    assert worker.tried_ms == [0.0, 100.0, 300.0, 650.0, 1_000.0, 1_350.0]
    assert worker.closed == len(worker.tried_ms)
    assert worker.events() == [DeviceLost("flaky://", plain("no cable"), 0.0)]
    worker.works = True
    worker.run_until(2_000.0)
    assert worker.events() == [DeviceBack("flaky://", 1_700.0)]
    assert [each.message for each in caplog.records] == [
        "flaky:// is lost: no cable",
        "flaky:// is back",
    ]


def test_an_error_in_close_is_logged_and_not_raised(
    caplog: pytest.LogCaptureFixture,
) -> None:
    close_quietly(lambda: 1 // 0, "flaky://")
    assert [each.message for each in caplog.records] == ["flaky://: closing it failed"]


def test_a_device_whose_thread_died_is_reported_as_lost_for_good() -> None:
    class Defective(Flaky):
        def _step(self, until_ms: float) -> None:
            raise ZeroDivisionError("by design")

    worker = Defective(ManualClock())
    worker._start("defective")
    worker.close()
    reason = defect_sentence(ZeroDivisionError("by design"))
    assert worker.events() == [DeviceLost("flaky://", reason, 0.0, is_permanent=True)]
