"""Rendered parts for tests, measured with trimesh and shapely instead of our own code."""

from __future__ import annotations

from functools import cache, reduce
from typing import Any

import numpy as np
import shapely
import trimesh

from controller.builder.bodies.openscad import render_parts
from controller.builder.bodies.parts import PrintedPart, printed_parts
from controller.config.board_file import load_board_file
from tests.support.paths import ROOT

KEPT = ROOT / "build" / "solids"
BOARDS = ("demo-10x8", "photon-10x10", "full-10x8", "hex-r5")


@cache
def named(board: str, path: str) -> PrintedPart:
    """A part of a shipped board by its path: `pieces/king-round.stl`."""
    (found,) = (part for part in printed_parts(load_board_file(board)) if part.path == path)
    return found


def every_part() -> list[tuple[str, PrintedPart]]:
    """All parts of all boards; parts that two boards share, once."""
    unique: dict[Any, tuple[str, PrintedPart]] = {}
    for board in BOARDS:
        for part in printed_parts(load_board_file(board)):
            unique.setdefault((part.path, part.variables), (board, part))
    return list(unique.values())


@cache
def solid(part: PrintedPart) -> Any:
    """A part in its print orientation. The rendered file is cached for later runs."""
    ((_, stl, _),) = render_parts([part], KEPT)
    return trimesh.load_mesh(stl)


def section(mesh: Any, height: float) -> Any:
    """The area of a horizontal section of a solid."""
    cut: Any = trimesh.intersections.mesh_plane
    lines = cut(mesh, (0, 0, 1), (0, 0, height))
    rounded = np.round(lines[:, :, :2], 5)
    rings: Any = shapely.polygonize(list(map(shapely.LineString, rounded[_long(rounded)])))
    outlines: list[Any] = [shapely.Polygon(ring.exterior) for ring in rings.geoms]
    return reduce(lambda one, other: one.symmetric_difference(other), outlines)


def _long(lines: Any) -> Any:
    return np.linalg.norm(lines[:, 0] - lines[:, 1], axis=1) > 1e-4


def standing(mesh: Any, axis: str) -> Any:
    """The solid, rotated so that its x or y axis points up."""
    turned = mesh.copy()
    rows = {"x": [[0, 1, 0], [0, 0, 1], [1, 0, 0]], "y": [[0, 0, 1], [1, 0, 0], [0, 1, 0]]}[axis]
    matrix = np.eye(4)
    matrix[:3, :3] = rows
    turned.apply_transform(matrix)
    return turned


def first_hit(
    mesh: Any, start: tuple[float, float, float], heading: tuple[float, float, float]
) -> Any:
    """The first hit of a ray and the normal there; None if it misses."""
    origin, way = np.array(start, float), np.array(heading, float)
    a, b, c = (mesh.triangles[:, i] for i in range(3))
    ab, ac = b - a, c - a
    across = np.cross(way, ac)
    scale = np.einsum("ij,ij->i", ab, across)
    with np.errstate(all="ignore"):
        u = np.einsum("ij,ij->i", origin - a, across) / scale
        crossed = np.cross(origin - a, ab)
        v = crossed @ way / scale
        far = np.einsum("ij,ij->i", ac, crossed) / scale
        hit = (np.abs(scale) > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 1e-6)
    if not hit.any():
        return None
    nearest = np.flatnonzero(hit)[np.argmin(far[hit])]
    return origin + way * far[nearest], mesh.face_normals[nearest]
