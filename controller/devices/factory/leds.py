"""Opens LEDs, lists serial ports, and connects simulated LEDs with a simulated table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, TextIO, assert_never

from controller.config.addresses import leds as led_address
from controller.devices import sentences
from controller.ports.devices import Clock, DetectedPort, LedMatrix, Pixels
from controller.ports.world import World
from engine.sentences import Sentence

if TYPE_CHECKING:
    from controller.config.leds import LedSettings
    from controller.devices.leds.live import LedLink, MatrixSettings
    from controller.devices.leds.simulated import SimulatedLeds
    from controller.devices.simulated.faults import TableFaults
    from controller.devices.simulated.table import SimulatedTable
    from controller.lighting.layout import LedLayout

BOARD_STATS_TIMEOUT_MS = 2_000.0


def open_leds(
    url: str,
    settings: LedSettings,
    clock: Clock,
    draw: Callable[[Pixels], str] | None = None,
    stream: TextIO | None = None,
) -> LedMatrix:
    """Open the LEDs of a URL, such as `serial:///dev/ttyACM0`, `ddp://wled.local` or `sim://`.

    Does not wait: the driver connects in its thread, and reports LEDs that are not plugged in as a
    `DeviceLost` event. A bad URL raises `BadLeds`. `terminal://` needs `draw` and `stream`.
    """
    from controller.devices.buttons import open_gpio
    from controller.devices.leds.adalight import AdalightLink
    from controller.devices.leds.ddp import DdpLink
    from controller.devices.leds.live import LiveLeds
    from controller.devices.leds.local import MemoryLink, NullLink, TerminalLink
    from controller.devices.leds.serial_link import SerialLink
    from controller.devices.leds.spi import SpiLink

    address, matrix = led_address.parse_led_url(url), _matrix_settings(settings)
    link: LedLink
    match address:
        case led_address.SimulatedLedAddress():
            return simulated_leds(address, settings, clock)
        case led_address.SerialLedAddress(place, baud):
            link = SerialLink(place, matrix, baud)
        case led_address.AdalightLedAddress(place, baud, order):
            link = AdalightLink(matrix, place, clock, baud, order)
        case led_address.DdpLedAddress():
            link = DdpLink(matrix, address.host, address.port)
        case led_address.SpiLedAddress():
            pins = open_gpio("serial:// or sim://", led_address.BadLeds)
            link = SpiLink(
                matrix,
                address.bus,
                address.device,
                address.rate,
                address.kind,
                address.order,
                pins,
            )
        case led_address.TerminalLedAddress():
            if draw is None or stream is None:
                raise led_address.BadLeds(sentences.NO_TERMINAL())
            link = TerminalLink(matrix.led_count, stream, draw)
        case led_address.MemoryLedAddress():
            link = MemoryLink(matrix.led_count)
        case led_address.NoLedAddress():
            link = NullLink(matrix.led_count)
        case _:
            assert_never(address)
    return LiveLeds(link, clock)


def simulated_leds(
    address: led_address.SimulatedLedAddress, settings: LedSettings, clock: Clock
) -> SimulatedLeds:
    """The real serial driver on the firmware running on this machine."""
    from controller.devices.leds.simulated import (
        CableFaults,
        SimulatedLeds,
        SimulatedMatrix,
        timeout_for_cable_ms,
    )

    faults = CableFaults(
        address.drop,
        address.flip,
        address.insert,
        address.delay,
        address.lag_ms,
        address.unplug_every_s,
    )
    matrix = SimulatedMatrix(faults, address.seed)
    return SimulatedLeds(matrix, _matrix_settings(settings), clock, timeout_for_cable_ms(faults))


def simulated_world(table: SimulatedTable, layout: LedLayout, leds: LedMatrix) -> World:
    """The world of a simulated table that shows the pictures of `leds`."""
    from controller.devices.leds.simulated import SimulatedLeds
    from controller.devices.simulated.world import SimulatedWorld

    led_picture = leds.matrix.latched if isinstance(leds, SimulatedLeds) else leds.shown
    return SimulatedWorld(table, layout, led_picture)


def make_table_faults(table: SimulatedTable) -> TableFaults:
    """Fault injection for a simulated table."""
    from controller.devices.simulated.faults import TableFaults

    return TableFaults(table)


def read_board_stats(leds: LedMatrix) -> Mapping[str, int] | None:
    """The counters of a board with our firmware; None for other LEDs, or without an answer."""
    from controller.devices.leds.live import LedsUnavailable, LiveLeds
    from controller.devices.leds.serial_link import SerialLink

    if not isinstance(leds, LiveLeds) or not isinstance(leds.link, SerialLink):
        return None
    try:
        counted = asdict(leds.call_on_link_thread(leds.link.board_stats, BOARD_STATS_TIMEOUT_MS))
    except LedsUnavailable:
        return None
    return {name.replace("_", " "): count for name, count in counted.items()}


def find_serial_ports() -> list[DetectedPort]:
    """The serial ports of this machine, and the answer to a handshake on each."""
    from controller.devices.leds.serial_link import (
        firmware_sentence,
        probe_port,
        serial_ports,
        without_port_list,
    )

    ports = []
    for path in serial_ports():
        answer = probe_port(path)
        if isinstance(answer, Sentence):
            ports.append(DetectedPort(path, False, without_port_list(answer)))
        else:
            ports.append(DetectedPort(path, True, firmware_sentence(answer)))
    return ports


def _matrix_settings(settings: LedSettings) -> MatrixSettings:
    from controller.devices.leds.live import MatrixSettings

    return MatrixSettings(
        settings.leds_per_lane,
        settings.color_order,
        settings.ma_limit,
        settings.ma_per_led,
        settings.watchdog_ms,
    )
