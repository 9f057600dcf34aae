"""Tables that go on over as many pages as they need; long cells are broken into lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from controller.sheets.ink import EDGE, SHADE, heading, path
from controller.sheets.letters import wrapped
from controller.sheets.page import INK, Page, Paper, page, words
from engine.draw.shapes import Point, tag

SIZE, LEADING, PADDING = 3.2, 4.2, 1.3
LAST_SIZE, LAST_MM = 3.6, 5.2
BELOW_HEADING = 2  # rows that are on its page, if it has so many
TOP_MM = 17.0  # where the table begins below the margin


@dataclass(frozen=True, slots=True)
class Column:
    """A column as wide as its part of the table."""

    title: str
    part: float
    anchor: str = "start"


def table_pages(
    title: str, below: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], paper: Paper,
    *, headings: Collection[int] = (), last: Sequence[str] = (),
) -> list[Page]:  # fmt: skip
    """The rows under their titles, on landscape paper; `last` are lines below the table.

    Rows whose numbers are in `headings` are bold and on the same page as what is below them.
    """
    across = paper.landscape()
    room = across.width_mm - 2 * across.margin_mm
    whole = sum(column.part for column in columns)
    widths = [room * column.part / whole for column in columns]
    bottom = across.height_mm - across.margin_mm
    left, right = across.margin_mm, across.margin_mm + room
    cells = [_broken(row, widths, bold=n in headings) for n, row in enumerate(rows)]
    heights = [_height(row) for row in cells]
    titles = [[column.title] for column in columns]
    top = across.margin_mm + TOP_MM + _height(titles)
    pages: list[Page] = []
    parts: list[str] = []
    y, shaded = top, False
    for numbers in split(heights, headings, bottom - top):
        if parts:
            pages.append(page(across, parts))
        parts = [
            heading(_named(title, len(pages)), below, left, across.margin_mm),
            *_row(titles, columns, widths, left, across.margin_mm + TOP_MM, True),
            path([Point(left, top), Point(right, top)], INK, 0.4),
        ]
        y = top
        for number in numbers:
            shaded = not shaded and number - 1 not in headings and number not in headings
            if shaded:
                parts.append(
                    tag("rect", x=left, y=y, width=room, height=heights[number], fill=SHADE)
                )
            parts += _row(cells[number], columns, widths, left, y, number in headings)
            y += heights[number]
    parts.append(path([Point(left, y), Point(right, y)], EDGE, 0.3))
    told = [each for line in last for each in wrapped(line, LAST_SIZE, room)]
    if told and y + 4 + LAST_MM * len(told) > bottom:
        pages.append(page(across, parts))
        parts = [heading(_named(title, len(pages)), below, left, across.margin_mm)]
        y = across.margin_mm + 14
    parts += [
        words(line, left + PADDING, y + 3 + LAST_MM * row, LAST_SIZE)
        for row, line in enumerate(told, 1)
    ]
    return [*pages, page(across, parts)]


def split(heights: Sequence[float], headings: Collection[int], room: float) -> list[range]:
    """The rows of each page: a heading has rows below it, and no row is alone on the last."""
    starts, reached = [0], 0.0
    for number, height in enumerate(heights):
        after = takewhile(lambda n: n not in headings, range(number + 1, len(heights)))
        follow = list(after)[:BELOW_HEADING] if number in headings else []
        if number > starts[-1] and reached + height + sum(heights[n] for n in follow) > room:
            starts.append(number)
            reached = 0.0
        reached += height
    if len(starts) > 1 and starts[-1] == len(heights) - 1:
        earlier = starts[-1] - 1
        above = (n for n in range(earlier - 1, earlier - 1 - BELOW_HEADING, -1) if n in headings)
        earlier = next(above, earlier)  # a heading comes along
        if earlier > starts[-2]:
            starts[-1] = earlier
    return [range(*ends) for ends in pairwise([*starts, len(heights)])]


def _named(title: str, pages_before: int) -> str:
    return f"{title} ({pages_before + 1})" if pages_before else title


def _broken(row: Sequence[str], widths: Sequence[float], *, bold: bool) -> list[list[str]]:
    return [
        list(wrapped(cell, SIZE, width - 2 * PADDING, bold=bold)) or [""]
        for cell, width in zip(row, widths, strict=True)
    ]


def _height(cells: Sequence[Sequence[str]]) -> float:
    return LEADING * max(map(len, cells)) + 2 * PADDING - 1


def _row(
    cells: Sequence[Sequence[str]], columns: Sequence[Column], widths: Sequence[float], x: float,
    y: float, bold: bool,
) -> Iterator[str]:  # fmt: skip
    for lines, column, width in zip(cells, columns, widths, strict=True):
        at = x + (width - PADDING if column.anchor == "end" else PADDING)
        for number, line in enumerate(lines):
            level = y + PADDING + LEADING * number + 2.6
            yield words(line, at, level, SIZE, anchor=column.anchor, bold=bold)
        x += width
