"""The UF2 file: complete, at the right address, for the right chip."""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.firmware.native_board import FIRMWARE
from tests.support.firmware.rp2040.pico import Built

BLOCK, PAGE, FLASH = 512, 256, 0x10000000


def _converter() -> Callable[[bytes], bytes]:
    spec = importlib.util.spec_from_file_location("uf2", FIRMWARE / "rp2040/uf2.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Callable[[bytes], bytes]", module.to_uf2)


to_uf2 = _converter()


def flashed(uf2: bytes) -> bytes:
    """The flash content after the boot ROM has read the file; checks every block."""
    assert len(uf2) % BLOCK == 0
    count, flash = len(uf2) // BLOCK, bytearray()
    for number in range(count):
        block = uf2[number * BLOCK : (number + 1) * BLOCK]
        start, start_2, flags, address, size, this, total, family = struct.unpack_from("<8I", block)
        assert (start, start_2) == (0x0A324655, 0x9E5D5157)
        assert struct.unpack_from("<I", block, BLOCK - 4) == (0x0AB16F30,)
        assert flags == 0x2000  # the family is present
        assert family == 0xE48BFF56
        assert (this, total, size) == (number, count, PAGE)
        assert address == FLASH + len(flash)
        flash += block[32 : 32 + size]
    return bytes(flash)


@given(st.binary(min_size=1, max_size=3 * PAGE))
def test_every_byte_of_a_binary_reaches_its_place(binary: bytes) -> None:
    flash = flashed(to_uf2(binary))
    assert flash[: len(binary)] == binary
    assert not any(flash[len(binary) :])
    assert len(flash) - len(binary) < PAGE


@pytest.mark.parametrize("length", [0, 2 * 1024 * 1024 + 1])
def test_a_binary_that_does_not_fit_a_pico_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"a firmware of {length} bytes"):
        to_uf2(bytes(length))


@pytest.mark.slow
def test_the_file_to_drop_is_the_binary_that_was_tested(built: Built) -> None:
    binary = built.binary.read_bytes()
    assert flashed(Path(built.uf2).read_bytes())[: len(binary)] == binary
