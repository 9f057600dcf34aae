"""Calibration steps: position, focus, light and reading are scored, with the right advice."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.builder import calibration_sentences as sentences
from controller.builder.calibration import (
    CalibrationFrame,
    CalibrationStep,
    CalibrationSteps,
    FrameAnalyzer,
    analyze_frame,
)
from controller.builder.calibration.steps import HOLD_MS
from controller.builder.sentences import join_names
from controller.ports.devices import Pixels
from controller.ui.terminal.calibration_screen import (
    MIN_TERMINAL_SIZE,
    render_calibration_screen,
    summary_lines,
)
from controller.ui.terminal.image_text import SHADES, fit_to_terminal, image_lines
from engine.sentences import Sentence, Slot, Template, plain
from tests.support.builder.calibration_scenes import grey, image, look_at, staged, table
from vision.camera_model import Lens
from vision.observation import ProblemKind

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def failing(look: CalibrationFrame) -> set[str]:
    return {
        str(each.step) for each in CalibrationSteps().add_frame(look).scores if not each.is_good
    }


def sentence(look: CalibrationFrame, step: str) -> Sentence:
    (score,) = (each for each in CalibrationSteps().add_frame(look).scores if each.step == step)
    return score.sentence


def matches(given: Sentence | None, template: Template, **slots: Slot) -> bool:
    """Whether a sentence has this key and these slots; others may have any value."""
    return given is not None and given.key == template.key and slots.items() <= given.slots.items()


def direction(directions: Sentence) -> Sentence:
    return sentences.DIRECTION(directions=directions)


def even(level: int) -> CalibrationFrame:
    return analyze_frame(np.full((720, 1280), level, np.uint8), table(), 0.0)


# -- problems ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_good_image_passes_every_step(seed: int) -> None:
    calibration = CalibrationSteps().add_frame(look_at("plain", seed))
    assert min(each.points for each in calibration.scores) > 80
    assert calibration.is_good
    assert calibration.total_points > 80


@pytest.mark.parametrize("board", ["hex-r5", "photon-10x10", "paper-10x8"])
def test_every_board_can_pass_every_step(board: str) -> None:
    assert failing(analyze_frame(image(board), table(board), 0.0)) == set()


@pytest.mark.parametrize(
    ("scenario", "step", "template", "slots"),
    [
        (
            "tilt_35",
            "position",
            sentences.CAMERA_TILTED,
            {"degrees": 35, "direction": direction(sentences.TOWARDS_ROW(row="8"))},
        ),
        ("tiny", "position", sentences.MOVE_CAMERA_NEARER, {"percent": 33}),
        ("defocus_2", "focus", sentences.TURN_LENS_RING, {}),
        ("very_dim", "light", sentences.LIGHT_DARK, {}),
        ("overexposed", "light", sentences.LIGHT_TOO_BRIGHT, {"percent": 100}),
        ("shadow_edge", "light", sentences.LIGHT_UNEVEN, {"cell": "j8"}),
        ("hand", "reading", sentences.CELLS_NOT_SEEN, {}),
    ],
)
def test_a_problem_fails_its_own_step_and_no_other(
    scenario: str, step: str, template: Template, slots: dict[str, Slot]
) -> None:
    look = look_at(scenario)
    assert failing(look) == {step}
    assert matches(sentence(look, step), template, **slots), sentence(look, step)


@pytest.mark.parametrize("scenario", ["defocus_2", "shadow_edge", "hand", "two_hands", "motion_7"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_but_a_reflection_is_reported_as_glare(scenario: str, seed: int) -> None:
    light = look_at(scenario, seed).cell_light
    assert light is not None
    assert light.glare_cells == ()


@pytest.mark.parametrize("scenario", ["glare", "strong_glare"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_reflection_is_named_by_its_cell(scenario: str, seed: int) -> None:
    look, board = look_at(scenario, seed), table().board
    assert look.cell_light is not None
    assert {"light", "reading"} <= failing(look)
    one = len(look.cell_light.glare_cells) == 1
    expected = sentences.LAMP_REFLECTS if one else sentences.LAMPS_REFLECT
    assert matches(sentence(look, "light"), expected)
    mirrored = staged(scenario, seed).scene.room.reflections
    for cell in look.cell_light.glare_cells:
        x, y = board.centre_mm(cell)
        apart = min(np.hypot(each.x_mm - x, each.y_mm - y) for each in mirrored)
        assert apart < 1.5 * board.cell_mm, board.grid.name(cell)


@pytest.mark.parametrize("cell", ["e5", "b2", "i7"])
def test_a_single_reflection_is_named_by_exactly_its_cell(cell: str) -> None:
    look = analyze_frame(image(lamp_at=cell), table(), 0.0)
    assert sentence(look, "light") == sentences.LAMP_REFLECTS(cells=plain(cell))


@pytest.mark.parametrize(
    ("towards_degrees", "turn_degrees", "corners", "way"),
    [
        (90, 0, ["j1", "a1"], sentences.TOWARDS_ROW(row="1")),
        (270, 0, ["a8", "j8"], sentences.TOWARDS_ROW(row="8")),
        # the camera is rotated by 180 degrees
        (90, 180, ["a8", "j8"], sentences.TOWARDS_ROW(row="8")),
        (
            180,
            0,
            ["a1"],
            sentences.RIGHT_OR_LEFT_AND_ROW(
                across=sentences.TO_THE_LEFT(), along=sentences.TOWARDS_ROW(row="1")
            ),
        ),
    ],
)
def test_a_board_that_is_cut_off_says_where_to_move_the_camera(
    towards_degrees: float, turn_degrees: float, corners: list[str], way: Sentence
) -> None:
    seen = image(shift_px=180, towards_degrees=towards_degrees, turn_degrees=turn_degrees)
    look = analyze_frame(seen, table(), 0.0)
    assert "position" in failing(look)
    assert sentence(look, "position") == sentences.BOARD_CUT_OFF(
        corners=join_names(corners), direction=direction(way)
    )


def test_a_board_without_corners_in_view_asks_for_a_higher_camera() -> None:
    look = analyze_frame(image(fill=1.0), table(), 0.0)
    assert sentence(look, "position") == sentences.NO_CORNER_IN_VIEW()


def test_a_hidden_corner_is_named() -> None:
    covered = image().copy()
    covered[:110, 860:] = 60
    look = analyze_frame(covered, table(), 0.0)
    assert "position" in failing(look)
    (hidden,) = (p for p in look.observation.problems if p.kind is ProblemKind.CORNER_HIDDEN)
    assert hidden.tags == (27,)
    assert sentence(look, "position") == hidden.sentence


@pytest.mark.parametrize(
    ("shown", "template"),
    [
        (5, sentences.TOO_DARK_TO_FIND),
        (255, sentences.TOO_BRIGHT_TO_FIND),
        (120, None),  # the reader's own problem
        ("defocus_3", sentences.TOO_BLURRED_TO_FIND),
    ],
)
def test_a_board_that_is_not_found_has_a_reason(
    shown: int | str, template: Template | None
) -> None:
    look = even(shown) if isinstance(shown, int) else look_at(shown)
    assert look.lock is None
    (problem,) = look.observation.problems
    expected = problem.sentence if template is None else template()
    assert sentence(look, "position") == expected
    assert {"position", "light", "reading"} <= failing(look)


def test_an_empty_board_asks_for_pieces() -> None:
    look = analyze_frame(image(standing=False), table(), 0.0)
    assert failing(look) == {"reading"}
    assert sentence(look, "reading") == sentences.NO_PIECE_READ()


def test_lens_distortion_gets_the_advice_to_calibrate() -> None:
    def advice(look: CalibrationFrame) -> Sentence | None:
        return CalibrationSteps().add_frame(look).lens_sentence

    bent = image(bend=-0.3)
    known = replace(table(), lens=Lens(distortion=(-0.3, 0, 0, 0, 0), calibrated=True))
    assert matches(advice(analyze_frame(bent, table(), 0.0)), sentences.CALIBRATE_LENS)
    assert matches(advice(analyze_frame(bent, known, 0.0)), sentences.LENS_FITS)
    assert matches(advice(look_at("plain")), sentences.LENS_FITS_UNCALIBRATED)
    again = analyze_frame(image(), known, 0.0)
    assert matches(advice(again), sentences.CALIBRATE_LENS_AGAIN)


def test_an_exposure_that_is_not_locked_is_reported_but_fails_no_step() -> None:
    look = replace(look_at("plain"), exposure_locked=False)
    assert failing(look) == set()
    assert sentence(look, "light") == sentences.EXPOSURE_CHANGES()


@pytest.mark.slow
def test_an_analyzer_of_many_frames_agrees_with_a_fresh_one() -> None:
    black = np.zeros((720, 1280), np.uint8)
    covered = image().copy()
    covered[:110, 860:] = 60
    analyzer = FrameAnalyzer(table())
    for seen in (
        *(image(), image(shift_px=6.0), image(shift_px=180, towards_degrees=90), covered),
        *(black, image(), image(turn_degrees=180), image(fill=0.4), image()),
    ):
        followed, fresh = analyzer.analyze(seen, 0.0), analyze_frame(seen, table(), 0.0)
        assert failing(followed) == failing(fresh)
        assert sentence(followed, "position").key == sentence(fresh, "position").key


# -- over time ---------------------------------------------------------------------------------


def seeing(
    calibration: CalibrationSteps,
    look: CalibrationFrame,
    *,
    start_ms: float,
    images: int,
    apart_ms: float = 250,
) -> CalibrationSteps:
    for number in range(images):
        calibration = calibration.add_frame(replace(look, at_ms=start_ms + number * apart_ms))
    return calibration


def test_a_step_is_done_when_it_was_good_for_the_hold_time() -> None:
    good = look_at("plain")
    calibration = CalibrationSteps().add_frame(good)
    assert calibration.add_frame(replace(good, at_ms=HOLD_MS - 1)).step is CalibrationStep.POSITION
    assert calibration.add_frame(replace(good, at_ms=HOLD_MS)).step is CalibrationStep.FOCUS


def test_a_good_board_passes_all_steps_without_a_key() -> None:
    calibration = seeing(CalibrationSteps(), look_at("plain"), start_ms=0, images=9)
    assert calibration.step is CalibrationStep.FOCUS
    assert seeing(calibration, look_at("plain"), start_ms=2250, images=27).is_over


def test_a_bad_frame_or_a_lost_camera_restarts_the_hold_time() -> None:
    good, bad = look_at("plain"), look_at("tiny")
    for broken in (
        CalibrationSteps().add_frame(good).add_frame(replace(bad, at_ms=1000)),
        CalibrationSteps().add_frame(good).reset_comparison(),
    ):
        later = broken.add_frame(replace(good, at_ms=HOLD_MS))
        assert later.step is CalibrationStep.POSITION
        assert later.add_frame(replace(good, at_ms=2 * HOLD_MS)).step is CalibrationStep.FOCUS


def test_a_step_that_is_not_good_is_never_done() -> None:
    calibration = seeing(CalibrationSteps(), look_at("tiny"), start_ms=0, images=100)
    assert calibration.step is CalibrationStep.POSITION
    assert not calibration.is_good


def test_a_step_can_be_skipped_and_gone_back_to() -> None:
    calibration = CalibrationSteps().add_frame(look_at("tiny"))
    assert calibration.skip_step().step is CalibrationStep.FOCUS
    assert calibration.skip_step().go_back().step is CalibrationStep.POSITION
    assert calibration.go_back().step is CalibrationStep.POSITION
    for _ in CalibrationStep:
        calibration = calibration.skip_step()
    assert calibration.is_over
    assert not calibration.is_good, "what was skipped is not good"


def test_the_best_focus_so_far_is_reported() -> None:
    calibration = (
        CalibrationSteps()
        .skip_step()
        .add_frame(look_at("plain"))
        .add_frame(replace(look_at("defocus_2"), at_ms=500))
    )
    score = calibration.current_score
    assert score is not None
    assert matches(score.sentence, sentences.TURN_LENS_RING_BACK, best=100)
    assert score.sentence.slots["points"] == score.points < 75


def brighter(pixels: Pixels, factor: float) -> Pixels:
    return np.asarray(np.clip(pixels * factor, 0, 255), np.uint8)


def test_only_flickering_light_is_reported() -> None:
    pixels = grey(staged("plain").frame)
    looks = [analyze_frame(brighter(pixels, factor), table(), 0.0) for factor in (1.0, 0.8)]
    calibration = CalibrationSteps()
    for number in range(6):
        calibration = calibration.add_frame(replace(looks[number % 2], at_ms=200.0 * number))
    light = calibration.scores[2]
    assert not light.is_good
    assert matches(light.sentence, sentences.LIGHT_FLICKERS)
    percent = light.sentence.slots["percent"]
    assert isinstance(percent, int)
    assert 20 <= percent < 30
    assert seeing(CalibrationSteps(), looks[1], start_ms=0, images=6).scores[2].is_good


def test_an_image_that_shakes_is_reported() -> None:
    calibration = CalibrationSteps()
    for number in range(6):
        moved = image(shift_px=20.0 * (number % 2), fill=0.6)
        calibration = calibration.add_frame(analyze_frame(moved, table(), 200.0 * number))
    reading = calibration.scores[3]
    assert not reading.is_good
    assert matches(reading.sentence, sentences.IMAGE_SHAKES)


# -- on the screen -----------------------------------------------------------------------------


@given(
    st.integers(20, 400), st.integers(20, 400), st.integers(10, 200), st.integers(5, 60),
)  # fmt: skip
def test_an_image_as_text_fits_and_keeps_its_aspect_ratio(
    width: int, height: int, columns: int, rows: int
) -> None:
    pixels = fit_to_terminal(np.zeros((height, width), np.uint8), columns, rows)
    high, wide = pixels.shape[:2]
    assert wide <= columns
    assert high <= 2 * rows
    if high > 2:  # there is no less
        assert abs(wide - high * width / height) <= 1 + width / height
    for colour in (True, False):
        lines = [ESCAPE.sub("", line) for line in image_lines(pixels, colour=colour)]
        assert {len(line) for line in lines} == {wide}
        assert len(lines) == high // 2


def test_colours_and_shades_are_those_of_the_image() -> None:
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0, 0] = (0, 0, 255)  # column 0 is red above black; the next columns are white
    pixels[:, 1] = 255
    (line,) = image_lines(pixels, colour=True)
    assert line.startswith("\x1b[38;2;248;0;0;48;2;0;0;0m▀\x1b[38;2;248;248;248;")
    (uncoloured,) = image_lines(pixels, colour=False)
    assert uncoloured == SHADES[1] + SHADES[-1]


@pytest.mark.parametrize("size", [MIN_TERMINAL_SIZE, (80, 24), (200, 60)])
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("scenario", ["plain", "hand", "defocus_3"])
def test_the_screen_fits_the_terminal(size: tuple[int, int], colour: bool, scenario: str) -> None:
    look = look_at(scenario)
    calibration = CalibrationSteps().add_frame(look)
    lines = render_calibration_screen(
        calibration, look, staged(scenario).frame, size, None, colour=colour
    )
    shown = [ESCAPE.sub("", line) for line in lines]
    assert len(lines) < size[1]
    assert max(map(len, shown)) < size[0]
    assert shown[0].startswith("step 1 of 4: position")
    assert calibration.current_score is not None
    assert str(calibration.current_score.sentence) in " ".join(shown)


def test_a_camera_problem_replaces_the_advice() -> None:
    look = look_at("plain")
    text = render_calibration_screen(
        CalibrationSteps().add_frame(look),
        look,
        staged("plain").frame,
        (80, 24),
        plain("gone"),
        colour=False,
    )
    assert "gone" in text
    assert "all four corners" not in "".join(text)


def test_the_summary_names_the_steps_to_improve() -> None:
    bad = summary_lines(CalibrationSteps().add_frame(look_at("strong_glare")), colour=False)
    assert bad[4].endswith("light and reading must be better")
    assert summary_lines(CalibrationSteps().add_frame(look_at("plain")), colour=False)[4].endswith(
        "100  ready to play"
    )
