"""Faults around a simulated table, each a small act with a name: `the camera is unplugged`.

They happen to the devices themselves: the camera's source, the cable, the disk. What stands in
capitals in a name is told with it: a cell, or so many pixels.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from controller.devices.journal_file import Disk, JournalFile
from controller.devices.leds_sim import SimulatedLeds
from controller.devices.table import Table
from controller.journal import Entry
from controller.ports import Clock, Journal, LedMatrix
from engine.errors import LaserboardError
from vision.scene import Reflection, Room, nudged

DARK = 0.004  # of full scale: white paper at night
NUDGED_TOWARDS_DEGREES = 30.0
GLARE_MM, GLARE = 14.0, 2.5
LAST_BYTES = 20  # that a disk takes before it is full
PLUGGED_IN_MS = 20_000.0


class NoSuchFault(LaserboardError, ValueError):
    """A fault that cannot happen here."""


class WornDisk(Disk):
    """A disk that is sometimes full, or read-only."""

    def __init__(self) -> None:
        self.trouble: int | None = None  # an errno
        self._left = LAST_BYTES

    def fails_with(self, trouble: int | None) -> None:
        self.trouble, self._left = trouble, LAST_BYTES

    def open(self, path: Path, flags: int) -> int:
        if self.trouble == errno.EROFS and flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return super().open(path, flags)

    def write(self, file: int, content: bytes) -> int:
        if self.trouble == errno.ENOSPC and self._left:
            part, self._left = content[: self._left], 0
            return super().write(file, part)
        if self.trouble is not None:
            raise OSError(self.trouble, os.strerror(self.trouble))
        return super().write(file, content)


class TableFaults:
    """All that may go wrong around one table. `leds` are those in use now."""

    def __init__(self, table: Table) -> None:
        self._table, self._daylight = table, table.look().conditions
        self._disk = disk = WornDisk()
        self.leds: LedMatrix | None = None
        self._acts: Mapping[str, Callable[..., None]] = {
            "the camera is unplugged": lambda: self._plugged_in(False),
            "the camera is plugged in": lambda: self._plugged_in(True),
            "the camera freezes": lambda: self._frozen(True),
            "the camera goes on": lambda: self._frozen(False),
            "the camera is nudged PX": self._nudged,
            "the light goes out": lambda: table.expose(replace(self._daylight, white=DARK)),
            "the light comes on": lambda: table.expose(self._daylight),
            "a lamp shines on CELL": self._glare,
            "all lamps are gone": lambda: table.light(Room()),
            "the LED cable is pulled": lambda: self._cable().matrix.unplug(),
            "the LED cable is plugged in": self._cable_back,
            "the LED board restarts": lambda: self._cable().matrix.restart(),
            "the disk is full": lambda: disk.fails_with(errno.ENOSPC),
            "the disk is read-only": lambda: disk.fails_with(errno.EROFS),
            "the disk has room again": lambda: disk.fails_with(None),
        }

    def journal_at(
        self, path: Path, clock: Clock, told: Callable[[], None]
    ) -> tuple[Journal, tuple[Entry, ...]]:
        """A journal on the disk that may fail; see `controller.wiring.journal_at`."""
        journal = JournalFile(path, clock, new=not path.exists(), disk=self._disk, told=told)
        return journal, journal.recovered.entries

    @property
    def names(self) -> Collection[str]:
        return self._acts.keys()

    @property
    def blind(self) -> bool:
        """Whether the camera takes no pictures."""
        return self._table.frozen or not self._table.plugged_in

    def happen(self, name: str, *told: float) -> None:
        """Let it go wrong, or right again."""
        if name not in self._acts:
            raise NoSuchFault(f"no fault is called {name!r}")
        self._acts[name](*told)

    def _plugged_in(self, there: bool) -> None:
        self._table.plugged_in = there

    def _frozen(self, still: bool) -> None:
        self._table.frozen = still

    def _nudged(self, shift_px: float) -> None:
        table = self._table
        table.nudge(nudged(table.look().view, shift_px, NUDGED_TOWARDS_DEGREES))

    def _glare(self, cell: float) -> None:
        x_mm, y_mm = self._table.board.centre_mm(int(cell))
        room, lamp = self._table.look().scene.room, Reflection(x_mm, y_mm, GLARE_MM, GLARE)
        self._table.light(replace(room, reflections=(*room.reflections, lamp)))

    def _cable(self) -> SimulatedLeds:
        if not isinstance(self.leds, SimulatedLeds):
            raise NoSuchFault("the LEDs have no cable to pull: play with sim://")
        return self.leds

    def _cable_back(self) -> None:
        """Plugged in, and the driver has found it."""
        leds = self._cable()
        leds.matrix.plug_in()
        leds.wait(1, PLUGGED_IN_MS)
