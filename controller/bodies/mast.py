"""How high the camera must hang, and how long the tubes of its mast are.

The camera hangs over the middle of the board and looks straight down, the width of its picture
along the longer side. It must see the four corner tags whole, and every cap at its height.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan, ceil, degrees, radians, tan

from engine.errors import UnknownName, did_you_mean, excerpt
from vision.board import PhysicalBoard

MARGIN = 1.05  # of the picture, so that a hand's breadth of tilt cuts off nothing
QUIET_MM = 4.0  # of white around a corner tag
# The printed parts, as `mast.scad` has them.
FLANGE_MM = 120.0
FOOT_FLOOR_MM = 6.0  # under the upright tube
SLEEVE_MM = 45.0  # that a tube sits in the elbow and in the head
ELBOW_HALF_MM = 15.2  # from the arm's axis to the end of the upright tube
LENS_BELOW_ARM_MM = 55.2  # with the plate level
LENS_BEYOND_ARM_MM = 19.0
BEHIND_MM = 15.0  # from the outermost paper to the flange
SURFACE_MM = 40.0  # from where the mast stands up to the squares: strips, light grid, cover
ROUND_UP_MM = 5.0


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera by what its sensor sees: degrees across and down."""

    about: str
    across: float
    down: float

    def field(self, aspect: float) -> tuple[float, float]:
        """What a picture of that shape (width / height) shows: cut from the sensor's middle."""
        across, down = tan(radians(self.across / 2)), tan(radians(self.down / 2))
        if across / down > aspect:
            across = down * aspect
        else:
            down = across / aspect
        return 2 * degrees(atan(across)), 2 * degrees(atan(down))


CAMERAS: Mapping[str, Camera] = {
    "v2": Camera("Raspberry Pi Camera Module 2", 62.2, 48.8),
    "v3": Camera("Raspberry Pi Camera Module 3", 66.0, 41.0),
    "v3-wide": Camera("Raspberry Pi Camera Module 3 Wide", 102.0, 67.0),
    "webcam": Camera("a webcam of the usual kind", 60.0, 36.0),
}
ASPECT = 16 / 9  # 1280 x 720, what cameras are asked for


@dataclass(frozen=True, slots=True)
class Mast:
    """Lengths in millimetres; `height_mm` is from the squares up to the lens."""

    height_mm: float
    reach_mm: float  # from the upright tube's axis to the middle of the board
    upright_mm: float
    arm_mm: float


def camera_named(name: str) -> Camera:
    if name not in CAMERAS:
        raise UnknownName(f"there is no camera {excerpt(name)}{did_you_mean(name, CAMERAS)}")
    return CAMERAS[name]


def height_mm(board: PhysicalBoard, camera: Camera, aspect: float = ASPECT) -> float:
    """The least height of the lens over the squares from which all is seen, with a margin."""
    width, depth = sorted(board.size_mm, reverse=True)
    rim = board.corner_offset_mm + board.corner_mm / 2 + QUIET_MM
    across, down = (tan(radians(angle / 2)) for angle in camera.field(aspect))
    return MARGIN * max(
        (width / 2 + rim) / across,
        (depth / 2 + rim) / down,
        board.cap_height_mm + width / 2 / across,
        board.cap_height_mm + depth / 2 / down,
    )


def mast(
    board: PhysicalBoard,
    camera: Camera,
    aspect: float = ASPECT,
    surface_mm: float = SURFACE_MM,
) -> Mast:
    """The mast behind the middle of the longer side, its tubes rounded up to 5 mm."""
    high = height_mm(board, camera, aspect)
    rim = board.corner_offset_mm + board.corner_mm / 2 + QUIET_MM
    reach = min(board.size_mm) / 2 + rim + BEHIND_MM + FLANGE_MM / 2
    arm_axis = surface_mm + high + LENS_BELOW_ARM_MM
    upright = arm_axis - ELBOW_HALF_MM - FOOT_FLOOR_MM
    return Mast(high, reach, _up(upright), _up(reach - ELBOW_HALF_MM - LENS_BEYOND_ARM_MM))


def _up(length: float) -> float:
    return ceil(length / ROUND_UP_MM) * ROUND_UP_MM
