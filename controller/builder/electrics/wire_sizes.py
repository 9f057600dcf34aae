"""Chooses wires, fuses and power supplies from the sizes that shops sell.

`carries_a` is the rating of flexible cords, lower than that of single wires: wires under a board
are not cooled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from controller.builder import paper_sentences as sentences
from engine.errors import LaserboardError
from engine.sentences import Template

VOLTS = 5.0
OHM_MM2_PER_M = 0.0178  # copper at 20 degrees Celsius
MAX_LOAD_SHARE = 0.8  # of the rating of a fuse or supply, for hours of operation

FUSES_A = (1.0, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 15.0, 20.0, 25.0, 30.0)
SUPPLIES_A = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 60)


class CurrentTooHigh(LaserboardError, ValueError):
    """No wire, fuse or supply is large enough."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A size of stranded copper wire."""

    mm2: float
    awg: int  # at least as thick as `mm2`
    carries_a: float

    def __str__(self) -> str:
        return f"{self.mm2:g} mm² (AWG {self.awg})"

    def drop_v(self, amps: float, length_mm: float) -> float:
        """Voltage drop over both conductors."""
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
SIGNAL_WIRE = Wire(0.25, 22, 1)  # for data, buttons and their ground


def choose_fuse_a(amps: float) -> float:
    """The smallest fuse that `amps` load to 80 % at most."""
    return _next_size(amps / MAX_LOAD_SHARE, FUSES_A, sentences.NO_FUSE_CARRIES)


def choose_supplies(amps: float) -> tuple[int, int]:
    """The number of supplies, and the amperes of each."""
    count = max(1, ceil(amps / MAX_LOAD_SHARE / SUPPLIES_A[-1]))
    each_a = amps / MAX_LOAD_SHARE / count
    return count, int(_next_size(each_a, SUPPLIES_A, sentences.NO_SUPPLY_GIVES))


def choose_wire(protection_a: float, amps: float, length_mm: float, max_drop_share: float) -> Wire:
    """The thinnest wire that carries its fuse's current and drops at most this share of 5 V."""
    for each in WIRES:
        if (
            each.carries_a >= protection_a
            and each.drop_v(amps, length_mm) <= max_drop_share * VOLTS
        ):
            return each
    raise CurrentTooHigh(sentences.NO_WIRE_CARRIES(amps=amps, metres=length_mm / 1000))


def _next_size(minimum_a: float, sizes: Sequence[float], too_high: Template) -> float:
    for size in sizes:
        if size >= minimum_a - 1e-9:
            return size
    raise CurrentTooHigh(too_high(amps=minimum_a, largest_a=sizes[-1]))
