"""Finds the board in a frame by its corner tags, and keeps hold of it.

`acquire` searches the whole frame, which is slow. `recheck` looks for the four corner tags only
where a held lock expects them, and follows a board or camera that moved a little.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from engine.sentences import Sentence
from vision import decode, sentences
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Lens, Points
from vision.camera_pose import (
    MAX_FIT_ERROR,
    BoardLock,
    CornerPlace,
    DetectedTags,
    align_quads,
    nearest_cells,
    refine_with_pieces,
    shift_lock,
    solve,
    solve_with_focal,
    tag_square,
)
from vision.cell_patches import SampleMap, patch_pixels
from vision.observation import Problem, ProblemKind
from vision.tags import CORNERS, MODULES, dictionary
from vision.templates import PATCH, flatten, normalise

__all__ = ["BoardLock", "DetectedTags", "acquire", "detect_tags", "recheck"]

Grey = npt.NDArray[np.uint8]

LARGE_PX = 1400  # wider images are not doubled in size to find tags
CORNER_STEP_MM = 16.0  # search step around the place of a corner tag that was not found
CROOKED_DEGREES = 12.0  # a corner tag that turned further is not followed
MIN_SAME_CORRELATION = 0.93  # of an unmoved corner tag with itself, in another light
STILL_MM = 0.6  # corner tags that shifted less count as unmoved


def detect_tags(grey: Grey, wanted: Iterable[int] = CORNERS) -> DetectedTags:
    """Find every tag in the frame, with slower attempts while a `wanted` tag is missing."""
    quads: dict[int, list[Points]] = {}
    missing = set(wanted)
    for attempt, detector in zip(_attempts(grey), _detectors(), strict=False):
        times = attempt.shape[1] / grey.shape[1]
        for tag, found in _detect_markers(detector, attempt):
            quad = (found + 0.5) / times - 0.5
            known = quads.setdefault(tag, [])
            if all(np.hypot(*(quad - other).mean(axis=0)) > 8 for other in known):
                known.append(quad)
        if missing <= quads.keys():
            break
    return DetectedTags({tag: tuple(copies) for tag, copies in quads.items()})


def acquire(
    grey: Grey, board: PhysicalBoard, lens: Lens | None = None, found: DetectedTags | None = None
) -> BoardLock | Problem:
    """Compute the camera pose from the corner tags, or return the problem that prevents it."""
    found = found or detect_tags(grey)
    seen = [tag for tag in CORNERS if tag in found.quads]
    twice = [tag for tag in seen if len(found.quads[tag]) > 1]
    if len(seen) < 2:
        return Problem(ProblemKind.NO_BOARD, _not_found(board, seen), tags=tuple(seen))
    size = (grey.shape[1], grey.shape[0])
    best: BoardLock | None = None
    for quads in _combinations(found, seen):
        lock = solve_with_focal(board, quads, lens or Lens(), size)
        if best is None or lock.error_px < best.error_px:
            best = lock
    assert best is not None
    if best.error_px > MAX_FIT_ERROR * size[0]:
        sentence = sentences.WRONG_BOARD(tags=_names(seen), board=board.name)
        return Problem(ProblemKind.NO_BOARD, sentence, tags=tuple(seen))
    if len(seen) < 4:
        refined = refine_with_pieces(best, board, found)
        if refined is None:
            return Problem(ProblemKind.NO_BOARD, _too_few(board, seen), tags=tuple(seen))
        best = _add_blurred_corners(refined, grey, board, found, lens or Lens())
        seen = list(best.corners)
    problems = _hidden_corner_problems(board, seen)
    if twice:
        sentence = sentences.CORNER_TWICE(tags=_names(twice))
        problems += (Problem(ProblemKind.DUPLICATE, sentence, tags=tuple(twice)),)
    return _with_corner_patterns(replace(best, problems=problems), grey, board)


def recheck(grey: Grey, board: PhysicalBoard, lock: BoardLock) -> BoardLock | Problem:
    """Check a lock against a frame, and follow a board or camera that moved a little.

    A hidden corner tag is ignored. A different tag in its place means that the board was turned
    around: that is a problem, and the lock is lost.
    """
    if lock.corners == CORNERS and _unmoved(grey, board, lock):
        return replace(lock, problems=())
    corners = _read_corners(grey, board, lock.camera)
    if any(each is not None and not lock.expects(i, each.place) for i, each in enumerate(corners)):
        return Problem(ProblemKind.NO_BOARD, sentences.BOARD_MOVED(), tags=CORNERS)
    shifts = {
        tag: each.shift_mm - lock.initial_offsets_mm[index]
        for index, (tag, each) in enumerate(zip(CORNERS, corners, strict=True))
        if each is not None
    }
    if not shifts:
        return Problem(ProblemKind.POSE_UNSURE, sentences.NO_CORNER(), tags=CORNERS)
    problems = _hidden_corner_problems(board, list(shifts))
    if max(float(np.hypot(*shift)) for shift in shifts.values()) < STILL_MM:
        return replace(lock, corners=tuple(shifts), problems=problems)
    moved = {
        tag: lock.camera.project(tag_square(board, tag) + shift) for tag, shift in shifts.items()
    }
    if len(moved) >= 3:
        again = solve(board, moved, lock.camera.lens, (lock.camera.width, lock.camera.height))
    else:
        again = shift_lock(lock, moved, board)
    if again.error_px > MAX_FIT_ERROR * lock.camera.width:
        return Problem(ProblemKind.POSE_UNSURE, sentences.NO_CORNER(), tags=CORNERS)
    patterns = _corner_patterns(grey, board, again.camera)
    return replace(
        again,
        problems=problems,
        initial_offsets_mm=lock.initial_offsets_mm,
        corner_places=lock.corner_places,
        corner_patterns=patterns,
    )


def _combinations(found: DetectedTags, seen: list[int]) -> Iterable[dict[int, Points]]:
    """Yield every choice of one quad per corner tag that uses at most one second copy."""
    first = {tag: found.quads[tag][0] for tag in seen}
    yield first
    for tag in seen:
        for other in found.quads[tag][1:]:
            yield {**first, tag: other}


# -- keeping the lock ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Corner:
    """A corner tag that was read near its expected place."""

    place: CornerPlace
    shift_mm: Points


def _read_corners(
    grey: Grey, board: PhysicalBoard, camera: CameraModel, places_mm: Points | None = None
) -> list[_Corner | None]:
    """Read the tag at each corner like a cell, from its own pixels only."""
    if places_mm is None:
        samples = _corner_samples(board, camera)
    else:
        samples = SampleMap.from_pixels(patch_pixels(camera, places_mm, board.corner_mm, 0.0))
    stack = samples.look_up(grey).reshape(-1, PATCH, PATCH)
    white_mm = board.corner_mm * (1 + 2 / MODULES)
    reading = decode.read_tags(
        stack, CORNERS, board.corner_mm, white_mm, CROOKED_DEGREES, decode.WIDE_REACH_TAGS
    )
    found: list[_Corner | None] = []
    for index, seen in enumerate(reading.accepted_mask()):
        x, y, angle = (float(n) for n in reading.pose[index])
        place = (CORNERS[int(reading.best[index])], round(angle / 90) % 4)
        found.append(_Corner(place, np.array([x, y])) if seen else None)
    return found


def _unmoved(grey: Grey, board: PhysicalBoard, lock: BoardLock) -> bool:
    """Whether all corner patches look as they did when the lock was made."""
    now = _corner_patterns(grey, board, lock.camera)
    if now.shape != lock.corner_patterns.shape:
        return False
    return bool((np.einsum("ij,ij->i", now, lock.corner_patterns) > MIN_SAME_CORRELATION).all())


def _corner_patterns(
    grey: Grey, board: PhysicalBoard, camera: CameraModel
) -> npt.NDArray[np.float32]:
    tall = _corner_samples(board, camera).look_up(grey).reshape(-1, PATCH)
    flat = flatten(tall, decode.FLATTEN, decode.FAINT_LEVELS)  # removes shadows
    return normalise(flat.reshape(4, -1))


@lru_cache(maxsize=4)
def _corner_samples(board: PhysicalBoard, camera: CameraModel) -> SampleMap:
    return SampleMap.from_pixels(patch_pixels(camera, board.corner_tags_mm(), board.corner_mm, 0.0))


def _add_blurred_corners(
    lock: BoardLock, grey: Grey, board: PhysicalBoard, found: DetectedTags, lens: Lens
) -> BoardLock:
    """Add corner tags that the full-frame search missed because of blur.

    Each is searched near its expected place. The new lock must fit as well as before.
    """
    quads = dict(align_quads(board, {tag: found.quads[tag][0] for tag in lock.corners}))
    steps = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]) * CORNER_STEP_MM
    far = (lock.camera.width - 1, lock.camera.height - 1)
    for index, tag in enumerate(CORNERS):
        if tag in quads:
            continue
        places = board.corner_tags_mm()[index] + steps
        for step, corner in zip(
            steps, _read_corners(grey, board, lock.camera, places), strict=True
        ):
            if corner is not None and corner.place[0] == tag:
                quad = lock.camera.project(tag_square(board, tag) + step + corner.shift_mm)
                if (quad > 0).all() and (quad < far).all():
                    quads[tag] = quad
    if len(quads) == len(lock.corners):
        return lock
    size = (lock.camera.width, lock.camera.height)
    more = solve_with_focal(board, {tag: quads[tag] for tag in CORNERS if tag in quads}, lens, size)
    if more.error_px > MAX_FIT_ERROR * size[0]:
        return lock
    pieces = [c for tag in found.quads.keys() - set(CORNERS) for c in found.centres(tag)]
    if pieces:  # the added corners must not move pieces away from the centres of their cells
        before, after = (
            float(np.median(nearest_cells(each.camera, board, np.array(pieces))[1]))
            for each in (lock, more)
        )
        if after > before + 0.05 * board.cell_mm:
            return lock
    return more


def _with_corner_patterns(lock: BoardLock, grey: Grey, board: PhysicalBoard) -> BoardLock:
    """Store in the lock how its corner tags look in the frame that it was made from."""
    offsets = lock.initial_offsets_mm.copy()
    places: list[CornerPlace | None] = list(lock.corner_places)
    for index, corner in enumerate(_read_corners(grey, board, lock.camera)):
        if corner is not None and corner.place[0] == CORNERS[index]:
            offsets[index], places[index] = corner.shift_mm, corner.place
    patterns = _corner_patterns(grey, board, lock.camera)
    return replace(
        lock, initial_offsets_mm=offsets, corner_places=tuple(places), corner_patterns=patterns
    )


# -- full frames -----------------------------------------------------------------------------


@cache
def _detectors() -> tuple[cv2.aruco.ArucoDetector, ...]:
    plain = cv2.aruco.ArucoDetector(dictionary())
    wide = cv2.aruco.DetectorParameters()
    wide.adaptiveThreshWinSizeMin = 5
    wide.adaptiveThreshWinSizeMax = 61
    wide.adaptiveThreshWinSizeStep = 8
    wide.minMarkerPerimeterRate = 0.015
    thorough = cv2.aruco.ArucoDetector(dictionary(), wide)
    return plain, thorough, thorough, thorough


def _attempts(grey: Grey) -> Iterable[Grey]:
    """Yield the frame, then versions of it that are easier to read: stretched contrast, smoothed
    against noise, and, if not large, doubled in size and sharpened against blur."""
    yield grey
    low, high = np.percentile(grey[::4, ::4], (0.5, 99.5))
    stretched = cv2.convertScaleAbs(
        grey.astype(np.float32) - float(low), alpha=255 / max(8.0, float(high - low))
    )
    yield np.asarray(stretched, np.uint8)
    yield np.asarray(cv2.GaussianBlur(stretched, (0, 0), grey.shape[1] / 850), np.uint8)
    if grey.shape[1] <= LARGE_PX:
        soft = cv2.GaussianBlur(stretched, (0, 0), grey.shape[1] / 430)
        sharp = cv2.addWeighted(stretched, 2.5, soft, -1.5, 0)
        size = (2 * grey.shape[1], 2 * grey.shape[0])
        yield np.asarray(cv2.resize(sharp, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def _detect_markers(detector: cv2.aruco.ArucoDetector, grey: Grey) -> Iterable[tuple[int, Points]]:
    quads, tags, _ = detector.detectMarkers(grey)
    if tags is None:
        return
    for quad, tag in zip(quads, tags.ravel(), strict=True):
        yield int(tag), np.asarray(quad, np.float64).reshape(4, 2)


# -- problems --------------------------------------------------------------------------------


def _hidden_corner_problems(board: PhysicalBoard, seen: list[int]) -> tuple[Problem, ...]:
    if len(seen) == len(CORNERS):
        return ()
    return tuple(
        Problem(
            ProblemKind.CORNER_HIDDEN,
            sentences.CORNER_HIDDEN(tag=tag, cell=cell),
            (board.grid.cell(cell),),
            (tag,),
        )
        for tag, cell in zip(CORNERS, board.corner_cells(), strict=True)
        if tag not in seen
    )


def _not_found(board: PhysicalBoard, seen: list[int]) -> Sentence:
    if not seen:
        return sentences.NO_BOARD()
    return sentences.ONE_CORNER(tag=seen[0], hidden=_hidden_corners(board, seen))


def _too_few(board: PhysicalBoard, seen: list[int]) -> Sentence:
    return sentences.TOO_FEW_CORNERS(tags=_names(seen), hidden=_hidden_corners(board, seen))


def _hidden_corners(board: PhysicalBoard, seen: list[int]) -> tuple[Sentence, ...]:
    return tuple(
        sentences.CORNER_AT(tag=tag, cell=cell)
        for tag, cell in zip(CORNERS, board.corner_cells(), strict=True)
        if tag not in seen
    )


def _names(tags: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(str, tags))
