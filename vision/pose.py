"""Finding the board: corner tags in a full frame -> where the camera stands.

Full-frame detection is slow and only acquires the board. A lock that is held is checked by
looking for the four corner tags near where they must be (`recheck`), which also follows a nudge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import PhysicalBoard
from vision.observation import Problem, Trouble
from vision.tags import CORNERS, MODULES, dictionary, modules
from vision.view import Lens, Matrix, Points, View

Grey = npt.NDArray[np.uint8]

WORST_FIT = 0.004  # of the picture's width: corner tags this far off are not this board's
SURE_CORNER = 0.6  # correlation at which a corner tag near its place is taken for seen
NEAR_MM = 15.0  # how far from its place a corner tag is looked for
TILE_STEP_MM = 1.3  # between the samples in which it is looked for
STILL_MM = 0.6  # corner tags that moved less than this have not moved


@dataclass(frozen=True, slots=True)
class Found:
    """Tags found in a whole frame: corners clockwise from each tag's own upper left."""

    quads: Mapping[int, tuple[Points, ...]]  # a tag may be there twice

    def centres(self, tag: int) -> list[Points]:
        return [quad.mean(axis=0) for quad in self.quads.get(tag, ())]


@dataclass(frozen=True, slots=True)
class Lock:
    """The board found: the view, how sure it is, and what stands in the way of more."""

    view: View
    error_px: float  # how far the corner tags are from where the view says, root mean square
    corners: tuple[int, ...]  # the corner tags that hold it
    problems: tuple[Problem, ...] = ()
    # How far each corner tag seemed from its place when the lock was made: the lens's doing.
    settled_mm: Points = field(default_factory=lambda: np.zeros((4, 2)), compare=False)

    @property
    def confidence(self) -> float:
        """1 with four corner tags in place; less with fewer, or if they do not fit well."""
        fit = 1 - self.error_px / (WORST_FIT * self.view.width)
        return max(0.0, fit) * {4: 1.0, 3: 0.9}.get(len(self.corners), 0.6)


def detect(grey: Grey, wanted: Iterable[int] = CORNERS) -> Found:
    """Every tag in the frame; tries harder while one of the wanted is missing."""
    quads: dict[int, list[Points]] = {}
    missing = set(wanted)
    for attempt, detector in zip(_attempts(grey), _detectors(), strict=True):
        for tag, quad in _detected(detector, attempt):
            known = quads.setdefault(tag, [])
            if all(np.hypot(*(quad - other).mean(axis=0)) > 8 for other in known):
                known.append(quad)
        if missing <= quads.keys():
            break
    return Found({tag: tuple(found) for tag, found in quads.items()})


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
        lock = solve(board, quads, lens or Lens(), size)
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
        best = _held_by_pieces(best, board, found)
    problems = _hidden(board, seen)
    if twice:
        text = f"corner tag {_listed(twice)} is there twice: take the second one away"
        problems += (Problem(Trouble.DUPLICATE, text, tags=tuple(twice)),)
    plane = best.view.homography()
    shifts = [_corner_shift(grey, board, plane, index) for index in range(4)]
    settled = np.array([(0.0, 0.0) if shift is None else shift for shift in shifts])
    return replace(best, problems=problems, settled_mm=settled)


def solve(
    board: PhysicalBoard, quads: Mapping[int, Points], lens: Lens, size: tuple[int, int]
) -> Lock:
    """The view that best explains where the corner tags are."""
    quads = _upright(board, quads)
    flat = np.concatenate([_tag_square(board, tag) for tag in quads])
    solid = np.column_stack([flat, np.zeros(len(flat))])
    image = np.concatenate(list(quads.values()))
    return _solved(solid, image, lens, size, tuple(quads))


def recheck(grey: Grey, board: PhysicalBoard, lock: Lock) -> Lock | None:
    """The lock again, following a board or camera that moved a little; None if it is lost.

    A corner tag that is hidden says nothing; the board counts as lost when none is seen.
    """
    moved: dict[int, Points] = {}
    shifts = []
    plane = lock.view.homography()
    for index, tag in enumerate(CORNERS):
        shift = _corner_shift(grey, board, plane, index)
        if shift is not None:
            shift = shift - lock.settled_mm[index]
            shifts.append(float(np.hypot(*shift)))
            moved[tag] = lock.view.project(_tag_square(board, tag) + shift)
    if not moved:
        return None
    problems = _hidden(board, list(moved))
    if max(shifts) < STILL_MM:
        return replace(lock, corners=tuple(moved), problems=problems)
    if len(moved) >= 3:
        again = solve(board, moved, lock.view.lens, (lock.view.width, lock.view.height))
    else:
        again = _pushed(lock, moved, board)
    if again.error_px > WORST_FIT * lock.view.width:
        return None
    return replace(again, problems=problems, settled_mm=lock.settled_mm)


# -- solving ---------------------------------------------------------------------------------


def _tag_square(board: PhysicalBoard, tag: int) -> Points:
    """The four corners of a corner tag on the board, clockwise from its upper left."""
    half = board.corner_mm / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return np.asarray(board.corner_tags_mm()[CORNERS.index(tag)] + around)


def _upright(board: PhysicalBoard, quads: Mapping[int, Points]) -> Mapping[int, Points]:
    """The same quads, each beginning at the corner nearest the board's upper left, even where
    somebody glued the tag on turned."""
    if len(quads) < 4:
        return quads
    centres = np.array([quads[tag].mean(axis=0) for tag in CORNERS])
    plane, _ = cv2.findHomography(board.corner_tags_mm(), centres)
    if plane is None:
        return quads
    turned: dict[int, Points] = {}
    for tag, quad in quads.items():
        square = _tag_square(board, tag).reshape(1, -1, 2)
        there = cv2.perspectiveTransform(square, plane).reshape(-1, 2)
        rolls = [np.roll(quad, shift, axis=0) for shift in range(4)]
        turned[tag] = rolls[int(np.argmin([np.sum((roll - there) ** 2) for roll in rolls]))]
    return turned


def _solved(
    solid: Points,
    image: Points,
    lens: Lens,
    size: tuple[int, int],
    corners: tuple[int, ...],
    start: View | None = None,
) -> Lock:
    matrix, coefficients = lens.matrix(*size), lens.coefficients()
    if start is None:
        _, rotations, translations, _ = cv2.solvePnPGeneric(
            solid, image, matrix, coefficients, flags=cv2.SOLVEPNP_IPPE
        )
        guesses = list(zip(rotations, translations, strict=True))
    else:
        guesses = [
            (np.array(start.rotation).reshape(3, 1), np.array(start.translation_mm).reshape(3, 1))
        ]
    best: Lock | None = None
    for rotation, translation in guesses:
        rotation, translation = cv2.solvePnPRefineLM(
            solid, image, matrix, coefficients, rotation.copy(), translation.copy()
        )
        rx, ry, rz = (float(n) for n in rotation.ravel())
        tx, ty, tz = (float(n) for n in translation.ravel())
        view = View(lens, size[0], size[1], (rx, ry, rz), (tx, ty, tz))
        apart = view.project_solid(solid) - image
        error = float(np.sqrt(np.mean(np.sum(apart**2, axis=1))))
        if best is None or error < best.error_px:
            best = Lock(view, error, corners)
    assert best is not None
    return best


def _held_by_pieces(lock: Lock, board: PhysicalBoard, found: Found) -> Lock:
    """A lock from few corner tags, steadied by the pieces: most stand near a cell's middle."""
    for within in (0.5, 0.3):
        solid, image = [], []
        centres = board.centres_mm()
        places = lock.view.project(centres, board.cap_height_mm)
        spacing = np.sqrt(abs(np.linalg.det(lock.view.homography()[:2, :2]))) * board.cell_mm
        for tag in found.quads.keys() - set(CORNERS):
            for centre in found.centres(tag):
                distances = np.hypot(*(places - centre).T)
                nearest = int(distances.argmin())
                if distances[nearest] < within * spacing:
                    solid.append((*centres[nearest], -board.cap_height_mm))
                    image.append(centre)
        if len(solid) < 6:
            return lock
        for tag in lock.corners:
            square = _tag_square(board, tag)
            solid += [(x, y, 0.0) for x, y in square]
            image += list(found.quads[tag][0])
        size = (lock.view.width, lock.view.height)
        held = _solved(
            np.array(solid), np.array(image), lock.view.lens, size, lock.corners, lock.view
        )
        lock = replace(held, error_px=lock.error_px)
    return lock


def _combinations(found: Found, seen: list[int]) -> Iterable[dict[int, Points]]:
    """Each way to take one quad per corner tag; a second copy is tried in its place alone."""
    first = {tag: found.quads[tag][0] for tag in seen}
    yield first
    for tag in seen:
        for other in found.quads[tag][1:]:
            yield {**first, tag: other}


# -- keeping the lock ------------------------------------------------------------------------


@cache
def _corner_template(tag: int, tag_mm: float) -> npt.NDArray[np.float32]:
    """A corner tag with its white edge, as `_corner_shift` samples it."""
    fine = 8
    side, edge = round(tag_mm * fine), round(tag_mm / MODULES * fine)
    drawn = cv2.resize(modules(tag) * np.uint8(255), (side, side), interpolation=cv2.INTER_NEAREST)
    drawn = cv2.copyMakeBorder(drawn, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(255,))
    blurred = cv2.GaussianBlur(drawn.astype(np.float32), (0, 0), 0.8 * fine)
    wide = round((side + 2 * edge) / fine / TILE_STEP_MM)
    return np.asarray(cv2.resize(blurred, (wide, wide), interpolation=cv2.INTER_AREA), np.float32)


def _corner_shift(grey: Grey, board: PhysicalBoard, plane: Matrix, index: int) -> Points | None:
    """How far a corner tag is from its place, in millimetres; None if it is not seen."""
    x, y = board.corner_tags_mm()[index]
    template = _corner_template(CORNERS[index], board.corner_mm)
    step = board.corner_mm * (1 + 2 / MODULES) / template.shape[0]
    side = template.shape[0] + 2 * round(NEAR_MM / step)
    first = (1 - side) / 2 * step
    tile = cv2.warpPerspective(
        grey,
        plane @ np.array([[step, 0, x + first], [0, step, y + first], [0, 0, 1]]),
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    fits = np.asarray(
        cv2.matchTemplate(tile.astype(np.float32), template, cv2.TM_CCOEFF_NORMED), np.float32
    )
    _, best, _, (column, row) = cv2.minMaxLoc(fits)
    if best < SURE_CORNER:
        return None
    fine = np.array([_peak(fits[row, :], column), _peak(fits[:, column], row)])
    return np.asarray((fine - (fits.shape[0] - 1) / 2) * step)


def _peak(line: npt.NDArray[np.float32], at: int) -> float:
    """Where the top of a line of scores is, between the samples."""
    if not 0 < at < len(line) - 1:
        return float(at)
    before, here, after = (float(line[at + step]) for step in (-1, 0, 1))
    bend = before - 2 * here + after
    return at + (0.5 * (before - after) / bend if bend < 0 else 0.0)


def _pushed(lock: Lock, moved: Mapping[int, Points], board: PhysicalBoard) -> Lock:
    """The old view shifted so that the one or two corner tags still seen are in place."""
    solid = np.concatenate([_tag_square(board, tag) for tag in moved])
    solid = np.column_stack([solid, np.zeros(len(solid))])
    # The other corners are taken to have gone along: they keep the view from tipping over.
    shift = np.mean(
        [quad - lock.view.project(_tag_square(board, tag)) for tag, quad in moved.items()],
        axis=(0, 1),
    )
    others = [tag for tag in CORNERS if tag not in moved]
    along = np.concatenate([_tag_square(board, tag) for tag in others])
    image = np.concatenate([*moved.values(), lock.view.project(along) + shift])
    solid = np.concatenate([solid, np.column_stack([along, np.zeros(len(along))])])
    size = (lock.view.width, lock.view.height)
    return _solved(solid, image, lock.view.lens, size, tuple(moved), lock.view)


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
    return plain, patient, patient


def _attempts(grey: Grey) -> Iterable[Grey]:
    """The frame, then with its contrast stretched, then smoothed against noise."""
    yield grey
    low, high = np.percentile(grey[::4, ::4], (0.5, 99.5))
    stretched = cv2.convertScaleAbs(
        grey.astype(np.float32) - float(low), alpha=255 / max(8.0, float(high - low))
    )
    yield np.asarray(stretched, np.uint8)
    yield np.asarray(cv2.GaussianBlur(stretched, (0, 0), grey.shape[1] / 850), np.uint8)


def _detected(detector: cv2.aruco.ArucoDetector, grey: Grey) -> Iterable[tuple[int, Points]]:
    quads, tags, _ = detector.detectMarkers(grey)
    if tags is None:
        return
    for quad, tag in zip(quads, tags.ravel(), strict=True):
        yield int(tag), np.asarray(quad, np.float64).reshape(4, 2)


# -- words -----------------------------------------------------------------------------------


def _hidden(board: PhysicalBoard, seen: list[int]) -> tuple[Problem, ...]:
    hidden = [tag for tag in CORNERS if tag not in seen]
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


def _listed(tags: Iterable[int]) -> str:
    return ", ".join(map(str, tags))
