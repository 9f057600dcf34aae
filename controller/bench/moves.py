"""How surely the turn that was made is recognised, in bad light and after hands in the picture.

Every case is a film (`controller.bench.films`) that goes through the reader, the steadiness and
the inference as in play. A case is its seed: `replay(seed)` tells all about one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context

import cv2

from controller.bench.films import LIGHTS, NO_TURNS, Film, Shot, film
from engine import games
from engine.draw.words import headline
from engine.game import AnyTurn
from engine.grid import Cell
from vision.hypotheses import Hypotheses
from vision.infer import Ambiguous, Exact, Inference, Mismatch, NoChange, infer
from vision.observation import Observation, Problem, State
from vision.reader import Reader
from vision.steady import Report, Settled, Steady

NO_TURN_PART = 0.3  # so many cases without a turn for each with one
PROGRESS = 50
LEAST_EXACT = 0.995


class Outcome(StrEnum):
    """What came of a case."""

    RIGHT = "right"  # the turn that was made; or that none was, and whether all is as it was
    ASKED = "asked"  # not sure enough: people are told what to look at
    MISSED = "missed"  # the table was changed by what is no turn, and is taken for unchanged
    WRONG = "wrong"  # a turn that nobody made, or no change where a turn was made


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case that was judged."""

    seed: int
    game: str
    light: str
    act: str
    outcome: Outcome
    late: bool  # the table did not settle when it should have
    note: str

    def __str__(self) -> str:
        late = ", late" if self.late else ""
        where = f"seed {self.seed} ({self.game}, {self.light}, {self.act})"
        return f"{self.outcome}{late}: {where}: {self.note}"


@dataclass(frozen=True)
class Judgement:
    """A frame as it was understood."""

    shot: Shot
    seen: Observation
    report: Report
    inference: Inference | None


def run(
    turns: int, jobs: int = 1, first_seed: int = 0, lights: Sequence[str] = LIGHTS
) -> Iterator[str]:
    """So many legal turns, and some cases in which none is made; the tables come last."""
    others = NO_TURNS + first_seed
    seeds = [*range(first_seed, first_seed + turns)]
    seeds += range(others, others + round(NO_TURN_PART * turns))
    verdicts: list[Verdict] = []
    for verdict in judged(seeds, jobs, lights):
        verdicts.append(verdict)
        if verdict.outcome is not Outcome.RIGHT:
            yield str(verdict)
        if len(verdicts) % PROGRESS == 0:
            counts = Counter(each.outcome.value for each in verdicts)
            listed = ", ".join(f"{count} {name}" for name, count in counts.items())
            yield f"{len(verdicts)} of {len(seeds)} cases: {listed}"
    yield from summary(verdicts)


def judged(
    seeds: Iterable[int], jobs: int = 1, lights: Sequence[str] = LIGHTS
) -> Iterator[Verdict]:
    """The verdict on every case, in the order of the seeds, whatever the number of jobs."""
    cases = [(seed, tuple(lights)) for seed in seeds]
    if jobs == 1:
        yield from map(_judged, cases)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _on_one_thread) as pool:
        yield from pool.map(_judged, cases, chunksize=4)


def summary(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The tables, and whether that is good enough."""
    made = [each for each in verdicts if each.seed < NO_TURNS]
    others = [each for each in verdicts if each.seed >= NO_TURNS]
    if made:
        yield from _rows("legal turns, by game", made, lambda each: each.game)
        yield from _rows("legal turns, by light", made, lambda each: each.light)
    if others:
        yield from _rows("no turn, by what was done", others, lambda each: each.act)
    for outcome in Outcome:
        seeds = [str(each.seed) for each in verdicts if each.outcome is outcome]
        if seeds and outcome is not Outcome.RIGHT:
            yield f"{outcome}: seeds {', '.join(seeds)}"
    exact = sum(each.outcome is Outcome.RIGHT for each in made)
    wrong = sum(each.outcome is Outcome.WRONG for each in verdicts)
    good = exact >= LEAST_EXACT * len(made) and not wrong
    yield (
        f"{exact} of {len(made)} turns recognised, {wrong} wrong among {len(verdicts)} cases: "
        f"{'good enough' if good else 'NOT good enough'}"
    )


def replay(seed: int, lights: Sequence[str] = LIGHTS) -> Iterator[str]:
    """All about one case, frame by frame."""
    case = film(seed, lights)
    view, grid, act = case.staged.view, case.top.board.grid, case.act
    yield f"{case.top.game.title}: {case.top.game.write_position(case.table.position)}"
    yield f"{case.light}, {view.width} x {view.height}: {case.scenario}"
    yield f"{act.name}: {_turns(case, (act.turn,) if act.turn else ())}"
    for cell in sorted(case.table.before.keys() | act.after.keys()):
        was, now = case.table.before.get(cell), act.after.get(cell)
        if was != now:
            yield f"  {grid.name(cell)}: {was} -> {now}"
    history = []
    for each in watched(case):
        history.append(each)
        what = type(each.report).__name__.lower()
        yield f"{each.shot.at_ms} ms: {what} {'(late)' if each.shot.late else ''}"
        yield from (f"    {line}" for line in _misread(case, each))
        yield from (f"    ! {problem.sentence}" for problem in each.seen.problems)
        if each.inference is not None:
            yield f"    {_said(case, each.inference)}"
    yield str(_verdict(case, history))


def watched(case: Film) -> Iterator[Judgement]:
    """The film, read and judged until the table is settled after the hand has gone."""
    meanings = case.top.meanings
    reader = Reader(case.top.board, meanings)
    found = reader.find(case.calm)
    assert not isinstance(found, Problem), f"seed {case.seed}: {found.sentence}"
    stood = reader.read(case.calm).pieces(meanings)
    reader.forget()
    facing = {cell: piece.orientation for cell, piece in stood.items()}
    hypotheses = Hypotheses.of(case.top.game, case.table.position, facing)
    steady, settled = Steady(), False
    for shot in case.shots():
        if shot.late and settled:
            return
        seen = reader.read(shot.grey)
        steady, report = steady.watch(seen, shot.at_ms)
        settled = isinstance(report, Settled)
        inference = None
        if isinstance(report, Settled) and not shot.resting:
            inference = infer(hypotheses, report.evidence, meanings)
        yield Judgement(shot, seen, report, inference)


# -- judging -----------------------------------------------------------------------------------


def _on_one_thread() -> None:
    cv2.setNumThreads(1)


def _judged(case: tuple[int, tuple[str, ...]]) -> Verdict:
    made = film(*case)
    return _verdict(made, list(watched(made)))


def _verdict(case: Film, history: Sequence[Judgement]) -> Verdict:
    """A turn counts as soon as it is named; otherwise the last word counts."""
    last = history[-1]
    named = [each for each in history if _named(case, each)]
    decisive = named[0] if named else last
    came = outcome(case, decisive)
    note = ""
    if came is not Outcome.RIGHT:
        said = "it never settles"
        if decisive.inference is not None:
            said = _said(case, decisive.inference)
        note = "; ".join([said, *_misread(case, decisive)])
    return Verdict(
        case.seed, case.top.game.name, case.light, case.act.name, came, last.shot.late, note
    )


def _named(case: Film, judgement: Judgement) -> bool:
    """Whether a turn is named, other than one that the table shows before anybody acts: where
    both players act at once, a table that nobody has touched is a turn too."""
    match judgement.inference:
        case Exact(turns):
            before = judgement.shot.layout == case.table.before != case.act.after
            return not (before and list(turns) == case.table.turns(case.table.before))
        case _:
            return False


def outcome(case: Film, judgement: Judgement) -> Outcome:
    """What a frame's judgement is worth, for somebody who knows what was done."""
    turn, changed = case.act.turn, case.act.changed
    match judgement.inference:
        case Exact(turns):
            return Outcome.RIGHT if turns == (turn,) else Outcome.WRONG
        case NoChange() if turn is not None:
            return Outcome.WRONG
        case NoChange() if changed:
            assert isinstance(judgement.report, Settled)
            # People are told which cells are covered.
            told = set(case.touched) & set(judgement.report.covered)
            return Outcome.ASKED if told else Outcome.MISSED
        case NoChange():
            return Outcome.RIGHT
        case Mismatch() if turn is None and changed:
            return Outcome.RIGHT
        case _:
            return Outcome.ASKED


# -- telling -----------------------------------------------------------------------------------


def _rows(title: str, verdicts: Sequence[Verdict], by: Callable[[Verdict], str]) -> Iterator[str]:
    yield ""
    yield f"| {title:26} | cases | right | asked | missed | wrong | late | right % |"
    yield "|---|---|---|---|---|---|---|---|"
    order = dict.fromkeys((*games.GAMES, *LIGHTS))
    names = sorted({by(each) for each in verdicts}, key=lambda name: (name not in order, name))
    for name in (*names, "all"):
        some = [each for each in verdicts if name in ("all", by(each))]
        counts = Counter(each.outcome for each in some)
        late = sum(each.late for each in some)
        yield (
            f"| {name:26} | {len(some):5} | {counts[Outcome.RIGHT]:5} "
            f"| {counts[Outcome.ASKED]:5} | {counts[Outcome.MISSED]:6} "
            f"| {counts[Outcome.WRONG]:5} | {late:4} "
            f"| {100 * counts[Outcome.RIGHT] / len(some):7.2f} |"
        )


def _said(case: Film, inference: Inference) -> str:
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


def _turns(case: Film, turns: Sequence[AnyTurn]) -> str:
    return ", ".join(headline(case.top.game, turn) for turn in turns) or "no turn"


def _names(case: Film, cells: Iterable[Cell]) -> str:
    return " ".join(case.top.board.grid.name(cell) for cell in cells) or "no cell"


def _misread(case: Film, judgement: Judgement) -> Iterator[str]:
    """The cells that look otherwise than they are."""
    grid, meanings = case.top.board.grid, case.top.meanings
    hidden = judgement.seen.covered()
    if len(hidden) > 12:
        yield f"{len(hidden)} cells covered"
    for cell, sighting in enumerate(judgement.seen.sightings):
        real = judgement.shot.layout.get(cell)
        what = f"{grid.name(cell)} is {'empty' if real is None else f'tag {real.tag}'}"
        if sighting.state is State.COVERED:
            if len(hidden) <= 12:
                yield f"{what}, seems covered"
        elif sighting.state is State.EMPTY:
            if real is not None:
                yield f"{what}, seems empty ({sighting.confidence})"
        elif real is None or real.tag != sighting.tag:
            yield f"{what}, seems tag {sighting.tag} ({sighting.confidence})"
        else:
            meant = meanings[sighting.tag].orientation
            if (meant + sighting.orientation) % grid.headings != real.orientation:
                yield f"{what}, seems turned ({sighting.confidence})"
