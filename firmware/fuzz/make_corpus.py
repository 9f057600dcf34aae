"""Write the seed corpus of the fuzz target: conversations as operations of fuzz.c.

Usage: python fuzz/make_corpus.py fuzz/corpus
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

HELLO, FRAME, DELTA, RESERVED, CONFIG, STATS, BLANK, PING = range(1, 9)


def raw(octets: bytes) -> bytes:
    return bytes([0, len(octets)]) + octets


def pause(duration_ms: int) -> bytes:
    return b"\x02" + struct.pack("<H", duration_ms)


def busy(yes: bool) -> bytes:
    return bytes([3, yes])


def message(kind: int, seq: int, payload: bytes = b"", count: int | None = None) -> bytes:
    """A message with `count` bytes of payload, made by repeating `payload`."""
    length = len(payload) if count is None else count
    return b"\x04" + struct.pack("<BBHB", kind, seq, length, len(payload)) + payload


def damaged(where: int, mask: int, intact: bytes) -> bytes:
    return bytes([5, where, mask]) + intact[1:]


def config(lanes: list[int], limit_ma: int = 3000, watchdog_ms: int = 500, order: int = 1) -> bytes:
    head = struct.pack("<BHBHBB", 255, limit_ma, 55, watchdog_ms, order, len(lanes))
    return head + struct.pack(f"<{len(lanes)}H", *lanes)


GREET = message(HELLO, 1, b"\x01\x00")
THREE = GREET + message(CONFIG, 2, config([3]))
SHOW = THREE + message(FRAME, 3, bytes(range(9)))

SEEDS = {
    "all-messages": SHOW
    + message(DELTA, 4, b"\x01\x00\xff\xff\xff")
    + message(PING, 6)
    + message(STATS, 7)
    + message(BLANK, 8),
    "not-greeted": message(FRAME, 1, b"\xff", 240) + message(PING, 2) + message(HELLO, 3, b"\x01"),
    "unknown-type": SHOW + message(99, 4, b"\x01") + message(RESERVED, 5, bytes(7)),
    "silence": SHOW + pause(499) + pause(1) + message(PING, 5),
    "dark": THREE + message(DELTA, 3, bytes(5)) + message(DELTA, 5, b"\x03\x00\x01\x02\x03"),
    "busy": SHOW
    + busy(True)
    + message(FRAME, 4, b"\x09\x09\x09")
    + message(PING, 5)
    + message(FRAME, 6, b"\x08\x08\x08")
    + pause(5)
    + busy(False)
    + pause(1),
    "busy-too-long": SHOW + busy(True) + message(FRAME, 4, b"\x09" * 3) + pause(600) + busy(False),
    "limited": GREET + message(FRAME, 2, b"\xff", 240) + message(CONFIG, 3, config([80], 20)),
    "lanes": GREET
    + message(CONFIG, 2, config([720, 720, 720, 144], 15000))
    + message(FRAME, 3, b"\xff\x80", 6912)
    + busy(True)
    + message(CONFIG, 4, config([1152, 1152], 15000))
    + message(CONFIG, 5, config([2304], 15000))
    + busy(False)
    + pause(1),
    "out-of-range": SHOW
    + message(FRAME, 4, b"\x01", 12)
    + message(FRAME, 4, b"\x01", 2)
    + message(DELTA, 4, b"\x01")
    + message(DELTA, 4, b"\x03\x00\x01\x01\x01")
    + message(CONFIG, 4, config([3]) + b"\x00")
    + message(CONFIG, 4, config([]))
    + message(CONFIG, 4, config([3], watchdog_ms=49))
    + message(CONFIG, 4, config([3], order=6))
    + message(CONFIG, 4, config([2304, 1]))
    + message(STATS, 4, b"\x01")
    + message(BLANK, 4, b"\x01")
    + message(PING, 4, b"\x01"),
    "overflow": SHOW + message(FRAME, 4, b"\x01", 6915) + message(FRAME, 5, b"\x00", 8000),
    "damage": SHOW
    + damaged(5, 0x10, message(FRAME, 4, b"\x07\x07\x07"))
    + damaged(0, 0x01, message(FRAME, 4, b"\x07\x07\x07"))
    + message(FRAME, 4, b"\x07\x07\x07"),
    "noise": raw(b"\x00\x00\x01\x00\x05abc\x00\x06abcde\x00\xff") + GREET + raw(b"\x03"),
    "wire": raw(bytes.fromhex("0401010105 0fe3218100")) + raw(bytes.fromhex("070806c23d636000")),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, operations in SEEDS.items():
        (folder / name).write_bytes(operations)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
