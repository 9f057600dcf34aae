"""What the doctor makes of what it measured: level, sentence and remedy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.config import load_board_file
from controller.doctor import checks
from controller.doctor.checks import DeviceFile, Finding, Level
from controller.picture_quality import Quality
from controller.ports import CameraDetails, MatrixDetails

DETAILS = CameraDetails(1280, 720, 30.0, True, True)
STEADY_MS = [100.0 * number for number in range(10)]
MATRIX = MatrixDetails(80, True, "a board")


def good(finding: Finding) -> str:
    assert (finding.level, finding.remedy) == (Level.GOOD, ""), finding
    return finding.sentence


def warning(finding: Finding) -> str:
    assert finding.level is Level.WARNING, finding
    return finding.remedy


def bad(finding: Finding) -> str:
    assert finding.level is Level.BAD, finding
    assert finding.remedy, finding
    return f"{finding.sentence} -> {finding.remedy}"


# -- the machine ---------------------------------------------------------------------------------


def test_libraries_are_there_and_new_enough() -> None:
    least = {"Python": "3.11", "numpy": "1.24"}
    found = {"Python": "3.11.2", "numpy": "1.24.0", "serial": "3.5"}
    assert good(checks.libraries(found, least)) == "Python 3.11.2, numpy 1.24.0, serial 3.5"
    assert "too old: numpy 1.9.9 (wants 1.24)" in bad(
        checks.libraries(found | {"numpy": "1.9.9"}, least)
    )
    assert "not installed: numpy" in bad(checks.libraries({**found, "numpy": None}, least))


def test_a_device_that_may_not_be_used_names_the_group_that_may() -> None:
    camera = DeviceFile("/dev/video0", "video", False)
    port = DeviceFile("/dev/ttyACM0", "dialout", False)
    fine = DeviceFile("/dev/ttyUSB0", "dialout", True)
    told = bad(checks.permissions([camera, port, fine]))
    assert "you may not use /dev/video0, /dev/ttyACM0 ->" in told
    assert "`sudo usermod -aG dialout,video $USER`, then log out and in again" in told
    assert "/dev/ttyUSB0" in good(checks.permissions([fine]))
    assert "no device" in good(checks.permissions([]))


def test_nobody_is_told_to_join_the_group_root() -> None:
    pins = DeviceFile("/dev/gpiochip0", "root", False)
    assert "usermod" not in bad(checks.permissions([pins]))


@pytest.mark.parametrize(
    ("wall", "newest", "level"),
    [
        ("2026-03-01 19:30", None, Level.GOOD),
        ("2026-03-01 19:30", "2026-03-01", Level.GOOD),
        ("2026-02-28 19:30", "2026-03-01", Level.WARNING),
        ("1970-01-01 00:03", None, Level.WARNING),
        ("2117-01-01 00:03", None, Level.WARNING),
    ],
)
def test_a_wall_clock_that_cannot_be_right_is_noticed(
    wall: str, newest: str | None, level: Level
) -> None:
    found = checks.clock(wall, newest, 20, 21)
    assert found.level is level
    assert ("timedatectl" in found.remedy) == (level is Level.WARNING)


@pytest.mark.parametrize("passed_ms", [0, 10, -5, 5000])
def test_a_clock_that_does_not_run_as_it_should_is_bad(passed_ms: float) -> None:
    assert "game clocks would be wrong" in bad(
        checks.clock("2026-03-01 19:30", None, 20, passed_ms)
    )


@pytest.mark.parametrize(
    ("free", "sync_ms", "level", "word"),
    [
        (5e9, 12, Level.GOOD, ""),
        (1e8, 12, Level.WARNING, "make room"),
        (1e6, 12, Level.BAD, "make room"),
        (5e9, 900, Level.WARNING, "every beam waits for this disk"),
    ],
)
def test_a_disk_has_room_and_is_quick(free: float, sync_ms: float, level: Level, word: str) -> None:
    found = checks.disk("/games", int(free), sync_ms)
    assert found.level is level
    assert word in found.remedy


def test_games_that_can_go_on_are_named_and_torn_ones_told() -> None:
    assert good(checks.games([], [], 0)) == "none kept yet"
    told = good(checks.games(["2026-03-01-2"], [], 3))
    assert told == "3 kept, one can go on: 2026-03-01-2 (`laserboard resume`)"
    torn = checks.games([], [("a", "line 3 has no end"), ("b", "x"), ("c", "y")], 3)
    assert warning(torn) == "a: line 3 has no end; b: x; 1 more: `laserboard games verify`"


# -- the camera ----------------------------------------------------------------------------------


def test_a_good_camera_is_told_with_its_rate() -> None:
    told = good(checks.camera("usb://0", DETAILS, STEADY_MS))
    assert told == "usb://0: 1280 x 720, 10 pictures a second, exposure locked"


def test_an_exposure_that_is_not_locked_has_a_remedy() -> None:
    details = replace(DETAILS, exposure_locked=False)
    assert "?exposure_ms=8" in warning(checks.camera("usb://0", details, STEADY_MS))


@pytest.mark.parametrize("taken_ms", [[], [5.0], [0.0, 400.0, 800.0], [7.0, 7.0]])
def test_a_camera_that_is_too_slow_is_noticed(taken_ms: list[float]) -> None:
    assert "too slow to follow hands" in warning(checks.camera("usb://0", DETAILS, taken_ms))


def test_what_the_camera_did_not_accept_is_told() -> None:
    details = replace(DETAILS, remarks=("asked for 1920 x 1080, the camera gives 640 x 480",))
    assert "asked for 1920" in warning(checks.camera("usb://0", details, STEADY_MS))


@pytest.mark.parametrize(
    ("quality", "level", "remedy"),
    [
        (Quality(90, 200, 0, 0.8), Level.GOOD, ""),
        (Quality(9, 20, 0, 0.8), Level.BAD, "more light"),
        (Quality(30, 60, 0, 0.8), Level.GOOD, ""),
        (Quality(200, 255, 0.2, 0.8), Level.WARNING, "less light, or a shorter"),
        (Quality(90, 200, 0, 5.0), Level.WARNING, "focus the lens on the caps"),
        (Quality(90, 200, 0, None), Level.GOOD, ""),
    ],
)
def test_light_and_sharpness_are_judged(quality: Quality, level: Level, remedy: str) -> None:
    found = checks.light(quality, 1280)
    assert found.level is level
    assert remedy in found.remedy


# -- LEDs ----------------------------------------------------------------------------------------


def test_leds_that_confirm_are_good() -> None:
    told = good(checks.leds("serial://auto", MATRIX, 80, True, {"good": 9, "bad crc": 0}))
    assert told.endswith("80 LEDs, a picture shown and confirmed")


def test_another_number_of_leds_than_the_board_file_has_is_bad() -> None:
    told = bad(checks.leds("serial://auto", MATRIX, 91, True, None))
    assert "80 LEDs, but the board file has 91" in told
    assert "laserboard leds walk" in told


def test_a_picture_that_nobody_confirms_is_bad() -> None:
    assert "a picture was not confirmed" in bad(checks.leds("x", MATRIX, 80, False, None))


def test_leds_that_never_confirm_are_left_to_the_eye() -> None:
    told = good(checks.leds("ddp://x", replace(MATRIX, answers=False), 80, True, None))
    assert "look yourself: `laserboard leds walk`" in told


def test_frames_that_the_board_could_not_read_are_told() -> None:
    counts = {"good": 90, "bad crc": 2, "overflow": 0, "malformed": 1, "limited": 7}
    remedy = warning(checks.leds("x", MATRIX, 80, True, counts))
    assert "(2 bad crc, 1 malformed)" in remedy
    assert "cable" in remedy


def test_the_current_is_compared_with_the_limit() -> None:
    settings = load_board_file("demo-10x8").leds
    assert settings is not None
    assert "4480 mA: held to 3000 mA, which is 66 %" in good(checks.current(settings))
    assert good(checks.current(replace(settings, ma_limit=4480))).startswith("full white takes")
    assert "stronger power supply" in warning(checks.current(replace(settings, ma_limit=400)))
