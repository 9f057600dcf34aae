"""The walk through position, focus, light and reading: what is wrong is found, and told rightly."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.calibrating import Look, Onlooker, Step, Walk, looked
from controller.calibrating.half_blocks import SHADES, as_text, fitted
from controller.calibrating.screen import SMALLEST, screen, summary
from controller.calibrating.walk import HOLD_MS
from controller.ports import Pixels
from tests.controller.calibrating_scenes import grey, look_at, picture, staged, table
from vision.view import Lens

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def judged(look: Look) -> dict[Step, tuple[int, str]]:
    return {each.step: (each.points, each.sentence) for each in Walk().see(look).verdicts}


def failing(look: Look) -> set[str]:
    return {str(each.step) for each in Walk().see(look).verdicts if not each.good}


def sentence(look: Look, step: str) -> str:
    return judged(look)[Step(step)][1]


def even(level: int) -> Look:
    return looked(np.full((720, 1280), level, np.uint8), table(), 0.0)


# -- what is wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_good_picture_is_good_in_every_step(seed: int) -> None:
    walk = Walk().see(look_at("plain", seed))
    assert min(each.points for each in walk.verdicts) > 80
    assert walk.good
    assert walk.total > 80


@pytest.mark.parametrize("board", ["hex-r5", "photon-10x10", "paper-10x8"])
def test_every_board_can_be_good(board: str) -> None:
    assert failing(looked(picture(board), table(board), 0.0)) == set()


@pytest.mark.parametrize(
    ("scenario", "step", "said"),
    [
        ("tilt_35", "position", "35 degrees off straight down: move it towards row 8"),
        ("tiny", "position", "fills 33 % of the picture: move the camera nearer"),
        ("defocus_2", "focus", "turn the lens ring until the number stops rising: it is 5"),
        ("very_dim", "light", "it is dark: more light on the board, or a longer exposure"),
        ("overexposed", "light", "too bright: 100 % of the tags"),
        ("shadow_edge", "light", "it is much darker around j8 than elsewhere"),
        ("hand", "reading", "cannot be seen: take hands and things away"),
    ],
)
def test_what_is_wrong_fails_its_own_step_and_no_other(scenario: str, step: str, said: str) -> None:
    look = look_at(scenario)
    assert failing(look) == {step}
    assert said in sentence(look, step)


@pytest.mark.parametrize("scenario", ["defocus_2", "shadow_edge", "hand", "two_hands", "motion_7"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_only_a_lamp_is_taken_for_a_lamp(scenario: str, seed: int) -> None:
    light = look_at(scenario, seed).light
    assert light is not None
    assert light.glare == ()


@pytest.mark.parametrize("scenario", ["glare", "strong_glare"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_reflection_is_named_by_its_cell(scenario: str, seed: int) -> None:
    look, board = look_at(scenario, seed), table().board
    assert look.light is not None
    assert {"light", "reading"} <= failing(look)
    assert re.search("lamps? reflects? at [a-j][1-8]", sentence(look, "light"))
    mirrored = staged(scenario, seed).scene.room.reflections
    for cell in look.light.glare:
        x, y = board.centre_mm(cell)
        apart = min(np.hypot(each.x_mm - x, each.y_mm - y) for each in mirrored)
        assert apart < 1.5 * board.cell_mm, board.grid.name(cell)


@pytest.mark.parametrize("cell", ["e5", "b2", "i7"])
def test_one_lamp_is_named_where_it_is(cell: str) -> None:
    look = looked(picture(lamp_at=cell), table(), 0.0)
    assert sentence(look, "light").startswith(f"a lamp reflects at {cell}: move it")


@pytest.mark.parametrize(
    ("towards_degrees", "turn_degrees", "corners", "way"),
    [
        (90, 0, "j1 and a1", "towards row 1"),
        (270, 0, "a8 and j8", "towards row 8"),
        (90, 180, "a8 and j8", "towards row 8"),  # the camera hangs the other way round
        (180, 0, "a1", "to the left and towards row 1"),
    ],
)
def test_a_board_that_is_cut_off_says_where_to_move_the_camera(
    towards_degrees: float, turn_degrees: float, corners: str, way: str
) -> None:
    seen = picture(shift_px=180, towards_degrees=towards_degrees, turn_degrees=turn_degrees)
    look = looked(seen, table(), 0.0)
    assert "position" in failing(look)
    expected = f"the board is cut off at {corners}: move the camera {way} (seen from row 1)"
    assert sentence(look, "position") == expected


def test_a_board_too_near_to_show_its_corners_wants_the_camera_higher() -> None:
    look = looked(picture(fill=1.0), table(), 0.0)
    assert "pieces are seen, but no corner" in sentence(look, "position")
    assert "move the camera higher" in sentence(look, "position")


def test_a_hidden_corner_is_named() -> None:
    covered = picture().copy()
    covered[:110, 860:] = 60
    look = looked(covered, table(), 0.0)
    assert "position" in failing(look)
    assert "corner tag 27 is hidden: move the hand or the lamp at j8" in sentence(look, "position")


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (5, "too dark to find the board"),
        (255, "too bright to find the board"),
        (120, "no board is seen"),
        ("defocus_3", "too blurred to find the board: turn the lens ring"),
    ],
)
def test_a_board_that_is_not_found_says_why(shown: int | str, said: str) -> None:
    look = even(shown) if isinstance(shown, int) else look_at(shown)
    assert look.lock is None
    assert said in sentence(look, "position")
    assert {"position", "light", "reading"} <= failing(look)


def test_an_empty_board_wants_pieces() -> None:
    look = looked(picture(standing=False), table(), 0.0)
    assert failing(look) == {"reading"}
    assert "set the pieces up" in sentence(look, "reading")


def test_a_lens_that_bends_is_told_to_be_calibrated() -> None:
    bent = picture(bend=-0.3)
    assert "calibrate it with" in Walk().see(looked(bent, table(), 0.0)).lens
    known = replace(table(), lens=Lens(distortion=(-0.3, 0, 0, 0, 0), calibrated=True))
    assert Walk().see(looked(bent, known, 0.0)).lens.startswith("calibrated, ")
    assert "good" in Walk().see(look_at("plain")).lens


def test_an_exposure_that_is_not_locked_is_told_but_stops_nobody() -> None:
    look = replace(look_at("plain"), exposure_locked=False)
    assert failing(look) == set()
    assert "add ?exposure_ms=10" in sentence(look, "light")


def test_whoever_looks_on_sees_what_a_fresh_look_sees_wherever_the_camera_goes() -> None:
    black = np.zeros((720, 1280), np.uint8)
    covered = picture().copy()
    covered[:110, 860:] = 60
    onlooker = Onlooker(table())
    for seen in (
        *(picture(), picture(shift_px=6.0), picture(shift_px=180, towards_degrees=90), covered),
        *(black, picture(), picture(turn_degrees=180), picture(fill=0.4), picture()),
    ):
        followed, fresh = onlooker.look(seen, 0.0), looked(seen, table(), 0.0)
        assert failing(followed) == failing(fresh)
        expected = re.sub("[0-9]+ %", "", sentence(fresh, "position"))
        assert re.sub("[0-9]+ %", "", sentence(followed, "position")) == expected


# -- over time ---------------------------------------------------------------------------------


def seeing(
    walk: Walk, look: Look, *, start_ms: float, pictures: int, apart_ms: float = 250
) -> Walk:
    for number in range(pictures):
        walk = walk.see(replace(look, at_ms=start_ms + number * apart_ms))
    return walk


def test_a_step_is_done_when_it_was_good_for_a_while() -> None:
    good = look_at("plain")
    walk = Walk().see(good)
    assert walk.see(replace(good, at_ms=HOLD_MS - 1)).step is Step.POSITION
    assert walk.see(replace(good, at_ms=HOLD_MS)).step is Step.FOCUS


def test_a_good_board_walks_through_by_itself() -> None:
    walk = seeing(Walk(), look_at("plain"), start_ms=0, pictures=9)
    assert walk.step is Step.FOCUS
    assert seeing(walk, look_at("plain"), start_ms=2250, pictures=27).over


def test_a_bad_moment_or_a_lost_camera_starts_the_waiting_anew() -> None:
    good, bad = look_at("plain"), look_at("tiny")
    for broken in (
        Walk().see(good).see(replace(bad, at_ms=1000)),
        Walk().see(good).interrupted(),
    ):
        later = broken.see(replace(good, at_ms=HOLD_MS))
        assert later.step is Step.POSITION
        assert later.see(replace(good, at_ms=2 * HOLD_MS)).step is Step.FOCUS


def test_a_step_that_is_not_good_is_never_done() -> None:
    walk = seeing(Walk(), look_at("tiny"), start_ms=0, pictures=100)
    assert walk.step is Step.POSITION
    assert not walk.good


def test_one_may_go_on_anyway_and_back() -> None:
    walk = Walk().see(look_at("tiny"))
    assert walk.skipped().step is Step.FOCUS
    assert walk.skipped().back().step is Step.POSITION
    assert walk.back().step is Step.POSITION
    for _ in Step:
        walk = walk.skipped()
    assert walk.over
    assert not walk.good, "what was skipped is not good"


def test_the_best_focus_so_far_is_told() -> None:
    walk = Walk().skipped().see(look_at("plain")).see(replace(look_at("defocus_2"), at_ms=500))
    assert walk.verdict is not None
    assert re.search("it is 5., the best so far was 100", walk.verdict.sentence)


def brighter(pixels: Pixels, factor: float) -> Pixels:
    return np.asarray(np.clip(pixels * factor, 0, 255), np.uint8)


def test_light_that_flickers_is_told_and_steady_light_is_not() -> None:
    pixels = grey(staged("plain").frame)
    looks = [looked(brighter(pixels, factor), table(), 0.0) for factor in (1.0, 0.8)]
    walk = Walk()
    for number in range(6):
        walk = walk.see(replace(looks[number % 2], at_ms=200.0 * number))
    light = walk.verdicts[2]
    assert not light.good
    assert "the light flickers by 2" in light.sentence
    assert seeing(Walk(), looks[1], start_ms=0, pictures=6).verdicts[2].good


def test_a_picture_that_shakes_is_told() -> None:
    walk = Walk()
    for number in range(6):
        moved = picture(shift_px=20.0 * (number % 2), fill=0.6)
        walk = walk.see(looked(moved, table(), 200.0 * number))
    reading = walk.verdicts[3]
    assert not reading.good
    assert "the picture shakes by" in reading.sentence


# -- on the screen -----------------------------------------------------------------------------


@given(
    st.integers(20, 400), st.integers(20, 400), st.integers(10, 200), st.integers(5, 60),
)  # fmt: skip
def test_a_picture_as_text_fits_and_keeps_its_shape(
    width: int, height: int, columns: int, rows: int
) -> None:
    pixels = fitted(np.zeros((height, width), np.uint8), columns, rows)
    high, wide = pixels.shape[:2]
    assert wide <= columns
    assert high <= 2 * rows
    if high > 2:  # there is no less
        assert abs(wide - high * width / height) <= 1 + width / height
    for colour in (True, False):
        lines = [ESCAPE.sub("", line) for line in as_text(pixels, colour=colour)]
        assert {len(line) for line in lines} == {wide}
        assert len(lines) == high // 2


def test_colours_and_shades_are_those_of_the_picture() -> None:
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0, 0] = (0, 0, 255)  # red above, black below, then two white ones
    pixels[:, 1] = 255
    (line,) = as_text(pixels, colour=True)
    assert line.startswith("\x1b[38;2;248;0;0;48;2;0;0;0m▀\x1b[38;2;248;248;248;")
    (plain,) = as_text(pixels, colour=False)
    assert plain == SHADES[1] + SHADES[-1]


@pytest.mark.parametrize("size", [SMALLEST, (80, 24), (200, 60)])
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("scenario", ["plain", "hand", "defocus_3"])
def test_the_screen_has_room_in_the_terminal(
    size: tuple[int, int], colour: bool, scenario: str
) -> None:
    look = look_at(scenario)
    walk = Walk().see(look)
    lines = screen(walk, look, staged(scenario).frame, size, "", colour=colour)
    plain = [ESCAPE.sub("", line) for line in lines]
    assert len(lines) < size[1]
    assert max(map(len, plain)) < size[0]
    assert plain[0].startswith("step 1 of 4: position")
    assert walk.verdict is not None
    assert walk.verdict.sentence in " ".join(plain)


def test_trouble_with_the_camera_is_told_in_place_of_advice() -> None:
    look = look_at("plain")
    text = screen(Walk().see(look), look, staged("plain").frame, (80, 24), "gone", colour=False)
    assert "gone" in text
    assert "all four corners" not in "".join(text)


def test_the_summary_names_what_must_be_better() -> None:
    bad = summary(Walk().see(look_at("strong_glare")), colour=False)
    assert bad[4].endswith("light and reading must be better")
    assert summary(Walk().see(look_at("plain")), colour=False)[4].endswith("100  ready to play")
