"""Checks of printed parts: closed, printable, of the right size."""

from __future__ import annotations

from math import cos, pi, radians, sin
from typing import Any

import numpy as np
import shapely
import trimesh

from controller.builder.bodies.dimensions import (
    FOOT_MM,
    GRIP_MM,
    KEY_MM,
    NOSE_MM,
    PAPER_MM,
    PRINT_BED_MM,
    SEAT_GAP_MM,
    TRAY_MM,
)
from controller.builder.bodies.parts import PartGroup, PrintedPart
from controller.config.board_file import load_board
from tests.support.builder.rendered_parts import section, solid

EXACT_MM = 0.1
BRIDGE_MM = 12.0  # printers bridge this gap without support


def check_part(board_name: str, part: PrintedPart) -> None:
    closed(part)
    on_the_bed(part)
    needs_no_support(part)
    if part.group is PartGroup.PIECES:
        fits_its_cell(board_name, part)
        (tray_is_exact if part.name.startswith("tray") else body_is_exact)(board_name, part)


def closed(part: PrintedPart) -> None:
    """One watertight solid."""
    mesh = solid(part)
    assert mesh.is_watertight, part.path
    assert mesh.is_winding_consistent, part.path
    assert mesh.volume > 0, part.path
    lumps = trimesh.graph.connected_components(
        mesh.face_adjacency, nodes=np.arange(len(mesh.faces)), engine="networkx"
    )
    assert len(lumps) == 1, f"{part.path} is {len(lumps)} pieces"
    sides = np.sort(mesh.edges, axis=1)
    _, shared = np.unique(sides, axis=0, return_counts=True)
    assert (shared == 2).all(), f"{part.path}: an edge of {set(shared)} faces"


def on_the_bed(part: PrintedPart) -> None:
    mesh = solid(part)
    assert (mesh.extents <= PRINT_BED_MM).all(), f"{part.path}: {mesh.extents}"
    assert abs(mesh.bounds[0][2]) < 1e-6, f"{part.path} does not lie on the bed"


def needs_no_support(part: PrintedPart) -> None:
    """No face overhangs by more than 45 degrees, except short bridges."""
    mesh = solid(part)
    for faces, normal in zip(mesh.facets, mesh.facets_normal, strict=True):
        corners = mesh.triangles[faces].reshape(-1, 3)
        if -normal[2] <= sin(radians(47)) or corners[:, 2].max() < 0.05:
            continue
        wide = min(_sides(corners))
        assert wide <= BRIDGE_MM, f"{part.path}: {wide:.1f} mm in the air at {corners.mean(axis=0)}"


def _sides(corners: np.ndarray) -> list[float]:
    around: Any = shapely.MultiPoint(corners[:, :2]).minimum_rotated_rectangle
    if around.geom_type != "Polygon":
        return [0.0, 0.0]
    points = np.array(around.exterior.coords)
    return [float(np.linalg.norm(points[i + 1] - points[i])) for i in (0, 1)]


def fits_its_cell(board_name: str, part: PrintedPart) -> None:
    """The part leaves room for fingers in any orientation."""
    board = load_board(board_name)
    shadow: Any = shapely.MultiPoint(solid(part).vertices[:, :2]).convex_hull
    reach, sides = board.cell_mm / 2, board.grid.headings
    for i in range(sides):
        angle = pi / 2 + 2 * pi * i / sides
        way = np.array([cos(angle), sin(angle)])
        out = float((np.array(shadow.exterior.coords) @ way).max())
        limit = reach if sides == 6 or i == 0 else reach - GRIP_MM
        assert out <= limit + 1e-3, f"{part.path} reaches {out:.2f} of {reach:g} mm"


def tray_is_exact(board_name: str, part: PrintedPart) -> None:
    board, mesh = load_board(board_name), solid(part)
    assert abs(mesh.extents[2] - TRAY_MM) < EXACT_MM
    rim = section(mesh, TRAY_MM - PAPER_MM / 2)
    below = section(mesh, TRAY_MM - PAPER_MM - 0.1)
    seat = _hole(rim)
    left, low, right, _ = seat.bounds
    expected_mm = board.cap_mm + 2 * SEAT_GAP_MM
    assert abs(right - left - expected_mm) < EXACT_MM, f"the seat is {right - left:.2f} mm wide"
    assert abs(-low * 2 - expected_mm) < EXACT_MM, f"the seat ends {low:.2f} mm behind the middle"
    half = board.tag_mm / 2
    assert seat.contains(shapely.box(-half, -half, half, half)), "the tag does not fit"
    assert below.contains(seat.buffer(-0.01)), "the paper lies on nothing"


def _hole(ring: Any) -> Any:
    """The area inside the rim, in a section above the seat's floor."""
    free: Any = shapely.convex_hull(ring).difference(ring)
    (seat,) = (each for each in free.geoms if each.contains(shapely.Point(0, 0)))
    return seat


def body_is_exact(board_name: str, part: PrintedPart) -> None:
    """The paper in the tray is at the board's cap height."""
    board, mesh = load_board(board_name), solid(part)
    shoulder = board.cap_height_mm - TRAY_MM
    assert abs(mesh.extents[2] - (shoulder + KEY_MM)) < EXACT_MM
    above, below = section(mesh, shoulder + 0.1), section(mesh, shoulder - 0.1)
    assert above.area < 0.5 * below.area, "nothing but keys is above the shoulder"
    assert below.area > 3 * 30, "too little for the tray to be glued to"
    foot = section(mesh, FOOT_MM / 2)
    assert foot.contains(shapely.Point(0, foot.bounds[3] - 0.3)), "the nose is in front"
    assert abs(foot.bounds[3] + foot.bounds[1] - NOSE_MM) < EXACT_MM, "and nowhere else"
