"""Projection: equal to OpenCV's, with and without lens distortion, and invertible."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.camera_model import GUESSED_FOCAL, CameraModel, Lens, Points

SIZE_MM = (400.0, 320.0)
STRAIGHT = Lens()
OFF_CENTRE = Lens(0.95, (0.52, 0.27), calibrated=True)
BARREL = Lens(0.62, (0.51, 0.29), (-0.28, 0.08, 0.001, -0.002, 0.01), calibrated=True)
PINCUSHION = Lens(1.2, None, (0.15, -0.02, 0.0, 0.0), calibrated=True)  # four terms are allowed
LENSES = [STRAIGHT, OFF_CENTRE, BARREL, PINCUSHION]
PLACES = [(0.0, 0.0), (15.0, 2.0), (35.0, 133.0), (20.0, 180.0), (35.0, 270.0)]
HEIGHTS = [0.0, 30.0, 85.0]


def points_mm() -> Points:
    x, y = np.meshgrid(np.linspace(-40, 440, 9), np.linspace(-40, 360, 9))
    return np.stack([x.ravel(), y.ravel()], axis=1)


def projected_by_opencv(view: CameraModel, points: Points, height_mm: float) -> Points:
    """Projection by the documentation of `projectPoints`. Heights point at the camera."""
    lens, turned = view.lens, cv2.Rodrigues(np.array(view.rotation))[0]
    solid = np.column_stack([points, np.full(len(points), -height_mm)])
    x, y, z = turned @ solid.T + np.array(view.translation_mm)[:, None]
    x, y = x / z, y / z
    k1, k2, p1, p2, k3 = (*lens.distortion, 0, 0, 0, 0, 0)[:5]
    r2 = x * x + y * y
    radial = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
    bent_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    bent_y = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    cx, cy = (view.width / 2, view.height / 2)
    if lens.centre is not None:
        cx, cy = lens.centre[0] * view.width, lens.centre[1] * view.width
    focal = lens.focal * view.width
    return np.column_stack([focal * bent_x + cx, focal * bent_y + cy])


def looking(lens: Lens, tilt: float, turn: float) -> CameraModel:
    return CameraModel.looking_down(SIZE_MM, 1280, 720, 0.7, tilt, turn, lens)


@pytest.mark.parametrize("lens", LENSES)
@pytest.mark.parametrize(("tilt", "turn"), PLACES)
@pytest.mark.parametrize("height_mm", HEIGHTS)
def test_points_are_projected_as_by_opencv(
    lens: Lens, tilt: float, turn: float, height_mm: float
) -> None:
    view, points = looking(lens, tilt, turn), points_mm()
    solid = np.column_stack([points, np.full(len(points), -height_mm)])
    theirs, _ = cv2.projectPoints(
        solid,
        np.array(view.rotation),
        np.array(view.translation_mm),
        lens.matrix(1280, 720),
        np.array(lens.distortion or (0.0,) * 4),
    )
    ours = view.project(points, height_mm)
    assert ours == pytest.approx(theirs.reshape(-1, 2), abs=1e-6)
    assert ours == pytest.approx(projected_by_opencv(view, points, height_mm), abs=1e-6)
    assert view.project_3d(solid) == pytest.approx(ours, abs=1e-6)


@pytest.mark.parametrize("lens", [STRAIGHT, OFF_CENTRE])
@pytest.mark.parametrize("height_mm", HEIGHTS)
def test_without_distortion_a_homography_projects_the_same(lens: Lens, height_mm: float) -> None:
    view, points = looking(lens, 35.0, 20.0), points_mm()
    plane = view.homography(height_mm)
    seen = cv2.perspectiveTransform(points.reshape(-1, 1, 2), plane).reshape(-1, 2)
    assert seen == pytest.approx(view.project(points, height_mm), abs=1e-6)
    assert plane[2, 2] == 1


@pytest.mark.parametrize("lens", LENSES)
@pytest.mark.parametrize("height_mm", HEIGHTS)
def test_the_projection_is_inverted(lens: Lens, height_mm: float) -> None:
    view = looking(lens, 25.0, 100.0)
    x, y = np.meshgrid(np.linspace(0, SIZE_MM[0], 5), np.linspace(0, SIZE_MM[1], 5))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    there = view.project(points, height_mm)
    assert view.unproject(there, height_mm) == pytest.approx(points, abs=0.01)
    elsewhere = view.unproject(there, height_mm + 30)
    assert np.abs(elsewhere - points).max() > 3, (
        "a pixel is at different positions at different heights"
    )


def test_higher_points_are_farther_from_the_middle_of_the_image() -> None:
    view = looking(STRAIGHT, 0.0, 0.0)
    middle = np.array([640.0, 360.0])
    low, high = (np.hypot(*(view.project([(0.0, 0.0)], h)[0] - middle)) for h in (0.0, 30.0))
    assert high > low + 5


def test_a_lens_scales_to_any_resolution() -> None:
    small = looking(BARREL, 20.0, 5.0)
    large = CameraModel(BARREL, 1920, 1080, small.rotation, small.translation_mm)
    assert large.project(points_mm(), 30.0) == pytest.approx(1.5 * small.project(points_mm(), 30.0))


def test_an_uncalibrated_lens_is_guessed() -> None:
    assert Lens() == Lens(GUESSED_FOCAL, None, (), calibrated=False)
    focal = 1000 * GUESSED_FOCAL
    assert Lens().matrix(1000, 600).tolist() == [[focal, 0, 500], [0, focal, 300], [0, 0, 1]]
    assert not Lens().coefficients().any()


@pytest.mark.parametrize(("size_mm", "fills"), [((400.0, 320.0), 1), ((800.0, 320.0), 0)])
def test_fill_is_the_share_of_the_image_that_the_board_takes(
    size_mm: tuple[float, float], fills: int
) -> None:
    view = CameraModel.looking_down(size_mm, 1280, 720, 0.7)
    corners = view.project([(0.0, 0.0), size_mm])
    share = (corners[1] - corners[0]) / (1280, 720)
    assert share[fills] == pytest.approx(0.7)
    assert share[1 - fills] <= 0.7
    assert corners.mean(axis=0) == pytest.approx([640, 360])


def test_a_tilted_camera_stands_on_the_near_side() -> None:
    view = looking(STRAIGHT, 30.0, 0.0)
    far, near = view.project([(0, 0), (400, 0)]), view.project([(0, 320), (400, 320)])
    assert np.hypot(*(near[1] - near[0])) > 1.2 * np.hypot(*(far[1] - far[0]))
    assert near[0][1] > far[0][1], "the near side is below in the image"


def test_a_turned_camera_turns_the_image_clockwise() -> None:
    straight, turned = looking(STRAIGHT, 0.0, 0.0), looking(STRAIGHT, 0.0, 90.0)
    before = straight.project([(0.0, 0.0)])[0] - (640, 360)
    after = turned.project([(0.0, 0.0)])[0] - (640, 360)
    assert after == pytest.approx([-before[1], before[0]])
