"""Lens calibration recovers a known lens from images of the sheet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.support.vision.calibration_sheets import LENS, directions, seen_through
from vision import sentences
from vision.calibration import (
    BadCalibration,
    Calibration,
    CalibrationSheet,
    SheetRejection,
    SheetView,
    calibrate,
    find_sheet,
    is_new_view,
    measure_coverage,
)
from vision.camera_model import CameraModel, Lens
from vision.tags import dictionary

SHEET = CalibrationSheet()


@cache
def good_views() -> tuple[SheetView, ...]:
    views = []
    for number, placing in enumerate(directions()):
        view = find_sheet(seen_through(LENS, SHEET, *placing), SHEET, f"image {number}")
        assert isinstance(view, SheetView)
        views.append(view)
    return tuple(views)


@cache
def calibrated() -> Calibration:
    return calibrate(good_views())


def test_the_focal_length_is_recovered_within_a_hundredth() -> None:
    assert calibrated().lens.focal == pytest.approx(LENS.focal, rel=0.01)
    assert calibrated().lens.calibrated
    assert calibrated().focal_error < 0.005


def test_corners_are_projected_to_half_a_pixel() -> None:
    assert calibrated().score_px < 0.5
    assert calibrated().verdict() == sentences.LENS_VERY_GOOD()


def test_the_whole_lens_is_recovered() -> None:
    """Compares projected points, because the parameters trade off against each other."""
    found, grid = (
        calibrated().lens,
        np.stack(np.meshgrid(range(-300, 301, 60), range(-150, 151, 50)), -1),
    )
    assert LENS.centre is not None
    assert found.centre == pytest.approx(LENS.centre, abs=0.004)
    places = [
        CameraModel(lens, 1280, 720, (0.0, 0.0, 0.0), (0.0, 0.0, 560.0)).project(
            grid.reshape(-1, 2)
        )
        for lens in (LENS, found)
    ]
    inside = ((places[0] > 0) & (places[0] < (1280, 720))).all(axis=1)
    assert inside.sum() > 40
    assert np.abs(places[0] - places[1])[inside].max() < 3


def test_a_lens_without_distortion_is_recovered_without_distortion() -> None:
    plain = Lens(0.8, (0.5, 0.28125), (0.0,) * 5)
    views = [
        find_sheet(seen_through(plain, SHEET, *placing), SHEET, "") for placing in directions()[:8]
    ]
    assert all(isinstance(view, SheetView) for view in views)
    found = calibrate([view for view in views if isinstance(view, SheetView)])
    assert found.lens.focal == pytest.approx(0.8, rel=0.01)
    assert abs(found.lens.distortion[0]) < 0.03


def test_another_resolution_gives_the_same_lens() -> None:
    views = []
    for placing in directions()[:8]:
        view = find_sheet(seen_through(LENS, SHEET, *placing, size=(1920, 1080)), SHEET, "")
        assert isinstance(view, SheetView)
        views.append(view)
    assert calibrate(views).lens.focal == pytest.approx(LENS.focal, rel=0.01)


def test_too_few_images_are_refused_with_the_number_needed() -> None:
    for views in (good_views()[:3], ()):
        with pytest.raises(BadCalibration) as refused:
            calibrate(views)
        too_few = sentences.TOO_FEW_VIEWS(views=len(views), needed=6, enough=12)
        assert refused.value.sentence == too_few


def test_views_from_one_angle_are_refused_with_advice() -> None:
    turned, (x, y, z) = directions()[0]
    views = []
    for shift in np.linspace(-1.5, 1.5, 7):
        placing = turned, (x + float(shift), y + float(shift) / 2, z)
        view = find_sheet(seen_through(LENS, SHEET, *placing), SHEET, "")
        assert isinstance(view, SheetView)
        views.append(view)
    with pytest.raises(BadCalibration) as refused:
        calibrate(views)
    assert refused.value.sentence == sentences.VIEWS_TOO_ALIKE(degrees=15.0)


def test_images_of_different_sizes_are_refused() -> None:
    odd = replace(good_views()[0], width=640, height=360, name="odd")
    with pytest.raises(BadCalibration) as refused:
        calibrate([*good_views()[1:], odd])
    sizes = {
        "first": sentences.VIEW_SIZE(name=good_views()[-1].name, width=1280, height=720),
        "second": sentences.VIEW_SIZE(name="odd", width=640, height=360),
    }
    assert refused.value.sentence == sentences.VIEW_SIZES_DIFFER(**sizes)


def test_a_view_inconsistent_with_the_others_is_left_out() -> None:
    bent = good_views()[3]
    curve = 6 * np.sin(bent.sheet_points[:, :1] * 1.3)
    wrong = replace(bent, image_points=(bent.image_points + curve).astype(np.float32))
    views = [wrong if view is bent else view for view in good_views()]
    found = calibrate(views)
    assert found.left_out == ("image 3",)
    assert found.lens.focal == pytest.approx(LENS.focal, rel=0.01)


def test_inconsistent_views_are_refused() -> None:
    rng = np.random.default_rng(1)
    views = [
        replace(view, image_points=rng.permutation(view.image_points)) for view in good_views()
    ]
    with pytest.raises(BadCalibration) as refused:
        calibrate(views)
    assert refused.value.sentence.key == sentences.VIEWS_DISAGREE.key


# --- finding the sheet --------------------------------------------------------------------------


def test_an_image_without_a_sheet_is_reported() -> None:
    rng = np.random.default_rng(1)
    assert find_sheet(np.full((480, 640), 128, np.uint8), SHEET) is SheetRejection.NOTHING
    assert find_sheet(rng.integers(0, 256, (480, 640), np.uint8), SHEET) is SheetRejection.NOTHING


def test_a_sheet_that_is_hardly_in_view_is_reported() -> None:
    image = SHEET.picture(100)
    assert isinstance(find_sheet(image, SHEET), SheetView)
    assert find_sheet(np.ascontiguousarray(image[:330, :330]), SHEET) is SheetRejection.TOO_LITTLE


def test_a_single_row_of_corners_is_not_a_view() -> None:
    """Corners on one line do not determine the sheet's plane."""
    wide = CalibrationSheet(12, 3)
    image = np.full((600, 1300), 255, np.uint8)
    image[:249] = wide.picture(100)[:249]
    found = cv2.aruco.CharucoDetector(wide.board()).detectBoard(image)
    assert len(found[1]) == 11, "enough corners"
    assert find_sheet(image, wide) is SheetRejection.TOO_LITTLE


def test_tags_of_pieces_are_not_mistaken_for_the_sheet() -> None:
    table = np.full((720, 1280), 200, np.uint8)
    for tag in range(50):
        y, x = 10 + 140 * (tag // 10), 10 + 125 * (tag % 10)
        table[y : y + 98, x : x + 98] = cv2.aruco.generateImageMarker(dictionary(), tag, 98)
    seen = cv2.aruco.ArucoDetector(dictionary(), cv2.aruco.DetectorParameters())
    assert len(seen.detectMarkers(table)[0]) == 50
    assert find_sheet(table, SHEET) is SheetRejection.NOTHING


@pytest.mark.parametrize(("columns", "rows"), [(2, 9), (3, 3), (0, 0), (50, 3), (11, 10), (-7, -5)])
def test_a_sheet_with_invalid_dimensions_is_refused(columns: int, rows: int) -> None:
    with pytest.raises(BadCalibration) as refused:
        CalibrationSheet(columns, rows)
    assert refused.value.sentence == sentences.BAD_SHEET(columns=columns, rows=rows, most=100)


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 7), (6, 8), (10, 10)])
def test_a_sheet_of_another_size_is_found(columns: int, rows: int) -> None:
    sheet = CalibrationSheet(columns, rows)
    view = find_sheet(sheet.picture(80), sheet)
    assert isinstance(view, SheetView)
    assert len(view.image_points) == (columns - 1) * (rows - 1)
    assert view.tilt_degrees < 2


# --- guidance -----------------------------------------------------------------------------------


def test_a_good_set_of_views_needs_no_advice() -> None:
    assert measure_coverage(good_views()).advice() == []


def test_uncovered_parts_of_the_image_are_named() -> None:
    away = np.array([512, 288], np.float32)
    views = [
        replace(view, image_points=np.float32(0.6) * view.image_points + away)
        for view in good_views()
    ]
    advice = measure_coverage(views).advice()
    unseen = [[sentences.ZONE_UNSEEN(zone=zone()) for zone in row] for row in sentences.ZONES]
    assert unseen[0][0] in advice
    assert unseen[1][0] in advice
    assert unseen[2][2] not in advice


def test_flat_views_get_the_advice_to_tilt() -> None:
    flat = [view for view in good_views() if view.tilt_degrees < 15]
    tilt_more = sentences.TILT_MORE(steep=0, needed=3, degrees=15.0)
    assert measure_coverage(flat).advice()[0] == tilt_more


def test_views_tilted_to_one_side_get_the_advice_to_tilt_to_others() -> None:
    steep = max(good_views(), key=lambda view: view.tilt_degrees)
    advice = measure_coverage([steep] * 4).advice()
    assert advice[:2] == [sentences.TILT_OTHER_SIDES(), sentences.VARY_DISTANCE()]


def test_the_ninths_of_an_image_have_names() -> None:
    names = [str(zone()) for row in sentences.ZONES for zone in row]
    assert names[0] == "upper left"
    assert names[4] == "middle"
    assert names[7] == "lower middle"
    assert len(set(names)) == 9


def test_a_repeated_view_adds_nothing() -> None:
    first, *others = good_views()
    assert not is_new_view(first, [first])
    assert is_new_view(first, [])
    assert is_new_view(others[0], [first])


def test_the_tilt_of_a_sheet_is_measured() -> None:
    for (turned, _), view in zip(directions(), good_views(), strict=True):
        real = np.degrees(np.hypot(turned[0], turned[1]))
        assert view.tilt_degrees == pytest.approx(real, abs=6)
