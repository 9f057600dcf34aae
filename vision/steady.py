"""Is a hand over the board, is something still moving, or can the table be judged?

A pure step: `Steady.watch(observation, at_ms)` gives the next value and a report, and knows no
other time. Every cell has a look that it rests at; a look that comes and goes within a blink
changes nothing, one that stays becomes the new rest. The board is settled when every cell has
rested long enough; a covered one rests much longer, and is then named instead of waited for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.grid import Cell
from vision.observation import Evidence, Observation, Sighting, State

Flags = npt.NDArray[np.bool_]

# How much of what is wrong with one reading of a cell is wrong with the next one too: print,
# light and pose are the same, only the camera's noise is new. Three readings are thus worth 1.5
# independent ones, and no number of them is worth more than two.
ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what, in milliseconds, cells and frames."""

    blink_ms: int = 150  # four frames at 30 a second: no hand comes, acts and goes that fast
    blinking_ms: int = 2000  # what blinked so long ago may blink again
    settle_ms: int = 600  # a piece that was let go has stopped rocking, and the arm is away
    lasting_ms: int = 4000  # what covers a cell this long was left there
    hand_cells: int = 3  # a hand covers more than the one or two cells of a finger or a reflection
    frames: int = 5  # that are voted over
    fewest_frames: int = 3  # without which nothing is settled, however slow the camera


@dataclass(frozen=True, slots=True)
class Blind:
    """The board is not found in the picture."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand or an arm is over these cells, or was until a moment ago."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Moving:
    """Something covers or passes these few cells."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Settling:
    """All is quiet, but not for long enough yet."""

    remaining_ms: int


@dataclass(frozen=True)
class Settled:
    """The table can be judged: what the last frames add up to."""

    evidence: Evidence
    sightings: tuple[Sighting, ...]
    frames: int
    covered: tuple[Cell, ...]  # by something that was left there


Report = Blind | Hand | Moving | Settling | Settled

Look = tuple[State, int, int]  # the state, the tag and where it points
UNSEEN: Look = (State.COVERED, -1, 0)


@dataclass(frozen=True, slots=True)
class _Cell:
    """The look that a cell rests at, and since when another one is seen, if one is."""

    look: Look
    since_ms: int
    odd_since_ms: int | None = None
    blinked_ms: int | None = None  # when it last had its look again after another

    def next(self, look: Look, at_ms: int, blink_ms: int) -> _Cell:
        if look == self.look:
            if self.odd_since_ms is None:
                return self
            return replace(self, odd_since_ms=None, blinked_ms=at_ms)
        if self.odd_since_ms is None:
            return replace(self, odd_since_ms=at_ms)
        if at_ms - self.odd_since_ms < blink_ms:
            return self
        return _Cell(look, at_ms)

    def startles(self, look: Look, at_ms: int, patience: Patience) -> bool:
        """Whether a piece seems to come or go here, other than in a cell that blinks anyway: it
        may be a hand too quick to be seen."""
        if State.OCCUPIED not in (self.look[0], look[0]):
            return False
        return self.blinked_ms is None or at_ms - self.blinked_ms > patience.blinking_ms

    def rested(self, at_ms: int, patience: Patience) -> bool:
        return self.remaining_ms(at_ms, patience) == 0

    def remaining_ms(self, at_ms: int, patience: Patience) -> int:
        wait = patience.lasting_ms if self.look == UNSEEN else patience.settle_ms
        return max(0, self.since_ms + wait - at_ms)


@dataclass(frozen=True)
class Steady:
    """What is known of the board's unrest. Start with `Steady()`."""

    patience: Patience = Patience()
    cells: tuple[_Cell, ...] = ()
    votes: tuple[Observation, ...] = ()  # the frames since something last changed
    hand: bool = False

    def watch(self, observation: Observation, at_ms: int) -> tuple[Steady, Report]:
        """One more frame."""
        patience = self.patience
        if not observation.locked:
            # Wherever the board turns up again, it must settle anew.
            rests = tuple(_Cell(cell.look, at_ms) for cell in self.cells)
            return replace(self, cells=rests, votes=(), hand=False), Blind()
        looks = [_look(sighting) for sighting in observation.sightings]
        before = self.cells or tuple(_Cell(look, at_ms) for look in looks)
        cells = tuple(
            cell.next(look, at_ms, patience.blink_ms)
            for cell, look in zip(before, looks, strict=True)
        )
        odd = {number for number, cell in enumerate(cells) if cell.odd_since_ms is not None}
        hidden = {
            number
            for number, cell in enumerate(cells)
            if cell.look == UNSEEN and not cell.rested(at_ms, patience)
        }
        # A hand begins with many cells and ends with none, so that it does not come and go.
        hand = len(odd | hidden) >= (1 if self.hand else patience.hand_cells)
        changed = any(new.since_ms != old.since_ms for new, old in zip(cells, before, strict=True))
        votes = () if hand or changed else self.votes
        if not hand:
            votes = (*votes, observation)[-patience.frames :]
        after = replace(self, cells=cells, votes=votes, hand=hand)
        if hand:
            return after, Hand(tuple(sorted(odd | hidden)))
        if hidden:
            return after, Moving(tuple(sorted(hidden)))
        remaining = max((cell.remaining_ms(at_ms, patience) for cell in cells), default=0)
        if any(cells[number].startles(looks[number], at_ms, patience) for number in odd):
            remaining = max(remaining, patience.blink_ms)
        if remaining or len(votes) < patience.fewest_frames:
            return after, Settling(remaining)
        evidence, sightings = voted(votes, [cell.look for cell in cells])
        covered = tuple(number for number, cell in enumerate(cells) if cell.look == UNSEEN)
        return after, Settled(evidence, sightings, len(votes), covered)


def voted(
    frames: Sequence[Observation], rests: Sequence[Look] | None = None
) -> tuple[Evidence, tuple[Sighting, ...]]:
    """What several frames of the same table say together, cell by cell.

    The look that a cell rests at counts, or else the one that most frames have, and among equals
    the surest; only the evidence of those frames is added. A cell that was not read again in a
    frame says nothing new there.
    """
    sightings = []
    counted = np.zeros((len(frames), len(frames[0].sightings)), np.bool_)
    for cell in range(counted.shape[1]):
        votes = defaultdict[Look, list[int]](list)
        for index, frame in enumerate(frames):
            votes[_look(frame.sightings[cell])].append(index)
        same = votes.get(rests[cell]) if rests is not None else None
        same = same or max(votes.values(), key=lambda each: (len(each), _sure(frames, each, cell)))
        best = max(same, key=lambda index: frames[index].sightings[cell].confidence)
        sightings.append(frames[best].sightings[cell])
        for index in same:
            counted[index, cell] = index == same[0] or cell in frames[index].changed
    return pooled([frame.evidence for frame in frames], counted), tuple(sightings)


def _sure(frames: Sequence[Observation], votes: Sequence[int], cell: Cell) -> float:
    return sum(frames[index].sightings[cell].confidence for index in votes)


def pooled(frames: Sequence[Evidence], counted: Flags | None = None) -> Evidence:
    """The sum of the evidence, each cell's weighed down as its readings are alike.

    `counted` says, by frame and cell, which readings to take.
    """
    if counted is None:
        counted = np.ones((len(frames), len(frames[0].empty)), np.bool_)
    tags, tagged, empty = frames[0].tags, *_zeros(frames[0])
    for frame, used in zip(frames, counted, strict=True):
        if frame.tags != tags:
            raise ValueError("evidence on different tags cannot be pooled")
        tagged += frame.tagged * used[:, None, None]
        empty += frame.empty * used
    readings = np.maximum(counted.sum(axis=0), 1)
    worth = (1 / (1 + (readings - 1) * ALIKE)).astype(np.float32)
    return Evidence(tags, tagged * worth[:, None, None], empty * worth)


def _zeros(evidence: Evidence) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    return np.zeros_like(evidence.tagged), np.zeros_like(evidence.empty)


def _look(sighting: Sighting) -> Look:
    if sighting.state is State.OCCUPIED:
        return sighting.state, sighting.tag, sighting.orientation
    return sighting.state, -1, 0
