"""Light on the board and on the caps: shadows, LED glow, reflections.

All of it is drawn from above in millimetres. It is soft, so one pixel per millimetre is enough.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin, tan

import cv2
import numpy as np

from vision.board import HALF_HEXAGON, PhysicalBoard
from vision.scene import hands
from vision.scene.camera import to_sensor_channels
from vision.scene.projection import Image, Points, Raster
from vision.scene.sprites import placed_prisms
from vision.scene.surface import SUBPIXEL, Reflectance, board_raster, to_fixed_point, transmission
from vision.scene.table import LedLight, RoomLight, Scene, ScenePiece, cell_at

PX_PER_MM = 1.0
AROUND_MM = 160.0
PENUMBRA = 0.09  # millimetres of soft edge per millimetre of height
MAX_SHADOW = 0.92  # share of the lamp's light missing in the core of a shadow
CONTACT = 0.3  # share of the ambient light missing at the foot of a piece
GLOW_MM = 15.0  # standard deviation of an LED's light in its own tile
LEAK = 0.03  # share of an LED's light that leaks into neighbouring tiles
LEAK_MM = 34.0
LEAK_STEP_MM = 8.0
SIDE_LIGHT = 0.22  # share of an LED's light that reaches the side of a piece next to it
SIDE_REACH_MM = 30.0
BOARD_THICKNESS_MM = 14.0
BOARD_GLOSS = 0.55  # strength of a reflection on the board; on caps it is 1


def light_raster(board: PhysicalBoard) -> Raster:
    (width, height), out = board.size_mm, AROUND_MM
    return Raster(-out, -out, width + 2 * out, height + 2 * out, PX_PER_MM)


@lru_cache(maxsize=4)
def piece_shadows(
    board: PhysicalBoard, pieces: tuple[ScenePiece, ...], room: RoomLight, players: tuple[str, ...]
) -> Reflectance:
    """The light on the board with only the shadows of pieces."""
    area = light_raster(board)
    cast = np.zeros(area.shape, np.float32)
    feet = np.zeros(area.shape, np.float32)
    for piece in pieces:
        for prism, outline in placed_prisms(piece, board, players):
            tips = np.vstack(
                [outline + _shadow_offset_mm(room, h) for h in (prism.bottom_mm, prism.top_mm)]
            )
            hull = cv2.convexHull(area.pixels(tips).astype(np.float32)).reshape(-1, 2)
            cv2.fillConvexPoly(cast, to_fixed_point(hull), 1.0, shift=SUBPIXEL)
            if prism.bottom_mm == 0:
                cv2.fillPoly(feet, [to_fixed_point(area.pixels(outline))], 1.0, shift=SUBPIXEL)
    _drop_board_shadow(cast, board, room)
    softness = 0.8 + PENUMBRA * board.cap_height_mm / 2
    shadow = cv2.GaussianBlur(cast, (0, 0), softness * PX_PER_MM)
    contact = cv2.GaussianBlur(feet, (0, 0), 5 * PX_PER_MM)
    return np.asarray(
        room.ambient * (1 - CONTACT * contact) + (1 - room.ambient) * (1 - MAX_SHADOW * shadow),
        np.float32,
    )


def _drop_board_shadow(cast: Reflectance, board: PhysicalBoard, room: RoomLight) -> None:
    """Add the board's own shadow on the table."""
    area, outline = light_raster(board), board_raster(board).outline_mm()
    on_table = np.zeros(area.shape, np.float32)
    for points, shadow in (
        (outline + _shadow_offset_mm(room, BOARD_THICKNESS_MM), 1.0),
        (outline, 0.0),
    ):
        cv2.fillConvexPoly(on_table, to_fixed_point(area.pixels(points)), shadow, shift=SUBPIXEL)
    np.maximum(cast, on_table, out=cast)


def room_light(scene: Scene, height_mm: float) -> Reflectance | None:
    """The share of the room's light that reaches a plane, after shadows and hands; None is all."""
    room = scene.room
    if not room.shadows and not scene.hands:
        return None
    area = light_raster(scene.board)
    left = np.ones(area.shape, np.float32)
    x, y = area.millimetres()
    for edge in room.shadows:
        angle = radians(edge.towards_degrees)
        beyond = (x - edge.x_mm) * sin(angle) - (y - edge.y_mm) * cos(angle)
        left *= 1 - edge.depth / (1 + np.exp(-np.clip(beyond / edge.softness_mm * 4, -30, 30)))
    for hand in scene.hands:
        above = hand.height_mm - height_mm
        if above <= 0:
            continue
        mask = hands.mask(hand, area, _shadow_offset_mm(room, above))
        softness = (1 + PENUMBRA * above) * PX_PER_MM
        soft = cv2.GaussianBlur(mask, (0, 0), softness)
        # A hand above a place also takes away part of the ambient light.
        left *= 1 - (MAX_SHADOW * (1 - room.ambient) + 0.35 * room.ambient) * np.asarray(soft)
    return left


def reflections(scene: Scene) -> Reflectance | None:
    """Reflections of room lamps on glossy surfaces, independent of the print."""
    if not scene.room.reflections:
        return None
    area = light_raster(scene.board)
    x, y = area.millimetres()
    total = np.zeros(area.shape, np.float32)
    for spot in scene.room.reflections:
        away = (x - spot.x_mm) ** 2 + (y - spot.y_mm) ** 2
        total += spot.strength * np.exp(-away / (2 * spot.radius_mm**2))
    return total


def led_glow(
    board: PhysicalBoard, leds: tuple[LedLight, ...], grey: bool = False
) -> tuple[Reflectance, Raster]:
    """The light that leaves the board, blue first, and where it does."""
    channels = 1 if grey else 3
    width, height = board.size_mm
    area = Raster(0.0, 0.0, width, height, PX_PER_MM)
    light = np.zeros((*area.shape, channels), np.float32)
    coarse = Raster(0.0, 0.0, width, height, 1 / LEAK_STEP_MM)
    leaked = np.zeros((*coarse.shape, channels), np.float32)
    for led in leds:
        if not any(led.rgb):
            continue
        colour = to_sensor_channels(np.array(led.rgb[::-1], np.float32), grey)
        _add(leaked, np.ones((1, 1), np.float32), coarse, (led.x_mm, led.y_mm), colour)
        below = _tile_over_led(board, area, led.x_mm, led.y_mm)
        if below is not None:
            centre, *off = below
            _add(light, _tile(board, *off), area, centre, colour)
    wide = LEAK_MM / LEAK_STEP_MM
    spread = cv2.GaussianBlur(leaked, (0, 0), wide, borderType=cv2.BORDER_CONSTANT)
    rows, columns = area.shape
    all_over = np.asarray(cv2.resize(spread, (columns, rows))).reshape(light.shape)
    light += LEAK * 2 * np.pi * wide**2 * all_over
    light *= _transmission(board, area)[..., None]
    return light, area


def side_light(pieces: tuple[ScenePiece, ...], leds: tuple[LedLight, ...]) -> Reflectance:
    """The LED light on the sides of each piece, blue first."""
    if not pieces or not leds:
        return np.zeros((len(pieces), 3), np.float32)
    standing_at = np.array([(piece.x_mm, piece.y_mm) for piece in pieces])
    shining_at = np.array([(led.x_mm, led.y_mm) for led in leds])
    colours = np.array([led.rgb[::-1] for led in leds])
    away = np.sum((standing_at[:, None] - shining_at) ** 2, axis=-1)
    return np.asarray(SIDE_LIGHT * np.exp(-away / (2 * SIDE_REACH_MM**2)) @ colours, np.float32)


def _shadow_offset_mm(room: RoomLight, height_mm: float) -> Points:
    """Offset of the shadow of an object at that height."""
    length = height_mm / tan(radians(room.elevation_degrees))
    angle = radians(room.lamp_degrees)
    return np.array([-length * sin(angle), length * cos(angle)])


@lru_cache(maxsize=4)
def _transmission(board: PhysicalBoard, area: Raster) -> Reflectance:
    return transmission(board, area)


@lru_cache(maxsize=2048)
def _tile_over_led(
    board: PhysicalBoard, area: Raster, x_mm: float, y_mm: float
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]] | None:
    """The centre of the tile above an LED, its `_rounding`, and the LED relative to it."""
    cell = cell_at(board, x_mm, y_mm)
    if cell is None:
        return None
    x, y = board.centre_mm(cell)
    return (x, y), _rounding(area, (x, y)), (x_mm - x, y_mm - y)


def _rounding(area: Raster, at_mm: tuple[float, float]) -> tuple[float, float]:
    """From a point to the centre of the pixel at which `_add` places a spot, in millimetres."""
    exact = area.pixels(at_mm)[0]
    x, y = (np.rint(exact) - exact) / area.px_per_mm
    return round(float(x), 3), round(float(y), 3)


@lru_cache(maxsize=64)
def _tile(
    board: PhysicalBoard, middle_mm: tuple[float, float], led_mm: tuple[float, float]
) -> Image:
    """The light of an LED in its own tile. Opaque walls keep it in.

    Both points are relative to the centre of the cell: the centre of the image, and the LED.
    """
    reach = round(board.cell_mm * HALF_HEXAGON * PX_PER_MM)
    steps = np.arange(-reach, reach + 1, dtype=np.float32) / PX_PER_MM
    x, y = steps[None, :] + middle_mm[0], steps[:, None] + middle_mm[1]
    away = (x - led_mm[0]) ** 2 + (y - led_mm[1]) ** 2
    profile = 0.35 + 0.65 * np.exp(-away / (2 * GLOW_MM**2))
    for heading in range(board.grid.headings):
        angle = radians(board.grid.degrees(heading))
        beyond = x * sin(angle) - y * cos(angle) - board.cell_mm / 2
        profile = profile * np.clip(0.5 - beyond * PX_PER_MM, 0, 1)
    return np.asarray(profile, np.float32)


def _add(
    light: Reflectance, spot: Image, area: Raster, at_mm: tuple[float, float], colour: Reflectance
) -> None:
    """Add a coloured spot around a point, clipped at the edges."""
    rows, columns = light.shape[:2]
    column, row = np.rint(area.pixels(at_mm)[0]).astype(int)
    left, top = column - spot.shape[1] // 2, row - spot.shape[0] // 2
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + spot.shape[1], columns), min(top + spot.shape[0], rows)
    if x0 < x1 and y0 < y1:
        part = spot[y0 - top : y1 - top, x0 - left : x1 - left]
        light[y0:y1, x0:x1] += part[..., None] * colour
