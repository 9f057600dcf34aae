"""How fast light is: from `show` to the answer, and what it costs to keep it moving.

The driver and the firmware are measured against the least that can answer, a small C program that
sends one byte back after the last byte of the same frame, over the same kind of line, in turns:
once with everybody on one core, which compares the work, and once as the scheduler likes, where
most of it is how soon another core wakes up.
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

from controller import light
from controller.config import load_board_file
from controller.layout import Layout, layout
from controller.led_settings import LedSettings
from controller.ports import Clock, LedMatrix, Pixels
from controller.wiring import full_frame, open_bare_board, open_peer
from engine.draw.palette import paints

BOARDS = (("demo-10x8", 80), ("full-10x8", 320), ("full-10x8", 720))
ROUNDS = 300
WARM_UP = 20
PICTURES_A_SECOND = 60
BAUD = 1_000_000
PATIENCE_MS = 5_000.0
GOAL, GOAL_SHARE = 2.0, 25.0


@dataclass(frozen=True, slots=True)
class Latency:
    leds: int
    ours_ms: float
    least_ms: float

    def row(self) -> str:
        return (
            f"| {self.leds:4} | {self.ours_ms:8.3f} | {self.least_ms:8.3f} "
            f"| {self.ours_ms / self.least_ms:5.2f} |"
        )


class Bench:
    """Both in turns, on one clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._random = np.random.default_rng(1)

    def lines(self, rounds: int = ROUNDS, seconds: float = 5.0) -> Iterator[str]:
        yield "from show() to the answer, against a C program that answers one byte"
        yield "| LEDs | ours ms  | least ms | ratio |"
        yield "|---|---|---|---|"
        with _one_core():
            for _, leds in BOARDS:
                yield self.latency(_settings(leds), rounds).row()
        yield f"goal: at most {GOAL:g}; the same on any core:"
        for _, leds in BOARDS:
            yield self.latency(_settings(leds), rounds).row()
        yield ""
        yield from self.pace(seconds)

    def latency(self, settings: LedSettings, rounds: int) -> Latency:
        leds = sum(settings.lanes)
        board, end_board = open_bare_board(settings, self.clock)
        exchange, end_peer = open_peer()
        ours_ms, least_ms = [], []
        try:
            for turn in range(WARM_UP + rounds):
                picture = self._random.integers(0, 40, (leds, 3), np.uint8)
                frame = full_frame(picture)
                took_ms = self._timed(partial(_confirmed, board, picture))
                least = self._timed(partial(exchange, frame))
                if turn >= WARM_UP:
                    ours_ms.append(took_ms)
                    least_ms.append(least)
        finally:
            end_board()
            end_peer()
        return Latency(leds, median(ours_ms), median(least_ms))

    def pace(self, seconds: float) -> Iterator[str]:
        """60 pictures a second on 720 LEDs, everything included: what does it cost?"""
        file = load_board_file("full-10x8")
        lies, settings = layout(file), file.leds
        assert lies is not None
        assert settings is not None
        animation = _busy(lies)
        finish = settings.finish()
        board, end_board = open_bare_board(settings, self.clock)
        try:
            _confirmed(board, finish(animation.at(0)))
            before, begin_ms = _cpu_seconds(), self.clock.now_ms()
            count = round(seconds * PICTURES_A_SECOND)
            for number in range(count):
                late_ms = begin_ms + 1000 * number / PICTURES_A_SECOND - self.clock.now_ms()
                if late_ms > 0:
                    self.clock.wait_ms(late_ms)
                board.show(finish(animation.at(1000 * number / PICTURES_A_SECOND)))
            took_s = (self.clock.now_ms() - begin_ms) / 1000
            used_s = _cpu_seconds() - before
            board.wait(count + 1, PATIENCE_MS)
            stats = board.stats()
        finally:
            end_board()
        composing_ms = self._composing_ms(animation, settings)
        sending_ms = 1000 * 10 * len(full_frame(np.zeros((lies.leds, 3), np.uint8))) / BAUD
        share = 100 * used_s / took_s
        yield (
            f"{lies.leds} LEDs at {count / took_s:.1f} pictures a second for {took_s:.1f} s: "
            f"{stats.acknowledged} of {stats.shown} confirmed, {stats.skipped} overtaken, "
            f"{share:.0f} % of one core (goal: under {GOAL_SHARE:g} %)"
        )
        yield (
            f"composing, limiting and encoding one picture: {composing_ms:.2f} ms; "
            f"sending it at {BAUD / 1e6:g} Mbaud: {sending_ms:.1f} ms"
        )

    def _composing_ms(self, animation: light.Animation, settings: LedSettings) -> float:
        finish = settings.finish()

        def compose(at_ms: float) -> bytes:
            return full_frame(finish(animation.at(at_ms)))

        return median(self._timed(partial(compose, 17.0 * number)) for number in range(100))

    def _timed(self, work: Callable[[], object]) -> float:
        begin_ms = self.clock.now_ms()
        work()
        return self.clock.now_ms() - begin_ms


@contextmanager
def _one_core() -> Iterator[None]:
    """This process and all that it starts meanwhile, on one core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _settings(leds: int) -> LedSettings:
    """A board of so many LEDs; only their number matters here."""
    name = next(board for board, count in BOARDS if count == leds)
    settings = load_board_file(name).leds
    assert settings is not None
    if sum(settings.lanes) == leds:
        return settings
    return replace(settings, strips=(replace(settings.strips[0], count=leds),))


def _busy(lies: Layout) -> light.Animation:
    """Light that changes everywhere in every picture."""
    owners = paints(("blue", "red"))
    return light.added(light.idle(lies, owners), light.winner(lies, 0, owners))


def _confirmed(board: LedMatrix, picture: Pixels) -> None:
    if not board.wait(board.show(picture), PATIENCE_MS):
        raise TimeoutError(f"{board.name} confirms nothing")


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
