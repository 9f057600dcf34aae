"""Draws the surroundings of the LED strips: ends of runs, data and power inputs, the legend."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.led_runs import LedRun, lane_ranges, led_runs
from controller.builder.printables.led_strip_view import LedStripView
from controller.builder.printables.symbols import (
    EDGE,
    LANE_STYLES,
    PAPER,
    PLUS,
    arrow_head,
    badge,
    box,
    lane_path,
    path,
)
from engine.draw.page import FAINT, Paper, text_line
from engine.draw.shapes import Point, element


def _outward_direction(view: LedStripView, line: LedRun, led: int) -> Point | None:
    """The direction out of the board at a run's end; None if other LEDs are farther out."""
    places = view.wiring.layout.led_positions_mm()
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
        return Point(-way if view.mirrored else way, 0)
    return Point(0, way)


def _point_outside_cell(view: LedStripView, led: int, way: Point, out: float) -> Point:
    """The point `out` mm outside the LED's cell."""
    board, (across, down) = view.wiring.layout.board, view.wiring.layout.per_cell
    half = board.cell_mm * view.scale / 2 / (across if way.x else down)
    place = view.led_position(led)
    return Point(place.x + way.x * (half + out), place.y + way.y * (half + out))


def draw_run_ends(view: LedStripView) -> Iterator[str]:
    """The number of the first and the last LED of each run, with the data direction."""
    for line in led_runs(view.wiring.layout):
        colour = LANE_STYLES[line.lane].colour
        for led, begins in ((line.first, True), (line.last, False)):
            if len(line.leds) == 1 and not begins:
                continue
            way = _outward_direction(view, line, led)
            if way is None:
                continue
            size = min(3.6, max(2.4, 0.5 * view.wiring.layout.board.cell_mm * view.scale))
            turn = -1 if begins else 1
            degrees = float(np.degrees(np.arctan2(way.x * turn, -way.y * turn)))
            near = _point_outside_cell(view, led, way, 1.0 if begins else 3.6)
            yield arrow_head(near, degrees, 2.6, colour)
            if way.x:
                place = _point_outside_cell(view, led, way, 4.4)
                anchor = "end" if way.x < 0 else "start"
                yield text_line(
                    str(led), place.x, place.y + 0.36 * size, size, bold=True, anchor=anchor
                )
            else:
                place = _point_outside_cell(view, led, way, 6.0)
                yield text_line(str(led), place.x, place.y + 1, min(size, 2.8), bold=True,
                            anchor="middle")  # fmt: skip


def draw_feeds(view: LedStripView) -> Iterator[str]:
    """Badges where data and power come in."""
    every = led_runs(view.wiring.layout)
    seen = [led for line in every for led in line.leds]
    taken: dict[int, int] = {}
    marks = [
        (
            line.first_led,
            str(sentences.LINE_IN(line=line.name)),
            LANE_STYLES[line.lane].colour,
            16.0,
        )
        for line in view.wiring.data_lines
    ]
    marks += [(feed.at, feed.name, PLUS, 8.0) for feed in view.wiring.power.feeds]
    for first, text, colour, width in marks:
        led = next((each for each in seen if each >= first), seen[-1])  # `first` may have no cell
        line = next(each for each in every if led in each.leds)
        way = _outward_direction(view, line, led) if led in (line.first, line.last) else None
        level = taken.get(led, 0)
        taken[led] = level + 1
        if way is None:
            place = view.led_position(led)
            place = Point(place.x, place.y - view.radius - 2.6 - 4.8 * level)
        elif way.x:
            place = _point_outside_cell(view, led, way, 19.5 + width / 2)
            place = Point(place.x, place.y + 4.9 * level)
        else:
            place = _point_outside_cell(view, led, way, 15.6 + 4.9 * level)
        yield badge(text, place.x, place.y, colour, width)


def draw_legend(view: LedStripView, paper: Paper) -> Iterator[str]:
    x, y = paper.margin_mm, paper.height_mm - paper.margin_mm - 12
    yield path([Point(x, y - 4), Point(paper.width_mm - x, y - 4)], EDGE, 0.2)
    layout = view.wiring.layout
    for lane, leds in enumerate(lane_ranges(layout)):
        style = LANE_STYLES[lane]
        yield lane_path([Point(x, y), Point(x + 14, y)], lane, 1.0)
        yield element("circle", cx=x + 7, cy=y, r=1.8, fill=style.tint, stroke=style.colour,
                  stroke_width=0.4)  # fmt: skip
        text = sentences.LANE_LEGEND(
            lane=lane, style=style.line_name, first=leds.start, last=leds.stop - 1
        )
        yield text_line(str(text), x + 16, y + 1, 3)
        x += (paper.width_mm - 2 * paper.margin_mm) / len(LANE_STYLES)
    x, y = paper.margin_mm, y + 6
    colour = LANE_STYLES[0].colour
    yield element("circle", cx=x + 2, cy=y, r=1.8, fill=colour)
    yield text_line(str(sentences.RUN_BEGINS()), x + 5, y + 1, 3)
    yield box(x + 32, y - 2, 4, 4, fill=PAPER, stroke=PLUS, radius=0, line=0.7)
    yield text_line(str(sentences.FEED_LEGEND()), x + 38, y + 1, 3)
    x += 126
    if len(view.wiring.power.feeds) > len(layout.leds_per_lane):
        for shift in (0, 1.5):
            yield path([Point(x + shift, y + 1.4), Point(x + shift + 2, y - 1.4)], PLUS, 0.6)
        yield text_line(str(sentences.JOIN_LEGEND()), x + 6, y + 1, 3)
        x += 62
    unseen = layout.led_count - sum(len(line.leds) for line in led_runs(layout))
    if unseen:
        yield element("circle", cx=x, cy=y, r=0.9, fill=PAPER, stroke=colour, stroke_width=0.3)
        yield text_line(str(sentences.HIDDEN_LEDS(count=unseen)), x + 3, y + 1, 3)
    yield text_line(f"1 : {1 / view.scale:.2f}", paper.width_mm - paper.margin_mm, y + 1, 3,
                anchor="end", fill=FAINT)  # fmt: skip
