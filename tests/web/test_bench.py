"""`laserboard bench web`: a small crowd, and numbers that can be true."""

from __future__ import annotations

import re

import pytest

from controller.bench import web
from controller.wiring import system_clock


def test_a_small_crowd_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "SETTLE_S", 0.3)
    lines = list(web.Bench(system_clock()).lines(spectators=3, rounds=1, seconds=2.0))
    told = "\n".join(lines)
    arrivals = re.search(r"\(([0-9]+) arrivals\)", told)
    memory = re.search(r"resident memory with all of them: ([0-9]+) MiB", told)
    assert arrivals is not None
    assert memory is not None
    # Three spectators, some events a second for two seconds; each hears each event once.
    assert 3 * 3 <= int(arrivals[1]) <= 3 * 5 * 6
    assert 30 < int(memory[1]) < 1500
    ratios = [
        float(line.split("|")[4]) for line in lines if line.startswith(("| late", "| a beat"))
    ]
    assert len(ratios) == 7
    assert all(ratio > 0 for ratio in ratios)
