"""A simulated table of tagged pieces, turns made on it by hand, and noisy cameras.

The evidence comes from an independent model: every cell has a clarity (the distance of the true
score from the noise, in standard deviations), and the reader overestimates it. The model uses
neither `Game.expected_after_moves` nor assumptions of the inference.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.game import AnyGame, AnyTurn, Piece
from engine.grid import Cell, Grid
from vision.observation import Evidence
from vision.settling import pool_evidence

Tagged = tuple[int, int]  # a tag and its heading
Scores = npt.NDArray[np.float64]  # by cell: nothing, then every tag and heading
MAX_NATS = 12.0  # limit of one frame's evidence about a cell


@dataclass(frozen=True)
class Tabletop:
    """The true pieces on the table."""

    grid: Grid
    meanings: Mapping[int, Piece]
    tags: Mapping[Cell, Tagged]

    @classmethod
    def of(cls, game: AnyGame, position: Any, random: Random | None = None) -> Tabletop:
        """The position; with `random`, pieces stand in any equivalent orientation."""
        free = {
            sort: [tag for tag, piece in game.tags.items() if (piece.kind, piece.owner) == sort]
            for sort in {(piece.kind, piece.owner) for piece in game.tags.values()}
        }
        headings, tags = position.grid.headings, {}
        for cell, piece in position.pieces.items():
            tag = free[piece.kind, piece.owner].pop()
            way = (
                random.choice(sorted(game.equivalent_orientations(piece)))
                if random
                else piece.orientation
            )
            tags[cell] = tag, (way - game.tags[tag].orientation) % headings
        return cls(position.grid, game.tags, tags)

    def pieces(self) -> dict[Cell, Piece]:
        return {
            cell: replace(
                self.meanings[tag],
                orientation=(self.meanings[tag].orientation + heading) % self.grid.headings,
            )
            for cell, (tag, heading) in self.tags.items()
        }

    @property
    def facing(self) -> dict[Cell, int]:
        return {cell: piece.orientation for cell, piece in self.pieces().items()}

    def without(self, *cells: Cell) -> Tabletop:
        return replace(self, tags={c: each for c, each in self.tags.items() if c not in cells})

    def put(self, cell: Cell, tagged: Tagged) -> Tabletop:
        return replace(self, tags={**self.tags, cell: tagged})

    def turned(self, cell: Cell, by: int) -> Tabletop:
        tag, heading = self.tags[cell]
        return self.put(cell, (tag, (heading + by) % self.grid.headings))

    def moved(self, source: Cell, target: Cell) -> Tabletop:
        """Move a piece to a cell, and swap it with the piece there, if any."""
        tags = dict(self.tags)
        piece, other = tags.pop(source), tags.pop(target, None)
        tags[target] = piece
        if other is not None:
            tags[source] = other
        return replace(self, tags=tags)

    def after(self, game: AnyGame, turn: AnyTurn) -> Tabletop | None:
        """The table after a turn made by hand, before the beams; None if that is impossible."""
        if len(turn.moves) > 1:
            return self._steered(turn)
        before, aimed = turn.before.pieces, turn.aimed.pieces
        changed = [c for c in range(self.grid.size) if before.get(c) != aimed.get(c)]
        if len(changed) == 2:
            (source,) = {game.origin(turn.before, *move) for move in turn.moves}
            assert source is not None
            (target,) = set(changed) - {source}
            return self.moved(source, target)
        for cell in changed:
            return self.turned(cell, aimed[cell].orientation - before[cell].orientation)
        return self

    def _steered(self, turn: AnyTurn) -> Tabletop | None:
        """Apply a simultaneous turn: ships are moved to a tile or rotated to face one."""
        tags = dict[Cell, Tagged]()
        for player, action in turn.moves:
            cell = turn.before.ships[player].cell
            tag, heading = self.tags[cell]
            if action.kind == "laser":
                heading = action.heading
            else:
                cell = self.grid.ahead(cell, action.heading)
            if cell is None or cell in tags:
                return None
            tags[cell] = tag, heading
        return replace(self, tags=tags)

    def numbers(self) -> npt.NDArray[np.intp]:
        """The true column of `Scores` of each cell."""
        tags, truth = sorted(self.meanings), np.zeros(self.grid.size, np.intp)
        for cell, (tag, heading) in self.tags.items():
            truth[cell] = 1 + tags.index(tag) * self.grid.headings + heading
        return truth

    def evidence(self, scores: Scores) -> Evidence:
        tags = tuple(sorted(self.meanings))
        shape = (self.grid.size, len(tags), self.grid.headings)
        exact = scores.astype(np.float32)
        return Evidence(tags, exact[:, 1:].reshape(shape), exact[:, 0])


def perfect_evidence(table: Tabletop, covered: Collection[Cell] = ()) -> Evidence:
    """Evidence of a table without noise."""
    truth = table.numbers()
    scores = np.full((len(truth), 1 + len(table.meanings) * table.grid.headings), -6.0)
    scores[np.arange(len(truth)), truth] = 6.0
    scores[list(covered)] = 0.0
    return table.evidence(scores)


@dataclass(frozen=True)
class Camera:
    """Noise parameters of a camera."""

    clarity: float = 7.0  # standard deviations between the truth and the noise
    spread: float = 0.15  # standard deviation of ln(clarity) between cells
    weak: float = 0.0  # share of cells with low clarity, which the reader knows
    weak_clarity: float = 1.0
    overconfidence: float = 1.3  # factor by which the reader overestimates its clarity
    alike: float = 0.5  # share of the noise that is equal in all frames
    ghosts: int = 0  # cells that resemble another content in all frames

    def frames(
        self,
        table: Tabletop,
        random: np.random.Generator,
        count: int = 3,
        covered: Collection[Cell] = (),
        puzzling: Collection[Cell] = (),
    ) -> list[Evidence]:
        """The evidence of several frames of the same table.

        A covered cell has no evidence. A puzzling one is covered too, but the reader finds some
        tags less unlikely than others in what covers it.
        """
        truth = table.numbers()
        cells = np.arange(len(truth))
        signal: Scores = np.zeros((len(truth), 1 + len(table.meanings) * table.grid.headings))
        clarity = self.clarity * np.exp(random.normal(0.0, self.spread, len(truth)))
        claimed = self.overconfidence * clarity
        weak = random.random(len(truth)) < self.weak
        clarity[weak] = claimed[weak] = self.weak_clarity
        signal[cells, truth] = clarity
        for cell in random.choice(len(truth), self.ghosts, replace=False):
            other = random.integers(signal.shape[1] - 1)
            signal[cell, other + (other >= truth[cell])] = 0.6 * clarity[cell]
        signal += np.sqrt(self.alike) * random.normal(size=signal.shape)
        found = []
        for _ in range(count):
            seen = signal + np.sqrt(1 - self.alike) * random.normal(size=signal.shape)
            nats = claimed[:, None] * seen - claimed[:, None] ** 2 / 2
            scores = np.clip(nats, -MAX_NATS, MAX_NATS)
            scores[list(covered)] = 0.0
            for cell in puzzling:
                scores[cell, 1:] = -random.exponential(4.0, signal.shape[1] - 1)
                scores[cell, 1:] -= scores[cell, 1:].max()
                scores[cell, 0] = 0.0
            found.append(table.evidence(scores))
        return found

    def look(
        self,
        table: Tabletop,
        random: np.random.Generator,
        count: int = 3,
        covered: Collection[Cell] = (),
        puzzling: Collection[Cell] = (),
    ) -> Evidence:
        """The pooled evidence of several frames."""
        return pool_evidence(self.frames(table, random, count, covered, puzzling))
