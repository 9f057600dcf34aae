"""The beam tracer: follows any number of beams in lockstep, one cell per step.

A `Surface` function maps (cell, heading of travel) to a `Reaction`, or to None where light
passes. The first step of a beam is its emitter: lights need it. A beam ends inside a cell or on
a cell's edge, and an edge step repeats the last cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from engine.grid import Cell, Grid, Heading, opposite


class BeamEvent(StrEnum):
    """The event at one step of a beam."""

    FIRE = "fire"  # on the emitter's own cell
    PASS = "pass"
    TURN = "turn"
    ABSORB = "absorb"  # ends, the piece is unharmed
    DAMAGE = "damage"  # ends, the piece loses a hit point and stays
    CAPTURE = "capture"  # ends, the piece is removed
    ANNIHILATE = "annihilate"  # ends by meeting another beam
    LEAVE = "leave"  # crosses the edge of the board
    FADE = "fade"  # reaches its range


class Reaction(NamedTuple):
    """The effect of a piece on a beam. `heading` is the new heading, None if the beam ends."""

    event: BeamEvent
    heading: Heading | None = None


Surface = Callable[[Cell, Heading], Reaction | None]


class Emitter(NamedTuple):
    cell: Cell
    heading: Heading
    owner: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a beam. `entered` and `left` are headings of travel.

    `entered` is None at the emitter, `left` is None if the beam ends inside the cell.
    """

    cell: Cell
    event: BeamEvent
    entered: Heading | None
    left: Heading | None

    @property
    def on_edge(self) -> bool:
        """Whether the beam ends on the edge of this cell, while leaving it towards `left`."""
        return self.entered is None and self.event is not BeamEvent.FIRE


@dataclass(frozen=True, slots=True)
class Beam:
    """The steps of a beam. The index of a step is its time."""

    owner: int
    steps: tuple[Step, ...]

    @property
    def path(self) -> tuple[Cell, ...]:
        """The lit cells, the emitter's first."""
        return tuple(step.cell for step in self.steps if not step.on_edge)

    @property
    def end(self) -> Step:
        return self.steps[-1]


def trace(
    grid: Grid,
    emitters: Sequence[Emitter],
    surface: Surface,
    *,
    meeting: bool = True,
    reach: int | None = None,
) -> tuple[Beam, ...]:
    """Fire all emitters simultaneously and follow the beams to their ends, at most `reach` cells.

    With `meeting`, beams annihilate each other: on the edge when they swap cells, inside an
    empty cell or on the same face of a mirror when they arrive together.
    """
    runs = [[Step(e.cell, BeamEvent.FIRE, None, e.heading)] for e in emitters]
    live = list(range(len(runs)))
    # Reversible surfaces cannot trap a beam, so no (cell, heading) occurs twice.
    limit = grid.size * grid.headings if reach is None else reach
    while len(live) > 1 and len(runs[live[0]]) <= limit:
        live = _advance(grid, runs, live, surface, meeting)
    for i in live:
        _finish(grid, runs[i], surface, limit)
        assert reach is not None or runs[i][-1].event is not BeamEvent.FADE, (
            "a beam runs in circles"
        )
    return tuple(Beam(e.owner, tuple(run)) for e, run in zip(emitters, runs, strict=True))


def _finish(grid: Grid, run: list[Step], surface: Surface, limit: int) -> None:
    """Follow a beam that meets no other to its end, for at most `limit` cells."""
    cell, heading = run[-1].cell, run[-1].left
    while heading is not None:
        ahead = grid.ahead(cell, heading)
        if len(run) > limit:
            run.append(Step(cell, BeamEvent.FADE, None, heading))
            return
        if ahead is None:
            run.append(Step(cell, BeamEvent.LEAVE, None, heading))
            return
        cell = ahead
        reaction = surface(cell, heading)
        if reaction is None:
            run.append(Step(cell, BeamEvent.PASS, heading, heading))
        else:
            run.append(Step(cell, reaction.event, heading, reaction.heading))
            heading = reaction.heading


def _advance(
    grid: Grid, runs: list[list[Step]], live: list[int], surface: Surface, meeting: bool
) -> list[int]:
    """Move every live beam by one cell. Returns the beams that go on."""
    held = {i: runs[i][-1].cell for i in live}
    headings = {i: _heading(runs[i][-1]) for i in live}
    targets = {i: grid.ahead(held[i], headings[i]) for i in live}
    crossings = {(held[i], targets[i]) for i in live}
    arrivals: dict[Cell, list[int]] = defaultdict(list)
    for i, target in targets.items():
        if target is None:
            runs[i].append(Step(held[i], BeamEvent.LEAVE, None, headings[i]))
        elif meeting and (target, held[i]) in crossings:
            runs[i].append(Step(held[i], BeamEvent.ANNIHILATE, None, headings[i]))
        else:
            arrivals[target].append(i)
    continuing = []
    for cell, beams in arrivals.items():
        reactions = {headings[i]: surface(cell, headings[i]) for i in beams}
        for i in beams:
            step = _arrive(grid, cell, headings[i], reactions, meeting and len(beams) > 1)
            runs[i].append(step)
            if step.left is not None:
                continuing.append(i)
    return sorted(continuing)


def _heading(step: Step) -> Heading:
    assert step.left is not None, "an ended beam does not travel"
    return step.left


def _arrive(
    grid: Grid,
    cell: Cell,
    heading: Heading,
    reactions: Mapping[Heading, Reaction | None],
    crowded: bool,
) -> Step:
    """The step of one beam into a cell. `reactions` has all headings that arrive there now."""
    reaction = reactions[heading]
    if reaction is None:
        if crowded:
            return Step(cell, BeamEvent.ANNIHILATE, heading, None)
        return Step(cell, BeamEvent.PASS, heading, heading)
    onward = reaction.heading
    if crowded and onward is not None and opposite(grid, onward) in reactions:
        return Step(cell, BeamEvent.ANNIHILATE, heading, None)
    return Step(cell, reaction.event, heading, onward)


def relabel(beams: Sequence[Beam], end_event: Callable[[Step], BeamEvent]) -> tuple[Beam, ...]:
    """The same beams with new events at their last steps.

    Whether a hit captures is known only after all beams have ended.
    """
    return tuple(
        replace(b, steps=(*b.steps[:-1], replace(b.end, event=end_event(b.end)))) for b in beams
    )
