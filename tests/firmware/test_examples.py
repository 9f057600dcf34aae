"""The byte examples of PROTOCOL.md, sent to the native firmware."""

from __future__ import annotations

import struct
from pathlib import Path

from tests.support.firmware.native_board import (
    HELLO_ANSWER,
    NACK,
    STATS_ANSWER,
    Board,
    converse,
    decode,
    encode,
    examples,
)


def test_every_example_is_answered_byte_for_byte(firmware: Path) -> None:
    answers, pictures = converse(firmware)
    expected = [each for each in examples() if each.sender == "board" and each.name != "NACK"]
    for example, answer in zip(expected, answers, strict=True):
        if example.name == "STATS":
            assert (answer.kind, answer.seq) == (STATS_ANSWER, 6)
            assert struct.unpack("<8I", answer.payload) == (6, 0, 0, 0, 0, 0, 0, 0)
        else:
            assert answer.wire == example.wire, example.name

    red, green, blue = b"\xff\0\0", b"\0\xff\0", b"\0\0\xff"
    white = b"\xff\xff\xff"
    assert pictures == [
        bytes(3 * 80),  # dark after the start
        bytes(3 * 3),
        red + green + blue,
        red + white + blue,
        bytes(3 * 3),
    ]


def test_the_made_up_answers_match_the_text() -> None:
    made_up = {
        each.name: decode(each.wire) for each in examples() if each.name in ("STATS", "HELLO")
    }
    assert struct.unpack("<8I", made_up["STATS"].payload) == (6, 1, 2, 3, 4, 0, 5, 6)
    assert made_up["HELLO"].kind == HELLO_ANSWER
    nacks = [decode(each.wire) for each in examples() if each.name == "NACK"]
    assert [(each.kind, each.seq, each.payload) for each in nacks] == [
        (NACK, 0, b"\x01"),
        (NACK, 8, b"\x04"),
    ]


def test_the_refusals_of_the_examples_are_reproduced(firmware: Path) -> None:
    bad_crc, beyond = [each.wire for each in examples() if each.name == "NACK"]
    with Board(firmware) as board:
        board.ask(1, 1, b"\x01\x00")
        wire = bytearray(encode(8, 2))
        wire[2] ^= 1
        board.send(bytes(wire))
        assert board.answer().wire == bad_crc
        assert board.ask(3, 8, struct.pack("<H3B", 80, 1, 2, 3)).wire == beyond
        board.close()


def test_every_message_is_followed_by_exactly_one_answer() -> None:
    lines = [each for each in examples() if each.name != "NACK"]
    assert [each.sender for each in lines] == ["host", "board"] * (len(lines) // 2)
    for asked, answered in zip(lines[::2], lines[1::2], strict=True):
        assert asked.wire[2] == answered.wire[2]  # seq
