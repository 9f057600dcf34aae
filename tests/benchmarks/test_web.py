"""`laserboard bench web`: a few clients, and plausible numbers."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

# In its own process: memory must not be that of the tests.
SMALL = """
from controller.benchmarks.web import WebBenchmark
from controller.devices.factory.clocks import system_clock
bench = WebBenchmark(system_clock())
for line in bench.report_lines(spectators=3, rounds=1, seconds=2.0, settle_s=0.3):
    print(line)
"""


@pytest.mark.slow
def test_a_few_spectators_are_measured() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SMALL], capture_output=True, text=True, timeout=300, check=True
    )
    arrivals = re.search(r"\(([0-9]+) arrivals\)", ran.stdout)
    memory = re.search(r"resident memory with all of them: ([0-9]+) MiB", ran.stdout)
    assert arrivals is not None
    assert memory is not None
    # Three clients, several events a second for two seconds; each gets each event once.
    assert 3 <= int(arrivals[1]) <= 3 * 5 * 6
    assert 30 < int(memory[1]) < 500
    rows = [
        [float(number) for number in line.split("|")[2:5]]
        for line in ran.stdout.splitlines()
        if line.startswith(("| late", "| a tick"))
    ]
    assert len(rows) == 7
    half = 0.005  # of the last printed digit
    for without, crowded, ratio in rows:
        assert without >= 0
        assert crowded >= 0
        assert (ratio + half) * (without + half) >= crowded - half
        assert (ratio - half) * (without - half) <= crowded + half
