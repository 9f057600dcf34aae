"""Printed parts put together and painted, for pictures: pieces with their tags, the mast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt

import numpy as np
import numpy.typing as npt

from controller.bodies.mast import (
    BEHIND_MM,
    ELBOW_HALF_MM,
    FLANGE_MM,
    FOOT_FLOOR_MM,
    LENS_BELOW_ARM_MM,
    LENS_BEYOND_ARM_MM,
    QUIET_MM,
    Mast,
)
from controller.bodies.mesh import Triangles, moved, normals, turned
from controller.bodies.outlines import cap_outline
from controller.bodies.raster import Painted
from controller.bodies.sizes import AROUND_CAP_MM, FRAME_MM, PAPER_MM, TRAY_MM, TUBE_MM
from controller.bodies.solids import box, flat, prism, squares, tube
from controller.bodies.wanted import Wanted
from engine.draw.palette import Form, Paint, mixed
from vision.board import PhysicalBoard
from vision.tags import CORNERS, MODULES, modules

Meshes = Mapping[str, Triangles]  # by the part's path
SILVER, PAPER, INK = "#e9f1f7", "#ffffff", "#15181d"
ALUMINIUM, PRINTED, CIRCUIT, GLASS = "#b9c0c9", "#3a4657", "#1f7a4a", "#101418"
MIRRORED = frozenset({"deflector", "switch"})  # bodies with faces along the diagonal
NEAR_MIDDLE_MM = 6.0
HINGE_BEFORE_END_MM = 10.0  # of the arm


def piece(
    each: Wanted, tag: int, board: PhysicalBoard, paint: Paint, meshes: Meshes, lift: float = 0.0
) -> list[Painted]:
    """A piece around the origin as its tag points up; `lift` pulls tray and tag off the body."""
    body = meshes[f"pieces/{each.name}.stl"]
    tray = meshes[f"pieces/tray-{each.form}.stl"]
    colour = paint.body if each.form is Form.ROUND else mixed(paint.body, paint.deep, 0.12)
    glass = _glass(body) if each.body in MIRRORED else np.zeros(len(body), bool)
    top = board.cap_height_mm + 2 * lift
    return [
        Painted(body[~glass], colour),
        *([Painted(body[glass], SILVER)] if glass.any() else []),
        Painted(moved(tray, by=(0, 0, board.cap_height_mm - TRAY_MM + lift)), colour),
        *printed_tag(each, tag, board, top),
    ]


def printed_tag(each: Wanted, tag: int, board: PhysicalBoard, height: float) -> list[Painted]:
    """The paper cap with its tag, its upper side at that height."""
    cap = [(x, -y) for x, y in cap_outline(board, each.form, AROUND_CAP_MM)]
    cap.reverse()  # y up: now counter-clockwise
    size = board.tag_mm / MODULES
    half = board.tag_mm / 2
    black = [
        (x * size - half, half - (y + 1) * size)
        for y, row in enumerate(modules(tag))
        for x, bit in enumerate(row)
        if not bit
    ]
    return [
        Painted(prism(cap, height - PAPER_MM, height), PAPER),
        Painted(squares(black, size, height + 0.05), INK),
    ]


def placed(things: list[Painted], x: float, y: float, degrees: float = 0.0) -> list[Painted]:
    """Turned clockwise, as orientations count, and moved."""
    return [Painted(moved(turned(e.mesh, -degrees), by=(x, y, 0.0)), e.colour) for e in things]


def raised(things: list[Painted], by: float) -> list[Painted]:
    return [Painted(moved(each.mesh, by=(0.0, 0.0, by)), each.colour) for each in things]


def _glass(body: Triangles) -> npt.NDArray[np.bool_]:
    """The flat faces of a mirror: along the diagonal, set back from their frame."""
    diagonal = np.array([1.0, 1.0, 0.0]) / sqrt(2)
    across = normals(body) @ diagonal
    found = np.zeros(len(body), np.bool_)
    for side in (-1, 1):
        out = side * (body.mean(axis=1) @ diagonal)
        # Farther out are the corner of the foot and the back of a prism.
        faces = (side * across > 0.99) & (out < NEAR_MIDDLE_MM)
        if faces.any():
            found |= faces & (np.abs(out - out[faces].max() + FRAME_MM) < 0.1)
    return found


# -- the mast ----------------------------------------------------------------------------------


def standing_mast(mast: Mast, board: PhysicalBoard, meshes: Meshes) -> list[Painted]:
    """The mast behind the board, whose middle is the origin; the table is at 0."""
    rim = board.corner_offset_mm + board.corner_mm / 2 + QUIET_MM
    behind = min(board.size_mm) / 2 + rim + BEHIND_MM + FLANGE_MM / 2
    axis = FOOT_FLOOR_MM + mast.upright_mm + ELBOW_HALF_MM
    end = behind - ELBOW_HALF_MM - mast.arm_mm
    low = TUBE_MM / 2 + 0.2 + 5  # from a sleeve's flat side to the axis of its tube
    hinge_y = end + HINGE_BEFORE_END_MM
    plate_z = axis - LENS_BELOW_ARM_MM
    lens = (0.0, end - LENS_BEYOND_ARM_MM, plate_z)

    def in_frame(name: str, rows: Callable[[Triangles], Triangles]) -> Painted:
        return Painted(rows(meshes[f"mast/{name}.stl"]), PRINTED)

    def axes(mesh: Triangles, x: tuple[int, int, int], y: tuple[int, int, int]) -> Triangles:
        """With the part's x and y axes laid along these."""
        return np.asarray(mesh @ np.array([x, y, np.cross(x, y)], np.float64), np.float64)

    elbow = in_frame(
        "elbow",
        lambda m: moved(
            axes(moved(m, by=(0, 0, -low)), (0, -1, 0), (0, 0, -1)), by=(0, behind, axis)
        ),
    )
    head = in_frame(
        "head",
        lambda m: moved(
            axes(moved(m, by=(0, -14, -low)), (0, 0, 1), (0, 1, 0)), by=(0, hinge_y, axis)
        ),
    )
    plate = in_frame(
        "pi",
        lambda m: moved(
            axes(moved(m, by=(0, 24, 0)), (-1, 0, 0), (0, -1, 0)), by=(0, hinge_y, plate_z)
        ),
    )
    foot = in_frame("foot", lambda m: moved(turned(m, -90), by=(0, behind, 0)))
    module = box((-12.5, lens[1] - 12, plate_z + 5), (12.5, lens[1] + 12, plate_z + 6))
    eye = box((-4.2, lens[1] - 4.2, plate_z + 0.5), (4.2, lens[1] + 4.2, plate_z + 5))
    return [
        foot,
        elbow,
        head,
        plate,
        Painted(
            tube((0, behind, FOOT_FLOOR_MM), (0, behind, axis - ELBOW_HALF_MM), TUBE_MM), ALUMINIUM
        ),
        Painted(tube((0, end, axis), (0, behind - ELBOW_HALF_MM, axis), TUBE_MM), ALUMINIUM),
        Painted(module, CIRCUIT),
        Painted(eye, GLASS),
    ]


def board_slab(board: PhysicalBoard, surface_mm: float, tiles: tuple[str, str]) -> list[Painted]:
    """The board around the origin: a box with its squares and its corner tags on top."""
    width, depth = board.size_mm
    rim = board.corner_offset_mm + board.corner_mm / 2 + QUIET_MM
    x, y = width / 2 + rim, depth / 2 + rim
    parts = [Painted(box((-x, -y, 0), (x, y, surface_mm)), "#8d6b47")]
    half = board.cell_mm / 2
    for shade in (0, 1):
        places = [
            (cx - width / 2 - half, depth / 2 - cy - half)
            for i, (cx, cy) in enumerate(board.centres_mm())
            if (i % round(width / board.cell_mm) + i // round(width / board.cell_mm)) % 2 == shade
        ]
        parts.append(Painted(squares(places, board.cell_mm, surface_mm + 0.1), tiles[shade]))
    for number, (cx, cy) in enumerate(board.corner_tags_mm()):
        parts += _corner_tag(board, number, cx - width / 2, depth / 2 - cy, surface_mm)
    return parts


def _corner_tag(
    board: PhysicalBoard, number: int, x: float, y: float, height: float
) -> list[Painted]:
    size, half = board.corner_mm / MODULES, board.corner_mm / 2
    black = [
        (x + column * size - half, y + half - (row + 1) * size)
        for row, bits in enumerate(modules(CORNERS[number]))
        for column, bit in enumerate(bits)
        if not bit
    ]
    edge = half + QUIET_MM
    white = ((x - edge, y - edge), (x + edge, y - edge), (x + edge, y + edge), (x - edge, y + edge))
    return [
        Painted(flat(white, height + 0.1), PAPER),
        Painted(squares(black, size, height + 0.3), INK),
    ]
