"""Helpers for animation tests: hand-made LED layouts, turns made of beams, and recordings of
relative luminance with their flashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from controller.lighting.animation import Animation, Canvas
from controller.lighting.layout import LedLayout
from engine.beam import Beam, BeamEvent, Emitter, Reaction, trace
from engine.draw.palette import player_paints
from engine.game import AnyTurn, Loss, Piece, Turn
from engine.grid import Cell, Grid, Heading, HexGrid, SquareGrid
from vision.board import PhysicalBoard

Reals = npt.NDArray[np.float64]
Changes = list[list[tuple[float, int]]]
PAINTS = player_paints(("blue", "red"))
SQUARES, SQUARES_10, HEXAGONS = SquareGrid(10, 8), SquareGrid(10, 10), HexGrid.hexagon(5)


def laid(grid: Grid, across: int = 1, down: int = 1, spare: int = 0) -> LedLayout:
    """LEDs cell by cell in reverse order, so that LED and cell numbers differ, and spare ones."""
    each = across * down
    total = grid.size * each + spare
    cells = tuple(
        tuple(total - 1 - (cell * each + number) for number in range(each))
        for cell in range(grid.size)
    )
    return LedLayout(PhysicalBoard("by hand", grid), (across, down), (total,), cells)


ONE, NINE, HEX = laid(SQUARES), laid(SQUARES, 3, 3), laid(HEXAGONS)
BOARDS: Mapping[str, LedLayout] = {
    "one": ONE,
    "three by three": NINE,
    "two by two": laid(SQUARES, 2, 2, spare=3),
    "three by one": laid(SQUARES, 3, 1),
    "hexagons": HEX,
}


# -- turns -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FakePosition:
    grid: Grid
    pieces: Mapping[Cell, Piece] = field(default_factory=dict)


def shot(
    grid: Grid,
    emitters: Sequence[Emitter],
    pieces: Mapping[Cell, Reaction] | None = None,
    *,
    meeting: bool = True,
    reach: int | None = None,
) -> AnyTurn:
    """A turn with these beams. Every piece reacts in the same way from all sides."""

    def surface(cell: Cell, heading: Heading) -> Reaction | None:  # noqa: ARG001
        return (pieces or {}).get(cell)

    return turn_of(grid, trace(grid, emitters, surface, meeting=meeting, reach=reach))


def turn_of(grid: Grid, beams: Sequence[Beam]) -> AnyTurn:
    ends = {
        beam.end.cell: beam.end.event is BeamEvent.CAPTURE
        for beam in beams
        if beam.end.event in (BeamEvent.CAPTURE, BeamEvent.DAMAGE)
    }
    losses = tuple(
        Loss(cell, Piece("thing", 0, 0, 1 if gone else 2), 1) for cell, gone in ends.items()
    )
    at = FakePosition(grid)
    return Turn(at, (), at, tuple(beams), losses, at, None)


# -- seeing ------------------------------------------------------------------------------------


def luminance(canvas: Canvas) -> Reals:
    """Relative luminance of every LED; canvas values are sRGB."""
    seen: Reals = np.asarray(canvas, np.float64) ** 2.2 @ np.array([0.2126, 0.7152, 0.0722])
    return seen


def film(animation: Animation, rate_hz: float, length_ms: float | None = None) -> Reals:
    """The luminance of every LED over time."""
    duration_ms = length_ms if length_ms is not None else (animation.duration_ms or 8000.0)
    moments = np.arange(0.0, duration_ms + 300.0, 1000.0 / rate_hz)
    return np.stack([luminance(animation.at(ms)) for ms in moments])


def lit(canvas: Canvas, least: float = 1e-4) -> set[int]:
    return {int(led) for led in np.flatnonzero(canvas.max(axis=1) > least)}


def lit_cells(layout: LedLayout, canvas: Canvas) -> set[Cell]:
    cells = {layout.cell_of(led) for led in lit(canvas)}
    assert None not in cells, "a LED under no cell is lit"
    return {cell for cell in cells if cell is not None}


def changes(film: Reals, rate_hz: float, step: float = 0.1) -> Changes:
    """For every LED the times of luminance changes by `step`, up (1) and down (-1) in turn."""
    found: Changes = [[] for _ in range(film.shape[1])]
    lively = np.flatnonzero(np.ptp(film, axis=0) >= step)
    film = film[:, lively]
    low, high, way = film[0].copy(), film[0].copy(), np.zeros(len(lively), int)
    for number, now in enumerate(film):
        np.minimum(low, now, out=low)
        np.maximum(high, now, out=high)
        rises, falls = (way != 1) & (now - low >= step), (way != -1) & (high - now >= step)
        for turned, sign in ((rises, 1), (falls, -1)):
            if turned.any():
                for led in lively[turned]:
                    found[led].append((number / rate_hz, sign))
                way[turned] = sign
                low[turned] = high[turned] = now[turned]
    return found


def most_flashes(found: Changes) -> float:
    """The largest number of flashes of an LED in a second. A flash is a change and its opposite."""
    most = 0
    for times in found:
        for number, (start, _) in enumerate(times):
            most = max(most, sum(start <= at < start + 1.0 for at, _ in times[number:]))
    return most / 2


def shortest_period_s(found: Changes) -> float:
    """The shortest time between two rises, or two falls, of one LED."""
    shortest = float("inf")
    for times in found:
        for sign in (1, -1):
            same = [at for at, way in times if way == sign]
            shortest = min([shortest, *(b - a for a, b in pairwise(same))])
    return shortest


def peaks(signal: Reals, step: float = 0.1) -> int:
    """The number of times that a signal rises by `step` and falls again."""
    ways = [way for _, way in changes(signal[:, None], 1.0, step)[0]]
    return sum(a == 1 and b == -1 for a, b in pairwise(ways))
