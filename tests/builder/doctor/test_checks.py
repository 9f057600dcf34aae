"""The findings of the doctor for measured values: level, sentence and remedy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.builder import sentences
from controller.builder.calibration.image_quality import ImageQuality
from controller.builder.doctor import checks
from controller.builder.doctor.checks import DeviceFile, Finding, Severity
from controller.builder.doctor.problems import KnownProblem
from controller.config.board_file import load_board_file
from controller.ports.devices import CameraDetails, MatrixDetails
from controller.ports.events import DeviceLost
from controller.ports.sentences import REMEDY, REMEDY_AFTER_COLON
from controller.session.board_fit import fit_board
from engine.sentences import Sentence, joined, plain
from vision.observation import Problem, ProblemKind

DETAILS = CameraDetails(1280, 720, 30.0, True, True)
STEADY_MS = [100.0 * number for number in range(10)]
MATRIX = MatrixDetails(80, True, plain("a board"))


def good(finding: Finding) -> Sentence:
    assert (finding.level, finding.remedy) == (Severity.GOOD, None), finding
    return finding.sentence


def warning(finding: Finding) -> Sentence | None:
    assert finding.level is Severity.WARNING, finding
    return finding.remedy


def bad(finding: Finding) -> tuple[Sentence, Sentence]:
    assert finding.level is Severity.BAD, finding
    assert finding.remedy is not None, finding
    return finding.sentence, finding.remedy


# -- the computer --------------------------------------------------------------------------------


def test_missing_and_outdated_libraries_are_bad() -> None:
    least = {"Python": "3.11", "numpy": "1.24"}
    versions = {"Python": "3.11.2", "numpy": "1.24.0", "serial": "3.5"}
    names = ("Python 3.11.2", "numpy 1.24.0", "serial 3.5")
    assert good(checks.evaluate_libraries(versions, least)) == sentences.LIBRARIES_FOUND(
        libraries=names
    )
    old = sentences.LIBRARY_TOO_OLD(name="numpy", version="1.9.9", minimum="1.24")
    assert bad(checks.evaluate_libraries(versions | {"numpy": "1.9.9"}, least)) == (
        sentences.LIBRARIES_TOO_OLD(libraries=(old,)),
        KnownProblem.LIBRARY_TOO_OLD.remedy(),
    )
    assert bad(checks.evaluate_libraries({**versions, "numpy": None}, least)) == (
        sentences.LIBRARIES_MISSING(missing=("numpy",), found=("Python 3.11.2", "serial 3.5")),
        KnownProblem.LIBRARY_MISSING.remedy(),
    )


def test_a_forbidden_device_gets_the_advice_to_join_its_group() -> None:
    camera = DeviceFile("/dev/video0", "video", False)
    port = DeviceFile("/dev/ttyACM0", "dialout", False)
    fine = DeviceFile("/dev/ttyUSB0", "dialout", True)
    both = sentences.join_names(["/dev/video0", "/dev/ttyACM0"])
    assert bad(checks.evaluate_permissions([camera, port, fine])) == (
        sentences.DEVICES_FORBIDDEN(devices=both),
        KnownProblem.PERMISSION_DENIED.remedy(groups="dialout,video"),
    )
    assert good(checks.evaluate_permissions([fine])) == sentences.DEVICES_ALLOWED(
        devices=plain("/dev/ttyUSB0")
    )
    assert good(checks.evaluate_permissions([])) == sentences.NO_DEVICES()


def test_no_remedy_suggests_the_group_root() -> None:
    pins = DeviceFile("/dev/gpiochip0", "root", False)
    assert bad(checks.evaluate_permissions([pins]))[1] == KnownProblem.ROOT_ONLY.remedy()


@pytest.mark.parametrize(
    ("wall", "newest", "level"),
    [
        ("2026-03-01 19:30", None, Severity.GOOD),
        ("2026-03-01 19:30", "2026-03-01", Severity.GOOD),
        ("2026-02-28 19:30", "2026-03-01", Severity.WARNING),
        ("1970-01-01 00:03", None, Severity.WARNING),
        ("2117-01-01 00:03", None, Severity.WARNING),
    ],
)
def test_an_impossible_date_of_the_wall_clock_is_a_warning(
    wall: str, newest: str | None, level: Severity
) -> None:
    finding = checks.evaluate_clock(wall, newest, 20, 21)
    assert finding.level is level
    remedy = KnownProblem.WRONG_DATE.remedy() if level is Severity.WARNING else None
    assert finding.remedy == remedy


@pytest.mark.parametrize("passed_ms", [0, 10, -5, 5000])
def test_a_clock_that_runs_at_the_wrong_speed_is_bad(passed_ms: float) -> None:
    assert bad(checks.evaluate_clock("2026-03-01 19:30", None, 20, passed_ms)) == (
        sentences.CLOCK_RUNS_WRONG(waited_ms=20, passed_ms=passed_ms),
        KnownProblem.MACHINE_BUSY.remedy(),
    )


@pytest.mark.parametrize(
    ("free", "sync_ms", "level", "problem"),
    [
        (5e9, 12, Severity.GOOD, None),
        (1e8, 12, Severity.WARNING, KnownProblem.DISK_FULL),
        (1e6, 12, Severity.BAD, KnownProblem.DISK_FULL),
        (5e9, 900, Severity.WARNING, KnownProblem.SLOW_DISK),
    ],
)
def test_a_full_or_slow_disk_is_reported(
    free: float, sync_ms: float, level: Severity, problem: KnownProblem | None
) -> None:
    finding = checks.evaluate_disk("/games", int(free), sync_ms)
    assert finding.level is level
    assert finding.remedy == (None if problem is None else problem.remedy())


def test_games_that_can_be_resumed_and_damaged_ones_are_named() -> None:
    assert good(checks.evaluate_games([], [], 0)) == sentences.NO_GAMES_STORED()
    stored = sentences.GAMES_STORED(count=3)
    one = sentences.ONE_RESUMABLE(games=plain("2026-03-01-2"))
    assert good(checks.evaluate_games(["2026-03-01-2"], [], 3)) == joined((stored, one), ", ")
    names = sentences.NAMES_AND_LAST(names=("a",), last="b")
    several = sentences.SEVERAL_RESUMABLE(count=2, games=names)
    assert good(checks.evaluate_games(["a", "b"], [], 3)) == joined((stored, several), ", ")
    damages = [("a", plain("line 3 has no end")), ("b", plain("x")), ("c", plain("y"))]
    assert warning(checks.evaluate_games([], damages, 3)) == joined(
        [
            sentences.GAME_DAMAGED(game="a", damage=plain("line 3 has no end")),
            sentences.GAME_DAMAGED(game="b", damage=plain("x")),
            sentences.MORE_DAMAGED(count=1),
        ]
    )


# -- the camera ----------------------------------------------------------------------------------


def test_a_good_camera_is_reported_with_its_rate() -> None:
    summary = good(checks.evaluate_camera("usb://0", DETAILS, STEADY_MS))
    properties = (
        sentences.CAMERA_FORMAT(camera="usb://0", width=1280, height=720),
        sentences.FRAME_RATE(rate_hz=10),
        sentences.EXPOSURE_LOCKED(),
    )
    assert summary == joined(properties, ", ")


def test_an_exposure_that_is_not_locked_has_a_remedy() -> None:
    details = replace(DETAILS, exposure_locked=False)
    remedy = warning(checks.evaluate_camera("usb://0", details, STEADY_MS))
    assert remedy == KnownProblem.EXPOSURE_NOT_LOCKED.remedy()


@pytest.mark.parametrize("taken_ms", [[], [5.0], [0.0, 400.0, 800.0], [7.0, 7.0]])
def test_a_camera_that_is_too_slow_is_a_warning(taken_ms: list[float]) -> None:
    remedy = warning(checks.evaluate_camera("usb://0", DETAILS, taken_ms))
    assert remedy == KnownProblem.SLOW_CAMERA.remedy()


def test_a_remark_of_the_camera_is_reported() -> None:
    remark = plain("asked for 1920 x 1080, the camera gives 640 x 480")
    details = replace(DETAILS, remarks=(remark,))
    assert warning(checks.evaluate_camera("usb://0", details, STEADY_MS)) == remark


@pytest.mark.parametrize(
    ("quality", "level", "remedy"),
    [
        (ImageQuality(90, 200, 0, 0.8), Severity.GOOD, None),
        (ImageQuality(9, 20, 0, 0.8), Severity.BAD, sentences.MORE_LIGHT()),
        (ImageQuality(30, 60, 0, 0.8), Severity.GOOD, None),
        (ImageQuality(200, 255, 0.2, 0.8), Severity.WARNING, KnownProblem.GLARE.remedy()),
        (ImageQuality(90, 200, 0, 1.8), Severity.WARNING, sentences.FOCUS_ON_CAPS()),
        (ImageQuality(90, 200, 0, 5.0), Severity.WARNING, sentences.FOCUS_AND_HOLD()),
        (ImageQuality(90, 200, 0, None), Severity.GOOD, None),
    ],
)
def test_too_little_light_glare_and_blur_are_reported(
    quality: ImageQuality, level: Severity, remedy: Sentence | None
) -> None:
    finding = checks.evaluate_light(quality, 1280)
    assert (finding.level, finding.remedy) == (level, remedy)


# -- LEDs ----------------------------------------------------------------------------------------


def found(url: str) -> Sentence:
    return sentences.LEDS_FOUND(url=url, description=plain("a board"), count=80)


def test_leds_that_confirm_are_good() -> None:
    summary = good(
        checks.evaluate_leds("serial://auto", MATRIX, 80, True, {"good": 9, "bad crc": 0})
    )
    assert summary == sentences.LEDS_CONFIRMED(leds=found("serial://auto"))
    assert str(summary).endswith("80 LEDs, a picture shown and confirmed")


def test_an_led_count_that_differs_from_the_board_file_is_bad() -> None:
    assert bad(checks.evaluate_leds("serial://auto", MATRIX, 91, True, None)) == (
        sentences.LEDS_MISCOUNTED(leds=found("serial://auto"), expected=91),
        KnownProblem.LEDS_MISCOUNTED.remedy(),
    )


def test_an_unconfirmed_picture_is_bad() -> None:
    assert bad(checks.evaluate_leds("x", MATRIX, 80, False, None)) == (
        sentences.LEDS_UNCONFIRMED(leds=found("x")),
        KnownProblem.LEDS_SILENT.remedy(),
    )


def test_leds_without_confirmation_get_the_advice_to_run_leds_walk() -> None:
    silent = replace(MATRIX, acknowledges=False)
    summary = good(checks.evaluate_leds("ddp://x", silent, 80, True, None))
    assert summary == sentences.LEDS_NEVER_CONFIRM(leds=found("ddp://x"))


def test_frames_that_the_board_could_not_read_are_reported() -> None:
    counts = {"good": 90, "bad crc": 2, "overflow": 0, "malformed": 1, "limited": 7}
    remedy = warning(checks.evaluate_leds("x", MATRIX, 80, True, counts))
    errors = (("bad crc", 2), ("malformed", 1))
    assert remedy == KnownProblem.LEDS_DAMAGED.remedy(
        counts=tuple(sentences.ERROR_COUNT(count=n, counter=name) for name, n in errors)
    )


def test_the_current_is_compared_with_the_limit() -> None:
    settings = load_board_file("demo-10x8").leds
    assert settings is not None
    assert good(checks.evaluate_current(settings)) == sentences.CURRENT_LIMITED(
        full_ma=4480, limit_ma=3000, percent=66
    )
    enough = replace(settings, ma_limit=4480)
    assert good(checks.evaluate_current(enough)) == sentences.CURRENT_WITHIN_LIMIT(
        full_ma=4480, limit_ma=4480
    )
    dim = replace(settings, ma_limit=400)
    assert warning(checks.evaluate_current(dim)) == KnownProblem.LEDS_DIM.remedy()


# -- errors of drivers ---------------------------------------------------------------------------


def test_a_drivers_text_is_split_into_problem_and_remedy() -> None:
    broken, glue = plain("it is broken"), plain("glue it")
    finding = checks.failed_finding("leds", REMEDY(problem=broken, remedy=glue))
    assert bad(finding) == (broken, glue)


def test_the_remedies_of_nested_problems_are_joined() -> None:
    missing = REMEDY_AFTER_COLON(problem=plain("there is no board"), remedy=plain("plug it in"))
    lost = DeviceLost("leds", REMEDY(problem=missing, remedy=plain("X lists them")), 0.0)
    assert bad(checks.device_lost_finding("leds", "serial://x", [lost], 0)) == (
        sentences.DEVICE_LOST(device="serial://x", reason=plain("there is no board")),
        joined([plain("plug it in"), plain("X lists them")]),
    )


def test_a_sentence_without_a_remedy_slot_is_not_split() -> None:
    sentence = sentences.LIBRARIES_MISSING(missing=("x",), found=("y",))
    finding = checks.failed_finding("python", sentence)
    assert finding == Finding("python", Severity.BAD, sentence)


# -- the board in the image ----------------------------------------------------------------------


def test_the_remedy_for_a_board_not_found_is_the_reason() -> None:
    table = fit_board(load_board_file("demo-10x8").board)
    nothing = Problem(ProblemKind.NO_BOARD, plain("nothing is seen"))
    assert bad(checks.evaluate_board(nothing, table)) == (
        sentences.BOARD_NOT_FOUND(),
        KnownProblem.BOARD_NOT_IN_VIEW.remedy(),
    )
    elsewhere = Problem(ProblemKind.NO_BOARD, plain("is it the right board file?"), tags=(26, 27))
    assert bad(checks.evaluate_board(elsewhere, table))[1] == elsewhere.sentence
