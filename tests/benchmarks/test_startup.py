"""`laserboard bench startup`: its report, and a measurement of the real program."""

from __future__ import annotations

import re

import pytest

from controller.benchmarks.startup import StartupBenchmark, StartupSample, report
from controller.devices.factory.clocks import system_clock


@pytest.mark.parametrize(
    ("wall_s", "mib", "verdicts"), [(5.9, 149, ["met", "met"]), (6.1, 151, ["NOT met", "NOT met"])]
)
def test_the_slowest_start_is_compared_with_the_goals(
    wall_s: float, mib: float, verdicts: list[str]
) -> None:
    starts = [StartupSample(1.0, 0.5, 90.0, 15.0, 1), StartupSample(wall_s, 0.5, mib, 16.0, 1)]
    reported = "\n".join(report(starts, [StartupSample(0.5, 0.25)]))
    assert re.findall(r"(?:NOT )?met$", reported, re.MULTILINE) == verdicts
    assert "| CPU, median | 0.50 | 0.25 | 2.00 |" in reported
    assert "its children, 1 of them: 16 MiB" in reported


@pytest.mark.slow
def test_a_real_start_is_measured() -> None:
    reported = "\n".join(StartupBenchmark(system_clock()).report_lines(rounds=1, settle_s=1.0))
    start = re.search(r"longest start: ([0-9.]+) s", reported)
    memory = re.search(r"resident memory: (\d+) MiB", reported)
    assert start is not None
    assert memory is not None
    assert 0.3 < float(start[1]) < 100.0
    assert 40 < int(memory[1]) <= 150
