"""Devices for benchmarks: LEDs without simulated faults, a baseline peer, timed devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.devices.factory.leds import _matrix_settings
from controller.ports.devices import Clock, LedMatrix, Pixels

if TYPE_CHECKING:
    from controller.config.leds import LedSettings
    from controller.devices.bench.instruments import Instruments


def open_pty_leds(settings: LedSettings, clock: Clock) -> tuple[LedMatrix, Callable[[], None]]:
    """LEDs on the firmware behind a plain pty, and a function that closes both."""
    from controller.devices.bench.pty_board import PtyBoard
    from controller.devices.leds.live import LiveLeds
    from controller.devices.leds.serial_link import SerialLink

    board = PtyBoard()
    leds = LiveLeds(SerialLink(board.path, _matrix_settings(settings)), clock)

    def close() -> None:
        leds.close()
        board.close()

    return leds, close


def open_instruments(settings: LedSettings, clock: Clock) -> Instruments:
    """A camera, a journal and LEDs that record timestamps."""
    from controller.devices.bench.instruments import Instruments

    return Instruments(_matrix_settings(settings), clock)


def open_minimal_peer() -> tuple[Callable[[bytes], None], Callable[[], None]]:
    """The smallest peer: a function that sends a frame and waits, and one that closes it."""
    from controller.devices.bench.pty_board import MinimalPeer

    peer = MinimalPeer()
    return peer.exchange, peer.close


def encode_full_frame(picture: Pixels) -> bytes:
    """The bytes of a FRAME message on the serial line."""
    from controller.devices.leds.protocol import FullFrame, encode

    return encode(1, FullFrame(picture.tobytes()))[0]
