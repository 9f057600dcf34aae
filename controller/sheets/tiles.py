"""A sheet larger than the paper, over several pages that are cut and glued together.

A page overlaps the one before it, to its left and above: it is cut along its left and upper edge
and glued onto the strip that the others leave there. Crosses on the cuts are printed on both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase

from controller.sheets.board import Extent
from controller.sheets.page import Paper
from engine.errors import LaserboardError

OVERLAP_MM = 10.0
HEAD_MM = 13.0
FOOT_MM = 11.0
CROSS_MM = 5.0  # wide
CROSS_AWAY_MM = 8.0  # from the ends of a cut, and more where something stands there
CLEAR_MM = 0.8  # between a cross or a cut and what it must not touch
MOST_ROWS, MOST_PAGES = len(ascii_uppercase), 100


class TooMany(LaserboardError, ValueError):
    """A board that no reasonable number of pages makes."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One page's part of the sheet, in the sheet's millimetres."""

    row: int
    column: int
    area: Extent  # what is printed on this page
    kept: Extent  # what is to be seen of it when all is glued
    crosses: tuple[tuple[float, float], ...]
    paper: Paper

    @property
    def name(self) -> str:
        """A1 is the first page, A2 to its right, B1 below it."""
        return f"{ascii_uppercase[self.row]}{self.column + 1}"

    @property
    def origin(self) -> tuple[float, float]:
        """Where (0, 0) of the sheet lies on the page."""
        margin = self.paper.margin_mm
        free = self.paper.width_mm - 2 * margin - self.area.width
        return margin + free / 2 - self.area.left, margin + HEAD_MM - self.area.top


def tiled(
    sheet: Extent, paper: Paper, lines: tuple[Sequence[float], Sequence[float]],
    clear: Sequence[Extent] = (),
) -> list[Tile]:  # fmt: skip
    """The pages, row by row, upright or across, whichever are fewer or cut better.

    `lines` are the places where a cut hides best: x of columns, y of rows. What is in `clear` is
    kept whole where that is possible, and no cross lies on it.
    """
    ways = [_cut(sheet, each, lines, clear) for each in (paper.landscape(), paper)]
    found = min(ways, key=lambda tiles: (len(tiles), _off_lines(tiles, lines)))
    if found[-1].row >= MOST_ROWS or len(found) > MOST_PAGES:
        raise TooMany(f"{len(found)} pages of {paper.name}: print it as one sheet (--paper sheet)")
    return found


def _cut(
    sheet: Extent, paper: Paper, lines: tuple[Sequence[float], Sequence[float]],
    clear: Sequence[Extent],
) -> list[Tile]:  # fmt: skip
    room_x = paper.width_mm - 2 * paper.margin_mm
    room_y = paper.height_mm - 2 * paper.margin_mm - HEAD_MM - FOOT_MM
    taken_x = [(each.left, each.right) for each in clear]
    taken_y = [(each.top, each.bottom) for each in clear]
    columns = _cuts(sheet.left, sheet.right, room_x, lines[0], taken_x)
    rows = _cuts(sheet.top, sheet.bottom, room_y, lines[1], taken_y)
    tiles = []
    for row, (top, bottom) in enumerate(pairwise(rows)):
        for column, (left, right) in enumerate(pairwise(columns)):
            kept = Extent(left, top, right, bottom)
            area = Extent(
                left,
                top,
                min(right + OVERLAP_MM, sheet.right),
                min(bottom + OVERLAP_MM, sheet.bottom),
            )
            tiles.append(Tile(row, column, area, kept, _crosses(kept, sheet, clear), paper))
    return tiles


def _off_lines(tiles: list[Tile], lines: tuple[Sequence[float], Sequence[float]]) -> int:
    """How many pages begin where no line hides the cut."""
    return sum(
        (tile.column > 0 and tile.kept.left not in lines[0])
        + (tile.row > 0 and tile.kept.top not in lines[1])
        for tile in tiles
    )


def _cuts(
    start: float, end: float, room: float, lines: Sequence[float],
    taken: Sequence[tuple[float, float]],
) -> list[float]:  # fmt: skip
    """Where the pages begin, and the end: evenly, and on lines where there are some."""
    count = 1
    while room + (count - 1) * (room - OVERLAP_MM) < end - start:
        count += 1
    cuts = [start]
    for left in range(count - 1, 0, -1):
        # What the page may hold at most, and what must be on it for the others to suffice.
        last = cuts[-1] + room - OVERLAP_MM
        first = end - room - (left - 1) * (room - OVERLAP_MM)
        even = cuts[-1] + (end - cuts[-1]) / (left + 1)
        near = [line for line in lines if max(first, cuts[-1] + 1) <= line <= last]
        if not near:
            near = _beside(taken, first, last)
        within = min(max(even, first), last)
        cuts.append(min(near, key=lambda line: abs(line - even), default=within))
    return [*cuts, end]


def _beside(taken: Sequence[tuple[float, float]], first: float, last: float) -> list[float]:
    """Every millimetre from the first to the last at which nothing is cut."""
    steps = (first + n for n in range(int(last - first) + 1))
    return [
        at for at in steps if not any(low - CLEAR_MM < at < high + CLEAR_MM for low, high in taken)
    ]


def _crosses(
    kept: Extent, sheet: Extent, clear: Sequence[Extent]
) -> tuple[tuple[float, float], ...]:
    """Two on each cut of a page, near its ends: the page beside it has them at the same places."""
    found = []
    for x in (kept.left, kept.right):
        if x not in (sheet.left, sheet.right):
            for end, way in ((kept.top, 1), (kept.bottom, -1)):
                steps = ((x, end + way * away) for away in _away(kept.height))
                found.append(_first_clear(list(steps), clear))
    for y in (kept.top, kept.bottom):
        if y not in (sheet.top, sheet.bottom):
            for end, way in ((kept.left, 1), (kept.right, -1)):
                steps = ((end + way * away, y) for away in _away(kept.width))
                found.append(_first_clear(list(steps), clear))
    return tuple(found)


def _away(length: float) -> list[float]:
    """How far from its end of a cut a cross may be, the nearest first: both stay well apart."""
    return [CROSS_AWAY_MM + n for n in range(max(1, int(length / 3 - CROSS_AWAY_MM)))]


def _first_clear(
    places: Sequence[tuple[float, float]], clear: Sequence[Extent]
) -> tuple[float, float]:
    half = CROSS_MM / 2
    for x, y in places:
        box = Extent(x - half, y - half, x + half, y + half)
        if not any(each.meets(box, CLEAR_MM) for each in clear):
            return x, y
    return places[0]
