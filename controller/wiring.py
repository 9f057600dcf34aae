"""From configuration to objects: the only module that imports concrete devices.

Devices are imported when they are asked for: OpenCV alone takes longer to load than most commands
take to run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, assert_never

from controller import led_address
from controller.button_settings import (
    BadButtons,
    BadSpeaker,
    ButtonSettings,
    SpeakerSettings,
    read_button_url,
    read_speaker_url,
)
from controller.camera_address import (
    Film,
    Folder,
    Pi,
    Simulated,
    Usb,
    described,
    read_address,
)
from controller.devices.clock import SystemClock
from controller.ports import (
    Buttons,
    Camera,
    CameraFound,
    Clock,
    Journal,
    LedMatrix,
    Pixels,
    PortFound,
    Speaker,
    World,
)
from engine import games

if TYPE_CHECKING:
    from controller.devices.camera import Source
    from controller.devices.leds import Link, MatrixSettings
    from controller.devices.leds_sim import SimulatedLeds
    from controller.devices.table import Table
    from controller.journal import Entry
    from controller.layout import Layout
    from controller.led_settings import LedSettings

DEFAULT_BOARD = "demo-10x8"
BOARD_STATS_MS = 2_000.0


def system_clock() -> Clock:
    return SystemClock()


def open_camera(
    url: str,
    clock: Clock,
    width: int | None = None,
    height: int | None = None,
    board: str | None = None,
    threaded: bool = True,
) -> Camera:
    """The camera that a URL names, already at work.

    What no waiting can mend is an error here; a camera that is not plugged in is an event later.
    A size and a board hold where the URL names none; without a thread, `Camera.wait` reads.
    """
    from controller.devices.camera import LiveCamera
    from controller.devices.camera_files import FilmSource, FolderSource
    from controller.devices.camera_pi import PiSource
    from controller.devices.camera_usb import UsbSource
    from controller.devices.table import TableSource

    address = read_address(url, width, height)
    source: Source
    match address:
        case Usb():
            source = UsbSource(address)
        case Pi():
            source = PiSource(address)
        case Film():
            source = FilmSource(address)
        case Folder():
            source = FolderSource(address)
        case Simulated():
            table = simulated_table(address, board)
            source = TableSource(table, described(address), address.fps, address.seed)
        case _:
            assert_never(address)
    return LiveCamera(source, clock, threaded)


def simulated_table(address: Simulated, board: str | None = None) -> Table:
    """A table with the starting position of the game that its board is made for."""
    from controller.config import load_board
    from controller.devices.table import Table, view_of
    from controller.tabletop import fitted
    from vision.scene import Conditions

    named = games.make(address.game) if address.game else None
    top = fitted(load_board(address.place or board or DEFAULT_BOARD), named)
    position = top.game.start(address.setup, None if top.game.setups() else address.seed)
    playing = top.board.playing(position.grid)
    view = view_of(playing, address.width, address.height, address.tilt_degrees)
    table = Table(playing, top.game, view, Conditions().scaled(address.height / 720))
    table.lay_out(position.pieces)
    return table


def camera_over(table: Table, clock: Clock, fps: float = 10.0, threaded: bool = True) -> Camera:
    """The camera over a simulated table."""
    from controller.devices.camera import LiveCamera
    from controller.devices.table import TableSource

    return LiveCamera(TableSource(table, fps=fps), clock, threaded)


def find_cameras() -> list[CameraFound]:
    """The cameras that this machine has."""
    from controller.devices.camera_list import find_cameras as find

    return find()


def open_leds(
    url: str,
    settings: LedSettings,
    clock: Clock,
    draw: Callable[[Pixels], str] | None = None,
    stream: TextIO | None = None,
) -> LedMatrix:
    """The LEDs that a URL names, already at work; what is not plugged in is an event later.

    `draw` and `stream` are what `terminal://` draws with and writes to.
    """
    from controller.devices.buttons import open_pins
    from controller.devices.leds import LiveLeds
    from controller.devices.leds_adalight import AdalightLink
    from controller.devices.leds_ddp import DdpLink
    from controller.devices.leds_local import MemoryLink, NoLink, TerminalLink
    from controller.devices.leds_serial import SerialLink
    from controller.devices.leds_spi import SpiLink

    address, matrix = led_address.read_address(url), _matrix(settings)
    link: Link
    match address:
        case led_address.Simulated():
            return simulated_leds(address, settings, clock)
        case led_address.Serial(place, baud):
            link = SerialLink(place, matrix, baud)
        case led_address.Adalight(place, baud, order):
            link = AdalightLink(place, matrix, clock, baud, order)
        case led_address.Ddp():
            link = DdpLink(address.host, matrix, address.port)
        case led_address.Gpio():
            pins = open_pins("serial:// or sim://", led_address.BadLeds)
            link = SpiLink(
                matrix,
                address.bus,
                address.device,
                address.rate,
                address.kind,
                address.order,
                pins,
            )
        case led_address.Terminal():
            if draw is None or stream is None:
                raise led_address.BadLeds("terminal://: there is no terminal to draw in here")
            link = TerminalLink(matrix.leds, stream, draw)
        case led_address.Memory():
            link = MemoryLink(matrix.leds)
        case led_address.Nothing():
            link = NoLink(matrix.leds)
        case _:
            assert_never(address)
    return LiveLeds(link, clock)


def simulated_leds(
    address: led_address.Simulated, settings: LedSettings, clock: Clock
) -> SimulatedLeds:
    """The real driver on the firmware's own core, on this machine."""
    from controller.devices.leds_sim import Faults, SimulatedLeds, SimulatedMatrix

    faults = Faults(
        address.drop,
        address.flip,
        address.insert,
        address.delay,
        address.lag_ms,
        address.unplug_every_s,
    )
    return SimulatedLeds(SimulatedMatrix(faults, address.seed), _matrix(settings), clock)


def simulated_world(table: Table, layout: Layout, leds: LedMatrix) -> World:
    """The world around a simulated table, whose LEDs are simulated too or at least remembered."""
    from controller.devices.leds_sim import SimulatedLeds
    from controller.devices.world import SimulatedWorld

    latched = leds.matrix.latched if isinstance(leds, SimulatedLeds) else leds.shown
    return SimulatedWorld(table, layout, latched)


def open_bare_board(settings: LedSettings, clock: Clock) -> tuple[LedMatrix, Callable[[], None]]:
    """The firmware on a pty, with nothing between it and the driver; and how to end it."""
    from controller.devices.bare import Board
    from controller.devices.leds import LiveLeds
    from controller.devices.leds_serial import SerialLink

    board = Board()
    leds = LiveLeds(SerialLink(board.path, _matrix(settings)), clock)

    def close() -> None:
        leds.close()
        board.close()

    return leds, close


def open_peer() -> tuple[Callable[[bytes], None], Callable[[], None]]:
    """The least that answers: how to send it a frame and wait, and how to end it."""
    from controller.devices.bare import Peer

    peer = Peer()
    return peer.exchange, peer.close


def full_frame(picture: Pixels) -> bytes:
    """A whole picture as bytes on our serial line."""
    from controller.devices.wire import Full, encode

    return encode(1, Full(picture.tobytes()))[0]


def board_counts(leds: LedMatrix) -> Mapping[str, int] | None:
    """What the board at the other end has counted itself, if it is one that counts."""
    from controller.devices.leds import LiveLeds, Unavailable
    from controller.devices.leds_serial import SerialLink

    if not isinstance(leds, LiveLeds) or not isinstance(leds.link, SerialLink):
        return None
    try:
        counted = asdict(leds.ask(leds.link.board_stats, BOARD_STATS_MS))
    except Unavailable:
        return None
    return {name.replace("_", " "): count for name, count in counted.items()}


def find_ports() -> list[PortFound]:
    """The serial ports of this machine, and what answers our handshake on each."""
    from controller.devices.leds_serial import probe, serial_ports

    found = []
    for path in serial_ports():
        answer = probe(path)
        board = not isinstance(answer, str)
        found.append(PortFound(path, board, str(answer).partition("; `laserboard ports`")[0]))
    return found


def open_buttons(url: str, clock: Clock, settings: ButtonSettings) -> Buttons:
    """The buttons that a URL names."""
    from controller.devices.buttons import (
        GpioButtons,
        KeyboardButtons,
        NoButtons,
        ScriptedButtons,
        open_pins,
    )

    address = read_button_url(url)
    match address.kind:
        case "gpio":
            pins = open_pins("--buttons keyboard://", BadButtons)
            return GpioButtons(settings.pins, clock, pins)
        case "keyboard":
            if sys.stdin is None:
                raise BadButtons("buttons 'keyboard://': standard input is closed")
            return KeyboardButtons(sys.stdin.fileno(), clock)
        case "script":
            return ScriptedButtons(address.script, clock)
        case _:
            return NoButtons()


def open_speaker(url: str, clock: Clock, settings: SpeakerSettings, stream: TextIO) -> Speaker:
    """The lamp and the buzzer that a URL names."""
    from controller.devices.buttons import open_pins
    from controller.devices.speaker import (
        GpioOutput,
        RhythmSpeaker,
        SilentSpeaker,
        TerminalSpeaker,
    )

    match read_speaker_url(url):
        case "gpio":
            pins = open_pins("--speaker terminal://", BadSpeaker)
            return RhythmSpeaker(GpioOutput(settings, pins), clock)
        case "terminal":
            return TerminalSpeaker(stream)
        case _:
            return SilentSpeaker()


def _matrix(settings: LedSettings) -> MatrixSettings:
    from controller.devices.leds import MatrixSettings

    return MatrixSettings(
        settings.lanes,
        settings.color_order,
        settings.ma_limit,
        settings.ma_per_led,
        settings.watchdog_ms,
    )


def new_journal(clock: Clock) -> Journal:
    """A journal for a game that begins today, under a name that nobody has."""
    from controller.devices.clock import wall_clock
    from controller.devices.journal_file import JournalExists, JournalFile
    from controller.game_store import games_folder, new_path

    day = wall_clock().partition(" ")[0]
    while True:
        try:
            return JournalFile(new_path(games_folder(), day), clock, new=True)
        except JournalExists:
            continue  # another Laserboard was faster


def open_journal(path: Path, clock: Clock) -> tuple[Journal, tuple[Entry, ...]]:
    """A journal to write on, and all that it tells so far."""
    from controller.devices.journal_file import JournalFile

    journal = JournalFile(path, clock)
    return journal, journal.recovered.entries


def memory_journal(clock: Clock) -> Journal:
    """A journal that nobody wants to keep."""
    from controller.devices.journal_memory import MemoryJournal

    return MemoryJournal(clock)


def wall_clock() -> str:
    """Day and time, as people write them."""
    from controller.devices.clock import wall_clock as now

    return now()
