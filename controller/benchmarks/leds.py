"""Measures LED latency, from `show` to the answer, and the cost of a steady frame rate.

The baseline is a small C program that answers one byte after the last byte of the same frame, over
the same kind of line. Both alternate: once pinned to one core, which compares the work, and once
unpinned, where most of the time is another core's wake-up.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

import numpy as np

from controller.config.board_file import load_board_file
from controller.config.leds import LedSettings
from controller.devices.factory.bench import encode_full_frame, open_minimal_peer, open_pty_leds
from controller.lighting import animation as light
from controller.lighting import output
from controller.lighting.layout import LedLayout, led_layout
from controller.ports.devices import Clock, LedMatrix, Pixels
from engine.draw.palette import player_paints

BOARDS = (("demo-10x8", 80), ("full-10x8", 320), ("full-10x8", 720))
ROUNDS = 300
WARM_UP = 20
FRAME_RATE_HZ = 60
BAUD = 1_000_000
TIMEOUT_MS = 5_000.0
GOAL_RATIO, GOAL_CPU_PERCENT = 2.0, 25.0


@dataclass(frozen=True, slots=True)
class LedLatency:
    leds: int
    ours_ms: float
    baseline_ms: float

    def table_row(self) -> str:
        return (
            f"| {self.leds:4} | {self.ours_ms:8.3f} | {self.baseline_ms:8.3f} "
            f"| {self.ours_ms / self.baseline_ms:5.2f} |"
        )


class LedBenchmark:
    """Measures driver and baseline in alternation, on one clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._random = np.random.default_rng(1)

    def report_lines(self, rounds: int = ROUNDS, seconds: float = 5.0) -> Iterator[str]:
        yield "from show() to the answer, against a C program that answers one byte"
        yield "| LEDs | ours ms  | baseline ms | ratio |"
        yield "|---|---|---|---|"
        with _pin_to_one_core():
            for _, leds in BOARDS:
                yield self.measure_latency(_settings(leds), rounds).table_row()
        yield f"goal: at most {GOAL_RATIO:g}; the same on any core:"
        for _, leds in BOARDS:
            yield self.measure_latency(_settings(leds), rounds).table_row()
        yield ""
        yield from self.frame_rate_lines(seconds)

    def measure_latency(self, settings: LedSettings, rounds: int) -> LedLatency:
        leds = sum(settings.leds_per_lane)
        board, end_board = open_pty_leds(settings, self.clock)
        exchange, end_peer = open_minimal_peer()
        ours_ms, least_ms = [], []
        try:
            for turn in range(WARM_UP + rounds):
                picture = self._random.integers(0, 40, (leds, 3), np.uint8)
                frame = encode_full_frame(picture)
                took_ms = self._timed(partial(_show_and_wait, board, picture))
                least = self._timed(partial(exchange, frame))
                if turn >= WARM_UP:
                    ours_ms.append(took_ms)
                    least_ms.append(least)
        finally:
            end_board()
            end_peer()
        return LedLatency(leds, median(ours_ms), median(least_ms))

    def frame_rate_lines(self, seconds: float) -> Iterator[str]:
        """The cost of 60 pictures a second on 720 LEDs, with composing and encoding."""
        file = load_board_file("full-10x8")
        layout, settings = led_layout(file), file.leds
        assert layout is not None
        assert settings is not None
        animation = _changing_animation(layout)
        output_stage = output.for_settings(settings)
        board, end_board = open_pty_leds(settings, self.clock)
        try:
            _show_and_wait(board, output_stage(animation.at(0)))
            before, begin_ms = _cpu_seconds(), self.clock.now_ms()
            count = round(seconds * FRAME_RATE_HZ)
            for number in range(count):
                late_ms = begin_ms + 1000 * number / FRAME_RATE_HZ - self.clock.now_ms()
                if late_ms > 0:
                    self.clock.wait_ms(late_ms)
                board.show(output_stage(animation.at(1000 * number / FRAME_RATE_HZ)))
            took_s = (self.clock.now_ms() - begin_ms) / 1000
            used_s = _cpu_seconds() - before
            board.wait(count + 1, TIMEOUT_MS)
            stats = board.stats()
        finally:
            end_board()
        composing_ms = self._composing_ms(animation, settings)
        sending_ms = (
            1000 * 10 * len(encode_full_frame(np.zeros((layout.led_count, 3), np.uint8))) / BAUD
        )
        share = 100 * used_s / took_s
        yield (
            f"{layout.led_count} LEDs at {count / took_s:.1f} pictures a second "
            f"for {took_s:.1f} s: "
            f"{stats.acknowledged} of {stats.shown} confirmed, {stats.skipped} overtaken, "
            f"{share:.0f} % of one core (goal: under {GOAL_CPU_PERCENT:g} %)"
        )
        yield (
            f"composing, limiting and encoding one picture: {composing_ms:.2f} ms; "
            f"sending it at {BAUD / 1e6:g} Mbaud: {sending_ms:.1f} ms"
        )

    def _composing_ms(self, animation: light.Animation, settings: LedSettings) -> float:
        output_stage = output.for_settings(settings)

        def compose(at_ms: float) -> bytes:
            return encode_full_frame(output_stage(animation.at(at_ms)))

        return median(self._timed(partial(compose, 17.0 * number)) for number in range(100))

    def _timed(self, work: Callable[[], object]) -> float:
        begin_ms = self.clock.now_ms()
        work()
        return self.clock.now_ms() - begin_ms


@contextmanager
def _pin_to_one_core() -> Iterator[None]:
    """Pin this process and its children to one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _settings(leds: int) -> LedSettings:
    """Settings with this number of LEDs; the other values do not matter here."""
    name = next(board for board, count in BOARDS if count == leds)
    settings = load_board_file(name).leds
    assert settings is not None
    if sum(settings.leds_per_lane) == leds:
        return settings
    return replace(settings, strips=(replace(settings.strips[0], count=leds),))


def _changing_animation(layout: LedLayout) -> light.Animation:
    """An animation that changes every LED in every picture."""
    owners = player_paints(("blue", "red"))
    return light.mix(light.animate_idle(layout, owners), light.animate_winner(layout, 0, owners))


def _show_and_wait(board: LedMatrix, picture: Pixels) -> None:
    if not board.wait(board.show(picture), TIMEOUT_MS):
        raise TimeoutError(f"{board.name} confirms nothing")


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
