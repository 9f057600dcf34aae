"""Measures accuracy and speed of the reader against OpenCV's detector on the same frames.

Every frame comes from the simulated camera, so the truth is known. Both readers run alternately on
one thread. `scenario_lines` covers all kinds of bad light, `clip_lines` hands that make a move, and
`false_accept_lines` counts tags read where there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from controller.config.board_file import load_board
from controller.config.board_names import DEFAULT_BOARD
from controller.ports.devices import Clock
from controller.session.board_fit import FittedBoard, fit_board
from vision import decode
from vision.observation import CellState, Observation, Problem
from vision.reader import UPRIGHT_DEGREES, Reader
from vision.scene import (
    SCENARIOS,
    BuiltScenario,
    Hand,
    TagTruth,
    build_scenario,
    compute_truth,
    render,
)
from vision.tags import dictionary
from vision.templates import PATCH

Grey = npt.NDArray[np.uint8]
SIZES = ((1280, 720), (1920, 1080))
FIRST_SEED = 5000
REPEATS = 2  # the faster of two is nearer to the real cost


@dataclass(slots=True)
class ReadingTally:
    """Counts and times over many frames."""

    frames: int = 0
    visible: int = 0
    right: int = 0
    wrong: int = 0
    detected: int = 0
    ours_ms: float = 0.0
    theirs_ms: float = 0.0
    notes: list[str] = field(default_factory=list)

    def add(self, other: ReadingTally) -> None:
        for name in ("frames", "visible", "right", "wrong", "detected", "ours_ms", "theirs_ms"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.notes += other.notes

    def table_row(self, name: str) -> str:
        seen, frames = max(1, self.visible), max(1, self.frames)
        return (
            f"| {name:13} | {100 * self.right / seen:6.2f} | {self.wrong:5} "
            f"| {100 * self.detected / seen:6.2f} | {self.ours_ms / frames:7.2f} "
            f"| {self.theirs_ms / frames:7.2f} | {self.ratio:6.3f} |"
        )

    @property
    def ratio(self) -> float:
        return self.ours_ms / max(1e-9, self.theirs_ms)


TABLE_HEADER = (
    "| scenario      | read % | wrong | detectMarkers % | ours ms | theirs ms | ratio  |",
    "|---|---|---|---|---|---|---|",
)


class VisionBenchmark:
    """Both readers on one thread."""

    def __init__(self, clock: Clock) -> None:
        cv2.setNumThreads(1)
        self.clock = clock
        self.table: FittedBoard = fit_board(load_board(DEFAULT_BOARD))
        self.detector = cv2.aruco.ArucoDetector(dictionary())

    def describe_versions(self) -> str:
        return f"OpenCV {cv2.__version__}, numpy {np.__version__}, one thread"

    # -- scenarios -------------------------------------------------------------------------

    def scenario_lines(self, frames: int) -> Iterator[str]:
        for size in SIZES:
            total = ReadingTally()
            yield f"{size[0]} x {size[1]}, {frames} frames each"
            yield from TABLE_HEADER
            for name in SCENARIOS:
                tally = ReadingTally()
                for number in range(frames):
                    built = build_scenario(name, self.table.board, FIRST_SEED + number, size)
                    tally.add(self._measure_frame(built, name))
                yield tally.table_row(name)
                total.add(tally)
            yield total.table_row("all")
            yield from total.notes

    def _measure_frame(self, built: BuiltScenario, name: str) -> ReadingTally:
        frame, lock_frame = _grey(built.frame), _grey(built.lock_frame)
        reader = Reader(self.table.board, self.table.pieces_by_tag)
        found = reader.find(lock_frame)
        tally = ReadingTally(frames=1)
        if isinstance(found, Problem):
            tally.notes.append(f"{name}, seed {built.seed}: {found.sentence}")
        reader.read(lock_frame)
        before = dict(vars(reader))

        def ours() -> Observation:
            vars(reader).update(before)
            reader.forget()
            return reader.read(frame)

        tally.ours_ms, seen = self._timed(ours)
        tally.theirs_ms, (_, tags, _) = self._timed(lambda: self.detector.detectMarkers(frame))
        detected = set() if tags is None else {int(tag) for tag in np.ravel(tags)}
        self._count_readings(seen, built.truth.tags, detected, tally, f"{name}, seed {built.seed}")
        return tally

    def _count_readings(
        self,
        seen: Observation,
        truths: tuple[TagTruth, ...],
        detected: set[int],
        tally: ReadingTally,
        where: str,
    ) -> None:
        real = {each.cell: each for each in truths if each.cell is not None}
        for cell, sighting in enumerate(seen.sightings):
            each = real.get(cell)
            occupied = sighting.state is CellState.OCCUPIED
            good = (
                occupied
                and each is not None
                and (sighting.tag, sighting.orientation)
                == (
                    each.tag,
                    each.orientation,
                )
            )
            if occupied and not good:
                tally.wrong += 1
                name = self.table.board.grid.name(cell)
                tally.notes.append(f"WRONG: {where}, {name}: {sighting} for {each}")
            if each is not None and each.visible:
                tally.visible += 1
                tally.right += good
                tally.detected += each.tag in detected

    def _timed(self, work: Callable[[], object]) -> tuple[float, Any]:
        best, result = float("inf"), None
        for _ in range(REPEATS):
            start_ms = self.clock.now_ms()
            result = work()
            best = min(best, self.clock.now_ms() - start_ms)
        return best, result

    # -- clips -----------------------------------------------------------------------------

    def clip_lines(self, count: int) -> Iterator[str]:
        """Clips of a hand that comes, moves a piece and goes; half of each clip is at rest."""
        yield (
            "| size | frames | ours ms | theirs ms | times faster | idle ours ms "
            "| times faster, idle | wrong |"
        )
        yield "|---|---|---|---|---|---|---|---|"
        for size in SIZES:
            total, idle, wrong = ReadingTally(), ReadingTally(), 0
            for number in range(count):
                reader: Reader | None = None
                for frame, truths, at_rest in self._clip_frames(number, size):
                    if reader is None:
                        reader = Reader(self.table.board, self.table.pieces_by_tag)
                        reader.find(frame)
                        reader.read(frame)
                    start_ms = self.clock.now_ms()
                    seen = reader.read(frame)
                    ours = self.clock.now_ms() - start_ms
                    start_ms = self.clock.now_ms()
                    self.detector.detectMarkers(frame)
                    spent = ReadingTally(1, ours_ms=ours, theirs_ms=self.clock.now_ms() - start_ms)
                    total.add(spent)
                    if at_rest:
                        idle.add(spent)
                    counted = ReadingTally()
                    self._count_readings(seen, truths, set(), counted, "film")
                    wrong += counted.wrong
            yield (
                f"| {size[0]} x {size[1]} | {total.frames} | {total.ours_ms / total.frames:.2f} "
                f"| {total.theirs_ms / total.frames:.1f} | {1 / total.ratio:.0f} "
                f"| {idle.ours_ms / idle.frames:.2f} | {1 / idle.ratio:.0f} | {wrong} |"
            )

    def _clip_frames(
        self, number: int, size: tuple[int, int]
    ) -> Iterator[tuple[Grey, tuple[TagTruth, ...], bool]]:
        rng = np.random.default_rng(number)
        built = build_scenario("plain", self.table.board, FIRST_SEED + number, size)
        scene, board = built.scene, self.table.board
        moved = int(rng.integers(len(scene.pieces)))
        thing = scene.pieces[moved]
        taken = {(each.x_mm, each.y_mm) for each in scene.pieces}
        near = [
            cell
            for cell in range(board.grid.size)
            if 0 < np.hypot(*(np.array(board.centre_mm(cell)) - (thing.x_mm, thing.y_mm))) < 60
            and all(np.hypot(*(np.array(board.centre_mm(cell)) - at)) > 20 for at in taken)
        ]
        target = board.centre_mm(int(rng.choice(near))) if near else (thing.x_mm, thing.y_mm)
        arm = 180.0 if thing.y_mm > board.size_mm[1] / 2 else 0.0
        far = board.size_mm[1] + 150 if arm else -150.0
        for step in range(REST_FRAMES + 2 * REACH_FRAMES + CARRY_FRAMES + REST_FRAMES):
            hands: tuple[Hand, ...] = ()
            after_rest = step - REST_FRAMES
            if 0 <= after_rest < 2 * REACH_FRAMES + CARRY_FRAMES:
                there = min(
                    1.0,
                    after_rest / REACH_FRAMES,
                    (2 * REACH_FRAMES + CARRY_FRAMES - after_rest) / REACH_FRAMES,
                )
                carried = min(1.0, max(0.0, (after_rest - REACH_FRAMES) / CARRY_FRAMES))
                x = thing.x_mm + (target[0] - thing.x_mm) * carried
                y = thing.y_mm + (target[1] - thing.y_mm) * carried
                hands = (Hand(x, y * there + far * (1 - there), arm),)
                truths = list(scene.pieces)
                truths[moved] = replace(thing, x_mm=x, y_mm=y)
                scene = replace(scene, pieces=tuple(truths))
            frame = render(replace(scene, hands=hands), built.camera, built.conditions, rng)
            real = compute_truth(replace(scene, hands=hands), built.camera).tags
            yield (
                _grey(frame),
                real,
                not hands and step % (REST_FRAMES + 2 * REACH_FRAMES + CARRY_FRAMES) > 3,
            )

    # -- false accepts ---------------------------------------------------------------------

    def false_accept_lines(self, cells: int) -> Iterator[str]:
        """Tags read in cells cut from images without tags."""
        rng = np.random.default_rng(1)
        sources = [*_photographs(), *_textures(rng)]
        photographs = sum(1 for name, _ in sources if "." in name)
        each = -(-cells // len(sources))
        total = accepted = 0
        board, tags = self.table.board, tuple(sorted(self.table.pieces_by_tag))
        for name, image in sources:
            stack = np.stack([_random_cell(image, rng) for _ in range(each)])
            reading = decode.read_tags(stack, tags, board.tag_mm, board.cap_mm, UPRIGHT_DEGREES)
            found = int(reading.accepted_mask().sum())
            total, accepted = total + each, accepted + found
            if found:
                yield f"{found} of {each} in {name}"
        yield (
            f"false accepts: {accepted} of {total} cells, from {photographs} photographs and "
            f"{len(sources) - photographs} drawn textures"
        )
        if not photographs:
            yield "(no photographs here: pip install scikit-image brings some)"


REST_FRAMES, REACH_FRAMES, CARRY_FRAMES = 24, 8, 6


def _grey(frame: npt.NDArray[np.uint8]) -> Grey:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def _photographs() -> Iterator[tuple[str, Grey]]:
    """The images inside scikit-image, found without importing it."""
    spec = find_spec("skimage")
    if spec is None or spec.origin is None:
        return
    for path in sorted((Path(spec.origin).parent / "data").iterdir()):
        if path.suffix in (".png", ".jpg"):
            image = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
            if image is not None and min(image.shape) >= 64:
                yield path.name, np.asarray(image, np.uint8)


def _textures(rng: np.random.Generator) -> Iterator[tuple[str, Grey]]:
    """Checkers, stripes, blocks, text and noise of many sizes."""
    y, x = np.mgrid[:600, :600]
    for side in range(8, 64, 8):
        yield f"checkers {side}", ((y // side + x // side) % 2 * 200 + 25).astype(np.uint8)
        yield f"stripes {side}", (y // side % 2 * 200 + 25).astype(np.uint8)
        blocks = rng.integers(0, 2, (-(-600 // side), -(-600 // side))).astype(np.uint8) * 200 + 25
        large = cv2.resize(blocks, (600, 600), interpolation=cv2.INTER_NEAREST)
        yield f"blocks {side}", np.asarray(large, np.uint8)
    for number in range(8):
        page = np.full((600, 800), 235, np.uint8)
        for baseline in range(20, 600, 20 + 5 * number):
            words = "".join(map(chr, rng.integers(48, 122, 60)))
            cv2.putText(
                page, words, (0, baseline), number % 7, 0.4 + 0.25 * number, (20,), 1 + number // 3
            )
        yield f"text {number}", page
    yield "noise", rng.integers(0, 256, (600, 600)).astype(np.uint8)


def _random_cell(image: Grey, rng: np.random.Generator) -> Grey:
    """A square of random size, place and angle, as a reader would sample it."""
    height, width = image.shape
    reach = rng.uniform(24, min(height, width, 340) / 2 - 1)  # about half the diagonal
    x, y = rng.uniform(reach, (width - reach, height - reach))
    around = image[int(y - reach) : int(y + reach), int(x - reach) : int(x + reach)]
    wide = round(PATCH * 1.42)
    shrunk = cv2.resize(around, (wide, wide), interpolation=cv2.INTER_AREA)
    middle = wide / 2 - 0.5
    rotation = cv2.getRotationMatrix2D((middle, middle), rng.uniform(0, 360), 1.0)
    turned = np.asarray(rotation, np.float64)
    turned[:, 2] += PATCH / 2 - 0.5 - middle
    return np.asarray(cv2.warpAffine(shrunk, turned, (PATCH, PATCH)), np.uint8)
