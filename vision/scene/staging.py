"""A scenario becomes a scene, a camera, a frame and the truth about it, all from one seed."""

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
from vision.board import PhysicalBoard
from vision.scene.camera import Conditions, Frame
from vision.scene.picture import render
from vision.scene.prints import Prints
from vision.scene.scenarios import SCENARIOS, Scenario
from vision.scene.sprites import LABEL_MARGIN_MM, square_mm
from vision.scene.table import (
    Colour,
    Hand,
    Lamp,
    Reflection,
    Room,
    Scene,
    Shadow,
    Thing,
    lit,
    placed,
)
from vision.scene.truth import Truth, truth
from vision.view import Lens, View

STEEPEST_DEGREES = 35.0
MOST_TURN_DEGREES = 2.5
FOCAL = (0.83, 0.91)  # of the picture's width
BENDING = (-0.06, 0.03)  # the lens's k1
BASE_HEIGHT = 720  # the picture height that a scenario's pixels are meant for
MARGIN = 0.009  # of the height between the corner labels and the edge: detectors need some
SMALLEST_FILL = 0.05  # of the picture: a board that does not fit even so stays cut off

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
class Staged:
    """A frame with everything that is known about it."""

    frame: Frame
    scene: Scene
    view: View
    conditions: Conditions
    truth: Truth
    lock_view: View  # before the camera was nudged
    seed: int

    @cached_property
    def lock_frame(self) -> Frame:
        """The same table in good light and with nobody reaching in, to find the board by."""
        calm = replace(self.scene, hands=(), lamps=(), room=self.scene.room.bare())
        conditions = Conditions().scaled(self.view.height / BASE_HEIGHT)
        return render(calm, self.lock_view, conditions, np.random.default_rng(self.seed))


def stage(
    scenario: str | Scenario,
    board: PhysicalBoard,
    seed: int,
    size: tuple[int, int] = (1280, 720),
    pieces: Mapping[Cell, Piece] | None = None,
    game: AnyGame | None = None,
    prints: Prints | None = None,
) -> Staged:
    """Stage a scenario; without `pieces`, all of the game's tags stand somewhere at random.

    The same seed is the same camera over the same table in every scenario, as far as the
    scenario lets it be.
    """
    chosen = _found(scenario) if isinstance(scenario, str) else scenario
    rngs = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(6)]
    for_view, for_things, for_lamps, for_hands, for_room, for_camera = rngs
    game = game or games.make()
    tilt = STEEPEST_DEGREES * _spread(seed, sqrt(2))
    lock_view = _view(chosen, board, size, tilt, for_view)
    if pieces is None:
        things = _scattered(board, game, for_things)
    else:
        things = placed(board, pieces, game.tags)
    scene = Scene(
        board,
        tuple(_jittered(thing, chosen, for_things) for thing in things),
        _lamps(chosen, board, for_lamps),
        _hands(chosen, board, for_hands),
        _room(chosen, board, for_room),
        game.players,
        prints,
    )
    scale = size[1] / BASE_HEIGHT
    conditions = Conditions(
        white=chosen.white,
        noise=chosen.noise,
        blur_px=chosen.blur_px,
        motion_px=chosen.motion_px,
        motion_degrees=180 * _spread(seed, (1 + sqrt(5)) / 2),
        jpeg=chosen.jpeg,
    ).scaled(scale)
    view = nudged(lock_view, chosen.nudge_px * scale, float(for_view.uniform(0, 360)))
    frame = render(scene, view, conditions, for_camera)
    return Staged(frame, scene, view, conditions, truth(scene, view), lock_view, seed)


def nudged(view: View, shift_px: float, towards_degrees: float) -> View:
    """The camera turned a little, so that the middle of the picture moves that far.

    0 degrees is to the right in the picture, 90 is down.
    """
    if not shift_px:
        return view
    angle = np.arctan(shift_px / (view.lens.focal * view.width))
    direction = np.radians(towards_degrees)
    turn, _ = cv2.Rodrigues(np.array([-np.sin(direction), np.cos(direction), 0.0]) * angle)
    before, _ = cv2.Rodrigues(np.array(view.rotation))
    vector, _ = cv2.Rodrigues(turn @ before)
    x, y, z = (float(n) for n in vector.ravel())
    tx, ty, tz = (float(n) for n in turn @ np.array(view.translation_mm))
    return replace(view, rotation=(x, y, z), translation_mm=(tx, ty, tz))


def _found(name: str) -> Scenario:
    if name not in SCENARIOS:
        raise UnknownName(f"there is no scenario {excerpt(name)}{did_you_mean(name, SCENARIOS)}")
    return SCENARIOS[name]


def _spread(seed: int, step: float) -> float:
    """From 0 to 1, evenly over seeds in a row: what decides most should not need many frames."""
    return seed * step % 1


def _view(
    scenario: Scenario,
    board: PhysicalBoard,
    size: tuple[int, int],
    tilt: float,
    rng: np.random.Generator,
) -> View:
    """A camera that sees all of the board, as near as the scenario wants it or farther away."""
    turn = float(rng.uniform(-MOST_TURN_DEGREES, MOST_TURN_DEGREES))
    lens = Lens(float(rng.uniform(*FOCAL)), None, (float(rng.uniform(*BENDING)), 0, 0, 0, 0))
    if scenario.tilt_degrees is not None:
        tilt = scenario.tilt_degrees
    width = board.corner_mm + 2 * LABEL_MARGIN_MM
    labels = np.concatenate([square_mm(width, x, y) for x, y in board.corner_tags_mm()])
    margin = MARGIN * size[1] + scenario.nudge_px * size[1] / BASE_HEIGHT
    fill = scenario.fill
    while fill > SMALLEST_FILL:
        view = View.looking_down(board.size_mm, *size, fill, tilt, turn, lens)
        points = view.project(labels)
        if ((points >= margin) & (points <= np.array(size) - margin)).all():
            break
        fill *= 0.98
    return view


def _scattered(board: PhysicalBoard, game: AnyGame, rng: np.random.Generator) -> tuple[Thing, ...]:
    """Every tag of the game on a cell of its own, as far as there are cells, pointing anywhere."""
    cells = rng.permutation(board.grid.size)
    headings = rng.integers(0, board.grid.headings, board.grid.size)
    chosen = zip(sorted(game.tags.items()), cells, headings, strict=False)
    return tuple(
        Thing(tag, meant, *board.centre_mm(int(cell)), board.grid.degrees(int(heading)))
        for (tag, meant), cell, heading in chosen
    )


def _jittered(thing: Thing, scenario: Scenario, rng: np.random.Generator) -> Thing:
    dx, dy = rng.normal(0, scenario.placement_mm, 2)
    turn = rng.normal(0, scenario.placement_degrees)
    return replace(
        thing,
        x_mm=thing.x_mm + float(dx),
        y_mm=thing.y_mm + float(dy),
        angle_degrees=thing.angle_degrees + float(turn),
    )


def _lamps(scenario: Scenario, board: PhysicalBoard, rng: np.random.Generator) -> tuple[Lamp, ...]:
    cells = rng.permutation(board.grid.size)[: scenario.lit_cells]
    colours = rng.integers(0, len(LED_COLOURS), len(cells))
    strength = scenario.lit_strength
    return lit(
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
    """The first hand comes from either side, the second from the other."""
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


def _room(scenario: Scenario, board: PhysicalBoard, rng: np.random.Generator) -> Room:
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
    return Room(float(lamp), float(elevation), float(ambient), shadows, mirrored)
