"""Pieces as small pictures: side faces, cap and print, antialiased, ready to lay over a frame.

A sprite depends on the piece, the camera and the lamp of the room, on nothing else, so it is
drawn once for as long as none of them moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np

from engine.draw import palette
from engine.draw.palette import paints
from vision import tags
from vision.board import PhysicalBoard
from vision.scene.bodies import WHITE, Outline, Prism, prisms, rounded
from vision.scene.camera import toned
from vision.scene.planes import Box, Image, Points, around, camera_mm
from vision.scene.prints import INK, Cap, Prints
from vision.scene.surface import SUBPIXEL, Reflectance, fixed, reflectance
from vision.scene.table import Room, Thing
from vision.view import View

FINER = 3
INK_PX_PER_MODULE = 32
INK_GAIN_PX = 1  # ink runs: about 0.1 mm on each side of a tag of 26 mm
LABEL_MARGIN_MM = 4.0
BAND_MM = 6.0  # side faces are shaded in bands of about this height
TYPICAL_SHADE = 0.4  # of a side face in the light of the room alone
LEAST_BODY_MM = 0.5  # lower caps lie on the board
TWILIGHT_MM = 14.0  # below this the board keeps light from a side face


@dataclass(frozen=True, eq=False)
class Sprite:
    """A thing in the picture; its colour is multiplied with its opacity already."""

    box: Box
    colour: Reflectance
    opacity: Reflectance  # one channel
    sideways: Reflectance  # what it reflects of the light that comes out of the board


def turned(outline: Outline | Points, degrees: float, x: float = 0.0, y: float = 0.0) -> Points:
    """An outline turned clockwise and moved."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return np.asarray(np.asarray(outline) @ np.array([[c, s], [-s, c]]) + np.array((x, y)))


def square_mm(width: float, x: float, y: float, degrees: float = 0.0) -> Points:
    """The corners of a square, clockwise from the upper left."""
    return rectangle_mm(width, width, x, y, degrees)


def rectangle_mm(width: float, height: float, x: float, y: float, degrees: float) -> Points:
    """The corners of a rectangle around a point, in the same order."""
    w, h = width / 2, height / 2
    return turned(((-w, -h), (w, -h), (w, h), (-w, h)), degrees, x, y)


def standing(
    thing: Thing, board: PhysicalBoard, players: tuple[str, ...]
) -> list[tuple[Prism, Points]]:
    """The prisms of a thing, from below, with their outlines on the board."""
    degrees = thing.angle_degrees + thing.piece.orientation * 360 / board.grid.headings
    blocks = prisms(thing.piece, board, paints(players)[thing.piece.owner])
    return [(each, turned(each.outline, degrees, thing.x_mm, thing.y_mm)) for each in blocks]


@lru_cache(maxsize=128)
def piece_sprite(
    thing: Thing,
    board: PhysicalBoard,
    view: View,
    room: Room,
    players: tuple[str, ...],
    grey: bool = False,
    prints: Prints | None = None,
) -> Sprite | None:
    """A piece, or None if it is outside the picture; a cap of paper, where there is one."""
    paper = None if prints is None else prints.caps.get(thing.tag)
    at = (thing.x_mm, thing.y_mm, thing.angle_degrees)
    eye = camera_mm(view)
    blocks = standing(thing, board, players)
    # Prisms at the same level stand side by side: the far one comes first.
    blocks.sort(key=lambda b: (b[0].bottom_mm, -float(np.hypot(*(b[1].mean(axis=0) - eye[:2])))))
    outlines = [
        view.project(outline, height)
        for block, outline in blocks
        for height in (block.bottom_mm, block.top_mm)
    ]
    edge = square_mm(board.tag_mm, *at)
    if paper is not None:
        edge = rectangle_mm(paper.width_mm, paper.height_mm, *at)
    corners = view.project(edge, board.cap_height_mm)
    canvas = _Canvas.around(view, np.vstack([*outlines, corners]))
    if canvas is None:
        return None
    if paper is not None and board.cap_height_mm < LEAST_BODY_MM:
        blocks = []  # nothing but paper
    for block, outline in blocks:
        canvas.draw(block, outline, view, eye, room)
    if paper is None:
        canvas.print_tag(thing.tag, corners)
    else:
        canvas.lay(paper, corners)
    return canvas.sprite(grey)


@lru_cache(maxsize=8)
def label_sprite(tag: int, x_mm: float, y_mm: float, width_mm: float, view: View) -> Sprite | None:
    """A tag on a white label that lies flat on the board."""
    outline = view.project(turned(rounded(width_mm + 2 * LABEL_MARGIN_MM, 2.0), 0.0, x_mm, y_mm))
    canvas = _Canvas.around(view, outline)
    if canvas is None:
        return None
    canvas.fill(outline, reflectance(WHITE))
    canvas.silhouette(outline)
    canvas.print_tag(tag, view.project(square_mm(width_mm, x_mm, y_mm)))
    return canvas.sprite()


class _Canvas:
    """A part of the picture, several times finer, while something is drawn on it."""

    def __init__(self, box: Box) -> None:
        self.box = box
        shape = (box.height * FINER, box.width * FINER)
        self.colour = np.zeros((*shape, 4), np.float32)  # the fourth: does it face sideways?
        self.opacity = np.zeros(shape, np.float32)

    @classmethod
    def around(cls, view: View, pixels: Points) -> _Canvas | None:
        box = around(pixels, view)
        return None if box is None else cls(box)

    def _fine(self, pixels: Points) -> Points:
        return self.box.finer(pixels, FINER)

    def fill(self, pixels: Points, colour: Reflectance, sideways: float = 0.0) -> None:
        paint = [*(float(channel) for channel in colour), sideways]
        cv2.fillPoly(self.colour, [fixed(self._fine(pixels))], paint, shift=SUBPIXEL)

    def silhouette(self, pixels: Points) -> None:
        hull = cv2.convexHull(self._fine(pixels).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(self.opacity, fixed(hull), 1.0, shift=SUBPIXEL)

    def draw(self, prism: Prism, outline: Points, view: View, eye: Points, room: Room) -> None:
        low, high = (view.project(outline, h) for h in (prism.bottom_mm, prism.top_mm))
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

    def lay(self, paper: Cap, corners: Points) -> None:
        """A cap of paper, over all that is drawn already."""
        rows, columns = paper.opacity.shape
        source = np.array(
            [(-0.5, -0.5), (columns - 0.5, -0.5), (columns - 0.5, rows - 0.5), (-0.5, rows - 0.5)],
            np.float32,
        )
        to_fine = cv2.getPerspectiveTransform(source, self._fine(corners).astype(np.float32))
        size = (self.opacity.shape[1], self.opacity.shape[0])
        whole = np.dstack([paper.colour * paper.opacity[..., None], paper.opacity])
        over = np.asarray(cv2.warpPerspective(whole, to_fine, size, flags=cv2.INTER_LINEAR))
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
        seen_colour = toned(colour[..., :3].copy(), grey)
        sideways = seen_colour * colour[..., 3:] / TYPICAL_SHADE
        return Sprite(self.box, seen_colour, opacity[..., None], sideways)


def _shade(colour: str, middle_mm: float, level: float, nx: float, ny: float, room: Room) -> float:
    """How bright a band of an upright face with that normal is; 1 is what lies in full light."""
    if colour == palette.SILVER:
        # A mirror shows the dark board below its middle and the bright room above.
        return 0.12 + 0.1 * level if level < 0.45 else 0.5 + 0.5 * level
    lamp, elevation = radians(room.lamp_degrees), radians(room.elevation_degrees)
    towards = max(0.0, nx * sin(lamp) - ny * cos(lamp)) * cos(elevation) / sin(elevation)
    open_sky = 0.45 + 0.4 * min(1.0, middle_mm / TWILIGHT_MM)
    return open_sky * room.ambient + (1 - room.ambient) * towards


@lru_cache(maxsize=64)
def _ink(tag: int) -> Image:
    """How much ink there is on a tag and `INK_GAIN_PX` around it."""
    black = (1 - tags.modules(tag)).astype(np.float32)
    meant = np.kron(black, np.ones((INK_PX_PER_MODULE, INK_PX_PER_MODULE), np.float32))
    reach = 2 * INK_GAIN_PX + 1
    return np.asarray(cv2.dilate(np.pad(meant, INK_GAIN_PX), np.ones((reach, reach), np.uint8)))
