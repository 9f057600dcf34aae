"""The native firmware: pipes, ptys, slow readers, and its end."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import serial

from tests.support.firmware.native_board import (
    ACK,
    BLANK,
    CONFIG,
    FRAME,
    HELLO,
    HELLO_ANSWER,
    PING,
    TIMEOUT_S,
    Board,
    config,
    decode,
    encode,
)

GREETING = encode(HELLO, 1, b"\x01\x00")


@contextmanager
def running(*command: str | Path, stdin: int, stdout: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is killed at the end of the test."""
    with subprocess.Popen(command, stdin=stdin, stdout=stdout, bufsize=0) as process:
        try:
            yield process
        finally:
            process.kill()


def test_hello_carries_the_identity(firmware: Path) -> None:
    options = ["--boots", "4294967295", "--cause", "3", "--board-id", "00ffA5b6c7d8e9f0"]
    with Board(firmware, *options) as board:
        answer = board.ask(HELLO, 1, b"\x01\x00")
        assert answer.kind == HELLO_ANSWER
        assert answer.payload[15:].hex() == "00ffa5b6c7d8e9f0" + "ffffffff" + "03"
        board.close()


@pytest.mark.parametrize(
    "options",
    [
        ["--boots", "-1"],
        ["--boots", "4294967296"],
        ["--cause", "x"],
        ["--board-id", "12"],
        ["--board-id", "000000000000000g"],
        ["--pixels", "99"],
        ["--latch-us", ""],
        ["--nonsense"],
        ["left over"],
    ],
    ids=" ".join,
)
def test_an_option_that_cannot_be_is_refused(firmware: Path, options: list[str]) -> None:
    done = subprocess.run(
        [firmware, *options], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S
    )
    assert done.returncode == 2
    assert done.stderr
    assert not done.stdout


def test_it_ends_with_its_input(firmware: Path) -> None:
    done = subprocess.run([firmware], input=GREETING, capture_output=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stderr
    assert decode(done.stdout).kind == HELLO_ANSWER


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(firmware: Path, number: signal.Signals) -> None:
    with Board(firmware) as board:
        board.ask(HELLO, 1, b"\x01\x00")
        board.process.send_signal(number)
        assert board.process.wait(TIMEOUT_S) == 0


def test_it_waits_without_work(firmware: Path) -> None:
    """Its CPU time shows whether it sleeps."""
    with Board(firmware) as board:
        board.ask(HELLO, 1, b"\x01\x00")
        board.ask(CONFIG, 2, config(3, watchdog_ms=60000))
        board.ask(FRAME, 3, bytes(9))
        before = ticks(board.process.pid)
        time.sleep(1)
        assert ticks(board.process.pid) - before <= 10, "a tenth of a second of work in one"


def ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_silence_makes_it_dark(firmware: Path) -> None:
    with Board(firmware) as board:
        board.ask(HELLO, 1, b"\x01\x00")
        board.ask(CONFIG, 2, config(3, watchdog_ms=50))
        board.ask(FRAME, 3, b"\x09" * 9)
        pictures = [board.picture() for _ in range(4)]
        assert pictures[2:] == [b"\x09" * 9, bytes(9)]
        assert board.ask(PING, 4).payload[4] == 1
        board.close()


def test_busy_leds_delay_the_answer(firmware: Path) -> None:
    with Board(firmware, "--latch-us", "30000") as board:
        board.ask(HELLO, 1, b"\x01\x00")
        assert board.ask(CONFIG, 2, config(3)).kind == ACK
        began = time.monotonic()
        for seq in range(3, 13):
            assert board.ask(FRAME, seq, bytes([seq] * 9)).kind == ACK
        # Each of the ten waits for the transfer of the previous picture, the first for CONFIG's.
        assert time.monotonic() - began > 9 * 0.030
        assert board.close()[-10:] == [bytes([seq] * 9) for seq in range(3, 13)]


def test_pictures_need_no_reader(firmware: Path) -> None:
    """A full pipe drops pictures, but never an answer or the last picture."""
    frames = 400
    with Board(firmware) as board:
        board.ask(HELLO, 1, b"\x01\x00")
        board.ask(CONFIG, 2, config(720, limit_ma=65535))
        for number in range(frames):
            picture = number.to_bytes(2, "little") * 1080
            assert board.ask(FRAME, number % 256, picture).kind == ACK
        pictures = [board.picture()]
        while int.from_bytes(pictures[-1][:2], "little") != frames - 1:
            pictures.append(board.picture())
        numbers = [int.from_bytes(each[:2], "little") for each in pictures[2:]]
        assert all(each == each[:2] * 1080 for each in pictures[2:])
        assert numbers == sorted(set(numbers))
        assert len(numbers) < frames, "the pipe was never full: the test shows nothing"
        assert board.close() == []


def test_a_reader_of_pictures_may_leave(firmware: Path) -> None:
    with Board(firmware) as board:
        kept, board.pixels = board.pixels, os.open("/dev/null", os.O_RDONLY)
        os.close(kept)
        board.ask(HELLO, 1, b"\x01\x00")
        for seq in range(20):
            assert board.ask(FRAME, seq, bytes(240)).kind == ACK
        board.close()


def test_a_host_that_never_reads_cannot_stop_it(firmware: Path) -> None:
    """The board goes dark in time although its answers are not read."""
    with Board(firmware) as board:
        board.send(GREETING)
        board.send(encode(CONFIG, 2, config(3, watchdog_ms=50)))
        ping = encode(PING, 3) * 1000
        for _ in range(20):  # 260 kB of answers, more than pipe and queue hold
            board.send(ping)
        board.send(encode(FRAME, 4, b"\x09" * 9))
        pictures = [board.picture() for _ in range(4)]
        assert pictures[2:] == [b"\x09" * 9, bytes(9)]
        answers = [board.answer() for _ in range(1000)]
        assert {each.kind for each in answers[2:]} == {ACK}, "answers are dropped whole"
        board.send(encode(BLANK, 200))
        while board.answer().seq != 200:
            continue
        board.close()


def test_a_socket_can_replace_the_serial_port(firmware: Path) -> None:
    ours, theirs = socket.socketpair()
    end = theirs.fileno()
    with ours, running(firmware, stdin=end, stdout=end) as process:
        theirs.close()
        ours.settimeout(TIMEOUT_S)
        ours.sendall(b"\0" + GREETING)
        assert decode(ours.recv(100)).kind == HELLO_ANSWER
        ours.close()
        assert process.wait(TIMEOUT_S) == 0


def test_a_pty_can_replace_the_serial_port_and_a_host_may_reconnect(firmware: Path) -> None:
    pipe = subprocess.PIPE
    every_byte = bytes(range(256)) * 3
    with running(firmware, "--pty", stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        path = process.stdout.readline().decode().strip()
        for seq in range(3):
            with serial.Serial(path, 115200, timeout=TIMEOUT_S) as port:
                port.write(b"\0" + encode(HELLO, seq, b"\x01\x00"))
                answer = decode(port.read_until(b"\0"))
                assert (answer.kind, answer.seq) == (HELLO_ANSWER, seq)
                port.write(encode(CONFIG, 100, config(256)))
                assert decode(port.read_until(b"\0")).kind == ACK
                port.write(encode(FRAME, 101, every_byte))
                assert decode(port.read_until(b"\0")).kind == ACK
        assert select.select([process.stdout], [], [], 0)[0] == [], "one line, no more"
        process.stdin.close()  # its parent is gone
        assert process.wait(TIMEOUT_S) == 0


def test_with_a_pty_and_no_pipe_only_a_signal_ends_it(firmware: Path) -> None:
    """Opened as a plain file: nothing is echoed, changed or buffered."""
    special = bytes(range(1, 33)) * 3
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    with running(firmware, "--pty", stdin=null, stdout=pipe) as process:
        assert process.stdout is not None
        path = process.stdout.readline().decode().strip()
        with Path(path).open("r+b", buffering=0) as port:
            for wire, kind in [(GREETING, HELLO_ANSWER), (encode(FRAME, 10, special), ACK)]:
                port.write(wire)
                answer = b""
                while not answer.endswith(b"\0"):
                    assert select.select([port], [], [], TIMEOUT_S)[0], "no answer"
                    answer += port.read(100)
                assert decode(answer).kind == kind
        process.terminate()
        assert process.wait(TIMEOUT_S) == 0
