"""What the reader remembers of every cell from frame to frame, and what it makes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.observation import Sighting, State

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.intp]
Ints = npt.NDArray[np.int_]

READINGS, SURE = 4, 0.99  # frames in which a cell is read after it changed, until it is sure
ODD_BRIGHTNESS, ODD_NOISES = 0.15, 4.0  # in log brightness; and standard errors of a cell's mean
PATIENCE_FRAMES = 90  # after which what is only brighter or darker counts as empty


@dataclass
class Memory:
    """What the reader remembers of each cell."""

    sightings: list[Sighting]
    tagged: Floats
    empty: Floats
    read: Floats  # samples as they were when the cell was last read
    last: Floats  # samples of the last frame
    bare: Floats  # how bright it was when it was last seen empty; 0 if it never was
    smooth: Floats  # samples as they were when it was last seen empty; 0 if it never was
    texture: Floats  # how much its tag varied when it was last read
    owed: Ints  # readings still due: one frame of a cell that changed is not enough to trust
    stood: Bools  # a piece was there when the cell was last seen for sure
    missed: set[int]  # cells that look empty, but that what covers others beside may hide, too
    doubted: dict[int, int]  # cells covered by their brightness alone, since which frame

    @classmethod
    def blank(cls, cells: int, tags: int, headings: int, spots: Floats) -> Memory:
        """Nothing known yet."""
        return cls(
            [Sighting(State.COVERED)] * cells,
            np.zeros((cells, tags, headings), np.float32),
            np.zeros(cells, np.float32),
            spots.copy(),
            spots,
            np.zeros(cells, np.float32),
            np.zeros_like(spots),
            np.zeros(cells, np.float32),
            np.full(cells, READINGS),
            np.zeros(cells, np.bool_),
            set(),
            {},
        )

    def cover(self, cells: Cells) -> None:
        """Something passes over these cells: nothing is known of them."""
        for cell in cells:
            self.sightings[cell] = Sighting(State.COVERED)
        self.tagged[cells] = 0
        self.empty[cells] = 0

    def overdue(self, frame: int, near: Bools) -> list[int]:
        """Cells to be judged again although they look the same: the light has stayed as odd as
        it is, or the hand that may have hidden a piece has gone."""
        found = [cell for cell, since in self.doubted.items() if frame - since > PATIENCE_FRAMES]
        if self.missed:
            missed = self._missed()
            hides = grown(self._covered() & ~missed, missed, near)
            found += np.flatnonzero(missed & ~hides).tolist()
        return found

    def unlike_before(
        self,
        cells: Cells,
        covered: Bools,
        spots: Floats,
        frame: int,
        noise: float,
        glowing: Bools,
    ) -> tuple[Bools, Bools]:
        """Which smooth cells are not as bright as they were when empty, allowing for the light;
        and which are brighter, but have light under them or beside them.

        A hand's palm is smooth too. What only looks darker for long is a shadow, and empty; and
        light from below makes a cell brighter, but never darker.
        """
        level = spots.mean(axis=1) + 4
        known = self.bare > 0
        steady = known & ~glowing
        if not steady.any():
            return np.zeros(len(cells), np.bool_), np.zeros(len(cells), np.bool_)
        ratio = np.log(level / np.where(known, self.bare + 4, level))
        light = float(np.median(ratio[steady]))
        # In the dark, noise alone makes a cell's mean brighter or darker by a fifth.
        unsure = np.sqrt(noise / spots.shape[1]) / level[cells]
        most = ODD_BRIGHTNESS + ODD_NOISES * unsure
        off = ratio[cells] - light
        odd = known[cells] & ~covered & (abs(off) > most)
        bright = odd & glowing[cells] & (off > 0)
        odd &= ~bright
        for cell, strange in zip(map(int, cells), odd, strict=True):
            if not strange:
                self.doubted.pop(cell, None)
            elif frame - self.doubted.setdefault(cell, frame) > PATIENCE_FRAMES:
                odd[cells == cell] = False
                del self.doubted[cell]
        return np.asarray(odd, np.bool_), np.asarray(bright, np.bool_)

    def maybe_hidden(
        self, cells: Cells, unread: Cells, covered: Bools, bright: Bools, near: Bools
    ) -> Bools:
        """Which smooth cells held a piece, or are `bright`, beside something that covers: a hand
        may look just like the board, or like a lit one, and is taken for one until it is gone."""
        hides = self._covered()
        hides[cells] = False
        hides[cells[unread[covered]]] = True
        stood = ~covered & self.stood[cells[unread]]
        missed = stood & (near[cells[unread]] & hides).any(axis=1)
        # Lit cells hide nothing by themselves: they must hang together with what covers.
        maybe = self._missed()
        maybe[cells] = False
        hides &= ~maybe
        maybe[cells[unread[bright | missed]]] = True
        missed |= bright & grown(hides, maybe, near)[cells[unread]]
        self.missed.difference_update(cells.tolist())
        self.missed.update(cells[unread[missed]].tolist())
        return np.asarray(missed, np.bool_)

    def _covered(self) -> Bools:
        return np.array([each.state is State.COVERED for each in self.sightings])

    def _missed(self) -> Bools:
        missed = np.zeros(len(self.sightings), np.bool_)
        missed[list(self.missed)] = True
        return missed

    def as_before(self, cells: Cells, spots: Floats, most: float) -> Bools:
        """Which cells look as they did when they were empty: at the edge of what counts as
        smooth, noise would cover them now and then."""
        known = self.smooth[cells]
        return np.asarray((apart(spots[cells], known) <= most) & known.any(axis=1), np.bool_)

    def standing(self) -> Bools:
        """Which cells hold a piece."""
        return np.array([each.state is State.OCCUPIED for each in self.sightings])


def grown(seeds: Bools, among: Bools, near: Bools) -> Bools:
    """The seeds, and those cells among the others that hang together with one."""
    found = seeds.copy()
    while (more := among & ~found & near[:, found].any(axis=1)).any():
        found |= more
    return found


def apart(spots: Floats, others: Floats) -> Floats:
    """How much cells differ: the mean of the squares over their samples."""
    difference = spots - others
    squared = np.einsum("ij,ij->i", difference, difference) / spots.shape[1]
    return np.asarray(squared, np.float32)
