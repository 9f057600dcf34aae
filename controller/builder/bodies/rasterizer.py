"""Renders coloured meshes to an image: depth buffer, one lamp with soft shadows, dark edges.

Pure numpy, because OpenSCAD's PNG export needs an X server. A few thousand triangles take 1 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from controller.builder.bodies.mesh import Triangles, Vectors, normals
from engine.draw.palette import parse_rgb

Image = npt.NDArray[np.uint8]
SUPERSAMPLING = 3  # samples per pixel in x and y
NEAR_MM = 1.0
LAMP = (-0.42, -0.5, 0.9)  # direction towards the lamp
AMBIENT, DIFFUSE, SHADOWED = 0.52, 0.55, 0.32
EDGE_DARKNESS = 0.55
SHADOW_CELLS = 1400


@dataclass(frozen=True)
class ColouredMesh:
    """A mesh of one colour."""

    mesh: Triangles
    colour: str


@dataclass(frozen=True)
class RenderCamera:
    """Position, target and focal length of the virtual camera."""

    position_mm: tuple[float, float, float]
    target_mm: tuple[float, float, float]
    focal: float = 2.6  # focal length in picture widths

    def axes(self) -> Vectors:
        """Unit vectors right, down and ahead, one per row."""
        ahead = np.subtract(self.target_mm, self.position_mm).astype(np.float64)
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        if np.linalg.norm(right) < 1e-6:
            right = np.array([1.0, 0.0, 0.0])
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(ahead, right), ahead])

    def project(self, points: Vectors, width: int, height: int) -> Vectors:
        """Pixel x, pixel y and distance ahead of each point."""
        local = (points - np.array(self.position_mm)) @ self.axes().T
        ahead = np.maximum(local[..., 2], NEAR_MM)
        scale = self.focal * width / ahead
        middle = np.array([width / 2, height / 2])
        pixels = local[..., :2] * scale[..., None] + middle
        return np.concatenate([pixels, ahead[..., None]], axis=-1)


def render_image(
    scene: Sequence[ColouredMesh], camera: RenderCamera, width: int, height: int, floor_colour: str
) -> Image:
    """The scene on a floor that takes its shadow, as RGB."""
    w, h = width * SUPERSAMPLING, height * SUPERSAMPLING
    mesh = np.concatenate([each.mesh for each in scene])
    tones = np.concatenate([np.full((len(e.mesh), 3), parse_rgb(e.colour)) for e in scene]) / 255.0
    depth, index = _depth_buffer(camera.project(mesh, w, h), w, h)
    floor = np.array(parse_rgb(floor_colour)) / 255.0
    facing = normals(mesh)
    lamp = np.array(LAMP) / np.linalg.norm(LAMP)
    # Shadows are soft, so one sample per pixel is enough.
    middles = depth[SUPERSAMPLING // 2 :: SUPERSAMPLING, SUPERSAMPLING // 2 :: SUPERSAMPLING]
    lit = _light_share(mesh, _world_points(camera, middles, width, height), lamp)
    lit = lit.repeat(SUPERSAMPLING, axis=0).repeat(SUPERSAMPLING, axis=1)

    bright = AMBIENT + DIFFUSE * np.clip(facing @ lamp, 0, 1) + 0.10 * (facing[:, 2] + 1) / 2
    hit = index >= 0
    shaded = np.empty((h, w, 3))
    shaded[...] = floor
    shadow = 1 - (1 - lit) * SHADOWED
    # Faces turned away from the lamp are dark already and get no shadow.
    away = np.where(hit, facing[index] @ lamp, 1.0) <= 0.02
    shaded[hit] = tones[index[hit]] * bright[index[hit]][:, None]
    shaded *= np.where(away, 1.0, np.where(hit, shadow, 1 - (1 - lit) * 0.28))[..., None]
    shaded *= (1 - EDGE_DARKNESS * _edge_mask(depth, np.where(hit[..., None], facing[index], 0)))[
        ..., None
    ]
    small = shaded.reshape(height, SUPERSAMPLING, width, SUPERSAMPLING, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(small, 0, 1) * 255 + 0.5, np.uint8)


def _depth_buffer(
    corners: Vectors, width: int, height: int
) -> tuple[Vectors, npt.NDArray[np.intp]]:
    """For every pixel the distance and the number of the nearest triangle (-1: none)."""
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
        if area > -1e-9:  # back face: counter-clockwise with y down
            continue
        x = np.arange(left, right) + 0.5
        y = (np.arange(top, bottom) + 0.5)[:, None]
        v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        u = 1 - v - w
        inside = (u >= 0) & (v >= 0) & (w >= 0)
        # 1 / distance is linear in the picture (perspective-correct interpolation).
        distance = 1 / (u / a[2] + v / b[2] + w / c[2])
        part = depth[top:bottom, left:right]
        nearer = inside & (distance < part)
        part[nearer] = distance[nearer]
        index[top:bottom, left:right][nearer] = number
    return depth, index


def _world_points(camera: RenderCamera, depth: Vectors, width: int, height: int) -> Vectors:
    """The 3D point that each pixel shows; a point of the floor where no triangle is hit."""
    x = (np.arange(width) + 0.5 - width / 2) / (camera.focal * width)
    y = (np.arange(height) + 0.5 - height / 2) / (camera.focal * width)
    rays = np.stack([*np.broadcast_arrays(x[None, :], y[:, None]), np.ones((height, width))], -1)
    rays = rays @ camera.axes()
    down = np.minimum(rays[..., 2], -1e-6)
    ahead = np.where(np.isfinite(depth), depth, -camera.position_mm[2] / down)
    return np.asarray(
        np.array(camera.position_mm) + rays * np.minimum(ahead, 1e5)[..., None], np.float64
    )


def _light_share(mesh: Triangles, points: Vectors, lamp: Vectors) -> Vectors:
    """The share of the lamp that reaches each point (0 to 1), by a shadow map, softened."""
    right = np.cross(lamp, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    down = np.cross(-lamp, right)
    frame = np.array([right, down, -lamp])
    local = mesh @ frame.T
    low, high = local.reshape(-1, 3).min(axis=0), local.reshape(-1, 3).max(axis=0)
    scale = (SHADOW_CELLS - 20) / max(high[0] - low[0], high[1] - low[1])
    flat = np.concatenate([(local[..., :2] - low[:2]) * scale + 10, local[..., 2:]], axis=-1)
    lamp_distance = 1e6  # practically a parallel projection
    flat[..., 2] += lamp_distance - low[2]
    depth, _ = _depth_buffer(flat, SHADOW_CELLS, SHADOW_CELLS)
    projected = points @ frame.T
    cells = (projected[..., :2] - low[:2]) * scale + 10
    distance = projected[..., 2] + lamp_distance - low[2]
    total = np.zeros(points.shape[:2])
    reach = max(1.0, 0.5 * scale)
    offsets = [
        (dx * reach, dy * reach) for dx in (-1.5, -0.5, 0.5, 1.5) for dy in (-1.5, -0.5, 0.5, 1.5)
    ]
    for dx, dy in offsets:
        column = np.clip((cells[..., 0] + dx).astype(int), 0, SHADOW_CELLS - 1)
        row = np.clip((cells[..., 1] + dy).astype(int), 0, SHADOW_CELLS - 1)
        total += depth[row, column] > distance - 0.9
    return total / len(offsets)


def _edge_mask(depth: Vectors, facing: Vectors) -> Vectors:
    """1 where the depth jumps or the surface bends sharply, else 0."""
    near = np.where(np.isfinite(depth), depth, 1e4)
    mask = np.zeros(depth.shape)
    for axis in (0, 1):
        step = np.abs(np.diff(1000 / near, axis=axis))
        jump = step > 0.004 * 1000 / np.minimum(near, np.roll(near, -1, axis)).take(
            range(near.shape[axis] - 1), axis
        )
        bend = (np.diff(facing, axis=axis) ** 2).sum(-1) > 0.35
        edge = (jump | bend).astype(float)
        pad = [(0, 0), (0, 0)]
        pad[axis] = (0, 1)
        mask = np.maximum(mask, np.pad(edge, pad))
    return mask
