"""Games whose process is killed at random moments lose no written entry and can be finished."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.paths import ROOT


@pytest.mark.slow
def test_games_that_are_killed_at_random_moments_can_be_finished() -> None:
    """See `tests.support.kill_runs`; `make kill-test` kills 500 times."""
    program = (sys.executable, "-m", "tests.support.kill_runs", "--kills", "60", "--jobs", "2")
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {
        what: int(count)
        for count, _, what in (line.strip().partition(" ") for line in done.stdout.splitlines())
        if count.isdigit()
    }
    assert counts["kills"] >= 60
    assert counts["games"] >= 3
    assert counts["tables put right"] >= 1
