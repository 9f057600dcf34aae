"""The page of LED strips, from above or from below: LED numbers, data direction, feeds.

For tests and other programs, an LED is a circle with its number in `data-led`, and the board is a
rectangle with its name in `data-board`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.connections import BoardWiring
from controller.builder.electrics.led_runs import lane_ranges, led_runs
from controller.builder.printables.led_strip_edges import draw_feeds, draw_legend, draw_run_ends
from controller.builder.printables.led_strip_view import LedStripView, draw_board, has_column_strips
from controller.builder.printables.symbols import (
    LANE_STYLES,
    PAPER,
    PLUS,
    arrow_head,
    lane_join,
    page_heading,
    path,
)
from engine.draw.font_metrics import text_width
from engine.draw.page import INK, Page, Paper, make_page, text_line
from engine.draw.shapes import Point, element

SIDE_MM, TOP_MM, FOOT_MM = 36.0, 24.0, 26.0  # free space around the board
COLUMN_ENDS_MM = 11.0  # more space above and below if strips run along columns
NUMBER_WIDTH_RADII = 1.55  # maximum width of a number, in radii of its LED


def led_strips_page(wiring: BoardWiring, paper: Paper, *, below: bool) -> Page:
    across = paper.landscape()
    board = wiring.layout.board
    wide, high = board.size_mm
    room_x = across.width_mm - 2 * SIDE_MM
    ends_mm = COLUMN_ENDS_MM if has_column_strips(wiring) else 0.0
    room_y = across.height_mm - 2 * across.margin_mm - TOP_MM - FOOT_MM - 2 * ends_mm
    scale = min(room_x / wide, room_y / high)
    view = LedStripView(
        wiring,
        (across.width_mm - wide * scale) / 2,
        across.margin_mm + TOP_MM + ends_mm + (room_y - high * scale) / 2,
        scale,
        below,
    )
    title = sentences.STRIPS_BELOW_TITLE if below else sentences.STRIPS_ABOVE_TITLE
    note = sentences.STRIPS_FROM_BELOW() if below else sentences.STRIPS_FROM_ABOVE()
    parts = [
        page_heading(
            str(title(board=board.name)), str(note), across.margin_mm, across.margin_mm
        ),
        *draw_board(view),
        *_draw_strips(view),
        *_draw_leds(view),
        *draw_run_ends(view),
        *draw_feeds(view),
        *draw_legend(view, across),
    ]  # fmt: skip
    return make_page(across, parts)


# -- strips ------------------------------------------------------------------------------------


def _draw_strips(view: LedStripView) -> Iterator[str]:
    """The strips and the wires between them."""
    every = led_runs(view.wiring.layout)
    for line in every:
        for a, b in pairwise(view.led_position(led) for led in line.leds):
            # Thin enough to show the arrow head on it.
            thick = min(1.4, max(0.3, 0.35 * _gap(a, b, view.radius)))
            yield lane_join(a, b, line.lane, thick, view.radius)
    for one, other in pairwise(every):
        chained = view.wiring.chained and one.lane != other.lane
        if one.lane != other.lane and not chained:
            continue
        a, b = view.led_position(one.last), view.led_position(other.first)
        yield lane_join(a, b, one.lane, 0.5, view.radius)
    for feed in view.wiring.power.feeds:
        yield from _cut_mark(view, feed.last)


def _cut_mark(view: LedStripView, last: int) -> Iterator[str]:
    """Two strokes across the connection after an LED: no 5 V to the next one."""
    places = view.wiring.layout.led_positions_mm()
    before = [led for led in range(last + 1) if not np.isnan(places[led, 0])]
    after = [led for led in range(last + 1, len(places)) if not np.isnan(places[led, 0])]
    starts = [leds.start for leds in lane_ranges(view.wiring.layout)]
    if not before or not after or last + 1 in starts:
        return
    a, b = view.led_position(before[-1]), view.led_position(after[0])
    x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
    upright = abs(a.y - b.y) > abs(a.x - b.x)
    for shift in (-0.6, 0.6):
        if upright:
            ends = [Point(x - 2, y + shift + 0.6), Point(x + 2, y + shift - 0.6)]
        else:
            ends = [Point(x + shift - 0.6, y + 2), Point(x + shift + 0.6, y - 2)]
        yield path(ends, PLUS, 0.6)


def _draw_leds(view: LedStripView) -> Iterator[str]:
    """Every LED with its number, the first of a run filled; arrows between them."""
    radius = view.radius
    feeding = {feed.at for feed in view.wiring.power.feeds}
    for line in led_runs(view.wiring.layout):
        colour = LANE_STYLES[line.lane].colour
        places = [view.led_position(led) for led in line.leds]
        stride = max(1, round(len(places) / 10))
        for index, (a, b) in enumerate(pairwise(places)):
            if index % stride == 0:
                yield _arrow_between(a, b, radius, colour)
        for led, place in zip(line.leds, places, strict=True):
            if led in feeding:
                side = 2 * radius + 1.4
                yield element("rect", x=place.x - side / 2, y=place.y - side / 2, width=side,
                          height=side, fill=PAPER, stroke=PLUS, stroke_width=0.7)  # fmt: skip
            begins = led == line.first
            yield element("circle", data_led=str(led), data_lane=str(line.lane), cx=place.x,
                      cy=place.y, r=radius,
                      fill=colour if begins else LANE_STYLES[line.lane].tint, stroke=colour,
                      stroke_width=min(0.5, 0.18 * radius))  # fmt: skip
            size = min(3.6, 1.02 * radius, NUMBER_WIDTH_RADII * radius / text_width(str(led), 1))
            yield text_line(str(led), place.x, place.y + 0.35 * size, size, anchor="middle",
                        bold=begins, fill=PAPER if begins else INK)  # fmt: skip
    yield from _draw_hidden_leds(view)


def _arrow_between(a: Point, b: Point, radius: float, colour: str) -> str:
    """An arrow head halfway between two LEDs."""
    degrees = float(np.degrees(np.arctan2(b.x - a.x, a.y - b.y)))
    size = min(3.0, max(1.2, 0.9 * _gap(a, b, radius)))
    tip = Point((a.x + b.x) / 2, (a.y + b.y) / 2).towards(degrees, size / 2)
    return arrow_head(tip, degrees, size, colour)


def _gap(a: Point, b: Point, radius: float) -> float:
    """Distance between the circles of two LEDs."""
    return float(np.hypot(b.x - a.x, b.y - a.y)) - 2 * radius


def _draw_hidden_leds(view: LedStripView) -> Iterator[str]:
    """Small open circles for LEDs under no cell, between two other LEDs of their lane."""
    places = view.wiring.layout.led_positions_mm()
    for lane, leds in enumerate(lane_ranges(view.wiring.layout)):
        seen = [led for led in leds if not np.isnan(places[led, 0])]
        for a, b in pairwise(seen):
            for led in range(a + 1, b):
                part = (led - a) / (b - a)
                x, y = places[a] + part * (places[b] - places[a])
                place = view.to_page(float(x), float(y))
                yield element("circle", data_unseen=str(led), cx=place.x, cy=place.y,
                          r=0.28 * view.radius, fill=PAPER, stroke=LANE_STYLES[lane].colour,
                          stroke_width=0.25)  # fmt: skip
