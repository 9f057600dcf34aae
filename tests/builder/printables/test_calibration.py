"""The calibration sheet, rendered from its PDF."""

from __future__ import annotations

import numpy as np
import pytest

from controller.builder.printables.calibration import calibration_pages
from engine.draw.page import A4, LETTER, Paper
from tests.support.builder.rendered_pages import PER_MM, rendered
from vision.calibration import CalibrationSheet, SheetView, find_sheet

TENTH_MM = 0.1


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize(
    "sheet", [CalibrationSheet(), CalibrationSheet(5, 7), CalibrationSheet(10, 8)], ids=str
)
def test_every_corner_of_the_printed_sheet_is_found_at_its_position(
    paper: Paper, sheet: CalibrationSheet
) -> None:
    (picture,) = rendered(calibration_pages(sheet, paper), per_mm=8)
    seen = find_sheet(picture, sheet, "printed")
    assert isinstance(seen, SheetView)
    assert len(seen.sheet_points) == (sheet.columns - 1) * (sheet.rows - 1)
    places = np.column_stack([seen.sheet_points[:, :2], np.ones(len(seen.sheet_points))])
    fit, *_ = np.linalg.lstsq(places, seen.image_points, rcond=None)
    assert np.abs(places @ fit - seen.image_points).max() / 8 < TENTH_MM
    assert fit[0, 0] == pytest.approx(fit[1, 1], rel=1e-3)  # as wide as high


def test_the_printed_ruler_is_100_mm_long() -> None:
    (page,) = calibration_pages(CalibrationSheet(), A4)
    (picture,) = rendered([page])
    height, width = picture.shape
    assert (width / PER_MM, height / PER_MM) == (
        pytest.approx(297, abs=TENTH_MM),
        pytest.approx(210, abs=TENTH_MM),
    )
    line = picture[int(190 * PER_MM) :]  # below the squares
    # The long strokes, every 10 mm.
    strokes = np.flatnonzero((line < 100).sum(axis=0) > 3.5 * PER_MM)
    starts = strokes[np.diff(strokes, prepend=-9) > 1] / PER_MM
    assert np.diff(starts) == pytest.approx([10.0] * 10, abs=TENTH_MM)
    assert starts[-1] - starts[0] == pytest.approx(100, abs=TENTH_MM)
