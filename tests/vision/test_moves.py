"""Films of turns in bad light, from the simulated camera through the reader to the inference.

`laserboard bench vision --part moves` is the same with a thousand turns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from controller.bench.acts import KINDS, Table
from controller.bench.films import LIGHTS, NO_TURNS, Film, film
from controller.bench.moves import (
    Judgement,
    Outcome,
    Verdict,
    judged,
    outcome,
    replay,
    summary,
)
from engine import games
from vision.infer import Ambiguous, Exact, Inference, Mismatch, NoChange
from vision.observation import Evidence, Observation, Sighting, State
from vision.steady import Settled

# Games take turns from seed to seed, lights from one round of games to the next.
FEW_TURNS = (0, 7, 14, 28)
FEW_OTHERS = (NO_TURNS + 3, NO_TURNS + 16, NO_TURNS + 31)
GAMES = tuple(games.GAMES)


def table(name: str, seed: int) -> Table:
    return Table.in_a_random_game(games.make(name), Random(seed))


# -- recognising -------------------------------------------------------------------------------


def test_turns_in_bad_light_are_recognised() -> None:
    for verdict in judged(FEW_TURNS):
        assert verdict.outcome is Outcome.RIGHT, str(verdict)


def test_what_is_no_turn_is_never_taken_for_one() -> None:
    for verdict in judged(FEW_OTHERS):
        assert verdict.outcome in (Outcome.RIGHT, Outcome.ASKED), str(verdict)


@pytest.mark.long
def test_of_many_turns_none_is_mistaken_and_hardly_one_is_asked_for() -> None:
    verdicts = list(judged(range(84), jobs=2))
    asked = [str(each) for each in verdicts if each.outcome is not Outcome.RIGHT]
    assert not [each for each in verdicts if each.outcome is Outcome.WRONG], asked
    assert len(asked) <= 1, asked
    assert {each.light for each in verdicts} == set(LIGHTS)
    assert {each.game for each in verdicts} == set(GAMES)


@pytest.mark.long
def test_of_many_cases_without_a_turn_none_is_taken_for_one() -> None:
    verdicts = list(judged(range(NO_TURNS, NO_TURNS + 33), jobs=2))
    wrong = [str(each) for each in verdicts if each.outcome in (Outcome.WRONG, Outcome.MISSED)]
    assert not wrong


@pytest.mark.slow
def test_the_number_of_jobs_changes_nothing() -> None:
    assert list(judged(range(4), jobs=2)) == list(judged(range(4), jobs=1))


# -- the films ---------------------------------------------------------------------------------


def test_a_seed_is_a_film() -> None:
    for first, second in zip(film(9).shots(), film(9).shots(), strict=True):
        assert first.at_ms == second.at_ms
        assert np.array_equal(first.grey, second.grey)
        if first.late:
            return


def test_what_no_hand_touches_stays_where_it_is() -> None:
    case = film(9)
    before = {thing.tag: thing for thing in case._things(case.table.before)}
    after = {thing.tag: thing for thing in case._things(case.act.after, case.touched)}
    differing = {tag for tag in before if before[tag] != after.get(tag)}
    touched = {case.table.before[cell].tag for cell in case.touched if cell in case.table.before}
    assert differing == touched


# -- what hands do -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_legal_act_shows_its_turn_and_no_other(name: str) -> None:
    for seed in range(20):
        made = table(name, seed)
        act = made.legal(Random(seed))
        assert act.turn in game_turns(made)
        assert made.turns(act.after) == [act.turn]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_no_turn_shows_none(name: str) -> None:
    kinds = Counter[str]()
    for seed in range(2 * len(KINDS)):
        made = table(name, seed)
        act = made.no_turn(seed, Random(seed))
        assert made.turns(act.after) == []
        assert act.changed != made.at_rest(act.after)
        kinds[act.name] += 1
    assert len(kinds) >= 3


def test_every_kind_of_mistake_is_made() -> None:
    made = {table(GAMES[0], n).no_turn(n, Random(n)).name for n in range(len(KINDS))}
    assert made == set(KINDS)


def test_captured_pieces_are_taken_off_at_times_and_moved_kings_turned() -> None:
    gone, stay, turned = 0, 0, 0
    for seed in range(80):
        made = table(GAMES[0], seed)
        act = made.legal(Random(seed))
        assert act.turn is not None
        if act.turn.removed:
            gone += len(act.after) < len(made.before)
            stay += len(act.after) == len(made.before)
        ways = {tagged.tag: tagged.orientation for tagged in made.before.values()}
        cells = {tagged.tag: cell for cell, tagged in made.before.items()}
        for cell, tagged in act.after.items():
            turned += cells[tagged.tag] != cell and ways[tagged.tag] != tagged.orientation
    assert min(gone, stay, turned) > 3


def game_turns(made: Table) -> list[object]:
    return list(made.game.turns(made.position))


# -- judging -----------------------------------------------------------------------------------


def said(case: Film, inference: Inference, covered: tuple[int, ...] = ()) -> Outcome:
    """What a judgement is worth that was made of nothing."""
    cells = case.top.board.grid.size
    nothing = Evidence((), np.zeros((cells, 0, 4), np.float32), np.zeros(cells, np.float32))
    seen = (Sighting(State.EMPTY),) * cells
    shot = next(case.shots())
    observed = Observation(case.top.board.grid, seen, nothing)
    return outcome(case, Judgement(shot, observed, Settled(nothing, seen, 3, covered), inference))


def test_only_the_turn_that_was_made_is_right() -> None:
    case = film(0)
    turn = case.act.turn
    assert turn is not None
    other = next(each for each, _ in case.table.shown if each != turn)
    assert said(case, Exact((turn,), 9.0)) is Outcome.RIGHT
    assert said(case, Exact((other,), 9.0)) is Outcome.WRONG
    assert said(case, NoChange(9.0)) is Outcome.WRONG
    assert said(case, Ambiguous(((turn,), ()), 1.0, ())) is Outcome.ASKED
    assert said(case, Mismatch((), ())) is Outcome.ASKED


def test_a_change_that_is_no_turn_must_be_told() -> None:
    case = film(NO_TURNS)
    assert case.act.changed
    turn = case.table.shown[0][0]
    assert said(case, Mismatch((), ())) is Outcome.RIGHT
    assert said(case, Exact((turn,), 9.0)) is Outcome.WRONG
    assert said(case, NoChange(9.0)) is Outcome.MISSED
    assert said(case, NoChange(9.0), case.touched) is Outcome.ASKED
    same = replace(case, act=replace(case.act, changed=False))
    assert said(same, NoChange(9.0)) is Outcome.RIGHT
    assert said(same, Mismatch((), ())) is Outcome.ASKED


def test_the_summary_says_whether_it_is_good_enough() -> None:
    good = [Verdict(n, GAMES[0], "dim", "turn", Outcome.RIGHT, False, "") for n in range(200)]
    assert list(summary(good))[-1].endswith(": good enough")
    two_asked = [replace(each, outcome=Outcome.ASKED) for each in good[:2]] + good[2:]
    assert list(summary(two_asked))[-1].endswith("NOT good enough")
    one_wrong = [replace(good[0], outcome=Outcome.WRONG), *good[1:]]
    assert list(summary(one_wrong))[-1].endswith("NOT good enough")
    assert "wrong: seeds 0" in list(summary(one_wrong))


def test_a_case_can_be_told_frame_by_frame() -> None:
    lines = list(replay(0))
    assert any("exact" in line for line in lines)
    assert lines[-1].startswith("right")
