"""Rooms with a table in them: everything that has a plug, opened for one game.

A real one has the devices that its board file names. In a simulated one the table is a model, and
time is the machine's own or goes in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from io import StringIO
from typing import TextIO

from controller.camera_address import BadCamera, Simulated, read_address
from controller.config import BoardFile
from controller.journal import Entry
from controller.layout import Layout, layout
from controller.led_settings import LedSettings
from controller.led_strips import Strip
from controller.light import Effects
from controller.lights import Lights
from controller.loop import Devices, InTime
from controller.ports import Clock, Journal, LedMatrix, World
from controller.ports import Player as Thinker
from controller.simulated.stepped import Stepped
from controller.tabletop import Tabletop
from controller.wiring import (
    OpenFile,
    camera_over,
    direct_player,
    faults_around,
    journal_at,
    jumpy,
    open_buttons,
    open_camera,
    open_eyes,
    open_leds,
    open_player,
    open_speaker,
    open_voice,
    simulated_table,
    simulated_world,
    stepped_clock,
    system_clock,
)
from engine.game import Piece
from engine.grid import Cell

Told = Callable[[], None]
Kept = tuple[Journal, tuple[Entry, ...]]
OpenJournal = Callable[[Clock, Told, OpenFile], Kept]  # of one game


@dataclass(frozen=True)
class Furniture:
    """A board, the game on it, and where its devices are."""

    place: str  # the board's name or file
    file: BoardFile
    top: Tabletop
    leds: str
    camera: str = "sim://"
    buttons: str = "none://"
    speaker: str = "none://"
    voice: str = "none"

    def lights(self, leds: LedMatrix) -> Lights:
        """The LEDs with what they show; a board without LEDs has imagined ones."""
        settings = led_settings(self.file)
        lies = layout(BoardFile(self.file.board, leds=settings))
        assert lies is not None
        playing = lies.playing(self.top.board.grid)
        return Lights(leds, settings.finish(), playing, Effects(settings.effects))


def led_settings(file: BoardFile) -> LedSettings:
    """The LEDs of a board; without any, one for each cell is imagined."""
    if file.leds is not None:
        return file.leds
    cells = file.board.grid.size
    return LedSettings((Strip(count=cells),), ma_limit=100 * cells)


class RealRoom:
    """The devices that a board file or the command line names."""

    def __init__(self, furniture: Furniture, open_journal: OpenJournal, out: TextIO) -> None:
        self._furniture, self._open_journal, self._out = furniture, open_journal, out
        self.pace = InTime()

    def switch_on(self) -> tuple[Devices, tuple[Entry, ...]]:
        has, clock, wake = self._furniture, system_clock(), self.pace.wake
        file, settings, reader = has.file, led_settings(has.file), has.top.reader()
        with ExitStack() as opened:
            sizes = file.camera.width, file.camera.height
            camera = open_camera(has.camera, clock, *sizes, board=has.place)
            opened.callback(camera.close)
            leds = open_leds(has.leds, settings, clock)
            opened.callback(leds.close)
            buttons = open_buttons(has.buttons, clock, file.buttons)
            opened.callback(buttons.close)
            speaker = open_speaker(has.speaker, clock, file.speaker, self._out)
            opened.callback(speaker.close)
            voice = open_voice(has.voice, clock, self._out)
            opened.callback(voice.close)
            journal, entries = self._open_journal(
                clock, wake, journal_at
            )  # last: a bad address begins no game
            opened.callback(journal.close)
            devices = Devices(
                camera,
                open_eyes(camera, reader, wake, has.top.described),
                has.lights(leds),
                journal,
                open_player(clock),
                buttons,
                speaker,
                voice,
                clock,
            )
            opened.pop_all()
        return devices, entries


class SimulatedRoom:
    """A table that is not there; the LEDs shine through it."""

    def __init__(
        self,
        furniture: Furniture,
        pieces: Mapping[Cell, Piece],
        open_journal: OpenJournal,
        clock: Clock,
    ) -> None:
        self.furniture, self._open_journal = furniture, open_journal
        self.table = simulated_table(_over(furniture))
        self.table.lay_out(pieces)
        self.faults = faults_around(self.table)
        self.faults.clock = self._clock = jumpy(clock)
        self.world: World
        self.layout: Layout
        self._journal: Journal

    def die(self) -> None:
        """Whatever runs here writes nothing more: it is gone, or the power is."""
        self.faults.disk.go()

    def tear(self) -> None:
        """What a power cut may do to the journal."""
        self.faults.tear()

    def _switched_on(
        self, told: Told | None, thinker: Thinker, out: TextIO
    ) -> tuple[Devices, tuple[Entry, ...]]:
        has, clock = self.furniture, self._clock
        file, reader = has.file, has.top.reader()
        self.faults.patient = told is None
        with ExitStack() as opened:
            opened.callback(thinker.close)
            leds = open_leds(has.leds, led_settings(file), system_clock())
            opened.callback(leds.close)
            lights = has.lights(leds)
            self.layout, self.faults.leds = lights.layout, leds
            self.world = simulated_world(self.table, self.layout, leds)
            journal, entries = self._open_journal(
                clock, told or (lambda: None), self.faults.journal_at
            )
            opened.callback(journal.close)
            self._journal = journal
            camera = camera_over(self.table, clock, told is not None, self.world.glow)
            opened.callback(camera.close)
            devices = Devices(
                camera,
                open_eyes(camera, reader, told, has.top.described),
                lights,
                journal,
                thinker,
                open_buttons(has.buttons, clock, file.buttons),
                open_speaker(has.speaker, clock, file.speaker, out),
                open_voice(has.voice, clock, out),
                clock,
            )
            opened.pop_all()
        return devices, entries


def _over(furniture: Furniture) -> Simulated:
    """The simulated camera over that board and game, as large as its URL says."""
    address = read_address(furniture.camera)
    if not isinstance(address, Simulated):
        raise BadCamera(f"{furniture.camera}: a simulated table has a camera like sim://?width=960")
    return replace(address, place=furniture.place, game=furniture.top.game.name)


class LiveRoom(SimulatedRoom):
    """In time as it passes, for people to play in."""

    def __init__(
        self,
        furniture: Furniture,
        pieces: Mapping[Cell, Piece],
        open_journal: OpenJournal,
        out: TextIO,
    ) -> None:
        super().__init__(furniture, pieces, open_journal, system_clock())
        self._out = out
        self.pace = InTime()

    def switch_on(self) -> tuple[Devices, tuple[Entry, ...]]:
        return self._switched_on(self.pace.wake, open_player(self._clock), self._out)


class SteppedRoom(SimulatedRoom):
    """In time that waits for the machine, always the same way."""

    def __init__(
        self,
        furniture: Furniture,
        pieces: Mapping[Cell, Piece],
        open_journal: OpenJournal,
        photographs: bool = False,
    ) -> None:
        super().__init__(furniture, pieces, open_journal, stepped_clock())
        self._photographs = photographs
        self.aloud = StringIO()  # what is spoken or sounds
        self.pace: Stepped

    def switch_on(self) -> tuple[Devices, tuple[Entry, ...]]:
        switched = self._switched_on(None, direct_player(system_clock()), self.aloud)
        self.pace = Stepped(self.world, self._clock, self.faults.disk, self._photographs)
        return switched

    def die(self) -> None:
        """With nothing left for the disk to do, unless it is slow: always in the same way."""
        self.pace.wait_for(self._journal)
        super().die()
