"""Draws beams as lines through the middles of cells, bent at mirrors, with a mark at their ends.

Beams on a shared line are drawn side by side, each shifted to its own right, so that all are
visible even if they run against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot

from engine.beam import Beam, BeamEvent, Step
from engine.draw import palette
from engine.draw.palette import Paint
from engine.draw.shapes import (
    Point,
    cell_centre,
    circle,
    element,
    point_towards,
    points_attribute,
    polygon,
    star,
)
from engine.grid import Cell, Grid, Heading, opposite

LANE = 5.0  # shift of a beam that shares its line
FACE = 0.3  # a stopped beam ends on the face of the piece, this far before the middle
_STOPPED = (BeamEvent.ABSORB, BeamEvent.DAMAGE)
_GLOW = ((26, 0.1), (16, 0.16))
_TAIL = 5  # parts of a fading end


def route(grid: Grid, beam: Beam) -> list[Point]:
    """The points of a beam, one per step."""
    return [_step_point(grid, step) for step in beam.steps]


def _step_point(grid: Grid, step: Step) -> Point:
    if step.on_edge and step.left is not None:
        return point_towards(grid, step.cell, step.left)
    if step.event in _STOPPED and step.entered is not None:
        return point_towards(grid, step.cell, step.entered, -FACE)
    return cell_centre(grid, step.cell)


def routes(grid: Grid, beams: Sequence[Beam], apart: float = LANE) -> list[list[Point]]:
    """The points of all beams, with beams on a shared line moved apart."""
    taken = [_crossed_edges(beam) for beam in beams]
    either_way = [ways | {_reverse(grid, way) for way in ways} for ways in taken]
    moved = []
    for i, beam in enumerate(beams):
        lane = 0
        if any(taken[i] & either_way[j] for j in range(len(beams)) if j != i):
            lane = 1 + sum(bool(taken[i] & taken[j]) for j in range(i))
        moved.append(_shift_right(route(grid, beam), lane * apart))
    return moved


def _crossed_edges(beam: Beam) -> set[tuple[Cell, Heading]]:
    """All edges between cells that the beam crosses, as (cell, heading)."""
    return {
        (step.cell, step.left)
        for step, after in pairwise(beam.steps)
        if step.left is not None and not after.on_edge
    }


def _reverse(grid: Grid, way: tuple[Cell, Heading]) -> tuple[Cell, Heading]:
    ahead = grid.ahead(*way)
    return way if ahead is None else (ahead, opposite(grid, way[1]))


def _shift_right(line: list[Point], distance: float) -> list[Point]:
    """The same line, shifted to its own right."""
    ways = [_direction(a, b) for a, b in pairwise(line)]
    if not distance or not ways:
        return line
    moved = []
    for at, before, after in zip(line, [ways[0], *ways], [*ways, ways[-1]], strict=True):
        # The sum of both right-hand normals (-y, x), scaled so that both legs keep the distance.
        stretch = distance / (1 + before.x * after.x + before.y * after.y)
        moved.append(
            Point(at.x - stretch * (before.y + after.y), at.y + stretch * (before.x + after.x))
        )
    return moved


def _direction(a: Point, b: Point) -> Point:
    length = hypot(b.x - a.x, b.y - a.y) or 1.0
    return Point((b.x - a.x) / length, (b.y - a.y) / length)


# -- drawing -----------------------------------------------------------------------------------


def glow(line: list[Point], paint: Paint) -> str:
    """The glow of a beam on the board, drawn under the pieces."""
    if len(line) < 2:
        return circle(line[0], 24, fill=paint.beam, fill_opacity=0.25)
    return "".join(_stroke(line, paint.beam, width, opacity) for width, opacity in _GLOW)


def beam_line(grid: Grid, beam: Beam, line: list[Point], paint: Paint, owner: str) -> str:
    """The beam itself and its end, drawn over the pieces."""
    parts = [
        _stroke(line, paint.beam, 9, 0.3),
        _stroke(line, paint.beam, 5, 1, class_="ray"),
        _stroke(line, palette.SILVER, 1.8, 0.95),
    ]
    parts += [
        circle(at, 7, fill=paint.beam, fill_opacity=0.45) + circle(at, 3.6, fill=palette.SILVER)
        for step, at in zip(beam.steps, line, strict=True)
        if step.event is BeamEvent.TURN
    ]
    parts.append(_ending(grid, beam, line, paint))
    return element("g", *parts, class_="beam", data_owner=owner)


def _stroke(
    line: list[Point], colour: str, width: float, opacity: float, **attributes: str | float
) -> str:
    return element(
        "polyline",
        points=points_attribute(line),
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_opacity=opacity,
        stroke_linejoin="round",
        stroke_linecap="round",
        **attributes,
    )


def _ending(grid: Grid, beam: Beam, line: list[Point], paint: Paint) -> str:
    end, at = beam.end, line[-1]
    if end.event is BeamEvent.LEAVE and end.left is not None:
        return _arrow(at, grid.degrees(end.left), paint)
    if end.event is BeamEvent.FADE and end.left is not None:
        return _tail(at, grid.degrees(end.left), paint)
    if end.event is BeamEvent.ANNIHILATE:
        return spark(at)
    if end.event is BeamEvent.DAMAGE:
        return flash(at, palette.FIRE[1])
    if end.event is BeamEvent.ABSORB:
        return flash(at, paint.beam)
    return ""


def _tail(at: Point, degrees: float, paint: Paint) -> str:
    """The fading end of a beam at its range."""
    step = 5.0
    fading = (
        _stroke(
            [at.towards(degrees, i * step), at.towards(degrees, (i + 1) * step)],
            paint.beam,
            5 - 0.4 * i,
            0.9 - i * 0.8 / _TAIL,
        )
        for i in range(_TAIL)
    )
    return element("g", *fading, class_="fade")


def _arrow(at: Point, degrees: float, paint: Paint) -> str:
    """An arrow over the edge of the board, short enough to keep the coordinates readable."""
    tip = at.towards(degrees, 15)
    head = (
        tip,
        tip.towards(degrees + 148, 18),
        tip.towards(degrees + 180, 11),
        tip.towards(degrees - 148, 18),
    )
    return element("g", polygon(head, fill=paint.beam), class_="leave")


def flash(at: Point, colour: str) -> str:
    """A small star on the face where a beam is stopped."""
    return element("g", circle(at, 15, fill=colour, fill_opacity=0.3),
               star(at, 6, 15, 5, fill=colour), circle(at, 4.5, fill=palette.SILVER),
               class_="flash")  # fmt: skip


def spark(at: Point) -> str:
    """A spark where beams annihilate each other."""
    return element("g", circle(at, 17, fill=palette.PAPER, fill_opacity=0.2),
               star(at, 4, 24, 4, fill=palette.SILVER),
               circle(at, 12, fill="none", stroke=palette.SILVER, stroke_width=1.5),
               class_="spark")  # fmt: skip


def burst(at: Point) -> str:
    """A burst on a destroyed piece."""
    outer, inner, white = palette.FIRE
    return element("g", circle(at, 44, fill=outer, fill_opacity=0.2),
               star(at, 7, 44, 14, fill=outer), star(at, 12, 33, 20, fill=outer),
               star(at, 10, 27, 13, fill=inner), star(at, 8, 16, 8, fill=white),
               class_="burst")  # fmt: skip


def capture_cells(beams: Iterable[Beam]) -> set[Cell]:
    """The cells where beams capture pieces."""
    return {beam.end.cell for beam in beams if beam.end.event is BeamEvent.CAPTURE}
