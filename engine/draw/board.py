"""Draws the board under the pieces: cells with their marks, coordinates, and the last move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.draw import palette
from engine.draw.palette import Paint
from engine.draw.shapes import (
    CELL,
    ORIGIN,
    Point,
    cell_centre,
    cell_corners,
    circle,
    element,
    point_towards,
    points_attribute,
    polygon,
    star,
    text_element,
    translate,
)
from engine.game import Mark
from engine.grid import Cell, Grid

Decoration = Callable[[Cell, Sequence[Paint]], str]  # drawn around (0, 0)
LABEL = 24.0  # from the edge of the board to the middle of a coordinate
BELOW, BELOW_SIZE = 45.0, 13.0  # a name on a hexagon, outside the ring around a piece


def tiles(
    grid: Grid,
    marks: Mapping[Cell, Mark],
    sides: Sequence[Paint],
    cells: Iterable[Cell] | None = None,
) -> Iterable[str]:
    """The ground of these cells, by default of all."""
    outline = points_attribute(cell_corners(grid, 3))
    for cell in range(grid.size) if cells is None else cells:
        mark = marks.get(cell)
        fill = _fill(grid, cell, mark)
        shape = element("polygon", points=outline, fill=fill, stroke=fill, stroke_width=4,
                    stroke_linejoin="round")  # fmt: skip
        decoration = _DECORATIONS[mark](cell, sides) if mark else ""
        yield element("g", shape, decoration, class_="cell", data_cell=grid.name(cell),
                  transform=translate(cell_centre(grid, cell)))  # fmt: skip


def _fill(grid: Grid, cell: Cell, mark: Mark | None) -> str:
    if mark in _GROUND:
        return _GROUND[mark]
    if grid.headings != 4:
        return palette.TILES[0]
    x, y = grid.centre(cell)
    return palette.TILES[(int(x) + int(y)) % 2]


_GROUND: Mapping[Mark | None, str] = {
    Mark.LAND: palette.LAND,
    Mark.VOID: palette.VOID,
    Mark.MOUNTAIN: palette.ROCK,
}


def _reserved(owner: int) -> Decoration:
    """A ring in the owner's colour: solid for the first player, dashed for the second."""

    def draw(_: Cell, sides: Sequence[Paint]) -> str:
        colour = sides[owner].body
        dashes = "10.6 8.5" if owner else "none"
        return circle(ORIGIN, 27, fill=colour, fill_opacity=0.16, stroke=colour, stroke_width=4,
                      stroke_opacity=0.75, stroke_dasharray=dashes)  # fmt: skip

    return draw


def _laser_home(owner: int) -> Decoration:
    """Brackets in the corners of a laser's square."""

    def draw(_: Cell, sides: Sequence[Paint]) -> str:
        brackets = "".join(
            f"M{43 * sx} {24 * sy}V{43 * sy}H{24 * sx}" for sx in (-1, 1) for sy in (-1, 1)
        )
        colour = sides[owner].body
        tint = element("rect", x=-47, y=-47, width=94, height=94, rx=4, fill=colour,
                   fill_opacity=0.2)  # fmt: skip
        return tint + element("path", d=brackets, fill="none", stroke=colour, stroke_width=4,
                          stroke_linecap="round", stroke_linejoin="round")  # fmt: skip

    return draw


def _land(cell: Cell, _: Sequence[Paint]) -> str:
    """A few tufts of grass, different on every tile."""
    tufts = "".join(f"M{x - 5:.0f} {y:.0f}l3 -6 2 6 3 -8 2 8" for x, y in _scatter(cell, 3, 38))
    return element("path", d=tufts, fill="none", stroke="#4f7f6d", stroke_width=1.6,
               stroke_linejoin="round", stroke_opacity=0.7)  # fmt: skip


def _void(cell: Cell, _: Sequence[Paint]) -> str:
    """A hole with stars in it."""
    hole = "".join(
        circle(ORIGIN, radius, fill=fill) for radius, fill in ((40, "#0b0a1c"), (27, "#110e2b"))
    )
    stars = "".join(
        star(spot, 4, 5 - i % 3, 1.1, fill=palette.PAPER, fill_opacity=0.9 - 0.08 * i)
        for i, spot in enumerate(_scatter(cell, 7, 33))
    )
    return hole + stars


def _mountain(_: Cell, __: Sequence[Paint]) -> str:
    ridges = ((-13, 8, 22, 0.75, "#6d6a72"), (10, 14, 32, 1.0, "#8d8a92"))
    drawn = ""
    for x, y, half, height, fill in ridges:
        foot, top = y + 12, y - 46 * height
        peak = Point(x, top)
        left, right = Point(x - half, foot), Point(x + half, foot)
        drawn += polygon((left, peak, right), fill=fill, stroke=palette.SHADE, stroke_width=2,
                         stroke_linejoin="round")  # fmt: skip
        drawn += polygon((peak, right, Point(x + 2, foot)), fill=palette.SHADE,
                         fill_opacity=0.28)  # fmt: skip
        snow = (
            peak,
            _interpolate(peak, right, 0.34),
            Point(x + 3, top + 15 * height),
            Point(x - 2, top + 21 * height),
            _interpolate(peak, left, 0.34),
        )
        drawn += polygon(snow, fill=palette.SILVER)
    return drawn


def _interpolate(a: Point, b: Point, part: float) -> Point:
    return Point(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)


def _scatter(cell: Cell, count: int, reach: float) -> Iterable[Point]:
    """Spots that look random and are the same in every picture.

    They lie at golden angles around the middle, turned by the number of the cell.
    """
    for i in range(count):
        distance = reach * ((i + 0.6) / count) ** 0.5
        yield ORIGIN.towards(137.508 * i + 67.3 * cell, distance)


_DECORATIONS: Mapping[Mark, Decoration] = {
    Mark.FIRST_ONLY: _reserved(0),
    Mark.SECOND_ONLY: _reserved(1),
    Mark.FIRST_LASER: _laser_home(0),
    Mark.SECOND_LASER: _laser_home(1),
    Mark.LAND: _land,
    Mark.VOID: _void,
    Mark.MOUNTAIN: _mountain,
}


def highlights(grid: Grid, cells: Iterable[Cell]) -> Iterable[str]:
    """The cells of the last move."""
    outline, colour = points_attribute(cell_corners(grid, 4)), palette.LAST_MOVE
    for cell in sorted(set(cells)):
        yield element(
            "polygon",
            points=outline,
            class_="last",
            data_cell=grid.name(cell),
            fill=colour,
            fill_opacity=0.13,
            stroke=colour,
            stroke_width=3,
            stroke_linejoin="round",
            stroke_opacity=0.85,
            transform=translate(cell_centre(grid, cell)),
        )


def coordinates(grid: Grid, size: float = 20) -> Iterable[str]:
    """Coordinates on the rim of a board of squares, on the tiles of any other board."""
    for cell in range(grid.size):
        if grid.headings != 4:
            x, y = cell_centre(grid, cell)
            yield text_element(
                grid.name(cell), Point(x, y + BELOW), BELOW_SIZE, palette.INK, class_="name"
            )
            continue
        name = grid.name(cell)
        for heading in range(4):
            if grid.ahead(cell, heading) is None:
                label = name[1:] if heading % 2 else name[0]
                at = point_towards(grid, cell, heading, 0.5 + LABEL / CELL)
                yield text_element(label, at, size, palette.INK, class_="name")
