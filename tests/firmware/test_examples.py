"""The byte examples of PROTOCOL.md, said to the firmware itself."""

from __future__ import annotations

import itertools
import struct
import time
from pathlib import Path

from tests.firmware.board import (
    DONE,
    HELLO_ANSWER,
    NACK,
    STATS_ANSWER,
    Answer,
    Board,
    decode,
    encode,
    examples,
)

IDENTITY = ("--boots", "7", "--cause", "1", "--board-id", "0102030405060708")
WATCHDOG_MS = 500  # in the CONFIG of the examples
ATTEMPTS = 5


def converse(program: Path) -> tuple[list[Answer], list[bytes]] | None:
    """All answers and all pictures; None if we were so slow that the board rightly went dark.

    What can be said without waiting is said at once, which leaves little time to be late in.
    """
    lines = [each for each in examples() if each.name != "NACK"]  # those are made up
    done = next(at for at, each in enumerate(lines) if each.name == "DONE")
    answers: list[Answer] = []
    with Board(program, *IDENTITY) as board:
        began = time.monotonic()
        for part in (lines[: done + 1], lines[done + 1 :]):
            board.send(b"".join(each.wire for each in part if each.sender == "host"))
            late = 1000 * (time.monotonic() - began) > WATCHDOG_MS
            try:
                for _ in filter(lambda each: each.sender == "board", part):
                    answers.append(board.answer(patience_s=10))
            except AssertionError:
                late = 1000 * (time.monotonic() - began) > WATCHDOG_MS
                if not late:
                    raise
            if late:
                return None
        return answers, board.close()


def patiently(program: Path) -> tuple[list[Answer], list[bytes]]:
    for _ in range(ATTEMPTS):
        if (said := converse(program)) is not None:
            return said
    raise AssertionError(f"no conversation went through in {ATTEMPTS} attempts")


def test_every_example_is_answered_byte_for_byte(firmware: Path) -> None:
    answers, pictures = patiently(firmware)
    wanted = [each for each in examples() if each.sender == "board" and each.name != "NACK"]
    for example, answer in zip(wanted, answers, strict=True):
        if example.name == "STATS":
            assert (answer.kind, answer.seq) == (STATS_ANSWER, 7)
            assert struct.unpack("<8I", answer.payload) == (7, 0, 0, 0, 0, 0, 0, 0)
        else:
            assert answer.wire == example.wire, example.name

    red, green, blue = b"\xff\0\0", b"\0\xff\0", b"\0\0\xff"
    white, magenta = b"\xff\xff\xff", b"\xff\0\xff"
    steps = [magenta + white + blue, magenta + white + magenta, magenta + magenta + magenta]
    # A machine that is busy elsewhere may light two steps in one picture.
    assert [each for each in pictures if each not in steps[1:-1]] == [
        bytes(3 * 80),  # it starts dark
        bytes(3 * 3),
        red + green + blue,
        red + white + blue,
        steps[0],
        steps[-1],
        bytes(3 * 3),
    ]


def test_the_made_up_answers_say_what_the_text_says() -> None:
    made_up = {
        each.name: decode(each.wire) for each in examples() if each.name in ("STATS", "HELLO")
    }
    assert struct.unpack("<8I", made_up["STATS"].payload) == (7, 1, 2, 3, 4, 1, 5, 6)
    assert made_up["HELLO"].kind == HELLO_ANSWER
    nacks = [decode(each.wire) for each in examples() if each.name == "NACK"]
    assert [(each.kind, each.seq, each.payload) for each in nacks] == [
        (NACK, 0, b"\x01"),
        (NACK, 9, b"\x04"),
    ]


def test_the_refusals_of_the_examples_can_be_had(firmware: Path) -> None:
    bad_crc, beyond = [each.wire for each in examples() if each.name == "NACK"]
    with Board(firmware) as board:
        board.ask(1, 1, b"\x01\x00")
        wire = bytearray(encode(8, 2))
        wire[2] ^= 1
        board.send(bytes(wire))
        assert board.answer().wire == bad_crc
        assert board.ask(3, 9, struct.pack("<H3B", 80, 1, 2, 3)).wire == beyond
        board.close()


def test_done_is_the_only_answer_that_nobody_asked_for() -> None:
    """Every line of the host is followed by the answer to it."""
    lines = [each for each in examples() if each.name != "NACK"]
    for before, after in itertools.pairwise(lines):
        if before.sender == "board" and after.sender == "board":
            assert decode(after.wire).kind == DONE
        if before.sender == "host":
            assert after.sender == "board"
            assert before.wire[2] == after.wire[2]  # seq
