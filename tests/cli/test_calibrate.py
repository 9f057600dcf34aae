"""`laserboard calibrate`: computes a lens file from images of the printed sheet."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest

from controller.cli.main import build_parser
from controller.config.board_file import load_board_file, load_lens
from controller.devices.clock import ManualClock
from controller.storage.image_files import read_grey_image, save_png
from controller.ui.console import Console
from tests.support.board_file import GOOD
from tests.support.cli import Laserboard
from tests.support.engine.sentences import raises
from tests.support.vision.calibration_sheets import LENS, directions, seen_through
from vision import sentences
from vision.calibration import BadCalibration, CalibrationSheet, SheetView, find_sheet

SHEET = CalibrationSheet()


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("photos")
    names = []
    for number, placing in enumerate(directions()):
        names.append(str(folder / f"{number}.png"))
        save_png(names[-1], seen_through(LENS, SHEET, *placing))
    return names


def live(*arguments: str) -> tuple[str, str]:
    """The printed lines and the notes, on a manual clock."""
    out, err = io.StringIO(), io.StringIO()
    args = build_parser().parse_args(["calibrate", "lens", *arguments])
    assert args.run(args, Console(out, err, False, None, ManualClock())) == 0
    return out.getvalue(), err.getvalue()


def test_photos_become_a_lens_file_that_a_board_can_use(
    laserboard: Laserboard, photos: list[str], tmp_path: Path
) -> None:
    out = laserboard.prints("calibrate", "lens", *photos, "--out", str(tmp_path / "lens.yaml"))
    assert re.search(r"error +0\.\d\d px: very good", out)
    lens = load_lens(str(tmp_path / "lens.yaml"))
    assert lens.focal == pytest.approx(LENS.focal, rel=0.01)
    assert lens.calibrated
    assert len(lens.distortion) == 5
    board = tmp_path / "mine.yaml"
    board.write_text(GOOD + "camera:\n  lens: lens.yaml\n", "utf-8")
    assert load_board_file(str(board)).camera.lens == lens
    text = (tmp_path / "lens.yaml").read_text("utf-8")
    assert "From 14 images of 1280 x 720" in text
    assert "very good" in text


def test_a_lens_can_be_printed_instead(laserboard: Laserboard, photos: list[str]) -> None:
    ran = laserboard("calibrate", "lens", *photos[:8], "--out", "-")
    assert ran.status == 0
    assert [line.split(":")[0] for line in ran.lines if not line.startswith("#")] == [
        "focal",
        "centre",
        "distortion",
        "calibrated",
    ]


def test_images_that_cannot_be_used_are_named_and_left_out(
    laserboard: Laserboard, photos: list[str], tmp_path: Path
) -> None:
    empty, cut = tmp_path / "empty.png", tmp_path / "cut.png"
    save_png(empty, np.full((720, 1280), 99, np.uint8))
    cut.write_bytes(Path(photos[0]).read_bytes()[:5000])
    bad = [str(empty), str(cut), str(tmp_path / "none.jpg")]
    ran = laserboard("calibrate", "lens", *bad, *photos, "--out", str(tmp_path / "lens.yaml"))
    assert ran.status == 0
    notes = ran.err.splitlines()
    assert notes[0] == f"left out: {empty}: no calibration sheet in it"
    assert "cut.png: cut off" in notes[1]
    assert "none.jpg: No such file" in notes[2]
    assert len(notes) == 3


def test_too_few_photos_are_refused_with_advice(
    laserboard: Laserboard, photos: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "lens.yaml"
    ran = laserboard("calibrate", "lens", *photos[:2], "--out", str(file))
    assert ran.status == 2
    last = ran.err.splitlines()[-1]
    assert last.startswith("laserboard: too few views of the sheet: 2 of at least 6")
    assert "tilt the sheet more" in ran.err
    assert not file.exists()


def test_photos_without_a_sheet_are_refused(laserboard: Laserboard, tmp_path: Path) -> None:
    save_png(tmp_path / "a.png", np.full((240, 320), 99, np.uint8))
    ran = laserboard("calibrate", "lens", str(tmp_path / "a.png"), "--out", "-")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        f"left out: {tmp_path / 'a.png'}: no calibration sheet in it",
        "laserboard: too few views of the sheet: 0 of at least 6; 12 or more are good",
    ]


def test_photos_from_one_angle_are_refused(laserboard: Laserboard, photos: list[str]) -> None:
    ran = laserboard("calibrate", "lens", *photos[:1] * 7, "--out", "-")
    assert ran.status == 2
    assert "all views are from nearly the same angle" in ran.err.splitlines()[-1]


# --- with a camera ------------------------------------------------------------------------------


def held_still(folder: Path, photos: list[str], repeats: int) -> str:
    """A folder camera that repeats each image, as if the sheet is held still."""
    folder.mkdir()
    for number, photo in enumerate(photos):
        for again in range(repeats):
            (folder / f"{number}_{again}.png").write_bytes(Path(photo).read_bytes())
    return f"folder://{folder}"


def test_a_live_camera_is_used_until_there_are_enough_views(
    photos: list[str], tmp_path: Path
) -> None:
    url = held_still(tmp_path / "seen", [*photos, *photos], 2)
    out, notes = live("--camera", url, "--out", str(tmp_path / "lens.yaml"))
    assert "very good" in out
    assert load_lens(str(tmp_path / "lens.yaml")).focal == pytest.approx(LENS.focal, rel=0.01)
    assert notes.startswith("view 1 taken; tilt the sheet more")
    assert "all images were shown" not in notes, "the second round was not needed"


def test_a_sheet_that_moves_is_not_taken(photos: list[str], tmp_path: Path) -> None:
    url = held_still(tmp_path / "seen", photos, 1)
    args = build_parser().parse_args(["calibrate", "lens", "--camera", url, "--out", "-"])
    err = io.StringIO()
    with raises(BadCalibration, sentences.TOO_FEW_VIEWS(views=0, needed=6, enough=12)):
        args.run(args, Console(err, err, False, None, ManualClock()))
    assert "hold it still" in err.getvalue()


def test_a_live_calibration_ends_after_the_given_time(photos: list[str], tmp_path: Path) -> None:
    url = held_still(tmp_path / "seen", photos, 3) + "?fps=1"
    clock, err = ManualClock(), io.StringIO()
    args = build_parser().parse_args(
        ["calibrate", "lens", "--camera", url, "--seconds", "5", "--out", "-"]
    )
    with raises(BadCalibration, sentences.TOO_FEW_VIEWS(views=2, needed=6, enough=12)):
        args.run(args, Console(err, err, False, None, clock))
    assert 5_000 <= clock.now_ms() < 7_000


# --- the sheet and errors -----------------------------------------------------------------------


def test_the_sheet_can_be_printed_and_is_found(laserboard: Laserboard, tmp_path: Path) -> None:
    file = tmp_path / "sheet.png"
    out = laserboard.prints("calibrate", "sheet", "--squares", "6x8", "--out", str(file))
    assert "glue it to something flat" in out
    assert isinstance(find_sheet(read_grey_image(file), CalibrationSheet(6, 8)), SheetView)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lens", "--squares", "7by5", "--out", "-"), "write columns and rows, such as 7x5"),
        (("lens", "--squares", "99x99", "--out", "-"), "99 x 99 squares cannot be used"),
        (("lens", "a.jpg", "--camera", "sim://", "--out", "-"), "images or --camera, not both"),
        (("lens", "a.jpg"), "the following arguments are required: --out"),
        (("sheet", "a.jpg", "--out", "x.png"), "takes no images"),
        (("sheet", "--out", "x.pdf"), "images are saved as .png"),
        (("glass", "--out", "-"), "invalid choice: 'glass'"),
    ],
)
def test_an_error_is_one_line(
    laserboard: Laserboard, arguments: tuple[str, ...], message: str
) -> None:
    assert message in laserboard.refuses("calibrate", *arguments)
