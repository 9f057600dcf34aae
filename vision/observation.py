"""What the reader saw in one frame: a sighting per cell, evidence for inference, problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from engine.game import Piece
from engine.grid import Cell, Grid

Scores = npt.NDArray[np.float32]


class State(StrEnum):
    """What is on a cell. Covered is never empty: something hides what is there."""

    OCCUPIED = "occupied"
    EMPTY = "empty"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One cell. The tag and what follows it are meant only for an occupied one."""

    state: State
    tag: int = -1
    orientation: int = 0  # the heading nearest to the tag's upper edge: quarters or sixths
    residual_degrees: float = 0.0  # how crooked it stands, clockwise, off that heading
    offset_mm: tuple[float, float] = (0.0, 0.0)  # from the middle of the cell
    confidence: float = 0.0  # 0 to 1, of the state


class Trouble(StrEnum):
    """The kinds of problem a picture can show."""

    NO_BOARD = "no board"
    CORNER_HIDDEN = "corner hidden"
    POSE_UNSURE = "pose unsure"
    DUPLICATE = "duplicate tag"
    FOREIGN = "foreign tag"
    BETWEEN = "between cells"
    CROOKED = "crooked"
    OFF_BOARD = "off the board"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should put right, in a sentence, with where and which tags."""

    trouble: Trouble
    sentence: str
    cells: tuple[Cell, ...] = ()
    tags: tuple[int, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How well each cell fits what might be on it, in nats: 0 knows nothing, more is for it.

    `tagged[cell, i, heading]` speaks for the tag `tags[i]` pointing along that heading,
    `empty[cell]` for nothing standing there. A covered cell is all zeros. Frames add up.
    """

    tags: tuple[int, ...]
    tagged: Scores
    empty: Scores

    def __add__(self, other: Evidence) -> Evidence:
        if self.tags != other.tags:
            raise ValueError("evidence on different tags cannot be added")
        return Evidence(self.tags, self.tagged + other.tagged, self.empty + other.empty)


@dataclass(frozen=True)
class Observation:
    """One frame, read."""

    grid: Grid
    sightings: tuple[Sighting, ...]  # one for each cell
    evidence: Evidence
    problems: tuple[Problem, ...] = ()
    changed: frozenset[Cell] = field(default=frozenset())  # cells that were read again
    locked: bool = True  # the board was found; otherwise every cell counts as covered

    def covered(self) -> tuple[Cell, ...]:
        return tuple(
            cell for cell, seen in enumerate(self.sightings) if seen.state is State.COVERED
        )

    def pieces(self, meanings: Mapping[int, Piece]) -> dict[Cell, Piece]:
        """The pieces that were read, by what each tag means in the game."""
        found: dict[Cell, Piece] = {}
        for cell, seen in enumerate(self.sightings):
            meant = meanings.get(seen.tag)
            if seen.state is State.OCCUPIED and meant is not None:
                turned = (meant.orientation + seen.orientation) % self.grid.headings
                found[cell] = Piece(meant.kind, meant.owner, turned, meant.hit_points)
        return found
