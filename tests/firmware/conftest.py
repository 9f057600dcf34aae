"""Compiles the firmware once for each test run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.firmware.compiler import need, run
from tests.support.firmware.native_board import FIRMWARE


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The native firmware with address and undefined-behaviour sanitizers."""
    need("make", "make")
    need("cc", "gcc")
    out = tmp_path_factory.mktemp("firmware")
    run("make", "-C", FIRMWARE, "native-sanitized", f"OUT={out}")
    return out / "laserboard-firmware-sanitized"
