"""Solids as triangles: read from binary STL, moved, measured.

A mesh is an array of triangles, three corners each, counter-clockwise seen from outside.
"""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.errors import LaserboardError

Triangles = npt.NDArray[np.float64]  # n x 3 corners x 3 coordinates, in millimetres
Vectors = npt.NDArray[np.float64]

HEADER_BYTES, COUNT_BYTES = 80, 4
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class BadMesh(LaserboardError, ValueError):
    """A file that is no binary STL."""


def read_stl(path: Path) -> Triangles:
    """The triangles of a binary STL file."""
    content = path.read_bytes()
    start = HEADER_BYTES + COUNT_BYTES
    count = int.from_bytes(content[HEADER_BYTES:start], "little")
    if len(content) != start + count * RECORD.itemsize or count == 0:
        raise BadMesh(f"{path.name}: no binary STL, or not all of it: remove it and render it anew")
    records = np.frombuffer(content, RECORD, count, start)
    return np.array(records["corners"], np.float64)


def moved(mesh: Triangles, *, by: tuple[float, float, float]) -> Triangles:
    return np.asarray(mesh + np.array(by), np.float64)


def turned(mesh: Triangles, degrees: float) -> Triangles:
    """Turned counter-clockwise about the vertical."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    round_z = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(mesh @ round_z, np.float64)


def box_mm(mesh: Triangles) -> tuple[Vectors, Vectors]:
    """The least and the greatest coordinates."""
    corners = mesh.reshape(-1, 3)
    return corners.min(axis=0), corners.max(axis=0)


def volume_mm3(mesh: Triangles) -> float:
    """What the triangles enclose; below 0 if they are inside out."""
    a, b, c = mesh[:, 0], mesh[:, 1], mesh[:, 2]
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def crossings(mesh: Triangles) -> Vectors:
    """The cross product of two sides of each triangle: its normal, twice its area long."""
    return np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])


def areas_mm2(mesh: Triangles) -> Vectors:
    areas: Vectors = np.linalg.norm(crossings(mesh), axis=1) / 2
    return areas


def normals(mesh: Triangles) -> Vectors:
    crossed = crossings(mesh)
    lengths = np.linalg.norm(crossed, axis=1, keepdims=True)
    upright: Vectors = crossed / np.where(lengths > 0, lengths, 1.0)
    return upright


def overhangs_mm2(mesh: Triangles, steeper_than: float = 46.0, bed_mm: float = 0.05) -> float:
    """The area that a printer lays into the air: lower sides flatter than that slope (degrees
    from the vertical), except what lies on the bed."""
    floor = mesh[:, :, 2].min() + bed_mm
    in_the_air = mesh[:, :, 2].max(axis=1) > floor
    downwards = -normals(mesh)[:, 2] > sin(radians(steeper_than))
    return float(areas_mm2(mesh)[in_the_air & downwards].sum())
