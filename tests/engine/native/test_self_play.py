"""The compiled core under sanitizers: every game it plays by itself is one by the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.engine.native_self_play import GAMES, build, play

MANY = 40


@pytest.mark.slow
@pytest.mark.parametrize("which", GAMES)
def test_fast_games_never_crash_leak_cheat_or_go_without_an_answer(
    tmp_path: Path, which: str
) -> None:
    seen = play(build(tmp_path), tmp_path, MANY, seed=7, which=which)
    assert seen.turns > 1000
    assert seen.decided, "some must come to an end; how many is up to the machine's speed"
    assert not seen.late, f"{seen.longest_ms} ms without asking whether to stop"
