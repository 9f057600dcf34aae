"""Reads frames into `Observation` values, at the cost of the cells that changed.

The first frame is read completely. Later, a few samples per cell detect changes: changed cells that
are still are read again, moving ones count as covered. If many cells change in one frame, the
corner tags show whether the camera or the board has moved.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision import decode, occupancy
from vision.board import PhysicalBoard
from vision.board_lock import BoardLock, acquire, recheck
from vision.camera_model import Lens
from vision.cell_evidence import find_problems, make_evidence, make_sightings
from vision.cell_history import (
    READINGS_AFTER_CHANGE,
    SURE_CONFIDENCE,
    CellHistory,
    squared_difference,
)
from vision.cell_patches import Grey, PatchSampler
from vision.decode import Stack
from vision.grid_correction import GridCorrection, fit_correction
from vision.observation import CellState, Evidence, Observation, Problem, ProblemKind, Sighting

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Points = npt.NDArray[np.float64]
Cells = npt.NDArray[np.intp]

UPRIGHT_DEGREES = 26.0  # limit of rotation on squares; on hexagons every angle is read
CHANGE_FACTOR = 1.8  # times the noise: a cell that differs by more has changed
MIN_CHANGE = 8.0  # grey levels squared: limit of an unchanged cell without noise
# Shares of cells and of pieces: if more change in one frame, and the board may have moved.
MANY_CELLS_SHARE, MANY_PIECES_SHARE = 0.35, 0.5
RECHECK_FRAMES = 90  # look for the corner tags at least this often: a board can creep
RETRY_FRAMES = 5  # between full-frame searches for a lost board
BODY_EDGE_MM = 2.0  # blurred edge around a piece's body
TAG_LIKE = 0.5  # of the contrast of tags: the least contrast of a tag
# Covered cells to read again with a wider search. More of them are a hand, not badly placed pieces.
MAX_SECOND_LOOKS = 6
MIN_EMPTY_NATS = 1.0  # for empty, of a cell that looks as it did when it was smooth
LIKE_A_TAG = 0.65  # correlation with a print that no empty cell reaches
NATS_AGAINST_TAGS = np.float32(-6.0)  # evidence of a smooth cell against every tag


class Reader:
    """Reads one board through one camera. Not thread-safe, except for `lit_cells`."""

    def __init__(self, board: PhysicalBoard, tags: Collection[int], lens: Lens | None = None):
        self.board = board
        self.tags = tuple(sorted(tags))
        self.lens = lens or Lens()
        self.lock: BoardLock | None = None
        self._sampler: PatchSampler | None = None
        self._history: CellHistory | None = None
        self._last_observation: Observation | None = None
        self._noise: float | None = None
        self._frame_number = 0
        self._last_check_frame = 0
        self._corners_lost = False  # no corner tag was found at the last check
        self._last_search_frame = -RETRY_FRAMES
        self._lock_problems: tuple[Problem, ...] = ()
        self._contrast: float | None = None
        self._tag_cells: dict[int, int] = {}  # of each tag, when a corner was last seen
        self._correction: GridCorrection | None = None
        self._correction_fitted = False
        self._reach_degrees = 45.0 if board.grid.headings == 6 else UPRIGHT_DEGREES
        centres = board.centres_mm()
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        self._near = (apart > 0) & (apart < 1.6 * board.cell_mm)
        # Cells with LED light now or a moment ago. Other threads may set this.
        self.lit_cells: frozenset[int] = frozenset()
        self._glowing = np.zeros(board.grid.size, np.bool_)  # lit cells and their neighbours

    def find(self, grey: Grey) -> BoardLock | Problem:
        """Find the board in this frame and lock on to it."""
        found = acquire(grey, self.board, self.lens)
        if isinstance(found, BoardLock):
            self._correction, self._correction_fitted = None, False
            self._lock_problems = found.problems
            self._set_lock(found)
        return found

    def forget(self) -> None:
        """Read the next frame completely, without memory of earlier frames."""
        self._history = None
        self._tag_cells = {}

    def read(self, grey: Grey) -> Observation:
        """Read the board in this frame."""
        self._frame_number += 1
        lit = np.fromiter(self.lit_cells, np.intp)
        self._glowing = self._near[lit].any(axis=0)
        self._glowing[lit] = True
        if not self._ensure_lock(grey):
            return self._without_lock()
        if self._history is None:
            return self._read_all(grey)
        assert self._sampler is not None
        spots = self._sampler.spots(grey)
        changed = self._changed_cells(spots)
        if self._check_due() or self._may_have_moved(changed):
            if self._follow_board(grey):
                return self._read_all(grey)
            if self.lock is None:
                return self._without_lock()
        elif not changed.any() and not self._history.readings_due.any():
            self._history.last_samples = spots
            return self._unchanged()
        return self._read_changed(grey, spots, changed)

    def _read_changed(self, grey: Grey, spots: Floats, changed: Bools) -> Observation:
        """Read the changed cells that are no longer moving."""
        assert self._history is not None
        history = self._history
        moving = changed & ~self._glowing
        moving[moving] = (
            squared_difference(spots[moving], history.last_samples[moving]) > self._noise_limit
        )
        history.last_samples = spots
        history.cover(np.flatnonzero(moving))
        history.readings_due[changed] = READINGS_AFTER_CHANGE
        still = np.flatnonzero(changed & ~moving if moving.any() else history.readings_due > 0)
        if len(still):
            self._read_cells(grey, still, spots)
        return self._observation(still)

    # -- the lock --------------------------------------------------------------------------

    def _ensure_lock(self, grey: Grey) -> bool:
        if (
            self.lock is not None
            and (self.lock.camera.height, self.lock.camera.width) != grey.shape
        ):
            self.lock = None  # another camera, or another resolution
            self._last_search_frame = -RETRY_FRAMES
        if self.lock is None and self._frame_number - self._last_search_frame >= RETRY_FRAMES:
            self._last_search_frame = self._frame_number
            found = self.find(grey)
            self._lock_problems = () if isinstance(found, BoardLock) else (found,)
        return self.lock is not None

    def _set_lock(self, lock: BoardLock) -> None:
        self.lock = lock
        self._sampler = PatchSampler.for_board(self.board, lock.camera, self._correction)
        self._history = None
        self._last_check_frame = self._frame_number

    def _follow_board(self, grey: Grey) -> bool:
        """Look for the corner tags; True if the board moved and a new lock is set."""
        assert self.lock is not None
        self._last_check_frame = self._frame_number
        found = recheck(grey, self.board, self.lock)
        turned = isinstance(found, Problem) and found.kind is ProblemKind.NO_BOARD
        if isinstance(found, Problem) and (
            turned or self._frame_number - self._last_search_frame >= RETRY_FRAMES
        ):
            self._last_search_frame = self._frame_number
            again = acquire(grey, self.board, self.lens)
            found = again if isinstance(again, BoardLock) else found
        self._corners_lost = isinstance(found, Problem)
        if isinstance(found, Problem):
            self._lock_problems = (found,)
            self.lock = None if turned else self.lock
            return False
        self._lock_problems = found.problems
        if found.camera == self.lock.camera:
            return False
        self._set_lock(found)
        return True

    # -- reading ---------------------------------------------------------------------------

    def _read_all(self, grey: Grey) -> Observation:
        self._follow_board(grey)
        if self.lock is None:
            return self._without_lock()
        every = np.arange(self.board.grid.size)
        reading = self._read_every_cell(grey, every)
        if not self._correction_fitted:
            self._correction_fitted = True
            read = reading.accepted_mask()
            offsets = reading.pose[read, :2].astype(np.float64)
            correction = fit_correction(self.board, self.board.centres_mm()[read], offsets)
            if correction is not None:
                assert self.lock is not None
                self._correction = correction
                self._set_lock(self.lock)
                self._read_every_cell(grey, every)
        return self._observation(every)

    def _read_every_cell(self, grey: Grey, every: Cells) -> decode.Reading:
        assert self._sampler is not None
        cells, grid = len(every), self.board.grid
        spots = self._sampler.spots(grey)
        self._history = CellHistory.blank(cells, len(self.tags), grid.headings, spots)
        return self._read_cells(grey, every, spots, first_reading=True)

    def _read_cells(
        self, grey: Grey, cells: Cells, spots: Floats, first_reading: bool = False
    ) -> decode.Reading:
        assert self._sampler is not None
        assert self._history is not None
        history, board = self._history, self.board
        every_cell = len(cells) == board.grid.size
        stack = self._sampler.cut(grey, None if every_cell else cells)
        reading = decode.read_tags(
            stack, self.tags, board.tag_mm, board.cap_mm, self._reach_degrees
        )
        history.read_samples[cells] = spots[cells]
        read = self._store_sightings(reading, cells)
        if read.any():
            history.texture[cells[read]] = occupancy.texture(stack[read])
            # The median over all pieces: those read just now are often the faintest.
            self._contrast = float(np.median(history.texture[history.occupied_mask()]))
        unread, covered, nats = self._classify_unread(grey, stack, cells, reading)
        doubtful = self._like_tags(stack, unread[covered])
        if 0 < len(doubtful) <= MAX_SECOND_LOOKS:
            wide = decode.WIDE_REACH_TAGS
            second = decode.read_tags(
                stack[doubtful], self.tags, board.tag_mm, board.cap_mm, 45.0, wide
            )
            if second.accepted_mask().any():
                reading.merge(doubtful, second)
                read = self._store_sightings(reading, cells)
                unread, covered, nats = self._classify_unread(grey, stack, cells, reading)
        if not first_reading:
            noise = self._noise or 0.0
            odd, bright = history.find_odd_brightness(
                cells[unread], covered, spots, self._frame_number, noise, self._glowing
            )
            covered |= odd
            covered |= history.find_maybe_hidden(cells, unread, covered, bright, self._near)
            covered &= ~history.find_unchanged_empty(cells[unread], spots, self._noise_limit)
            nats = np.where(covered, 0, np.maximum(nats, MIN_EMPTY_NATS)).astype(np.float32)
        smooth = cells[unread[~covered]]
        unlit = smooth[~self._glowing[smooth]]
        history.empty_samples[unlit] = spots[unlit]
        history.empty_level[unlit] = spots[unlit].mean(axis=1)
        history.had_piece[smooth], history.had_piece[cells[read]] = False, True
        history.tagged[cells], history.empty[cells] = make_evidence(reading, read, board.grid)
        history.empty[cells[unread]] = nats
        history.tagged[smooth] = np.minimum(history.tagged[smooth], NATS_AGAINST_TAGS)
        history.readings_due[cells] -= 1
        sure = np.where(covered, 0.5, 1 - 0.5 * np.exp(-nats)).round(3).tolist()
        for cell, hidden, confidence in zip(cells[unread], covered, sure, strict=True):
            state = CellState.COVERED if hidden else CellState.EMPTY
            history.sightings[cell] = Sighting(state, confidence=confidence)
        history.readings_due[
            [c for c in cells if history.sightings[c].confidence >= SURE_CONFIDENCE]
        ] = 0
        return reading

    def _like_tags(self, stack: Stack, rows: Cells) -> Cells:
        """The rows whose contrast is like a tag's."""
        if not len(rows) or self._contrast is None:
            return rows
        return rows[occupancy.texture(stack[rows]) >= TAG_LIKE * self._contrast]

    def _store_sightings(self, reading: decode.Reading, cells: Cells) -> Bools:
        """Store the tags that were read, and return the mask of these cells."""
        assert self._history is not None
        read = reading.accepted_mask()
        seen = make_sightings(reading, read, self.board.grid, self.tags)
        for cell, sighting in zip(cells[read], seen, strict=True):
            self._history.sightings[cell] = sighting
        return read

    def _classify_unread(
        self, grey: Grey, stack: Stack, cells: Cells, reading: decode.Reading
    ) -> tuple[Cells, Bools, Floats]:
        """Classify the rows without a tag: their indices, whether they are covered, and the
        evidence in nats that they are empty."""
        unread = np.flatnonzero(~reading.accepted_mask())
        at = cells[unread]
        found = occupancy.UnreadCells(
            stack[unread],
            centres=self.board.centres_mm()[at],
            near=self._near[np.ix_(at, at)],
            glowing=self._glowing[at],
            is_whole_board=len(cells) == self.board.grid.size,
            hidden_blocks=lambda rows: self._hidden_blocks(at[rows]),
            surface_texture=lambda rows: self._surface_texture(grey, at[rows]),
            share_print=lambda rows, contrast: self._share_print(grey, at[rows], contrast),
        )
        covered, nats = occupancy.classify_unread(found, self._contrast)
        # A tag washed out by a reflection is smooth, but still correlates with some tag.
        covered |= reading.score[unread] >= LIKE_A_TAG
        return unread, covered, np.where(covered, 0, nats).astype(np.float32)

    def _share_print(self, grey: Grey, cells: Cells, contrast: float) -> Bools:
        """Which of these cells share their surface print with many others."""
        assert self._sampler is not None
        assert self._history is not None
        free = [each.state is not CellState.OCCUPIED for each in self._history.sightings]
        known = np.union1d(np.flatnonzero(free), cells)
        blocks = self._sampler.floor_blocks(grey, known)
        return occupancy.share_common_print(blocks, np.searchsorted(known, cells), contrast)

    def _surface_texture(self, grey: Grey, cells: Cells) -> Floats:
        """Variation of these cells on the board surface, without LED light."""
        assert self._sampler is not None
        blocks = self._sampler.floor_blocks(grey, cells)
        return occupancy.texture_beyond_light(
            blocks, self._hidden_blocks(cells, self._sampler.lean_mm[cells])
        )

    def _hidden_blocks(self, cells: Cells, shift_mm: Points | None = None) -> Bools:
        """The blocks of these cells hidden by the body of a piece beside them, seen at an angle.

        The blocks are at cap height, shifted by `shift_mm`.
        """
        assert self._sampler is not None
        assert self._history is not None
        board, sightings = self.board, self._history.sightings
        centres = board.centres_mm()
        points = centres[cells][:, None] + occupancy.block_centres_mm(board.tag_mm)
        if shift_mm is not None:
            points = points + shift_mm[:, None]
        hidden = np.zeros(points.shape[:2], np.bool_)
        half = board.cap_mm / 2 + BODY_EDGE_MM
        down = np.array([0.0, 0.33, 0.67, 1.0])[:, None]  # from the cap to the foot
        standing = self._history.occupied_mask() & self._near[cells].any(axis=0)
        for cell in np.flatnonzero(standing):
            seen, beside = sightings[cell], self._near[cells, cell]
            turn = np.radians(board.grid.degrees(seen.orientation) + seen.residual_degrees)
            upright = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            at = centres[cell] + seen.offset_mm + down * self._sampler.lean_mm[cell]
            off = np.abs((points[beside][None] - at[:, None, None]) @ upright)
            hidden[beside] |= (off.max(axis=3) < half).any(axis=0)
        return hidden

    # -- change ----------------------------------------------------------------------------

    def _changed_cells(self, spots: Floats) -> Bools:
        """Cells that differ from their last reading by more than noise."""
        assert self._history is not None
        history = self._history
        since = squared_difference(spots, history.read_samples)
        noise = float(np.partition(since, len(since) // 2)[len(since) // 2])  # the median
        # Noise is the usual difference of a cell at rest. It may rise only slowly: switching on a
        # lamp changes every cell, and is not noise.
        if self._noise is None:
            self._noise = noise
        elif not np.array_equal(spots, history.last_samples):  # a camera may deliver a frame twice
            self._noise = min(noise, 1.02 * self._noise + 0.01)
        changed = np.asarray(since > self._noise_limit, np.bool_)
        if history.doubtful_since or history.maybe_hidden:
            changed[history.due_again(self._frame_number, self._near)] = True
        return changed

    def _check_due(self) -> bool:
        """Whether a regular check of the corner tags is due."""
        if self._corners_lost:
            return self._frame_number - self._last_search_frame >= RETRY_FRAMES
        return self._frame_number - self._last_check_frame >= RECHECK_FRAMES

    def _may_have_moved(self, changed: Bools) -> bool:
        """Whether so many cells changed in one frame that the board may have moved."""
        assert self._history is not None
        unlit = ~self._glowing
        changed = changed & unlit
        count = np.count_nonzero(changed)
        if not count:
            return False
        seen = self._history.occupied_mask() & unlit
        return bool(
            count > MANY_CELLS_SHARE * np.count_nonzero(unlit)
            or np.count_nonzero(changed[seen]) > MANY_PIECES_SHARE * np.count_nonzero(seen)
        )

    @property
    def _noise_limit(self) -> float:
        """The largest difference that counts as noise."""
        return CHANGE_FACTOR * (self._noise or 0.0) + MIN_CHANGE

    # -- observations ----------------------------------------------------------------------

    def _observation(self, read: Cells) -> Observation:
        assert self._history is not None
        history = self._history
        sightings = tuple(history.sightings)
        cell_by_tag = {s.tag: c for c, s in enumerate(sightings) if s.state is CellState.OCCUPIED}
        if not self._corners_lost:
            self._tag_cells = cell_by_tag
        elif 2 * len(cell_by_tag.items() & self._tag_cells.items()) < len(self._tag_cells):
            # No corner tag is visible, and the pieces are not where they were.
            self._last_observation = self._without_lock()
            return self._last_observation
        self._last_observation = Observation(
            self.board.grid,
            sightings,
            Evidence(self.tags, history.tagged.copy(), history.empty.copy()),
            (*self._lock_problems, *find_problems(self.board, sightings)),
            frozenset(read.tolist()),
        )
        return self._last_observation

    def _unchanged(self) -> Observation:
        """The last observation again, with no changed cells."""
        assert self._last_observation is not None
        if self._last_observation.changed:
            self._last_observation = replace(self._last_observation, changed=frozenset())
        return self._last_observation

    def _without_lock(self) -> Observation:
        cells, grid = self.board.grid.size, self.board.grid
        nothing = np.zeros((cells, len(self.tags), grid.headings), np.float32)
        return Observation(
            grid,
            (Sighting(CellState.COVERED),) * cells,
            Evidence(self.tags, nothing, np.zeros(cells, np.float32)),
            self._lock_problems,
            locked=False,
        )
