"""The messages of firmware/PROTOCOL.md as values, and their encoding.

`encode` and `decode_*` work on frames: type, seq, payload and CRC-32, COBS-encoded, with a zero at
the end. A damaged or unknown frame raises `BadFrame`.
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

MAJOR, MINOR = 1, 1
SHOWING, DARK = 0, 1  # state in an ACK
CAN_DELTA = 1  # capability; 2 is reserved
MAX_COBS_RUN = 254  # bytes in the longest COBS block


class BadFrame(LaserboardError, ValueError):
    """Bytes that are not a message."""


class NackReason(IntEnum):
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
        """The message arrived damaged; such a NACK carries no seq."""
        return self <= NackReason.MALFORMED


class WireMessage(Protocol):
    """Common interface of all messages."""

    type: ClassVar[int]

    def payload(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Hello:
    """HELLO: opens a conversation."""

    type: ClassVar[int] = 0x01
    major: int = MAJOR
    minor: int = MINOR

    def payload(self) -> bytes:
        return bytes((self.major, self.minor))


@dataclass(frozen=True, slots=True)
class FullFrame:
    """FRAME: the whole picture."""

    type: ClassVar[int] = 0x02
    rgb: bytes

    def payload(self) -> bytes:
        return self.rgb


@dataclass(frozen=True, slots=True)
class Delta:
    """DELTA: a part of the picture."""

    type: ClassVar[int] = 0x03
    start: int
    rgb: bytes

    def payload(self) -> bytes:
        return self.start.to_bytes(2, "little") + self.rgb


@dataclass(frozen=True, slots=True)
class Config:
    """CONFIG: how the LEDs are built."""

    type: ClassVar[int] = 0x05
    brightness: int
    limit_ma: int
    ma_per_led: int
    watchdog_ms: int
    colour_order: int  # a value of `ports.devices.COLOR_ORDERS`
    leds_per_lane: tuple[int, ...]

    def payload(self) -> bytes:
        return struct.pack(
            f"<BHBHBB{len(self.leds_per_lane)}H",
            self.brightness,
            self.limit_ma,
            self.ma_per_led,
            self.watchdog_ms,
            self.colour_order,
            len(self.leds_per_lane),
            *self.leds_per_lane,
        )


@dataclass(frozen=True, slots=True)
class StatsRequest:
    """STATS from the host: asks for the counters."""

    type: ClassVar[int] = 0x06

    def payload(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Blank:
    """BLANK: all LEDs dark."""

    type: ClassVar[int] = 0x07

    def payload(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Ping:
    """PING: resets the watchdog."""

    type: ClassVar[int] = 0x08

    def payload(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Ack:
    """ACK: the message is accepted and its picture is latched."""

    type: ClassVar[int] = 0x80
    crc: int  # of the message that it answers
    state: int  # SHOWING or DARK

    def payload(self) -> bytes:
        return ACK.pack(self.crc, self.state)


@dataclass(frozen=True, slots=True)
class Welcome:
    """HELLO from the board: version, limits and identity."""

    type: ClassVar[int] = 0x81
    major: int
    minor: int
    firmware: tuple[int, int, int]
    led_count: int
    lane_count: int
    max_leds: int
    max_lanes: int
    max_payload_bytes: int
    capabilities: int
    board_id: bytes
    boot_count: int
    reset_cause: int

    def payload(self) -> bytes:
        return WELCOME.pack(
            self.major,
            self.minor,
            *self.firmware,
            self.led_count,
            self.lane_count,
            self.max_leds,
            self.max_lanes,
            self.max_payload_bytes,
            self.capabilities,
            self.board_id,
            self.boot_count,
            self.reset_cause,
        )


@dataclass(frozen=True, slots=True)
class BoardStats:
    """STATS from the board: counters since its start."""

    type: ClassVar[int] = 0x86
    good: int
    bad_crc: int
    overflow: int
    malformed: int
    refused: int
    repeats: int  # 0 since protocol 1.1
    limited: int  # pictures dimmed by the current limit
    blanked: int  # times that the watchdog expired

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
    """NACK: the message is refused."""

    type: ClassVar[int] = 0xFF
    reason: NackReason

    def payload(self) -> bytes:
        return bytes((self.reason,))


HostMessage = Hello | FullFrame | Delta | Config | StatsRequest | Blank | Ping
BoardMessage = Ack | Welcome | BoardStats | Nack

ACK = struct.Struct("<IB")
WELCOME = struct.Struct("<5BHBHBHH8sIB")
STATS = struct.Struct("<8I")
CONFIG_HEAD = struct.Struct("<BHBHBB")


def encode(seq: int, message: WireMessage) -> tuple[bytes, int]:
    """The frame of a message, and the CRC that its ACK must carry."""
    body = bytes((message.type, seq)) + message.payload()
    crc = crc32(body)
    return cobs_encode(body + crc.to_bytes(4, "little")) + b"\0", crc


def decode_board(frame: bytes) -> tuple[int, BoardMessage]:
    """Seq and message of a frame from a board. The zero at its end is optional."""
    return _decode(frame, BOARD_DECODERS)


def decode_host(frame: bytes) -> tuple[int, HostMessage]:
    """Seq and message of a frame from a host. The zero at its end is optional."""
    return _decode(frame, HOST_DECODERS)


def cobs_encode(body: bytes) -> bytes:
    """COBS: remove the zero bytes; adds at most 1 byte in 254."""
    out = np.frombuffer(bytearray(b"\0" + body + b"\0"), np.uint8)
    zeros = (out == 0).nonzero()[0]
    lengths = zeros[1:] - zeros[:-1]
    out[zeros[:-1]] = lengths
    coded = out.tobytes()
    parts, at = [], 0
    for number in (lengths > MAX_COBS_RUN).nonzero()[0]:
        start, end = int(zeros[number]), int(zeros[number + 1])
        parts += [coded[at:start], *_cobs_blocks(coded[start + 1 : end])]
        at = end
    if at == len(body) + 1 and parts[-1] == b"\1":
        parts.pop()  # a full block at the end needs no empty block after it
    return b"".join((*parts, coded[at:-1]))


def cobs_decode(stuffed: bytes) -> bytes:
    """Inverse of `cobs_encode`."""
    out, at, end = bytearray(), 0, len(stuffed)
    while at < end:
        code = stuffed[at]
        block = stuffed[at + 1 : at + code]
        if code == 0 or at + code > end or 0 in block:
            raise BadFrame(f"not COBS at byte {at} of {end}: {stuffed[:16].hex(' ')}...")
        out += block
        at += code
        if code <= MAX_COBS_RUN and at < end:
            out.append(0)
    return bytes(out)


def _cobs_blocks(run: bytes) -> Iterator[bytes]:
    """Split a long run into blocks; only the last block stands for a zero."""
    while len(run) >= MAX_COBS_RUN:
        yield b"\xff" + run[:MAX_COBS_RUN]
        run = run[MAX_COBS_RUN:]
    yield bytes((len(run) + 1,)) + run


def _decode(frame: bytes, readers: dict[int, Callable[[bytes], Decoded]]) -> tuple[int, Decoded]:
    body = cobs_decode(frame.removesuffix(b"\0"))
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
    return Delta(int.from_bytes(payload[:2], "little"), _require_rgb(payload[2:]))


def _read_config(payload: bytes) -> Config:
    light, limit_ma, ma_per_led, watchdog_ms, order, lanes = CONFIG_HEAD.unpack_from(payload)
    counts = struct.unpack(f"<{lanes}H", payload[CONFIG_HEAD.size :])
    return Config(light, limit_ma, ma_per_led, watchdog_ms, order, counts)


def _read_welcome(payload: bytes) -> Welcome:
    major, minor, *others = WELCOME.unpack(payload)
    return Welcome(major, minor, (others[0], others[1], others[2]), *others[3:])


def _read_nack(payload: bytes) -> Nack:
    (reason,) = struct.unpack("<B", payload)
    return Nack(NackReason(reason))


def _require_rgb(payload: bytes) -> bytes:
    if len(payload) % 3:
        raise ValueError("not three bytes for each LED")
    return payload


def _require_empty(payload: bytes) -> tuple[()]:
    if payload:
        raise ValueError("want none")
    return ()


Decoded = TypeVar("Decoded")
HOST_DECODERS: dict[int, Callable[[bytes], HostMessage]] = {
    Hello.type: lambda payload: Hello(*struct.unpack("<BB", payload)),
    FullFrame.type: lambda payload: FullFrame(_require_rgb(payload)),
    Delta.type: _read_delta,
    Config.type: _read_config,
    StatsRequest.type: lambda payload: StatsRequest(*_require_empty(payload)),
    Blank.type: lambda payload: Blank(*_require_empty(payload)),
    Ping.type: lambda payload: Ping(*_require_empty(payload)),
}
BOARD_DECODERS: dict[int, Callable[[bytes], BoardMessage]] = {
    Ack.type: lambda payload: Ack(*ACK.unpack(payload)),
    Welcome.type: _read_welcome,
    BoardStats.type: lambda payload: BoardStats(*STATS.unpack(payload)),
    Nack.type: _read_nack,
}
