"""The serial driver on the real firmware, over a cable with faults."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from controller.config.addresses.leds import SimulatedLedAddress
from controller.config.led_strips import LedStrip
from controller.config.leds import LedSettings
from controller.devices import sentences
from controller.devices.clock import SystemClock
from controller.devices.factory.leds import simulated_leds
from controller.devices.leds import serial_link
from controller.devices.leds import simulated as leds_sim
from controller.devices.leds.live import MatrixSettings
from controller.devices.leds.simulated import CableFaults, SimulatedLeds, SimulatedMatrix
from controller.ports.devices import Pixels
from controller.ports.events import DeviceBack, DeviceLost
from tests.support.devices.led_peers import eventually, picture
from tests.support.engine.sentences import mentions

LEDS = 80
# A long watchdog: a busy machine must not look like a silent host.
SETTINGS = MatrixSettings((LEDS,), limit_ma=20_000, watchdog_ms=60_000)
BOARD = LedSettings((LedStrip(count=LEDS),), SETTINGS.limit_ma, watchdog_ms=SETTINGS.watchdog_ms)
ONE_PERCENT = CableFaults(drop=0.01, flip=0.01, insert=0.01, delay=0.01, lag_ms=60)
TIMEOUT_MS = 40.0  # less than the lag: answers arrive after the retry
ALL_MS = 60_000


@contextmanager
def simulated(
    faults: CableFaults | None = None,
    settings: MatrixSettings = SETTINGS,
    timeout_ms: float = 500.0,
) -> Iterator[SimulatedLeds]:
    matrix = SimulatedMatrix(faults, 1)
    with closing(SimulatedLeds(matrix, settings, SystemClock(), timeout_ms)) as leds:
        yield leds


def animation(frames: int) -> Iterator[Pixels]:
    """New pictures and small changes in turn, so that both FRAME and DELTA are sent."""
    dice = np.random.default_rng(1)
    now = dice.integers(0, 256, (LEDS, 3), dtype=np.uint8)
    for number in range(frames):
        if number % 3 == 0:
            now = dice.integers(0, 256, (LEDS, 3), dtype=np.uint8)
        else:
            now = now.copy()
            now[dice.integers(LEDS)] = dice.integers(0, 256, 3)
        yield now


def latches(leds: SimulatedLeds, expected: Pixels) -> bool:
    latched = leds.matrix.latched()
    return latched is not None and np.array_equal(latched, expected)


def lost_so_often(leds: SimulatedLeds, times: int) -> bool:
    return leds.stats().losses >= times


def restarted_so_often(leds: SimulatedLeds, times: int) -> bool:
    return leds.stats().restarts >= times


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


# --- a bad cable ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "frames", [500, pytest.param(10_000, marks=pytest.mark.slow)], ids="{} frames".format
)
def test_over_a_bad_cable_pictures_arrive_and_no_wrong_one_is_confirmed(frames: int) -> None:
    with simulated(ONE_PERCENT, timeout_ms=TIMEOUT_MS) as leds:
        wrong = []
        for number, expected in enumerate(animation(frames)):
            assert leds.wait(leds.show(expected), ALL_MS), f"picture {number} hangs"
            if not latches(leds, expected):
                wrong.append(number)
        assert wrong == [], "confirmed, but not what the LEDs show"
        stats, injected = leds.stats(), leds.matrix.injected
        assert stats.acknowledged == frames
        # The cable alone loses almost none; a busy machine loses a few more.
        assert stats.unanswered <= frames / 20, "given up after three retries"
        assert stats.retries > 0
        assert min(injected.dropped, injected.flipped, injected.inserted, injected.delayed) > 0
        assert injected.frames >= 2 * frames

        leds.matrix.faults = CableFaults()
        before = leds.stats()
        expected = picture(99, LEDS)
        assert leds.wait(leds.show(expected), ALL_MS)
        assert latches(leds, expected)
        assert leds.stats().unanswered <= before.unanswered + 1


def test_a_cable_that_passes_no_bytes_is_a_loss_until_it_is_repaired() -> None:
    with simulated(timeout_ms=20) as leds:
        assert leds.wait(leds.show(picture(1, LEDS)), ALL_MS)
        before = leds.stats().losses
        leds.matrix.faults = CableFaults(drop=1)
        number = leds.show(picture(2, LEDS))
        eventually(partial(lost_so_often, leds, before + 1), "the loss")
        assert leds.stats().unanswered >= 1
        leds.matrix.faults = CableFaults()
        assert leds.wait(number, ALL_MS)
        assert latches(leds, picture(2, LEDS))


def test_lag_delays_every_frame_and_loses_none() -> None:
    with simulated(CableFaults(lag_ms=10)) as leds:
        for seed in range(5):
            assert leds.wait(leds.show(picture(seed, LEDS)), ALL_MS)
            assert latches(leds, picture(seed, LEDS))
        assert leds.stats().latency_ms >= 20, "there and back"
        injected = leds.matrix.injected
        assert injected.delayed == injected.frames > 0


def test_a_seed_determines_the_damage() -> None:
    def damage() -> list[bytes]:
        matrix = SimulatedMatrix(CableFaults(drop=0.2, flip=0.2, insert=0.2), seed=7)
        matrix.kill()
        with closing(matrix):
            way = matrix._to_board
            way.in_flight.clear()
            for number in range(1, 200):
                matrix._transmit(way, bytes([number] * 5) + b"\0")
            return [frame for _, frame in way.in_flight]

    assert damage() == damage()


# --- a chip that stops ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "times", [5, pytest.param(50, marks=pytest.mark.slow)], ids="{} times".format
)
def test_a_firmware_killed_during_an_animation_is_restarted(times: int) -> None:
    with simulated(timeout_ms=TIMEOUT_MS) as leds:
        pictures = animation(10**9)
        assert leds.wait(leds.show(next(pictures)), ALL_MS)
        for nth in range(1, times + 1):
            for _ in range(5):
                last = next(pictures)
                number = leds.show(last)
            if nth % 2:  # stopped for a while, so that the driver notices
                leds.matrix.kill()
                number = leds.show(last := next(pictures))
                eventually(partial(lost_so_often, leds, (nth + 1) // 2), "the loss")
            leds.matrix.restart()
            eventually(partial(restarted_so_often, leds, nth), "the new boot")
            assert leds.wait(number, ALL_MS)
            eventually(partial(latches, leds, last), "the last picture")
        stats, events = leds.stats(), leds.events()
        assert stats.restarts == times
        assert stats.losses >= (times + 1) // 2
        assert stats.pending == 0
        assert [type(event) for event in events] == [DeviceLost, DeviceBack] * stats.losses


def test_after_a_restart_while_idle_the_picture_is_restored() -> None:
    with simulated() as leds:
        expected = picture(1, LEDS)
        assert leds.wait(leds.show(expected), ALL_MS)
        before = leds.matrix.latched()
        leds.matrix.restart()
        eventually(partial(restarted_so_often, leds, 1), "the new boot")
        eventually(
            lambda: leds.matrix.latched() is not before and latches(leds, expected), "the picture"
        )
        assert leds.stats().restarts == 1
        assert leds.stats().acknowledged == 1


def test_the_board_goes_dark_when_the_host_is_silent_and_is_lit_again_after() -> None:
    settings = replace(SETTINGS, watchdog_ms=300)
    with simulated(settings=settings) as leds:
        expected = picture(1, LEDS)
        assert leds.wait(leds.show(expected), ALL_MS)
        quiet, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            quiet.set()
            go_on.wait(60)

        waiting = threading.Thread(target=lambda: leds.call_on_link_thread(hold, ALL_MS))
        waiting.start()
        assert quiet.wait(60)
        eventually(lambda: latches(leds, np.zeros((LEDS, 3), np.uint8)), "darkness")
        go_on.set()
        waiting.join(60)
        eventually(lambda: latches(leds, expected), "the picture again")
        assert leds.call_on_link_thread(leds.link.board_stats, ALL_MS).blanked >= 1


def test_a_stalled_machine_with_an_intact_cable_is_no_loss() -> None:
    with closing(simulated_leds(SimulatedLedAddress(), BOARD, SystemClock())) as leds:
        assert leds.wait(leds.show(picture(1, LEDS)), ALL_MS)
        board = leds.matrix._board
        assert board is not None
        board.send_signal(signal.SIGSTOP)
        number = leds.show(picture(2, LEDS))
        assert not leds.wait(number, 1_500), "longer than four tries over a bad cable"
        board.send_signal(signal.SIGCONT)
        assert leds.wait(number, ALL_MS)
        assert leds.stats().losses == 0


def test_pictures_lost_by_a_bad_cable_are_sent_again_soon() -> None:
    with closing(simulated_leds(SimulatedLedAddress(drop=0.01), BOARD, SystemClock())) as leds:
        assert leds.link.answer_timeout_ms == serial_link.ANSWER_TIMEOUT_MS
    with closing(simulated_leds(SimulatedLedAddress(), BOARD, SystemClock())) as leds:
        assert leds.wait(leds.show(picture(1, LEDS)), ALL_MS)
        begun_s = time.monotonic()
        leds.set_cable_faults(CableFaults(drop=1))
        leds.show(picture(2, LEDS))
        eventually(partial(lost_so_often, leds, 1), "the loss")
        assert time.monotonic() - begun_s < 5 * leds_sim.HEALTHY_TIMEOUT_MS / 1000, (
            "ten of them, else"
        )
        leds.set_cable_faults(CableFaults())
        assert leds.link.answer_timeout_ms == leds_sim.HEALTHY_TIMEOUT_MS


# --- a cable that comes loose ---------------------------------------------------------------------


def test_an_unplugged_board_is_lost_and_returns_with_the_same_name() -> None:
    with simulated() as leds:
        expected = picture(1, LEDS)
        assert leds.wait(leds.show(expected), ALL_MS)
        leds.matrix.unplug()
        leds.matrix.unplug()
        eventually(lambda: leds.shown() is None, "the loss")
        (lost,) = leds.events()
        assert isinstance(lost, DeviceLost)
        assert mentions(lost.reason, sentences.UNPLUGGED)
        leds.matrix.plug_in()
        leds.matrix.plug_in()
        assert leds.wait(1, ALL_MS)
        assert latches(leds, expected)
        assert leds.stats().restarts == 1, "without its cable it had no power"
        assert leds.matrix.injected.unplugged == 1


def test_a_loose_plug_disconnects_repeatedly() -> None:
    with simulated(CableFaults(unplug_every_s=0.3)) as leds:
        pictures = animation(10**9)
        eventually(lambda: leds.matrix.injected.unplugged >= 2, "the second time")
        leds.matrix.faults = CableFaults()
        expected = next(pictures)
        assert leds.wait(leds.show(expected), ALL_MS)
        assert latches(leds, expected)


def test_two_matrices_are_independent() -> None:
    with simulated() as one, simulated() as two:
        for seed in range(10):
            numbers = one.show(picture(seed, LEDS)), two.show(picture(100 + seed, LEDS))
            assert one.wait(numbers[0], ALL_MS)
            assert two.wait(numbers[1], ALL_MS)
            assert latches(one, picture(seed, LEDS))
            assert latches(two, picture(100 + seed, LEDS))


def test_closing_ends_the_process_and_removes_its_files() -> None:
    before = open_files()
    with simulated() as leds:
        assert leds.wait(leds.show(picture(1, LEDS)), ALL_MS)
        folder, board = Path(leds.matrix.path).parent, leds.matrix._board
        assert board is not None
    assert board.poll() is not None
    assert not folder.exists()
    leds.matrix.close()
    leds.matrix.unplug()
    assert open_files() <= before


def test_the_firmware_ends_with_the_program() -> None:
    script = f"""
import numpy as np
from controller.devices.clock import SystemClock
from controller.devices.leds.live import MatrixSettings
from controller.devices.leds.simulated import SimulatedLeds, SimulatedMatrix
leds = SimulatedLeds(SimulatedMatrix(), MatrixSettings(({LEDS},)), SystemClock())
assert leds.wait(leds.show(np.zeros(({LEDS}, 3), np.uint8)), {ALL_MS})
print(leds.matrix._board.pid)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stderr == ""
    firmware = Path(f"/proc/{int(done.stdout)}/stat")

    def gone() -> bool:
        try:
            return firmware.read_text().split(")")[1].split()[0] == "Z"
        except OSError:
            return True

    eventually(gone, "the end of the firmware")
