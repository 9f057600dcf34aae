"""Clips of turns in bad light, from the simulated camera through the reader to the inference.

`laserboard bench vision --part moves` runs a thousand turns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from controller.benchmarks.clips import FIRST_ILLEGAL_SEED, LIGHT_CONDITIONS, TableClip, make_clip
from controller.benchmarks.hand_scripts import TaggedPosition
from controller.benchmarks.move_inference import (
    CaseOutcome,
    CaseResult,
    InferredFrame,
    classify_frame,
    evaluate_cases,
    replay_case,
    summary_lines,
)
from engine import games
from vision.infer import Ambiguous, Exact, Inference, Mismatch, NoChange
from vision.observation import CellState, Evidence, Observation, Sighting
from vision.settling import Settled

# Games rotate from seed to seed, lights from one round of games to the next.
FEW_TURNS = (0, 7, 14, 28)
FEW_OTHERS = (FIRST_ILLEGAL_SEED + 3, FIRST_ILLEGAL_SEED + 16, FIRST_ILLEGAL_SEED + 31)
GAMES = tuple(games.GAMES)
ILLEGAL_KINDS = {
    *("moved too far", "two pieces moved", "piece of the other side", "moved and turned"),
    *("turned too far", "piece missing", "piece too many", "foreign piece", "pieces swapped"),
    *("turned, but alike", "only a hand"),
}


def table(name: str, seed: int) -> TaggedPosition:
    return TaggedPosition.from_random_game(games.make(name), Random(seed))


# -- recognising -------------------------------------------------------------------------------


@pytest.mark.slow
def test_turns_in_bad_light_are_inferred() -> None:
    for verdict in evaluate_cases(FEW_TURNS):
        assert verdict.outcome is CaseOutcome.RIGHT, str(verdict)


def test_an_illegal_change_is_never_inferred_as_a_turn() -> None:
    for verdict in evaluate_cases(FEW_OTHERS):
        assert verdict.outcome in (CaseOutcome.RIGHT, CaseOutcome.ASKED), str(verdict)


@pytest.mark.long
def test_84_turns_give_no_wrong_turn_and_few_questions() -> None:
    verdicts = list(evaluate_cases(range(84), jobs=2))
    asked = [str(each) for each in verdicts if each.outcome is not CaseOutcome.RIGHT]
    assert not [each for each in verdicts if each.outcome is CaseOutcome.WRONG], asked
    assert len(asked) <= 1, asked
    assert {each.light for each in verdicts} == set(LIGHT_CONDITIONS)
    assert {each.game for each in verdicts} == set(GAMES)


@pytest.mark.long
def test_33_illegal_changes_give_no_turn() -> None:
    verdicts = list(evaluate_cases(range(FIRST_ILLEGAL_SEED, FIRST_ILLEGAL_SEED + 33), jobs=2))
    wrong = [
        str(each) for each in verdicts if each.outcome in (CaseOutcome.WRONG, CaseOutcome.MISSED)
    ]
    assert not wrong


@pytest.mark.slow
def test_the_verdicts_do_not_depend_on_the_number_of_jobs() -> None:
    assert list(evaluate_cases(range(4), jobs=2)) == list(evaluate_cases(range(4), jobs=1))


# -- the films ---------------------------------------------------------------------------------


def test_a_seed_determines_its_clip() -> None:
    for first, second in zip(make_clip(9).frames(), make_clip(9).frames(), strict=True):
        assert first.at_ms == second.at_ms
        assert np.array_equal(first.grey, second.grey)
        if first.late:
            return


def test_untouched_pieces_keep_their_positions() -> None:
    case = make_clip(9)
    before = {thing.tag: thing for thing in case._pieces(case.table.before)}
    after = {thing.tag: thing for thing in case._pieces(case.change.after, case.touched_cells)}
    differing = {tag for tag in before if before[tag] != after.get(tag)}
    touched = {
        case.table.before[cell].tag for cell in case.touched_cells if cell in case.table.before
    }
    assert differing == touched


# -- hand scripts ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_legal_change_is_inferred_as_exactly_its_turn(name: str) -> None:
    for seed in range(20):
        made = table(name, seed)
        act = made.legal_change(Random(seed))
        assert act.turn in game_turns(made)
        assert made.turns_shown_by(act.after) == [act.turn]


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_change_matches_no_turn(name: str) -> None:
    kinds = Counter[str]()
    for seed in range(2 * len(ILLEGAL_KINDS)):
        made = table(name, seed)
        act = made.illegal_change(seed, Random(seed))
        assert made.turns_shown_by(act.after) == []
        assert act.changed != made.is_unchanged(act.after)
        kinds[act.name] += 1
    assert len(kinds) >= 3


def test_the_seeds_produce_every_kind_of_illegal_change() -> None:
    made = {table(GAMES[0], n).illegal_change(n, Random(n)).name for n in range(len(ILLEGAL_KINDS))}
    assert made == ILLEGAL_KINDS


def test_some_clips_remove_captured_pieces_and_rotate_moved_kings() -> None:
    gone, stay, turned = 0, 0, 0
    for seed in range(80):
        made = table(GAMES[0], seed)
        act = made.legal_change(Random(seed))
        assert act.turn is not None
        if act.turn.removed:
            gone += len(act.after) < len(made.before)
            stay += len(act.after) == len(made.before)
        ways = {tagged.tag: tagged.orientation for tagged in made.before.values()}
        cells = {tagged.tag: cell for cell, tagged in made.before.items()}
        for cell, tagged in act.after.items():
            turned += cells[tagged.tag] != cell and ways[tagged.tag] != tagged.orientation
    assert min(gone, stay, turned) > 3


def game_turns(made: TaggedPosition) -> list[object]:
    return list(made.game.turns(made.position))


# -- results -----------------------------------------------------------------------------------


def outcome_of(case: TableClip, inference: Inference, covered: tuple[int, ...] = ()) -> CaseOutcome:
    """The outcome of an inference without frames."""
    cells = case.top.board.grid.size
    nothing = Evidence((), np.zeros((cells, 0, 4), np.float32), np.zeros(cells, np.float32))
    seen = (Sighting(CellState.EMPTY),) * cells
    frame = next(case.frames())
    observed = Observation(case.top.board.grid, seen, nothing)
    return classify_frame(
        case, InferredFrame(frame, observed, Settled(nothing, seen, 3, covered), inference)
    )


def test_only_the_turn_that_was_made_counts_as_right() -> None:
    case = make_clip(0)
    turn = case.change.turn
    assert turn is not None
    other = next(each for each, _ in case.table.shown_turns if each != turn)
    assert outcome_of(case, Exact((turn,), 9.0)) is CaseOutcome.RIGHT
    assert outcome_of(case, Exact((other,), 9.0)) is CaseOutcome.WRONG
    assert outcome_of(case, NoChange(9.0)) is CaseOutcome.WRONG
    assert outcome_of(case, Ambiguous(((turn,), ()), 1.0, ())) is CaseOutcome.ASKED
    assert outcome_of(case, Mismatch((), ())) is CaseOutcome.ASKED


def test_an_illegal_change_must_be_reported() -> None:
    case = make_clip(FIRST_ILLEGAL_SEED)
    assert case.change.changed
    turn = case.table.shown_turns[0][0]
    assert outcome_of(case, Mismatch((), ())) is CaseOutcome.RIGHT
    assert outcome_of(case, Exact((turn,), 9.0)) is CaseOutcome.WRONG
    assert outcome_of(case, NoChange(9.0)) is CaseOutcome.MISSED
    assert outcome_of(case, NoChange(9.0), case.touched_cells) is CaseOutcome.ASKED
    same = replace(case, change=replace(case.change, changed=False))
    assert outcome_of(same, NoChange(9.0)) is CaseOutcome.RIGHT
    assert outcome_of(same, Mismatch((), ())) is CaseOutcome.ASKED


def test_the_summary_says_whether_the_goals_are_met() -> None:
    good = [
        CaseResult(n, GAMES[0], "dim", "turn", CaseOutcome.RIGHT, False, "") for n in range(200)
    ]
    assert list(summary_lines(good))[-1].endswith(": good enough")
    two_asked = [replace(each, outcome=CaseOutcome.ASKED) for each in good[:2]] + good[2:]
    assert list(summary_lines(two_asked))[-1].endswith("NOT good enough")
    one_wrong = [replace(good[0], outcome=CaseOutcome.WRONG), *good[1:]]
    assert list(summary_lines(one_wrong))[-1].endswith("NOT good enough")
    assert "wrong: seeds 0" in list(summary_lines(one_wrong))


def test_a_case_can_be_reported_frame_by_frame() -> None:
    lines = list(replay_case(0))
    assert any("exact" in line for line in lines)
    assert lines[-1].startswith("right")
