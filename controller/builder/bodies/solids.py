"""Simple meshes for the guide's pictures: boxes, tubes and flat sheets beside the printed parts."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import numpy as np

from controller.builder.bodies.mesh import Triangles

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]


def prism(outline: Sequence[Point2], low: float, high: float) -> Triangles:
    """A vertical prism over a convex outline that is counter-clockwise with y up."""
    floor = [(x, y, low) for x, y in outline]
    roof = [(x, y, high) for x, y in outline]
    faces = []
    for i in range(1, len(outline) - 1):
        faces += [(roof[0], roof[i], roof[i + 1]), (floor[0], floor[i + 1], floor[i])]
    for i in range(len(outline)):
        a, b, c, d = floor[i - 1], floor[i], roof[i], roof[i - 1]
        faces += [(a, b, c), (a, c, d)]
    return np.array(faces, np.float64)


def box(low: Point3, high: Point3) -> Triangles:
    (x, y, z), (right, back, top) = low, high
    return prism(((x, y), (right, y), (right, back), (x, back)), z, top)


def tube(start: Point3, end: Point3, diameter: float, sides: int = 32) -> Triangles:
    """A closed cylinder between two points."""
    angles = [2 * pi * i / sides for i in range(sides)]
    ring = [(diameter / 2 * cos(angle), diameter / 2 * sin(angle)) for angle in angles]
    length = float(np.linalg.norm(np.subtract(end, start)))
    axis = np.subtract(end, start) / length
    side = np.cross(axis, (0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    frame = np.array([side, np.cross(axis, side), axis])
    return np.asarray(prism(ring, 0.0, length) @ frame + np.array(start), np.float64)


def flat_polygon(outline: Sequence[Point2], height: float) -> Triangles:
    """A convex outline as a sheet without thickness, visible from above."""
    points = [(x, y, height) for x, y in outline]
    return np.array(
        [(points[0], points[i], points[i + 1]) for i in range(1, len(points) - 1)], np.float64
    )


def square_tiles(places: Sequence[Point2], size: float, height: float) -> Triangles:
    """Squares of equal size; `places` are their lower left corners."""
    squares = [
        flat_polygon(((x, y), (x + size, y), (x + size, y + size), (x, y + size)), height)
        for x, y in places
    ]
    return np.concatenate(squares) if squares else np.empty((0, 3, 3))
