"""The core's own tests in C: what needs a clock to turn or LEDs to be busy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.board import FIRMWARE, PROTOCOL
from tests.firmware.conftest import SANITIZED, STRICT, need, run

CORE = sorted((FIRMWARE / "core").glob("*.c"))
TEST = Path(__file__).with_name("core_test.c")
ALLOWED = {"memcpy", "memset", "memcmp"}


def test_what_needs_time_or_busy_leds(tmp_path: Path) -> None:
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
def test_the_core_keeps_no_state_of_its_own(path: Path, tmp_path: Path) -> None:
    """Everything that changes is in `lb_core`: two boards can live in one program."""
    compiled = tmp_path / "one.o"
    run(need("cc", "gcc"), *STRICT, "-O2", "-c", "-o", compiled, path)
    kinds = {line.split()[1] for line in run("nm", "--format=posix", compiled).splitlines()}
    assert not kinds & set("bBdDC")


def test_it_compiles_with_one_command_and_no_make(tmp_path: Path) -> None:
    program = tmp_path / "laserboard-firmware"
    run(need("cc", "gcc"), "-O2", "-o", program, *CORE, FIRMWARE / "native" / "main.c")
    assert "--pixels" in run(program, "--help")
