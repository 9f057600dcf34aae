"""A process killed at any moment of any game: nothing that was written is lost, play goes on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.paths import ROOT


@pytest.mark.slow
def test_games_that_are_killed_at_any_moment_are_carried_to_their_end() -> None:
    """See `tests.support.kill_runs`; `make kill-test` does it 500 times."""
    program = (sys.executable, "-m", "tests.support.kill_runs", "--kills", "60", "--jobs", "2")
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = {
        what: int(count)
        for count, _, what in (line.strip().partition(" ") for line in ran.stdout.splitlines())
        if count.isdigit()
    }
    assert counts["kills"] >= 60
    assert counts["games"] >= 3
    assert counts["tables put right"] >= 1
