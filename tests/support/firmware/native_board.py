"""The native firmware as a process, and an independent host side of PROTOCOL.md."""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.support.paths import ROOT

FIRMWARE = ROOT / "firmware"
PROTOCOL = FIRMWARE / "PROTOCOL.md"
TIMEOUT_S = 60.0

HELLO, FRAME, DELTA, RESERVED, CONFIG, STATS, BLANK, PING = range(1, 9)
IDENTITY = ("--boots", "7", "--cause", "1", "--board-id", "0102030405060708")

ACK, HELLO_ANSWER, STATS_ANSWER, NACK = 0x80, 0x81, 0x86, 0xFF


@dataclass(frozen=True, slots=True)
class Answer:
    wire: bytes
    kind: int
    seq: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Example:
    """One line of the examples in PROTOCOL.md."""

    sender: str
    name: str
    wire: bytes


def examples() -> list[Example]:
    found = re.search(r"^```frames\n(.*?)^```", PROTOCOL.read_text("utf-8"), re.S | re.M)
    assert found, f"{PROTOCOL} has no block of examples"
    lines = [line for line in found[1].splitlines() if not line.startswith("#")]
    parts = [re.fullmatch(r"(host|board) (\w+): ([0-9a-f ]+)", line) for line in lines]
    return [Example(each[1], each[2], bytes.fromhex(each[3])) for each in parts if each]


def encode(kind: int, seq: int, payload: bytes = b"") -> bytes:
    body = bytes([kind, seq]) + payload
    body += struct.pack("<I", zlib.crc32(body))
    wire = bytearray()
    for run in body.split(b"\0"):
        while len(run) >= 254:
            wire += b"\xff" + run[:254]
            run = run[254:]
        wire += bytes([len(run) + 1]) + run
    return bytes(wire) + b"\0"


def decode(wire: bytes) -> Answer:
    assert wire.endswith(b"\0")
    body = bytearray()
    at = 0
    while at < len(wire) - 1:
        block = wire[at + 1 : at + wire[at]]
        assert len(block) == wire[at] - 1, f"cut: {wire.hex(' ')}"
        at += wire[at]
        body += block + (b"\0" if at < len(wire) - 1 else b"")
    assert zlib.crc32(body[:-4]) == struct.unpack("<I", body[-4:])[0], f"CRC: {wire.hex(' ')}"
    return Answer(wire, body[0], body[1], bytes(body[2:-4]))


def config(
    leds: int,
    *,
    brightness: int = 255,
    limit_ma: int = 3000,
    ma_per_led: int = 55,
    watchdog_ms: int = 65535,
) -> bytes:
    return struct.pack("<BHBHBBH", brightness, limit_ma, ma_per_led, watchdog_ms, 1, 1, leds)


class Board:
    """A running firmware. Its pictures are read only on request."""

    def __init__(self, program: Path, *options: str) -> None:
        self.pixels, theirs = os.pipe()
        self.process = subprocess.Popen(
            [str(program), "--pixels", str(theirs), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[theirs],
            bufsize=0,
        )
        os.close(theirs)
        self._bytes = bytearray()
        self._records = bytearray()

    def __enter__(self) -> Board:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        os.close(self.pixels)

    def send(self, wire: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(wire)

    def answer(self, timeout_s: float = TIMEOUT_S) -> Answer:
        """The next answer; fails with the firmware's stderr if none comes."""
        assert self.process.stdout is not None
        until = time.monotonic() + timeout_s
        while b"\0" not in self._bytes:
            more = _read(self.process.stdout.fileno(), until - time.monotonic())
            assert more, f"no answer: {self._last_words()}"
            self._bytes += more
        end = self._bytes.index(0) + 1
        wire = bytes(self._bytes[:end])
        del self._bytes[:end]
        return decode(wire)

    def ask(self, kind: int, seq: int, payload: bytes = b"") -> Answer:
        self.send(encode(kind, seq, payload))
        return self.answer()

    def picture(self) -> bytes:
        """The next latched picture: r g b for each LED."""
        until = time.monotonic() + TIMEOUT_S
        while (size := self._record_size()) is None or len(self._records) < size:
            more = _read(self.pixels, until - time.monotonic())
            assert more, f"no picture: {self._last_words()}"
            self._records += more
        picture = bytes(self._records[2:size])
        del self._records[:size]
        return picture

    def close(self) -> list[bytes]:
        """End the input and thus the firmware; returns the unread pictures."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        while more := _read(self.pixels, TIMEOUT_S):
            self._records += more
        code = self.process.wait(TIMEOUT_S)
        assert code == 0, self._last_words()
        pictures = []
        while self._records:
            pictures.append(self.picture())
        return pictures

    def answers_left(self) -> list[Answer]:
        """The unread answers after the end."""
        assert self.process.stdout is not None
        self._bytes += self.process.stdout.read()
        *wires, cut = bytes(self._bytes).split(b"\0")
        assert not cut, f"an incomplete answer: {cut.hex(' ')}"
        self._bytes.clear()
        return [decode(wire + b"\0") for wire in wires]

    def _record_size(self) -> int | None:
        if len(self._records) < 2:
            return None
        return 2 + 3 * int.from_bytes(self._records[:2], "little")

    def _last_words(self) -> str:
        assert self.process.stderr is not None
        self.process.terminate()
        self.process.wait(TIMEOUT_S)
        return self.process.stderr.read().decode(errors="replace") or "the firmware said nothing"


def _read(fd: int, timeout_s: float) -> bytes:
    ready, _, _ = select.select([fd], [], [], max(timeout_s, 0))
    return os.read(fd, 65536) if ready else b""


def converse(program: Path) -> tuple[list[Answer], list[bytes]]:
    """All answers and pictures. One write, so that the watchdog cannot expire in between."""
    lines = [each for each in examples() if each.name != "NACK"]  # NACKs are made up
    with Board(program, *IDENTITY) as board:
        board.send(b"".join(each.wire for each in lines if each.sender == "host"))
        answers = [board.answer() for each in lines if each.sender == "board"]
        return answers, board.close()
