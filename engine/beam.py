"""The one tracer: any number of beams, all one cell a step, in lockstep.

What a beam meets is asked of a `Surface`: a function from (cell, heading of travel) to a
`Reaction`, or None where the cell lets light through. The first step of a beam is its emitter
(lights need it). A beam ends inside a cell, or on a cell's edge; an edge step repeats the cell
that the beam held.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from engine.grid import Cell, Grid, Heading, opposite


class What(StrEnum):
    """What happened to a beam at one step."""

    FIRE = "fire"  # the emitter's own cell
    PASS = "pass"
    TURN = "turn"
    ABSORB = "absorb"  # ended, nothing happened to the piece
    DAMAGE = "damage"  # ended, the piece lost a hit point and still stands
    CAPTURE = "capture"  # ended, the piece is removed
    ANNIHILATE = "annihilate"  # met another beam
    LEAVE = "leave"  # crossed the edge of the board
    FADE = "fade"  # came to the end of its reach


class Reaction(NamedTuple):
    """What a piece does to a beam; `heading` is the way on, None where the beam ends."""

    what: What
    heading: Heading | None = None


Surface = Callable[[Cell, Heading], Reaction | None]


class Emitter(NamedTuple):
    cell: Cell
    heading: Heading
    owner: int


@dataclass(frozen=True, slots=True)
class Step:
    """One moment of a beam. `entered` and `left` are headings of travel: no `entered` where it
    starts, no `left` where it ends inside the cell."""

    cell: Cell
    what: What
    entered: Heading | None
    left: Heading | None

    @property
    def on_edge(self) -> bool:
        """The beam ended on the edge of this cell, on its way out to `left`."""
        return self.entered is None and self.what is not What.FIRE


@dataclass(frozen=True, slots=True)
class Beam:
    """Where a beam went, step by step; the step's index is its time."""

    owner: int
    steps: tuple[Step, ...]

    @property
    def path(self) -> tuple[Cell, ...]:
        """The cells it lit, the emitter's first."""
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
    """Fire every emitter at once and follow all beams to their ends.

    With `meeting`, beams annihilate: on the edge when they swap cells, inside an empty cell
    when they reach it together, on a mirror when they reach the same face together.
    """
    runs = [[Step(e.cell, What.FIRE, None, e.heading)] for e in emitters]
    live = list(range(len(runs)))
    # Reversible surfaces cannot trap a beam, so no (cell, heading) comes twice.
    limit = grid.size * grid.headings if reach is None else reach
    while len(live) > 1 and len(runs[live[0]]) <= limit:
        live = _advance(grid, runs, live, surface, meeting)
    for i in live:
        _finish(grid, runs[i], surface, limit)
        assert reach is not None or runs[i][-1].what is not What.FADE, "a beam runs in circles"
    return tuple(Beam(e.owner, tuple(run)) for e, run in zip(emitters, runs, strict=True))


def _finish(grid: Grid, run: list[Step], surface: Surface, limit: int) -> None:
    """Follow a beam that meets no other to its end, or for so many cells."""
    cell, heading = run[-1].cell, run[-1].left
    while heading is not None:
        ahead = grid.ahead(cell, heading)
        if len(run) > limit:
            run.append(Step(cell, What.FADE, None, heading))
            return
        if ahead is None:
            run.append(Step(cell, What.LEAVE, None, heading))
            return
        cell = ahead
        reaction = surface(cell, heading)
        if reaction is None:
            run.append(Step(cell, What.PASS, heading, heading))
        else:
            run.append(Step(cell, reaction.what, heading, reaction.heading))
            heading = reaction.heading


def _advance(
    grid: Grid, runs: list[list[Step]], live: list[int], surface: Surface, meeting: bool
) -> list[int]:
    """Move every live beam one cell on; returns those that still travel."""
    held = {i: runs[i][-1].cell for i in live}
    headings = {i: _heading(runs[i][-1]) for i in live}
    targets = {i: grid.ahead(held[i], headings[i]) for i in live}
    crossings = {(held[i], targets[i]) for i in live}
    arrivals: dict[Cell, list[int]] = defaultdict(list)
    for i, target in targets.items():
        if target is None:
            runs[i].append(Step(held[i], What.LEAVE, None, headings[i]))
        elif meeting and (target, held[i]) in crossings:
            runs[i].append(Step(held[i], What.ANNIHILATE, None, headings[i]))
        else:
            arrivals[target].append(i)
    going_on = []
    for cell, beams in arrivals.items():
        reactions = {headings[i]: surface(cell, headings[i]) for i in beams}
        for i in beams:
            step = _arrive(grid, cell, headings[i], reactions, meeting and len(beams) > 1)
            runs[i].append(step)
            if step.left is not None:
                going_on.append(i)
    return sorted(going_on)


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
    """One beam in a cell that `reactions` describes for every heading arriving there now."""
    reaction = reactions[heading]
    if reaction is None:
        if crowded:
            return Step(cell, What.ANNIHILATE, heading, None)
        return Step(cell, What.PASS, heading, heading)
    onward = reaction.heading
    if crowded and onward is not None and opposite(grid, onward) in reactions:
        return Step(cell, What.ANNIHILATE, heading, None)
    return Step(cell, reaction.what, heading, onward)


def relabel(beams: Sequence[Beam], fate: Callable[[Step], What]) -> tuple[Beam, ...]:
    """The same beams, each last step named anew: whether a hit captures is known only after
    all beams have ended."""
    return tuple(replace(b, steps=(*b.steps[:-1], replace(b.end, what=fate(b.end)))) for b in beams)
