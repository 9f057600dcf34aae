"""A board on a pty that answers as a test says, good or bad."""

from __future__ import annotations

import contextlib
import os
import threading
import tty
from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.devices.wire import (
    DARK,
    SHOWING,
    Ack,
    AskStats,
    BadFrame,
    BoardStats,
    Full,
    Hello,
    HostMessage,
    Message,
    Nack,
    Reason,
    Welcome,
    decode_host,
    encode,
)

WELCOME = Welcome(1, 0, (0, 1, 0), 80, 1, 2304, 4, 6914, 3, b"\0\0\0\0\0\0\0\1", 1, 1)
STATS = BoardStats(9, 8, 7, 6, 5, 4, 3, 2)


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as the board got it."""

    seq: int
    message: HostMessage
    crc: int

    def ack(self, state: int = SHOWING) -> bytes:
        return framed(self.seq, Ack(self.crc, state))

    def nack(self, reason: Reason) -> bytes:
        return framed(0 if reason.damaged else self.seq, Nack(reason))


Reply = Callable[[Heard], "bytes | None"]


class ScriptedBoard:
    """Answers like a good board, unless `reply` does it; None there leaves it to the board."""

    def __init__(self, reply: Reply = lambda _: None) -> None:
        self.reply = reply
        self.welcome = WELCOME
        self.heard: list[tuple[int, HostMessage]] = []
        self.raw = b""
        self._state = DARK
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def kinds(self) -> list[str]:
        return [type(message).__name__ for _, message in list(self.heard)]

    def restarted(self) -> None:
        self.welcome = replace(self.welcome, boots=self.welcome.boots + 1)
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
        self.heard.append((seq, message))
        heard = Heard(seq, message, encode(seq, message)[1])
        answer = self.reply(heard)
        self.say(self._good(heard) if answer is None else answer)

    def _good(self, heard: Heard) -> bytes:
        match heard.message:
            case Hello():
                return framed(heard.seq, self.welcome)
            case AskStats():
                return framed(heard.seq, STATS)
            case Full():
                self._state = SHOWING
        return heard.ack(self._state)


def framed(seq: int, message: Message) -> bytes:
    return encode(seq, message)[0]
