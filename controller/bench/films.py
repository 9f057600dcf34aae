"""Films of somebody who acts at a table, in bad light; a seed is a film.

A position of a random game at rest, a hand that comes, acts and goes, and the table as it is left
then, for as long as anybody waits. The camera is `vision.scene`, so all is known about a frame.
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

from controller.bench.acts import Act, Layout, Table, Tagged
from controller.config import load_board, shipped_boards
from controller.tabletop import Tabletop, fitted
from controller.wiring import DEFAULT_BOARD
from engine import games
from engine.grid import Cell
from vision.board import PhysicalBoard
from vision.scene import SCENARIOS, Hand, Scenario, Scene, Staged, Thing, stage
from vision.scene.camera import developed
from vision.scene.picture import light
from vision.scene.staging import HAND_HEIGHT_MM, SKINS, SLEEVES
from vision.steady import Patience

Grey = npt.NDArray[np.uint8]

LIGHTS = (
    "dim", "dimmer", "very_dim", "noise_12", "noise_25", "motion_4", "defocus_2", "shadow_edge",
    "leds_24", "glare", "jpeg_30", "mixed_lo", "mixed_hi", "placement",
)  # fmt: skip
STEEPEST_DEGREES = 30.0
SIZES = ((1280, 720),) * 11 + ((1920, 1080),)
NO_TURNS = 1_000_000  # the first seed of the films in which no turn is made
VOTES = (3, 4, 5)  # frames that a judgement may rest on
REST_FRAMES, REST_MS = 3, 2100  # long enough for what always covers a cell to be known
HAND_MS = 150
LATE_FRAMES, LATE_MS = 14, 500  # waited for a table that does not settle
SECOND_HAND = 0.15  # of the films have one, where only one player acts


@dataclass(frozen=True)
class Shot:
    """A frame of a film, and what is true of it."""

    grey: Grey
    at_ms: int
    layout: Layout
    resting: bool = False  # nobody has come yet
    late: bool = False  # the table should have been judged by now


@dataclass(frozen=True)
class Film:
    """A table, what is done to it, and the camera that looks on."""

    seed: int
    light: str
    table: Table
    top: Tabletop
    act: Act
    scenario: Scenario
    staged: Staged
    votes: int

    @property
    def calm(self) -> Grey:
        """The table before, in good light: to find the board by, and how its pieces face."""
        return _grey(self.staged.lock_frame)

    def shots(self) -> Iterator[Shot]:
        staged, rng = self.staged, np.random.default_rng((self.seed, 1))
        before, at_ms = self.table.before, 0
        after = replace(staged.scene, things=self._things(self.act.after, self.touched))

        def camera(scene: Scene) -> Iterator[Grey]:
            shone = light(scene, staged.view)
            while True:
                yield _grey(developed(shone.copy(), staged.conditions, rng))

        for grey in islice(camera(staged.scene), REST_FRAMES):
            yield Shot(grey, at_ms, before, resting=True)
            at_ms += REST_MS
        for hands, acted in self._hands(rng):
            scene = replace(after if acted else staged.scene, hands=hands)
            yield Shot(next(camera(scene)), at_ms, self.act.after if acted else before)
            at_ms += HAND_MS
        # One frame is needed to see that nothing moves, and one more to believe it.
        step_ms = -(-Patience().settle_ms // (self.votes - 1))
        at_rest = camera(after)
        for grey in islice(at_rest, 2 + self.votes):
            yield Shot(grey, at_ms, self.act.after)
            at_ms += step_ms
        for grey in islice(at_rest, LATE_FRAMES):
            yield Shot(grey, at_ms, self.act.after, late=True)
            at_ms += LATE_MS

    @cached_property
    def touched(self) -> tuple[Cell, ...]:
        """The cells that a hand has to do with: what stands there is put down anew."""
        before, after = self.table.before, self.act.after
        cells = range(self.top.board.grid.size)
        found = tuple(cell for cell in cells if before.get(cell) != after.get(cell))
        random = Random(self.seed)
        return found or (random.choice((random.choice(cells), random.choice(sorted(before)))),)

    def _hands(self, rng: np.random.Generator) -> Iterator[tuple[tuple[Hand, ...], bool]]:
        """A hand that reaches for a piece, puts it down and withdraws; with it, whether it has
        acted already. The second one, if there is one, is gone before."""
        board, before, after = self.top.board, self.table.before, self.act.after
        sources = [cell for cell in self.touched if cell in before] or self.touched
        targets = [cell for cell in self.touched if cell in after] or self.touched
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
        if both or rng.random() < SECOND_HAND:
            x, y = (float(rng.uniform(0.15, 0.85) * length) for length in board.size_mm)
            others = (replace(hand, x_mm=x, y_mm=y, arm_degrees=arm + 180),)
        yield (hand, *others), False
        x, y = board.centre_mm(int(rng.choice(targets)))
        yield (replace(hand, x_mm=x, y_mm=y), *others), True
        back = 0.3 * board.size_mm[1]
        x, y = x + back * np.sin(np.radians(arm)), y - back * np.cos(np.radians(arm))
        yield (replace(hand, x_mm=float(x), y_mm=float(y)),), True

    def _things(self, layout: Layout, anew: Sequence[Cell] = ()) -> tuple[Thing, ...]:
        return tuple(
            self._thing(cell, tagged, cell in anew) for cell, tagged in sorted(layout.items())
        )

    def _thing(self, cell: Cell, tagged: Tagged, anew: bool) -> Thing:
        """A piece as badly put down as the scenario has it, always the same unless anew."""
        board, meanings = self.top.board, self.top.meanings
        rng = np.random.default_rng((self.seed, 2, cell, tagged.tag, anew))
        dx, dy = rng.normal(0, self.scenario.placement_mm, 2)
        crooked = rng.normal(0, self.scenario.placement_degrees)
        piece = meanings.get(tagged.tag) or next(iter(meanings.values()))
        heading = (tagged.orientation - piece.orientation) % board.grid.headings
        x, y = board.centre_mm(cell)
        angle = board.grid.degrees(heading) + float(crooked)
        return Thing(tagged.tag, piece, x + float(dx), y + float(dy), angle)


def film(seed: int, lights: Sequence[str] = LIGHTS) -> Film:
    """The film of that seed: games and lights take turns, all else is drawn."""
    names, number, random = list(games.GAMES), seed % NO_TURNS, Random(seed)
    chosen = lights[number // len(names) % len(lights)]
    game = games.make(names[number % len(names)])
    table = Table.in_a_random_game(game, random)
    act = table.no_turn(number // len(names), random) if seed >= NO_TURNS else table.legal(random)
    top = fitted(_board(game.name), game, grid=table.position.grid)
    tilt = random.uniform(0, STEEPEST_DEGREES)
    scenario = replace(SCENARIOS[chosen], hands=0, tilt_degrees=tilt)
    # The stage would give out tags and places of its own.
    staged = stage(scenario, top.board, seed, random.choice(SIZES), {}, game)
    bare = Film(seed, chosen, table, top, act, scenario, staged, random.choice(VOTES))
    scene = replace(staged.scene, things=bare._things(table.before))
    return replace(bare, staged=replace(staged, scene=scene))


@cache
def _board(game: str) -> PhysicalBoard:
    """A shipped board with that game's own grid."""
    grid = games.make(game).start().grid
    boards = [load_board(name) for name in (DEFAULT_BOARD, *shipped_boards())]
    return next((board for board in boards if board.grid == grid), boards[0])


def _grey(frame: npt.NDArray[np.uint8]) -> Grey:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
