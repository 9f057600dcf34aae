"""Fault injection for a simulated table, by names such as `the camera is unplugged`.

Each fault acts on a device: the frame source, the LED cable, the disk or the clock. A word in
capitals in a name is an argument: a cell, pixels, percent or seconds.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from controller.devices import sentences
from controller.devices.clock import JumpingClock
from controller.devices.journal_file import JournalFile
from controller.devices.leds.simulated import CableFaults, SimulatedLeds
from controller.devices.simulated.faulty_disk import FaultyDisk
from controller.devices.simulated.table import SimulatedTable
from controller.ports.devices import Clock, Journal, LedMatrix
from controller.session.journal import JournalEntry
from engine.errors import LaserboardError
from engine.grid import Cell
from vision.scene import Reflection, RoomLight, nudge_camera

DARK_WHITE_LEVEL = 0.004  # of full scale: the brightness of white paper at night
NUDGE_DIRECTION_DEGREES = 30.0
GLARE_MM, GLARE_STRENGTH = 14.0, 2.5
# A lamp beside the table: from the other side, lower, and brighter.
LAMP_DEGREES, LAMP_ELEVATION_DEGREES, LAMP_AMBIENT, LAMP_GAIN = 110.0, 35.0, 0.35, 1.15
SLOW_SYNC_MS = 2_500.0  # as on an old, almost full SD card
RECONNECT_TIMEOUT_MS = 20_000.0


class UnknownFault(LaserboardError, ValueError):
    """There is no such fault."""


class TableFaults:
    """The faults of one table. The owner sets `leds` and `clock` to the devices in use."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table, self._normal_conditions = table, table.snapshot().conditions
        self.disk = disk = FaultyDisk()
        self.leds: LedMatrix | None = None
        self.clock: JumpingClock | None = None
        self.wait_for_reconnect = True  # `plug in` returns when the driver is connected again
        self._journal: tuple[Path, JournalFile] | None = None
        self._healthy_cable: CableFaults | None = None  # its faults before `goes bad`
        self._dark = self._lamp = False
        self._glare_cells: tuple[Cell, ...] = ()
        self._actions: Mapping[str, Callable[..., None]] = {
            "the camera is unplugged": lambda: self._set_camera_plugged_in(False),
            "the camera is plugged in": lambda: self._set_camera_plugged_in(True),
            "the camera freezes": lambda: self._set_camera_frozen(True),
            "the camera goes on": lambda: self._set_camera_frozen(False),
            "the camera is nudged PX": self._nudge_camera,
            "the light goes out": lambda: self._update_light(dark=True),
            "the light comes on": lambda: self._update_light(dark=False),
            "a lamp is switched on": lambda: self._update_light(lamp=True),
            "the lamp is switched off": lambda: self._update_light(lamp=False),
            "a lamp shines on CELL": self._add_glare,
            "all lamps are gone": self._remove_lamps,
            "the LED cable is pulled": lambda: self._require_cable().matrix.unplug(),
            "the LED cable is plugged in": self._plug_in_cable,
            "the LED cable goes bad PERCENT": self._damage_cable,
            "the LED cable is sound again": self._repair_cable,
            "the LED board restarts": lambda: self._require_cable().matrix.restart(),
            "the disk is full": lambda: disk.fail_with(errno.ENOSPC),
            "the disk is read-only": lambda: disk.fail_with(errno.EROFS),
            "the disk has room again": lambda: disk.fail_with(None),
            "the disk is slow": lambda: self._set_sync_delay(SLOW_SYNC_MS),
            "the disk is quick again": lambda: self._set_sync_delay(0.0),
            "the clock jumps SECONDS": self._jump_clock,
        }

    def open_journal(
        self, path: Path, clock: Clock, on_event: Callable[[], None], new: bool | None = None
    ) -> tuple[Journal, tuple[JournalEntry, ...]]:
        """Open a journal on the faulty disk; see `factory.journals.open_journal`."""
        self.disk.power_on(clock)
        begins = not path.exists() if new is None else new
        # No delay while opening: simulated time stands still then.
        slow_ms, self.disk.sync_delay_ms = self.disk.sync_delay_ms, 0.0
        journal = JournalFile(path, clock, new=begins, disk=self.disk, on_event=on_event)
        self.disk.sync_delay_ms = slow_ms
        self._journal = path, journal
        return journal, journal.recovered.entries

    def corrupt_journal(self) -> None:
        """Leave half of an unacknowledged entry at the end, as a power cut may."""
        if self._journal is None:
            return
        path, journal = self._journal
        lines = path.read_bytes().splitlines(keepends=True)
        if not lines:
            return
        last = lines[-1] if journal.wait(len(lines), 0.0) else lines.pop()
        path.write_bytes(b"".join(lines) + last[: len(last) // 2])

    @property
    def fault_names(self) -> Collection[str]:
        return self._actions.keys()

    @property
    def camera_blind(self) -> bool:
        """Whether the camera gives no frames."""
        return self._table.frozen or not self._table.plugged_in

    @property
    def leds_unplugged(self) -> bool:
        """Whether the LED cable is unplugged."""
        return isinstance(self.leds, SimulatedLeds) and not self.leds.matrix.plugged_in

    def inject_fault(self, name: str, *args: float) -> None:
        """Inject a fault, or end one."""
        if name not in self._actions:
            raise UnknownFault(sentences.NO_SUCH_FAULT(name=name))
        self._actions[name](*args)

    # -- camera and light ----------------------------------------------------------------------

    def _set_camera_plugged_in(self, there: bool) -> None:
        self._table.plugged_in = there

    def _set_camera_frozen(self, still: bool) -> None:
        self._table.frozen = still

    def _nudge_camera(self, shift_px: float) -> None:
        table = self._table
        table.set_view(nudge_camera(table.snapshot().view, shift_px, NUDGE_DIRECTION_DEGREES))

    def _add_glare(self, cell: float) -> None:
        self._glare_cells = (*self._glare_cells, int(cell))
        self._update_light()

    def _remove_lamps(self) -> None:
        self._glare_cells = ()
        self._update_light(lamp=False)

    def _update_light(self, dark: bool | None = None, lamp: bool | None = None) -> None:
        """Apply darkness, lamp and glare to the scene."""
        self._dark = self._dark if dark is None else dark
        self._lamp = self._lamp if lamp is None else lamp
        room, seen = RoomLight(), self._normal_conditions
        if self._lamp:
            room = replace(
                room,
                lamp_degrees=LAMP_DEGREES,
                elevation_degrees=LAMP_ELEVATION_DEGREES,
                ambient=LAMP_AMBIENT,
            )
            seen = replace(seen, white=seen.white * LAMP_GAIN)
        if self._dark:
            seen = replace(seen, white=DARK_WHITE_LEVEL)
        places_mm = [self._table.board.centre_mm(cell) for cell in self._glare_cells]
        glare = tuple(Reflection(x_mm, y_mm, GLARE_MM, GLARE_STRENGTH) for x_mm, y_mm in places_mm)
        self._table.set_room(replace(room, reflections=glare))
        self._table.set_conditions(seen)

    # -- LEDs ----------------------------------------------------------------------------------

    def _require_cable(self) -> SimulatedLeds:
        if not isinstance(self.leds, SimulatedLeds):
            raise UnknownFault(sentences.NO_CABLE())
        return self.leds

    def _plug_in_cable(self) -> None:
        """Plug in, and wait until the driver is connected."""
        self._require_cable().matrix.plug_in()
        self._wait_for_leds()

    def _damage_cable(self, percent: float) -> None:
        """Drop, flip and insert with this probability each."""
        cable, likely = self._require_cable(), percent / 100
        if self._healthy_cable is None:
            self._healthy_cable = cable.matrix.faults
        cable.set_cable_faults(
            replace(self._healthy_cable, drop=likely, flip=likely, insert=likely)
        )

    def _repair_cable(self) -> None:
        cable, sound = self._require_cable(), self._healthy_cable
        if sound is not None:
            self._healthy_cable = None
            cable.set_cable_faults(sound)
            self._wait_for_leds()

    def _wait_for_leds(self) -> None:
        cable = self._require_cable()
        if self.wait_for_reconnect and cable.matrix.plugged_in:
            cable.wait(1, RECONNECT_TIMEOUT_MS)

    # -- disk and clock ------------------------------------------------------------------------

    def _set_sync_delay(self, slow_ms: float) -> None:
        self.disk.sync_delay_ms = slow_ms

    def _jump_clock(self, seconds: float) -> None:
        if self.clock is None or seconds < 0:
            raise UnknownFault(sentences.CLOCK_FORWARD_ONLY())
        self.clock.jump(1000 * seconds)
