"""The outlines of caps and feet, in millimetres around the middle of a piece.

Round for one side, with cut corners for the other; on hexagons, a disc and a hexagon whose flat
sides lie along those of the cell. A printed tag is cut out along its cap's outline.
"""

from __future__ import annotations

from math import cos, pi, sin

from engine.draw.palette import Form
from vision.board import PhysicalBoard
from vision.scene.bodies import CUT, ROUNDING, Outline, cut, rounded

# Feet carry no print, so that their shapes may differ more than those of the caps.
FOOT_ROUNDING, FOOT_CUT = 0.30, 0.22  # of the width
CLEAR_MM = 0.2  # between a piece and the edge of its hexagon
DISC_POINTS = 120


def cap_outline(board: PhysicalBoard, form: Form, around_mm: float) -> Outline:
    """The printed cap. `around_mm` is what the tray needs outside of it."""
    if board.grid.headings == 4:
        return _square(board.cap_mm, form, ROUNDING, CUT)
    reach = board.cell_mm / 2 - CLEAR_MM - around_mm
    half = board.cap_mm / 2
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    return clipped(square, _on_hexagon(reach, form))


def foot_outline(board: PhysicalBoard, form: Form, width_mm: float) -> Outline:
    """What stands on the board, as wide as the tray."""
    if board.grid.headings == 6:
        return _on_hexagon(width_mm / 2, form)
    return _square(width_mm, form, FOOT_ROUNDING, FOOT_CUT)


def clipped(outline: Outline, by: Outline) -> Outline:
    """What two convex outlines have in common; both are clockwise with y down."""
    kept = list(outline)
    for (ax, ay), (bx, by_) in zip(by, (*by[1:], by[0]), strict=True):
        inside = [(bx - ax) * (y - ay) - (by_ - ay) * (x - ax) for x, y in kept]
        points = []
        for i, (point, depth) in enumerate(zip(kept, inside, strict=True)):
            before, depth_before = kept[i - 1], inside[i - 1]
            if (depth >= 0) != (depth_before >= 0):
                part = depth_before / (depth_before - depth)
                points.append(
                    (
                        before[0] + (point[0] - before[0]) * part,
                        before[1] + (point[1] - before[1]) * part,
                    )
                )
            if depth >= 0:
                points.append(point)
        kept = points
    return tuple(kept)


def _square(width: float, form: Form, rounding: float, corner: float) -> Outline:
    if form is Form.ROUND:
        return rounded(width, rounding * width, steps=12)
    return cut(width, corner * width)


def _on_hexagon(reach: float, form: Form) -> Outline:
    """A disc, or a hexagon with a flat side in front, that far from the middle to its sides."""
    if form is Form.ROUND:
        return _ring(reach, DISC_POINTS, 0.0)
    return _ring(reach / cos(pi / 6), 6, pi / 6)


def _ring(radius: float, points: int, first: float) -> Outline:
    angles = (first + 2 * pi * i / points for i in range(points))
    return tuple((radius * sin(angle), -radius * cos(angle)) for angle in angles)
