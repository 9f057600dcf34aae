"""Computes the height of the camera and the tube lengths of its mast.

The camera hangs over the middle of the board and looks straight down, the width of its image
along the longer side. It must see the four corner tags and every cap at cap height.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan, ceil, degrees, radians, tan

from controller.builder import paper_sentences as sentences
from engine.errors import UnknownName, did_you_mean, excerpt
from vision.board import PhysicalBoard

IMAGE_MARGIN = 1.05  # the image is 5 % larger than the board, for a tilted camera
TAG_QUIET_ZONE_MM = 4.0  # white border of a corner tag
# Sizes of the printed parts in `mast.scad`.
FLANGE_MM = 120.0
FOOT_FLOOR_MM = 6.0  # under the upright tube
ELBOW_HALF_MM = 15.2  # from the arm's axis to the end of the upright tube
LENS_BELOW_ARM_MM = 55.2  # with the plate level
LENS_BEYOND_ARM_MM = 19.0
FLANGE_GAP_MM = 15.0  # from the outer edge of the corner tags to the flange
BOARD_SURFACE_MM = 40.0  # height of the squares above the table: base, LEDs, light grid, cover
ROUND_UP_MM = 5.0


@dataclass(frozen=True, slots=True)
class CameraOptics:
    """Field of view of a camera's sensor."""

    horizontal_degrees: float
    vertical_degrees: float

    def field_of_view(self, aspect: float) -> tuple[float, float]:
        """Field of view of an image with this aspect (width / height), cut from the middle."""
        across, down = (
            tan(radians(self.horizontal_degrees / 2)),
            tan(radians(self.vertical_degrees / 2)),
        )
        if across / down > aspect:
            across = down * aspect
        else:
            down = across / aspect
        return 2 * degrees(atan(across)), 2 * degrees(atan(down))


CAMERAS: Mapping[str, CameraOptics] = {
    "v2": CameraOptics(62.2, 48.8),  # Raspberry Pi Camera Module 2
    "v3": CameraOptics(66.0, 41.0),  # Raspberry Pi Camera Module 3
    "v3-wide": CameraOptics(102.0, 67.0),  # Raspberry Pi Camera Module 3 Wide
    "webcam": CameraOptics(60.0, 36.0),  # typical
}
ASPECT = 16 / 9  # of the default resolution 1280 x 720


@dataclass(frozen=True, slots=True)
class Mast:
    """Dimensions of a mast; `lens_height_mm` is measured from the squares to the lens."""

    lens_height_mm: float
    reach_mm: float  # from the upright tube's axis to the middle of the board
    upright_mm: float
    arm_mm: float


def find_camera_optics(name: str) -> CameraOptics:
    if name not in CAMERAS:
        raise UnknownName(
            sentences.UNKNOWN_CAMERA(name=excerpt(name), suggestion=did_you_mean(name, CAMERAS))
        )
    return CAMERAS[name]


def lens_height_mm(board: PhysicalBoard, camera: CameraOptics, aspect: float = ASPECT) -> float:
    """The least height of the lens above the squares that shows the whole board, with margin."""
    width, depth = sorted(board.size_mm, reverse=True)
    rim = board.corner_offset_mm + board.corner_mm / 2 + TAG_QUIET_ZONE_MM
    across, down = (tan(radians(angle / 2)) for angle in camera.field_of_view(aspect))
    return IMAGE_MARGIN * max(
        (width / 2 + rim) / across,
        (depth / 2 + rim) / down,
        board.cap_height_mm + width / 2 / across,
        board.cap_height_mm + depth / 2 / down,
    )


def compute_mast(
    board: PhysicalBoard,
    camera: CameraOptics,
    aspect: float = ASPECT,
    surface_mm: float = BOARD_SURFACE_MM,
) -> Mast:
    """The mast behind the middle of the longer side; tube lengths are rounded up to 5 mm."""
    lens_mm = lens_height_mm(board, camera, aspect)
    rim = board.corner_offset_mm + board.corner_mm / 2 + TAG_QUIET_ZONE_MM
    reach = min(board.size_mm) / 2 + rim + FLANGE_GAP_MM + FLANGE_MM / 2
    arm_axis = surface_mm + lens_mm + LENS_BELOW_ARM_MM
    upright = arm_axis - ELBOW_HALF_MM - FOOT_FLOOR_MM
    arm = reach - ELBOW_HALF_MM - LENS_BEYOND_ARM_MM
    return Mast(lens_mm, reach, _round_up_mm(upright), _round_up_mm(arm))


def _round_up_mm(length: float) -> float:
    return ceil(length / ROUND_UP_MM) * ROUND_UP_MM
