"""The result of reading one frame: a sighting per cell, evidence for inference, and problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from engine.game import Piece
from engine.grid import Cell, Grid
from engine.sentences import Sentence

Scores = npt.NDArray[np.float32]


class CellState(StrEnum):
    """The state of a cell. Covered does not mean empty: the content is hidden."""

    OCCUPIED = "occupied"
    EMPTY = "empty"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class Sighting:
    """The reading of one cell. Tag, orientation and offsets are valid only when occupied."""

    state: CellState
    tag: int = -1
    orientation: int = 0  # the heading nearest to the tag's upper edge: quarters or sixths
    residual_degrees: float = 0.0  # clockwise rotation from that heading
    offset_mm: tuple[float, float] = (0.0, 0.0)  # from the centre of the cell
    confidence: float = 0.0  # 0 to 1, of the state


class ProblemKind(StrEnum):
    """The kinds of problem that an image can show."""

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
    """Something for people to fix: a sentence, with the cells and tags it is about."""

    kind: ProblemKind
    sentence: Sentence
    cells: tuple[Cell, ...] = ()
    tags: tuple[int, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """How well each cell fits each possible content, in nats; 0 is no evidence.

    `tagged[cell, i, heading]` supports tag `tags[i]` with that heading, `empty[cell]` supports an
    empty cell. A covered cell is all zeros. `pool_evidence` combines several frames.
    """

    tags: tuple[int, ...]
    tagged: Scores
    empty: Scores


@dataclass(frozen=True)
class Observation:
    """The result of reading one frame."""

    grid: Grid
    sightings: tuple[Sighting, ...]  # one for each cell
    evidence: Evidence
    problems: tuple[Problem, ...] = ()
    # cells that were read again in this frame
    changed: frozenset[Cell] = field(default=frozenset())
    locked: bool = True  # the board was found; otherwise every cell is covered

    def covered(self) -> tuple[Cell, ...]:
        return tuple(
            cell for cell, seen in enumerate(self.sightings) if seen.state is CellState.COVERED
        )

    def pieces(self, meanings: Mapping[int, Piece]) -> dict[Cell, Piece]:
        """The pieces that were read, given the piece that each tag stands for."""
        found: dict[Cell, Piece] = {}
        for cell, seen in enumerate(self.sightings):
            meant = meanings.get(seen.tag)
            if seen.state is CellState.OCCUPIED and meant is not None:
                turned = (meant.orientation + seen.orientation) % self.grid.headings
                found[cell] = Piece(meant.kind, meant.owner, turned, meant.hit_points)
        return found
