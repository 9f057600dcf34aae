"""Random conversations with the native firmware, checked against a small model of PROTOCOL.md.

The watchdog is set to its maximum: core_test.c tests what depends on time.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.firmware.current_limit import limited_pixels
from tests.support.firmware.native_board import (
    ACK,
    BLANK,
    CONFIG,
    DELTA,
    FRAME,
    HELLO,
    HELLO_ANSWER,
    NACK,
    PING,
    STATS,
    STATS_ANSWER,
    Board,
    encode,
)

OUT_OF_RANGE, UNKNOWN_TYPE, NO_PICTURE, NOT_GREETED = 4, 5, 6, 7
Message = tuple[int, int, bytes]


class Refused(Exception):
    """The model refuses a message."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason


def need(allowed: bool, reason: int = OUT_OF_RANGE) -> None:
    if not allowed:
        raise Refused(reason)


@dataclass(slots=True)
class Model:
    """The behaviour of a board, as simple as possible."""

    greeted: bool = False
    dark: bool = True
    brightness: int = 255
    limit_ma: int = 500
    ma_per_led: int = 55
    lanes: tuple[int, ...] = (80,)
    picture: bytearray = field(default_factory=lambda: bytearray(240))
    counts: list[int] = field(default_factory=lambda: [0] * 8)
    latched: list[bytes] = field(default_factory=lambda: [bytes(240)])

    @property
    def leds(self) -> int:
        return sum(self.lanes)

    def answers(self, kind: int, seq: int, payload: bytes) -> list[Message]:
        self.counts[0] += 1
        try:
            need(self.greeted or kind == HELLO, NOT_GREETED)
            return self._accept(kind, seq, payload)
        except Refused as no:
            self.counts[4] += 1
            return [(NACK, seq, bytes([no.reason]))]

    def _accept(self, kind: int, seq: int, payload: bytes) -> list[Message]:
        body = bytes([kind, seq]) + payload
        match kind:
            case 1:
                need(len(payload) >= 2)
                self.greeted = True
                reported = struct.pack(
                    "<5BHBHBHH", 1, 1, 0, 2, 0, self.leds, len(self.lanes), 2304, 4, 6914, 1
                )
                return [
                    (HELLO_ANSWER, seq, reported + bytes.fromhex("0000000000000001 01000000 01"))
                ]
            case 2:
                need(len(payload) % 3 == 0 and len(payload) <= 3 * self.leds)
                self.picture = bytearray(payload.ljust(3 * self.leds, b"\0"))
                self.dark = False
                self._latch()
            case 3:
                need(len(payload) % 3 == 2)
                start = 3 * int.from_bytes(payload[:2], "little")
                need(start + len(payload) - 2 <= 3 * self.leds)
                need(not self.dark, NO_PICTURE)
                self.picture[start : start + len(payload) - 2] = payload[2:]
                self._latch()
            case 5:
                self._configure(payload)
            case 6:
                need(not payload)
                return [(STATS_ANSWER, seq, struct.pack("<8I", *self.counts))]
            case 7:
                need(not payload)
                self._darken()
                self._latch()
            case 8:
                need(not payload)
                return [self._ack(body)]
            case _:
                raise Refused(UNKNOWN_TYPE)
        return [self._ack(body)]

    def _configure(self, payload: bytes) -> None:
        need(len(payload) >= 8 and 1 <= payload[7] <= 4 and len(payload) == 8 + 2 * payload[7])
        brightness, limit_ma, ma_per_led, watchdog_ms, order = struct.unpack_from("<BHBHB", payload)
        lanes = struct.unpack(f"<{payload[7]}H", payload[8:])
        need(1 <= sum(lanes) <= 2304 and ma_per_led >= 1 and watchdog_ms >= 50 and order <= 5)
        if lanes != self.lanes and not self.dark:
            self.latched.append(bytes(3 * self.leds))
        kept = sum(lanes) == self.leds
        self.lanes = lanes
        self.brightness, self.limit_ma, self.ma_per_led = brightness, limit_ma, ma_per_led
        if not kept:
            self._darken()
        self._latch()

    def _darken(self) -> None:
        self.picture = bytearray(3 * self.leds)
        self.dark = True

    def _latch(self) -> None:
        plain = limited_pixels(bytes(self.picture), self.brightness, 65535, 1)
        limited = limited_pixels(
            bytes(self.picture), self.brightness, self.limit_ma, self.ma_per_led
        )
        takes_ma = (sum(plain) * self.ma_per_led + 764) // 765 + self.leds
        self.counts[6] += takes_ma > self.limit_ma and any(plain)
        self.latched.append(limited)

    def _ack(self, body: bytes) -> Message:
        return (ACK, body[1], struct.pack("<IB", zlib.crc32(body), self.dark))


small = st.integers(0, 7)
seqs = st.integers(0, 3)
channels = st.sampled_from([0, 1, 127, 255])
rgb = st.lists(channels, max_size=24).map(bytes)
colours = st.lists(channels, min_size=3, max_size=3).map(bytes)
lanes = st.lists(st.sampled_from([0, 1, 2, 3, 5, 2304]), max_size=5)


def join_pixels(leds: list[bytes]) -> bytes:
    return b"".join(leds)


pixels = st.lists(colours, max_size=6).map(join_pixels)
configs = st.builds(
    lambda brightness, limit_ma, ma_per_led, order, leds: (
        struct.pack("<BHBHBB", brightness, limit_ma, ma_per_led, 65535, order, len(leds))
        + struct.pack(f"<{len(leds)}H", *leds)
    ),
    st.sampled_from([255, 255, 100, 0]),
    st.sampled_from([3000, 3000, 60, 2]),
    st.sampled_from([55, 55, 55, 1, 0]),
    st.sampled_from([0, 1, 5, 5, 6]),
    lanes,
)
messages = st.one_of(
    st.tuples(
        st.just(HELLO), seqs, st.sampled_from([b"\x01\x00", b"\x01\x00", b"\x09\x09\x09", b""])
    ),
    st.tuples(st.just(FRAME), seqs, st.one_of(pixels, pixels, rgb)),
    st.tuples(
        st.just(DELTA), seqs, st.tuples(small, pixels).map(lambda p: bytes([p[0], 0]) + p[1])
    ),
    st.tuples(st.just(CONFIG), seqs, configs),
    st.tuples(st.sampled_from([STATS, BLANK, PING]), seqs, st.sampled_from([b"", b"", b"", b"\0"])),
    st.tuples(st.integers(0, 255), seqs, rgb),
)
openings = st.sampled_from([[], [(HELLO, 0, b"\x01\x00"), (FRAME, 1, b"\xff" * 240)]])


@settings(
    deadline=None, max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(opening=openings, more=st.lists(messages, max_size=30))
def test_the_firmware_does_what_the_protocol_says(
    firmware: Path, opening: list[Message], more: list[Message]
) -> None:
    model = Model()
    sent = opening + more
    with Board(firmware) as board:
        # One write: the default watchdog is too short for a busy machine.
        expected = [answer for each in sent for answer in model.answers(*each)]
        board.send(b"".join(encode(*each) for each in sent))
        latched = board.close()
        answers = [(each.kind, each.seq, each.payload) for each in board.answers_left()]
    assert answers == expected
    assert latched[: len(model.latched)] == model.latched
    # The watchdog may have expired before the end on a busy machine.
    assert latched[len(model.latched) :] in ([], [bytes(3 * model.leds)])
