"""A table, seen by a camera: linear light first, then what the camera makes of it."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.board import PhysicalBoard
from vision.scene import hands, lighting
from vision.scene.camera import FULL, Conditions, Frame, Light, developed, toned
from vision.scene.planes import Image, Raster, around, camera_mm, seen
from vision.scene.prints import Prints
from vision.scene.sprites import Sprite, label_sprite, piece_sprite
from vision.scene.surface import (
    SUBPIXEL,
    board_raster,
    board_surface,
    fixed,
    table_raster,
    table_surface,
)
from vision.scene.table import Hand, Room, Scene, Thing
from vision.tags import CORNERS
from vision.view import View

FINER = 2
EDGE_POINTS = 24  # along each side of the board


def render(scene: Scene, view: View, conditions: Conditions, rng: np.random.Generator) -> Frame:
    """The frame that a camera takes of a scene: eight bits, blue first, or grey."""
    return developed(light(scene, view, conditions.grey), conditions, rng)


def light(scene: Scene, view: View, grey: bool = False) -> Light:
    """The linear light that reaches every pixel; 1 is white paper in full light."""
    board, room = scene.board, scene.room.bare()
    picture = _lit_ground(scene, view, grey)
    area, cap_mm = lighting.raster(board), board.cap_height_mm
    gloss = lighting.reflections(scene)
    cap_light = _falling(board, scene.room, scene.hands, view, cap_mm)
    cap_gloss = None if gloss is None else _soft(gloss, board, view, cap_mm)
    if gloss is not None:
        on_board = seen(lighting.BOARD_GLOSS * gloss, area.matrix(), view)
        picture += np.asarray(on_board)[..., None]
    glows = toned(lighting.beside(scene.things, scene.lamps), grey)
    for i in sorted(range(len(glows)), key=lambda i: -from_camera(scene.things[i], view)):
        sprite = piece_sprite(scene.things[i], board, view, room, scene.players, grey, scene.prints)
        if sprite is not None:
            _lay(picture, sprite, cap_light, cap_gloss, glows[i])
    for hand in sorted(scene.hands, key=lambda hand: hand.height_mm):
        _lay_hand(picture, hand, scene, view, grey)
    return picture


def from_camera(thing: Thing, view: View) -> float:
    """How far away from below the camera a thing stands: the nearer ones are painted later."""
    x, y, _ = camera_mm(view)
    return float(np.hypot(thing.x_mm - x, thing.y_mm - y))


def _lit_ground(scene: Scene, view: View, grey: bool) -> Light:
    """The table and the board in the light of the room and of the board's own lamps."""
    room = scene.room.bare()
    shaded = _shaded_ground(
        scene.board, scene.things, room, scene.players, view, grey, scene.prints
    )
    picture = shaded.copy()
    falling = _falling(scene.board, scene.room, scene.hands, view, 0.0)
    if falling is not None:
        picture *= falling[..., None]
    if scene.lamps:
        glow, area = lighting.glow(scene.board, scene.lamps, grey)
        picture += np.asarray(seen(glow, area.matrix(), view)).reshape(picture.shape)
    return picture


@lru_cache(maxsize=2)
def _shaded_ground(
    board: PhysicalBoard,
    things: tuple[Thing, ...],
    room: Room,
    players: tuple[str, ...],
    view: View,
    grey: bool,
    prints: Prints | None,
) -> Light:
    falling = lighting.piece_shadows(board, things, room, players)
    return np.asarray(
        _ground(board, view, grey, prints) * _soft(falling, board, view, 0.0)[..., None]
    )


@lru_cache(maxsize=4)
def _falling(
    board: PhysicalBoard, room: Room, over: tuple[Hand, ...], view: View, height_mm: float
) -> Light | None:
    """The part of the room's light that reaches a plane, in the picture; None is all."""
    left = lighting.room_light(Scene(board, room=room, hands=over), height_mm)
    return None if left is None else _soft(left, board, view, height_mm)


def _soft(raster_light: Image, board: PhysicalBoard, view: View, height_mm: float) -> Light:
    """A raster of light in the picture; beyond its edges it goes on as it is there."""
    area = lighting.raster(board)
    found = seen(raster_light, area.matrix(), view, height_mm, border=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)


@lru_cache(maxsize=4)
def _ground(board: PhysicalBoard, view: View, grey: bool, prints: Prints | None) -> Light:
    """The table and the board under an even light."""
    wood = table_surface(board), table_raster(board).matrix()
    table = seen(*wood, view, border=cv2.BORDER_REFLECT_101)
    picture = np.asarray(table, np.float32)
    if prints is not None:
        _lay_board(picture, prints.surface, prints.raster, view)
        return toned(picture, grey)
    _lay_board(picture, board_surface(board), board_raster(board), view)
    for tag, (x, y) in zip(CORNERS, board.corner_tags_mm(), strict=True):
        sprite = label_sprite(tag, float(x), float(y), board.corner_mm, view)
        if sprite is not None:
            _lay(picture, sprite)
    return toned(picture, grey)


def _lay_board(picture: Light, surface: Image, raster: Raster, view: View) -> None:
    # A lens bends the edges of the board.
    corners = raster.outline_mm()
    steps = np.linspace(0, 1, EDGE_POINTS, endpoint=False)[:, None]
    edge = np.vstack(
        [a + steps * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    outline = view.project(edge)
    box = around(outline, view)
    if box is None:
        return
    size = (box.width, box.height)
    fine = seen(surface, raster.matrix(), view, box=box, finer=FINER, border=cv2.BORDER_REPLICATE)
    drawn = np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32) / FULL
    mask = np.zeros((box.height * FINER, box.width * FINER), np.float32)
    cv2.fillPoly(mask, [fixed(box.finer(outline, FINER))], 1.0, shift=SUBPIXEL)
    opacity = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA))[..., None]
    under = picture[box.inside]
    under += opacity * (drawn - under)


def _lay(
    picture: Light,
    sprite: Sprite,
    falling: Light | None = None,
    gloss: Light | None = None,
    beside: Light | None = None,
) -> None:
    """Put a sprite over the picture, in the light of that place."""
    inside = sprite.box.inside
    colour = sprite.colour
    if falling is not None:
        colour = colour * falling[inside][..., None]
    if gloss is not None:
        colour = colour + sprite.opacity * gloss[inside][..., None]
    if beside is not None and beside.any():
        colour = colour + sprite.sideways * beside
    under = picture[inside]
    under *= 1 - sprite.opacity
    under += colour


def _lay_hand(picture: Light, hand: Hand, scene: Scene, view: View, grey: bool) -> None:
    drawn, own = hands.texture(hand, scene.room.lamp_degrees, grey)
    placing = hands.to_board(hand)
    outline = np.column_stack([own.outline_mm(), np.ones(4)]) @ placing.T
    box = around(view.project(outline[:, :2], hand.height_mm), view)
    if box is None:
        return
    to_pixels = own.matrix() @ np.linalg.inv(placing)
    over = np.asarray(seen(drawn, to_pixels, view, hand.height_mm, box=box))
    under = picture[box.inside]
    under *= 1 - over[..., -1:]
    under += over[..., :-1]
