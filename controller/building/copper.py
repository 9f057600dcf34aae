"""Wires, fuses and supplies that can be bought, and which of them is enough.

Wires carry what a flexible cord may carry in free air, which is less than tables for single wires
promise: under a board nothing cools them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from engine.errors import LaserboardError

VOLTS = 5.0
OHM_MM2_PER_M = 0.0178  # copper at 20 degrees
LOAD = 0.8  # of what is printed on a fuse or a supply: both are warm for hours

FUSES_A = (1.0, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 15.0, 20.0, 25.0, 30.0)
SUPPLIES_A = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 60)


class TooMuch(LaserboardError, ValueError):
    """A current that nothing in the shop carries."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A size of stranded copper wire."""

    mm2: float
    awg: int  # not thinner than `mm2`
    carries_a: float

    def __str__(self) -> str:
        return f"{self.mm2:g} mm² (AWG {self.awg})"

    def drop_v(self, amps: float, length_mm: float) -> float:
        """What is lost there and back."""
        return 2 * length_mm / 1000 * amps * OHM_MM2_PER_M / self.mm2


WIRES = (
    Wire(0.5, 20, 3),
    Wire(0.75, 18, 6),
    Wire(1.0, 16, 10),
    Wire(1.5, 14, 16),
    Wire(2.5, 12, 25),
    Wire(4.0, 10, 32),
    Wire(6.0, 8, 40),
    Wire(10.0, 6, 60),
)
SIGNAL = Wire(0.25, 22, 1)  # for data, buttons and the ground beside them


def fuse_a(amps: float) -> float:
    """The next fuse that is not warm all day."""
    return _next(amps / LOAD, FUSES_A, "fuse")


def supplies(amps: float) -> tuple[int, int]:
    """How many supplies, and the amperes of each."""
    count = max(1, ceil(amps / LOAD / SUPPLIES_A[-1]))
    return count, int(_next(amps / LOAD / count, SUPPLIES_A, "supply"))


def wire(guard_a: float, amps: float, length_mm: float, part: float) -> Wire:
    """The thinnest that carries what guards it, and loses at most that part of the 5 V."""
    for each in WIRES:
        if each.carries_a >= guard_a and each.drop_v(amps, length_mm) <= part * VOLTS:
            return each
    raise TooMuch(
        f"{amps:g} A over {length_mm / 1000:g} m are too much for any wire here: bring the supply"
        " nearer, or lower leds.ma_limit"
    )


def _next(least: float, sizes: Sequence[float], what: str) -> float:
    for size in sizes:
        if size >= least - 1e-9:
            return size
    raise TooMuch(f"no {what} for {least:g} A: the largest has {sizes[-1]:g} A")
