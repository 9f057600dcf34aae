"""Opens all devices of one game at one table.

`TableSpec` names the board and the URLs of its devices; a rig opens them. The rigs of simulated
tables are in `controller.simulation.rig`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from controller.config.board_file import BoardFile
from controller.config.led_strips import LedStrip
from controller.config.leds import LedSettings
from controller.devices.factory.cameras import open_board_reader, open_camera, open_null_camera
from controller.devices.factory.clocks import system_clock
from controller.devices.factory.inputs import (
    open_buttons,
    open_computer_player,
    open_http_player,
    open_speaker,
    open_voice,
)
from controller.devices.factory.journals import OpenJournalFile, open_evidence_writer, open_journal
from controller.devices.factory.leds import open_leds
from controller.lighting import output
from controller.lighting.animation import LightEffects
from controller.lighting.layout import led_layout
from controller.lighting.renderer import LightRenderer, ScreenRenderer
from controller.ports.devices import Camera, Clock, Journal, LedMatrix, MoveChooser
from controller.ports.frames import BoardReader
from controller.session.board_fit import FittedBoard
from controller.session.evidence import EvidenceWriter
from controller.session.journal import JournalEntry
from controller.table.loop import Devices, OpenPublisher, Publisher, RealTime
from engine.game import Player
from engine.http_game import HttpGame

if TYPE_CHECKING:
    from controller.table.plan import GamePlan

OnEvent = Callable[[], None]
OpenedJournal = tuple[Journal, tuple[JournalEntry, ...]]
OpenJournal = Callable[[Clock, OnEvent, OpenJournalFile], OpenedJournal]  # of one game
NO_LEDS_URL = "none://"


@dataclass(frozen=True)
class TableSpec:
    """A board, its fit to a game, and the URLs of its devices."""

    board_name: str  # or the path of its file
    board_file: BoardFile
    fitted_board: FittedBoard
    leds_url: str
    camera_url: str = "sim://"
    buttons_url: str = "none://"
    speaker_url: str = "none://"
    voice: str = "none"
    program_urls: Mapping[Player, str] = field(default_factory=dict, repr=False)  # URLs are secret
    publisher_factory: OpenPublisher | None = None  # for a tournament game
    refereed: bool = False  # then evidence of every turn is stored

    def for_game(self, board_name: str, plan: GamePlan) -> TableSpec:
        """The same table for the next game, which is not a tournament game. Programs keep seats."""
        seats = plan.setup.seats
        programs = {
            player: url for player, url in self.program_urls.items() if seats[player].is_program
        }
        return replace(
            self,
            board_name=board_name,
            board_file=plan.board_file,
            fitted_board=plan.fitted_board,
            program_urls=programs,
            publisher_factory=None,
            refereed=plan.setup.policies is not None,
        )

    def open_publisher(self, journal: Journal, clock: Clock) -> Publisher | None:
        return None if self.publisher_factory is None else self.publisher_factory(journal, clock)

    def open_evidence_writer(
        self, journal: Journal, clock: Clock, on_event: OnEvent
    ) -> EvidenceWriter | None:
        """Open the writer of evidence images; None without a referee."""
        if not self.refereed:
            return None
        return open_evidence_writer(
            Path(journal.name), self.fitted_board, self.board_file.referee.evidence, clock, on_event
        )

    def open_programs(self, clock: Clock, on_event: OnEvent) -> dict[Player, MoveChooser]:
        """Open the players that are reached over HTTP."""
        game = self.fitted_board.game
        if not self.program_urls:
            return {}
        assert isinstance(game, HttpGame), "programs play HTTP games only"
        first = game.start()

        def understand(answer: str) -> str:
            return game.write_move(first, 0, game.read_answer(answer))

        return {
            player: open_http_player(url, clock, understand, on_event)
            for player, url in self.program_urls.items()
        }

    def open_reader(self, camera: Camera, on_event: OnEvent | None) -> BoardReader:
        reader = self.fitted_board.make_reader()
        return open_board_reader(camera, reader, on_event, self.fitted_board.describe_tag)

    def open_lights(self, clock: Clock, max_beam_ms: float | None = None) -> LightRenderer:
        """Open the LEDs. A board without LEDs gets a virtual LED per cell and short beams."""
        leds = open_leds(self.leds_url, led_settings_or_default(self.board_file), clock)
        return self.make_light_renderer(leds, max_beam_ms)

    def make_light_renderer(
        self, leds: LedMatrix, max_beam_ms: float | None = None
    ) -> LightRenderer:
        """The renderer of open LEDs; `max_beam_ms` limits the beams of a board without LEDs."""
        settings = led_settings_or_default(self.board_file)
        layout = led_layout(BoardFile(self.board_file.board, leds=settings))
        assert layout is not None
        grid = self.fitted_board.board.grid
        stage, effects = output.for_settings(settings), LightEffects(settings.effects)
        if max_beam_ms is None or self.leds_url != NO_LEDS_URL:
            return LightRenderer(leds, stage, layout.for_grid(grid), effects)
        renderer = ScreenRenderer(leds, stage, layout.for_grid(grid), effects)
        renderer.max_beams_ms = max_beam_ms
        return renderer


def led_settings_or_default(board_file: BoardFile) -> LedSettings:
    """The LED settings of a board; without any, one virtual LED per cell."""
    if board_file.leds is not None:
        return board_file.leds
    cells = board_file.board.grid.size
    return LedSettings((LedStrip(count=cells),), ma_limit=100 * cells)


def open_devices(
    spec: TableSpec,
    clock: Clock,
    on_event: OnEvent,
    out: TextIO,
    *,
    open_lights: Callable[[], LightRenderer],
    open_camera: Callable[[], Camera],
    open_reader: Callable[[Camera], BoardReader],
    computer_player: MoveChooser,
    open_journal: Callable[[], OpenedJournal],
) -> tuple[Devices, tuple[JournalEntry, ...]]:
    """Open all devices of a table; close those already open if one cannot be opened.

    The journal comes after all devices with a URL: a wrong URL must not start a game.
    """
    file = spec.board_file
    with ExitStack() as opened:
        opened.callback(computer_player.close)
        lights = open_lights()
        opened.callback(lights.leds.close)
        camera = open_camera()
        opened.callback(camera.close)
        buttons = open_buttons(spec.buttons_url, clock, file.buttons)
        opened.callback(buttons.close)
        speaker = open_speaker(spec.speaker_url, clock, file.speaker, out)
        opened.callback(speaker.close)
        voice = open_voice(spec.voice, clock, out)
        opened.callback(voice.close)
        journal, entries = open_journal()
        opened.callback(journal.close)
        devices = Devices(
            camera=camera,
            board_reader=open_reader(camera),
            lights=lights,
            journal=journal,
            computer_player=computer_player,
            buttons=buttons,
            speaker=speaker,
            voice=voice,
            clock=clock,
            programs=spec.open_programs(clock, on_event),
            publisher=spec.open_publisher(journal, clock),
            evidence_writer=spec.open_evidence_writer(journal, clock, on_event),
        )
        opened.pop_all()
    return devices, entries


class LedOnlyRig:
    """A table without camera and hands: the beams run on LEDs if the board has any.

    Without LEDs the beams of a turn take at most `max_beam_ms`.
    """

    def __init__(self, spec: TableSpec, open_journal: OpenJournal, max_beam_ms: float) -> None:
        self._spec = replace(spec, buttons_url="none://", refereed=False)
        self._open_journal, self._max_beam_ms = open_journal, max_beam_ms
        self.pacing = RealTime()

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        spec, clock, wake = self._spec, system_clock(), self.pacing.wake
        camera, reader = open_null_camera()
        return open_devices(
            spec,
            clock,
            wake,
            StringIO(),
            open_lights=lambda: spec.open_lights(clock, self._max_beam_ms),
            open_camera=lambda: camera,
            open_reader=lambda _: reader,
            computer_player=open_computer_player(clock),
            open_journal=lambda: self._open_journal(clock, wake, open_journal),
        )


class RealRig:
    """The devices that a board file or the command line names."""

    def __init__(self, spec: TableSpec, open_journal: OpenJournal, out: TextIO) -> None:
        self._spec, self._open_journal, self._out = spec, open_journal, out
        self.pacing = RealTime()

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        spec, clock, wake = self._spec, system_clock(), self.pacing.wake
        sizes = spec.board_file.camera.width, spec.board_file.camera.height
        return open_devices(
            spec,
            clock,
            wake,
            self._out,
            open_lights=lambda: spec.open_lights(clock),
            open_camera=lambda: open_camera(spec.camera_url, clock, *sizes, board=spec.board_name),
            open_reader=lambda camera: spec.open_reader(camera, wake),
            computer_player=open_computer_player(clock),
            open_journal=lambda: self._open_journal(clock, wake, open_journal),
        )
