"""Time for a loop on a simulated table: it goes on only when everything that was asked for is
done, so that a game takes as long as the machine needs, and always goes the same way."""

from __future__ import annotations

import asyncio
from typing import Protocol

import numpy as np

from controller.loop import BEAT_MS, Loop
from controller.ports import Clock, Journal, LedMatrix, Pixels, World
from controller.session_values import LEDS, Phase
from controller.simulated.hands import Unexpected
from engine.game import AnyTurn
from engine.grid import Cell

CONFIRM_MS, LOST_MS = 20_000.0, 2_000.0  # for a picture; for LEDs that may come back at once
JOURNAL_MS, SLICE_MS = 10_000.0, 2.0
LOOK_MS, RESTORED_MS = 100, 4_000


class SlowDisk(Protocol):
    """A disk that may take its time."""

    @property
    def slow_ms(self) -> float: ...

    @property
    def holds_back(self) -> bool:
        """Whether it will not be done before time has passed."""


class Stepped:
    """Waits for disk and LEDs at every beat, and sees what the LEDs really show."""

    def __init__(
        self, world: World, clock: Clock, disk: SlowDisk, photographs: bool = False
    ) -> None:
        self._world, self._clock, self._disk = world, clock, disk
        self._photographs = photographs
        self._number = 0
        self._losses = 0  # of the LEDs, when they last showed what they were to
        self.turn: AnyTurn | None = None  # the last one fired
        self.lit: list[Cell] = []  # by its beams, in the order in which they first were
        self.shown = self.confirmed = 0  # pictures of them
        self.brightest: Pixels | None = None
        self.photograph: Pixels | None = None  # of the table at that moment
        self.phases: list[Phase] = []  # that the game went through, since somebody forgot them

    async def rest(self, loop: Loop) -> None:
        lights = loop.devices.lights
        self.wait_for(loop.devices.journal)
        if self.phases[-1:] != [loop.session.phase]:
            self.phases.append(loop.session.phase)
        if lights.turn is not None and lights.turn is not self.turn:
            self.turn = lights.turn
            self.lit, self.brightest, self.shown, self.confirmed = [], None, 0, 0
        if lights.number != self._number:
            self._number = lights.number
            self.shown += lights.turn is not None
            if self.shows(lights.leds, lights.number, lost=LEDS in loop.session.lost):
                self._look_at(loop)
        self._clock.wait_ms(BEAT_MS)
        await asyncio.sleep(0)  # the people's turn

    def shows(self, leds: LedMatrix, number: int, lost: bool) -> bool:
        """Whether they show that picture; waits for it, but not for LEDs that are lost for long."""
        waited_ms = 0.0
        while not leds.wait(number, 0.0 if lost else LOST_MS):
            waited_ms += LOST_MS
            gone = leds.stats().losses > self._losses and leds.shown() is None
            if lost or gone or waited_ms >= CONFIRM_MS:
                return False
        self._losses = leds.stats().losses
        return True

    def wait_for(self, journal: Journal) -> None:
        """Until everything is written, or time must pass before it can be."""
        if not self._disk.slow_ms:
            journal.wait(journal.asked, JOURNAL_MS)
            return
        for _ in range(int(JOURNAL_MS / SLICE_MS)):
            if self._disk.holds_back or journal.wait(journal.asked, SLICE_MS):
                return

    def _look_at(self, loop: Loop) -> None:
        """The driver says that its picture is shown: see what really is."""
        lights, latched = loop.devices.lights, self._world.latched()
        for _ in range(RESTORED_MS // LOOK_MS):
            if _is(latched, lights.picture) or not _is_dark(latched):
                break
            # On a busy machine the firmware may have heard nothing for so long that it went dark:
            # its driver notices, and shows the picture once more.
            lights.leds.wait(lights.number + 1, LOOK_MS)
            latched = self._world.latched()
        if latched is None or not _is(latched, lights.picture):
            seen = "they are dark" if _is_dark(latched) else "others are lit"
            raise Unexpected(f"the LEDs show another picture than the one they confirmed: {seen}")
        if lights.turn is None:
            return
        self.confirmed += 1
        for cell, leds in enumerate(lights.layout.cells):
            if cell in lights.struck and cell not in self.lit and latched[list(leds)].any():
                self.lit.append(cell)
        if self.brightest is None or int(latched.sum()) > int(self.brightest.sum()):
            self.brightest = latched
            if self._photographs:
                self.photograph = self._world.photograph()


def _is(latched: Pixels | None, picture: Pixels | None) -> bool:
    return latched is not None and picture is not None and np.array_equal(latched, picture)


def _is_dark(latched: Pixels | None) -> bool:
    return latched is None or not latched.any()
