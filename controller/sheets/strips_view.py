"""The board below the LEDs, from above or mirrored: from its millimetres to those of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.building.hookup import Hookup
from controller.building.lines import lines
from controller.sheets.ink import (
    EDGE,
    PAPER,
    SHADE,
)
from controller.sheets.page import GREY, INK, words
from engine.draw.shapes import CELL, Point, corners, number, polygon, tag
from engine.grid import SquareGrid


@dataclass(frozen=True)
class View:
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
        return min(most, 0.38 * board.cell_mm * self.scale / max(across, down))


def board_drawn(view: View) -> Iterator[str]:
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
            place = Point(x + left + 0.8, y + top + 2.6) if square else Point(x, y + top + 3.4)
            yield words(
                grid.name(cell), *place, 2.6 if square else 2.2,
                anchor="start" if square else "middle", fill="#6f6f6f",
            )  # fmt: skip
    # Around hexagons it is not seen: numbers stand where it would be.
    yield tag(
        "rect", data_board=board.name, x=view.left, y=view.top, width=view.width,
        height=view.height, fill="none", stroke=INK if square else "none", stroke_width=0.5,
    )  # fmt: skip
    if not square:
        yield _outline(view, outline)
    if isinstance(grid, SquareGrid):
        yield from _coordinates(view, grid)
    x, anchor, out = view.left + view.width / 2, "middle", 6.2
    if in_columns(view.hooked):
        x, anchor, out = view.left - 2, "end", 2.0
    yield words("far side", x, view.top - out, 2.8, anchor=anchor, fill=GREY)
    yield words("near side", x, view.top + view.height + out + 1.8, 2.8, anchor=anchor, fill=GREY)


def _outline(view: View, around: Sequence[Point]) -> str:
    """A line around all cells; `around` are the corners of one."""
    board = view.hooked.layout.board
    sides = []
    for cell in range(board.grid.size):
        x, y = view.at(*board.centre_mm(cell))
        for heading in range(board.grid.headings):
            if board.grid.ahead(cell, heading) is None:
                # `corners` begins behind the side of heading 0.
                ends = [Point(x + (-p.x if view.below else p.x), y + p.y)
                        for p in (around[heading - 1], around[heading])]  # fmt: skip
                sides.append("M" + "L".join(f"{number(p.x)} {number(p.y)}" for p in ends))
    return tag("path", d="".join(sides), fill="none", stroke=INK, stroke_width=0.5,
               stroke_linecap="round")  # fmt: skip


def _coordinates(view: View, grid: SquareGrid) -> Iterator[str]:
    board = view.hooked.layout.board
    rows = any(line.axis == "rows" for line in lines(view.hooked.layout))
    for x in range(grid.columns):
        place = view.at((x + 0.5) * board.cell_mm, 0)
        name = grid.name(grid.at(x, 0))[0]
        out = 10.0 if in_columns(view.hooked) else 2.0
        for y in (view.top - out, view.top + view.height + out + 2.4):
            yield words(name, place.x, y, 3.4, anchor="middle", bold=True)
    for y in range(grid.rows):
        place = view.at(0, (y + 0.5) * board.cell_mm)
        out = 15.5 if rows else 4
        for x_page in (view.left - out, view.left + view.width + out):
            yield words(str(grid.rows - y), x_page, place.y + 1.2, 3.4, anchor="middle", bold=True)


def in_columns(hooked: Hookup) -> bool:
    return any(line.axis == "columns" for line in lines(hooked.layout))
