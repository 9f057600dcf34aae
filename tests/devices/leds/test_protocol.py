"""The wire protocol: the examples of firmware/PROTOCOL.md, round trips and damage."""

from __future__ import annotations

import re
from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices import sentences
from controller.devices.leds.protocol import (
    DARK,
    SHOWING,
    Ack,
    BadFrame,
    Blank,
    BoardMessage,
    BoardStats,
    Config,
    Delta,
    FullFrame,
    Hello,
    HostMessage,
    Nack,
    NackReason,
    Ping,
    StatsRequest,
    Welcome,
    cobs_decode,
    cobs_encode,
    decode_board,
    decode_host,
    encode,
)
from controller.devices.leds.serial_link import firmware_sentence
from tests.support.paths import FIRMWARE

PROTOCOL = FIRMWARE / "PROTOCOL.md"


def examples() -> list[tuple[str, str, bytes]]:
    """Sender, name and bytes of each example."""
    block = re.search(r"```frames\n(.*?)```", PROTOCOL.read_text("utf-8"), re.DOTALL)
    assert block is not None
    lines = [line for line in block[1].splitlines() if not line.startswith("#")]
    found = [re.fullmatch(r"(host|board) ([A-Z]+): ([0-9a-f ]+)", line) for line in lines]
    return [(each[1], each[2], bytes.fromhex(each[3])) for each in found if each is not None]


def crc_of(frame: bytes) -> int:
    return int.from_bytes(cobs_decode(frame[:-1])[-4:], "little")


# In the order of the page; the values are those of its comments.
HELLO_1 = Welcome(
    1, 1, (0, 2, 0), 80, 1, 2304, 4, 6914, 1, bytes(range(1, 9)), boot_count=7, reset_cause=1
)
CONVERSATION: list[tuple[int, HostMessage | BoardMessage]] = [
    (1, Hello(1, 1)),
    (1, HELLO_1),
    (2, Config(255, 3000, 55, 500, 1, (3,))),
    (2, Ack(0xB87F168B, DARK)),
    (3, FullFrame(bytes.fromhex("ff0000 00ff00 0000ff"))),
    (3, Ack(0x76F59764, SHOWING)),
    (4, Delta(1, b"\xff\xff\xff")),
    (4, Ack(0x0ACB8857, SHOWING)),
    (5, Ping()),
    (5, Ack(0xF96A6C78, SHOWING)),
    (6, StatsRequest()),
    (6, BoardStats(6, 1, 2, 3, 4, 0, 5, 6)),
    (7, Blank()),
    (7, Ack(0x90FC119B, DARK)),
    (0, Nack(NackReason.BAD_CRC)),
    (8, Nack(NackReason.OUT_OF_RANGE)),
]


def test_every_example_of_the_protocol_page_is_read_and_written_byte_for_byte() -> None:
    found = examples()
    assert len(found) == len(CONVERSATION)
    for (sender, name, frame), (seq, message) in zip(found, CONVERSATION, strict=True):
        decode = decode_host if sender == "host" else decode_board
        assert decode(frame) == (seq, message), f"{sender} {name}"
        assert encode(seq, message) == (frame, crc_of(frame)), f"{sender} {name}"


def test_an_ack_names_the_crc_of_the_message_before_it() -> None:
    frames = [frame for _, _, frame in examples()]
    for asked, answered in ((2, 3), (4, 5), (6, 7), (8, 9), (12, 13)):
        _, ack = decode_board(frames[answered])
        assert isinstance(ack, Ack)
        assert ack.crc == crc_of(frames[asked])


def test_a_board_describes_itself() -> None:
    described = sentences.FIRMWARE(version="0.2.0", board="0102030405060708")
    assert firmware_sentence(HELLO_1) == described


# --- round trips ----------------------------------------------------------------------------------

U8, U16, U32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
RGB = st.binary(max_size=900).map(lambda some: some[: len(some) // 3 * 3])
HOST = st.one_of(
    st.builds(Hello, U8, U8),
    st.builds(FullFrame, RGB),
    st.builds(Delta, U16, RGB),
    st.builds(Config, U8, U16, U8, U16, U8, st.lists(U16, max_size=8).map(tuple)),
    st.just(StatsRequest()),
    st.just(Blank()),
    st.just(Ping()),
)
VERSION = st.tuples(U8, U8, U8)
BOARD = st.one_of(
    st.builds(Ack, U32, U8),
    st.builds(
        Welcome,
        *(U8, U8, VERSION, U16, U8, U16, U8, U16, U16),
        st.binary(min_size=8, max_size=8),
        *(U32, U8),
    ),
    st.builds(BoardStats, *[U32] * 8),
    st.builds(Nack, st.sampled_from(NackReason)),
)


@given(U8, HOST)
def test_host_messages_round_trip(seq: int, message: HostMessage) -> None:
    frame, crc = encode(seq, message)
    assert frame.index(0) == len(frame) - 1
    assert decode_host(frame) == decode_host(frame[:-1]) == (seq, message)
    assert crc == crc32(bytes((message.type, seq)) + message.payload())


@given(U8, BOARD)
def test_board_messages_round_trip(seq: int, message: BoardMessage) -> None:
    frame, _ = encode(seq, message)
    assert frame.index(0) == len(frame) - 1
    assert decode_board(frame) == (seq, message)


# --- COBS -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "stuffed"),
    [
        ("", "01"),
        ("00", "01 01"),
        ("00 00", "01 01 01"),
        ("00 11 00", "01 02 11 01"),
        ("11 22 00 33", "03 11 22 02 33"),
        ("11 22 33 44", "05 11 22 33 44"),
        ("11 00 00 00", "02 11 01 01 01"),
    ],
)
def test_short_bodies_are_encoded_as_in_the_cobs_paper(body: str, stuffed: str) -> None:
    assert cobs_encode(bytes.fromhex(body)) == bytes.fromhex(stuffed)


def test_runs_around_a_full_block_are_encoded_as_in_the_cobs_paper() -> None:
    run = bytes(range(1, 256))
    assert cobs_encode(run[:253]) == b"\xfe" + run[:253]
    assert cobs_encode(run[:254]) == b"\xff" + run[:254]
    assert cobs_encode(b"\0" + run[:254]) == b"\x01\xff" + run[:254]
    assert cobs_encode(run) == b"\xff" + run[:254] + b"\x02\xff"
    assert cobs_encode(run[1:] + b"\0") == b"\xff" + run[1:] + b"\x01\x01"
    assert cobs_encode(run[2:] + b"\0\x01") == b"\xfe" + run[2:] + b"\x02\x01"


@pytest.mark.parametrize("length", [0, 1, 253, 254, 255, 256, 507, 508, 509, 510, 762, 6920])
@pytest.mark.parametrize("zeros_every", [0, 1, 2, 3, 253, 254, 255, 256])
def test_cobs_round_trips_at_every_length(length: int, zeros_every: int) -> None:
    body = bytes(
        0 if zeros_every and at % zeros_every == zeros_every - 1 else at % 255 + 1
        for at in range(length)
    )
    stuffed = cobs_encode(body)
    assert 0 not in stuffed
    assert len(stuffed) <= length + length // 254 + 1
    assert cobs_decode(stuffed) == body


@given(st.lists(st.sampled_from([b"\0", b"\0" * 30, b"a", b"b" * 252, b"c" * 254]), max_size=20))
def test_cobs_round_trips_for_any_runs(parts: list[bytes]) -> None:
    body = b"".join(parts)
    stuffed = cobs_encode(body)
    assert 0 not in stuffed
    assert cobs_decode(stuffed) == body


@pytest.mark.parametrize("bad", ["03 11", "00", "02 00", "05 11 22 33", "02 11 ff 22"])
def test_bytes_that_are_not_valid_cobs_are_refused(bad: str) -> None:
    with pytest.raises(BadFrame, match="not COBS at byte"):
        cobs_decode(bytes.fromhex(bad))


# --- damage ---------------------------------------------------------------------------------------


def read_all(wire: bytes) -> list[object]:
    """The messages in a stream of bytes."""
    reported: list[object] = []
    for frame in wire.split(b"\0"):
        for decode in (decode_host, decode_board):
            try:
                reported.append(decode(frame))
            except BadFrame:
                continue
    return reported


SHORT = [frame for _, _, frame in examples()]


@pytest.mark.parametrize("frame", SHORT, ids=lambda frame: frame[1:3].hex())
def test_any_flipped_bit_is_refused(frame: bytes) -> None:
    for at in range(len(frame) - 1):
        for bit in range(8):
            damaged = bytearray(frame)
            damaged[at] ^= 1 << bit
            assert read_all(bytes(damaged)) == []


@pytest.mark.parametrize("frame", SHORT, ids=lambda frame: frame[1:3].hex())
def test_any_truncated_frame_is_refused(frame: bytes) -> None:
    for start in range(len(frame)):
        for end in range(start, len(frame)):
            if end - start < len(frame) - 1:
                assert read_all(frame[start:end]) == []


@pytest.mark.parametrize("frame", SHORT, ids=lambda frame: frame[1:3].hex())
def test_any_inserted_byte_is_refused_or_outside_the_frame(frame: bytes) -> None:
    good = read_all(frame)
    for at in range(len(frame)):
        for byte in range(256):
            reported = read_all(frame[:at] + bytes((byte,)) + frame[at:])
            assert reported == (good if byte == 0 and at in (0, len(frame) - 1) else [])


@given(HOST, U8, st.data())
def test_damage_to_a_long_frame_never_gives_another_message(
    message: HostMessage, seq: int, data: st.DataObject
) -> None:
    frame, _ = encode(seq, message)
    at = data.draw(st.integers(0, len(frame) - 2))
    bit, byte = data.draw(st.integers(0, 7)), data.draw(U8)
    flipped = bytearray(frame)
    flipped[at] ^= 1 << bit
    assert read_all(bytes(flipped)) == []
    assert read_all(frame[:at] + frame[at + 1 :]) == []
    inserted = read_all(frame[:at] + bytes((byte,)) + frame[at:])
    assert inserted in ([], [(seq, message)])


@given(st.binary(max_size=64))
def test_noise_raises_only_the_frame_error(noise: bytes) -> None:
    assert read_all(noise) == []


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("80 01", "a frame of 2 bytes, want at least 6"),
        ("08 01", "unknown type 08"),
        ("80 01 00 00", "type 80 with 2 bytes of payload"),
        ("ff 01 63", "type ff with 1 bytes of payload: 99 is not a valid NackReason"),
        ("84 01", "unknown type 84, want one of 80 81 86 ff"),
    ],
)
def test_an_intact_frame_with_an_invalid_message_is_refused_with_the_reason(
    body: str, complaint: str
) -> None:
    start = bytes.fromhex(body)
    check = b"" if "2 bytes, want" in complaint else crc32(start).to_bytes(4, "little")
    with pytest.raises(BadFrame, match=re.escape(complaint)):
        decode_board(cobs_encode(start + check) + b"\0")


@pytest.mark.parametrize("payload", ["02 01 ff", "03 01 00", "05 01 ff"])
def test_a_host_message_with_bytes_missing_is_refused(payload: str) -> None:
    body = bytes.fromhex(payload)
    with pytest.raises(BadFrame, match="bytes of payload"):
        decode_host(cobs_encode(body + crc32(body).to_bytes(4, "little")))


def test_nack_reasons_1_to_3_mean_damage() -> None:
    assert [reason for reason in NackReason if reason.damaged] == [1, 2, 3]
