"""Hands over the board: fingers, palm, wrist and sleeve as tapered rods in millimetres.

A hand has its own coordinates: the origin is between the fingertips, the arm points down (+y). It
is drawn as a flat image at the hand's height, shaded as if it were round.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.scene.camera import to_sensor_channels
from vision.scene.projection import Image, Points, Raster
from vision.scene.table import Colour, Hand

PX_PER_MM = 1.5
LEFT_MM, TOP_MM, WIDTH_MM, LENGTH_MM = -75.0, -15.0, 175.0, 800.0


class Rod(NamedTuple):
    """A tapered rod with round ends; `lift` is the height of its axis above the lowest rod."""

    x1: float
    y1: float
    r1: float
    x2: float
    y2: float
    r2: float
    lift: float = 0.0


FLESH = (
    Rod(2, 1, 6.8, 10, 26, 8.0, 4),  # index finger
    Rod(10, 26, 8.0, 20, 62, 9.6, 9),
    Rod(20, 8, 7.2, 27, 34, 8.4, 3),  # middle finger
    Rod(27, 34, 8.4, 31, 66, 9.8, 8),
    Rod(36, 26, 7.0, 41, 48, 8.0, 1),  # ring finger
    Rod(41, 48, 8.0, 42, 74, 9.2, 6),
    Rod(51, 47, 6.2, 53, 64, 7.0, -2),  # little finger
    Rod(53, 64, 7.0, 51, 84, 8.4, 3),
    Rod(-7, 12, 7.6, -17, 40, 9.2, 0),  # thumb
    Rod(-17, 40, 9.2, -3, 84, 14.0, 2),
    Rod(18, 72, 14.0, 46, 84, 13.0, 6),  # back of the hand
    Rod(10, 92, 19.0, 40, 98, 17.0, 4),
    Rod(22, 100, 25.0, 22, 132, 23.0, 2),
    Rod(22, 132, 23.0, 22, 178, 22.0, 2),  # wrist
    Rod(22, 178, 22.0, 22, 300, 30.0, 2),
)
CLOTH = (
    Rod(22, 196, 34.0, 22, 206, 35.0, 8),  # cuff
    Rod(22, 206, 32.0, 22, 900, 52.0, 6),
)
NAILS = ((0.5, -1.0, 3.4, 4.6, 18.0), (19.0, 5.5, 3.5, 4.6, 14.0), (-6.0, 8.5, 4.0, 5.0, -20.0))


def outside_mm(hand: Hand, points_mm: Points) -> npt.NDArray[np.float64]:
    """Distance of points at the hand's height from its outline; negative inside."""
    x, y = _own_frame(hand, points_mm).T
    return np.asarray(np.min([_distance(rod, x, y)[0] for rod in (*FLESH, *CLOTH)], axis=0))


def to_board(hand: Hand) -> npt.NDArray[np.float64]:
    """The matrix for (x, y, 1) from hand to board coordinates."""
    c, s = cos(radians(hand.arm_degrees)), sin(radians(hand.arm_degrees))
    mirror = -1 if hand.left else 1
    # At 180 degrees the arm points down the board, as it is drawn.
    return np.array([[-c * mirror, s, hand.x_mm], [-s * mirror, -c, hand.y_mm], [0, 0, 1.0]])


def mask(hand: Hand, area: Raster, shift_mm: Points) -> Image:
    """The outline of a hand in a raster of the board, shifted: its shadow."""
    rods, own = _draw_hand(hand.skin, hand.sleeve, 0)
    move = np.array([[1, 0, shift_mm[0]], [0, 1, shift_mm[1]], [0, 0, 1.0]])
    matrix = area.matrix() @ move @ to_board(hand) @ np.linalg.inv(own.matrix())
    rows, columns = area.shape
    return cv2.warpAffine(
        np.ascontiguousarray(rods[..., 3]), matrix[:2], (columns, rows), flags=cv2.INTER_LINEAR
    )


def texture(hand: Hand, lamp_degrees: float, grey: bool = False) -> tuple[Image, Raster]:
    """The hand in its own coordinates, blue first, premultiplied with the opacity in the last
    channel."""
    relative = lamp_degrees - hand.arm_degrees + 180
    if hand.left:
        relative = -relative
    return _draw_hand(hand.skin, hand.sleeve, round(relative / 10) * 10 % 360, grey)


def _own_frame(hand: Hand, points_mm: Points) -> Points:
    flat = np.column_stack([points_mm, np.ones(len(points_mm))])
    return np.asarray((flat @ np.linalg.inv(to_board(hand)).T)[:, :2])


def _distance(rod: Rod, x: Image, y: Image) -> tuple[Image, Image]:
    """Distance from the outline of a rod, and the rod's radius there."""
    dx, dy = rod.x2 - rod.x1, rod.y2 - rod.y1
    along = np.clip(((x - rod.x1) * dx + (y - rod.y1) * dy) / (dx * dx + dy * dy), 0, 1)
    radius = rod.r1 + along * (rod.r2 - rod.r1)
    return np.hypot(x - rod.x1 - along * dx, y - rod.y1 - along * dy) - radius, radius


def _relief(rods: tuple[Rod, ...], x: Image, y: Image) -> tuple[Image, Image]:
    """The height of the rods, and the distance from their common outline."""
    height = np.full(np.broadcast_shapes(x.shape, y.shape), -40.0, np.float32)
    nearest = np.full(height.shape, 1e3, np.float32)
    for rod in rods:
        away, radius = _distance(rod, x, y)
        inside = np.clip(-away / radius, 0, 1)
        round_ = rod.lift + radius * np.sqrt(1 - (1 - inside) ** 2)
        height = np.maximum(height, np.where(away < 0, round_, -40.0).astype(np.float32))
        nearest = np.minimum(nearest, away.astype(np.float32))
    return height, nearest


@lru_cache(maxsize=16)
def _draw_hand(
    skin: Colour, sleeve: Colour, lamp_degrees: int, grey: bool = False
) -> tuple[Image, Raster]:
    """Draw a right hand whose arm points down, lit from `lamp_degrees`."""
    own = Raster(LEFT_MM, TOP_MM, WIDTH_MM, LENGTH_MM, PX_PER_MM)
    x, y = own.millimetres()
    flesh, flesh_away = _relief(FLESH, x, y)
    cloth, cloth_away = _relief(CLOTH, x, y)
    folds = 1.2 * np.sin(y / 11 + 0.9 * np.sin(x / 17)) + 0.8 * np.sin(y / 4.7 + x / 9)
    cloth = cloth + np.where(y > 208, folds, 0).astype(np.float32)
    in_sleeve = cloth_away < flesh_away - 2
    height = np.where(cloth_away < 0, cloth, flesh)
    smooth = np.asarray(cv2.GaussianBlur(np.maximum(height, -6), (0, 0), 1.6 * PX_PER_MM))
    light = _lambert(smooth, lamp_degrees)
    colour = np.where(
        (cloth_away < 0)[..., None], np.array(sleeve[::-1]), _skin(skin, x, y)
    ).astype(np.float32)
    crease = np.clip(
        (smooth - np.asarray(cv2.GaussianBlur(smooth, (0, 0), 4 * PX_PER_MM))) / 5, -1, 0
    )
    away = np.where(in_sleeve, cloth_away, np.minimum(flesh_away, cloth_away))
    opacity = np.clip(0.5 - away * PX_PER_MM, 0, 1).astype(np.float32)
    lit = to_sensor_channels(
        np.asarray(colour * (light * (1 + 0.45 * crease))[..., None], np.float32), grey
    )
    return np.dstack([lit * opacity[..., None], opacity]).astype(np.float32), own


def _skin(skin: Colour, x: Image, y: Image) -> Image:
    """Skin colour: redder at knuckles and fingertips, with nails."""
    base = np.broadcast_to(np.array(skin[::-1]), (*np.broadcast_shapes(x.shape, y.shape), 3))
    warm = np.zeros(base.shape[:2])
    for rod in FLESH[:10:2]:
        for px, py in ((rod.x1, rod.y1), (rod.x2, rod.y2)):
            warm = np.maximum(warm, np.exp(-((x - px) ** 2 + (y - py) ** 2) / 60))
    tinted = base * (1 - warm[..., None] * np.array([0.25, 0.2, 0.02]))
    for nx, ny, half, long, degrees in NAILS:
        c, s = cos(radians(degrees)), sin(radians(degrees))
        u, v = (x - nx) * c + (y - ny) * s, (y - ny) * c - (x - nx) * s
        shape = np.clip(3 * (1.15 - np.hypot(u / half, v / long)), 0, 1)[..., None]
        tinted = tinted * (1 - shape) + shape * (0.55 * base + 0.45 * np.array([0.55, 0.6, 0.85]))
    return np.asarray(tinted)


def _lambert(height: Image, lamp_degrees: float) -> Image:
    """Lambertian shading of a relief in millimetres."""
    down, across = np.gradient(height, 1 / PX_PER_MM)
    length = np.sqrt(1 + down**2 + across**2)
    angle = radians(lamp_degrees)
    towards = (1.0 - 0.75 * (across * sin(angle) - down * cos(angle))) / length
    return np.asarray(0.42 + 0.58 * np.clip(towards, 0, 1.5))
