"""How much filament a part takes and how long it prints, from its solid alone, or unrendered.

A slicer knows better. Against PrusaSlicer 2.5 (layers of 0.2 mm, two walls, 15 % infill) the grams
were right within a fifth and the minutes within a third; small parts of much detail take up to
twice as long.

Whoever makes a list of what to buy has no solids: `piece_g`, `grid_g` and `MAST_G` are fitted to
those of boards from 30 to 60 mm a cell, and a test compares.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.bodies.mesh import Triangles, areas_mm2, volume_mm3
from controller.bodies.sizes import width_mm
from engine.grid import SquareGrid
from vision.board import PhysicalBoard

PLA_G_PER_CM3 = 1.24
SHELL_MM = 0.9  # two walls of 0.45 mm
FILLED = 0.15
MM3_PER_S = 3.0  # layers of 0.2 mm at ordinary speeds, travel and corners included
MAST_G = 159.0  # whatever the board: only its tubes differ
GRID_G_PER_MM = 0.0252  # of wall


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of one part, or of many."""

    grams: float
    minutes: float

    def plus(self, other: Estimate, count: int = 1) -> Estimate:
        return Estimate(self.grams + other.grams * count, self.minutes + other.minutes * count)

    def __str__(self) -> str:
        return f"{self.grams:.0f} g, {self.minutes / 60:.0f} h"


def estimate(mesh: Triangles) -> Estimate:
    volume = volume_mm3(mesh)
    shell = min(volume, float(areas_mm2(mesh).sum()) * SHELL_MM)
    plastic = shell + FILLED * (volume - shell)
    return Estimate(plastic / 1000 * PLA_G_PER_CM3, plastic / MM3_PER_S / 60)


def piece_g(board: PhysicalBoard) -> float:
    """About what a body and its tray take, of whatever kind."""
    width = width_mm(board)
    body = width**1.63 * (0.00667 + 0.000531 * board.cap_height_mm)
    return float(body + 0.00268 * width**2)


def grid_g(board: PhysicalBoard) -> float:
    """About what the light grid takes; nothing where there is none."""
    if not isinstance(board.grid, SquareGrid):
        return 0.0
    columns, rows = board.grid.columns, board.grid.rows
    return GRID_G_PER_MM * board.cell_mm * (columns * (rows + 1) + rows * (columns + 1))
