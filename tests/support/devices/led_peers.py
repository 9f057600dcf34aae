"""Receivers for every kind of LED link, written from the public protocol descriptions.

Each peer has the driver under test and knows what its LEDs display. A receiver records every
protocol violation in `complaints`.
"""

from __future__ import annotations

import contextlib
import io
import os
import socket
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from gpiozero import Device  # type: ignore[import-untyped]
from gpiozero.pins.mock import MockFactory, MockSPIDevice  # type: ignore[import-untyped]

from controller.devices.clock import SystemClock
from controller.devices.leds.adalight import AdalightLink
from controller.devices.leds.ddp import DdpLink
from controller.devices.leds.live import LiveLeds, MatrixSettings
from controller.devices.leds.local import MemoryLink, TerminalLink
from controller.devices.leds.simulated import CableFaults, SimulatedLeds, SimulatedMatrix
from controller.devices.leds.spi import SpiLink
from controller.ports.devices import Pixels
from engine.sentences import plain

LEDS = 24
SETTINGS = MatrixSettings((LEDS,), limit_ma=20_000)
TIMEOUT_S = 30.0


def eventually(holds: Callable[[], bool], what: str = "condition") -> None:
    until = time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < until, f"timed out: {what}"
        time.sleep(0.002)


def picture(seed: int, leds: int = LEDS) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (leds, 3), dtype=np.uint8)


class Peer:
    """One kind of LEDs with the driver under test."""

    can_be_lost = False
    answers = False
    leds: LiveLeds

    def __init__(self) -> None:
        self.complaints: list[str] = []

    def displayed(self) -> Pixels | None:
        raise NotImplementedError

    def displays(self, expected: Pixels) -> None:
        """Wait until the LEDs display the picture."""

        def shows_expected() -> bool:
            now = self.displayed()
            return now is not None and np.array_equal(now, expected)

        eventually(shows_expected, "the picture")

    def lose(self) -> None: ...

    def come_back(self) -> None: ...

    def close(self) -> None:
        self.leds.close()


class MemoryPeer(Peer):
    can_be_lost = answers = True

    def __init__(self) -> None:
        super().__init__()
        self.link = MemoryLink(LEDS, keep_alive_ms=20)
        self.leds = LiveLeds(self.link, SystemClock())

    def displayed(self) -> Pixels | None:
        return self.link.displayed

    def lose(self) -> None:
        self.link.unavailable_reason = plain("unplugged")

    def come_back(self) -> None:
        self.link.unavailable_reason = None


class TerminalPeer(Peer):
    answers = True

    def __init__(self) -> None:
        super().__init__()
        self.stream = io.StringIO()
        self.leds = LiveLeds(
            TerminalLink(LEDS, self.stream, lambda pixels: pixels.tobytes().hex() + "\n"),
            SystemClock(),
        )

    def displayed(self) -> Pixels | None:
        lines = self.stream.getvalue().split("\n")[:-1]
        if not lines:
            return None
        return np.frombuffer(bytes.fromhex(lines[-1]), np.uint8).reshape(-1, 3)


class FirmwarePeer(Peer):
    can_be_lost = answers = True

    def __init__(
        self, faults: CableFaults | None = None, settings: MatrixSettings = SETTINGS
    ) -> None:
        super().__init__()
        self.matrix = SimulatedMatrix(faults, seed=1)
        # With faults a short timeout keeps tests fast; without, a busy machine needs a long one.
        timeout_ms = 60.0 if faults else 500.0
        self.leds = SimulatedLeds(self.matrix, settings, SystemClock(), timeout_ms)

    def displayed(self) -> Pixels | None:
        return self.matrix.latched()

    def lose(self) -> None:
        self.matrix.unplug()

    def come_back(self) -> None:
        self.matrix.plug_in()


class AdalightPeer(Peer):
    """A pty with an Adalight receiver."""

    can_be_lost = True

    def __init__(self, folder: Path, order: str = "RGB", baud: int = 1_000_000) -> None:
        super().__init__()
        self.path = folder / "tty-adalight"
        self.receiver: AdalightReceiver | None = None
        self.come_back()
        self.leds = LiveLeds(
            AdalightLink(SETTINGS, str(self.path), SystemClock(), baud, order), SystemClock()
        )

    def displayed(self) -> Pixels | None:
        return self.receiver.displayed if self.receiver else None

    def lose(self) -> None:
        if self.receiver is not None:
            self.path.unlink()
            self.receiver.close()
            self.complaints += self.receiver.complaints
            self.receiver = None

    def come_back(self) -> None:
        self.receiver = AdalightReceiver()
        self.path.symlink_to(self.receiver.name)

    def close(self) -> None:
        super().close()
        self.lose()


class AdalightReceiver:
    """`Ada`, count - 1 (high, low), high ^ low ^ 0x55, then r g b for each."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.name = os.ttyname(self.slave)
        self.displayed: Pixels | None = None
        self.complaints: list[str] = []
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        came = b""
        while not self._over:
            try:
                came += os.read(self.master, 4096)
            except OSError:
                return
            came = self._take(came)

    def _take(self, came: bytes) -> bytes:
        while len(came) >= 6:
            high, low, check = came[3:6]
            if came[:3] != b"Ada" or check != high ^ low ^ 0x55:
                self.complaints.append(f"not a header: {came[:6].hex(' ')}")
                return b""
            size = 6 + 3 * (256 * high + low + 1)
            if len(came) < size:
                break
            self.displayed = np.frombuffer(came[6:size], np.uint8).reshape(-1, 3)
            came = came[size:]
        return came

    def close(self) -> None:
        self._over = True
        os.write(self.slave, b"\n")  # wakes the reader, which then ends
        self._thread.join(TIMEOUT_S)
        os.close(self.slave)
        os.close(self.master)


class DdpPeer(Peer):
    can_be_lost = True

    def __init__(self) -> None:
        super().__init__()
        self.receiver: DdpReceiver | None = DdpReceiver(0)
        self.port = self.receiver.port
        self.leds = LiveLeds(DdpLink(SETTINGS, "127.0.0.1", self.port), SystemClock())

    def displayed(self) -> Pixels | None:
        return self.receiver.displayed if self.receiver else None

    def lose(self) -> None:
        if self.receiver is not None:
            self.receiver.close()
            self.complaints += self.receiver.complaints
            self.receiver = None

    def come_back(self) -> None:
        self.receiver = DdpReceiver(self.port)

    def close(self) -> None:
        super().close()
        self.lose()


class DdpReceiver:
    """A display of 1000 LEDs whose buffer is shown by the PUSH flag."""

    def __init__(self, port: int) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", port))
        self._socket.settimeout(0.02)
        self.port: int = self._socket.getsockname()[1]
        self.displayed: Pixels | None = None
        self.complaints: list[str] = []
        self.packets: list[bytes] = []
        self._buffer = bytearray()
        self._sequence: int | None = None
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over:
            with contextlib.suppress(TimeoutError):
                self.take(self._socket.recv(65536))

    def take(self, packet: bytes) -> None:
        self.packets.append(packet)
        flags, sequence, kind, destination = packet[:4]
        offset, length = int.from_bytes(packet[4:8], "big"), int.from_bytes(packet[8:10], "big")
        colours = packet[10:]
        wrong = [
            what
            for good, what in (
                (flags & 0xC0 == 0x40, "version 1"),
                (flags & 0x3E == 0, "no timecode, storage, reply or query"),
                (1 <= sequence <= 15, "a sequence from 1 to 15"),
                (self._sequence in (None, (sequence - 2) % 15 + 1), "the next sequence"),
                (kind == 0b0000_1011, "RGB with 8 bits a channel"),
                (destination == 1, "the default display"),
                (length == len(colours), "as many bytes as announced"),
                (length <= 1440 and length % 3 == 0, "whole LEDs, at most 480"),
                (offset == len(self._buffer), "packets in order without gaps"),
            )
            if not good
        ]
        if wrong:
            self.complaints.append(f"want {', '.join(wrong)}: {packet[:16].hex(' ')}")
            return
        self._sequence = sequence
        self._buffer += colours
        if flags & 1:
            self.displayed = np.frombuffer(bytes(self._buffer), np.uint8).reshape(-1, 3)
            self._buffer.clear()

    def close(self) -> None:
        self._over = True
        self._thread.join(TIMEOUT_S)
        self._socket.close()


class SpiPeer(Peer):
    """A strip of APA102 on the mock's SPI pins."""

    def __init__(self, kind: str = "apa102", settings: MatrixSettings = SETTINGS) -> None:
        super().__init__()
        self.factory = MockFactory()
        # gpiozero's software SPI, which the mock uses, reads the default pin factory.
        self._default, Device.pin_factory = Device.pin_factory, self.factory
        self.strip = SpiStrip(self.factory)
        self.link = SpiLink(settings, kind=kind, factory=self.factory)
        self.leds = LiveLeds(self.link, SystemClock())

    def displayed(self) -> Pixels | None:
        return self.strip.displayed(self.complaints)

    def close(self) -> None:
        super().close()
        Device.pin_factory = self._default
        self.factory.close()


class SpiStrip(MockSPIDevice):  # type: ignore[misc]
    """Records every transfer bit by bit."""

    def __init__(self, factory: Any) -> None:
        self.transfers: list[list[int]] = []
        super().__init__(clock_pin=11, mosi_pin=10, miso_pin=9, select_pin=8, pin_factory=factory)

    def on_start(self) -> None:
        super().on_start()
        self.transfers.append([])

    def on_bit(self) -> None:
        self.transfers[-1].append(int(self.mosi_pin.state))
        self.rx_buf.clear()

    def sent(self) -> list[bytes]:
        return [np.packbits(np.array(bits, np.uint8)).tobytes() for bits in list(self.transfers)]

    def displayed(self, complaints: list[str]) -> Pixels | None:
        """The picture after the last complete transfer."""
        shown = None
        for bits in [list(bits) for bits in list(self.transfers)]:
            leds = []
            at = 32
            while bits[at : at + 3] == [1, 1, 1] and len(bits) >= at + 32:
                leds.append(np.packbits(np.array(bits[at : at + 32], np.uint8)))
                at += 32
            if any(bits[:32]) or any(bits[at:]):
                complaints.append(f"no start or end: {bits[:40]} ... {bits[at:]}")
            if 2 * (len(bits) - at) >= len(leds) > 0:  # enough clock pulses for the last LED
                shown = np.array(leds)[:, :0:-1]
        return shown


KINDS = ("memory", "terminal", "firmware", "faulty firmware", "adalight", "ddp", "spi")
FAULTY = CableFaults(drop=0.02, flip=0.02, insert=0.02, delay=0.02, lag_ms=5)


def make_peer(kind: str, folder: Path) -> Peer:
    match kind:
        case "memory":
            return MemoryPeer()
        case "terminal":
            return TerminalPeer()
        case "firmware":
            return FirmwarePeer()
        case "faulty firmware":
            return FirmwarePeer(FAULTY)
        case "adalight":
            return AdalightPeer(folder)
        case "ddp":
            return DdpPeer()
        case "spi":
            return SpiPeer()
        case _:
            raise AssertionError(kind)
