"""Any story at all: hands, buttons, wishes, bumps, full disks, lost devices and power cuts, in any
order.

Whatever happens, the journal tells exactly the turns that hands made and fired, a game that was
cut off goes on from it, and the game goes from phase to phase only as `WAYS` has it.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from controller.session.state import Phase
from tests.support.play.phase_paths import WAYS, detours
from tests.support.play.random_events import ShipStory, Story, wander

SEEDS = 20


def reported(kinds: type[Story], stories: int, steps: int, seeded: bool = True) -> None:
    run_state_machine_as_test(
        kinds,
        settings=settings(
            max_examples=stories, stateful_step_count=steps, deadline=None, derandomize=seeded
        ),
    )


def test_any_story_leaves_a_journal_that_tells_it() -> None:
    reported(Story, 10, 25)
    reported(ShipStory, 8, 25)


@pytest.mark.slow
def test_many_stories_leave_journals_that_tell_them() -> None:
    reported(Story, 150, 40, seeded=False)
    reported(ShipStory, 100, 40, seeded=False)


@pytest.mark.parametrize("all_seeds", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_game_goes_every_way_there_is_and_no_other(all_seeds: bool) -> None:
    """Always until every way was gone, and on from there in the slow tests."""
    Story.transitions.clear()
    found = sum((game.transitions for game in detours()), Story.transitions)
    for seed in range(SEEDS):
        wander(Story(), seed, 60)
        wander(ShipStory(), seed, 60)
        if not all_seeds and found.keys() | Story.transitions.keys() >= WAYS:
            break
    found += Story.transitions
    gone = {way: count for way, count in found.items() if way[0] is not way[2]}
    for before in Phase:
        print(f"{before}: {sum(n for way, n in found.items() if way[0] is before)} events")
        for (start, kind, after), count in sorted(gone.items()):
            if start is before:
                print(f"    {kind} -> {after}: {count}")
    assert {after for _, _, after in found} == set(Phase)
    assert sorted(gone.keys() - WAYS) == [], "ways that nobody knew"
    assert sorted(WAYS - gone.keys()) == [], "ways that nobody went"
