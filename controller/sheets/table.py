"""Tables that go on over as many pages as they need; long cells are broken into lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.sheets.ink import EDGE, SHADE, heading, path
from controller.sheets.page import INK, Page, Paper, page, words
from engine.draw.shapes import Point, tag

SIZE, LEADING, PADDING = 3.2, 4.2, 1.3
LAST_SIZE, LAST_MM = 3.6, 5.2
NARROW, WIDE = frozenset("ijl.,:;'|!()[]ftI /-r1"), frozenset("mwMWµ%@ABCDEGHKNOPQRSUVXY&")


@dataclass(frozen=True, slots=True)
class Column:
    """A column as wide as its part of the table."""

    title: str
    part: float
    anchor: str = "start"


def width_mm(text: str, size: float) -> float:
    """About as wide as the letters are."""
    return size * sum(0.34 if c in NARROW else 0.7 if c in WIDE else 0.56 for c in text)


def broken(text: str, room_mm: float, size: float = SIZE) -> list[str]:
    """Lines that fit, broken between words."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and width_mm(longer, size) > room_mm:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def table_pages(
    title: str, below: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], paper: Paper,
    last: Sequence[str] = (),
) -> list[Page]:  # fmt: skip
    """The rows under their titles, on landscape paper; `last` are lines below the table."""
    across = paper.landscape()
    room = across.width_mm - 2 * across.margin_mm
    whole = sum(column.part for column in columns)
    widths = [room * column.part / whole for column in columns]
    bottom = across.height_mm - across.margin_mm
    left, right = across.margin_mm, across.margin_mm + room
    pages: list[Page] = []
    parts: list[str] = []
    y = bottom  # full: the first row begins a page
    for number, row in enumerate(rows):
        cells = [broken(cell, width - 2 * PADDING) for cell, width in zip(row, widths, strict=True)]
        height = LEADING * max(map(len, cells)) + 2 * PADDING - 1
        if y + height > bottom:
            if parts:
                pages.append(page(across, parts))
            again = f"{title} ({len(pages) + 1})" if pages else title
            y = across.margin_mm + 17
            parts = [
                heading(again, below, left, across.margin_mm),
                *_row([[column.title] for column in columns], columns, widths, left, y, True),
            ]
            y += LEADING + 2 * PADDING - 1
            parts.append(path([Point(left, y), Point(right, y)], INK, 0.4))
        if number % 2:
            parts.append(tag("rect", x=left, y=y, width=room, height=height, fill=SHADE))
        parts += _row(cells, columns, widths, left, y, False)
        y += height
    parts.append(path([Point(left, y), Point(right, y)], EDGE, 0.3))
    told = [each for line in last for each in broken(line, room, LAST_SIZE)]
    if told and y + 4 + LAST_MM * len(told) > bottom:
        pages.append(page(across, parts))
        parts = [heading(f"{title} ({len(pages) + 1})", below, left, across.margin_mm)]
        y = across.margin_mm + 14
    parts += [
        words(line, left + PADDING, y + 3 + LAST_MM * row, LAST_SIZE)
        for row, line in enumerate(told, 1)
    ]
    return [*pages, page(across, parts)]


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
