"""Measures how reliably the turn that was made is inferred, in bad light and after hands.

Each case is a clip (`controller.benchmarks.clips`) that passes the reader, the settle detector and
the inference as in play. A case is its seed: `replay_case(seed)` shows one in detail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context

import cv2

from controller.benchmarks.clips import (
    FIRST_ILLEGAL_SEED,
    LIGHT_CONDITIONS,
    ClipFrame,
    TableClip,
    make_clip,
)
from engine import games
from engine.draw.words import headline
from engine.game import AnyTurn
from engine.grid import Cell
from vision.hypotheses import Hypotheses
from vision.infer import Ambiguous, Exact, Inference, Mismatch, NoChange, infer
from vision.observation import CellState, Observation, Problem
from vision.reader import Reader
from vision.settling import Settled, SettleDetector, SettleReport

ILLEGAL_SHARE = 0.3  # cases without a turn, per case with one
PROGRESS_EVERY_CASES = 50
MIN_EXACT_SHARE = 0.995


class CaseOutcome(StrEnum):
    """The outcome of a case."""

    RIGHT = "right"  # the turn that was made, or that there was none and whether the table changed
    ASKED = "asked"  # not sure: people are asked
    MISSED = "missed"  # an illegal change was taken for no change
    WRONG = "wrong"  # a turn that was not made, or no change where a turn was made


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case."""

    seed: int
    game: str
    light: str
    act: str
    outcome: CaseOutcome
    late: bool  # the table did not settle in time
    note: str

    def __str__(self) -> str:
        late = ", late" if self.late else ""
        where = f"seed {self.seed} ({self.game}, {self.light}, {self.act})"
        return f"{self.outcome}{late}: {where}: {self.note}"


@dataclass(frozen=True)
class InferredFrame:
    """A frame with its observation, settle report and inference."""

    frame: ClipFrame
    observation: Observation
    report: SettleReport
    inference: Inference | None


def run(
    turns: int, jobs: int = 1, first_seed: int = 0, lights: Sequence[str] = LIGHT_CONDITIONS
) -> Iterator[str]:
    """Run `turns` cases with legal turns, and some without. The tables come last."""
    others = FIRST_ILLEGAL_SEED + first_seed
    seeds = [*range(first_seed, first_seed + turns)]
    seeds += range(others, others + round(ILLEGAL_SHARE * turns))
    results: list[CaseResult] = []
    for result in evaluate_cases(seeds, jobs, lights):
        results.append(result)
        if result.outcome is not CaseOutcome.RIGHT:
            yield str(result)
        if len(results) % PROGRESS_EVERY_CASES == 0:
            counts = Counter(each.outcome.value for each in results)
            listed = ", ".join(f"{count} {name}" for name, count in counts.items())
            yield f"{len(results)} of {len(seeds)} cases: {listed}"
    yield from summary_lines(results)


def evaluate_cases(
    seeds: Iterable[int], jobs: int = 1, lights: Sequence[str] = LIGHT_CONDITIONS
) -> Iterator[CaseResult]:
    """The result of every case in the order of the seeds, for any number of jobs."""
    cases = [(seed, tuple(lights)) for seed in seeds]
    if jobs == 1:
        yield from map(_evaluate_case, cases)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _on_one_thread) as pool:
        yield from pool.map(_evaluate_case, cases, chunksize=4)


def summary_lines(results: Sequence[CaseResult]) -> Iterator[str]:
    """The tables, and whether the goal is met."""
    made = [each for each in results if each.seed < FIRST_ILLEGAL_SEED]
    others = [each for each in results if each.seed >= FIRST_ILLEGAL_SEED]
    if made:
        yield from _rows("legal turns, by game", made, lambda each: each.game)
        yield from _rows("legal turns, by light", made, lambda each: each.light)
    if others:
        yield from _rows("no turn, by what was done", others, lambda each: each.act)
    for outcome in CaseOutcome:
        seeds = [str(each.seed) for each in results if each.outcome is outcome]
        if seeds and outcome is not CaseOutcome.RIGHT:
            yield f"{outcome}: seeds {', '.join(seeds)}"
    exact = sum(each.outcome is CaseOutcome.RIGHT for each in made)
    wrong = sum(each.outcome is CaseOutcome.WRONG for each in results)
    good = exact >= MIN_EXACT_SHARE * len(made) and not wrong
    yield (
        f"{exact} of {len(made)} turns recognised, {wrong} wrong among {len(results)} cases: "
        f"{'good enough' if good else 'NOT good enough'}"
    )


def replay_case(seed: int, lights: Sequence[str] = LIGHT_CONDITIONS) -> Iterator[str]:
    """One case in detail, frame by frame."""
    case = make_clip(seed, lights)
    view, grid, act = case.built.camera, case.top.board.grid, case.change
    yield f"{case.top.game.title}: {case.top.game.write_position(case.table.position)}"
    yield f"{case.light}, {view.width} x {view.height}: {case.scenario}"
    yield f"{act.name}: {_turns(case, (act.turn,) if act.turn else ())}"
    for cell in sorted(case.table.before.keys() | act.after.keys()):
        was, now = case.table.before.get(cell), act.after.get(cell)
        if was != now:
            yield f"  {grid.name(cell)}: {was} -> {now}"
    history = []
    for each in infer_frames(case):
        history.append(each)
        what = type(each.report).__name__.lower()
        yield f"{each.frame.at_ms} ms: {what} {'(late)' if each.frame.late else ''}"
        yield from (f"    {line}" for line in _misread(case, each))
        yield from (f"    ! {problem.sentence}" for problem in each.observation.problems)
        if each.inference is not None:
            yield f"    {_describe_inference(case, each.inference)}"
    yield str(_case_result(case, history))


def infer_frames(case: TableClip) -> Iterator[InferredFrame]:
    """Read and infer the frames of a clip until the table has settled after the hand."""
    meanings = case.top.pieces_by_tag
    reader = Reader(case.top.board, meanings)
    found = reader.find(case.reference_frame)
    assert not isinstance(found, Problem), f"seed {case.seed}: {found.sentence}"
    pieces = reader.read(case.reference_frame).pieces(meanings)
    reader.forget()
    facing = {cell: piece.orientation for cell, piece in pieces.items()}
    hypotheses = Hypotheses.for_position(case.top.game, case.table.position, facing)
    detector, settled = SettleDetector(), False
    for frame in case.frames():
        if frame.late and settled:
            return
        seen = reader.read(frame.grey)
        detector, report = detector.update(seen, frame.at_ms)
        settled = isinstance(report, Settled)
        inference = None
        if isinstance(report, Settled) and not frame.resting:
            inference = infer(hypotheses, report.evidence, meanings)
        yield InferredFrame(frame, seen, report, inference)


# -- results -----------------------------------------------------------------------------------


def _on_one_thread() -> None:
    cv2.setNumThreads(1)


def _evaluate_case(case: tuple[int, tuple[str, ...]]) -> CaseResult:
    made = make_clip(*case)
    return _case_result(made, list(infer_frames(made)))


def _case_result(case: TableClip, history: Sequence[InferredFrame]) -> CaseResult:
    """The result of a case: the first turn that was inferred, or else the last frame."""
    last = history[-1]
    named = [each for each in history if _names_turn(case, each)]
    decisive = named[0] if named else last
    outcome = classify_frame(case, decisive)
    note = ""
    if outcome is not CaseOutcome.RIGHT:
        text = "it never settles"
        if decisive.inference is not None:
            text = _describe_inference(case, decisive.inference)
        note = "; ".join([text, *_misread(case, decisive)])
    return CaseResult(
        case.seed, case.top.game.name, case.light, case.change.name, outcome, last.frame.late, note
    )


def _names_turn(case: TableClip, inferred: InferredFrame) -> bool:
    """Whether a turn is inferred, except for one that the table shows before any action: where both
    players act simultaneously, an untouched table is a turn too."""
    match inferred.inference:
        case Exact(turns):
            before = inferred.frame.layout == case.table.before != case.change.after
            return not (before and list(turns) == case.table.turns_shown_by(case.table.before))
        case _:
            return False


def classify_frame(case: TableClip, inferred: InferredFrame) -> CaseOutcome:
    """The outcome of a frame's inference, given what was really done."""
    turn, changed = case.change.turn, case.change.changed
    match inferred.inference:
        case Exact(turns):
            return CaseOutcome.RIGHT if turns == (turn,) else CaseOutcome.WRONG
        case NoChange() if turn is not None:
            return CaseOutcome.WRONG
        case NoChange() if changed:
            assert isinstance(inferred.report, Settled)
            # People see which cells are covered.
            reported = set(case.touched_cells) & set(inferred.report.covered)
            return CaseOutcome.ASKED if reported else CaseOutcome.MISSED
        case NoChange():
            return CaseOutcome.RIGHT
        case Mismatch() if turn is None and changed:
            return CaseOutcome.RIGHT
        case _:
            return CaseOutcome.ASKED


# -- report ------------------------------------------------------------------------------------


def _rows(
    title: str, results: Sequence[CaseResult], by: Callable[[CaseResult], str]
) -> Iterator[str]:
    yield ""
    yield f"| {title:26} | cases | right | asked | missed | wrong | late | right % |"
    yield "|---|---|---|---|---|---|---|---|"
    order = dict.fromkeys((*games.GAMES, *LIGHT_CONDITIONS))
    names = sorted({by(each) for each in results}, key=lambda name: (name not in order, name))
    for name in (*names, "all"):
        some = [each for each in results if name in ("all", by(each))]
        counts = Counter(each.outcome for each in some)
        late = sum(each.late for each in some)
        yield (
            f"| {name:26} | {len(some):5} | {counts[CaseOutcome.RIGHT]:5} "
            f"| {counts[CaseOutcome.ASKED]:5} | {counts[CaseOutcome.MISSED]:6} "
            f"| {counts[CaseOutcome.WRONG]:5} | {late:4} "
            f"| {100 * counts[CaseOutcome.RIGHT] / len(some):7.2f} |"
        )


def _describe_inference(case: TableClip, inference: Inference) -> str:
    match inference:
        case Exact(turns, margin):
            return f"exact ({margin:.1f}): {_turns(case, turns)}"
        case NoChange(margin):
            return f"no change ({margin:.1f})"
        case Ambiguous(choices, margin, cells):
            listed = " | ".join(_turns(case, turns) for turns in choices[:4])
            return f"ambiguous ({margin:.1f}) at {_names(case, cells)}: {listed}"
        case Mismatch(differences, nearest):
            listed = ", ".join(f"{each.sentence} ({each.nats:.1f})" for each in differences)
            return f"mismatch after {_turns(case, nearest)}: {listed}"


def _turns(case: TableClip, turns: Sequence[AnyTurn]) -> str:
    return ", ".join(str(headline(case.top.game, turn)) for turn in turns) or "no turn"


def _names(case: TableClip, cells: Iterable[Cell]) -> str:
    return " ".join(case.top.board.grid.name(cell) for cell in cells) or "no cell"


def _misread(case: TableClip, inferred: InferredFrame) -> Iterator[str]:
    """The cells that are not read as they are."""
    grid, meanings = case.top.board.grid, case.top.pieces_by_tag
    hidden = inferred.observation.covered()
    if len(hidden) > 12:
        yield f"{len(hidden)} cells covered"
    for cell, sighting in enumerate(inferred.observation.sightings):
        real = inferred.frame.layout.get(cell)
        what = f"{grid.name(cell)} is {'empty' if real is None else f'tag {real.tag}'}"
        if sighting.state is CellState.COVERED:
            if len(hidden) <= 12:
                yield f"{what}, seems covered"
        elif sighting.state is CellState.EMPTY:
            if real is not None:
                yield f"{what}, seems empty ({sighting.confidence})"
        elif real is None or real.tag != sighting.tag:
            yield f"{what}, seems tag {sighting.tag} ({sighting.confidence})"
        else:
            meant = meanings[sighting.tag].orientation
            if (meant + sighting.orientation) % grid.headings != real.orientation:
                yield f"{what}, seems turned ({sighting.confidence})"
