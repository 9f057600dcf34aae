"""A Raspberry Pi Pico in an emulator (pico.mjs): runs the real binary and records its pins.

The chip's time stands still between calls, so that results do not depend on this machine's speed.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import threading
import tty
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from controller.devices.leds.protocol import BoardMessage, WireMessage, decode_board, encode
from tests.support.firmware.native_board import FIRMWARE

if TYPE_CHECKING:
    from collections.abc import Iterator

LANES = 4
LATCH_NS = 50_000  # a longer low ends a picture, even for the oldest WS2812
ONE_NS = 564  # a longer pulse is a one
ENOUGH_MS = 500  # for any answer
TIMEOUT_S = 300  # real time for one command

Times = npt.NDArray[np.int64]
Answers = dict[str, list[tuple[int, BoardMessage]]]  # seq and message, by link


@dataclass(frozen=True, slots=True)
class Built:
    """The results of `make`."""

    binary: Path = FIRMWARE / "build/pico/laserboard.bin"
    uf2: Path = FIRMWARE / "build/laserboard-pico.uf2"
    emulator: Path = FIRMWARE / "build/rp2040js"


@dataclass(frozen=True, slots=True)
class Transfer:
    """One picture as measured on a pin."""

    starts_ns: int
    ends_ns: int  # last falling edge
    high_ns: Times  # of each bit
    period_ns: Times  # from each bit to the next

    @property
    def bits(self) -> npt.NDArray[np.bool_]:
        return self.high_ns > ONE_NS

    @property
    def sent(self) -> bytes:
        assert len(self.bits) % 24 == 0, f"{len(self.bits)} bits are no whole number of LEDs"
        return np.packbits(self.bits).tobytes()


def transfers(edges_ns: Times) -> list[Transfer]:
    """Decode a waveform of alternating rising and falling edges."""
    assert len(edges_ns) % 2 == 0, "the line is still high"
    rises, falls = edges_ns[::2], edges_ns[1::2]
    breaks = np.flatnonzero(rises[1:] - falls[:-1] > LATCH_NS) + 1
    return [
        Transfer(int(up[0]), int(down[-1]), down - up, np.diff(up))
        for up, down in zip(np.split(rises, breaks), np.split(falls, breaks), strict=True)
        if len(up)
    ]


class Pico:
    """The board with power and USB: `with Pico(firmware, emulator) as pico:`."""

    def __init__(self, firmware: Path, emulator: Path) -> None:
        self._process = subprocess.Popen(
            ["node", str(emulator / "pico.mjs"), str(firmware)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._edges: list[list[int]] = [[] for _ in range(LANES)]
        self._seq = count(1)
        self.now_ns = 0

    def __enter__(self) -> Pico:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def do(self, command: str, **values: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": command, **values}) + "\n")
        self._process.stdin.flush()
        timer = threading.Timer(TIMEOUT_S, self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        assert line, (
            f"no answer to {command!r} in {TIMEOUT_S} s, or the emulator ended (see stderr)"
        )
        answer: dict[str, Any] = json.loads(line)
        assert "error" not in answer, answer["error"]
        self.now_ns = answer["ns"]
        return answer

    def start(self) -> dict[str, Any]:
        """Boot and enumerate; returns the USB descriptors."""
        reported = self.do("plug", ms=ENOUGH_MS)
        assert reported["ready"], "the computer does not find the board"
        return reported

    def run(self, ms: float) -> Answers:
        """Let time pass; returns the messages of the board by link."""
        return _decoded(self.do("run", ms=ms))

    def send(self, sent: bytes, link: str = "usb") -> None:
        self.do("send", link=link, hex=sent.hex())

    def receive(self, link: str = "usb", ms: float = ENOUGH_MS) -> tuple[int, BoardMessage]:
        """The next message of the board. Fails if the other link sends a message."""
        received = _decoded(self.do("run", ms=ms, until=link))
        messages = received.pop(link)
        assert len(messages) == 1, f"want one answer over {link} in {ms} ms, got {messages}"
        assert not any(received.values()), f"an answer came elsewhere as well: {received}"
        return messages[0]

    def ask(self, message: WireMessage, link: str = "usb") -> BoardMessage:
        """Send a message and return its answer."""
        seq = next(self._seq) % 256
        self.send(encode(seq, message)[0], link)
        number, answer = self.receive(link)
        assert number == seq, f"an answer to {number}, want {seq}: {answer}"
        return answer

    def lane(self, lane: int) -> list[Transfer]:
        """All transfers on a lane so far."""
        for kept, new in zip(self._edges, self.do("edges")["lanes"], strict=True):
            kept += new
        return transfers(np.array(self._edges[lane], np.int64))


@contextmanager
def serial_port(pico: Pico) -> Iterator[str]:
    """The board's USB port as a serial port of this machine, while the chip's time runs.

    It runs slower than real time, so the host needs long timeouts.
    """
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    with TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as peer:
        path = str(Path(folder) / "usb")
        pico.do("free", socket=path)
        peer.connect(path)
        pump = threading.Thread(target=_pump, args=(ours, peer), daemon=True)
        pump.start()
        try:
            yield os.ttyname(theirs)
        finally:
            peer.shutdown(socket.SHUT_RDWR)
            pump.join()
            pico.do("stop")
            os.close(theirs)
            os.close(ours)


def _pump(port: int, peer: socket.socket) -> None:
    while True:
        ready, _, _ = select.select((port, peer.fileno()), (), ())
        if port in ready:
            peer.sendall(os.read(port, 4096))
        if peer.fileno() in ready:
            if not (received := peer.recv(4096)):
                return
            os.write(port, received)


def _decoded(answer: dict[str, Any]) -> Answers:
    received: Answers = {}
    for link in ("usb", "uart"):
        *frames, rest = bytes.fromhex(answer[link]).split(b"\0")
        assert not rest, f"half a message over {link}: {rest.hex(' ')}"
        received[link] = [decode_board(frame) for frame in frames]
    return received
