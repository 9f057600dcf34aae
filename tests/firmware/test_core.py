"""Runs core_test.c: tests with a controlled clock and busy LEDs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.firmware.compiler import SANITIZED, STRICT, need, run
from tests.support.firmware.native_board import FIRMWARE, PROTOCOL

CORE = sorted((FIRMWARE / "core").glob("*.c"))
TEST = Path(__file__).with_name("core_test.c")
ALLOWED = {"memcpy", "memset", "memcmp"}


def test_the_core_with_a_controlled_clock_and_busy_leds(tmp_path: Path) -> None:
    program = tmp_path / "core_test"
    run(need("cc", "gcc"), *STRICT, *SANITIZED, "-o", program, *CORE, TEST)
    assert "0 failed checks" in run(program, PROTOCOL)


def test_the_core_needs_nothing_of_an_operating_system(tmp_path: Path) -> None:
    need("nm", "binutils")
    run(need("cc", "gcc"), *STRICT, "-O2", "-c", *CORE, cwd=tmp_path)
    names = run("nm", "--format=posix", *sorted(tmp_path.glob("*.o")))
    undefined = {line.split()[0] for line in names.splitlines() if line.split()[1:2] == ["U"]}
    ours = {name for name in undefined if name.startswith("lb_")}
    assert undefined - ours - {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"} <= ALLOWED


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_the_core_has_no_global_state(path: Path, tmp_path: Path) -> None:
    """All state is in `lb_core`, so one program can run two boards."""
    compiled = tmp_path / "one.o"
    run(need("cc", "gcc"), *STRICT, "-O2", "-c", "-o", compiled, path)
    kinds = {line.split()[1] for line in run("nm", "--format=posix", compiled).splitlines()}
    assert not kinds & set("bBdDC")


def test_it_compiles_with_one_command_and_no_make(tmp_path: Path) -> None:
    program = tmp_path / "laserboard-firmware"
    run(need("cc", "gcc"), "-O2", "-o", program, *CORE, FIRMWARE / "native" / "main.c")
    assert "--pixels" in run(program, "--help")
