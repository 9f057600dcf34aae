"""Decides from observations whether a hand is over the board, or the table has settled.

`SettleDetector.update(observation, at_ms)` is pure: it returns the next detector and a report, and
knows no other time. Every cell has a stable look. A look that lasts less than `flicker_ms` is
ignored, a longer one becomes the new stable look. The board has settled when all cells are stable
for long enough; a cell that stays covered is then reported instead of waited for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.grid import Cell
from vision.observation import CellState, Evidence, Observation, Sighting

Flags = npt.NDArray[np.bool_]

# Correlation between two readings of a cell: print, light and pose stay the same, only the camera
# noise differs. Three readings are worth 1.5 independent ones, and any number at most two.
READING_CORRELATION = 0.5


@dataclass(frozen=True, slots=True)
class SettleThresholds:
    """Durations, cell counts and frame counts of the detector."""

    flicker_ms: int = 150  # four frames at 30 Hz: every action of a hand takes longer
    flicker_memory_ms: int = 2000  # a cell that flickered this recently may flicker again
    settle_ms: int = 600  # a released piece has stopped rocking, and the arm is away
    left_there_ms: int = 4000  # an object that covers a cell this long was left there
    hand_cells: int = 3  # a finger or a reflection covers one or two cells, a hand more
    vote_frames: int = 5  # frames to vote over
    min_frames: int = 3  # the least number of frames, also with a slow camera


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board is not found in the image."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand or an arm is over these cells, or was until a moment ago."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Moving:
    """An object covers or passes these few cells."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Settling:
    """Nothing moves, but not yet for long enough."""

    remaining_ms: int


@dataclass(frozen=True)
class Settled:
    """The table has settled: the combined result of the last frames."""

    evidence: Evidence
    sightings: tuple[Sighting, ...]
    frames: int
    covered: tuple[Cell, ...]  # by an object that was left there


SettleReport = BoardLost | HandSeen | Moving | Settling | Settled

CellLook = tuple[CellState, int, int]  # state, tag and heading
COVERED_LOOK: CellLook = (CellState.COVERED, -1, 0)


@dataclass(frozen=True, slots=True)
class _CellRest:
    """The stable look of a cell, and since when another look is seen."""

    look: CellLook
    since_ms: int
    odd_since_ms: int | None = None
    last_flicker_ms: int | None = None  # when the stable look last returned

    def next(self, look: CellLook, at_ms: int, flicker_ms: int) -> _CellRest:
        if look == self.look:
            if self.odd_since_ms is None:
                return self
            return replace(self, odd_since_ms=None, last_flicker_ms=at_ms)
        if self.odd_since_ms is None:
            return replace(self, odd_since_ms=at_ms)
        if at_ms - self.odd_since_ms < flicker_ms:
            return self
        return _CellRest(look, at_ms)

    def is_sudden(self, look: CellLook, at_ms: int, thresholds: SettleThresholds) -> bool:
        """Whether a piece seems to come or go in a cell that does not flicker: it may be a hand too
        fast to be seen."""
        if CellState.OCCUPIED not in (self.look[0], look[0]):
            return False
        return (
            self.last_flicker_ms is None
            or at_ms - self.last_flicker_ms > thresholds.flicker_memory_ms
        )

    def has_rested(self, at_ms: int, thresholds: SettleThresholds) -> bool:
        return self.remaining_ms(at_ms, thresholds) == 0

    def remaining_ms(self, at_ms: int, thresholds: SettleThresholds) -> int:
        wait = thresholds.left_there_ms if self.look == COVERED_LOOK else thresholds.settle_ms
        return max(0, self.since_ms + wait - at_ms)


@dataclass(frozen=True)
class SettleDetector:
    """State of the detector. Start with `SettleDetector()`."""

    thresholds: SettleThresholds = SettleThresholds()
    cells: tuple[_CellRest, ...] = ()
    votes: tuple[Observation, ...] = ()  # the frames since the last change
    hand_present: bool = False

    def update(self, observation: Observation, at_ms: int) -> tuple[SettleDetector, SettleReport]:
        """Process one frame."""
        thresholds = self.thresholds
        if not observation.locked:
            # A board that is found again must settle again.
            cells = tuple(_CellRest(cell.look, at_ms) for cell in self.cells)
            return replace(self, cells=cells, votes=(), hand_present=False), BoardLost()
        looks = [_look(sighting) for sighting in observation.sightings]
        before = self.cells or tuple(_CellRest(look, at_ms) for look in looks)
        cells = tuple(
            cell.next(look, at_ms, thresholds.flicker_ms)
            for cell, look in zip(before, looks, strict=True)
        )
        odd = {number for number, cell in enumerate(cells) if cell.odd_since_ms is not None}
        hidden = {
            number
            for number, cell in enumerate(cells)
            if cell.look == COVERED_LOOK and not cell.has_rested(at_ms, thresholds)
        }
        # Hysteresis: a hand starts with several covered cells and ends with none.
        hand = len(odd | hidden) >= (1 if self.hand_present else thresholds.hand_cells)
        changed = any(new.since_ms != old.since_ms for new, old in zip(cells, before, strict=True))
        votes = () if hand or changed else self.votes
        if not hand:
            votes = (*votes, observation)[-thresholds.vote_frames :]
        after = replace(self, cells=cells, votes=votes, hand_present=hand)
        if hand:
            return after, HandSeen(tuple(sorted(odd | hidden)))
        if hidden:
            return after, Moving(tuple(sorted(hidden)))
        remaining = max((cell.remaining_ms(at_ms, thresholds) for cell in cells), default=0)
        if any(cells[number].is_sudden(looks[number], at_ms, thresholds) for number in odd):
            remaining = max(remaining, thresholds.flicker_ms)
        if remaining or len(votes) < thresholds.min_frames:
            return after, Settling(remaining)
        evidence, sightings = vote(votes, [cell.look for cell in cells])
        covered = tuple(number for number, cell in enumerate(cells) if cell.look == COVERED_LOOK)
        return after, Settled(evidence, sightings, len(votes), covered)


def vote(
    frames: Sequence[Observation], stable_looks: Sequence[CellLook] | None = None
) -> tuple[Evidence, tuple[Sighting, ...]]:
    """Combine several frames of the same table, cell by cell.

    The stable look of a cell counts, or else the look of most frames, with ties broken by
    confidence. Only the evidence of frames with that look is added, and only where the cell was
    read again.
    """
    sightings = []
    counted = np.zeros((len(frames), len(frames[0].sightings)), np.bool_)
    for cell in range(counted.shape[1]):
        votes = defaultdict[CellLook, list[int]](list)
        for index, frame in enumerate(frames):
            votes[_look(frame.sightings[cell])].append(index)
        same = votes.get(stable_looks[cell]) if stable_looks is not None else None
        same = same or max(
            votes.values(), key=lambda each: (len(each), _total_confidence(frames, each, cell))
        )
        best = max(same, key=lambda index: frames[index].sightings[cell].confidence)
        sightings.append(frames[best].sightings[cell])
        for index in same:
            counted[index, cell] = index == same[0] or cell in frames[index].changed
    return pool_evidence([frame.evidence for frame in frames], counted), tuple(sightings)


def _total_confidence(frames: Sequence[Observation], votes: Sequence[int], cell: Cell) -> float:
    return sum(frames[index].sightings[cell].confidence for index in votes)


def pool_evidence(frames: Sequence[Evidence], counted: Flags | None = None) -> Evidence:
    """Sum the evidence of several frames, reduced by the correlation of readings.

    `counted` marks the readings to use, by frame and cell.
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
    worth = (1 / (1 + (readings - 1) * READING_CORRELATION)).astype(np.float32)
    return Evidence(tags, tagged * worth[:, None, None], empty * worth)


def _zeros(evidence: Evidence) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    return np.zeros_like(evidence.tagged), np.zeros_like(evidence.empty)


def _look(sighting: Sighting) -> CellLook:
    if sighting.state is CellState.OCCUPIED:
        return sighting.state, sighting.tag, sighting.orientation
    return sighting.state, -1, 0
