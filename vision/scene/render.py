"""Renders a scene: linear light first, then the camera's frame."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.board import PhysicalBoard
from vision.camera_model import CameraModel
from vision.scene import hands, lighting
from vision.scene.camera import (
    FULL_SCALE,
    CameraConditions,
    Frame,
    Light,
    develop,
    to_sensor_channels,
)
from vision.scene.prints import PrintedSet
from vision.scene.projection import Image, Raster, bounding_box, camera_position_mm, warp_to_image
from vision.scene.sprites import Sprite, label_sprite, piece_sprite
from vision.scene.surface import (
    SUBPIXEL,
    board_raster,
    board_surface,
    table_raster,
    table_surface,
    to_fixed_point,
)
from vision.scene.table import Hand, RoomLight, Scene, ScenePiece
from vision.tags import CORNERS

FINER = 2
EDGE_POINTS = 24  # along each side of the board


def render(
    scene: Scene, camera: CameraModel, conditions: CameraConditions, rng: np.random.Generator
) -> Frame:
    """The frame that a camera takes of a scene: eight bits, blue first, or grey."""
    return develop(linear_light(scene, camera, conditions.grey), conditions, rng)


def linear_light(scene: Scene, camera: CameraModel, grey: bool = False) -> Light:
    """The linear light that reaches every pixel; 1 is white paper in full light."""
    board, room = scene.board, scene.room.without_shadows()
    image = _lit_ground(scene, camera, grey)
    area, cap_mm = lighting.light_raster(board), board.cap_height_mm
    gloss = lighting.reflections(scene)
    cap_light = _room_light_in_image(board, scene.room, scene.hands, camera, cap_mm)
    cap_gloss = None if gloss is None else _soft(gloss, board, camera, cap_mm)
    if gloss is not None:
        on_board = warp_to_image(lighting.BOARD_GLOSS * gloss, area.matrix(), camera)
        image += np.asarray(on_board)[..., None]
    glows = to_sensor_channels(lighting.side_light(scene.pieces, scene.led_lights), grey)
    for i in sorted(
        range(len(glows)), key=lambda i: -distance_from_camera_mm(scene.pieces[i], camera)
    ):
        sprite = piece_sprite(
            scene.pieces[i], board, camera, room, scene.players, grey, scene.prints
        )
        if sprite is not None:
            _lay_sprite(image, sprite, cap_light, cap_gloss, glows[i])
    for hand in sorted(scene.hands, key=lambda hand: hand.height_mm):
        _lay_hand(image, hand, scene, camera, grey)
    return image


def distance_from_camera_mm(piece: ScenePiece, camera: CameraModel) -> float:
    """Distance from the point below the camera. Nearer pieces are painted later."""
    x, y, _ = camera_position_mm(camera)
    return float(np.hypot(piece.x_mm - x, piece.y_mm - y))


def _lit_ground(scene: Scene, camera: CameraModel, grey: bool) -> Light:
    """The table and the board, lit by the room and by the LEDs."""
    room = scene.room.without_shadows()
    shaded = _shaded_ground(
        scene.board, scene.pieces, room, scene.players, camera, grey, scene.prints
    )
    image = shaded.copy()
    falling = _room_light_in_image(scene.board, scene.room, scene.hands, camera, 0.0)
    if falling is not None:
        image *= falling[..., None]
    if scene.led_lights:
        glow, area = lighting.led_glow(scene.board, scene.led_lights, grey)
        image += np.asarray(warp_to_image(glow, area.matrix(), camera)).reshape(image.shape)
    return image


@lru_cache(maxsize=2)
def _shaded_ground(
    board: PhysicalBoard,
    pieces: tuple[ScenePiece, ...],
    room: RoomLight,
    players: tuple[str, ...],
    camera: CameraModel,
    grey: bool,
    prints: PrintedSet | None,
) -> Light:
    falling = lighting.piece_shadows(board, pieces, room, players)
    return np.asarray(
        _ground(board, camera, grey, prints) * _soft(falling, board, camera, 0.0)[..., None]
    )


@lru_cache(maxsize=4)
def _room_light_in_image(
    board: PhysicalBoard,
    room: RoomLight,
    over: tuple[Hand, ...],
    camera: CameraModel,
    height_mm: float,
) -> Light | None:
    """The share of the room's light on a plane, in the image; None is all."""
    left = lighting.room_light(Scene(board, room=room, hands=over), height_mm)
    return None if left is None else _soft(left, board, camera, height_mm)


def _soft(
    raster_light: Image, board: PhysicalBoard, camera: CameraModel, height_mm: float
) -> Light:
    """A raster of light in the image, continued beyond its edges."""
    area = lighting.light_raster(board)
    found = warp_to_image(
        raster_light, area.matrix(), camera, height_mm, border=cv2.BORDER_REPLICATE
    )
    return np.asarray(found, np.float32)


@lru_cache(maxsize=4)
def _ground(
    board: PhysicalBoard, camera: CameraModel, grey: bool, prints: PrintedSet | None
) -> Light:
    """The table and the board under uniform light."""
    wood = table_surface(board), table_raster(board).matrix()
    table = warp_to_image(*wood, camera, border=cv2.BORDER_REFLECT_101)
    image = np.asarray(table, np.float32)
    if prints is not None:
        _lay_board(image, prints.surface, prints.raster, camera)
        return to_sensor_channels(image, grey)
    _lay_board(image, board_surface(board), board_raster(board), camera)
    for tag, (x, y) in zip(CORNERS, board.corner_tags_mm(), strict=True):
        sprite = label_sprite(tag, float(x), float(y), board.corner_mm, camera)
        if sprite is not None:
            _lay_sprite(image, sprite)
    return to_sensor_channels(image, grey)


def _lay_board(image: Light, surface: Image, raster: Raster, camera: CameraModel) -> None:
    # Lens distortion bends the edges of the board.
    corners = raster.outline_mm()
    steps = np.linspace(0, 1, EDGE_POINTS, endpoint=False)[:, None]
    edge = np.vstack(
        [a + steps * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    outline = camera.project(edge)
    box = bounding_box(outline, camera)
    if box is None:
        return
    size = (box.width, box.height)
    fine = warp_to_image(
        surface, raster.matrix(), camera, box=box, finer=FINER, border=cv2.BORDER_REPLICATE
    )
    drawn = (
        np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32) / FULL_SCALE
    )
    mask = np.zeros((box.height * FINER, box.width * FINER), np.float32)
    cv2.fillPoly(mask, [to_fixed_point(box.to_finer(outline, FINER))], 1.0, shift=SUBPIXEL)
    opacity = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA))[..., None]
    under = image[box.slices]
    under += opacity * (drawn - under)


def _lay_sprite(
    image: Light,
    sprite: Sprite,
    falling: Light | None = None,
    gloss: Light | None = None,
    beside: Light | None = None,
) -> None:
    """Lay a sprite over the image, in the light of its place."""
    inside = sprite.box.slices
    colour = sprite.colour
    if falling is not None:
        colour = colour * falling[inside][..., None]
    if gloss is not None:
        colour = colour + sprite.opacity * gloss[inside][..., None]
    if beside is not None and beside.any():
        colour = colour + sprite.side_colour * beside
    under = image[inside]
    under *= 1 - sprite.opacity
    under += colour


def _lay_hand(image: Light, hand: Hand, scene: Scene, camera: CameraModel, grey: bool) -> None:
    drawn, own = hands.texture(hand, scene.room.lamp_degrees, grey)
    placing = hands.to_board(hand)
    outline = np.column_stack([own.outline_mm(), np.ones(4)]) @ placing.T
    box = bounding_box(camera.project(outline[:, :2], hand.height_mm), camera)
    if box is None:
        return
    to_pixels = own.matrix() @ np.linalg.inv(placing)
    over = np.asarray(warp_to_image(drawn, to_pixels, camera, hand.height_mm, box=box))
    under = image[box.slices]
    under *= 1 - over[..., -1:]
    under += over[..., :-1]
