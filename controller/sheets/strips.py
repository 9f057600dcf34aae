"""The LEDs of a board as they lie, from above or from below: numbers, directions, feeds.

Every LED is a circle that carries its number (`data-led`) at its place; the board is the
rectangle that carries its name (`data-board`), so a program can check the drawing too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from controller.building.hookup import Hookup
from controller.building.lines import lanes, lines
from controller.sheets.ink import (
    LANES,
    PAPER,
    PLUS,
    arrow_head,
    heading,
    lane_join,
    path,
)
from controller.sheets.letters import width
from controller.sheets.page import INK, Page, Paper, page, words
from controller.sheets.strips_edges import ends, feeds, legend
from controller.sheets.strips_view import View, board_drawn, in_columns
from engine.draw.shapes import Point, tag

SIDE_MM, TOP_MM, FOOT_MM = 36.0, 24.0, 26.0  # kept free around the board,
NUMBER = 1.55  # how wide a number may be, in radii of its LED
COLUMNS_MM = 11.0  # above and below it more, where lines end there
ABOVE = "as you lay the strips: glued face up on the base, solder pads towards you"
BELOW = "MIRRORED: the board turned over like a page. Here the feed wires come through"


def strips_page(hooked: Hookup, paper: Paper, *, below: bool) -> Page:
    across = paper.landscape()
    board = hooked.layout.board
    wide, high = board.size_mm
    room_x = across.width_mm - 2 * SIDE_MM
    ends_mm = COLUMNS_MM if in_columns(hooked) else 0.0
    room_y = across.height_mm - 2 * across.margin_mm - TOP_MM - FOOT_MM - 2 * ends_mm
    scale = min(room_x / wide, room_y / high)
    view = View(
        hooked,
        (across.width_mm - wide * scale) / 2,
        across.margin_mm + TOP_MM + ends_mm + (room_y - high * scale) / 2,
        scale,
        below,
    )
    side = "BELOW" if below else "above"
    parts = [
        heading(
            f"{board.name}: strips, seen from {side}", BELOW if below else ABOVE,
            across.margin_mm, across.margin_mm,
        ),
        *board_drawn(view),
        *_wires(view),
        *_marks(view),
        *ends(view),
        *feeds(view),
        *legend(view, across),
    ]  # fmt: skip
    return page(across, parts)


# -- strips ------------------------------------------------------------------------------------


def _wires(view: View) -> Iterator[str]:
    """The strips themselves, and what joins them."""
    every = lines(view.hooked.layout)
    for line in every:
        for a, b in pairwise(view.led(led) for led in line.leds):
            # So thin that the arrow head on it is seen.
            thick = min(1.4, max(0.3, 0.35 * _gap(a, b, view.radius)))
            yield lane_join(a, b, line.lane, thick, view.radius)
    for one, other in pairwise(every):
        chained = view.hooked.chained and one.lane != other.lane
        if one.lane != other.lane and not chained:
            continue
        a, b = view.led(one.last), view.led(other.first)
        yield lane_join(a, b, one.lane, 0.5, view.radius)
    for feed in view.hooked.power.feeds:
        yield from _cut_mark(view, feed.last)


def _cut_mark(view: View, last: int) -> Iterator[str]:
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


def _marks(view: View) -> Iterator[str]:
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
                      fill=colour if begins else LANES[line.lane].tint, stroke=colour,
                      stroke_width=min(0.5, 0.18 * radius))  # fmt: skip
            size = min(3.6, 1.02 * radius, NUMBER * radius / width(str(led), 1))
            yield words(str(led), place.x, place.y + 0.35 * size, size, anchor="middle",
                        bold=begins, fill=PAPER if begins else INK)  # fmt: skip
    yield from _unseen(view)


def _between(a: Point, b: Point, radius: float, colour: str) -> str:
    """An arrow head in the middle of two LEDs."""
    degrees = float(np.degrees(np.arctan2(b.x - a.x, a.y - b.y)))
    size = min(3.0, max(1.2, 0.9 * _gap(a, b, radius)))
    tip = Point((a.x + b.x) / 2, (a.y + b.y) / 2).towards(degrees, size / 2)
    return arrow_head(tip, degrees, size, colour)


def _gap(a: Point, b: Point, radius: float) -> float:
    """What is free between the marks of two LEDs."""
    return float(np.hypot(b.x - a.x, b.y - a.y)) - 2 * radius


def _unseen(view: View) -> Iterator[str]:
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
