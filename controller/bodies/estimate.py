"""How much filament a part takes and how long it prints, from its solid alone.

A slicer knows better. Against PrusaSlicer 2.5 (layers of 0.2 mm, two walls, 15 % infill) the grams
were right within a fifth and the minutes within a third; small parts of much detail take up to
twice as long.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.bodies.mesh import Triangles, areas_mm2, volume_mm3

PLA_G_PER_CM3 = 1.24
SHELL_MM = 0.9  # two walls of 0.45 mm
FILLED = 0.15
MM3_PER_S = 3.0  # layers of 0.2 mm at ordinary speeds, travel and corners included


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
