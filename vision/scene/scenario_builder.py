"""Builds a scene, a camera, a frame and its truth from a scenario and a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import cv2
import numpy as np

from engine import games
from engine.errors import UnknownName, did_you_mean, excerpt
from engine.game import AnyGame, Piece
from engine.grid import Cell
from vision import sentences
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Lens
from vision.scene.camera import CameraConditions, Frame
from vision.scene.prints import PrintedSet
from vision.scene.render import render
from vision.scene.scenarios import SCENARIOS, Scenario
from vision.scene.sprites import LABEL_MARGIN_MM, square_mm
from vision.scene.table import (
    Colour,
    Hand,
    LedLight,
    Reflection,
    RoomLight,
    Scene,
    ScenePiece,
    Shadow,
    light_cells,
    place_pieces,
)
from vision.scene.truth import SceneTruth, compute_truth

STEEPEST_DEGREES = 35.0
MAX_TURN_DEGREES = 2.5
FOCAL = (0.83, 0.91)  # of the image's width
BENDING = (-0.06, 0.03)  # k1 of the lens
BASE_HEIGHT = 720  # image height for which the pixels of scenarios are given
MARGIN = 0.009  # of the height, between the corner labels and the edge: detectors need it
MIN_FILL = 0.05  # of the image: a board that does not fit even then is cut off

REFLECTIONS = 3
REFLECTION_RADIUS_MM = (20.0, 33.0)
HAND_HEIGHT_MM = (48.0, 85.0)
SKINS: tuple[Colour, ...] = (
    (0.58, 0.34, 0.24),
    (0.47, 0.26, 0.16),
    (0.25, 0.12, 0.07),
    (0.10, 0.05, 0.03),
)
SLEEVES: tuple[Colour, ...] = (
    (0.03, 0.05, 0.11),
    (0.30, 0.04, 0.04),
    (0.55, 0.55, 0.52),
    (0.05, 0.13, 0.07),
)
LED_COLOURS: tuple[Colour, ...] = (
    (1.0, 0.10, 0.05),
    (0.08, 0.30, 1.0),
    (0.15, 1.0, 0.25),
    (1.0, 0.85, 0.6),
)


@dataclass(frozen=True)
class BuiltScenario:
    """A frame with the scene, the camera and the truth behind it."""

    frame: Frame
    scene: Scene
    camera: CameraModel
    conditions: CameraConditions
    truth: SceneTruth
    lock_camera: CameraModel  # before the camera was nudged
    seed: int

    @cached_property
    def lock_frame(self) -> Frame:
        """The same table in good light and without hands, for finding the board."""
        calm = replace(self.scene, hands=(), led_lights=(), room=self.scene.room.without_shadows())
        conditions = CameraConditions().scaled(self.camera.height / BASE_HEIGHT)
        return render(calm, self.lock_camera, conditions, np.random.default_rng(self.seed))


def build_scenario(
    scenario: str | Scenario,
    board: PhysicalBoard,
    seed: int,
    size: tuple[int, int] = (1280, 720),
    pieces: Mapping[Cell, Piece] | None = None,
    game: AnyGame | None = None,
    prints: PrintedSet | None = None,
) -> BuiltScenario:
    """Build a scenario. Without `pieces`, all tags of the game stand on random cells.

    The same seed gives the same camera over the same table in every scenario, where the scenario
    allows it.
    """
    chosen = _find_scenario(scenario) if isinstance(scenario, str) else scenario
    rngs = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(6)]
    for_pose, for_pieces, for_leds, for_hands, for_room, for_camera = rngs
    game = game or games.make()
    tilt = STEEPEST_DEGREES * _spread(seed, sqrt(2))
    lock_camera = _camera(chosen, board, size, tilt, for_pose)
    if pieces is None:
        placed = _scatter_pieces(board, game, for_pieces)
    else:
        placed = place_pieces(board, pieces, game.tags)
    scene = Scene(
        board,
        tuple(_jitter(piece, chosen, for_pieces) for piece in placed),
        _leds(chosen, board, for_leds),
        _hands(chosen, board, for_hands),
        _room(chosen, board, for_room),
        game.players,
        prints,
    )
    scale = size[1] / BASE_HEIGHT
    conditions = CameraConditions(
        white=chosen.white,
        noise=chosen.noise,
        blur_px=chosen.blur_px,
        motion_px=chosen.motion_px,
        motion_degrees=180 * _spread(seed, (1 + sqrt(5)) / 2),
        jpeg=chosen.jpeg,
    ).scaled(scale)
    camera = nudge_camera(lock_camera, chosen.nudge_px * scale, float(for_pose.uniform(0, 360)))
    frame = render(scene, camera, conditions, for_camera)
    return BuiltScenario(
        frame, scene, camera, conditions, compute_truth(scene, camera), lock_camera, seed
    )


def nudge_camera(camera: CameraModel, shift_px: float, towards_degrees: float) -> CameraModel:
    """Rotate the camera so that the middle of the image moves by `shift_px`.

    0 degrees is to the right in the image, 90 is down.
    """
    if not shift_px:
        return camera
    angle = np.arctan(shift_px / (camera.lens.focal * camera.width))
    direction = np.radians(towards_degrees)
    turn, _ = cv2.Rodrigues(np.array([-np.sin(direction), np.cos(direction), 0.0]) * angle)
    before, _ = cv2.Rodrigues(np.array(camera.rotation))
    vector, _ = cv2.Rodrigues(turn @ before)
    x, y, z = (float(n) for n in vector.ravel())
    tx, ty, tz = (float(n) for n in turn @ np.array(camera.translation_mm))
    return replace(camera, rotation=(x, y, z), translation_mm=(tx, ty, tz))


def _find_scenario(name: str) -> Scenario:
    if name not in SCENARIOS:
        suggestion = did_you_mean(name, SCENARIOS)
        raise UnknownName(sentences.NO_SCENARIO(name=excerpt(name), suggestion=suggestion))
    return SCENARIOS[name]


def _spread(seed: int, step: float) -> float:
    """From 0 to 1, spread evenly over successive seeds, so that few frames cover the range."""
    return seed * step % 1


def _camera(
    scenario: Scenario,
    board: PhysicalBoard,
    size: tuple[int, int],
    tilt: float,
    rng: np.random.Generator,
) -> CameraModel:
    """A camera that sees the whole board, as near as the scenario wants or farther away."""
    turn = float(rng.uniform(-MAX_TURN_DEGREES, MAX_TURN_DEGREES))
    lens = Lens(float(rng.uniform(*FOCAL)), None, (float(rng.uniform(*BENDING)), 0, 0, 0, 0))
    if scenario.tilt_degrees is not None:
        tilt = scenario.tilt_degrees
    width = board.corner_mm + 2 * LABEL_MARGIN_MM
    labels = np.concatenate([square_mm(width, x, y) for x, y in board.corner_tags_mm()])
    margin = MARGIN * size[1] + scenario.nudge_px * size[1] / BASE_HEIGHT
    fill = scenario.fill
    while fill > MIN_FILL:
        camera = CameraModel.looking_down(board.size_mm, *size, fill, tilt, turn, lens)
        points = camera.project(labels)
        if ((points >= margin) & (points <= np.array(size) - margin)).all():
            break
        fill *= 0.98
    return camera


def _scatter_pieces(
    board: PhysicalBoard, game: AnyGame, rng: np.random.Generator
) -> tuple[ScenePiece, ...]:
    """Every tag of the game on a random cell with a random heading, while cells are left."""
    cells = rng.permutation(board.grid.size)
    headings = rng.integers(0, board.grid.headings, board.grid.size)
    chosen = zip(sorted(game.tags.items()), cells, headings, strict=False)
    return tuple(
        ScenePiece(tag, piece, *board.centre_mm(int(cell)), board.grid.degrees(int(heading)))
        for (tag, piece), cell, heading in chosen
    )


def _jitter(piece: ScenePiece, scenario: Scenario, rng: np.random.Generator) -> ScenePiece:
    dx, dy = rng.normal(0, scenario.placement_mm, 2)
    turn = rng.normal(0, scenario.placement_degrees)
    return replace(
        piece,
        x_mm=piece.x_mm + float(dx),
        y_mm=piece.y_mm + float(dy),
        angle_degrees=piece.angle_degrees + float(turn),
    )


def _leds(
    scenario: Scenario, board: PhysicalBoard, rng: np.random.Generator
) -> tuple[LedLight, ...]:
    cells = rng.permutation(board.grid.size)[: scenario.lit_cells]
    colours = rng.integers(0, len(LED_COLOURS), len(cells))
    strength = scenario.lit_strength
    return light_cells(
        board,
        [
            (int(cell), _scaled(LED_COLOURS[int(colour)], strength))
            for cell, colour in zip(cells, colours, strict=True)
        ],
    )


def _scaled(colour: Colour, factor: float) -> Colour:
    red, green, blue = colour
    return red * factor, green * factor, blue * factor


def _hands(scenario: Scenario, board: PhysicalBoard, rng: np.random.Generator) -> tuple[Hand, ...]:
    """The first hand comes from a random side, the second from the other."""
    near = bool(rng.integers(0, 2))
    reaching = []
    for number in range(scenario.hands):
        x, y = (rng.uniform(0.15, 0.85) * length for length in board.size_mm)
        arm = 180.0 if near ^ bool(number) else 0.0
        reaching.append(
            Hand(
                float(x),
                float(y),
                arm + float(rng.uniform(-40, 40)),
                float(rng.uniform(*HAND_HEIGHT_MM)),
                bool(rng.integers(0, 2)),
                SKINS[int(rng.integers(0, len(SKINS)))],
                SLEEVES[int(rng.integers(0, len(SLEEVES)))],
            )
        )
    return tuple(reaching)


def _room(scenario: Scenario, board: PhysicalBoard, rng: np.random.Generator) -> RoomLight:
    width, height = board.size_mm
    lamp, elevation, ambient = rng.uniform((-180, 40, 0.4), (180, 70, 0.6))
    shadows: tuple[Shadow, ...] = ()
    if scenario.shadow:
        x, y = rng.uniform(0.3, 0.7, 2) * (width, height)
        shadows = (Shadow(float(x), float(y), float(rng.uniform(0, 360)), scenario.shadow),)
    mirrored = tuple(
        Reflection(
            float(rng.uniform(0.05, 0.95) * width),
            float(rng.uniform(0.05, 0.95) * height),
            float(rng.uniform(*REFLECTION_RADIUS_MM)),
            scenario.glare,
        )
        for _ in range(REFLECTIONS if scenario.glare else 0)
    )
    return RoomLight(float(lamp), float(elevation), float(ambient), shadows, mirrored)
