"""Meshes as a picture: a depth buffer, one lamp with its shadow, fine dark edges.

No graphics card and no window: a few thousand triangles take a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from controller.bodies.mesh import Triangles, Vectors, normals
from engine.draw.palette import rgb

Image = npt.NDArray[np.uint8]
FINER = 3  # samples of a pixel, in x and y
NEAR_MM = 1.0
LAMP = (-0.42, -0.5, 0.9)  # where the light comes from
AMBIENT, DIFFUSE, SHADOWED = 0.52, 0.55, 0.32
EDGE_DARKNESS = 0.55
SHADOW_CELLS = 1400


@dataclass(frozen=True)
class Painted:
    """A mesh of one colour."""

    mesh: Triangles
    colour: str


@dataclass(frozen=True)
class Eye:
    """Where the picture is taken from, what its middle shows, and how wide it sees."""

    at_mm: tuple[float, float, float]
    towards_mm: tuple[float, float, float]
    focal: float = 2.6  # widths of the picture

    def axes(self) -> Vectors:
        """Right, down and ahead, one row each."""
        ahead = np.subtract(self.towards_mm, self.at_mm).astype(np.float64)
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        if np.linalg.norm(right) < 1e-6:
            right = np.array([1.0, 0.0, 0.0])
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(ahead, right), ahead])

    def project(self, points: Vectors, width: int, height: int) -> Vectors:
        """Pixels and the distance ahead of each point."""
        seen = (points - np.array(self.at_mm)) @ self.axes().T
        far = np.maximum(seen[..., 2], NEAR_MM)
        scale = self.focal * width / far
        middle = np.array([width / 2, height / 2])
        return np.concatenate([seen[..., :2] * scale[..., None] + middle, far[..., None]], axis=-1)


def picture(things: Sequence[Painted], eye: Eye, width: int, height: int, paper: str) -> Image:
    """The things on a floor of paper that takes their shadow, as RGB."""
    w, h = width * FINER, height * FINER
    mesh = np.concatenate([each.mesh for each in things])
    tones = np.concatenate([np.full((len(e.mesh), 3), rgb(e.colour)) for e in things]) / 255.0
    depth, index = _nearest(eye.project(mesh, w, h), w, h)
    floor = np.array(rgb(paper)) / 255.0
    facing = normals(mesh)
    lamp = np.array(LAMP) / np.linalg.norm(LAMP)
    # A shadow is soft: one sample of a pixel is enough.
    middles = depth[FINER // 2 :: FINER, FINER // 2 :: FINER]
    lit = _lit(mesh, _places(eye, middles, width, height), lamp)
    lit = lit.repeat(FINER, axis=0).repeat(FINER, axis=1)

    bright = AMBIENT + DIFFUSE * np.clip(facing @ lamp, 0, 1) + 0.10 * (facing[:, 2] + 1) / 2
    hit = index >= 0
    shaded = np.empty((h, w, 3))
    shaded[...] = floor
    shadow = 1 - (1 - lit) * SHADOWED
    # A back turned on the lamp is dark already.
    away = np.where(hit, facing[index] @ lamp, 1.0) <= 0.02
    shaded[hit] = tones[index[hit]] * bright[index[hit]][:, None]
    shaded *= np.where(away, 1.0, np.where(hit, shadow, 1 - (1 - lit) * 0.28))[..., None]
    shaded *= (1 - EDGE_DARKNESS * _edges(depth, np.where(hit[..., None], facing[index], 0)))[
        ..., None
    ]
    small = shaded.reshape(height, FINER, width, FINER, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(small, 0, 1) * 255 + 0.5, np.uint8)


def _nearest(corners: Vectors, width: int, height: int) -> tuple[Vectors, npt.NDArray[np.intp]]:
    """For every pixel the distance of the nearest triangle and its number, or -1."""
    depth = np.full((height, width), np.inf)
    index = np.full((height, width), -1, np.intp)
    low = np.floor(corners[:, :, :2].min(axis=1)).astype(int)
    high = np.ceil(corners[:, :, :2].max(axis=1)).astype(int) + 1
    for number, (a, b, c) in enumerate(corners):
        left, right = max(0, low[number, 0]), min(width, high[number, 0])
        top, bottom = max(0, low[number, 1]), min(height, high[number, 1])
        if left >= right or top >= bottom:
            continue
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if area > -1e-9:  # it shows its back: with y down, that is counter-clockwise
            continue
        x = np.arange(left, right) + 0.5
        y = (np.arange(top, bottom) + 0.5)[:, None]
        v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        u = 1 - v - w
        inside = (u >= 0) & (v >= 0) & (w >= 0)
        # Distances are even along a line of a picture only when taken as 1 / distance.
        far = 1 / (u / a[2] + v / b[2] + w / c[2])
        part = depth[top:bottom, left:right]
        nearer = inside & (far < part)
        part[nearer] = far[nearer]
        index[top:bottom, left:right][nearer] = number
    return depth, index


def _places(eye: Eye, depth: Vectors, width: int, height: int) -> Vectors:
    """Where in the room each pixel looks at; on the floor where there is no thing."""
    x = (np.arange(width) + 0.5 - width / 2) / (eye.focal * width)
    y = (np.arange(height) + 0.5 - height / 2) / (eye.focal * width)
    rays = np.stack([*np.broadcast_arrays(x[None, :], y[:, None]), np.ones((height, width))], -1)
    rays = rays @ eye.axes()
    falls = np.minimum(rays[..., 2], -1e-6)
    ahead = np.where(np.isfinite(depth), depth, -eye.at_mm[2] / falls)
    return np.asarray(np.array(eye.at_mm) + rays * np.minimum(ahead, 1e5)[..., None], np.float64)


def _lit(mesh: Triangles, places: Vectors, lamp: Vectors) -> Vectors:
    """How much of the lamp each place sees, 0 to 1: softened over a few millimetres."""
    right = np.cross(lamp, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    down = np.cross(-lamp, right)
    frame = np.array([right, down, -lamp])
    seen = mesh @ frame.T
    low, high = seen.reshape(-1, 3).min(axis=0), seen.reshape(-1, 3).max(axis=0)
    scale = (SHADOW_CELLS - 20) / max(high[0] - low[0], high[1] - low[1])
    flat = np.concatenate([(seen[..., :2] - low[:2]) * scale + 10, seen[..., 2:]], axis=-1)
    far_off = 1e6  # so far that distances are as good as even along a line
    flat[..., 2] += far_off - low[2]
    depth, _ = _nearest(flat, SHADOW_CELLS, SHADOW_CELLS)
    here = places @ frame.T
    cells = (here[..., :2] - low[:2]) * scale + 10
    distance = here[..., 2] + far_off - low[2]
    total = np.zeros(places.shape[:2])
    reach = max(1.0, 0.5 * scale)
    spots = [
        (dx * reach, dy * reach) for dx in (-1.5, -0.5, 0.5, 1.5) for dy in (-1.5, -0.5, 0.5, 1.5)
    ]
    for dx, dy in spots:
        column = np.clip((cells[..., 0] + dx).astype(int), 0, SHADOW_CELLS - 1)
        row = np.clip((cells[..., 1] + dy).astype(int), 0, SHADOW_CELLS - 1)
        total += depth[row, column] > distance - 0.9
    return total / len(spots)


def _edges(depth: Vectors, facing: Vectors) -> Vectors:
    """1 where a thing ends or bends sharply."""
    near = np.where(np.isfinite(depth), depth, 1e4)
    found = np.zeros(depth.shape)
    for axis in (0, 1):
        step = np.abs(np.diff(1000 / near, axis=axis))
        jump = step > 0.004 * 1000 / np.minimum(near, np.roll(near, -1, axis)).take(
            range(near.shape[axis] - 1), axis
        )
        bend = (np.diff(facing, axis=axis) ** 2).sum(-1) > 0.35
        edge = (jump | bend).astype(float)
        pad = [(0, 0), (0, 0)]
        pad[axis] = (0, 1)
        found = np.maximum(found, np.pad(edge, pad))
    return found
