"""From corner tags in a picture to where the camera stands, with a lens that is known or guessed.

Four corner tags say all. With three or two, pieces that stand on cells help, from the sure ones
outward: a lock that is a cell off would be worse than none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import PhysicalBoard
from vision.observation import Problem
from vision.tags import CORNERS
from vision.view import Lens, Matrix, Points, View

Place = tuple[int, int]  # a corner tag, and the quarter turns that it was glued on with

WORST_FIT = 0.004  # of the picture's width: corner tags this far off are not this board's
CORNER_NOISE = 0.0008  # of the picture's longer side: how well a corner of a tag is found
FOCAL_SPREAD = 0.25  # in logarithms: how far lenses are from the one that is guessed
GROWTHS = 8  # rounds in which a lock from few corner tags is steadied by pieces


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

    places: tuple[Place | None, ...] = (None,) * 4  # how they were glued on, as far as seen
    # Their patches in the frame that the lock was made from, with mean 0 and length 1.
    looks: npt.NDArray[np.float32] = field(
        default_factory=lambda: np.zeros((4, 1), np.float32), compare=False
    )

    def expects(self, index: int, place: Place) -> bool:
        """Whether that tag, turned like that, may be at this corner."""
        return place[0] == CORNERS[index] and self.places[index] in (None, place)

    @property
    def confidence(self) -> float:
        """1 with four corner tags in place; less with fewer, or if they do not fit well."""
        fit = 1 - self.error_px / (WORST_FIT * self.view.width)
        return max(0.0, fit) * {4: 1.0, 3: 0.9}.get(len(self.corners), 0.6)


def solve(
    board: PhysicalBoard, quads: Mapping[int, Points], lens: Lens, size: tuple[int, int]
) -> Lock:
    """The view that best explains where the corner tags are."""
    quads = upright(board, quads)
    return _solved(*_points(board, quads), lens, size, tuple(quads))


def solve_with_focal(
    board: PhysicalBoard, quads: Mapping[int, Points], lens: Lens, size: tuple[int, int]
) -> Lock:
    """The same where the lens is only guessed: with the focal length that fits best, the guess
    being worth something too, as a camera that looks straight down says nothing of it."""
    if lens.calibrated:
        return solve(board, quads, lens, size)
    guess = replace(lens, focal=lens.focal * max(size) / size[0])  # the same held upright
    quads = upright(board, quads)

    def tried(stretch: float, near: Lock) -> tuple[float, float, Lock]:
        longer = float(np.exp(stretch)) * guess.focal / near.view.lens.focal
        x, y, z = near.view.translation_mm
        start = replace(near.view, translation_mm=(x, y, z * longer))
        stretched = replace(guess, focal=guess.focal * float(np.exp(stretch)))
        lock = _solved(*_points(board, quads), stretched, size, tuple(quads), start)
        off = 4 * len(quads) * (lock.error_px / (CORNER_NOISE * max(size))) ** 2
        return off + (stretch / FOCAL_SPREAD) ** 2, stretch, lock

    best = tried(0.0, solve(board, quads, guess, size))
    for step in (0.4, 0.2, 0.1, 0.05, 0.025):
        around = [tried(best[1] + way * step, best[2]) for way in (-1, 1)]
        best = min((best, *around), key=lambda each: each[0])
    return best[2]


def held_by_pieces(lock: Lock, board: PhysicalBoard, found: Found) -> Lock | None:
    """A lock from few corner tags, steadied by the pieces: most stand near a cell's middle.

    It is only sure near what holds it, so it grows from there: a piece says where its cell is
    when that is beyond doubt. None: what is farther away does not fit.
    """
    centres, size = board.centres_mm(), (lock.view.width, lock.view.height)
    pieces = [centre for tag in found.quads.keys() - set(CORNERS) for centre in found.centres(tag)]
    if not pieces:
        return lock
    image = np.array(pieces)
    tags = _points(board, upright(board, {tag: found.quads[tag][0] for tag in lock.corners}))
    held = board.corner_tags_mm()[[CORNERS.index(tag) for tag in lock.corners]]
    for _ in range(GROWTHS):
        nearest, off = nearest_cells(lock.view, board, image)
        apart = np.linalg.norm(centres[nearest][:, None] - held[None], axis=2).min(axis=1)
        near = (off < 0.35 * board.cell_mm) & (apart < 2.3 * board.cell_mm)
        if not near.any():
            break
        places = np.column_stack(
            [centres[nearest[near]], np.full(int(near.sum()), -board.cap_height_mm)]
        )
        again = _solved(
            np.concatenate([tags[0], places]),
            np.concatenate([tags[1], image[near]]),
            lock.view.lens, size, lock.corners, lock.view,
        )  # fmt: skip
        lock = replace(again, error_px=lock.error_px)
        grown = np.concatenate([held[: len(lock.corners)], centres[nearest[near]]])
        if len(grown) == len(held):
            break
        held = grown
    nearest, off = nearest_cells(lock.view, board, image)
    on_board = off < 0.75 * board.cell_mm
    fit = off[on_board] < 0.3 * board.cell_mm
    return lock if len(fit) < 4 or fit.mean() > 0.7 else None


def pushed(lock: Lock, moved: Mapping[int, Points], board: PhysicalBoard) -> Lock:
    """The old view shifted so that the one or two corner tags still seen are in place."""
    solid = np.concatenate([tag_square(board, tag) for tag in moved])
    solid = np.column_stack([solid, np.zeros(len(solid))])
    # The other corners are taken to have gone along: they keep the view from tipping over.
    shift = np.mean(
        [quad - lock.view.project(tag_square(board, tag)) for tag, quad in moved.items()],
        axis=(0, 1),
    )
    others = [tag for tag in CORNERS if tag not in moved]
    along = np.concatenate([tag_square(board, tag) for tag in others])
    image = np.concatenate([*moved.values(), lock.view.project(along) + shift])
    solid = np.concatenate([solid, np.column_stack([along, np.zeros(len(along))])])
    size = (lock.view.width, lock.view.height)
    return _solved(solid, image, lock.view.lens, size, tuple(moved), lock.view)


def _points(board: PhysicalBoard, quads: Mapping[int, Points]) -> tuple[Points, Points]:
    """Corner tags' corners on the board, and in the picture."""
    flat = np.concatenate([tag_square(board, tag) for tag in quads])
    solid = np.column_stack([flat, np.zeros(len(flat))])
    return solid, np.concatenate(list(quads.values()))


def tag_square(board: PhysicalBoard, tag: int) -> Points:
    """The four corners of a corner tag on the board, clockwise from its upper left."""
    half = board.corner_mm / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return np.asarray(board.corner_tags_mm()[CORNERS.index(tag)] + around)


def upright(board: PhysicalBoard, quads: Mapping[int, Points]) -> Mapping[int, Points]:
    """The same quads, each beginning at the corner nearest the board's upper left, even where
    somebody glued the tag on turned."""
    places = board.corner_tags_mm()[[CORNERS.index(tag) for tag in quads]]
    plane = _roughly(places, np.array([quad.mean(axis=0) for quad in quads.values()]))
    if plane is None:
        return quads
    turned: dict[int, Points] = {}
    for tag, quad in quads.items():
        square = tag_square(board, tag).reshape(1, -1, 2)
        there = cv2.perspectiveTransform(square, plane).reshape(-1, 2)
        rolls = [np.roll(quad, shift, axis=0) for shift in range(4)]
        turned[tag] = rolls[int(np.argmin([np.sum((roll - there) ** 2) for roll in rolls]))]
    return turned


def _roughly(flat: Points, image: Points) -> Matrix | None:
    """A plane to the picture from two, three or four points, the better the more."""
    if len(flat) == 4:
        plane, _ = cv2.findHomography(flat, image)
        return None if plane is None else np.asarray(plane)
    if len(flat) == 3:
        affine = cv2.getAffineTransform(flat.astype(np.float32), image.astype(np.float32))
    elif len(flat) == 2:
        turn = complex(*(image[1] - image[0])) / complex(*(flat[1] - flat[0]))
        linear = np.array([[turn.real, -turn.imag], [turn.imag, turn.real]])
        affine = np.column_stack([linear, image[0] - linear @ flat[0]])
    else:
        return None
    return np.vstack([affine, (0.0, 0.0, 1.0)])


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
        # IPPE is lost, or not a number, where the board lies just so: upside down, or square on.
        guesses = [*zip(rotations, translations, strict=True), _unfolded(solid, image, lens, size)]
    else:
        guesses = [
            (np.array(start.rotation).reshape(3, 1), np.array(start.translation_mm).reshape(3, 1))
        ]
    best: Lock | None = None
    for rotation, translation in guesses:
        if not (np.isfinite(rotation).all() and np.isfinite(translation).all()):
            continue
        rotation, translation = cv2.solvePnPRefineLM(
            solid, image, matrix, coefficients, rotation.copy(), translation.copy()
        )
        rx, ry, rz = (float(n) for n in rotation.ravel())
        tx, ty, tz = (float(n) for n in translation.ravel())
        view = View(lens, size[0], size[1], (rx, ry, rz), (tx, ty, tz))
        apart = view.project_solid(solid) - image
        error = float(np.sqrt(np.mean(np.sum(apart**2, axis=1))))
        if np.isfinite(error) and (best is None or error < best.error_px):
            best = Lock(view, error, corners)
    assert best is not None
    return best


def _unfolded(
    solid: Points, image: Points, lens: Lens, size: tuple[int, int]
) -> tuple[Points, Points]:
    """The pose that the plane's homography says, roughly."""
    seen = cv2.undistortPoints(image.reshape(-1, 1, 2), lens.matrix(*size), lens.coefficients())
    plane, _ = cv2.findHomography(solid[:, :2], seen.reshape(-1, 2))
    if plane is None:
        return np.full((3, 1), np.nan), np.full((3, 1), np.nan)
    middle = np.array([*solid[:, :2].mean(axis=0), 1.0])
    plane *= np.sign(plane[2] @ middle) * 2 / np.linalg.norm(plane[:, :2], axis=0).sum()
    left, _, right = np.linalg.svd(
        np.column_stack([plane[:, 0], plane[:, 1], np.cross(plane[:, 0], plane[:, 1])])
    )
    rotation, _ = cv2.Rodrigues(left @ right)
    return np.asarray(rotation, np.float64), np.asarray(plane[:, 2:], np.float64)


def nearest_cells(
    view: View, board: PhysicalBoard, image: Points
) -> tuple[npt.NDArray[np.intp], Points]:
    """The cells that caps seen there are nearest to, and how far off their middles, in mm."""
    there = view.on_board(image, board.cap_height_mm).reshape(-1, 1, 2)
    off = np.linalg.norm(there - board.centres_mm()[None], axis=2)
    nearest = off.argmin(axis=1)
    return nearest, off[np.arange(len(off)), nearest]
