"""Decoding of cell patches: every tag in every rotation with its pose, and empty cells."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.benchmarks.vision import _random_cell, _textures
from engine import games
from vision import decode
from vision.decode import MIN_MARGIN_NATS, MIN_SCORE, PATCH_TAGS, Reading, Stack, read_tags
from vision.tags import MODULES, TAGS, modules
from vision.templates import PATCH

TAG_MM, CAP_MM = 26.0, 34.0
REACH_DEGREES = 26.0
IN_PLAY = tuple(sorted({tag for name in games.GAMES for tag in games.make(name).tags}))
BLACK, WHITE, BOARD = 25.0, 220.0, 60.0
FINE = 6  # subsamples a side of each sample of a patch


def patch(
    tag: int,
    turn_degrees: float = 0.0,
    x_mm: float = 0.0,
    y_mm: float = 0.0,
    levels: tuple[float, float, float] = (BLACK, WHITE, BOARD),
    blur: float = 0.0,
) -> Stack:
    """The image of a cell by a perfect camera: dark board, white cap, black print.

    `blur` is a share of the patch's side.
    """
    side = PATCH_TAGS * TAG_MM
    axis = ((np.arange(PATCH * FINE) + 0.5) / (PATCH * FINE) - 0.5) * side
    x, y = np.meshgrid(axis - x_mm, axis - y_mm)
    turn = np.radians(turn_degrees)
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    black, white, board = levels
    seen = np.where(np.maximum(abs(u), abs(v)) < CAP_MM / 2, white, board).astype(np.float64)
    column, row = (np.floor((n / TAG_MM + 0.5) * MODULES).astype(int) for n in (u, v))
    inside = (column >= 0) & (column < MODULES) & (row >= 0) & (row < MODULES)
    print_ = np.where(modules(tag) > 0, white, black)
    seen[inside] = print_[row[inside], column[inside]]
    small = cv2.resize(seen, (PATCH, PATCH), interpolation=cv2.INTER_AREA)
    if blur:
        small = cv2.GaussianBlur(small, (0, 0), blur * PATCH)
    return np.clip(np.round(small), 0, 255).astype(np.uint8)


def decoded(*patches: Stack, tags: tuple[int, ...] = IN_PLAY) -> Reading:
    return read_tags(np.stack(patches), tags, TAG_MM, CAP_MM, REACH_DEGREES)


def tags_and_turns(reading: Reading, tags: tuple[int, ...] = IN_PLAY) -> list[tuple[int, int]]:
    assert reading.accepted_mask().all()
    quarter = np.round(reading.pose[:, 2] / 90).astype(int) % 4
    return [(tags[best], int(turn)) for best, turn in zip(reading.best, quarter, strict=True)]


# -- tags --------------------------------------------------------------------------------------

EVERY = [(tag, turn) for tag in IN_PLAY for turn in range(4)]


@pytest.mark.parametrize("blur", [0.0, 0.025, 0.05])
def test_every_tag_is_read_in_every_quarter_turn(blur: float) -> None:
    reading = decoded(*(patch(tag, 90 * turn, blur=blur) for tag, turn in EVERY))
    assert tags_and_turns(reading) == EVERY


@pytest.mark.parametrize(
    "levels",
    [(0, 255, 128), (10, 40, 15), (100, 140, 90), (60, 250, 250), (20, 200, 20), (5, 90, 120)],
)
def test_tags_are_read_at_any_brightness_and_contrast(levels: tuple[float, float, float]) -> None:
    reading = decoded(*(patch(tag, 90 * turn, levels=levels) for tag, turn in EVERY[::5]))
    assert tags_and_turns(reading) == EVERY[::5]


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(EVERY),
    st.floats(-6, 6),
    st.floats(-6, 6),
    st.floats(-22, 22),
)
@example((2, 0), 3.0, 3.0, 0.0)  # one refinement step ends 0.6 mm and 4 degrees off
def test_a_displaced_cap_is_read_and_measured(
    which: tuple[int, int], x_mm: float, y_mm: float, crooked: float
) -> None:
    tag, turn = which
    reading = decoded(patch(tag, 90 * turn + crooked, x_mm, y_mm))
    assert reading.accepted_mask().all()
    assert IN_PLAY[reading.best[0]] == tag
    x, y, angle = reading.pose[0]
    assert (x, y) == pytest.approx((x_mm, y_mm), abs=1.0)
    assert wrap_degrees(angle - 90 * turn - crooked) == pytest.approx(0, abs=6.0)
    assert reading.base_degrees[0] == pytest.approx(crooked, abs=6.0)


def wrap_degrees(degrees: Any) -> Any:
    """An angle in -180 to 180."""
    return (degrees + 180) % 360 - 180


def test_place_and_angle_are_measured_well_on_average() -> None:
    rng = np.random.default_rng(5)
    off, turns = rng.uniform(-6, 6, (200, 2)), rng.uniform(-22, 22, 200)
    reading = decoded(
        *(patch(18, turn, x, y) for (x, y), turn in zip(off.tolist(), turns.tolist(), strict=True))
    )
    assert np.median(np.abs(reading.pose[:, :2] - off)) < 0.2
    assert np.median(np.abs(wrap_degrees(reading.pose[:, 2] - turns))) < 1.0
    assert np.abs(np.mean(wrap_degrees(reading.pose[:, 2] - turns))) < 0.3, "to neither side"


def test_every_tag_has_a_score() -> None:
    reading = decoded(patch(18, 90))
    best = np.unravel_index(reading.prints[0].argmax(), reading.prints[0].shape)
    assert (IN_PLAY[best[0]], best[1]) == (18, 1)
    assert reading.score[0] == reading.prints[0].max() > 0.9
    others = np.sort(reading.prints[0].ravel())[:-1]
    assert others.max() < MIN_SCORE + 0.15
    assert reading.margin[0] > 2 * MIN_MARGIN_NATS


@pytest.mark.parametrize("name", games.GAMES)
def test_a_tag_out_of_play_is_not_mistaken_for_one_in_play(name: str) -> None:
    tags = tuple(sorted(games.make(name).tags))
    foreign = [tag for tag in TAGS if tag not in tags]
    stack = [
        patch(tag, 90 * turn, blur=b)
        for tag in foreign
        for turn in (0, 1)
        for b in (0, 0.025, 0.05)
    ]
    assert not decoded(*stack, tags=tags).accepted_mask().any()


def test_few_tags_in_play_are_enough() -> None:
    ships = (12, 25)
    both = decoded(patch(12, 180), patch(25, 90), patch(12, 270), tags=ships)
    assert tags_and_turns(both, ships) == [(12, 2), (25, 1), (12, 3)]


def test_the_reading_of_a_cell_does_not_depend_on_others() -> None:
    """Patches are adjacent in memory, so a decoder could read beyond its patch."""
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 256, (PATCH, PATCH)).astype(np.uint8)
    alone = decoded(patch(7, 4, 3, 6))
    for others in ([noise, noise], [np.full_like(noise, 255), np.zeros_like(noise)]):
        among = decoded(others[0], patch(7, 4, 3, 6), others[1])
        assert among.accepted_mask().tolist() == [False, True, False]
        assert among.pose[1] == pytest.approx(alone.pose[0], abs=0.3)
        assert among.score[1] == pytest.approx(alone.score[0], abs=0.03)


def test_a_cap_that_reaches_out_of_its_patch_is_not_read_in_the_next() -> None:
    out = patch(7, 40, 3, 10)
    for level in (0, 255):
        other = np.full((PATCH, PATCH), level, np.uint8)
        readings = [
            read_tags(np.stack(stack), IN_PLAY, TAG_MM, CAP_MM, 45.0, decode.WIDE_REACH_TAGS)
            for stack in ([out], [other, out, other])
        ]
        assert [reading.accepted_mask().tolist() for reading in readings] == [
            [True],
            [False, True, False],
        ]
        alone, among = readings[0].prints[0], readings[1].prints[1]
        assert among == pytest.approx(alone, abs=0.06)


def test_a_second_attempt_keeps_the_tags_already_read() -> None:
    first = decoded(patch(5), np.full((PATCH, PATCH), 90, np.uint8), patch(6))
    second = decoded(np.full((PATCH, PATCH), 90, np.uint8), patch(9, 90))
    first.merge(np.array([0, 1]), second)
    assert tags_and_turns(first) == [(5, 0), (9, 1), (6, 0)]


# -- no tags -----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 1, 90, 254, 255])
def test_a_uniform_cell_is_empty(level: int) -> None:
    reading = decoded(np.full((PATCH, PATCH), level, np.uint8))
    assert not reading.accepted_mask().any()
    assert reading.score[0] == 0
    assert not reading.prints.any()


@pytest.mark.parametrize("spread", [1, 8, 40, 90])
def test_noise_is_not_read_as_a_tag(spread: float) -> None:
    rng = np.random.default_rng(1)
    stack = np.clip(rng.normal(128, spread, (600, PATCH, PATCH)), 0, 255).astype(np.uint8)
    assert not decoded(*stack).accepted_mask().any()
    soft = np.stack([cv2.GaussianBlur(each, (0, 0), 2.0) for each in stack])
    loud = np.clip((soft.astype(np.float32) - 128) * 4 + 128, 0, 255).astype(np.uint8)
    assert not decoded(*loud).accepted_mask().any()


@pytest.mark.parametrize("blown", [0.4, 1.0])
def test_an_overexposed_tag_is_not_guessed(blown: float) -> None:
    """A tag that a reflection burnt out is read right or not at all."""
    stack, real = [], []
    for number, (tag, turn) in enumerate(EVERY):
        seen = patch(tag, 90 * turn)
        wide = round(PATCH * blown)
        at = number % (PATCH - wide + 1)
        seen[at : at + wide, : max(wide, PATCH // 2)] = 255
        stack.append(seen)
        real.append((tag, turn))
    reading = decoded(*stack)
    read_ones = reading.accepted_mask()
    if blown == 1.0:
        assert not read_ones.any()
    quarter = np.round(reading.pose[:, 2] / 90).astype(int) % 4
    for index in np.flatnonzero(read_ones):
        assert (IN_PLAY[reading.best[index]], quarter[index]) == real[index]


def test_a_cap_without_a_print_is_empty() -> None:
    for black in (WHITE, BLACK):  # all white, and all black
        bare = patch(0, levels=(black, WHITE, BOARD))
        side = round(PATCH / PATCH_TAGS / 2)
        middle = PATCH // 2
        bare[middle - side : middle + side, middle - side : middle + side] = black
        assert not decoded(bare).accepted_mask().any()


def test_images_without_tags_are_never_read() -> None:
    rng = np.random.default_rng(11)
    wrong = cells = 0
    for _, image in _textures(rng):
        stack = np.stack([_random_cell(image, rng) for _ in range(120)])
        wrong += int(read_tags(stack, IN_PLAY, TAG_MM, CAP_MM, REACH_DEGREES).accepted_mask().sum())
        cells += len(stack)
    assert cells > 3500
    assert wrong == 0


# -- thresholds --------------------------------------------------------------------------------


def test_a_tag_counts_as_read_only_with_a_good_score_and_a_clear_margin() -> None:
    reading = decoded(*5 * [patch(3)])
    reading.score[:] = [MIN_SCORE, MIN_SCORE - 0.01, MIN_SCORE, MIN_SCORE - 0.01, MIN_SCORE]
    reading.margin[:] = [
        MIN_MARGIN_NATS,
        MIN_MARGIN_NATS,
        MIN_MARGIN_NATS - 0.1,
        MIN_MARGIN_NATS - 0.1,
        MIN_MARGIN_NATS,
    ]
    reading.foreign[:] = [MIN_SCORE, 0, 0, 0, MIN_SCORE + 0.01]
    assert reading.accepted_mask().tolist() == [True, False, False, False, False]


def test_nats_grow_with_the_correlation_and_stay_finite() -> None:
    found = decode.to_nats(np.array([-1.0, 0.0, 0.3, 0.6, 0.9, 1.0], np.float32))
    assert found[0] == found[1] == 0
    assert (np.diff(found[1:]) > 0).all()
    assert np.isfinite(found).all()
