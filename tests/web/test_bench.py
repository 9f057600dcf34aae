"""`laserboard bench web`: a small crowd, and numbers that can be true."""

from __future__ import annotations

import re
import subprocess
import sys

# Memory is that of the process that measures: it must not be the one of all these tests.
SMALL = """
from controller.bench.web import Bench
from controller.wiring import system_clock
for line in Bench(system_clock()).lines(spectators=3, rounds=1, seconds=2.0, settle_s=0.3):
    print(line)
"""


def test_a_small_crowd_is_measured() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SMALL], capture_output=True, text=True, timeout=300, check=True
    )
    arrivals = re.search(r"\(([0-9]+) arrivals\)", ran.stdout)
    memory = re.search(r"resident memory with all of them: ([0-9]+) MiB", ran.stdout)
    assert arrivals is not None
    assert memory is not None
    # Three spectators, some events a second for two seconds; each hears each event once.
    assert 3 <= int(arrivals[1]) <= 3 * 5 * 6
    assert 30 < int(memory[1]) < 500
    rows = [
        [float(number) for number in line.split("|")[2:5]]
        for line in ran.stdout.splitlines()
        if line.startswith(("| late", "| a beat"))
    ]
    assert len(rows) == 7
    half = 0.005  # of the last digit that is printed
    for without, crowded, ratio in rows:
        assert without >= 0
        assert crowded >= 0
        assert (ratio + half) * (without + half) >= crowded - half
        assert (ratio - half) * (without - half) <= crowded + half
