"""Builds the Pico firmware and installs the emulator once; the tests fail without them."""

from __future__ import annotations

import fcntl
import os
import subprocess
import warnings
from collections.abc import Iterator

import pytest

from tests.support.firmware.native_board import FIRMWARE
from tests.support.firmware.rp2040.pico import Built, Pico

SKIP = "LASERBOARD_SKIP_RP2040"
CLEARED_MS = 75  # the longest lane takes 69


@pytest.fixture(scope="session")
def built() -> Built:
    if os.environ.get(SKIP) == "1":
        sentence = f"THE PICO FIRMWARE WAS NOT TESTED: {SKIP}=1 asked for that"
        warnings.warn(sentence, stacklevel=1)
        pytest.skip(sentence)
    (FIRMWARE / "build").mkdir(exist_ok=True)
    with (FIRMWARE / "build/.pico-lock").open("w") as lock:  # tests may run in parallel
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "-C", str(FIRMWARE / "rp2040"), "uf2", "emulator"],
            capture_output=True,
            text=True,
            check=False,
        )
    if made.returncode:
        pytest.fail(
            "the Pico firmware or its emulator cannot be made, so it is not tested "
            f"({SKIP}=1 would leave it out):\n{made.stdout[-3000:]}\n{made.stderr[-3000:]}",
            pytrace=False,
        )
    return Built()


@pytest.fixture
def unplugged(built: Built) -> Iterator[Pico]:
    """A board at power-on."""
    with Pico(built.binary, built.emulator) as pico:
        yield pico


@pytest.fixture
def pico(unplugged: Pico) -> Pico:
    """An enumerated board that has cleared its LEDs."""
    unplugged.start()
    unplugged.run(CLEARED_MS)
    return unplugged
