"""What is really on the table and which tags the camera can see: the answer to every frame."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.grid import Cell, Heading
from vision.scene import hands
from vision.scene.picture import from_camera
from vision.scene.planes import Points
from vision.scene.sprites import square_mm, standing
from vision.scene.table import Scene, cell_at, heading_of
from vision.view import View

Mask = npt.NDArray[np.bool_]

VISIBLE = 0.97  # of a tag's area
SAMPLES = 13  # along each side of a tag


@dataclass(frozen=True, slots=True)
class TagTruth:
    """One tagged thing: where it stands, and how much of its tag can be seen."""

    tag: int
    cell: Cell | None  # the cell that its middle is on
    orientation: Heading  # the heading nearest to the tag's upper edge
    angle_degrees: float
    x_mm: float
    y_mm: float
    visible: bool
    visible_fraction: float


@dataclass(frozen=True, slots=True)
class Truth:
    """All tagged things, and for every cell how much of a tag in its middle would be hidden."""

    tags: tuple[TagTruth, ...]
    hidden: tuple[float, ...]

    @property
    def covered(self) -> frozenset[Cell]:
        """Cells where a tag would not count as visible."""
        return frozenset(c for c, part in enumerate(self.hidden) if 1 - part < VISIBLE)


def truth(scene: Scene, view: View) -> Truth:
    board = scene.board
    corners = [
        square_mm(board.tag_mm, thing.x_mm, thing.y_mm, thing.angle_degrees)
        for thing in scene.things
    ]
    spots = [square_mm(board.tag_mm, *board.centre_mm(cell)) for cell in range(board.grid.size)]
    pixels = view.project(_samples(np.array([*corners, *spots])), board.cap_height_mm)
    free = _in_picture(pixels, view) & ~_under_hands(pixels, scene, view)
    free = free.reshape(-1, SAMPLES**2)
    tag_pixels = pixels.reshape(-1, SAMPLES**2, 2)[: len(corners)]
    behind = _behind_bodies(tag_pixels, scene, view)
    fractions = np.mean(free[: len(corners)] & ~behind, axis=1)
    hidden = 1 - np.mean(free[len(corners) :], axis=1)
    return Truth(
        tuple(
            TagTruth(
                thing.tag,
                cell_at(board, thing.x_mm, thing.y_mm),
                heading_of(board.grid, thing.angle_degrees),
                thing.angle_degrees,
                thing.x_mm,
                thing.y_mm,
                bool(fraction >= VISIBLE),
                float(fraction),
            )
            for thing, fraction in zip(scene.things, fractions, strict=True)
        ),
        tuple(float(part) for part in hidden),
    )


def _samples(squares: Points) -> Points:
    """Points spread evenly over squares that are given by their corners."""
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    u, v = (n.ravel()[None, :, None] for n in np.meshgrid(steps, steps))
    corner, right, _, down = (squares[:, i, None] for i in range(4))
    return np.asarray((corner + u * (right - corner) + v * (down - corner)).reshape(-1, 2))


def _in_picture(pixels: Points, view: View) -> Mask:
    size = (view.width - 0.5, view.height - 0.5)
    return np.asarray(((pixels >= -0.5) & (pixels <= size)).all(axis=1))


def _under_hands(pixels: Points, scene: Scene, view: View) -> Mask:
    hidden = np.zeros(len(pixels), bool)
    for hand in scene.hands:
        hidden |= hands.outside_mm(hand, view.on_board(pixels, hand.height_mm)) < 0
    return hidden


def _behind_bodies(tag_pixels: Points, scene: Scene, view: View) -> Mask:
    """Which samples of each thing's tag are hidden by things that are painted later."""
    hidden = np.zeros(tag_pixels.shape[:2], bool)
    # Caps are all at one height: only pieces that stand in each other's way hide a tag.
    reach = 2 * scene.board.cap_mm
    painted = sorted(range(len(scene.things)), key=lambda i: -from_camera(scene.things[i], view))
    for later, number in enumerate(painted):
        nearer = scene.things[number]
        blocks = standing(nearer, scene.board, scene.players)
        for i in painted[:later]:
            thing = scene.things[i]
            if np.hypot(thing.x_mm - nearer.x_mm, thing.y_mm - nearer.y_mm) > reach:
                continue
            for prism, outline in blocks:
                sides = [view.project(outline, h) for h in (prism.bottom_mm, prism.top_mm)]
                hidden[i] |= _inside(tag_pixels[i], np.vstack(sides))
    return hidden


def _inside(points: Points, cloud: Points) -> Mask:
    """Which points lie within the convex hull of a cloud."""
    hull = cv2.convexHull(cloud.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    along = np.roll(hull, -1, axis=0) - hull
    to_point = points[:, None] - hull
    turn = along[:, 0] * to_point[..., 1] - along[:, 1] * to_point[..., 0]
    return np.asarray((turn > 0).all(axis=1) | (turn < 0).all(axis=1))
