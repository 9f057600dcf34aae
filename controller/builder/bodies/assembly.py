"""Assembles coloured meshes of printed parts for the guide's pictures: pieces with tags, the mast.

Coordinates are millimetres with z up. Other modules use only `MIRRORED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt

import numpy as np
import numpy.typing as npt

from controller.builder.bodies.dimensions import CAP_BORDER_MM, FRAME_MM, PAPER_MM, TRAY_MM, TUBE_MM
from controller.builder.bodies.mast import (
    ELBOW_HALF_MM,
    FLANGE_GAP_MM,
    FLANGE_MM,
    FOOT_FLOOR_MM,
    LENS_BELOW_ARM_MM,
    LENS_BEYOND_ARM_MM,
    TAG_QUIET_ZONE_MM,
    Mast,
)
from controller.builder.bodies.mesh import Triangles, normals, rotate_z, translate
from controller.builder.bodies.outlines import cap_outline
from controller.builder.bodies.piece_list import PieceSet
from controller.builder.bodies.rasterizer import ColouredMesh
from controller.builder.bodies.solids import box, flat_polygon, prism, square_tiles, tube
from engine.draw.palette import Paint, SideShape, mix_colours
from vision.board import PhysicalBoard
from vision.tags import CORNERS, MODULES, modules

MeshesByPath = Mapping[str, Triangles]  # key: `PrintedPart.path`
SILVER, PAPER, INK = "#e9f1f7", "#ffffff", "#15181d"
ALUMINIUM, PRINTED, CIRCUIT, GLASS = "#b9c0c9", "#3a4657", "#1f7a4a", "#101418"
MIRRORED = frozenset({"deflector", "switch"})  # bodies with mirrors along the diagonal
MIRROR_NEAR_CENTRE_MM = 6.0
HINGE_BEFORE_END_MM = 10.0  # from the hinge to the end of the arm


def piece_meshes(
    each: PieceSet,
    tag: int,
    board: PhysicalBoard,
    paint: Paint,
    meshes: MeshesByPath,
    lift: float = 0.0,
) -> list[ColouredMesh]:
    """One piece at the origin, its tag upright. `lift` (mm) separates body, tray and tag."""
    body = meshes[f"pieces/{each.name}.stl"]
    tray = meshes[f"pieces/tray-{each.form}.stl"]
    colour = (
        paint.body if each.form is SideShape.ROUND else mix_colours(paint.body, paint.deep, 0.12)
    )
    glass = _mirror_faces(body) if each.body in MIRRORED else np.zeros(len(body), bool)
    top = board.cap_height_mm + 2 * lift
    return [
        ColouredMesh(body[~glass], colour),
        *([ColouredMesh(body[glass], SILVER)] if glass.any() else []),
        ColouredMesh(translate(tray, by=(0, 0, board.cap_height_mm - TRAY_MM + lift)), colour),
        *tag_meshes(each, tag, board, top),
    ]


def tag_meshes(each: PieceSet, tag: int, board: PhysicalBoard, height: float) -> list[ColouredMesh]:
    """The paper cap with its tag; the top of the paper is at `height`."""
    cap = [(x, -y) for x, y in cap_outline(board, each.form, CAP_BORDER_MM)]
    cap.reverse()  # counter-clockwise with y up
    size = board.tag_mm / MODULES
    half = board.tag_mm / 2
    black = [
        (x * size - half, half - (y + 1) * size)
        for y, row in enumerate(modules(tag))
        for x, bit in enumerate(row)
        if not bit
    ]
    return [
        ColouredMesh(prism(cap, height - PAPER_MM, height), PAPER),
        ColouredMesh(square_tiles(black, size, height + 0.05), INK),
    ]


def place_meshes(
    meshes: list[ColouredMesh], x: float, y: float, degrees: float = 0.0, z: float = 0.0
) -> list[ColouredMesh]:
    """Rotates clockwise, as orientations count, then moves."""
    return [
        ColouredMesh(translate(rotate_z(each.mesh, -degrees), by=(x, y, z)), each.colour)
        for each in meshes
    ]


def _mirror_faces(body: Triangles) -> npt.NDArray[np.bool_]:
    """Selects the mirror faces: along the diagonal, set back from their frame."""
    diagonal = np.array([1.0, 1.0, 0.0]) / sqrt(2)
    across = normals(body) @ diagonal
    mirror = np.zeros(len(body), np.bool_)
    for side in (-1, 1):
        distance = side * (body.mean(axis=1) @ diagonal)
        # Diagonal faces farther out belong to the corner of the foot and the back of a prism.
        faces = (side * across > 0.99) & (distance < MIRROR_NEAR_CENTRE_MM)
        if faces.any():
            mirror |= faces & (np.abs(distance - distance[faces].max() + FRAME_MM) < 0.1)
    return mirror


# -- the mast ----------------------------------------------------------------------------------


def mast_meshes(mast: Mast, board: PhysicalBoard, meshes: MeshesByPath) -> list[ColouredMesh]:
    """The mast behind the board. The origin is the middle of the board on the table."""
    rim = board.corner_offset_mm + board.corner_mm / 2 + TAG_QUIET_ZONE_MM
    behind = min(board.size_mm) / 2 + rim + FLANGE_GAP_MM + FLANGE_MM / 2
    axis = FOOT_FLOOR_MM + mast.upright_mm + ELBOW_HALF_MM
    end = behind - ELBOW_HALF_MM - mast.arm_mm
    flat_to_axis = TUBE_MM / 2 + 0.2 + 5  # from a sleeve's flat side to the axis of its tube
    hinge_y = end + HINGE_BEFORE_END_MM
    plate_z = axis - LENS_BELOW_ARM_MM
    lens = (0.0, end - LENS_BEYOND_ARM_MM, plate_z)

    def printed(name: str, place: Callable[[Triangles], Triangles]) -> ColouredMesh:
        return ColouredMesh(place(meshes[f"mast/{name}.stl"]), PRINTED)

    def axes(mesh: Triangles, x: tuple[int, int, int], y: tuple[int, int, int]) -> Triangles:
        """Rotates a part so that its x and y axes point along `x` and `y`."""
        return np.asarray(mesh @ np.array([x, y, np.cross(x, y)], np.float64), np.float64)

    elbow = printed(
        "elbow",
        lambda m: translate(
            axes(translate(m, by=(0, 0, -flat_to_axis)), (0, -1, 0), (0, 0, -1)),
            by=(0, behind, axis),
        ),
    )
    head = printed(
        "head",
        lambda m: translate(
            axes(translate(m, by=(0, -14, -flat_to_axis)), (0, 0, 1), (0, 1, 0)),
            by=(0, hinge_y, axis),
        ),
    )
    plate = printed(
        "pi",
        lambda m: translate(
            axes(translate(m, by=(0, 24, 0)), (-1, 0, 0), (0, -1, 0)), by=(0, hinge_y, plate_z)
        ),
    )
    foot = printed("foot", lambda m: translate(rotate_z(m, -90), by=(0, behind, 0)))
    module = box((-12.5, lens[1] - 12, plate_z + 5), (12.5, lens[1] + 12, plate_z + 6))
    lens_body = box((-4.2, lens[1] - 4.2, plate_z + 0.5), (4.2, lens[1] + 4.2, plate_z + 5))
    return [
        foot,
        elbow,
        head,
        plate,
        ColouredMesh(
            tube((0, behind, FOOT_FLOOR_MM), (0, behind, axis - ELBOW_HALF_MM), TUBE_MM), ALUMINIUM
        ),
        ColouredMesh(tube((0, end, axis), (0, behind - ELBOW_HALF_MM, axis), TUBE_MM), ALUMINIUM),
        ColouredMesh(module, CIRCUIT),
        ColouredMesh(lens_body, GLASS),
    ]


def board_meshes(
    board: PhysicalBoard, surface_mm: float, tiles: tuple[str, str]
) -> list[ColouredMesh]:
    """The board at the origin: a box with squares and corner tags on top."""
    width, depth = board.size_mm
    rim = board.corner_offset_mm + board.corner_mm / 2 + TAG_QUIET_ZONE_MM
    x, y = width / 2 + rim, depth / 2 + rim
    parts = [ColouredMesh(box((-x, -y, 0), (x, y, surface_mm)), "#8d6b47")]
    half = board.cell_mm / 2
    for shade in (0, 1):
        places = [
            (cx - width / 2 - half, depth / 2 - cy - half)
            for i, (cx, cy) in enumerate(board.centres_mm())
            if (i % round(width / board.cell_mm) + i // round(width / board.cell_mm)) % 2 == shade
        ]
        parts.append(
            ColouredMesh(square_tiles(places, board.cell_mm, surface_mm + 0.1), tiles[shade])
        )
    for number, (cx, cy) in enumerate(board.corner_tags_mm()):
        parts += _corner_tag_meshes(board, number, cx - width / 2, depth / 2 - cy, surface_mm)
    return parts


def _corner_tag_meshes(
    board: PhysicalBoard, number: int, x: float, y: float, height: float
) -> list[ColouredMesh]:
    size, half = board.corner_mm / MODULES, board.corner_mm / 2
    black = [
        (x + column * size - half, y + half - (row + 1) * size)
        for row, bits in enumerate(modules(CORNERS[number]))
        for column, bit in enumerate(bits)
        if not bit
    ]
    edge = half + TAG_QUIET_ZONE_MM
    white = ((x - edge, y - edge), (x + edge, y - edge), (x + edge, y + edge), (x - edge, y + edge))
    return [
        ColouredMesh(flat_polygon(white, height + 0.1), PAPER),
        ColouredMesh(square_tiles(black, size, height + 0.3), INK),
    ]
