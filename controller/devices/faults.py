"""Faults around a simulated table, each a small act with a name: `the camera is unplugged`.

They happen to the devices themselves: the camera's source, the cable, the disk, the clock. What
stands in capitals in a name is told with it: a cell, so many pixels, percent or seconds.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from controller.devices.clock import JumpyClock
from controller.devices.journal_file import JournalFile
from controller.devices.leds_sim import Faults, SimulatedLeds
from controller.devices.table import Table
from controller.devices.worn_disk import WornDisk
from controller.journal import Entry
from controller.ports import Clock, Journal, LedMatrix
from engine.errors import LaserboardError
from engine.grid import Cell
from vision.scene import Reflection, Room, nudged

DARK = 0.004  # of full scale: white paper at night
NUDGED_TOWARDS_DEGREES = 30.0
GLARE_MM, GLARE = 14.0, 2.5
# A lamp beside the table: from the other side, lower, and everything is so much brighter.
LAMP_DEGREES, LAMP_ELEVATION_DEGREES, LAMP_AMBIENT, LAMP_BRIGHTER = 110.0, 35.0, 0.35, 1.15
SLOW_MS = 2_500.0  # of an old card that is almost full
PLUGGED_IN_MS = 20_000.0


class NoSuchFault(LaserboardError, ValueError):
    """A fault that cannot happen here."""


class TableFaults:
    """All that may go wrong around one table. `leds` and `clock` are those in use now."""

    def __init__(self, table: Table) -> None:
        self._table, self._daylight = table, table.look().conditions
        self.disk = disk = WornDisk()
        self.leds: LedMatrix | None = None
        self.clock: JumpyClock | None = None
        self.patient = True  # wait for the driver to find its board again: time waits as well
        self._journal: tuple[Path, JournalFile] | None = None
        self._sound: Faults | None = None  # the cable, as it was before it went bad
        self._dark = self._lamp = False
        self._glaring: tuple[Cell, ...] = ()
        self._acts: Mapping[str, Callable[..., None]] = {
            "the camera is unplugged": lambda: self._plugged_in(False),
            "the camera is plugged in": lambda: self._plugged_in(True),
            "the camera freezes": lambda: self._frozen(True),
            "the camera goes on": lambda: self._frozen(False),
            "the camera is nudged PX": self._nudged,
            "the light goes out": lambda: self._lit(dark=True),
            "the light comes on": lambda: self._lit(dark=False),
            "a lamp is switched on": lambda: self._lit(lamp=True),
            "the lamp is switched off": lambda: self._lit(lamp=False),
            "a lamp shines on CELL": self._glare,
            "all lamps are gone": self._no_lamps,
            "the LED cable is pulled": lambda: self._cable().matrix.unplug(),
            "the LED cable is plugged in": self._cable_back,
            "the LED cable goes bad PERCENT": self._cable_bad,
            "the LED cable is sound again": self._cable_sound,
            "the LED board restarts": lambda: self._cable().matrix.restart(),
            "the disk is full": lambda: disk.fails_with(errno.ENOSPC),
            "the disk is read-only": lambda: disk.fails_with(errno.EROFS),
            "the disk has room again": lambda: disk.fails_with(None),
            "the disk is slow": lambda: self._slow(SLOW_MS),
            "the disk is quick again": lambda: self._slow(0.0),
            "the clock jumps SECONDS": self._jump,
        }

    def journal_at(
        self, path: Path, clock: Clock, told: Callable[[], None], new: bool | None = None
    ) -> tuple[Journal, tuple[Entry, ...]]:
        """A journal on the disk that may fail; see `controller.wiring.journal_at`."""
        self.disk.come_back(clock)
        begins = not path.exists() if new is None else new
        slow_ms, self.disk.slow_ms = self.disk.slow_ms, 0.0  # whoever opens it lets no time pass
        journal = JournalFile(path, clock, new=begins, disk=self.disk, told=told)
        self.disk.slow_ms = slow_ms
        self._journal = path, journal
        return journal, journal.recovered.entries

    def tear(self) -> None:
        """What a power cut may leave at the end: half of an entry never called written."""
        if self._journal is None:
            return
        path, journal = self._journal
        lines = path.read_bytes().splitlines(keepends=True)
        if not lines:
            return
        last = lines[-1] if journal.wait(len(lines), 0.0) else lines.pop()
        path.write_bytes(b"".join(lines) + last[: len(last) // 2])

    @property
    def names(self) -> Collection[str]:
        return self._acts.keys()

    @property
    def blind(self) -> bool:
        """Whether the camera takes no pictures."""
        return self._table.frozen or not self._table.plugged_in

    @property
    def unplugged(self) -> bool:
        """Whether the LEDs' cable is pulled."""
        return isinstance(self.leds, SimulatedLeds) and not self.leds.matrix.plugged_in

    def happen(self, name: str, *told: float) -> None:
        """Let it go wrong, or right again."""
        if name not in self._acts:
            raise NoSuchFault(f"no fault is called {name!r}")
        self._acts[name](*told)

    # -- camera and light ----------------------------------------------------------------------

    def _plugged_in(self, there: bool) -> None:
        self._table.plugged_in = there

    def _frozen(self, still: bool) -> None:
        self._table.frozen = still

    def _nudged(self, shift_px: float) -> None:
        table = self._table
        table.nudge(nudged(table.look().view, shift_px, NUDGED_TOWARDS_DEGREES))

    def _glare(self, cell: float) -> None:
        self._glaring = (*self._glaring, int(cell))
        self._lit()

    def _no_lamps(self) -> None:
        self._glaring = ()
        self._lit(lamp=False)

    def _lit(self, dark: bool | None = None, lamp: bool | None = None) -> None:
        """The room as all that shines in it makes it."""
        self._dark = self._dark if dark is None else dark
        self._lamp = self._lamp if lamp is None else lamp
        room, seen = Room(), self._daylight
        if self._lamp:
            room = replace(
                room,
                lamp_degrees=LAMP_DEGREES,
                elevation_degrees=LAMP_ELEVATION_DEGREES,
                ambient=LAMP_AMBIENT,
            )
            seen = replace(seen, white=seen.white * LAMP_BRIGHTER)
        if self._dark:
            seen = replace(seen, white=DARK)
        places_mm = [self._table.board.centre_mm(cell) for cell in self._glaring]
        glare = tuple(Reflection(x_mm, y_mm, GLARE_MM, GLARE) for x_mm, y_mm in places_mm)
        self._table.light(replace(room, reflections=glare))
        self._table.expose(seen)

    # -- LEDs ----------------------------------------------------------------------------------

    def _cable(self) -> SimulatedLeds:
        if not isinstance(self.leds, SimulatedLeds):
            raise NoSuchFault("the LEDs have no cable to pull: play with sim://")
        return self.leds

    def _cable_back(self) -> None:
        """Plugged in, and the driver has found it."""
        self._cable().matrix.plug_in()
        self._found_again()

    def _cable_bad(self, percent: float) -> None:
        """So many of a hundred frames are lost, as many damaged, as many get a byte too many."""
        cable, likely = self._cable(), percent / 100
        if self._sound is None:
            self._sound = cable.matrix.faults
        cable.change_cable(replace(self._sound, drop=likely, flip=likely, insert=likely))

    def _cable_sound(self) -> None:
        cable, sound = self._cable(), self._sound
        if sound is not None:
            self._sound = None
            cable.change_cable(sound)
            self._found_again()

    def _found_again(self) -> None:
        cable = self._cable()
        if self.patient and cable.matrix.plugged_in:
            cable.wait(1, PLUGGED_IN_MS)

    # -- disk and clock ------------------------------------------------------------------------

    def _slow(self, slow_ms: float) -> None:
        self.disk.slow_ms = slow_ms

    def _jump(self, seconds: float) -> None:
        if self.clock is None or seconds < 0:
            raise NoSuchFault("a clock that counts on goes only forward, and only where one runs")
        self.clock.jump(1000 * seconds)
