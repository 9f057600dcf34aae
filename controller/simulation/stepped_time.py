"""Stepped time for a loop on a simulated table.

Each tick waits until journal and LEDs have done their work, then advances the clock. A game runs
as fast as the machine allows, and the same seed gives the same game.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

import numpy as np

from controller.ports.devices import Clock, Journal, LedMatrix, Pixels
from controller.ports.world import World
from controller.session.state import LEDS, Phase
from controller.simulation.hands import SimulationFailed
from controller.table.loop import TICK_MS, Loop
from engine.game import AnyTurn
from engine.grid import Cell

CONFIRM_TIMEOUT_MS = 20_000.0  # for a picture
LOST_MS = 2_000.0  # for LEDs that may come back immediately
JOURNAL_TIMEOUT_MS, SLICE_MS = 10_000.0, 2.0
POLL_MS, RESTORE_TIMEOUT_MS = 100, 4_000


class SlowDisk(Protocol):
    """A simulated disk that may delay its syncs."""

    @property
    def sync_delay_ms(self) -> float: ...

    @property
    def is_delaying(self) -> bool:
        """A sync waits for the clock to advance."""


class SteppedTime:
    """Waits for disk and LEDs at every tick, and verifies the picture on the LEDs."""

    def __init__(
        self, world: World, clock: Clock, disk: SlowDisk, saves_images: bool = False
    ) -> None:
        self._world, self._clock, self._disk = world, clock, disk
        self._saves_images = saves_images
        self._number = 0
        self._losses = 0  # of the LEDs, at their last confirmed picture
        self.turn: AnyTurn | None = None  # the last fired turn
        self.lit_cells: list[Cell] = []  # lit by the beams, in order of their first light
        self.brightest_picture: Pixels | None = None  # brightest picture of the beams
        self.table_image: Pixels | None = None  # camera image at that moment
        self.phases: list[
            Phase
        ] = []  # phases of the session; scripts clear the list at each action

    async def wait(self, loop: Loop) -> None:
        lights = loop.devices.lights
        self.wait_for_journal(loop.devices.journal)
        if self.phases[-1:] != [loop.session.phase]:
            self.phases.append(loop.session.phase)
        if lights.beam_turn is not None and lights.beam_turn is not self.turn:
            self.turn = lights.beam_turn
            self.lit_cells, self.brightest_picture = [], None
        if lights.last_number != self._number:
            self._number = lights.last_number
            if self.wait_until_shown(
                lights.leds, lights.last_number, lost=LEDS in loop.session.pause.lost_devices
            ):
                self._verify_leds(loop)
        self._clock.wait_ms(TICK_MS)
        await asyncio.sleep(0)  # lets the tasks of simulated players run

    def wait_until_shown(self, leds: LedMatrix, number: int, lost: bool) -> bool:
        """Wait until the LEDs show that picture; False if they are lost or too slow."""
        waited_ms = 0.0
        while not leds.wait(number, 0.0 if lost else LOST_MS):
            waited_ms += LOST_MS
            gone = leds.stats().losses > self._losses and leds.shown() is None
            if lost or gone or waited_ms >= CONFIRM_TIMEOUT_MS:
                return False
        self._losses = leds.stats().losses
        return True

    def wait_for_journal(self, journal: Journal) -> None:
        """Wait until all entries are written, or the disk delays them until time advances."""
        if not self._disk.sync_delay_ms:
            journal.wait(journal.last_requested, JOURNAL_TIMEOUT_MS)
            return
        for _ in range(int(JOURNAL_TIMEOUT_MS / SLICE_MS)):
            if self._disk.is_delaying or journal.wait(journal.last_requested, SLICE_MS):
                return

    def _verify_leds(self, loop: Loop) -> None:
        """Compare the picture that the driver reports as shown with the LEDs themselves."""
        lights, led_picture = loop.devices.lights, self._world.led_picture()
        for _ in range(RESTORE_TIMEOUT_MS // POLL_MS):
            if _is_same(led_picture, lights.last_picture) or not _is_dark(led_picture):
                break
            # On a busy machine the firmware's watchdog may have blanked the LEDs. The driver
            # notices, and sends the picture again.
            lights.leds.wait(lights.last_number + 1, POLL_MS)
            led_picture = self._world.led_picture()
        if led_picture is None or not _is_same(led_picture, lights.last_picture):
            seen = "they are dark" if _is_dark(led_picture) else "others are lit"
            raise SimulationFailed(f"the LEDs do not show the picture that they confirmed: {seen}")
        if lights.beam_turn is None:
            return
        for cell, leds in enumerate(lights.layout.cells):
            if (
                cell in lights.beam_cells
                and cell not in self.lit_cells
                and led_picture[list(leds)].any()
            ):
                self.lit_cells.append(cell)
        if self.brightest_picture is None or int(led_picture.sum()) > int(
            self.brightest_picture.sum()
        ):
            self.brightest_picture = led_picture
            if self._saves_images:
                self.table_image = self._world.render_image()


def _is_same(led_picture: Pixels | None, picture: Pixels | None) -> bool:
    return led_picture is not None and picture is not None and np.array_equal(led_picture, picture)


def _is_dark(led_picture: Pixels | None) -> bool:
    return led_picture is None or not led_picture.any()
