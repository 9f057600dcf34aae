"""Pieces as small antialiased images: side faces, cap and print, to lay over a frame.

A sprite depends only on the piece, the camera and the room lamp, so it is cached while none of them
moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np

from engine.draw import palette
from engine.draw.palette import player_paints
from vision import tags
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel
from vision.scene.camera import to_sensor_channels
from vision.scene.piece_shapes import WHITE, Outline, Prism, piece_prisms, rounded_square
from vision.scene.prints import INK, PaperCap, PrintedSet
from vision.scene.projection import Box, Image, Points, bounding_box, camera_position_mm
from vision.scene.surface import SUBPIXEL, Reflectance, reflectance, to_fixed_point
from vision.scene.table import RoomLight, ScenePiece

FINER = 3
INK_PX_PER_MODULE = 32
INK_GAIN_PX = 1  # printed ink spreads: about 0.1 mm on each side of a tag of 26 mm
LABEL_MARGIN_MM = 4.0
BAND_MM = 6.0  # side faces are shaded in bands of about this height
TYPICAL_SHADE = 0.4  # of a side face in room light alone
MIN_BODY_MM = 0.5  # lower caps lie on the board
TWILIGHT_MM = 14.0  # below this height the board blocks light from a side face


@dataclass(frozen=True, eq=False)
class Sprite:
    """A piece in the image. Its colour is premultiplied with its opacity."""

    box: Box
    colour: Reflectance
    opacity: Reflectance  # one channel
    side_colour: Reflectance  # reflectance for LED light


def rotate_outline(
    outline: Outline | Points, degrees: float, x: float = 0.0, y: float = 0.0
) -> Points:
    """An outline rotated clockwise and moved."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return np.asarray(np.asarray(outline) @ np.array([[c, s], [-s, c]]) + np.array((x, y)))


def square_mm(width: float, x: float, y: float, degrees: float = 0.0) -> Points:
    """The corners of a square, clockwise from the upper left."""
    return rectangle_mm(width, width, x, y, degrees)


def rectangle_mm(width: float, height: float, x: float, y: float, degrees: float) -> Points:
    """The corners of a rectangle around a point, clockwise from the upper left."""
    w, h = width / 2, height / 2
    return rotate_outline(((-w, -h), (w, -h), (w, h), (-w, h)), degrees, x, y)


def placed_prisms(
    placed: ScenePiece, board: PhysicalBoard, players: tuple[str, ...]
) -> list[tuple[Prism, Points]]:
    """The prisms of a piece from below, with their outlines on the board."""
    degrees = placed.angle_degrees + placed.piece.orientation * 360 / board.grid.headings
    blocks = piece_prisms(placed.piece, board, player_paints(players)[placed.piece.owner])
    return [
        (each, rotate_outline(each.outline, degrees, placed.x_mm, placed.y_mm)) for each in blocks
    ]


@lru_cache(maxsize=128)
def piece_sprite(
    placed: ScenePiece,
    board: PhysicalBoard,
    camera: CameraModel,
    room: RoomLight,
    players: tuple[str, ...],
    grey: bool = False,
    prints: PrintedSet | None = None,
) -> Sprite | None:
    """The sprite of a piece, with a paper cap where there is one; None outside the image."""
    paper = None if prints is None else prints.caps.get(placed.tag)
    at = (placed.x_mm, placed.y_mm, placed.angle_degrees)
    eye = camera_position_mm(camera)
    blocks = placed_prisms(placed, board, players)
    # Prisms at the same level stand side by side: paint the far one first.
    blocks.sort(key=lambda b: (b[0].bottom_mm, -float(np.hypot(*(b[1].mean(axis=0) - eye[:2])))))
    outlines = [
        camera.project(outline, height)
        for block, outline in blocks
        for height in (block.bottom_mm, block.top_mm)
    ]
    edge = square_mm(board.tag_mm, *at)
    if paper is not None:
        edge = rectangle_mm(paper.width_mm, paper.height_mm, *at)
    corners = camera.project(edge, board.cap_height_mm)
    canvas = _Canvas.around(camera, np.vstack([*outlines, corners]))
    if canvas is None:
        return None
    if paper is not None and board.cap_height_mm < MIN_BODY_MM:
        blocks = []  # paper only
    for block, outline in blocks:
        canvas.draw(block, outline, camera, eye, room)
    if paper is None:
        canvas.print_tag(placed.tag, corners)
    else:
        canvas.lay_paper(paper, corners)
    return canvas.sprite(grey)


@lru_cache(maxsize=8)
def label_sprite(
    tag: int, x_mm: float, y_mm: float, width_mm: float, camera: CameraModel
) -> Sprite | None:
    """A tag on a white label that lies flat on the board."""
    outline = camera.project(
        rotate_outline(rounded_square(width_mm + 2 * LABEL_MARGIN_MM, 2.0), 0.0, x_mm, y_mm)
    )
    canvas = _Canvas.around(camera, outline)
    if canvas is None:
        return None
    canvas.fill(outline, reflectance(WHITE))
    canvas.silhouette(outline)
    canvas.print_tag(tag, camera.project(square_mm(width_mm, x_mm, y_mm)))
    return canvas.sprite()


class _Canvas:
    """A part of the image at several times its resolution, to draw on."""

    def __init__(self, box: Box) -> None:
        self.box = box
        shape = (box.height * FINER, box.width * FINER)
        self.colour = np.zeros((*shape, 4), np.float32)  # the fourth channel marks side faces
        self.opacity = np.zeros(shape, np.float32)

    @classmethod
    def around(cls, camera: CameraModel, pixels: Points) -> _Canvas | None:
        box = bounding_box(pixels, camera)
        return None if box is None else cls(box)

    def _fine(self, pixels: Points) -> Points:
        return self.box.to_finer(pixels, FINER)

    def fill(self, pixels: Points, colour: Reflectance, sideways: float = 0.0) -> None:
        paint = [*(float(channel) for channel in colour), sideways]
        cv2.fillPoly(self.colour, [to_fixed_point(self._fine(pixels))], paint, shift=SUBPIXEL)

    def silhouette(self, pixels: Points) -> None:
        hull = cv2.convexHull(self._fine(pixels).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(self.opacity, to_fixed_point(hull), 1.0, shift=SUBPIXEL)

    def draw(
        self, prism: Prism, outline: Points, camera: CameraModel, eye: Points, room: RoomLight
    ) -> None:
        low, high = (camera.project(outline, h) for h in (prism.bottom_mm, prism.top_mm))
        height = prism.top_mm - prism.bottom_mm
        bands = max(1, round(height / BAND_MM))
        for i in range(len(outline)):
            j = (i + 1) % len(outline)
            (x, y), (dx, dy) = outline[i], outline[j] - outline[i]
            if dy * (eye[0] - x) - dx * (eye[1] - y) <= 0:
                continue
            colour = prism.faces[i] if prism.faces else prism.colour
            length = np.hypot(dx, dy)
            for band in range(bands):
                a, b = band / bands, (band + 1) / bands
                quad = np.stack(
                    [
                        low[i] + a * (high[i] - low[i]),
                        low[j] + a * (high[j] - low[j]),
                        low[j] + b * (high[j] - low[j]),
                        low[i] + b * (high[i] - low[i]),
                    ]
                )
                middle_mm = prism.bottom_mm + height * (a + b) / 2
                shade = _shade(colour, middle_mm, (a + b) / 2, dy / length, -dx / length, room)
                self.fill(quad, reflectance(colour) * np.float32(shade), 1.0)
        self.fill(high, reflectance(prism.colour))
        self.silhouette(np.vstack([low, high]))

    def print_tag(self, tag: int, corners: Points) -> None:
        ink = _ink(tag)
        near, far = INK_GAIN_PX - 0.5, len(ink) - INK_GAIN_PX - 0.5
        source = np.array([(near, near), (far, near), (far, far), (near, far)], np.float32)
        to_fine = cv2.getPerspectiveTransform(source, self._fine(corners).astype(np.float32))
        rows, columns = self.opacity.shape
        printed = cv2.warpPerspective(ink, to_fine, (columns, rows), flags=cv2.INTER_LINEAR)
        self.colour *= 1 - (1 - INK) * np.asarray(printed)[..., None]

    def lay_paper(self, paper: PaperCap, corners: Points) -> None:
        """Draw a paper cap over everything drawn so far."""
        rows, columns = paper.opacity.shape
        source = np.array(
            [(-0.5, -0.5), (columns - 0.5, -0.5), (columns - 0.5, rows - 0.5), (-0.5, rows - 0.5)],
            np.float32,
        )
        to_fine = cv2.getPerspectiveTransform(source, self._fine(corners).astype(np.float32))
        size = (self.opacity.shape[1], self.opacity.shape[0])
        premultiplied = np.dstack([paper.colour * paper.opacity[..., None], paper.opacity])
        over = np.asarray(cv2.warpPerspective(premultiplied, to_fine, size, flags=cv2.INTER_LINEAR))
        through = 1 - over[..., 3]
        self.colour *= through[..., None]
        self.colour[..., :3] += over[..., :3]
        self.opacity[:] = over[..., 3] + through * self.opacity

    def sprite(self, grey: bool = False) -> Sprite:
        size = (self.box.width, self.box.height)
        colour, opacity = (
            np.asarray(cv2.resize(each, size, interpolation=cv2.INTER_AREA), np.float32)
            for each in (self.colour, self.opacity)
        )
        seen_colour = to_sensor_channels(colour[..., :3].copy(), grey)
        sideways = seen_colour * colour[..., 3:] / TYPICAL_SHADE
        return Sprite(self.box, seen_colour, opacity[..., None], sideways)


def _shade(
    colour: str, middle_mm: float, level: float, nx: float, ny: float, room: RoomLight
) -> float:
    """Brightness of a band of an upright face; 1 is a horizontal face in full light."""
    if colour == palette.SILVER:
        # A mirror shows the dark board in its lower half and the bright room in its upper half.
        return 0.12 + 0.1 * level if level < 0.45 else 0.5 + 0.5 * level
    lamp, elevation = radians(room.lamp_degrees), radians(room.elevation_degrees)
    towards = max(0.0, nx * sin(lamp) - ny * cos(lamp)) * cos(elevation) / sin(elevation)
    open_sky = 0.45 + 0.4 * min(1.0, middle_mm / TWILIGHT_MM)
    return open_sky * room.ambient + (1 - room.ambient) * towards


@lru_cache(maxsize=64)
def _ink(tag: int) -> Image:
    """The ink of a tag, with `INK_GAIN_PX` around it."""
    black = (1 - tags.modules(tag)).astype(np.float32)
    meant = np.kron(black, np.ones((INK_PX_PER_MODULE, INK_PX_PER_MODULE), np.float32))
    reach = 2 * INK_GAIN_PX + 1
    return np.asarray(cv2.dilate(np.pad(meant, INK_GAIN_PX), np.ones((reach, reach), np.uint8)))
