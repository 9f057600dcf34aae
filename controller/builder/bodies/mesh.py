"""Triangle meshes: reads binary STL, moves and measures solids.

A mesh is an array of triangles whose corners are counter-clockwise seen from outside.
"""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path

import numpy as np
import numpy.typing as npt

from controller.builder import paper_sentences as sentences
from engine.errors import LaserboardError

Triangles = npt.NDArray[np.float64]  # n x 3 corners x 3 coordinates, in millimetres
Vectors = npt.NDArray[np.float64]

HEADER_BYTES, COUNT_BYTES = 80, 4
STL_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class BadMesh(LaserboardError, ValueError):
    """A file is not a complete binary STL."""


def read_stl(path: Path) -> Triangles:
    """The triangles of a binary STL file."""
    content = path.read_bytes()
    start = HEADER_BYTES + COUNT_BYTES
    count = int.from_bytes(content[HEADER_BYTES:start], "little")
    if len(content) != start + count * STL_RECORD.itemsize or count == 0:
        raise BadMesh(sentences.BAD_STL(file=path.name))
    records = np.frombuffer(content, STL_RECORD, count, start)
    return np.array(records["corners"], np.float64)


def translate(mesh: Triangles, *, by: tuple[float, float, float]) -> Triangles:
    return np.asarray(mesh + np.array(by), np.float64)


def rotate_z(mesh: Triangles, degrees: float) -> Triangles:
    """Rotates counter-clockwise about the z axis."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    rotation = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(mesh @ rotation, np.float64)


def volume_mm3(mesh: Triangles) -> float:
    """The enclosed volume; negative if the triangles are inside out."""
    a, b, c = mesh[:, 0], mesh[:, 1], mesh[:, 2]
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def cross_products(mesh: Triangles) -> Vectors:
    """For each triangle its normal, whose length is twice the area."""
    return np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])


def areas_mm2(mesh: Triangles) -> Vectors:
    areas: Vectors = np.linalg.norm(cross_products(mesh), axis=1) / 2
    return areas


def normals(mesh: Triangles) -> Vectors:
    crossed = cross_products(mesh)
    lengths = np.linalg.norm(crossed, axis=1, keepdims=True)
    unit: Vectors = crossed / np.where(lengths > 0, lengths, 1.0)
    return unit
