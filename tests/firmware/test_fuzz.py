"""The fuzz target: its corpus always, half a minute of new inputs in the slow tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.firmware.compiler import SANITIZED, STRICT, need, run
from tests.support.firmware.native_board import FIRMWARE

FUZZ = FIRMWARE / "fuzz"
CORPUS = sorted((FUZZ / "corpus").iterdir())


def test_the_kept_inputs_break_nothing(tmp_path: Path) -> None:
    program = tmp_path / "replay"
    sources = [*(FIRMWARE / "core").glob("*.c"), FUZZ / "fuzz.c", FUZZ / "replay.c"]
    run(need("cc", "gcc"), *STRICT, *SANITIZED, "-o", program, *sources)
    assert f"{len(CORPUS)} inputs" in run(program, *CORPUS)


@pytest.mark.slow
def test_half_a_minute_of_fuzzing_breaks_nothing(tmp_path: Path) -> None:
    need("make", "make")
    need("clang", "clang libclang-rt-14-dev (or: make -C firmware fuzz-tools)")
    printed = run("make", "-C", FIRMWARE, "fuzz", "SECONDS=30", f"OUT={tmp_path}")
    runs = re.search(r"number_of_executed_units: (\d+)", printed)
    assert runs, printed
    assert int(runs[1]) > len(CORPUS)
