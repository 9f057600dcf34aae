"""The mast: the camera sees the whole board, and the printed parts fit each other."""

from __future__ import annotations

from math import radians, tan
from typing import Any

import numpy as np
import pytest
import shapely

from controller.builder.bodies.dimensions import TUBE_GAP_MM, TUBE_MM
from controller.builder.bodies.mast import (
    ASPECT,
    CAMERAS,
    ELBOW_HALF_MM,
    FOOT_FLOOR_MM,
    IMAGE_MARGIN,
    LENS_BELOW_ARM_MM,
    CameraOptics,
    compute_mast,
    find_camera_optics,
    lens_height_mm,
)
from controller.config.board_file import load_board, shipped_boards
from engine import catalogue
from engine.errors import UnknownName
from tests.support.builder.rendered_parts import named, section, solid, standing
from tests.support.engine.sentences import raises
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Lens

WIDTH, HEIGHT = 1280, 720
SLEEVE_MM = 45.0  # length of tube inside the elbow and inside the head, as in `mast.scad`


def looking_down(board: PhysicalBoard, camera: CameraOptics, height: float) -> CameraModel:
    across, _ = camera.field_of_view(WIDTH / HEIGHT)
    lens = Lens(focal=0.5 / tan(radians(across / 2)))
    x, y = board.size_mm
    if x >= y:
        return CameraModel(lens, WIDTH, HEIGHT, (0.0, 0.0, 0.0), (-x / 2, -y / 2, height))
    return CameraModel(lens, WIDTH, HEIGHT, (0.0, 0.0, -np.pi / 2), (-y / 2, x / 2, height))


def is_seen(board: PhysicalBoard, view: CameraModel) -> bool:
    """Whether all corner tags and all caps are completely in the image."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    tags = [middle + square * board.corner_mm for middle in board.corner_tags_mm()]
    caps = [middle + square * board.cap_mm for middle in board.centres_mm()]
    pixels = np.concatenate(
        [
            view.project(np.concatenate(tags)),
            view.project(np.concatenate(caps), board.cap_height_mm),
        ]
    )
    return bool(((pixels >= 0) & (pixels <= (WIDTH, HEIGHT))).all())


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("name", shipped_boards())
def test_the_computed_height_is_the_least_that_shows_the_board(name: str, camera: str) -> None:
    board, lens = load_board(name), find_camera_optics(camera)
    high = lens_height_mm(board, lens)
    assert is_seen(board, looking_down(board, lens, high))
    assert is_seen(board, looking_down(board, lens, high / IMAGE_MARGIN))
    assert not is_seen(board, looking_down(board, lens, high / IMAGE_MARGIN * 0.95))


def test_a_wide_image_uses_only_part_of_a_tall_sensor() -> None:
    across, down = CAMERAS["v2"].field_of_view(ASPECT)
    assert across == pytest.approx(62.2)
    assert down == pytest.approx(37.5, abs=0.1)
    assert CAMERAS["v2"].field_of_view(3280 / 2464) == pytest.approx((62.2, 48.8), abs=0.6)


def test_tubes_are_longer_for_a_larger_board_and_shorter_for_a_wide_lens() -> None:
    demo, full = load_board("demo-10x8"), load_board("full-10x8")
    assert (
        compute_mast(full, CAMERAS["v2"]).upright_mm > compute_mast(demo, CAMERAS["v2"]).upright_mm
    )
    assert (
        compute_mast(demo, CAMERAS["v3-wide"]).upright_mm
        < compute_mast(demo, CAMERAS["v2"]).upright_mm
    )
    for each in (compute_mast(full, camera) for camera in CAMERAS.values()):
        assert each.upright_mm + each.arm_mm < 2 * 1000, "two tubes of a metre do"


def test_an_unknown_camera_is_named_with_a_suggestion() -> None:
    with raises(UnknownName, catalogue.DID_YOU_MEAN(name="v3-wide")):
        find_camera_optics("v3wide")


def part(name: str) -> Any:
    return solid(named("demo-10x8", f"mast/{name}.stl"))


def bore_mm(area: Any, x: float, y: float) -> float:
    """The diameter of the largest circle around a point that the section does not touch."""
    return 2 * float(shapely.Point(x, y).distance(area))


def hole_around(area: Any, x: float, y: float) -> Any:
    free = shapely.convex_hull(area).difference(area)
    (hole,) = (each for each in shapely.get_parts(free) if each.contains(shapely.Point(x, y)))
    return hole


@pytest.mark.slow
def test_the_tube_fits_into_the_foot() -> None:
    foot = part("foot")
    for height in (FOOT_FLOOR_MM + 1, 30, 60):
        assert bore_mm(section(foot, height), 0, 0) == pytest.approx(
            TUBE_MM + 2 * TUBE_GAP_MM, abs=0.1
        )
    assert section(foot, FOOT_FLOOR_MM - 1).contains(shapely.Point(0, 0)), "it stands on a floor"


def test_the_tube_fits_into_elbow_and_head() -> None:
    low = TUBE_MM / 2 + TUBE_GAP_MM + 5
    wide = TUBE_MM + 2 * TUBE_GAP_MM
    elbow, head = part("elbow"), part("head")
    for mesh, axis, far in (
        (elbow, "x", ELBOW_HALF_MM + 3),
        (elbow, "y", ELBOW_HALF_MM + SLEEVE_MM - 3),
        (head, "y", 38.0),
    ):
        cut = section(standing(mesh, axis), far)
        # With x up, the section shows y and z; with y up, z and x.
        at = (0.0, low) if axis == "x" else (low, 0.0)
        assert bore_mm(cut, *at) == pytest.approx(wide, abs=0.15), axis
        left, low_side, right, high_side = hole_around(cut, *at).bounds
        assert wide == pytest.approx(
            right - left if axis == "x" else high_side - low_side, abs=0.15
        )
    stop = section(standing(elbow, "x"), ELBOW_HALF_MM - 1)
    assert stop.contains(shapely.Point(0, low)), "the tube ends at the corner block"


def test_the_tongue_fits_into_the_fork() -> None:
    head, plate = part("head"), part("pi")
    tongue = head.vertices[head.vertices[:, 0] < -20]
    thick = float(np.ptp(tongue[:, 2]))
    ears = section(plate, 8.0)
    left, right = sorted(ears.geoms, key=lambda ear: ear.centroid.x)
    gap = right.bounds[0] - left.bounds[2]
    assert 0.3 < gap - thick < 1.0
    # Tongue and fork have the same offset from the arm's axis: the lens is below the arm.
    tongue_beside = TUBE_MM / 2 + TUBE_GAP_MM + 5 - thick / 2
    assert (left.bounds[2] + right.bounds[0]) / 2 == pytest.approx(-tongue_beside, abs=0.1)
    # The end of the tongue has a radius of 9 mm around the bolt.
    hinge = float(head.vertices[:, 0].min()) + 9
    assert -hinge + 14 == pytest.approx(LENS_BELOW_ARM_MM, abs=0.5)


def test_a_camera_module_fits_on_the_plate() -> None:
    cut = section(part("pi"), 1.0)
    for x in (-10.5, 10.5):
        for y in (0.0, 12.5):
            assert 2.0 < bore_mm(cut, x, y) < 2.6, "screws of 2 mm"
    assert bore_mm(cut, 0, 4) > 12, "the lens looks through a window"


def test_a_quarter_inch_bolt_fits_the_webcam_plate() -> None:
    cut = section(part("webcam"), 1.0)
    assert 6.35 < bore_mm(cut, 0, 6) < 7.2
