"""`laserboard bench vision`: every part runs and counts correctly, also wrong readings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.benchmarks import vision as bench
from controller.benchmarks.vision import ReadingTally, VisionBenchmark
from controller.devices.clock import ManualClock
from tests.support.cli import Laserboard
from vision.observation import CellState, Observation, Sighting
from vision.reader import Reader
from vision.scene import SCENARIOS, BuiltScenario, build_scenario
from vision.tags import modules
from vision.templates import PATCH

SMALL = (960, 540)


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    """Restores the number of threads after a benchmark."""
    before = cv2.getNumThreads()
    yield
    cv2.setNumThreads(before)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two scenarios, short clips and one small size."""
    monkeypatch.setattr(bench, "SIZES", (SMALL,))
    monkeypatch.setattr(bench, "SCENARIOS", {name: SCENARIOS[name] for name in ("plain", "dim")})
    for name, frames in (("REST_FRAMES", 6), ("REACH_FRAMES", 2), ("CARRY_FRAMES", 2)):
        monkeypatch.setattr(bench, name, frames)


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


# -- the parts ---------------------------------------------------------------------------------


def test_no_tag_is_read_in_images_without_tags(laserboard: Laserboard) -> None:
    about, *lines = laserboard.prints(
        "bench", "vision", "--part", "false", "--cells", "500"
    ).splitlines()
    assert about.startswith(f"OpenCV {cv2.__version__}, numpy {np.__version__}, one thread")
    found = re.fullmatch(
        r"false accepts: 0 of (\d+) cells, from (\d+) photographs and (\d+) drawn textures",
        lines[0],
    )
    assert found is not None, lines
    cells, photographs, textures = map(int, found.groups())
    assert 500 <= cells < 500 + photographs + textures
    assert textures == len(list(bench._textures(np.random.default_rng(1))))


def test_tags_in_the_negative_images_are_counted_as_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The count of wrong readings is not always 0."""
    paper = np.pad(modules(3) * np.uint8(200) + 20, 1, constant_values=220)
    page = np.pad(np.kron(paper, np.ones((16, 16))), 40, constant_values=60).astype(np.uint8)
    cell = np.asarray(cv2.resize(page, (PATCH, PATCH), interpolation=cv2.INTER_AREA))
    monkeypatch.setattr(bench, "_photographs", list)
    monkeypatch.setattr(bench, "_textures", lambda _: [("page", page)])
    monkeypatch.setattr(bench, "_random_cell", lambda *_: cell)
    lines = list(VisionBenchmark(ManualClock()).false_accept_lines(10))
    assert lines[0] == "10 of 10 in page"
    assert lines[1] == "false accepts: 10 of 10 cells, from 0 photographs and 1 drawn textures"
    assert lines[2].startswith("(no photographs here")


@pytest.mark.usefixtures("small")
def test_the_report_is_a_table_of_scenarios_with_a_totals_row(laserboard: Laserboard) -> None:
    out = laserboard.prints("bench", "vision", "--part", "scenarios", "--frames", "1")
    _, size, head, _, *rows = out.splitlines()
    assert size == "960 x 540, 1 frames each"
    assert cells_of(head)[:3] == ["scenario", "read %", "wrong"]
    table = {cells_of(row)[0]: cells_of(row)[1:] for row in rows}
    assert list(table) == ["plain", "dim", "all"]
    for row in table.values():
        read, wrong, detected, ours, theirs, ratio = map(float, row)
        assert (read, wrong) == (100, 0)
        assert 0 < detected <= 100
        assert ours / theirs == pytest.approx(ratio, rel=0.05, abs=0.005)


@pytest.mark.usefixtures("small")
def test_a_clip_is_read_without_a_wrong_tag(laserboard: Laserboard) -> None:
    out = laserboard.prints("bench", "vision", "--part", "clips", "--frames", "1")
    *_, row = out.splitlines()
    size, frames, *_, wrong = cells_of(row)
    assert (size, frames, wrong) == ("960 x 540", "18", "0")


@pytest.mark.usefixtures("small")
def test_in_a_clip_one_piece_changes_its_cell() -> None:
    film = list(VisionBenchmark(ManualClock())._clip_frames(1, (320, 180)))
    assert len(film) == 2 * bench.REST_FRAMES + 2 * bench.REACH_FRAMES + bench.CARRY_FRAMES
    (_, first, _), (_, last, _) = film[0], film[-1]
    moved = [
        (before.cell, after.cell)
        for before, after in zip(first, last, strict=True)
        if before.cell != after.cell
    ]
    [(source, target)] = moved
    assert source is not None
    assert target is not None
    assert target not in {each.cell for each in first}
    assert not any(at_rest for *_, at_rest in film[bench.REST_FRAMES : -bench.REST_FRAMES])
    assert film[bench.REST_FRAMES - 1][2]
    assert film[-1][2]


@pytest.mark.slow
@pytest.mark.parametrize("part", ["clips", "scenarios"])
def test_the_whole_benchmark_has_no_wrong_reading(laserboard: Laserboard, part: str) -> None:
    out = laserboard.prints("bench", "vision", "--part", part, "--frames", "1")
    assert "WRONG" not in out
    rows = [cells_of(line) for line in out.splitlines() if line.startswith("|")]
    if part == "clips":
        assert [row[-1] for row in rows[2:]] == ["0", "0"]
    else:
        names = [row[0] for row in rows]
        assert names.count("all") == 2
        assert set(SCENARIOS) <= set(names)
        assert all(float(row[1]) > 98 for row in rows if row[0] == "all")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("vision", "--part", "scenario"), "invalid choice: 'scenario'"),
        (("vision", "--cells", "0"), "'0' is not a whole number from 1 up"),
        (("vision", "--frames", "few"), "'few' is not a whole number from 1 up"),
        (("sound",), "invalid choice: 'sound'"),
        ((), "required"),
    ],
)
def test_a_mistake_is_reported_on_one_line(
    laserboard: Laserboard, arguments: tuple[str, ...], message: str
) -> None:
    assert message in laserboard.refuses("bench", *arguments)


# -- counting ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def read() -> tuple[BuiltScenario, Observation]:
    table = VisionBenchmark(ManualClock()).table
    staged = build_scenario("hand", table.board, 5, SMALL)
    reader = Reader(table.board, table.pieces_by_tag)
    grey = np.asarray(cv2.cvtColor(staged.lock_frame, cv2.COLOR_BGR2GRAY), np.uint8)
    return staged, reader.read(grey)


def count_readings(
    staged: BuiltScenario, seen: Observation, detected: set[int] | None = None
) -> ReadingTally:
    tally = ReadingTally(frames=1)
    VisionBenchmark(ManualClock())._count_readings(
        seen, staged.truth.tags, detected or set(), tally, "here"
    )
    return tally


def changed(seen: Observation, cell: int, sighting: Sighting) -> Observation:
    sightings = list(seen.sightings)
    sightings[cell] = sighting
    return replace(seen, sightings=tuple(sightings))


def test_only_visible_tags_must_be_read(read: tuple[BuiltScenario, Observation]) -> None:
    staged, seen = read
    visible = [each for each in staged.truth.tags if each.visible]
    assert 0 < len(visible) < len(staged.truth.tags), "a hand hides some"
    tally = count_readings(staged, seen)
    assert (tally.visible, tally.right, tally.wrong) == (len(visible), len(visible), 0)


def test_a_missed_tag_counts_neither_as_right_nor_as_wrong(
    read: tuple[BuiltScenario, Observation],
) -> None:
    staged, seen = read
    visible = next(each for each in staged.truth.tags if each.visible and each.cell is not None)
    assert visible.cell is not None
    tally = count_readings(staged, changed(seen, visible.cell, Sighting(CellState.COVERED)))
    assert (tally.right, tally.wrong) == (tally.visible - 1, 0)


@pytest.mark.parametrize("how", ["another tag", "another heading", "an empty cell"])
def test_a_wrong_reading_is_counted_and_named(
    read: tuple[BuiltScenario, Observation], how: str
) -> None:
    staged, seen = read
    visible = next(each for each in staged.truth.tags if each.visible and each.cell is not None)
    cell = visible.cell
    assert cell is not None
    if how == "an empty cell":
        cell = next(c for c, each in enumerate(seen.sightings) if each.state is CellState.EMPTY)
    real = seen.sightings[cell]
    wrong = {
        "another tag": replace(real, tag=(real.tag + 1) % 26),
        "another heading": replace(real, orientation=(real.orientation + 1) % 4),
        "an empty cell": Sighting(CellState.OCCUPIED, 3, 0, confidence=1.0),
    }[how]
    tally = count_readings(staged, changed(seen, cell, wrong))
    assert tally.wrong == 1
    [note] = tally.notes
    assert note.startswith(f"WRONG: here, {seen.grid.name(cell)}: ")


def test_the_other_detector_is_counted_on_the_visible_tags(
    read: tuple[BuiltScenario, Observation],
) -> None:
    staged, seen = read
    every = {each.tag for each in staged.truth.tags}
    assert count_readings(staged, seen, every).detected == count_readings(staged, seen).visible
    assert count_readings(staged, seen, set()).detected == 0


def test_the_time_of_a_detector_is_the_faster_of_two_runs() -> None:
    clock = ManualClock()
    took_ms = iter((30.0, 20.0))

    def work() -> str:
        clock.wait_ms(next(took_ms))
        return "done"

    assert VisionBenchmark(clock)._timed(work) == (20.0, "done"), "the faster of two"


def test_the_totals_row_adds_up_all_scenarios() -> None:
    total = ReadingTally()
    total.add(ReadingTally(1, 26, 25, 1, 20, 2.0, 10.0, ["a note"]))
    total.add(ReadingTally(1, 24, 24, 0, 20, 4.0, 20.0))
    assert (total.frames, total.visible, total.right, total.wrong, total.detected) == (
        2, 50, 49, 1, 40
    )  # fmt: skip
    assert total.notes == ["a note"]
    assert cells_of(total.table_row("all")) == [
        "all",
        "98.00",
        "1",
        "80.00",
        "3.00",
        "15.00",
        "0.200",
    ]
