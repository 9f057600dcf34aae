"""Outlines of caps and feet, in millimetres around the middle of a piece, y down.

On squares one side has round corners and the other cut corners; on hexagons one side has discs
and the other hexagons parallel to the cell. Printed tags are cut out along the cap's outline.
"""

from __future__ import annotations

from math import cos, pi, sin

from engine.draw.palette import SideShape
from vision.board import PhysicalBoard
from vision.scene.piece_shapes import CUT, ROUNDING, Outline, cut_corner_square, rounded_square

# Feet carry no print, so their shapes can differ more than those of the caps.
FOOT_ROUNDING, FOOT_CUT = 0.30, 0.22  # share of the width
HEXAGON_CLEARANCE_MM = 0.2  # between a piece and the edge of its hexagon
DISC_POINTS = 120


def cap_outline(board: PhysicalBoard, form: SideShape, around_mm: float) -> Outline:
    """Outline of the printed cap; `around_mm` is the width of the tray's rim around it."""
    if board.grid.headings == 4:
        return _square(board.cap_mm, form, ROUNDING, CUT)
    reach = board.cell_mm / 2 - HEXAGON_CLEARANCE_MM - around_mm
    half = board.cap_mm / 2
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    return clip_polygon(square, _on_hexagon(reach, form))


def foot_outline(board: PhysicalBoard, form: SideShape, width_mm: float) -> Outline:
    """Outline of the foot; it is as wide as the tray."""
    if board.grid.headings == 6:
        return _on_hexagon(width_mm / 2, form)
    return _square(width_mm, form, FOOT_ROUNDING, FOOT_CUT)


def clip_polygon(outline: Outline, by: Outline) -> Outline:
    """The intersection of two convex outlines (Sutherland-Hodgman), both clockwise with y down."""
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


def _square(width: float, form: SideShape, rounding: float, corner: float) -> Outline:
    if form is SideShape.ROUND:
        return rounded_square(width, rounding * width, steps=12)
    return cut_corner_square(width, corner * width)


def _on_hexagon(reach: float, form: SideShape) -> Outline:
    """A disc, or a hexagon with a flat side in front; `reach` is from the middle to the sides."""
    if form is SideShape.ROUND:
        return _ring(reach, DISC_POINTS, 0.0)
    return _ring(reach / cos(pi / 6), 6, pi / 6)


def _ring(radius: float, points: int, first: float) -> Outline:
    angles = (first + 2 * pi * i / points for i in range(points))
    return tuple((radius * sin(angle), -radius * cos(angle)) for angle in angles)
