"""The ground truth of a frame: the pieces on the table, and which tags the camera can see."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.grid import Cell, Heading
from vision.camera_model import CameraModel
from vision.scene import hands
from vision.scene.projection import Points
from vision.scene.render import distance_from_camera_mm
from vision.scene.sprites import placed_prisms, square_mm
from vision.scene.table import Scene, cell_at, heading_of

Mask = npt.NDArray[np.bool_]

MIN_VISIBLE_SHARE = 0.97  # of a tag's area
SAMPLES = 13  # along each side of a tag


@dataclass(frozen=True, slots=True)
class TagTruth:
    """A tagged piece: its place, and how much of its tag is visible."""

    tag: int
    cell: Cell | None  # at the piece's centre
    orientation: Heading  # nearest to the tag's upper edge
    angle_degrees: float
    x_mm: float
    y_mm: float
    visible: bool
    visible_fraction: float


@dataclass(frozen=True, slots=True)
class SceneTruth:
    """All tagged pieces, and how much of a tag at the centre of each cell would be hidden."""

    tags: tuple[TagTruth, ...]
    hidden: tuple[float, ...]

    @property
    def covered(self) -> frozenset[Cell]:
        """Cells where a tag would not count as visible."""
        return frozenset(c for c, part in enumerate(self.hidden) if 1 - part < MIN_VISIBLE_SHARE)


def compute_truth(scene: Scene, camera: CameraModel) -> SceneTruth:
    board = scene.board
    corners = [
        square_mm(board.tag_mm, piece.x_mm, piece.y_mm, piece.angle_degrees)
        for piece in scene.pieces
    ]
    spots = [square_mm(board.tag_mm, *board.centre_mm(cell)) for cell in range(board.grid.size)]
    pixels = camera.project(_samples(np.array([*corners, *spots])), board.cap_height_mm)
    free = _in_image(pixels, camera) & ~_under_hands(pixels, scene, camera)
    free = free.reshape(-1, SAMPLES**2)
    tag_pixels = pixels.reshape(-1, SAMPLES**2, 2)[: len(corners)]
    behind = _behind_bodies(tag_pixels, scene, camera)
    fractions = np.mean(free[: len(corners)] & ~behind, axis=1)
    hidden = 1 - np.mean(free[len(corners) :], axis=1)
    return SceneTruth(
        tuple(
            TagTruth(
                piece.tag,
                cell_at(board, piece.x_mm, piece.y_mm),
                heading_of(board.grid, piece.angle_degrees),
                piece.angle_degrees,
                piece.x_mm,
                piece.y_mm,
                bool(fraction >= MIN_VISIBLE_SHARE),
                float(fraction),
            )
            for piece, fraction in zip(scene.pieces, fractions, strict=True)
        ),
        tuple(float(part) for part in hidden),
    )


def _samples(squares: Points) -> Points:
    """Sample points spread evenly over squares given by their corners."""
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    u, v = (n.ravel()[None, :, None] for n in np.meshgrid(steps, steps))
    corner, right, _, down = (squares[:, i, None] for i in range(4))
    return np.asarray((corner + u * (right - corner) + v * (down - corner)).reshape(-1, 2))


def _in_image(pixels: Points, camera: CameraModel) -> Mask:
    size = (camera.width - 0.5, camera.height - 0.5)
    return np.asarray(((pixels >= -0.5) & (pixels <= size)).all(axis=1))


def _under_hands(pixels: Points, scene: Scene, camera: CameraModel) -> Mask:
    hidden = np.zeros(len(pixels), bool)
    for hand in scene.hands:
        hidden |= hands.outside_mm(hand, camera.unproject(pixels, hand.height_mm)) < 0
    return hidden


def _behind_bodies(tag_pixels: Points, scene: Scene, camera: CameraModel) -> Mask:
    """The samples of each tag that are hidden by pieces painted later."""
    hidden = np.zeros(tag_pixels.shape[:2], bool)
    # All caps have one height: only neighbouring pieces can hide a tag.
    reach = 2 * scene.board.cap_mm
    painted = sorted(
        range(len(scene.pieces)), key=lambda i: -distance_from_camera_mm(scene.pieces[i], camera)
    )
    for later, number in enumerate(painted):
        nearer = scene.pieces[number]
        blocks = placed_prisms(nearer, scene.board, scene.players)
        for i in painted[:later]:
            piece = scene.pieces[i]
            if np.hypot(piece.x_mm - nearer.x_mm, piece.y_mm - nearer.y_mm) > reach:
                continue
            for prism, outline in blocks:
                sides = [camera.project(outline, h) for h in (prism.bottom_mm, prism.top_mm)]
                hidden[i] |= _inside(tag_pixels[i], np.vstack(sides))
    return hidden


def _inside(points: Points, cloud: Points) -> Mask:
    """Which points lie within the convex hull of a cloud."""
    hull = cv2.convexHull(cloud.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    along = np.roll(hull, -1, axis=0) - hull
    to_point = points[:, None] - hull
    turn = along[:, 0] * to_point[..., 1] - along[:, 1] * to_point[..., 0]
    return np.asarray((turn > 0).all(axis=1) | (turn < 0).all(axis=1))
