"""Camera pose from corner tags in an image, with a calibrated or guessed lens.

Four corner tags determine the pose. With three or two, pieces on their cells refine it, starting
with the pieces nearest to the corner tags: a lock that is off by one cell would be worse than none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Lens, Matrix, Points
from vision.observation import Problem
from vision.tags import CORNERS

CornerPlace = tuple[int, int]  # a corner tag, and its rotation on the board in quarter turns

MAX_FIT_ERROR = 0.004  # of the image's width: larger errors mean another board
CORNER_NOISE = 0.0008  # of the image's longer side: standard error of a tag's corner
FOCAL_SPREAD = 0.25  # standard deviation of ln(focal length / guess)
GROWTH_ROUNDS = 8  # rounds of `refine_with_pieces`


@dataclass(frozen=True, slots=True)
class DetectedTags:
    """Tags found in a whole frame; each quad is clockwise from the tag's own upper left."""

    quads: Mapping[int, tuple[Points, ...]]  # a tag may appear twice

    def centres(self, tag: int) -> list[Points]:
        return [quad.mean(axis=0) for quad in self.quads.get(tag, ())]


@dataclass(frozen=True, slots=True)
class BoardLock:
    """The board found in an image: pose, quality, and problems to fix."""

    camera: CameraModel
    error_px: float  # root mean square distance of corner tags from their projection
    corners: tuple[int, ...]  # the corner tags that determine the pose
    problems: tuple[Problem, ...] = ()
    # Measured offset of each corner tag when the lock was made, caused by the lens.
    initial_offsets_mm: Points = field(default_factory=lambda: np.zeros((4, 2)), compare=False)
    # As they were glued on, where known.
    corner_places: tuple[CornerPlace | None, ...] = (None,) * 4
    # Patches of the corner tags when the lock was made, with mean 0 and length 1.
    corner_patterns: npt.NDArray[np.float32] = field(
        default_factory=lambda: np.zeros((4, 1), np.float32), compare=False
    )

    def expects(self, index: int, place: CornerPlace) -> bool:
        """Whether this tag with this rotation may be at this corner."""
        return place[0] == CORNERS[index] and self.corner_places[index] in (None, place)

    @property
    def confidence(self) -> float:
        """1 with four well-fitting corner tags, less with fewer or with a larger error."""
        fit = 1 - self.error_px / (MAX_FIT_ERROR * self.camera.width)
        return max(0.0, fit) * {4: 1.0, 3: 0.9}.get(len(self.corners), 0.6)


def solve(
    board: PhysicalBoard, quads: Mapping[int, Points], lens: Lens, size: tuple[int, int]
) -> BoardLock:
    """Compute the camera pose that explains best where the corner tags are."""
    quads = align_quads(board, quads)
    return _solve_pose(*_points(board, quads), lens, size, tuple(quads))


def solve_with_focal(
    board: PhysicalBoard, quads: Mapping[int, Points], lens: Lens, size: tuple[int, int]
) -> BoardLock:
    """Compute pose and focal length of a lens that is not calibrated.

    The search prefers focal lengths near the guess: a camera that looks straight down cannot tell
    focal length from distance.
    """
    if lens.calibrated:
        return solve(board, quads, lens, size)
    # The focal length belongs to the longer side, also in an image taken upright.
    guess = replace(lens, focal=lens.focal * max(size) / size[0])
    quads = align_quads(board, quads)

    def tried(stretch: float, near: BoardLock) -> tuple[float, float, BoardLock]:
        longer = float(np.exp(stretch)) * guess.focal / near.camera.lens.focal
        x, y, z = near.camera.translation_mm
        start = replace(near.camera, translation_mm=(x, y, z * longer))
        stretched = replace(guess, focal=guess.focal * float(np.exp(stretch)))
        lock = _solve_pose(*_points(board, quads), stretched, size, tuple(quads), start)
        off = 4 * len(quads) * (lock.error_px / (CORNER_NOISE * max(size))) ** 2
        return off + (stretch / FOCAL_SPREAD) ** 2, stretch, lock

    best = tried(0.0, solve(board, quads, guess, size))
    for step in (0.4, 0.2, 0.1, 0.05, 0.025):
        around = [tried(best[1] + way * step, best[2]) for way in (-1, 1)]
        best = min((best, *around), key=lambda each: each[0])
    return best[2]


def refine_with_pieces(
    lock: BoardLock, board: PhysicalBoard, found: DetectedTags
) -> BoardLock | None:
    """Refine a lock from few corner tags: most pieces stand near the centre of a cell.

    The pose is accurate only near the corner tags, so the refinement grows outward from them and
    uses a piece only when its cell is certain. Returns None if distant pieces do not fit.
    """
    centres, size = board.centres_mm(), (lock.camera.width, lock.camera.height)
    pieces = [centre for tag in found.quads.keys() - set(CORNERS) for centre in found.centres(tag)]
    if not pieces:
        return lock
    image = np.array(pieces)
    tags = _points(board, align_quads(board, {tag: found.quads[tag][0] for tag in lock.corners}))
    held = board.corner_tags_mm()[[CORNERS.index(tag) for tag in lock.corners]]
    for _ in range(GROWTH_ROUNDS):
        nearest, off = nearest_cells(lock.camera, board, image)
        apart = np.linalg.norm(centres[nearest][:, None] - held[None], axis=2).min(axis=1)
        near = (off < 0.35 * board.cell_mm) & (apart < 2.3 * board.cell_mm)
        if not near.any():
            break
        places = np.column_stack(
            [centres[nearest[near]], np.full(int(near.sum()), -board.cap_height_mm)]
        )
        again = _solve_pose(
            np.concatenate([tags[0], places]),
            np.concatenate([tags[1], image[near]]),
            lock.camera.lens, size, lock.corners, lock.camera,
        )  # fmt: skip
        lock = replace(again, error_px=lock.error_px)
        grown = np.concatenate([held[: len(lock.corners)], centres[nearest[near]]])
        if len(grown) == len(held):
            break
        held = grown
    nearest, off = nearest_cells(lock.camera, board, image)
    on_board = off < 0.75 * board.cell_mm
    fit = off[on_board] < 0.3 * board.cell_mm
    return lock if len(fit) < 4 or fit.mean() > 0.7 else None


def shift_lock(lock: BoardLock, moved: Mapping[int, Points], board: PhysicalBoard) -> BoardLock:
    """Shift the pose so that the one or two corner tags still seen are in place."""
    solid = np.concatenate([tag_square(board, tag) for tag in moved])
    solid = np.column_stack([solid, np.zeros(len(solid))])
    # The unseen corners are assumed to have shifted as well: this keeps the pose from tilting.
    shift = np.mean(
        [quad - lock.camera.project(tag_square(board, tag)) for tag, quad in moved.items()],
        axis=(0, 1),
    )
    others = [tag for tag in CORNERS if tag not in moved]
    along = np.concatenate([tag_square(board, tag) for tag in others])
    image = np.concatenate([*moved.values(), lock.camera.project(along) + shift])
    solid = np.concatenate([solid, np.column_stack([along, np.zeros(len(along))])])
    size = (lock.camera.width, lock.camera.height)
    return _solve_pose(solid, image, lock.camera.lens, size, tuple(moved), lock.camera)


def _points(board: PhysicalBoard, quads: Mapping[int, Points]) -> tuple[Points, Points]:
    """Corners of the corner tags on the board, and in the image."""
    flat = np.concatenate([tag_square(board, tag) for tag in quads])
    solid = np.column_stack([flat, np.zeros(len(flat))])
    return solid, np.concatenate(list(quads.values()))


def tag_square(board: PhysicalBoard, tag: int) -> Points:
    """The four corners of a corner tag on the board, clockwise from its upper left."""
    half = board.corner_mm / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return np.asarray(board.corner_tags_mm()[CORNERS.index(tag)] + around)


def align_quads(board: PhysicalBoard, quads: Mapping[int, Points]) -> Mapping[int, Points]:
    """Rotate each quad to start at the corner nearest the board's upper left, also where a tag was
    glued on rotated."""
    places = board.corner_tags_mm()[[CORNERS.index(tag) for tag in quads]]
    plane = _estimate_plane(places, np.array([quad.mean(axis=0) for quad in quads.values()]))
    if plane is None:
        return quads
    turned: dict[int, Points] = {}
    for tag, quad in quads.items():
        square = tag_square(board, tag).reshape(1, -1, 2)
        there = cv2.perspectiveTransform(square, plane).reshape(-1, 2)
        rolls = [np.roll(quad, shift, axis=0) for shift in range(4)]
        turned[tag] = rolls[int(np.argmin([np.sum((roll - there) ** 2) for roll in rolls]))]
    return turned


def _estimate_plane(flat: Points, image: Points) -> Matrix | None:
    """Estimate the homography from board to image from two, three or four points."""
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


def _solve_pose(
    solid: Points,
    image: Points,
    lens: Lens,
    size: tuple[int, int],
    corners: tuple[int, ...],
    start: CameraModel | None = None,
) -> BoardLock:
    matrix, coefficients = lens.matrix(*size), lens.coefficients()
    if start is None:
        _, rotations, translations, _ = cv2.solvePnPGeneric(
            solid, image, matrix, coefficients, flags=cv2.SOLVEPNP_IPPE
        )
        # IPPE fails or returns NaN for some poses, such as upside down or exactly parallel.
        guesses = [
            *zip(rotations, translations, strict=True),
            _pose_from_homography(solid, image, lens, size),
        ]
    else:
        guesses = [
            (np.array(start.rotation).reshape(3, 1), np.array(start.translation_mm).reshape(3, 1))
        ]
    best: BoardLock | None = None
    for rotation, translation in guesses:
        if not (np.isfinite(rotation).all() and np.isfinite(translation).all()):
            continue
        rotation, translation = cv2.solvePnPRefineLM(
            solid, image, matrix, coefficients, rotation.copy(), translation.copy()
        )
        rx, ry, rz = (float(n) for n in rotation.ravel())
        tx, ty, tz = (float(n) for n in translation.ravel())
        camera = CameraModel(lens, size[0], size[1], (rx, ry, rz), (tx, ty, tz))
        apart = camera.project_3d(solid) - image
        error = float(np.sqrt(np.mean(np.sum(apart**2, axis=1))))
        if np.isfinite(error) and (best is None or error < best.error_px):
            best = BoardLock(camera, error, corners)
    assert best is not None
    return best


def _pose_from_homography(
    solid: Points, image: Points, lens: Lens, size: tuple[int, int]
) -> tuple[Points, Points]:
    """A rough pose from the homography of the plane."""
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
    camera: CameraModel, board: PhysicalBoard, image: Points
) -> tuple[npt.NDArray[np.intp], Points]:
    """The cell nearest to each cap at these pixels, and the distance to its centre in mm."""
    there = camera.unproject(image, board.cap_height_mm).reshape(-1, 1, 2)
    off = np.linalg.norm(there - board.centres_mm()[None], axis=2)
    nearest = off.argmin(axis=1)
    return nearest, off[np.arange(len(off)), nearest]
