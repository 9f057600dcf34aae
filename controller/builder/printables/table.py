"""Tables over as many pages as needed; long cells are wrapped.

Not fpdf2's table: pages are SVG, and a PDF is only one of the two output formats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from controller.builder.printables.symbols import EDGE, SHADE, page_heading, path
from engine.draw.font_metrics import wrap_text
from engine.draw.page import INK, Page, Paper, make_page, text_line
from engine.draw.shapes import Point, element
from engine.sentences import Sentence

FONT_SIZE, LEADING, PADDING = 3.2, 4.2, 1.3
NOTE_SIZE, NOTE_LEADING_MM = 3.6, 5.2
MIN_ROWS_BELOW_HEADING = 2  # on the page of the heading
TOP_MM = 17.0  # from the margin to the table


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `share` is its relative width."""

    title: Sentence
    share: float
    anchor: str = "start"


def table_pages(
    title: str,
    subtitle: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    paper: Paper,
    *,
    headings: Collection[int] = (),
    notes: Sequence[str] = (),
) -> list[Page]:
    """The rows on landscape paper; `notes` are lines below the table.

    Rows whose numbers are in `headings` are bold and stay on the page of the rows below them.
    """
    across = paper.landscape()
    room = across.width_mm - 2 * across.margin_mm
    total = sum(column.share for column in columns)
    widths = [room * column.share / total for column in columns]
    bottom = across.height_mm - across.margin_mm
    left, right = across.margin_mm, across.margin_mm + room
    cells = [_wrap_cells(row, widths, bold=n in headings) for n, row in enumerate(rows)]
    heights = [_height(row) for row in cells]
    titles = [[str(column.title)] for column in columns]
    top = across.margin_mm + TOP_MM + _height(titles)
    pages: list[Page] = []
    parts: list[str] = []
    y, shaded = top, False
    for numbers in split_rows(heights, headings, bottom - top):
        if parts:
            pages.append(make_page(across, parts))
        parts = [
            page_heading(_page_title(title, len(pages)), subtitle, left, across.margin_mm),
            *_row(titles, columns, widths, left, across.margin_mm + TOP_MM, True),
            path([Point(left, top), Point(right, top)], INK, 0.4),
        ]
        y = top
        for number in numbers:
            shaded = not shaded and number - 1 not in headings and number not in headings
            if shaded:
                parts.append(
                    element("rect", x=left, y=y, width=room, height=heights[number], fill=SHADE)
                )
            parts += _row(cells[number], columns, widths, left, y, number in headings)
            y += heights[number]
    parts.append(path([Point(left, y), Point(right, y)], EDGE, 0.3))
    note_lines = [each for line in notes for each in wrap_text(line, NOTE_SIZE, room)]
    if note_lines and y + 4 + NOTE_LEADING_MM * len(note_lines) > bottom:
        pages.append(make_page(across, parts))
        parts = [page_heading(_page_title(title, len(pages)), subtitle, left, across.margin_mm)]
        y = across.margin_mm + 14
    parts += [
        text_line(line, left + PADDING, y + 3 + NOTE_LEADING_MM * row, NOTE_SIZE)
        for row, line in enumerate(note_lines, 1)
    ]
    return [*pages, make_page(across, parts)]


def split_rows(heights: Sequence[float], headings: Collection[int], room: float) -> list[range]:
    """The rows of each page: no page ends with a heading, and the last has at least two rows."""
    starts, reached = [0], 0.0
    for number, height in enumerate(heights):
        after = takewhile(lambda n: n not in headings, range(number + 1, len(heights)))
        follow = list(after)[:MIN_ROWS_BELOW_HEADING] if number in headings else []
        if number > starts[-1] and reached + height + sum(heights[n] for n in follow) > room:
            starts.append(number)
            reached = 0.0
        reached += height
    if len(starts) > 1 and starts[-1] == len(heights) - 1:
        earlier = starts[-1] - 1
        above = (
            n for n in range(earlier - 1, earlier - 1 - MIN_ROWS_BELOW_HEADING, -1) if n in headings
        )
        earlier = next(above, earlier)  # move a heading with its rows
        if earlier > starts[-2]:
            starts[-1] = earlier
    return [range(*ends) for ends in pairwise([*starts, len(heights)])]


def _page_title(title: str, pages_before: int) -> str:
    return f"{title} ({pages_before + 1})" if pages_before else title


def _wrap_cells(row: Sequence[str], widths: Sequence[float], *, bold: bool) -> list[list[str]]:
    return [
        list(wrap_text(cell, FONT_SIZE, width - 2 * PADDING, bold=bold)) or [""]
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
            yield text_line(line, at, level, FONT_SIZE, anchor=column.anchor, bold=bold)
        x += width
