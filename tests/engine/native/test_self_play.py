"""Self-play of the compiled core under sanitizers: every game is legal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.engine.native_self_play import GAMES, build, play

MANY = 40


@pytest.mark.slow
@pytest.mark.parametrize("which", GAMES)
def test_self_play_never_crashes_leaks_or_plays_an_illegal_move(tmp_path: Path, which: str) -> None:
    seen = play(build(tmp_path), tmp_path, MANY, seed=7, which=which)
    assert seen.turns > 1000
    assert seen.decided, "some games must end; how many depends on the machine"
    assert not seen.late, f"{seen.longest_ms} ms without asking whether to stop"
