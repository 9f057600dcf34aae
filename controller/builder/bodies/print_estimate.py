"""Estimates filament and print time of a part, from its mesh or from the board's sizes alone.

Compared with PrusaSlicer 2.5 (0.2 mm layers, two walls, 15 % infill) grams are within 20 % and
minutes within a third; small detailed parts can take twice as long. The bill of materials has no
meshes: it uses `piece_g`, `grid_g` and `MAST_G`, fitted to cells of 30 to 60 mm.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.builder.bodies.dimensions import body_width_mm
from controller.builder.bodies.mesh import Triangles, areas_mm2, volume_mm3
from engine.grid import SquareGrid
from vision.board import PhysicalBoard

PLA_G_PER_CM3 = 1.24
SHELL_MM = 0.9  # two walls of 0.45 mm
INFILL_SHARE = 0.15
PRINT_MM3_PER_S = 3.0  # 0.2 mm layers at ordinary speed, with travel
MAST_G = 159.0  # the same for all boards: only the tubes differ
GRID_G_PER_MM = 0.0252  # per mm of wall


@dataclass(frozen=True, slots=True)
class PrintEstimate:
    """Filament and time of one part or of several."""

    grams: float
    minutes: float

    def plus(self, other: PrintEstimate, count: int = 1) -> PrintEstimate:
        return PrintEstimate(self.grams + other.grams * count, self.minutes + other.minutes * count)

    def __str__(self) -> str:
        return f"{self.grams:.0f} g, {self.minutes / 60:.0f} h"


def estimate_print(mesh: Triangles) -> PrintEstimate:
    volume = volume_mm3(mesh)
    shell = min(volume, float(areas_mm2(mesh).sum()) * SHELL_MM)
    plastic = shell + INFILL_SHARE * (volume - shell)
    return PrintEstimate(plastic / 1000 * PLA_G_PER_CM3, plastic / PRINT_MM3_PER_S / 60)


def piece_g(board: PhysicalBoard) -> float:
    """Approximate grams of a body with its tray, of any kind."""
    width = body_width_mm(board)
    body = width**1.63 * (0.00667 + 0.000531 * board.cap_height_mm)
    return float(body + 0.00268 * width**2)


def grid_g(board: PhysicalBoard) -> float:
    """Approximate grams of the light grid; 0 for hexagons, which have none."""
    if not isinstance(board.grid, SquareGrid):
        return 0.0
    columns, rows = board.grid.columns, board.grid.rows
    return GRID_G_PER_MM * board.cell_mm * (columns * (rows + 1) + rows * (columns + 1))
