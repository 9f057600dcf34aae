"""Splits a sheet that is larger than the paper into pages to cut and glue together.

A page is cut along its left and upper edge and glued onto the strip of the page to its left and of
the page above. Both pages print the registration marks on the cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase

from controller.builder import paper_sentences as sentences
from controller.builder.printables.board import Extent
from engine.draw.page import Paper
from engine.errors import LaserboardError

OVERLAP_MM = 10.0
HEAD_MM = 13.0
FOOT_MM = 11.0
REGISTRATION_MARK_MM = 5.0  # width
MARK_FROM_END_MM = 8.0  # minimum distance of a mark from the ends of a cut
CLEARANCE_MM = 0.8  # between a mark or a cut and names or tags
MAX_ROWS, MAX_PAGES = len(ascii_uppercase), 100


class TooManyPages(LaserboardError, ValueError):
    """The board needs too many pages."""


@dataclass(frozen=True, slots=True)
class PageTile:
    """The part of the sheet on one page, in coordinates of the sheet."""

    row: int
    column: int
    printed_area: Extent
    visible_area: Extent  # after gluing
    registration_marks: tuple[tuple[float, float], ...]
    paper: Paper

    @property
    def name(self) -> str:
        """A1 is the first page, A2 to its right, B1 below it."""
        return f"{ascii_uppercase[self.row]}{self.column + 1}"

    @property
    def origin(self) -> tuple[float, float]:
        """Position of the sheet's (0, 0) on the page."""
        margin = self.paper.margin_mm
        free = self.paper.width_mm - 2 * margin - self.printed_area.width
        return margin + free / 2 - self.printed_area.left, margin + HEAD_MM - self.printed_area.top


def split_into_tiles(
    sheet: Extent, paper: Paper, lines: tuple[Sequence[float], Sequence[float]],
    keep_whole: Sequence[Extent] = (),
) -> list[PageTile]:  # fmt: skip
    """The pages row by row, portrait or landscape, whichever needs fewer pages or cuts better.

    `lines` are the best places for cuts: x of columns, y of rows. Cuts avoid the areas of
    `keep_whole` where possible, and registration marks never overlap them.
    """
    ways = [_tile_paper(sheet, each, lines, keep_whole) for each in (paper.landscape(), paper)]
    best = min(ways, key=lambda tiles: (len(tiles), _count_visible_cuts(tiles, lines)))
    if best[-1].row >= MAX_ROWS or len(best) > MAX_PAGES:
        raise TooManyPages(sentences.TOO_MANY_PAGES(pages=len(best), paper=paper.name))
    return best


def _tile_paper(
    sheet: Extent, paper: Paper, lines: tuple[Sequence[float], Sequence[float]],
    clear: Sequence[Extent],
) -> list[PageTile]:  # fmt: skip
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
            tiles.append(
                PageTile(row, column, area, kept, _registration_marks(kept, sheet, clear), paper)
            )
    return tiles


def _count_visible_cuts(
    tiles: list[PageTile], lines: tuple[Sequence[float], Sequence[float]]
) -> int:
    """The number of cuts that are not on a line."""
    return sum(
        (tile.column > 0 and tile.visible_area.left not in lines[0])
        + (tile.row > 0 and tile.visible_area.top not in lines[1])
        for tile in tiles
    )


def _cuts(
    start: float, end: float, room: float, lines: Sequence[float],
    taken: Sequence[tuple[float, float]],
) -> list[float]:  # fmt: skip
    """The starts of the pages, and the end: evenly spaced, on lines where possible."""
    count = 1
    while room + (count - 1) * (room - OVERLAP_MM) < end - start:
        count += 1
    cuts = [start]
    for left in range(count - 1, 0, -1):
        # This page holds at most up to `last`; the others need at least up to `first`.
        last = cuts[-1] + room - OVERLAP_MM
        first = end - room - (left - 1) * (room - OVERLAP_MM)
        even = cuts[-1] + (end - cuts[-1]) / (left + 1)
        near = [line for line in lines if max(first, cuts[-1] + 1) <= line <= last]
        if not near:
            near = _clear_positions(taken, first, last)
        within = min(max(even, first), last)
        cuts.append(min(near, key=lambda line: abs(line - even), default=within))
    return [*cuts, end]


def _clear_positions(
    taken: Sequence[tuple[float, float]], first: float, last: float
) -> list[float]:
    """Positions from `first` to `last` in steps of 1 mm that cut no taken interval."""
    steps = (first + n for n in range(int(last - first) + 1))
    return [
        at
        for at in steps
        if not any(low - CLEARANCE_MM < at < high + CLEARANCE_MM for low, high in taken)
    ]


def _registration_marks(
    kept: Extent, sheet: Extent, clear: Sequence[Extent]
) -> tuple[tuple[float, float], ...]:
    """Two marks on each cut, near its ends, at the same places as on the neighbouring page."""
    marks = []
    for x in (kept.left, kept.right):
        if x not in (sheet.left, sheet.right):
            for end, way in ((kept.top, 1), (kept.bottom, -1)):
                steps = ((x, end + way * away) for away in _mark_distances(kept.height))
                marks.append(_first_clear_position(list(steps), clear))
    for y in (kept.top, kept.bottom):
        if y not in (sheet.top, sheet.bottom):
            for end, way in ((kept.left, 1), (kept.right, -1)):
                steps = ((end + way * away, y) for away in _mark_distances(kept.width))
                marks.append(_first_clear_position(list(steps), clear))
    return tuple(marks)


def _mark_distances(length: float) -> list[float]:
    """Allowed distances of a mark from the end of a cut, up to a third of the cut."""
    return [MARK_FROM_END_MM + n for n in range(max(1, int(length / 3 - MARK_FROM_END_MM)))]


def _first_clear_position(
    places: Sequence[tuple[float, float]], clear: Sequence[Extent]
) -> tuple[float, float]:
    half = REGISTRATION_MARK_MM / 2
    for x, y in places:
        box = Extent(x - half, y - half, x + half, y + half)
        if not any(each.overlaps(box, CLEARANCE_MM) for each in clear):
            return x, y
    return places[0]
