#!/usr/bin/env python3
"""Convert the firmware binary to the UF2 file that is copied onto a Pico.

A UF2 file has 512-byte blocks, each with 256 bytes of flash, their address and the chip family.
Usage: `python3 uf2.py laserboard.bin laserboard-pico.uf2`
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

START, START_2, END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
FAMILY_PRESENT = 0x00002000
RP2040 = 0xE48BFF56
FLASH = 0x10000000
FLASH_BYTES = 2 * 1024 * 1024  # of the Pico
PAGE = 256  # the boot ROM writes whole pages
ROOM = 476


def to_uf2(binary: bytes) -> bytes:
    """The blocks of a binary at the start of the flash; the last page is padded with zeros."""
    if not 0 < len(binary) <= FLASH_BYTES:
        raise ValueError(f"a firmware of {len(binary)} bytes: a Pico takes 1 to {FLASH_BYTES}")
    pages = [binary[at : at + PAGE].ljust(PAGE, b"\0") for at in range(0, len(binary), PAGE)]
    return b"".join(
        struct.pack(
            "<8I", START, START_2, FAMILY_PRESENT, FLASH + i * PAGE, PAGE, i, len(pages), RP2040
        )
        + page.ljust(ROOM, b"\0")
        + struct.pack("<I", END)
        for i, page in enumerate(pages)
    )


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: uf2.py FIRMWARE.bin FIRMWARE.uf2", file=sys.stderr)
        return 2
    source, target = map(Path, arguments)
    try:
        target.write_bytes(to_uf2(source.read_bytes()))
    except (OSError, ValueError) as error:
        print(f"uf2.py: {source}: {error}", file=sys.stderr)
        return 1
    print(f"== {target}: {target.stat().st_size // 512} blocks; README.md says how to flash it")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
