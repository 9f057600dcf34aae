"""Finding the board: corner tags in a full frame -> where the camera stands.

Full-frame detection is slow and only acquires the board. A lock that is held is checked by
looking for the four corner tags near where they must be (`recheck`), which also follows a nudge.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision import decode
from vision.board import PhysicalBoard
from vision.cut import Samples, patch_pixels
from vision.observation import Problem, Trouble
from vision.solving import (
    WORST_FIT,
    Found,
    Lock,
    Place,
    held_by_pieces,
    nearest_cells,
    pushed,
    solve,
    solve_with_focal,
    tag_square,
    upright,
)
from vision.tags import CORNERS, MODULES, dictionary
from vision.templates import PATCH, flattened, normalised
from vision.view import Lens, Points, View

__all__ = ["Found", "Lock", "acquire", "detect", "recheck"]

Grey = npt.NDArray[np.uint8]

LARGE = 1400  # pixels across: larger pictures are not doubled to find tags in them
FAR_MM = 16.0  # around its place, a corner tag that was not found is looked for in steps of this
CROOKED_DEGREES = 12.0  # how much a corner tag may have turned and still be followed
NO_CORNERS = "no corner tag is seen: reading on where the board was; free its corners"
TURNED = "the board was turned around or moved: looking for it"
SAME_LOOK = 0.93  # correlation of a corner with itself, unmoved, in another light
STILL_MM = 0.6  # corner tags that moved less than this have not moved


def detect(grey: Grey, wanted: Iterable[int] = CORNERS) -> Found:
    """Every tag in the frame; tries harder while one of the wanted is missing."""
    quads: dict[int, list[Points]] = {}
    missing = set(wanted)
    for attempt, detector in zip(_attempts(grey), _detectors(), strict=False):
        times = attempt.shape[1] / grey.shape[1]
        for tag, found in _detected(detector, attempt):
            quad = (found + 0.5) / times - 0.5
            known = quads.setdefault(tag, [])
            if all(np.hypot(*(quad - other).mean(axis=0)) > 8 for other in known):
                known.append(quad)
        if missing <= quads.keys():
            break
    return Found({tag: tuple(copies) for tag, copies in quads.items()})


def acquire(
    grey: Grey, board: PhysicalBoard, lens: Lens | None = None, found: Found | None = None
) -> Lock | Problem:
    """The view in which the corner tags are where they are seen, or why there is none."""
    found = found or detect(grey)
    seen = [tag for tag in CORNERS if tag in found.quads]
    twice = [tag for tag in seen if len(found.quads[tag]) > 1]
    if len(seen) < 2:
        return Problem(Trouble.NO_BOARD, _not_found(board, seen), tags=tuple(seen))
    size = (grey.shape[1], grey.shape[0])
    best: Lock | None = None
    for quads in _combinations(found, seen):
        lock = solve_with_focal(board, quads, lens or Lens(), size)
        if best is None or lock.error_px < best.error_px:
            best = lock
    assert best is not None
    if best.error_px > WORST_FIT * size[0]:
        return Problem(
            Trouble.NO_BOARD,
            f"corner tags {_listed(seen)} are seen, but not where those of the board "
            f"{board.name!r} would be: is it the right board file?",
            tags=tuple(seen),
        )
    if len(seen) < 4:
        steadied = held_by_pieces(best, board, found)
        if steadied is None:
            return Problem(Trouble.NO_BOARD, _too_few(board, seen), tags=tuple(seen))
        best = _completed(steadied, grey, board, found, lens or Lens())
        seen = list(best.corners)
    problems = _hidden(board, seen)
    if twice:
        text = f"corner tag {_listed(twice)} is there twice: take the second one away"
        problems += (Problem(Trouble.DUPLICATE, text, tags=tuple(twice)),)
    return _settled(replace(best, problems=problems), grey, board)


def recheck(grey: Grey, board: PhysicalBoard, lock: Lock) -> Lock | Problem:
    """The lock again, following a board or camera that moved a little; or why it is lost.

    A corner tag that is hidden says nothing. Another one in its place says that the board was
    turned around.
    """
    if lock.corners == CORNERS and _unmoved(grey, board, lock):
        return replace(lock, problems=())
    corners = _look(grey, board, lock.view)
    if any(each is not None and not lock.expects(i, each.place) for i, each in enumerate(corners)):
        return Problem(Trouble.NO_BOARD, TURNED, tags=CORNERS)
    shifts = {
        tag: each.shift_mm - lock.settled_mm[index]
        for index, (tag, each) in enumerate(zip(CORNERS, corners, strict=True))
        if each is not None
    }
    if not shifts:
        return Problem(Trouble.POSE_UNSURE, NO_CORNERS, tags=CORNERS)
    problems = _hidden(board, list(shifts))
    if max(float(np.hypot(*shift)) for shift in shifts.values()) < STILL_MM:
        return replace(lock, corners=tuple(shifts), problems=problems)
    moved = {
        tag: lock.view.project(tag_square(board, tag) + shift) for tag, shift in shifts.items()
    }
    if len(moved) >= 3:
        again = solve(board, moved, lock.view.lens, (lock.view.width, lock.view.height))
    else:
        again = pushed(lock, moved, board)
    if again.error_px > WORST_FIT * lock.view.width:
        return Problem(Trouble.POSE_UNSURE, NO_CORNERS, tags=CORNERS)
    looks = _corner_looks(grey, board, again.view)
    return replace(
        again, problems=problems, settled_mm=lock.settled_mm, places=lock.places, looks=looks
    )


def _combinations(found: Found, seen: list[int]) -> Iterable[dict[int, Points]]:
    """Each way to take one quad per corner tag; a second copy is tried in its place alone."""
    first = {tag: found.quads[tag][0] for tag in seen}
    yield first
    for tag in seen:
        for other in found.quads[tag][1:]:
            yield {**first, tag: other}


# -- keeping the lock ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Corner:
    """A corner tag near where one should be."""

    place: Place
    shift_mm: Points


def _look(
    grey: Grey, board: PhysicalBoard, view: View, places_mm: Points | None = None
) -> list[_Corner | None]:
    """What is at each corner: read like a cell, from little more than its own pixels."""
    if places_mm is None:
        samples = _corner_samples(board, view)
    else:
        samples = Samples.at(patch_pixels(view, places_mm, board.corner_mm, 0.0))
    stack = samples.look_up(grey).reshape(-1, PATCH, PATCH)
    white_mm = board.corner_mm * (1 + 2 / MODULES)
    reading = decode.read(
        stack, CORNERS, board.corner_mm, white_mm, CROOKED_DEGREES, decode.WIDE_REACH_TAGS
    )
    found: list[_Corner | None] = []
    for index, seen in enumerate(reading.accepted()):
        x, y, angle = (float(n) for n in reading.pose[index])
        place = (CORNERS[int(reading.best[index])], round(angle / 90) % 4)
        found.append(_Corner(place, np.array([x, y])) if seen else None)
    return found


def _unmoved(grey: Grey, board: PhysicalBoard, lock: Lock) -> bool:
    """Whether all corners look just as they did: then there is no need to look closely."""
    now = _corner_looks(grey, board, lock.view)
    if now.shape != lock.looks.shape:
        return False
    return bool((np.einsum("ij,ij->i", now, lock.looks) > SAME_LOOK).all())


def _corner_looks(grey: Grey, board: PhysicalBoard, view: View) -> npt.NDArray[np.float32]:
    tall = _corner_samples(board, view).look_up(grey).reshape(-1, PATCH)
    flat = flattened(tall, decode.FLATTEN, decode.FAINT_LEVELS)  # shadows do not matter
    return normalised(flat.reshape(4, -1))


@lru_cache(maxsize=4)
def _corner_samples(board: PhysicalBoard, view: View) -> Samples:
    return Samples.at(patch_pixels(view, board.corner_tags_mm(), board.corner_mm, 0.0))


def _completed(lock: Lock, grey: Grey, board: PhysicalBoard, found: Found, lens: Lens) -> Lock:
    """The same lock with corner tags that are too blurred to be found in the whole frame, but
    are near where they must be."""
    quads = dict(upright(board, {tag: found.quads[tag][0] for tag in lock.corners}))
    steps = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]) * FAR_MM
    far = (lock.view.width - 1, lock.view.height - 1)
    for index, tag in enumerate(CORNERS):
        if tag in quads:
            continue
        places = board.corner_tags_mm()[index] + steps
        for step, corner in zip(steps, _look(grey, board, lock.view, places), strict=True):
            if corner is not None and corner.place[0] == tag:
                quad = lock.view.project(tag_square(board, tag) + step + corner.shift_mm)
                if (quad > 0).all() and (quad < far).all():
                    quads[tag] = quad
    if len(quads) == len(lock.corners):
        return lock
    size = (lock.view.width, lock.view.height)
    more = solve_with_focal(board, {tag: quads[tag] for tag in CORNERS if tag in quads}, lens, size)
    if more.error_px > WORST_FIT * size[0]:
        return lock
    pieces = [c for tag in found.quads.keys() - set(CORNERS) for c in found.centres(tag)]
    if pieces:  # which must not stand farther from the middles of their cells than before
        before, after = (
            float(np.median(nearest_cells(each.view, board, np.array(pieces))[1]))
            for each in (lock, more)
        )
        if after > before + 0.05 * board.cell_mm:
            return lock
    return more


def _settled(lock: Lock, grey: Grey, board: PhysicalBoard) -> Lock:
    """The lock, knowing how its corner tags look in the frame that it was made from."""
    settled = lock.settled_mm.copy()
    places: list[Place | None] = list(lock.places)
    for index, corner in enumerate(_look(grey, board, lock.view)):
        if corner is not None and corner.place[0] == CORNERS[index]:
            settled[index], places[index] = corner.shift_mm, corner.place
    looks = _corner_looks(grey, board, lock.view)
    return replace(lock, settled_mm=settled, places=tuple(places), looks=looks)


# -- full frames -----------------------------------------------------------------------------


@cache
def _detectors() -> tuple[cv2.aruco.ArucoDetector, ...]:
    plain = cv2.aruco.ArucoDetector(dictionary())
    wide = cv2.aruco.DetectorParameters()
    wide.adaptiveThreshWinSizeMin = 5
    wide.adaptiveThreshWinSizeMax = 61
    wide.adaptiveThreshWinSizeStep = 8
    wide.minMarkerPerimeterRate = 0.015
    patient = cv2.aruco.ArucoDetector(dictionary(), wide)
    return plain, patient, patient, patient


def _attempts(grey: Grey) -> Iterable[Grey]:
    """The frame, then with its contrast stretched, then smoothed against noise, then, if it is
    not large, doubled and sharpened against blur."""
    yield grey
    low, high = np.percentile(grey[::4, ::4], (0.5, 99.5))
    stretched = cv2.convertScaleAbs(
        grey.astype(np.float32) - float(low), alpha=255 / max(8.0, float(high - low))
    )
    yield np.asarray(stretched, np.uint8)
    yield np.asarray(cv2.GaussianBlur(stretched, (0, 0), grey.shape[1] / 850), np.uint8)
    if grey.shape[1] <= LARGE:
        soft = cv2.GaussianBlur(stretched, (0, 0), grey.shape[1] / 430)
        sharp = cv2.addWeighted(stretched, 2.5, soft, -1.5, 0)
        size = (2 * grey.shape[1], 2 * grey.shape[0])
        yield np.asarray(cv2.resize(sharp, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def _detected(detector: cv2.aruco.ArucoDetector, grey: Grey) -> Iterable[tuple[int, Points]]:
    quads, tags, _ = detector.detectMarkers(grey)
    if tags is None:
        return
    for quad, tag in zip(quads, tags.ravel(), strict=True):
        yield int(tag), np.asarray(quad, np.float64).reshape(4, 2)


# -- words -----------------------------------------------------------------------------------


def _hidden(board: PhysicalBoard, seen: list[int]) -> tuple[Problem, ...]:
    hidden = [tag for tag in CORNERS if tag not in seen]
    if not hidden:
        return ()
    near = dict(zip(CORNERS, board.corner_cells(), strict=True))
    return tuple(
        Problem(
            Trouble.CORNER_HIDDEN,
            f"corner tag {tag} is hidden: move the hand or the lamp at {near[tag]}",
            (board.grid.cell(near[tag]),),
            (tag,),
        )
        for tag in hidden
    )


def _not_found(board: PhysicalBoard, seen: list[int]) -> str:
    if not seen:
        return (
            "no board is seen: none of the corner tags 26 to 29 was found; put the whole board "
            "into the picture, in focus and without glare"
        )
    near = dict(zip(CORNERS, board.corner_cells(), strict=True))
    hidden = [f"{tag} (at {near[tag]})" for tag in CORNERS if tag not in seen]
    return (
        f"only corner tag {seen[0]} was found; at least two are needed, better all four: "
        f"{', '.join(hidden)} are hidden or outside the picture"
    )


def _too_few(board: PhysicalBoard, seen: list[int]) -> str:
    near = dict(zip(CORNERS, board.corner_cells(), strict=True))
    hidden = [f"{tag} (at {near[tag]})" for tag in CORNERS if tag not in seen]
    return (
        f"the corner tags {_listed(seen)} alone do not say where the squares are: "
        f"free {', '.join(hidden)}, or put the whole board into the picture"
    )


def _listed(tags: Iterable[int]) -> str:
    return ", ".join(map(str, tags))
