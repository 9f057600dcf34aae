"""State of every cell between frames, and the decisions of the reader that depend on it.

In: the look, brightness and reading of each cell in each frame. Out: which cells to read again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.observation import CellState, Sighting

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.intp]
Ints = npt.NDArray[np.int_]

# A changed cell is read in so many frames, or until its confidence is sure.
READINGS_AFTER_CHANGE, SURE_CONFIDENCE = 4, 0.99
ODD_BRIGHTNESS = 0.15  # difference in log brightness
ODD_STANDARD_ERRORS = 4.0  # of a cell's mean, added to it
ODD_LIGHT_FRAMES = 90  # then an odd brightness counts as light, and the cell as empty


@dataclass
class CellHistory:
    """The reader's memory of each cell."""

    sightings: list[Sighting]
    tagged: Floats
    empty: Floats
    read_samples: Floats  # when the cell was last read
    last_samples: Floats  # in the last frame
    empty_level: Floats  # brightness when last seen empty; 0: never
    empty_samples: Floats  # when last seen empty; 0: never
    texture: Floats  # contrast of its tag when last read
    readings_due: Ints  # frames in which to read the cell: one frame is not reliable
    had_piece: Bools  # at the last certain reading
    maybe_hidden: set[int]  # cells that look empty, but a hand beside them may cover them
    doubtful_since: dict[int, int]  # cells covered only by their brightness: first frame

    @classmethod
    def blank(cls, cells: int, tags: int, headings: int, spots: Floats) -> CellHistory:
        """The memory before the first frame."""
        return cls(
            [Sighting(CellState.COVERED)] * cells,
            np.zeros((cells, tags, headings), np.float32),
            np.zeros(cells, np.float32),
            spots.copy(),
            spots,
            np.zeros(cells, np.float32),
            np.zeros_like(spots),
            np.zeros(cells, np.float32),
            np.full(cells, READINGS_AFTER_CHANGE),
            np.zeros(cells, np.bool_),
            set(),
            {},
        )

    def cover(self, cells: Cells) -> None:
        """Mark cells as covered: nothing is known about them."""
        for cell in cells:
            self.sightings[cell] = Sighting(CellState.COVERED)
        self.tagged[cells] = 0
        self.empty[cells] = 0

    def due_again(self, frame: int, near: Bools) -> list[int]:
        """Return unchanged cells to classify again: their brightness stayed odd, or a hand that may
        have hidden a piece is gone."""
        due = [
            cell for cell, since in self.doubtful_since.items() if frame - since > ODD_LIGHT_FRAMES
        ]
        if self.maybe_hidden:
            maybe = self._maybe_hidden_mask()
            hides = grow_region(self._covered_mask() & ~maybe, maybe, near)
            due += np.flatnonzero(maybe & ~hides).tolist()
        return due

    def find_odd_brightness(
        self,
        cells: Cells,
        covered: Bools,
        spots: Floats,
        frame: int,
        noise: float,
        glowing: Bools,
    ) -> tuple[Bools, Bools]:
        """Find smooth cells whose brightness is not that of the empty cell, corrected for the room
        light. Returns those that may be a palm, and those that an LED makes brighter.

        A difference that lasts `ODD_LIGHT_FRAMES` is a shadow: the cell is empty. LEDs make a cell
        brighter, never darker.
        """
        level = spots.mean(axis=1) + 4
        known = self.empty_level > 0
        steady = known & ~glowing
        if not steady.any():
            return np.zeros(len(cells), np.bool_), np.zeros(len(cells), np.bool_)
        ratio = np.log(level / np.where(known, self.empty_level + 4, level))
        light = float(np.median(ratio[steady]))
        # In the dark, noise alone changes a cell's mean by a fifth.
        standard_error = np.sqrt(noise / spots.shape[1]) / level[cells]
        most = ODD_BRIGHTNESS + ODD_STANDARD_ERRORS * standard_error
        off = ratio[cells] - light
        odd = known[cells] & ~covered & (abs(off) > most)
        bright = odd & glowing[cells] & (off > 0)
        odd &= ~bright
        for cell, is_odd in zip(map(int, cells), odd, strict=True):
            if not is_odd:
                self.doubtful_since.pop(cell, None)
            elif frame - self.doubtful_since.setdefault(cell, frame) > ODD_LIGHT_FRAMES:
                odd[cells == cell] = False
                del self.doubtful_since[cell]
        return np.asarray(odd, np.bool_), np.asarray(bright, np.bool_)

    def find_maybe_hidden(
        self, cells: Cells, unread: Cells, covered: Bools, bright: Bools, near: Bools
    ) -> Bools:
        """Smooth cells next to covered ones that held a piece or are `bright`.

        A hand may look like the board, or like a lit board. Such cells count as covered until the
        hand has gone.
        """
        hides = self._covered_mask()
        hides[cells] = False
        hides[cells[unread[covered]]] = True
        had_piece = ~covered & self.had_piece[cells[unread]]
        hidden = had_piece & (near[cells[unread]] & hides).any(axis=1)
        # Lit cells count only if they are connected to covered ones.
        maybe = self._maybe_hidden_mask()
        maybe[cells] = False
        hides &= ~maybe
        maybe[cells[unread[bright | hidden]]] = True
        hidden |= bright & grow_region(hides, maybe, near)[cells[unread]]
        self.maybe_hidden.difference_update(cells.tolist())
        self.maybe_hidden.update(cells[unread[hidden]].tolist())
        return np.asarray(hidden, np.bool_)

    def _covered_mask(self) -> Bools:
        return np.array([each.state is CellState.COVERED for each in self.sightings])

    def _maybe_hidden_mask(self) -> Bools:
        maybe = np.zeros(len(self.sightings), np.bool_)
        maybe[list(self.maybe_hidden)] = True
        return maybe

    def find_unchanged_empty(self, cells: Cells, spots: Floats, most: float) -> Bools:
        """Find cells that look as when they were empty. Near the largest roughness of an empty
        cell, noise would cover them in some frames."""
        known = self.empty_samples[cells]
        return np.asarray(
            (squared_difference(spots[cells], known) <= most) & known.any(axis=1), np.bool_
        )

    def occupied_mask(self) -> Bools:
        """Cells that hold a piece."""
        return np.array([each.state is CellState.OCCUPIED for each in self.sightings])


def grow_region(seeds: Bools, among: Bools, near: Bools) -> Bools:
    """The seeds, and the cells of `among` that are connected to one."""
    region = seeds.copy()
    while (more := among & ~region & near[:, region].any(axis=1)).any():
        region |= more
    return region


def squared_difference(spots: Floats, others: Floats) -> Floats:
    """Mean squared difference of the samples of each cell."""
    difference = spots - others
    squared = np.einsum("ij,ij->i", difference, difference) / spots.shape[1]
    return np.asarray(squared, np.float32)
