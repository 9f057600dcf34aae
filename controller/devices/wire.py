"""The messages of firmware/PROTOCOL.md as values, and as bytes on the wire.

`encode` and `decode` work on whole frames: type, seq, payload and CRC-32, without zero bytes
(COBS), and the zero at the end. What cannot be trusted is `BadFrame`, never a guess.
"""

from __future__ import annotations

import struct
from binascii import crc32
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

import numpy as np

from engine.errors import LaserboardError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAJOR, MINOR = 1, 0
SHOWING, DARK = 0, 1  # the state in an ACK
DELTA_WORKS, BEAM_WORKS = 1, 2  # capabilities
LONGEST_RUN = 254  # bytes that one code byte of COBS can announce


class BadFrame(LaserboardError, ValueError):
    """Bytes that are not a message."""


class Reason(IntEnum):
    """Why a board refuses a message."""

    BAD_CRC = 1
    OVERFLOW = 2
    MALFORMED = 3
    OUT_OF_RANGE = 4
    UNKNOWN_TYPE = 5
    NO_PICTURE = 6
    NOT_GREETED = 7

    @property
    def damaged(self) -> bool:
        """The bytes did not arrive as they were sent; such a NACK names no message."""
        return self <= Reason.MALFORMED


class Message(Protocol):
    """What every message has."""

    type: ClassVar[int]

    def payload(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Hello:
    """Opens a conversation."""

    type: ClassVar[int] = 0x01
    major: int = MAJOR
    minor: int = MINOR

    def payload(self) -> bytes:
        return bytes((self.major, self.minor))


@dataclass(frozen=True, slots=True)
class Full:
    """The whole picture (FRAME)."""

    type: ClassVar[int] = 0x02
    rgb: bytes

    def payload(self) -> bytes:
        return self.rgb


@dataclass(frozen=True, slots=True)
class Delta:
    """A part of the picture."""

    type: ClassVar[int] = 0x03
    start: int
    rgb: bytes

    def payload(self) -> bytes:
        return self.start.to_bytes(2, "little") + self.rgb


@dataclass(frozen=True, slots=True)
class Beam:
    """An animation that the board runs by itself."""

    type: ClassVar[int] = 0x04
    rgb: tuple[int, int, int]
    ms_per_step: int
    leds: tuple[int, ...]

    def payload(self) -> bytes:
        return struct.pack(f"<3BH{len(self.leds)}H", *self.rgb, self.ms_per_step, *self.leds)


@dataclass(frozen=True, slots=True)
class Config:
    """How the LEDs are built."""

    type: ClassVar[int] = 0x05
    brightness: int
    limit_ma: int
    ma_per_led: int
    watchdog_ms: int
    order: int  # of the colours, as `controller.finish` numbers them
    lanes: tuple[int, ...]  # how many LEDs on each

    def payload(self) -> bytes:
        return struct.pack(
            f"<BHBHBB{len(self.lanes)}H",
            self.brightness,
            self.limit_ma,
            self.ma_per_led,
            self.watchdog_ms,
            self.order,
            len(self.lanes),
            *self.lanes,
        )


@dataclass(frozen=True, slots=True)
class AskStats:
    """How has it been? (STATS of the host)"""

    type: ClassVar[int] = 0x06

    def payload(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Blank:
    """All dark."""

    type: ClassVar[int] = 0x07

    def payload(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Ping:
    """The host is alive."""

    type: ClassVar[int] = 0x08

    def payload(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Ack:
    """A message was accepted, and the picture after it is on its way into the LEDs."""

    type: ClassVar[int] = 0x80
    crc: int  # of the message it answers
    state: int  # SHOWING or DARK

    def payload(self) -> bytes:
        return ACK.pack(self.crc, self.state)


@dataclass(frozen=True, slots=True)
class Welcome:
    """A board's answer to HELLO: what it is."""

    type: ClassVar[int] = 0x81
    major: int
    minor: int
    firmware: tuple[int, int, int]
    leds: int
    lanes: int
    most_leds: int
    most_lanes: int
    largest_payload: int
    capabilities: int
    board_id: bytes
    boots: int
    reset_cause: int

    def payload(self) -> bytes:
        return WELCOME.pack(
            self.major,
            self.minor,
            *self.firmware,
            self.leds,
            self.lanes,
            self.most_leds,
            self.most_lanes,
            self.largest_payload,
            self.capabilities,
            self.board_id,
            self.boots,
            self.reset_cause,
        )

    def __str__(self) -> str:
        version = ".".join(map(str, self.firmware))
        return f"Laserboard firmware {version} on board {self.board_id.hex()}"


@dataclass(frozen=True, slots=True)
class Done:
    """A beam has arrived."""

    type: ClassVar[int] = 0x84

    def payload(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class BoardStats:
    """What a board has counted since it started (STATS of the board)."""

    type: ClassVar[int] = 0x86
    good: int
    bad_crc: int
    overflow: int
    malformed: int
    refused: int
    repeats: int
    limited: int  # pictures that were dimmed to keep to the limit
    blanked: int  # how often silence made it dark

    def payload(self) -> bytes:
        return STATS.pack(
            self.good,
            self.bad_crc,
            self.overflow,
            self.malformed,
            self.refused,
            self.repeats,
            self.limited,
            self.blanked,
        )


@dataclass(frozen=True, slots=True)
class Nack:
    """A message was refused."""

    type: ClassVar[int] = 0xFF
    reason: Reason

    def payload(self) -> bytes:
        return bytes((self.reason,))


HostMessage = Hello | Full | Delta | Beam | Config | AskStats | Blank | Ping
BoardMessage = Ack | Welcome | Done | BoardStats | Nack

ACK = struct.Struct("<IB")
WELCOME = struct.Struct("<5BHBHBHH8sIB")
STATS = struct.Struct("<8I")
BEAM_HEAD, CONFIG_HEAD = struct.Struct("<3BH"), struct.Struct("<BHBHBB")


def encode(seq: int, message: Message) -> tuple[bytes, int]:
    """A message as bytes on the wire, and the CRC that its ACK must name."""
    body = bytes((message.type, seq)) + message.payload()
    crc = crc32(body)
    return stuff(body + crc.to_bytes(4, "little")) + b"\0", crc


def decode_board(frame: bytes) -> tuple[int, BoardMessage]:
    """Seq and message of a frame from a board, with or without the zero at its end."""
    return _decode(frame, BOARD_READERS)


def decode_host(frame: bytes) -> tuple[int, HostMessage]:
    """Seq and message of a frame from a host, with or without the zero at its end."""
    return _decode(frame, HOST_READERS)


def stuff(body: bytes) -> bytes:
    """COBS: the same bytes without a zero among them, and at most 1 in 254 more."""
    out = np.frombuffer(bytearray(b"\0" + body + b"\0"), np.uint8)
    zeros = (out == 0).nonzero()[0]
    lengths = zeros[1:] - zeros[:-1]
    out[zeros[:-1]] = lengths
    coded = out.tobytes()
    parts, at = [], 0
    for number in (lengths > LONGEST_RUN).nonzero()[0]:
        start, end = int(zeros[number]), int(zeros[number + 1])
        parts += [coded[at:start], *_blocks(coded[start + 1 : end])]
        at = end
    if at == len(body) + 1 and parts[-1] == b"\1":
        parts.pop()  # after a full block the end needs no block of its own
    return b"".join((*parts, coded[at:-1]))


def unstuff(stuffed: bytes) -> bytes:
    """The bytes that `stuff` was given."""
    out, at, end = bytearray(), 0, len(stuffed)
    while at < end:
        code = stuffed[at]
        block = stuffed[at + 1 : at + code]
        if code == 0 or at + code > end or 0 in block:
            raise BadFrame(f"not COBS at byte {at} of {end}: {stuffed[:16].hex(' ')}...")
        out += block
        at += code
        if code <= LONGEST_RUN and at < end:
            out.append(0)
    return bytes(out)


def _blocks(run: bytes) -> Iterator[bytes]:
    """A run that is too long for one block: full ones stand for no zero, the last one does."""
    while len(run) >= LONGEST_RUN:
        yield b"\xff" + run[:LONGEST_RUN]
        run = run[LONGEST_RUN:]
    yield bytes((len(run) + 1,)) + run


def _decode(frame: bytes, readers: dict[int, Callable[[bytes], Read]]) -> tuple[int, Read]:
    body = unstuff(frame.removesuffix(b"\0"))
    if len(body) < 6:
        raise BadFrame(f"a frame of {len(body)} bytes, want at least 6: {frame.hex(' ')}")
    if crc32(body[:-4]) != int.from_bytes(body[-4:], "little"):
        raise BadFrame(f"bad CRC in a frame of {len(frame)} bytes: {frame[:16].hex(' ')}...")
    kind, seq, payload = body[0], body[1], body[2:-4]
    if kind not in readers:
        raise BadFrame(f"unknown type {kind:02x}, want one of {bytes(readers).hex(' ')}")
    try:
        return seq, readers[kind](payload)
    except (struct.error, ValueError) as error:
        raise BadFrame(f"type {kind:02x} with {len(payload)} bytes of payload: {error}") from None


def _read_delta(payload: bytes) -> Delta:
    if len(payload) < 2:
        raise ValueError("no start")
    return Delta(int.from_bytes(payload[:2], "little"), _rgb(payload[2:]))


def _read_beam(payload: bytes) -> Beam:
    red, green, blue, ms_per_step = BEAM_HEAD.unpack_from(payload)
    leds = struct.unpack(f"<{(len(payload) - 5) // 2}H", payload[5:])
    return Beam((red, green, blue), ms_per_step, leds)


def _read_config(payload: bytes) -> Config:
    light, limit_ma, ma_per_led, watchdog_ms, order, lanes = CONFIG_HEAD.unpack_from(payload)
    counts = struct.unpack(f"<{lanes}H", payload[CONFIG_HEAD.size :])
    return Config(light, limit_ma, ma_per_led, watchdog_ms, order, counts)


def _read_welcome(payload: bytes) -> Welcome:
    major, minor, *others = WELCOME.unpack(payload)
    return Welcome(major, minor, (others[0], others[1], others[2]), *others[3:])


def _read_nack(payload: bytes) -> Nack:
    (reason,) = struct.unpack("<B", payload)
    return Nack(Reason(reason))


def _rgb(payload: bytes) -> bytes:
    if len(payload) % 3:
        raise ValueError("not three bytes for each LED")
    return payload


def _nothing(payload: bytes) -> tuple[()]:
    if payload:
        raise ValueError("want none")
    return ()


Read = TypeVar("Read")
HOST_READERS: dict[int, Callable[[bytes], HostMessage]] = {
    Hello.type: lambda payload: Hello(*struct.unpack("<BB", payload)),
    Full.type: lambda payload: Full(_rgb(payload)),
    Delta.type: _read_delta,
    Beam.type: _read_beam,
    Config.type: _read_config,
    AskStats.type: lambda payload: AskStats(*_nothing(payload)),
    Blank.type: lambda payload: Blank(*_nothing(payload)),
    Ping.type: lambda payload: Ping(*_nothing(payload)),
}
BOARD_READERS: dict[int, Callable[[bytes], BoardMessage]] = {
    Ack.type: lambda payload: Ack(*ACK.unpack(payload)),
    Welcome.type: _read_welcome,
    Done.type: lambda payload: Done(*_nothing(payload)),
    BoardStats.type: lambda payload: BoardStats(*STATS.unpack(payload)),
    Nack.type: _read_nack,
}
