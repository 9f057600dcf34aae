"""Reading frames: one `Observation` each, at the cost of what changed since the last.

The first frame is read whole. After that, a few samples of every cell tell which cells changed;
those that have come to rest are read again, those still in motion count as covered. When much
changes at once, the corner tags tell whether the camera or the board has moved.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision import decode, empty
from vision.board import PhysicalBoard
from vision.cut import Cutter, Grey
from vision.decode import Stack
from vision.drift import Drift, fitted
from vision.memory import READINGS, SURE, Memory, apart
from vision.observation import Evidence, Observation, Problem, Sighting, State, Trouble
from vision.pose import Lock, acquire, recheck
from vision.sighted import evidence, problems, sightings
from vision.view import Lens

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Points = npt.NDArray[np.float64]
Cells = npt.NDArray[np.intp]

UPRIGHT_DEGREES = 26.0  # how crooked a piece on squares may stand; on hexagons any angle is read
CHANGE = 1.8  # a cell has changed if it differs by this much more than noise makes it
LEAST_CHANGE = 8.0  # grey levels squared: below it nothing has changed even without noise
# Of the cells, or of the pieces: if so many changed at once, see whether the board has moved.
MANY, MANY_PIECES = 0.35, 0.5
RECHECK_FRAMES = 90  # and look at times anyway: a board can creep
RETRY_FRAMES = 5  # between two searches of a whole frame for a lost board
BODY_EDGE_MM = 2.0  # a body's edge, blurred
TAG_LIKE = 0.5  # of the contrast of tags: what a tag has at least
FEW = 6  # cells that may be looked at twice: more than that is a hand, not a piece put badly
LEAST_NATS = 1.0  # for empty, of a cell that looks as it did when it was smooth
LIKE_A_TAG = 0.65  # correlation with a print that no empty cell has
AGAINST = np.float32(-6.0)  # what a smooth cell says of every tag


class Reader:
    """Reads one board through one camera. Not for two threads at once."""

    def __init__(self, board: PhysicalBoard, tags: Collection[int], lens: Lens | None = None):
        self.board = board
        self.tags = tuple(sorted(tags))
        self.lens = lens or Lens()
        self.lock: Lock | None = None
        self._cutter: Cutter | None = None
        self._memory: Memory | None = None
        self._last: Observation | None = None
        self._noise: float | None = None
        self._frame = 0
        self._checked = 0
        self._unsure = False  # no corner tag was seen when it was last looked for them
        self._sought = -RETRY_FRAMES
        self._trouble: tuple[Problem, ...] = ()
        self._contrast: float | None = None
        self._home: dict[int, int] = {}  # the cell of each tag, when the corners were last seen
        self._drift: Drift | None = None
        self._settled_drift = False
        self._reach = 45.0 if board.grid.headings == 6 else UPRIGHT_DEGREES
        centres = board.centres_mm()
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        self._near = (apart > 0) & (apart < 1.6 * board.cell_mm)
        # Cells with light under them now or a moment ago; may be set from another thread.
        self.lit: frozenset[int] = frozenset()
        self._glowing = np.zeros(board.grid.size, np.bool_)  # these, and the cells around them

    def find(self, grey: Grey) -> Lock | Problem:
        """Find the board in this frame, and read from there on."""
        found = acquire(grey, self.board, self.lens)
        if isinstance(found, Lock):
            self._drift, self._settled_drift = None, False
            self._trouble = found.problems
            self._hold(found)
        return found

    def forget(self) -> None:
        """Read the next frame whole, as if nothing had been seen before."""
        self._memory = None
        self._home = {}

    def read(self, grey: Grey) -> Observation:
        """What is on the board in this frame."""
        self._frame += 1
        lit = np.fromiter(self.lit, np.intp)
        self._glowing = self._near[lit].any(axis=0)
        self._glowing[lit] = True
        if not self._locked(grey):
            return self._blind()
        if self._memory is None:
            return self._read_all(grey)
        assert self._cutter is not None
        spots = self._cutter.spots(grey)
        changed = self._changed(spots)
        if self._due() or self._upset(changed):
            if self._look_again(grey):
                return self._read_all(grey)
            if self.lock is None:
                return self._blind()
        elif not changed.any() and not self._memory.owed.any():
            self._memory.last = spots
            return self._same()
        return self._read_again(grey, spots, changed)

    def _read_again(self, grey: Grey, spots: Floats, changed: Bools) -> Observation:
        """Read the cells that changed, unless they are changing still."""
        assert self._memory is not None
        memory = self._memory
        moving = changed & ~self._glowing
        moving[moving] = apart(spots[moving], memory.last[moving]) > self._most
        memory.last = spots
        memory.cover(np.flatnonzero(moving))
        memory.owed[changed] = READINGS
        still = np.flatnonzero(changed & ~moving if moving.any() else memory.owed > 0)
        if len(still):
            self._read_cells(grey, still, spots)
        return self._observation(still)

    # -- the lock --------------------------------------------------------------------------

    def _locked(self, grey: Grey) -> bool:
        if self.lock is not None and (self.lock.view.height, self.lock.view.width) != grey.shape:
            self.lock = None  # another camera, or another resolution
            self._sought = -RETRY_FRAMES
        if self.lock is None and self._frame - self._sought >= RETRY_FRAMES:
            self._sought = self._frame
            found = self.find(grey)
            self._trouble = () if isinstance(found, Lock) else (found,)
        return self.lock is not None

    def _hold(self, lock: Lock) -> None:
        self.lock = lock
        self._cutter = Cutter.over(self.board, lock.view, self._drift)
        self._memory = None
        self._checked = self._frame

    def _look_again(self, grey: Grey) -> bool:
        """Whether the board has moved in the picture; if so, the reader has followed it."""
        assert self.lock is not None
        self._checked = self._frame
        found = recheck(grey, self.board, self.lock)
        turned = isinstance(found, Problem) and found.trouble is Trouble.NO_BOARD
        if isinstance(found, Problem) and (turned or self._frame - self._sought >= RETRY_FRAMES):
            self._sought = self._frame
            again = acquire(grey, self.board, self.lens)
            found = again if isinstance(again, Lock) else found
        self._unsure = isinstance(found, Problem)
        if isinstance(found, Problem):
            self._trouble = (found,)
            self.lock = None if turned else self.lock
            return False
        self._trouble = found.problems
        if found.view == self.lock.view:
            return False
        self._hold(found)
        return True

    # -- reading ---------------------------------------------------------------------------

    def _read_all(self, grey: Grey) -> Observation:
        self._look_again(grey)
        if self.lock is None:
            return self._blind()
        every = np.arange(self.board.grid.size)
        reading = self._read_afresh(grey, every)
        if not self._settled_drift:
            self._settled_drift = True
            read = reading.accepted()
            offsets = reading.pose[read, :2].astype(np.float64)
            drift = fitted(self.board, self.board.centres_mm()[read], offsets)
            if drift is not None:
                assert self.lock is not None
                self._drift = drift
                self._hold(self.lock)
                self._read_afresh(grey, every)
        return self._observation(every)

    def _read_afresh(self, grey: Grey, every: Cells) -> decode.Reading:
        assert self._cutter is not None
        cells, grid = len(every), self.board.grid
        spots = self._cutter.spots(grey)
        self._memory = Memory.blank(cells, len(self.tags), grid.headings, spots)
        return self._read_cells(grey, every, spots, afresh=True)

    def _read_cells(
        self, grey: Grey, cells: Cells, spots: Floats, afresh: bool = False
    ) -> decode.Reading:
        assert self._cutter is not None
        assert self._memory is not None
        memory, board = self._memory, self.board
        whole = len(cells) == board.grid.size
        stack = self._cutter.cut(grey, None if whole else cells)
        reading = decode.read(stack, self.tags, board.tag_mm, board.cap_mm, self._reach)
        memory.read[cells] = spots[cells]
        read = self._tell(reading, cells)
        if read.any():
            memory.texture[cells[read]] = empty.texture(stack[read])
            # Not of those alone that were read just now: they are often the faintest.
            self._contrast = float(np.median(memory.texture[memory.standing()]))
        unread, covered, nats = self._judge(grey, stack, cells, reading)
        doubtful = self._like_tags(stack, unread[covered])
        if 0 < len(doubtful) <= FEW:
            wide = decode.WIDE_REACH_TAGS
            second = decode.read(stack[doubtful], self.tags, board.tag_mm, board.cap_mm, 45.0, wide)
            if second.accepted().any():
                reading.take(doubtful, second)
                read = self._tell(reading, cells)
                unread, covered, nats = self._judge(grey, stack, cells, reading)
        if not afresh:
            noise = self._noise or 0.0
            odd, bright = memory.unlike_before(
                cells[unread], covered, spots, self._frame, noise, self._glowing
            )
            covered |= odd
            covered |= memory.maybe_hidden(cells, unread, covered, bright, self._near)
            covered &= ~memory.as_before(cells[unread], spots, self._most)
            nats = np.where(covered, 0, np.maximum(nats, LEAST_NATS)).astype(np.float32)
        smooth = cells[unread[~covered]]
        unlit = smooth[~self._glowing[smooth]]
        memory.smooth[unlit] = spots[unlit]
        memory.bare[unlit] = spots[unlit].mean(axis=1)
        memory.stood[smooth], memory.stood[cells[read]] = False, True
        memory.tagged[cells], memory.empty[cells] = evidence(reading, read, board.grid)
        memory.empty[cells[unread]] = nats
        memory.tagged[smooth] = np.minimum(memory.tagged[smooth], AGAINST)
        memory.owed[cells] -= 1
        sure = np.where(covered, 0.5, 1 - 0.5 * np.exp(-nats)).round(3).tolist()
        for cell, hidden, confidence in zip(cells[unread], covered, sure, strict=True):
            state = State.COVERED if hidden else State.EMPTY
            memory.sightings[cell] = Sighting(state, confidence=confidence)
        memory.owed[[c for c in cells if memory.sightings[c].confidence >= SURE]] = 0
        return reading

    def _like_tags(self, stack: Stack, rows: Cells) -> Cells:
        """Those of these rows that vary about as much as a tag does."""
        if not len(rows) or self._contrast is None:
            return rows
        return rows[empty.texture(stack[rows]) >= TAG_LIKE * self._contrast]

    def _tell(self, reading: decode.Reading, cells: Cells) -> Bools:
        """Remember the tags that were read; which of these cells have one?"""
        assert self._memory is not None
        read = reading.accepted()
        seen = sightings(reading, read, self.board.grid, self.tags)
        for cell, sighting in zip(cells[read], seen, strict=True):
            self._memory.sightings[cell] = sighting
        return read

    def _judge(
        self, grey: Grey, stack: Stack, cells: Cells, reading: decode.Reading
    ) -> tuple[Cells, Bools, Floats]:
        """Which of these cells no tag was read in, which of those are covered, and how surely
        the others are empty."""
        unread = np.flatnonzero(~reading.accepted())
        near = self._near[np.ix_(cells[unread], cells[unread])]

        def bodies(rows: Cells) -> Bools:
            return self._bodies(cells[unread[rows]])

        def printed(rows: Cells, contrast: float) -> Bools:
            return self._printed(grey, cells[unread[rows]], contrast)

        covered, nats = empty.judge(
            stack[unread],
            self._contrast,
            near,
            bodies,
            printed,
            self.board.centres_mm()[cells[unread]],
            lambda rows: self._texture_below(grey, cells[unread[rows]]),
            self._glowing[cells[unread]],
            # A few cells by themselves do not tell what brightness is usual.
            whole=len(cells) == self.board.grid.size,
        )
        # Washed out by a lamp's reflection a tag is smooth, but it still looks like some tag.
        covered |= reading.score[unread] >= LIKE_A_TAG
        return unread, covered, np.where(covered, 0, nats).astype(np.float32)

    def _printed(self, grey: Grey, cells: Cells, contrast: float) -> Bools:
        """Which of these cells look like many others on the board itself."""
        assert self._cutter is not None
        assert self._memory is not None
        free = [each.state is not State.OCCUPIED for each in self._memory.sightings]
        known = np.union1d(np.flatnonzero(free), cells)
        blocks = self._cutter.floor_blocks(grey, known)
        return empty.alike_on_board(blocks, np.searchsorted(known, cells), contrast)

    def _texture_below(self, grey: Grey, cells: Cells) -> Floats:
        """How much these cells vary on the board itself, whose light ends where they do."""
        assert self._cutter is not None
        blocks = self._cutter.floor_blocks(grey, cells)
        return empty.texture_of_light(blocks, self._bodies(cells, self._cutter.lean_mm[cells]))

    def _bodies(self, cells: Cells, shift_mm: Points | None = None) -> Bools:
        """Which blocks of these cells show the body of a piece beside them, leaning over.

        The blocks are at the height of the caps, or so far from there."""
        assert self._cutter is not None
        assert self._memory is not None
        board, sightings = self.board, self._memory.sightings
        centres = board.centres_mm()
        points = centres[cells][:, None] + empty.block_centres_mm(board.tag_mm)
        if shift_mm is not None:
            points = points + shift_mm[:, None]
        hidden = np.zeros(points.shape[:2], np.bool_)
        half = board.cap_mm / 2 + BODY_EDGE_MM
        down = np.array([0.0, 0.33, 0.67, 1.0])[:, None]  # from the cap to the foot
        standing = self._memory.standing() & self._near[cells].any(axis=0)
        for cell in np.flatnonzero(standing):
            seen, beside = sightings[cell], self._near[cells, cell]
            turn = np.radians(board.grid.degrees(seen.orientation) + seen.residual_degrees)
            upright = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            at = centres[cell] + seen.offset_mm + down * self._cutter.lean_mm[cell]
            off = np.abs((points[beside][None] - at[:, None, None]) @ upright)
            hidden[beside] |= (off.max(axis=3) < half).any(axis=0)
        return hidden

    # -- change ----------------------------------------------------------------------------

    def _changed(self, spots: Floats) -> Bools:
        """Which cells differ from when they were read, by more than noise."""
        assert self._memory is not None
        memory = self._memory
        since = apart(spots, memory.read)
        noise = float(np.partition(since, len(since) // 2)[len(since) // 2])  # the median
        # The noise is what most cells differ by at rest; it rises slowly, so that a lamp that
        # is switched on, which changes every cell, is not taken for noise.
        if self._noise is None:
            self._noise = noise
        elif not np.array_equal(spots, memory.last):  # a camera may deliver a frame twice
            self._noise = min(noise, 1.02 * self._noise + 0.01)
        changed = np.asarray(since > self._most, np.bool_)
        if memory.doubted or memory.missed:
            changed[memory.overdue(self._frame, self._near)] = True
        return changed

    def _due(self) -> bool:
        """Whether it is time to look for the corner tags, whatever has changed."""
        if self._unsure:
            return self._frame - self._sought >= RETRY_FRAMES
        return self._frame - self._checked >= RECHECK_FRAMES

    def _upset(self, changed: Bools) -> bool:
        """Whether so much changed at once that the board itself may have moved."""
        assert self._memory is not None
        unlit = ~self._glowing
        changed = changed & unlit
        count = np.count_nonzero(changed)
        if not count:
            return False
        seen = self._memory.standing() & unlit
        return bool(
            count > MANY * np.count_nonzero(unlit)
            or np.count_nonzero(changed[seen]) > MANY_PIECES * np.count_nonzero(seen)
        )

    @property
    def _most(self) -> float:
        """The difference that noise may make."""
        return CHANGE * (self._noise or 0.0) + LEAST_CHANGE

    # -- telling ---------------------------------------------------------------------------

    def _observation(self, read: Cells) -> Observation:
        assert self._memory is not None
        memory = self._memory
        sightings = tuple(memory.sightings)
        stand = {s.tag: c for c, s in enumerate(sightings) if s.state is State.OCCUPIED}
        if not self._unsure:
            self._home = stand
        elif 2 * len(stand.items() & self._home.items()) < len(self._home):
            # No corner tag is seen, and the pieces are not where they were.
            self._last = self._blind()
            return self._last
        self._last = Observation(
            self.board.grid,
            sightings,
            Evidence(self.tags, memory.tagged.copy(), memory.empty.copy()),
            (*self._trouble, *problems(self.board, sightings)),
            frozenset(read.tolist()),
        )
        return self._last

    def _same(self) -> Observation:
        """Nothing has changed since the last frame."""
        assert self._last is not None
        if self._last.changed:
            self._last = replace(self._last, changed=frozenset())
        return self._last

    def _blind(self) -> Observation:
        cells, grid = self.board.grid.size, self.board.grid
        nothing = np.zeros((cells, len(self.tags), grid.headings), np.float32)
        return Observation(
            grid,
            (Sighting(State.COVERED),) * cells,
            Evidence(self.tags, nothing, np.zeros(cells, np.float32)),
            self._trouble,
            locked=False,
        )
