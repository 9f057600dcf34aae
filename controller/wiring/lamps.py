"""LEDs, whatever drives them, and the simulated world that they light."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, TextIO, assert_never

from controller import led_address
from controller.ports import (
    Clock,
    LedMatrix,
    Pixels,
    PortFound,
    World,
)

if TYPE_CHECKING:
    from controller.devices.faults import TableFaults
    from controller.devices.leds import Link, MatrixSettings
    from controller.devices.leds_sim import SimulatedLeds
    from controller.devices.stopwatch import Instruments
    from controller.devices.table import Table
    from controller.layout import Layout
    from controller.led_settings import LedSettings

BOARD_STATS_MS = 2_000.0


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
    from controller.devices.leds_sim import Faults, SimulatedLeds, SimulatedMatrix, patience_ms

    faults = Faults(
        address.drop,
        address.flip,
        address.insert,
        address.delay,
        address.lag_ms,
        address.unplug_every_s,
    )
    matrix = SimulatedMatrix(faults, address.seed)
    return SimulatedLeds(matrix, _matrix(settings), clock, patience_ms(faults))


def simulated_world(table: Table, layout: Layout, leds: LedMatrix) -> World:
    """The world around a simulated table, whose LEDs are simulated too or at least remembered."""
    from controller.devices.leds_sim import SimulatedLeds
    from controller.devices.world import SimulatedWorld

    latched = leds.matrix.latched if isinstance(leds, SimulatedLeds) else leds.shown
    return SimulatedWorld(table, layout, latched)


def faults_around(table: Table) -> TableFaults:
    """All that may go wrong around a simulated table."""
    from controller.devices.faults import TableFaults

    return TableFaults(table)


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


def open_instruments(settings: LedSettings, clock: Clock) -> Instruments:
    """Devices with a stopwatch at each, for benchmarks."""
    from controller.devices.stopwatch import Instruments

    return Instruments(_matrix(settings), clock)


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


def _matrix(settings: LedSettings) -> MatrixSettings:
    from controller.devices.leds import MatrixSettings

    return MatrixSettings(
        settings.lanes,
        settings.color_order,
        settings.ma_limit,
        settings.ma_per_led,
        settings.watchdog_ms,
    )
