"""Steadiness by a clock of our own: hands that come and go, cups that stay, cells that blink."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.grid import Cell, SquareGrid
from tests.play import examples
from vision.observation import Evidence, Observation, Sighting, State
from vision.steady import (
    ALIKE,
    Blind,
    Hand,
    Moving,
    Patience,
    Report,
    Settled,
    Settling,
    Steady,
    pooled,
    voted,
)

GRID = SquareGrid(4, 4)
TAGS = (3, 7)
FRAME_MS = 33
PATIENCE = Patience()

EMPTY = Sighting(State.EMPTY, confidence=0.9)
COVERED = Sighting(State.COVERED, confidence=0.5)


def piece(tag: int, orientation: int = 0, confidence: float = 0.9) -> Sighting:
    return Sighting(State.OCCUPIED, tag, orientation, confidence=confidence)


TABLE: Mapping[Cell, Sighting] = {0: piece(3), 5: piece(7, 1)}


def frame(
    table: Mapping[Cell, Sighting] = TABLE,
    covered: Collection[Cell] = (),
    changed: Collection[Cell] = (),
    nats: float = 4.0,
    locked: bool = True,
) -> Observation:
    """One frame of a table; each cell's evidence speaks for what is seen there."""
    tagged, empty = np.zeros((16, 2, 4), np.float32), np.zeros(16, np.float32)
    sightings = []
    for cell in range(16):
        seen = COVERED if cell in covered else table.get(cell, EMPTY)
        sightings.append(seen)
        if seen.state is State.OCCUPIED:
            tagged[cell, TAGS.index(seen.tag), seen.orientation] = nats
        elif seen.state is State.EMPTY:
            empty[cell] = nats
    evidence = Evidence(TAGS, tagged, empty)
    return Observation(GRID, tuple(sightings), evidence, (), frozenset(changed), locked)


class Watch:
    """A board watched frame by frame, from time 0."""

    def __init__(self, patience: Patience = PATIENCE) -> None:
        self.steady = Steady(patience)
        self.at_ms = 0
        self.reports: list[Report] = []

    def see(self, observation: Observation, ms: int = FRAME_MS) -> Report:
        """The same picture for so long; the last report."""
        for _ in range(max(1, ms // FRAME_MS)):
            self.at_ms += FRAME_MS
            self.steady, report = self.steady.watch(observation, self.at_ms)
            self.reports.append(report)
        return self.reports[-1]

    def settle(self, observation: Observation | None = None) -> Settled:
        report = self.see(observation or frame(), PATIENCE.settle_ms + 10 * FRAME_MS)
        assert isinstance(report, Settled)
        return report


def kinds(reports: Iterable[Report]) -> list[str]:
    """The kinds of report, each once as long as it lasts."""
    names = [type(report).__name__ for report in reports]
    return [name for name, before in zip(names, ["", *names], strict=False) if name != before]


# -- settling --------------------------------------------------------------------------------


def test_a_quiet_board_settles_after_a_while() -> None:
    watch = Watch()
    first = watch.see(frame())
    assert first == Settling(PATIENCE.settle_ms)
    settled = watch.settle()
    assert kinds(watch.reports) == ["Settling", "Settled"]
    early = [r.remaining_ms for r in watch.reports if isinstance(r, Settling)]
    assert early == sorted(early, reverse=True)
    assert len(early) == pytest.approx(PATIENCE.settle_ms / FRAME_MS, abs=2)
    assert settled.frames == PATIENCE.frames
    assert settled.covered == ()
    assert settled.sightings[5] == piece(7, 1)


def test_a_slow_camera_needs_enough_frames_too() -> None:
    steady, reports = Steady(), list[Report]()
    for number in range(PATIENCE.fewest_frames):
        steady, report = steady.watch(frame(), 5000 * number)
        reports.append(report)
    assert kinds(reports[:-1]) == ["Settling"]
    assert isinstance(reports[-1], Settled)
    assert reports[-1].frames == PATIENCE.fewest_frames


def test_an_hour_of_quiet_is_one_long_rest() -> None:
    steady = Steady()
    for second in range(3600):
        steady, report = steady.watch(frame(), 1000 * second)
        assert isinstance(report, Settled) == (second >= 2)
    assert len(steady.votes) == PATIENCE.frames


def test_the_same_frames_give_the_same_reports() -> None:
    pictures = [frame(), frame(covered=[1, 2, 3]), frame({4: piece(3)}), frame()]
    one, other = Watch(), Watch()
    for watch in (one, other):
        for picture in pictures:
            watch.see(picture, 400)
    assert kinds(one.reports) == kinds(other.reports)
    assert one.steady.cells == other.steady.cells


# -- hands -----------------------------------------------------------------------------------

REACH = (8, 9, 12, 13)


def test_a_hand_that_moves_a_piece_is_seen_and_then_the_board_settles() -> None:
    watch = Watch()
    watch.settle()
    watch.see(frame(covered=REACH), 500)
    watch.see(frame({5: piece(7, 1)}, covered=[0, 4, *REACH]), 500)
    moved = {4: piece(3), 5: piece(7, 1)}
    watch.see(frame(moved, covered=REACH), 300)
    watch.see(frame(moved), 1500)
    assert kinds(watch.reports) == ["Settling", "Settled", "Hand", "Settling", "Settled"]
    last = watch.reports[-1]
    assert isinstance(last, Settled)
    assert last.sightings[4] == piece(3)
    assert last.sightings[0].state is State.EMPTY
    assert last.evidence.empty[0] > 0
    assert last.evidence.tagged[0].max() == 0


def test_a_hand_is_seen_at_once_and_named_by_its_cells() -> None:
    watch = Watch()
    watch.settle()
    assert watch.see(frame(covered=REACH)) == Hand(REACH)


def test_a_hand_ends_only_when_the_last_finger_is_gone() -> None:
    watch = Watch()
    watch.settle()
    watch.see(frame(covered=REACH), 300)
    for covered in ([9], [9, 12], [12], [9]):
        assert isinstance(watch.see(frame(covered=covered), 300), Hand)
    assert isinstance(watch.see(frame(), 300), Settling)


def test_a_finger_is_no_hand_but_nothing_settles_under_it() -> None:
    watch = Watch()
    watch.settle()
    assert watch.see(frame(covered=[9]), 500) == Moving((9,))
    assert isinstance(watch.see(frame(), 300), Settling)
    watch.settle()


def test_a_hand_that_passes_quickly_does_not_make_the_board_settle_anew() -> None:
    watch = Watch()
    watch.settle()
    watch.see(frame(covered=REACH), 2 * FRAME_MS)
    watch.see(frame(), PATIENCE.fewest_frames * FRAME_MS)
    assert kinds(watch.reports) == ["Settling", "Settled", "Hand", "Settling", "Settled"]
    again = [r for r in watch.reports[-5:] if isinstance(r, Settling)]
    assert [report.remaining_ms for report in again] == [0] * (PATIENCE.fewest_frames - 1)


def test_a_piece_that_is_moved_again_and_again_never_settles() -> None:
    watch = Watch()
    watch.settle()
    before = len(watch.reports)
    for step in range(12):
        watch.see(frame({step: piece(3)}), 400)
    assert "Settled" not in kinds(watch.reports[before + PATIENCE.blink_ms // FRAME_MS + 2 :])


# -- blinking --------------------------------------------------------------------------------


def test_a_cell_that_blinks_does_not_disturb() -> None:
    """Covered in every other frame, as on the edge of what can be read."""
    watch = Watch()
    watch.settle()
    before = len(watch.reports)
    for number in range(60):
        watch.see(frame(covered=[5] if number % 2 else []))
    # The first blink may be a piece taken away; then it is known to blink.
    assert kinds(watch.reports[before:]) == ["Settled", "Settling", "Settled"]
    last = watch.reports[-1]
    assert isinstance(last, Settled)
    assert last.sightings[5] == piece(7, 1)
    assert last.evidence.tagged[5, 1, 1] > 0
    assert last.covered == ()


def test_a_board_with_a_blinking_cell_settles() -> None:
    watch = Watch()
    for number in range(60):
        watch.see(frame(covered=[5] if number % 2 else []))
    assert kinds(watch.reports) == ["Settling", "Settled"]


def test_a_turned_piece_is_a_change_once_it_stays() -> None:
    watch = Watch()
    watch.settle()
    turned = {**TABLE, 5: piece(7, 2)}
    watch.see(frame(turned), PATIENCE.blink_ms - FRAME_MS)
    assert isinstance(watch.see(frame()), Settled)
    watch.see(frame(turned), PATIENCE.blink_ms + 2 * FRAME_MS)
    assert isinstance(watch.reports[-1], Settling)
    settled = watch.settle(frame(turned))
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
def test_a_move_too_quick_for_a_hand_to_be_seen_is_not_judged_as_it_was_before(
    after: Observation,
) -> None:
    watch = Watch()
    watch.settle()
    assert isinstance(watch.see(after), Settling)


# -- what stays covered ----------------------------------------------------------------------


@pytest.mark.parametrize("cup", [(6,), (6, 7, 10, 11)])
def test_a_cup_left_on_the_board_is_named_after_a_while(cup: tuple[Cell, ...]) -> None:
    watch = Watch()
    watch.settle()
    waiting = watch.see(frame(covered=cup), PATIENCE.lasting_ms - 300)
    assert waiting == (Hand(cup) if len(cup) >= PATIENCE.hand_cells else Moving(cup))
    named = watch.see(frame(covered=cup), 1000)
    assert isinstance(named, Settled)
    assert named.covered == cup
    assert named.evidence.empty[6] == 0
    assert named.evidence.empty[1] > 0


def test_a_move_beside_a_cup_settles_as_usual() -> None:
    watch = Watch()
    watch.settle()
    watch.see(frame(covered=[15]), PATIENCE.lasting_ms + 1000)
    watch.see(frame(covered=[15, *REACH]), 500)
    moved = {4: piece(3), 5: piece(7, 1)}
    before = len(watch.reports)
    report = watch.see(frame(moved, covered=[15]), PATIENCE.settle_ms + 400)
    assert kinds(watch.reports[before:]) == ["Hand", "Settling", "Settled"]
    assert isinstance(report, Settled)
    assert report.covered == (15,)


def test_a_cup_that_is_taken_away_is_forgotten() -> None:
    watch = Watch()
    watch.settle(frame())
    watch.see(frame(covered=[15]), PATIENCE.lasting_ms + 1000)
    assert watch.settle(frame()).covered == ()


# -- no board --------------------------------------------------------------------------------


def test_a_lost_board_is_neither_a_hand_nor_settled_and_settles_anew() -> None:
    watch = Watch()
    watch.settle()
    lost = frame(covered=range(16), locked=False)
    assert watch.see(lost, PATIENCE.lasting_ms + 1000) == Blind()
    assert watch.see(frame()) == Settling(PATIENCE.settle_ms - FRAME_MS)
    watch.settle()
    assert kinds(watch.reports) == ["Settling", "Settled", "Blind", "Settling", "Settled"]


def test_a_board_that_is_lost_from_the_start_is_waited_for() -> None:
    watch = Watch()
    assert watch.see(frame(locked=False), 500) == Blind()
    watch.settle()


# -- voting ----------------------------------------------------------------------------------


def test_most_frames_decide_what_is_on_a_cell() -> None:
    turned = {**TABLE, 5: piece(7, 3)}
    evidence, sightings = voted([frame(), frame(turned), frame(changed=[5])])
    assert sightings[5] == piece(7, 1)
    assert evidence.tagged[5, 1, 3] == 0
    assert evidence.tagged[5, 1, 1] > 0


def test_the_look_that_a_cell_rests_at_outvotes_blinks() -> None:
    rests = [(seen.state, seen.tag, seen.orientation) for seen in frame().sightings]
    blinks = [frame(covered=[5]), frame(), frame(covered=[5])]
    assert voted(blinks, rests)[1][5] == piece(7, 1)
    assert voted(blinks)[1][5] == COVERED


def test_where_frames_are_even_the_surer_ones_decide() -> None:
    sure, unsure = {5: piece(7, 1, 0.9)}, {5: piece(7, 2, 0.6)}
    for frames in ([frame(sure), frame(unsure)], [frame(unsure), frame(sure)]):
        assert voted(frames)[1][5] == piece(7, 1, 0.9)


def test_the_surest_of_equal_sightings_is_kept() -> None:
    better = replace(piece(7, 1, 0.99), offset_mm=(1.0, 2.0))
    _, sightings = voted([frame(), frame({5: better}), frame()])
    assert sightings[5] == better


def test_a_cell_that_was_not_read_again_counts_once() -> None:
    evidence, _ = voted([frame(changed=range(16)), frame(), frame(changed=[5]), frame()])
    assert evidence.tagged[0, 0, 0] == pytest.approx(4.0)
    assert evidence.tagged[5, 1, 1] == pytest.approx(2 * 4.0 / (1 + ALIKE))


@examples(50)
@given(st.integers(1, 40))
def test_many_frames_of_one_table_are_worth_two_at_most(count: int) -> None:
    total = pooled([frame().evidence] * count)
    worth = total.tagged[0, 0, 0] / frame().evidence.tagged[0, 0, 0]
    assert worth == pytest.approx(count / (1 + (count - 1) * ALIKE))
    assert 0.99 < worth < 2


def test_evidence_on_different_tags_cannot_be_pooled() -> None:
    other = Evidence((1,), np.zeros((16, 1, 4), np.float32), np.zeros(16, np.float32))
    with pytest.raises(ValueError, match="different tags"):
        pooled([frame().evidence, other])


@examples(60)
@given(st.lists(st.tuples(st.sets(st.integers(0, 15)), st.integers(1, 900)), max_size=12))
def test_whatever_happened_a_board_left_alone_settles_with_what_is_on_it(
    disturbances: list[tuple[set[int], int]],
) -> None:
    watch = Watch()
    for covered, ms in disturbances:
        watch.see(frame({min(covered, default=0): piece(3)}, covered), ms)
    report = watch.see(frame(), PATIENCE.blink_ms + PATIENCE.settle_ms + 5 * FRAME_MS)
    assert isinstance(report, Settled)
    assert report.covered == ()
    assert report.sightings == frame().sightings
