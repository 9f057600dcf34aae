"""The settle detector with simulated time: hands, objects that cover cells, and cells that
flicker."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.grid import Cell, SquareGrid
from tests.support.engine.random_play import examples
from vision.observation import CellState, Evidence, Observation, Sighting
from vision.settling import (
    READING_CORRELATION,
    BoardLost,
    HandSeen,
    Moving,
    Settled,
    SettleDetector,
    SettleReport,
    SettleThresholds,
    Settling,
    pool_evidence,
    vote,
)

GRID = SquareGrid(4, 4)
TAGS = (3, 7)
FRAME_MS = 33
THRESHOLDS = SettleThresholds()

EMPTY = Sighting(CellState.EMPTY, confidence=0.9)
COVERED = Sighting(CellState.COVERED, confidence=0.5)


def piece(tag: int, orientation: int = 0, confidence: float = 0.9) -> Sighting:
    return Sighting(CellState.OCCUPIED, tag, orientation, confidence=confidence)


TABLE: Mapping[Cell, Sighting] = {0: piece(3), 5: piece(7, 1)}


def frame(
    table: Mapping[Cell, Sighting] = TABLE,
    covered: Collection[Cell] = (),
    changed: Collection[Cell] = (),
    nats: float = 4.0,
    locked: bool = True,
) -> Observation:
    """One frame of a table; each cell's evidence supports its sighting."""
    tagged, empty = np.zeros((16, 2, 4), np.float32), np.zeros(16, np.float32)
    sightings = []
    for cell in range(16):
        seen = COVERED if cell in covered else table.get(cell, EMPTY)
        sightings.append(seen)
        if seen.state is CellState.OCCUPIED:
            tagged[cell, TAGS.index(seen.tag), seen.orientation] = nats
        elif seen.state is CellState.EMPTY:
            empty[cell] = nats
    evidence = Evidence(TAGS, tagged, empty)
    return Observation(GRID, tuple(sightings), evidence, (), frozenset(changed), locked)


class BoardUnderTest:
    """A board observed frame by frame, from time 0."""

    def __init__(self, thresholds: SettleThresholds = THRESHOLDS) -> None:
        self.detector = SettleDetector(thresholds)
        self.at_ms = 0
        self.reports: list[SettleReport] = []

    def see(self, observation: Observation, ms: int = FRAME_MS) -> SettleReport:
        """Show the same observation for this long; returns the last report."""
        for _ in range(max(1, ms // FRAME_MS)):
            self.at_ms += FRAME_MS
            self.detector, report = self.detector.update(observation, self.at_ms)
            self.reports.append(report)
        return self.reports[-1]

    def settle(self, observation: Observation | None = None) -> Settled:
        report = self.see(observation or frame(), THRESHOLDS.settle_ms + 10 * FRAME_MS)
        assert isinstance(report, Settled)
        return report


def report_types(reports: Iterable[SettleReport]) -> list[str]:
    """The types of the reports, without repetitions."""
    names = [type(report).__name__ for report in reports]
    return [name for name, before in zip(names, ["", *names], strict=False) if name != before]


# -- settling --------------------------------------------------------------------------------


def test_an_unchanged_board_settles_after_the_settle_time() -> None:
    board = BoardUnderTest()
    first = board.see(frame())
    assert first == Settling(THRESHOLDS.settle_ms)
    settled = board.settle()
    assert report_types(board.reports) == ["Settling", "Settled"]
    early = [r.remaining_ms for r in board.reports if isinstance(r, Settling)]
    assert early == sorted(early, reverse=True)
    assert len(early) == pytest.approx(THRESHOLDS.settle_ms / FRAME_MS, abs=2)
    assert settled.frames == THRESHOLDS.vote_frames
    assert settled.covered == ()
    assert settled.sightings[5] == piece(7, 1)


def test_a_slow_camera_also_needs_the_minimum_of_frames() -> None:
    detector, reports = SettleDetector(), list[SettleReport]()
    for number in range(THRESHOLDS.min_frames):
        detector, report = detector.update(frame(), 5000 * number)
        reports.append(report)
    assert report_types(reports[:-1]) == ["Settling"]
    assert isinstance(reports[-1], Settled)
    assert reports[-1].frames == THRESHOLDS.min_frames


def test_an_unchanged_board_is_reported_as_settled_once() -> None:
    detector = SettleDetector()
    for second in range(3600):
        detector, report = detector.update(frame(), 1000 * second)
        assert isinstance(report, Settled) == (second >= 2)
    assert len(detector.votes) == THRESHOLDS.vote_frames


def test_the_same_frames_give_the_same_reports() -> None:
    observations = [frame(), frame(covered=[1, 2, 3]), frame({4: piece(3)}), frame()]
    one, other = BoardUnderTest(), BoardUnderTest()
    for board in (one, other):
        for observation in observations:
            board.see(observation, 400)
    assert report_types(one.reports) == report_types(other.reports)
    assert one.detector.cells == other.detector.cells


# -- hands -----------------------------------------------------------------------------------

REACH = (8, 9, 12, 13)


def test_a_hand_that_moves_a_piece_is_seen_and_then_the_board_settles() -> None:
    board = BoardUnderTest()
    board.settle()
    board.see(frame(covered=REACH), 500)
    board.see(frame({5: piece(7, 1)}, covered=[0, 4, *REACH]), 500)
    moved = {4: piece(3), 5: piece(7, 1)}
    board.see(frame(moved, covered=REACH), 300)
    board.see(frame(moved), 1500)
    assert report_types(board.reports) == ["Settling", "Settled", "HandSeen", "Settling", "Settled"]
    last = board.reports[-1]
    assert isinstance(last, Settled)
    assert last.sightings[4] == piece(3)
    assert last.sightings[0].state is CellState.EMPTY
    assert last.evidence.empty[0] > 0
    assert last.evidence.tagged[0].max() == 0


def test_a_hand_is_seen_at_once_and_named_by_its_cells() -> None:
    board = BoardUnderTest()
    board.settle()
    assert board.see(frame(covered=REACH)) == HandSeen(REACH)


def test_a_hand_is_reported_until_its_last_finger_is_gone() -> None:
    board = BoardUnderTest()
    board.settle()
    board.see(frame(covered=REACH), 300)
    for covered in ([9], [9, 12], [12], [9]):
        assert isinstance(board.see(frame(covered=covered), 300), HandSeen)
    assert isinstance(board.see(frame(), 300), Settling)


def test_a_finger_is_not_a_hand_but_delays_settling() -> None:
    board = BoardUnderTest()
    board.settle()
    assert board.see(frame(covered=[9]), 500) == Moving((9,))
    assert isinstance(board.see(frame(), 300), Settling)
    board.settle()


def test_a_short_hand_without_a_change_does_not_settle_the_board_again() -> None:
    board = BoardUnderTest()
    board.settle()
    board.see(frame(covered=REACH), 2 * FRAME_MS)
    board.see(frame(), THRESHOLDS.min_frames * FRAME_MS)
    assert report_types(board.reports) == ["Settling", "Settled", "HandSeen", "Settling", "Settled"]
    again = [r for r in board.reports[-5:] if isinstance(r, Settling)]
    assert [report.remaining_ms for report in again] == [0] * (THRESHOLDS.min_frames - 1)


def test_a_board_with_a_moving_piece_never_settles() -> None:
    board = BoardUnderTest()
    board.settle()
    before = len(board.reports)
    for step in range(12):
        board.see(frame({step: piece(3)}), 400)
    assert "Settled" not in report_types(
        board.reports[before + THRESHOLDS.flicker_ms // FRAME_MS + 2 :]
    )


# -- flicker ---------------------------------------------------------------------------------


def test_a_cell_known_to_flicker_is_neither_a_hand_nor_a_change() -> None:
    """Covered in every other frame, as at the limit of readability."""
    board = BoardUnderTest()
    board.settle()
    before = len(board.reports)
    for number in range(60):
        board.see(frame(covered=[5] if number % 2 else []))
    # The first flicker may be a piece taken away; afterwards the cell is known to flicker.
    assert report_types(board.reports[before:]) == ["Settled", "Settling", "Settled"]
    last = board.reports[-1]
    assert isinstance(last, Settled)
    assert last.sightings[5] == piece(7, 1)
    assert last.evidence.tagged[5, 1, 1] > 0
    assert last.covered == ()


def test_a_board_with_a_flickering_cell_settles() -> None:
    board = BoardUnderTest()
    for number in range(60):
        board.see(frame(covered=[5] if number % 2 else []))
    assert report_types(board.reports) == ["Settling", "Settled"]


def test_a_rotated_piece_is_a_change_once_it_is_stable() -> None:
    board = BoardUnderTest()
    board.settle()
    turned = {**TABLE, 5: piece(7, 2)}
    board.see(frame(turned), THRESHOLDS.flicker_ms - FRAME_MS)
    assert isinstance(board.see(frame()), Settled)
    board.see(frame(turned), THRESHOLDS.flicker_ms + 2 * FRAME_MS)
    assert isinstance(board.reports[-1], Settling)
    settled = board.settle(frame(turned))
    assert settled.sightings[5].orientation == 2


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(frame({**TABLE, 5: piece(7, 2)}), id="turned"),
        pytest.param(frame({0: piece(3), 6: piece(7, 1)}), id="moved"),
        pytest.param(frame({0: piece(3)}), id="taken"),
        pytest.param(frame(covered=[5, 6]), id="still being read"),
    ],
)
def test_a_move_too_fast_for_a_visible_hand_does_not_settle_as_before(
    after: Observation,
) -> None:
    board = BoardUnderTest()
    board.settle()
    assert isinstance(board.see(after), Settling)


# -- covered cells ---------------------------------------------------------------------------


@pytest.mark.parametrize("cup", [(6,), (6, 7, 10, 11)])
def test_an_object_left_on_the_board_is_reported_after_a_time(cup: tuple[Cell, ...]) -> None:
    board = BoardUnderTest()
    board.settle()
    waiting = board.see(frame(covered=cup), THRESHOLDS.left_there_ms - 300)
    assert waiting == (HandSeen(cup) if len(cup) >= THRESHOLDS.hand_cells else Moving(cup))
    named = board.see(frame(covered=cup), 1000)
    assert isinstance(named, Settled)
    assert named.covered == cup
    assert named.evidence.empty[6] == 0
    assert named.evidence.empty[1] > 0


def test_a_move_beside_a_covering_object_settles_as_usual() -> None:
    board = BoardUnderTest()
    board.settle()
    board.see(frame(covered=[15]), THRESHOLDS.left_there_ms + 1000)
    board.see(frame(covered=[15, *REACH]), 500)
    moved = {4: piece(3), 5: piece(7, 1)}
    before = len(board.reports)
    report = board.see(frame(moved, covered=[15]), THRESHOLDS.settle_ms + 400)
    assert report_types(board.reports[before:]) == ["HandSeen", "Settling", "Settled"]
    assert isinstance(report, Settled)
    assert report.covered == (15,)


def test_a_removed_object_is_forgotten() -> None:
    board = BoardUnderTest()
    board.settle(frame())
    board.see(frame(covered=[15]), THRESHOLDS.left_there_ms + 1000)
    assert board.settle(frame()).covered == ()


# -- no board --------------------------------------------------------------------------------


def test_a_lost_board_is_neither_a_hand_nor_settled_and_settles_again() -> None:
    board = BoardUnderTest()
    board.settle()
    lost = frame(covered=range(16), locked=False)
    assert board.see(lost, THRESHOLDS.left_there_ms + 1000) == BoardLost()
    assert board.see(frame()) == Settling(THRESHOLDS.settle_ms - FRAME_MS)
    board.settle()
    assert report_types(board.reports) == [
        "Settling",
        "Settled",
        "BoardLost",
        "Settling",
        "Settled",
    ]


def test_a_board_that_is_not_found_at_the_start_settles_later() -> None:
    board = BoardUnderTest()
    assert board.see(frame(locked=False), 500) == BoardLost()
    board.settle()


# -- voting ----------------------------------------------------------------------------------


def test_the_majority_of_frames_decides_the_content_of_a_cell() -> None:
    turned = {**TABLE, 5: piece(7, 3)}
    evidence, sightings = vote([frame(), frame(turned), frame(changed=[5])])
    assert sightings[5] == piece(7, 1)
    assert evidence.tagged[5, 1, 3] == 0
    assert evidence.tagged[5, 1, 1] > 0


def test_the_stable_look_of_a_cell_outvotes_flicker() -> None:
    stable_looks = [(seen.state, seen.tag, seen.orientation) for seen in frame().sightings]
    blinks = [frame(covered=[5]), frame(), frame(covered=[5])]
    assert vote(blinks, stable_looks)[1][5] == piece(7, 1)
    assert vote(blinks)[1][5] == COVERED


def test_in_a_tie_the_more_confident_frames_decide() -> None:
    sure, unsure = {5: piece(7, 1, 0.9)}, {5: piece(7, 2, 0.6)}
    for frames in ([frame(sure), frame(unsure)], [frame(unsure), frame(sure)]):
        assert vote(frames)[1][5] == piece(7, 1, 0.9)


def test_the_most_confident_of_equal_sightings_is_kept() -> None:
    better = replace(piece(7, 1, 0.99), offset_mm=(1.0, 2.0))
    _, sightings = vote([frame(), frame({5: better}), frame()])
    assert sightings[5] == better


def test_a_cell_that_was_not_read_again_counts_once() -> None:
    evidence, _ = vote([frame(changed=range(16)), frame(), frame(changed=[5]), frame()])
    assert evidence.tagged[0, 0, 0] == pytest.approx(4.0)
    assert evidence.tagged[5, 1, 1] == pytest.approx(2 * 4.0 / (1 + READING_CORRELATION))


@examples(50)
@given(st.integers(1, 40))
def test_many_frames_of_one_table_count_as_at_most_two(count: int) -> None:
    total = pool_evidence([frame().evidence] * count)
    worth = total.tagged[0, 0, 0] / frame().evidence.tagged[0, 0, 0]
    assert worth == pytest.approx(count / (1 + (count - 1) * READING_CORRELATION))
    assert 0.99 < worth < 2


def test_evidence_on_different_tags_cannot_be_pooled() -> None:
    other = Evidence((1,), np.zeros((16, 1, 4), np.float32), np.zeros(16, np.float32))
    with pytest.raises(ValueError, match="different tags"):
        pool_evidence([frame().evidence, other])


@examples(60)
@given(st.lists(st.tuples(st.sets(st.integers(0, 15)), st.integers(1, 900)), max_size=12))
def test_an_untouched_board_always_settles_with_its_pieces(
    disturbances: list[tuple[set[int], int]],
) -> None:
    board = BoardUnderTest()
    for covered, ms in disturbances:
        board.see(frame({min(covered, default=0): piece(3)}, covered), ms)
    report = board.see(frame(), THRESHOLDS.flicker_ms + THRESHOLDS.settle_ms + 5 * FRAME_MS)
    assert isinstance(report, Settled)
    assert report.covered == ()
    assert report.sightings == frame().sightings
