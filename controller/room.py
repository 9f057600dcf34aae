"""Rooms with a table in them: everything that has a plug, opened for one game.

A real one has the devices that its board file names. In a simulated one the table is a model, and
time is the machine's own or goes in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from controller.camera_address import BadCamera, Simulated, read_address
from controller.config import BoardFile
from controller.evidence import EvidenceKeeper
from controller.journal import Entry
from controller.layout import Layout, layout
from controller.led_settings import LedSettings
from controller.led_strips import Strip
from controller.light import Effects
from controller.lights import Film, Lights
from controller.loop import Devices, InTime
from controller.ports import Clock, Journal, LedMatrix, World
from controller.ports import Player as Thinker
from controller.ports_event import Herald, OpenHerald
from controller.simulated.stepped import Stepped
from controller.tabletop import Tabletop
from controller.wiring import (
    OpenFile,
    camera_over,
    direct_player,
    faults_around,
    journal_at,
    jumpy,
    no_camera,
    open_buttons,
    open_camera,
    open_evidence,
    open_eyes,
    open_leds,
    open_player,
    open_program,
    open_speaker,
    open_voice,
    simulated_table,
    simulated_world,
    stepped_clock,
    system_clock,
)
from engine.arena import Arena
from engine.game import Piece, Player
from engine.grid import Cell

if TYPE_CHECKING:
    from controller.beginning import Plan

Told = Callable[[], None]
Kept = tuple[Journal, tuple[Entry, ...]]
OpenJournal = Callable[[Clock, Told, OpenFile], Kept]  # of one game
NO_LEDS = "none://"
# A sixth of the work of the usual one, and harder to read.
SMALL_CAMERA = "sim://?width=960&height=540&sensor=grey"


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
    programs: Mapping[Player, str] = field(default_factory=dict, repr=False)  # by URL
    herald: OpenHerald | None = None  # of a game that is part of an event
    refereed: bool = False  # then every turn is photographed

    def for_game(self, place: str, plan: Plan) -> Furniture:
        """The same for another game, maybe on another board; programs keep their seats. It is
        part of no event."""
        seats = plan.start.seats
        programs = {player: url for player, url in self.programs.items() if seats[player].program}
        return replace(
            self,
            place=place,
            file=plan.file,
            top=plan.top,
            programs=programs,
            herald=None,
            refereed=plan.start.laws is not None,
        )

    def open_herald(self, journal: Journal, clock: Clock) -> Herald | None:
        return None if self.herald is None else self.herald(journal, clock)

    def open_evidence(self, journal: Journal, clock: Clock, told: Told) -> EvidenceKeeper | None:
        """Who keeps pictures of every turn."""
        if not self.refereed:
            return None
        return open_evidence(Path(journal.name), self.top, self.file.referee.evidence, clock, told)

    def open_programs(self, clock: Clock, told: Told) -> dict[Player, Thinker]:
        """Those who play over HTTP."""
        game = self.top.game
        if not self.programs:
            return {}
        assert isinstance(game, Arena), "programs play what they can be asked"
        first = game.start()

        def understand(answer: str) -> str:
            return game.write_move(first, 0, game.read_answer(answer))

        return {
            player: open_program(url, clock, understand, told)
            for player, url in self.programs.items()
        }

    def lights(self, leds: LedMatrix, film_ms: float | None = None) -> Lights:
        """The LEDs with what they show; a board without LEDs has imagined ones. `film_ms`: without
        any, nothing takes longer."""
        settings = led_settings(self.file)
        lies = layout(BoardFile(self.file.board, leds=settings))
        assert lies is not None
        playing = lies.playing(self.top.board.grid)
        of = (leds, settings.finish(), playing, Effects(settings.effects))
        if film_ms is None or self.leds != NO_LEDS:
            return Lights(*of)
        film = Film(*of)
        film.most_ms = film_ms
        return film


def led_settings(file: BoardFile) -> LedSettings:
    """The LEDs of a board; without any, one for each cell is imagined."""
    if file.leds is not None:
        return file.leds
    cells = file.board.grid.size
    return LedSettings((Strip(count=cells),), ma_limit=100 * cells)


class Gallery:
    """A game that nobody carries out: no camera, no hands, and light only where a board has it.

    Without LEDs the beams of a turn take `film_ms` at most, for whoever watches them elsewhere.
    """

    def __init__(self, furniture: Furniture, open_journal: OpenJournal, film_ms: float) -> None:
        self._furniture, self._open_journal, self._film_ms = furniture, open_journal, film_ms
        self.pace = InTime()

    def switch_on(self) -> tuple[Devices, tuple[Entry, ...]]:
        has, clock, wake = self._furniture, system_clock(), self.pace.wake
        camera, eyes = no_camera()
        with ExitStack() as opened:
            leds = open_leds(has.leds, led_settings(has.file), clock)
            opened.callback(leds.close)
            journal, entries = self._open_journal(clock, wake, journal_at)
            opened.callback(journal.close)
            devices = Devices(
                camera,
                eyes,
                has.lights(leds, self._film_ms),
                journal,
                open_player(clock),
                open_buttons("none://", clock, has.file.buttons),
                open_speaker(has.speaker, clock, has.file.speaker, StringIO()),
                open_voice(has.voice, clock, StringIO()),
                clock,
                has.open_programs(clock, wake),
                has.open_herald(journal, clock),
            )
            opened.pop_all()
        return devices, entries


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
            # Last: a bad address begins no game.
            journal, entries = self._open_journal(clock, wake, journal_at)
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
                has.open_programs(clock, wake),
                has.open_herald(journal, clock),
                has.open_evidence(journal, clock, wake),
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
        self.path: Path | None = None  # of the journal
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
            self.path = Path(journal.name)
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
                has.open_programs(clock, told or (lambda: None)),
                has.open_herald(journal, clock),
                has.open_evidence(journal, clock, told or (lambda: None)),
            )
            opened.pop_all()
        return devices, entries

    def make_room(self) -> None:
        """What people do before they begin again with a disk that was full."""
        self.faults.happen("the disk has room again")


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
