"""Draws the board under the LEDs, from above or mirrored, and maps board to page coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.builder import paper_sentences as sentences
from controller.builder.electrics.connections import BoardWiring
from controller.builder.electrics.led_runs import led_runs
from controller.builder.printables.symbols import EDGE, PAPER, SHADE
from engine.draw.page import GREY, INK, text_line
from engine.draw.shapes import CELL, Point, cell_corners, element, format_number, polygon
from engine.grid import SquareGrid


@dataclass(frozen=True)
class LedStripView:
    """Position, scale and orientation of the board on a page."""

    wiring: BoardWiring
    left: float
    top: float
    scale: float
    mirrored: bool

    @property
    def width(self) -> float:
        return self.wiring.layout.board.size_mm[0] * self.scale

    @property
    def height(self) -> float:
        return self.wiring.layout.board.size_mm[1] * self.scale

    def to_page(self, x_mm: float, y_mm: float) -> Point:
        x = x_mm * self.scale
        return Point(
            self.left + (self.width - x if self.mirrored else x), self.top + y_mm * self.scale
        )

    def led_position(self, led: int) -> Point:
        x, y = self.wiring.layout.led_positions_mm()[led]
        return self.to_page(float(x), float(y))

    @property
    def radius(self) -> float:
        """Radius of an LED's circle: less than half the distance to the next one."""
        board, (across, down) = self.wiring.layout.board, self.wiring.layout.per_cell
        most = 3.6 if board.grid.headings == 4 else 3.3
        return min(most, 0.38 * board.cell_mm * self.scale / max(across, down))


def draw_board(view: LedStripView) -> Iterator[str]:
    board = view.wiring.layout.board
    grid, scale = board.grid, board.cell_mm * view.scale / CELL
    square = isinstance(grid, SquareGrid)
    outline = [Point(x * scale, y * scale) for x, y in cell_corners(grid)]
    named = view.wiring.layout.per_cell == (1, 1)
    for cell in range(grid.size):
        x, y = view.to_page(*board.centre_mm(cell))
        dark = isinstance(grid, SquareGrid) and sum(grid.xy(cell)) % 2 == 1
        yield polygon(
            [Point(x + dx, y + dy) for dx, dy in outline],
            fill=SHADE if dark else PAPER, stroke=EDGE, stroke_width=0.25,
        )  # fmt: skip
        if named:
            left, top = (min(corner[n] for corner in outline) for n in (0, 1))
            place = Point(x + left + 0.8, y + top + 2.6) if square else Point(x, y + top + 3.4)
            yield text_line(
                grid.name(cell), *place, 2.6 if square else 2.2,
                anchor="start" if square else "middle", fill="#6f6f6f",
            )  # fmt: skip
    # Invisible around hexagons, because numbers are there; programs read its attributes.
    yield element(
        "rect", data_board=board.name, x=view.left, y=view.top, width=view.width,
        height=view.height, fill="none", stroke=INK if square else "none", stroke_width=0.5,
    )  # fmt: skip
    if not square:
        yield _outline(view, outline)
    if isinstance(grid, SquareGrid):
        yield from _coordinates(view, grid)
    x, anchor, out = view.left + view.width / 2, "middle", 6.2
    if has_column_strips(view.wiring):
        x, anchor, out = view.left - 2, "end", 2.0
    yield text_line(str(sentences.FAR_SIDE()), x, view.top - out, 2.8, anchor=anchor, fill=GREY)
    yield text_line(
        str(sentences.NEAR_SIDE()), x, view.top + view.height + out + 1.8, 2.8,
        anchor=anchor, fill=GREY,
    )  # fmt: skip


def _outline(view: LedStripView, around: Sequence[Point]) -> str:
    """A line around all cells; `around` are the corners of one cell."""
    board = view.wiring.layout.board
    sides = []
    for cell in range(board.grid.size):
        x, y = view.to_page(*board.centre_mm(cell))
        for heading in range(board.grid.headings):
            if board.grid.ahead(cell, heading) is None:
                # The side of heading h lies between corners h - 1 and h.
                ends = [Point(x + (-p.x if view.mirrored else p.x), y + p.y)
                        for p in (around[heading - 1], around[heading])]  # fmt: skip
                sides.append(
                    "M" + "L".join(f"{format_number(p.x)} {format_number(p.y)}" for p in ends)
                )
    return element("path", d="".join(sides), fill="none", stroke=INK, stroke_width=0.5,
               stroke_linecap="round")  # fmt: skip


def _coordinates(view: LedStripView, grid: SquareGrid) -> Iterator[str]:
    board = view.wiring.layout.board
    rows = any(line.axis == "rows" for line in led_runs(view.wiring.layout))
    for x in range(grid.columns):
        place = view.to_page((x + 0.5) * board.cell_mm, 0)
        name = grid.name(grid.at(x, 0))[0]
        out = 10.0 if has_column_strips(view.wiring) else 2.0
        for y in (view.top - out, view.top + view.height + out + 2.4):
            yield text_line(name, place.x, y, 3.4, anchor="middle", bold=True)
    for y in range(grid.rows):
        place = view.to_page(0, (y + 0.5) * board.cell_mm)
        out = 15.5 if rows else 4
        for x_page in (view.left - out, view.left + view.width + out):
            yield text_line(
                str(grid.rows - y), x_page, place.y + 1.2, 3.4, anchor="middle", bold=True
            )


def has_column_strips(wiring: BoardWiring) -> bool:
    return any(line.axis == "columns" for line in led_runs(wiring.layout))
