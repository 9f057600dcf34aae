"""The LEDs of a board as they lie, from above or from below: numbers, directions, feeds.

Every LED is a circle that carries its number (`data-led`) at its place; the board is the
rectangle that carries its name (`data-board`), so a program can check the drawing too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from controller.building.hookup import Hookup
from controller.building.lines import Line, lanes, lines
from controller.sheets.ink import (
    EDGE,
    LANES,
    PAPER,
    PLUS,
    SHADE,
    arrow_head,
    badge,
    box,
    heading,
    lane_path,
    path,
)
from controller.sheets.page import FAINT, INK, Page, Paper, page, words
from engine.draw.shapes import CELL, Point, corners, number, polygon, tag
from engine.grid import SquareGrid

SIDE_MM, TOP_MM, FOOT_MM = 36.0, 24.0, 26.0  # kept free around the board
ABOVE = "as you lay the strips: glued face up on the base, solder pads towards you"
BELOW = "MIRRORED: the board turned over like a page. Here the feed wires come through"


@dataclass(frozen=True)
class _View:
    """From millimetres of the board to millimetres of the page."""

    hooked: Hookup
    left: float
    top: float
    scale: float
    below: bool

    @property
    def width(self) -> float:
        return self.hooked.layout.board.size_mm[0] * self.scale

    @property
    def height(self) -> float:
        return self.hooked.layout.board.size_mm[1] * self.scale

    def at(self, x_mm: float, y_mm: float) -> Point:
        x = x_mm * self.scale
        return Point(
            self.left + (self.width - x if self.below else x), self.top + y_mm * self.scale
        )

    def led(self, led: int) -> Point:
        x, y = self.hooked.layout.places_mm()[led]
        return self.at(float(x), float(y))

    @property
    def radius(self) -> float:
        """Of an LED's mark: a third of the way to the next one, and not huge."""
        board, (across, down) = self.hooked.layout.board, self.hooked.layout.per_cell
        most = 3.6 if board.grid.headings == 4 else 3.3
        return min(most, 0.36 * board.cell_mm * self.scale / max(across, down))


def strips_page(hooked: Hookup, paper: Paper, *, below: bool) -> Page:
    across = paper.landscape()
    board = hooked.layout.board
    width, height = board.size_mm
    room_x = across.width_mm - 2 * SIDE_MM
    room_y = across.height_mm - 2 * across.margin_mm - TOP_MM - FOOT_MM
    scale = min(room_x / width, room_y / height)
    view = _View(
        hooked,
        (across.width_mm - width * scale) / 2,
        across.margin_mm + TOP_MM + (room_y - height * scale) / 2,
        scale,
        below,
    )
    side = "BELOW" if below else "above"
    parts = [
        heading(
            f"{board.name}: strips, seen from {side}", BELOW if below else ABOVE,
            across.margin_mm, across.margin_mm,
        ),
        *_board(view),
        *_wires(view),
        *_marks(view),
        *_ends(view),
        *_feeds(view),
        *_legend(view, across),
    ]  # fmt: skip
    return page(across, parts)


# -- the board ---------------------------------------------------------------------------------


def _board(view: _View) -> Iterator[str]:
    board = view.hooked.layout.board
    grid, scale = board.grid, board.cell_mm * view.scale / CELL
    square = isinstance(grid, SquareGrid)
    outline = [Point(x * scale, y * scale) for x, y in corners(grid)]
    named = view.hooked.layout.per_cell == (1, 1)
    for cell in range(grid.size):
        x, y = view.at(*board.centre_mm(cell))
        dark = isinstance(grid, SquareGrid) and sum(grid.xy(cell)) % 2 == 1
        yield polygon(
            [Point(x + dx, y + dy) for dx, dy in outline],
            fill=SHADE if dark else PAPER, stroke=EDGE, stroke_width=0.25,
        )  # fmt: skip
        if named:
            left, top = (min(corner[n] for corner in outline) for n in (0, 1))
            place = Point(x + left + 1, y + top + 2.9) if square else Point(x, y + top + 3.9)
            yield words(
                grid.name(cell), *place, 2.6 if square else 2.2,
                anchor="start" if square else "middle", fill="#6f6f6f",
            )  # fmt: skip
    yield tag(
        "rect", data_board=board.name, x=view.left, y=view.top, width=view.width,
        height=view.height, fill="none", stroke=INK if square else EDGE,
        stroke_width=0.5 if square else 0.15,
    )  # fmt: skip
    if isinstance(grid, SquareGrid):
        yield from _coordinates(view, grid)
    middle = view.left + view.width / 2
    yield words("far side", middle, view.top - 6.2, 2.8, anchor="middle", fill=FAINT)
    yield words("near side", middle, view.top + view.height + 8, 2.8, anchor="middle", fill=FAINT)


def _coordinates(view: _View, grid: SquareGrid) -> Iterator[str]:
    board = view.hooked.layout.board
    rows = any(line.axis == "rows" for line in lines(view.hooked.layout))
    for x in range(grid.columns):
        place = view.at((x + 0.5) * board.cell_mm, 0)
        name = grid.name(grid.at(x, 0))[0]
        for y in (view.top - 2, view.top + view.height + 4):
            yield words(name, place.x, y, 3.4, anchor="middle", bold=True)
    for y in range(grid.rows):
        place = view.at(0, (y + 0.5) * board.cell_mm)
        out = 15.5 if rows else 4
        for x_page in (view.left - out, view.left + view.width + out):
            yield words(str(grid.rows - y), x_page, place.y + 1.2, 3.4, anchor="middle", bold=True)


# -- strips ------------------------------------------------------------------------------------


def _wires(view: _View) -> Iterator[str]:
    """The strips themselves, and what joins them."""
    every = lines(view.hooked.layout)
    thick = min(1.4, 0.5 * view.radius)
    for line in every:
        yield lane_path([view.led(led) for led in line.leds], line.lane, thick)
    for one, other in pairwise(every):
        chained = view.hooked.chained and one.lane != other.lane
        if one.lane != other.lane and not chained:
            continue
        a, b = view.led(one.last), view.led(other.first)
        yield lane_path([a, b], one.lane, 0.4)
    for feed in view.hooked.power.feeds:
        yield from _cut_mark(view, feed.last)


def _cut_mark(view: _View, last: int) -> Iterator[str]:
    """Two strokes across the join behind an LED: no 5 V from here to the next."""
    places = view.hooked.layout.places_mm()
    before = [led for led in range(last + 1) if not np.isnan(places[led, 0])]
    after = [led for led in range(last + 1, len(places)) if not np.isnan(places[led, 0])]
    starts = [leds.start for leds in lanes(view.hooked.layout)]
    if not before or not after or last + 1 in starts:
        return
    a, b = view.led(before[-1]), view.led(after[0])
    x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
    upright = abs(a.y - b.y) > abs(a.x - b.x)
    for shift in (-0.6, 0.6):
        if upright:
            ends = [Point(x - 2, y + shift + 0.6), Point(x + 2, y + shift - 0.6)]
        else:
            ends = [Point(x + shift - 0.6, y + 2), Point(x + shift + 0.6, y - 2)]
        yield path(ends, PLUS, 0.6)


def _marks(view: _View) -> Iterator[str]:
    """Every LED with its number, the first of a line filled; arrows between them."""
    radius = view.radius
    feeding = {feed.at for feed in view.hooked.power.feeds}
    for line in lines(view.hooked.layout):
        colour = LANES[line.lane].colour
        places = [view.led(led) for led in line.leds]
        stride = max(1, round(len(places) / 10))
        for index, (a, b) in enumerate(pairwise(places)):
            if index % stride == 0:
                yield _between(a, b, radius, colour)
        for led, place in zip(line.leds, places, strict=True):
            if led in feeding:
                side = 2 * radius + 1.4
                yield tag("rect", x=place.x - side / 2, y=place.y - side / 2, width=side,
                          height=side, fill=PAPER, stroke=PLUS, stroke_width=0.7)  # fmt: skip
            begins = led == line.first
            yield tag("circle", data_led=str(led), data_lane=str(line.lane), cx=place.x,
                      cy=place.y, r=radius,
                      fill=colour if begins else PAPER, stroke=colour, stroke_width=0.5,
                      **_dashes(line.lane, radius))  # fmt: skip
            size = min(3.6, 1.02 * radius) if led < 1000 else 0.8 * radius
            yield words(str(led), place.x, place.y + 0.35 * size, size, anchor="middle",
                        bold=begins, fill=PAPER if begins else INK)  # fmt: skip
    yield from _unseen(view)


def _dashes(lane: int, radius: float) -> dict[str, str]:
    """The lane's dashes around an LED: they are seen where the strip between two is short."""
    lengths = [float(length) for length in LANES[lane].dashes.split()]
    shorter = " ".join(number(radius / 6 * length) for length in lengths)
    return {"stroke_dasharray": shorter} if lengths else {}


def _between(a: Point, b: Point, radius: float, colour: str) -> str:
    """An arrow head in the middle of two LEDs."""
    degrees = float(np.degrees(np.arctan2(b.x - a.x, a.y - b.y)))
    gap = float(np.hypot(b.x - a.x, b.y - a.y)) - 2 * radius
    size = min(3.0, max(1.2, 0.9 * gap))
    tip = Point((a.x + b.x) / 2, (a.y + b.y) / 2).towards(degrees, size / 2)
    return arrow_head(tip, degrees, size, colour)


def _unseen(view: _View) -> Iterator[str]:
    """Small open circles for LEDs under no cell, where they lie between two others of a lane."""
    places = view.hooked.layout.places_mm()
    for lane, leds in enumerate(lanes(view.hooked.layout)):
        seen = [led for led in leds if not np.isnan(places[led, 0])]
        for a, b in pairwise(seen):
            for led in range(a + 1, b):
                part = (led - a) / (b - a)
                x, y = places[a] + part * (places[b] - places[a])
                place = view.at(float(x), float(y))
                yield tag("circle", data_unseen=str(led), cx=place.x, cy=place.y,
                          r=0.28 * view.radius, fill=PAPER, stroke=LANES[lane].colour,
                          stroke_width=0.25)  # fmt: skip


# -- at the edges ------------------------------------------------------------------------------


def _outer(view: _View, line: Line, led: int) -> Point | None:
    """The way out of the board from a line's end, or None where others lie beyond it."""
    places = view.hooked.layout.places_mm()
    along, across = (0, 1) if line.axis == "rows" else (1, 0)
    here = places[led]
    with np.errstate(invalid="ignore"):
        same = places[np.abs(places[:, across] - here[across]) < 1e-6]
    if here[along] <= same[:, along].min() + 1e-6:
        way = -1
    elif here[along] >= same[:, along].max() - 1e-6:
        way = 1
    else:
        return None
    if line.axis == "rows":
        return Point(-way if view.below else way, 0)
    return Point(0, way)


def _beyond(view: _View, led: int, way: Point, out: float) -> Point:
    """A point so far outside the LED's cell."""
    board, (across, down) = view.hooked.layout.board, view.hooked.layout.per_cell
    half = board.cell_mm * view.scale / 2 / (across if way.x else down)
    place = view.led(led)
    return Point(place.x + way.x * (half + out), place.y + way.y * (half + out))


def _ends(view: _View) -> Iterator[str]:
    """The numbers of the first and the last LED of each line, with the direction."""
    for line in lines(view.hooked.layout):
        colour = LANES[line.lane].colour
        for led, begins in ((line.first, True), (line.last, False)):
            if len(line.leds) == 1 and not begins:
                continue
            way = _outer(view, line, led)
            if way is None:
                continue
            size = min(3.6, max(2.4, 0.5 * view.hooked.layout.board.cell_mm * view.scale))
            turn = -1 if begins else 1
            degrees = float(np.degrees(np.arctan2(way.x * turn, -way.y * turn)))
            near = _beyond(view, led, way, 1.0 if begins else 3.6)
            yield arrow_head(near, degrees, 2.6, colour)
            if way.x:
                place = _beyond(view, led, way, 4.4)
                anchor = "end" if way.x < 0 else "start"
                yield words(
                    str(led), place.x, place.y + 0.36 * size, size, bold=True, anchor=anchor
                )
            else:
                place = _beyond(view, led, way, 8.6 if way.y < 0 else 9.4)
                yield words(str(led), place.x, place.y + 1, min(size, 2.8), bold=True,
                            anchor="middle")  # fmt: skip


def _feeds(view: _View) -> Iterator[str]:
    """Where the data and the power come in."""
    every = lines(view.hooked.layout)
    taken: dict[int, int] = {}
    marks = [(line.led, f"{line.name} in", LANES[line.lane].colour, 16.0)
             for line in view.hooked.data]  # fmt: skip
    marks += [(feed.at, feed.name, PLUS, 8.0) for feed in view.hooked.power.feeds]
    for led, text, colour, width in marks:
        line = next((each for each in every if led in each.leds), None)
        if line is None:
            continue
        way = _outer(view, line, led) if led in (line.first, line.last) else None
        level = taken.get(led, 0)
        taken[led] = level + 1
        if way is None:
            place = view.led(led)
            place = Point(place.x, place.y - view.radius - 2.6 - 4.8 * level)
        elif way.x:
            place = _beyond(view, led, way, 19.5 + width / 2)
            place = Point(place.x, place.y + 4.9 * level)
        else:
            place = _beyond(view, led, way, 13.5 + 4.8 * level)
        yield badge(text, place.x, place.y, colour, width)


def _legend(view: _View, paper: Paper) -> Iterator[str]:
    x, y = paper.margin_mm, paper.height_mm - paper.margin_mm - 12
    yield path([Point(x, y - 4), Point(paper.width_mm - x, y - 4)], EDGE, 0.2)
    layout = view.hooked.layout
    for lane, leds in enumerate(lanes(layout)):
        yield lane_path([Point(x, y), Point(x + 14, y)], lane, 1.0)
        text = f"lane {lane} ({LANES[lane].words}): LEDs {leds.start} to {leds.stop - 1}"
        yield words(text, x + 16, y + 1, 3)
        x += 70
    x, y = paper.margin_mm, y + 6
    colour = LANES[0].colour
    yield tag("circle", cx=x + 2, cy=y, r=1.8, fill=colour)
    yield words("a line begins", x + 5, y + 1, 3)
    yield box(x + 32, y - 2, 4, 4, fill=PAPER, stroke=PLUS, radius=0, line=0.7)
    yield words("5 V and ground come in here, through the fuse of that name", x + 38, y + 1, 3)
    x += 126
    if len(view.hooked.power.feeds) > len(layout.lanes):
        for shift in (0, 1.5):
            yield path([Point(x + shift, y + 1.4), Point(x + shift + 2, y - 1.4)], PLUS, 0.6)
        yield words("join ground and data here, not 5 V", x + 6, y + 1, 3)
        x += 62
    unseen = layout.leds - sum(len(line.leds) for line in lines(layout))
    if unseen:
        yield tag("circle", cx=x, cy=y, r=0.9, fill=PAPER, stroke=colour, stroke_width=0.3)
        yield words(f"under no cell: {unseen} in all", x + 3, y + 1, 3)
    yield words(f"1 : {1 / view.scale:.2f}", paper.width_mm - paper.margin_mm, y + 1, 3,
                anchor="end", fill=FAINT)  # fmt: skip
