"""Random events: moves, presses, requests, bumps, full disks, lost devices and power cuts.

The journal always holds exactly the turns that were made and fired, a game resumes from it after a
power cut, and phases follow each other only as listed in `TRANSITIONS`.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from controller.session.state import Phase
from tests.support.play.phase_paths import TRANSITIONS, games_through_all_phases
from tests.support.play.random_events import RandomGame, RandomSpaceshipsGame, run_random_rules

SEEDS = 20


def run_games(machine: type[RandomGame], examples: int, steps: int, seeded: bool = True) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=seeded
        ),
    )


def test_random_events_leave_a_journal_that_matches_the_game() -> None:
    run_games(RandomGame, 10, 25)
    run_games(RandomSpaceshipsGame, 8, 25)


@pytest.mark.slow
def test_many_random_events_leave_a_journal_that_matches_the_game() -> None:
    run_games(RandomGame, 150, 40, seeded=False)
    run_games(RandomSpaceshipsGame, 100, 40, seeded=False)


@pytest.mark.parametrize("all_seeds", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_every_listed_phase_transition_occurs_and_no_other(all_seeds: bool) -> None:
    """Stops when every transition has occurred; the slow variant runs all seeds."""
    RandomGame.transitions.clear()
    found = sum((game.transitions for game in games_through_all_phases()), RandomGame.transitions)
    for seed in range(SEEDS):
        run_random_rules(RandomGame(), seed, 60)
        run_random_rules(RandomSpaceshipsGame(), seed, 60)
        if not all_seeds and found.keys() | RandomGame.transitions.keys() >= TRANSITIONS:
            break
    found += RandomGame.transitions
    changes = {way: count for way, count in found.items() if way[0] is not way[2]}
    for before in Phase:
        print(f"{before}: {sum(n for way, n in found.items() if way[0] is before)} events")
        for (start, kind, after), count in sorted(changes.items()):
            if start is before:
                print(f"    {kind} -> {after}: {count}")
    assert {after for _, _, after in found} == set(Phase)
    assert sorted(changes.keys() - TRANSITIONS) == [], "transitions that are not listed"
    assert sorted(TRANSITIONS - changes.keys()) == [], "listed transitions that never occur"
