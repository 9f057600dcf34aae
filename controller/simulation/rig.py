"""Rigs of a simulated table: live time or stepped time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TextIO

from controller.config.addresses.camera import BadCamera, SimulatedCameraAddress, parse_camera_url
from controller.devices.factory.cameras import open_table_camera, simulated_table
from controller.devices.factory.clocks import (
    jumping_clock,
    scaled_clock,
    stepped_clock,
    system_clock,
)
from controller.devices.factory.inputs import open_computer_player, open_in_process_player
from controller.devices.factory.leds import make_table_faults, simulated_world
from controller.lighting.layout import LedLayout
from controller.lighting.renderer import LightRenderer
from controller.ports.devices import Clock, Journal, MoveChooser
from controller.ports.world import World
from controller.session.journal import JournalEntry
from controller.simulation.stepped_time import SteppedTime
from controller.table.loop import Devices, RealTime
from controller.table.rig import OnEvent, OpenedJournal, OpenJournal, TableSpec, open_devices
from engine.game import Piece
from engine.grid import Cell

# A sixth of the pixels of the default camera, and harder to read.
SMALL_CAMERA_URL = "sim://?width=960&height=540&sensor=grey"


class SimulatedRig:
    """A simulated table with fault injection; its camera sees the light of the LEDs."""

    def __init__(
        self,
        spec: TableSpec,
        pieces: Mapping[Cell, Piece],
        open_journal: OpenJournal,
        clock: Clock,
    ) -> None:
        self.spec, self._open_journal = spec, open_journal
        self.table = simulated_table(_simulated_camera(spec))
        self.table.set_pieces(pieces)
        self.faults = make_table_faults(self.table)
        self.faults.clock = self._clock = jumping_clock(clock)
        self.path: Path | None = None  # of the journal
        self.world: World
        self.layout: LedLayout
        self._journal: Journal

    def kill(self) -> None:
        """Stop all writes to disk, as a killed process or a power cut does."""
        self.faults.disk.power_off()

    def corrupt_journal(self) -> None:
        """Damage the end of the journal, as a power cut may do."""
        self.faults.corrupt_journal()

    def _open(
        self, on_event: OnEvent | None, computer_player: MoveChooser, out: TextIO
    ) -> tuple[Devices, tuple[JournalEntry, ...]]:
        self.faults.wait_for_reconnect = on_event is None
        notify = on_event or (lambda: None)
        clock, is_threaded = self._clock, on_event is not None
        return open_devices(
            self.spec,
            clock,
            notify,
            out,
            open_lights=self._open_lights,
            open_camera=lambda: open_table_camera(
                self.table, clock, is_threaded, self.world.apply_led_glow
            ),
            open_reader=lambda camera: self.spec.open_reader(camera, on_event),
            computer_player=computer_player,
            open_journal=lambda: self._open_own_journal(notify),
        )

    def _open_lights(self) -> LightRenderer:
        lights = self.spec.open_lights(system_clock())
        self.layout, self.faults.leds = lights.layout, lights.leds
        self.world = simulated_world(self.table, self.layout, lights.leds)
        return lights

    def _open_own_journal(self, on_event: OnEvent) -> OpenedJournal:
        journal, entries = self._open_journal(self._clock, on_event, self.faults.open_journal)
        self.path, self._journal = Path(journal.name), journal
        return journal, entries

    def free_disk_space(self) -> None:
        """End the fault of a full disk, so that the next game can be written."""
        self.faults.inject_fault("the disk has room again")


def _simulated_camera(spec: TableSpec) -> SimulatedCameraAddress:
    """The address of the simulated camera, for the board and the game of `spec`."""
    address = parse_camera_url(spec.camera_url)
    if not isinstance(address, SimulatedCameraAddress):
        raise BadCamera(f"{spec.camera_url}: a simulated table has a camera like sim://?width=960")
    return replace(address, place=spec.board_name, game=spec.fitted_board.game.name)


class LiveSimulatedRig(SimulatedRig):
    """A simulated table in real time, for people."""

    def __init__(
        self,
        spec: TableSpec,
        pieces: Mapping[Cell, Piece],
        open_journal: OpenJournal,
        out: TextIO,
        speed: float = 1.0,
    ) -> None:
        clock = system_clock() if speed == 1.0 else scaled_clock(speed)
        super().__init__(spec, pieces, open_journal, clock)
        self._out = out
        self.pacing = RealTime()

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        return self._open(self.pacing.wake, open_computer_player(self._clock), self._out)


class SteppedSimulatedRig(SimulatedRig):
    """A simulated table in stepped time: the same seed gives the same game."""

    def __init__(
        self,
        spec: TableSpec,
        pieces: Mapping[Cell, Piece],
        open_journal: OpenJournal,
        saves_images: bool = False,
    ) -> None:
        super().__init__(spec, pieces, open_journal, stepped_clock())
        self._saves_images = saves_images
        self.audio_output = StringIO()  # lines of the speaker and the voice
        self.pacing: SteppedTime

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        opened = self._open(None, open_in_process_player(system_clock()), self.audio_output)
        self.pacing = SteppedTime(self.world, self._clock, self.faults.disk, self._saves_images)
        return opened

    def kill(self) -> None:
        """Wait for pending writes first, so that every run leaves the same journal."""
        self.pacing.wait_for_journal(self._journal)
        super().kill()
