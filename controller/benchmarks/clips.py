"""Clips of hands acting at a table in bad light, each generated from a seed.

A clip starts with a position of a random game at rest. Then a hand enters, changes the table and
leaves. `vision.scene` renders the frames, so the true content of every frame is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from controller.benchmarks.hand_scripts import TableChange, TaggedPiece, TaggedPosition, TagLayout
from controller.config.board_file import load_board, shipped_boards
from controller.config.board_names import DEFAULT_BOARD
from controller.session.board_fit import FittedBoard, fit_board
from engine import games
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.scene import SCENARIOS, BuiltScenario, Hand, Scenario, Scene, ScenePiece, build_scenario
from vision.scene.camera import develop
from vision.scene.render import linear_light
from vision.scene.scenario_builder import HAND_HEIGHT_MM, SKINS, SLEEVES
from vision.settling import SettleThresholds

Grey = npt.NDArray[np.uint8]

LIGHT_CONDITIONS = (
    "dim", "dimmer", "very_dim", "noise_12", "noise_25", "motion_4", "defocus_2", "shadow_edge",
    "leds_24", "glare", "jpeg_30", "mixed_lo", "mixed_hi", "placement",
)  # fmt: skip
MAX_TILT_DEGREES = 30.0
SIZES = ((1280, 720),) * 11 + ((1920, 1080),)
FIRST_ILLEGAL_SEED = 1_000_000  # seeds from here on are clips without a legal turn
VOTE_COUNTS = (3, 4, 5)  # frames that an inference may be based on
REST_FRAMES, REST_MS = 3, 2100  # long enough for permanently covered cells to be known
HAND_MS = 150
LATE_FRAMES, LATE_MS = 14, 500  # extra time for a table that does not settle
SECOND_HAND_RATE = 0.15  # of the clips in which only one player acts


@dataclass(frozen=True)
class ClipFrame:
    """A frame of a clip, and the truth about it."""

    grey: Grey
    at_ms: int
    layout: TagLayout
    resting: bool = False  # before the hand comes
    late: bool = False  # the table should have settled before


@dataclass(frozen=True)
class TableClip:
    """A table, the change made to it, and the camera."""

    seed: int
    light: str
    table: TaggedPosition
    top: FittedBoard
    change: TableChange
    scenario: Scenario
    built: BuiltScenario
    vote_count: int

    @property
    def reference_frame(self) -> Grey:
        """The table before the change, in good light: shows the board and how pieces face."""
        return _grey(self.built.lock_frame)

    def frames(self) -> Iterator[ClipFrame]:
        built, rng = self.built, np.random.default_rng((self.seed, 1))
        before, at_ms = self.table.before, 0
        after = replace(built.scene, pieces=self._pieces(self.change.after, self.touched_cells))

        def camera(scene: Scene) -> Iterator[Grey]:
            light = linear_light(scene, built.camera)
            while True:
                yield _grey(develop(light.copy(), built.conditions, rng))

        for grey in islice(camera(built.scene), REST_FRAMES):
            yield ClipFrame(grey, at_ms, before, resting=True)
            at_ms += REST_MS
        for hands, acted in self._hands(rng):
            scene = replace(after if acted else built.scene, hands=hands)
            yield ClipFrame(next(camera(scene)), at_ms, self.change.after if acted else before)
            at_ms += HAND_MS
        # One frame shows that nothing moves, and a second confirms it.
        step_ms = -(-SettleThresholds().settle_ms // (self.vote_count - 1))
        at_rest = camera(after)
        for grey in islice(at_rest, 2 + self.vote_count):
            yield ClipFrame(grey, at_ms, self.change.after)
            at_ms += step_ms
        for grey in islice(at_rest, LATE_FRAMES):
            yield ClipFrame(grey, at_ms, self.change.after, late=True)
            at_ms += LATE_MS

    @cached_property
    def touched_cells(self) -> tuple[Cell, ...]:
        """The cells that a hand touches. Pieces there are put down again."""
        before, after = self.table.before, self.change.after
        cells = range(self.top.board.grid.size)
        found = tuple(cell for cell in cells if before.get(cell) != after.get(cell))
        random = Random(self.seed)
        return found or (random.choice((random.choice(cells), random.choice(sorted(before)))),)

    def _hands(self, rng: np.random.Generator) -> Iterator[tuple[tuple[Hand, ...], bool]]:
        """Yield the hands over the board step by step, each with whether the first has acted. A
        second hand leaves earlier."""
        board, before, after = self.top.board, self.table.before, self.change.after
        sources = [cell for cell in self.touched_cells if cell in before] or self.touched_cells
        targets = [cell for cell in self.touched_cells if cell in after] or self.touched_cells
        arm = float(rng.choice((0.0, 180.0)) + rng.uniform(-40, 40))
        hand = Hand(
            *board.centre_mm(int(rng.choice(sources))),
            arm,
            float(rng.uniform(*HAND_HEIGHT_MM)),
            bool(rng.integers(0, 2)),
            SKINS[int(rng.integers(len(SKINS)))],
            SLEEVES[int(rng.integers(len(SLEEVES)))],
        )
        others: tuple[Hand, ...] = ()
        both = len(self.table.game.to_move(self.table.position)) > 1
        if both or rng.random() < SECOND_HAND_RATE:
            x, y = (float(rng.uniform(0.15, 0.85) * length) for length in board.size_mm)
            others = (replace(hand, x_mm=x, y_mm=y, arm_degrees=arm + 180),)
        yield (hand, *others), False
        x, y = board.centre_mm(int(rng.choice(targets)))
        yield (replace(hand, x_mm=x, y_mm=y), *others), True
        back = 0.3 * board.size_mm[1]
        x, y = x + back * np.sin(np.radians(arm)), y - back * np.cos(np.radians(arm))
        yield (replace(hand, x_mm=float(x), y_mm=float(y)),), True

    def _pieces(self, layout: TagLayout, replaced: Sequence[Cell] = ()) -> tuple[ScenePiece, ...]:
        return tuple(
            self._piece(cell, tagged, cell in replaced) for cell, tagged in sorted(layout.items())
        )

    def _piece(self, cell: Cell, tagged: TaggedPiece, replaced: bool) -> ScenePiece:
        """Place a piece with the random offset of the scenario, drawn anew if it was `replaced`."""
        board, meanings = self.top.board, self.top.pieces_by_tag
        rng = np.random.default_rng((self.seed, 2, cell, tagged.tag, replaced))
        dx, dy = rng.normal(0, self.scenario.placement_mm, 2)
        crooked = rng.normal(0, self.scenario.placement_degrees)
        piece = meanings.get(tagged.tag) or next(iter(meanings.values()))
        heading = (tagged.orientation - piece.orientation) % board.grid.headings
        x, y = board.centre_mm(cell)
        angle = board.grid.degrees(heading) + float(crooked)
        return ScenePiece(tagged.tag, piece, x + float(dx), y + float(dy), angle)


def make_clip(seed: int, lights: Sequence[str] = LIGHT_CONDITIONS) -> TableClip:
    """The clip of a seed: games and lights rotate, the rest is random."""
    names, number, random = list(games.GAMES), seed % FIRST_ILLEGAL_SEED, Random(seed)
    chosen = lights[number // len(names) % len(lights)]
    game = games.make(names[number % len(names)])
    table = TaggedPosition.from_random_game(game, random)
    act = (
        table.illegal_change(number // len(names), random)
        if seed >= FIRST_ILLEGAL_SEED
        else table.legal_change(random)
    )
    top = fit_board(_board_for(game.name), game, grid=table.position.grid)
    tilt = random.uniform(0, MAX_TILT_DEGREES)
    scenario = replace(SCENARIOS[chosen], hands=0, tilt_degrees=tilt)
    # Without pieces: the clip has its own tags and places.
    built = build_scenario(scenario, top.board, seed, random.choice(SIZES), {}, game)
    bare = TableClip(seed, chosen, table, top, act, scenario, built, random.choice(VOTE_COUNTS))
    scene = replace(built.scene, pieces=bare._pieces(table.before))
    return replace(bare, built=replace(built, scene=scene))


@cache
def _board_for(game: str) -> PhysicalBoard:
    """A shipped board with the grid of this game."""
    grid = games.make(game).start().grid
    boards = [load_board(name) for name in (DEFAULT_BOARD, *shipped_boards())]
    return next((board for board in boards if board.grid == grid), boards[0])


def _grey(frame: npt.NDArray[np.uint8]) -> Grey:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
