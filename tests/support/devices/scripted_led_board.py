"""A board on a pty with scripted answers."""

from __future__ import annotations

import contextlib
import os
import threading
import tty
from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.devices.leds.protocol import (
    DARK,
    SHOWING,
    Ack,
    BadFrame,
    BoardStats,
    FullFrame,
    Hello,
    HostMessage,
    Nack,
    NackReason,
    StatsRequest,
    Welcome,
    WireMessage,
    decode_host,
    encode,
)

WELCOME = Welcome(1, 1, (0, 2, 0), 80, 1, 2304, 4, 6914, 1, b"\0\0\0\0\0\0\0\1", 1, 1)
STATS = BoardStats(9, 8, 7, 6, 5, 4, 3, 2)


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A received message with its seq and CRC."""

    seq: int
    message: HostMessage
    crc: int

    def ack(self, state: int = SHOWING) -> bytes:
        return encode_frame(self.seq, Ack(self.crc, state))

    def nack(self, reason: NackReason) -> bytes:
        return encode_frame(0 if reason.damaged else self.seq, Nack(reason))


Reply = Callable[[HostRequest], "bytes | None"]


class ScriptedBoard:
    """Answers like a correct board, unless `reply` returns other bytes."""

    def __init__(self, reply: Reply = lambda _: None) -> None:
        self.reply = reply
        self.welcome = WELCOME
        self.received: list[tuple[int, HostMessage]] = []
        self.raw = b""
        self._state = DARK
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def kinds(self) -> list[str]:
        return [type(message).__name__ for _, message in list(self.received)]

    def restarted(self) -> None:
        self.welcome = replace(self.welcome, boot_count=self.welcome.boot_count + 1)
        self._state = DARK

    def say(self, wire: bytes) -> None:
        os.write(self._master, wire)

    def close(self) -> None:
        self._over = True
        with contextlib.suppress(OSError):
            os.write(self._slave, b"\0")
        self._thread.join(30)
        os.close(self._slave)
        os.close(self._master)

    def _run(self) -> None:
        begun = b""
        while not self._over:
            got = os.read(self._master, 65536)
            self.raw += got
            *frames, begun = (begun + got).split(b"\0")
            for frame in frames:
                if frame:
                    self._take(frame)

    def _take(self, frame: bytes) -> None:
        try:
            seq, message = decode_host(frame)
        except BadFrame:
            return
        self.received.append((seq, message))
        received = HostRequest(seq, message, encode(seq, message)[1])
        answer = self.reply(received)
        self.say(self._good(received) if answer is None else answer)

    def _good(self, received: HostRequest) -> bytes:
        match received.message:
            case Hello():
                return encode_frame(received.seq, self.welcome)
            case StatsRequest():
                return encode_frame(received.seq, STATS)
            case FullFrame():
                self._state = SHOWING
        return received.ack(self._state)


def encode_frame(seq: int, message: WireMessage) -> bytes:
    return encode(seq, message)[0]
