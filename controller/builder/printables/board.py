"""Draws the board for printing: cells, names, marks and corner tags.

Coordinates are those of `vision.board`: millimetres from the board's upper left corner. Print on
cells is pale, because the reader must take an empty cell for empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.builder.printables.caps import QUIET_MODULES
from controller.builder.printables.marks import draw_modules, format_mm
from engine.draw import palette
from engine.draw.font_metrics import text_width
from engine.draw.page import FAINT, INK, text_line
from engine.draw.palette import Paint, player_paints
from engine.draw.shapes import CELL, ORIGIN, Point, cell_corners, circle, element
from engine.game import AnyGame, Mark
from engine.grid import Cell
from vision import tags
from vision.board import PhysicalBoard

LINES, EDGE, TILE = "#aab4c3", "#5d6879", "#f2f5f9"
LINE_MM, EDGE_MM = 0.25, 0.6
RIM_MM = 6.0  # outside the corner tags
LABEL_MM = 5.5  # size of the letters beside the board
PALE = 0.35  # share of white in the colour of a mark
TINT = 0.93  # share of white in the background of a mark


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def overlaps(self, other: Extent, around: float = 0.0) -> bool:
        """Whether the rectangles overlap or are less than `around` apart."""
        return (
            self.left < other.right + around
            and other.left < self.right + around
            and self.top < other.bottom + around
            and other.top < self.bottom + around
        )


@dataclass(frozen=True, slots=True)
class CellLabel:
    """Name of a cell, column or row; centred on x, with its baseline at y."""

    text: str
    x: float
    y: float
    size: float
    fill: str

    @property
    def box(self) -> Extent:
        half = text_width(self.text, self.size) / 2
        return Extent(
            self.x - half, self.y - 0.75 * self.size, self.x + half, self.y + 0.25 * self.size
        )


def sheet_extent(board: PhysicalBoard) -> Extent:
    (width, height), around = board.size_mm, _rim_mm(board)
    return Extent(-around, -around, width + around, height + around)


def board_svg_parts(
    full_board: PhysicalBoard,
    game_board: PhysicalBoard,
    game: AnyGame,
    label_area: Extent | None = None,
) -> list[str]:
    """All cells of the board, with the names and marks of the game.

    Names outside `label_area` are left out.
    """
    parts = [_tiles(full_board)]
    marks = constant_marks(game)
    sides = player_paints(game.players)
    for cell, mark in sorted(marks.items()):
        drawing = _MARKS.get(mark)
        if drawing is not None:
            parts.append(_at(game_board, cell, drawing(game_board.cell_mm / CELL, sides)))
    parts.append(_lines(full_board))
    parts += _edge(game_board)
    parts += [
        text_line(each.text, each.x, each.y, each.size, anchor="middle", fill=each.fill)
        for each in cell_labels(game_board)
        if label_area is None or label_area.overlaps(each.box)
    ]
    parts += draw_corner_tags(full_board)
    return parts


def constant_marks(game: AnyGame) -> Mapping[Cell, Mark]:
    """The marks that all setups have in common; none for games with random maps."""
    setups = list(game.setups())
    if not setups:
        return {}
    marks = [game.marks(game.start(setup)) for setup in setups]
    return {
        cell: mark
        for cell, mark in marks[0].items()
        if all(other.get(cell) is mark for other in marks)
    }


def corner_tag_boxes(board: PhysicalBoard) -> Iterator[Extent]:
    """The corner tags with their quiet zones."""
    half = board.corner_mm / 2 + QUIET_MODULES * board.corner_mm / tags.MODULES
    for x, y in board.corner_tags_mm():
        yield Extent(float(x) - half, float(y) - half, float(x) + half, float(y) + half)


def draw_corner_tags(board: PhysicalBoard) -> Iterator[str]:
    side = board.corner_mm
    for number, (x, y) in zip(tags.CORNERS, board.corner_tags_mm(), strict=True):
        left, top = float(x) - side / 2, float(y) - side / 2
        yield draw_modules(tags.modules(number) == 0, left, top, side)


def _rim_mm(board: PhysicalBoard) -> float:
    quiet = QUIET_MODULES * board.corner_mm / tags.MODULES
    return board.corner_offset_mm + board.corner_mm / 2 + max(RIM_MM, 2 * quiet)


def _at(board: PhysicalBoard, cell: Cell, *inside: str) -> str:
    x, y = board.centre_mm(cell)
    return element("g", *inside, transform=f"translate({format_mm(x)} {format_mm(y)})")


def _path(board: PhysicalBoard, cell: Cell) -> str:
    scale = board.cell_mm / CELL
    x, y = board.centre_mm(cell)
    ends = [
        f"{format_mm(x + scale * each.x)} {format_mm(y + scale * each.y)}"
        for each in cell_corners(board.grid)
    ]
    return "M" + "L".join(ends) + "Z"


def _tiles(board: PhysicalBoard) -> str:
    """Darker tiles like those of a chessboard; none on hexagons."""
    if board.grid.headings != 4:
        return ""
    middles = {cell: board.grid.centre(cell) for cell in range(board.grid.size)}
    dark = [cell for cell, (x, y) in middles.items() if (int(x) + int(y)) % 2]
    return element("path", d="".join(_path(board, cell) for cell in dark), fill=TILE)


def _lines(board: PhysicalBoard) -> str:
    drawn = "".join(_path(board, cell) for cell in range(board.grid.size))
    return element("path", d=drawn, fill="none", stroke=LINES, stroke_width=LINE_MM,
               stroke_linejoin="round")  # fmt: skip


def _edge(board: PhysicalBoard) -> Iterator[str]:
    """A line around the cells of the game."""
    grid, scale = board.grid, board.cell_mm / CELL
    around = cell_corners(grid)
    sides = []
    for cell in range(grid.size):
        x, y = board.centre_mm(cell)
        for heading in range(grid.headings):
            if grid.ahead(cell, heading) is None:
                # The side of heading h lies between corners h - 1 and h.
                a, b = around[heading - 1], around[heading]
                sides.append(
                    f"M{format_mm(x + scale * a.x)} {format_mm(y + scale * a.y)}"
                    f"L{format_mm(x + scale * b.x)} {format_mm(y + scale * b.y)}"
                )
    yield element("path", d="".join(sides), fill="none", stroke=EDGE, stroke_width=EDGE_MM,
              stroke_linecap="round")  # fmt: skip


def cell_labels(board: PhysicalBoard) -> Iterator[CellLabel]:
    """Names on all four sides of a board of squares; on each cell of a board of hexagons."""
    grid = board.grid
    for cell in range(grid.size):
        name, (x, y) = grid.name(cell), board.centre_mm(cell)
        if grid.headings != 4:
            yield CellLabel(name, x, y + 0.46 * board.cell_mm, 0.075 * board.cell_mm, FAINT)
            continue
        for heading in range(4):
            if grid.ahead(cell, heading) is None:
                label = name[1:] if heading % 2 else name[0]
                at = Point(x, y).towards(grid.degrees(heading), board.cell_mm / 2 + LABEL_MM)
                yield CellLabel(label, at.x, at.y + 0.35 * LABEL_MM, LABEL_MM, INK)


# -- marks, drawn around (0, 0) ----------------------------------------------------------------

MarkDrawing = Callable[[float, Sequence[Paint]], str]


def _draw_reserved(owner: int) -> MarkDrawing:
    """A ring in the owner's colour: closed for the first, broken for the second."""

    def draw(scale: float, sides: Sequence[Paint]) -> str:
        colour = palette.mix_colours(sides[owner].body, "#ffffff", PALE)
        dashes = f"{format_mm(10.6 * scale)} {format_mm(8.5 * scale)}" if owner else "none"
        return circle(ORIGIN, 27 * scale, fill=palette.mix_colours(colour, "#ffffff", TINT),
                      stroke=colour, stroke_width=1.6 * scale, stroke_dasharray=dashes)  # fmt: skip

    return draw


def _draw_laser_home(owner: int) -> MarkDrawing:
    """Brackets in the corners of the laser's home cell."""

    def draw(scale: float, sides: Sequence[Paint]) -> str:
        colour = palette.mix_colours(sides[owner].body, "#ffffff", PALE)
        brackets = "".join(
            f"M{format_mm(43 * sx * scale)} {format_mm(24 * sy * scale)}"
            f"V{format_mm(43 * sy * scale)}H{format_mm(24 * sx * scale)}"
            for sx in (-1, 1)
            for sy in (-1, 1)
        )
        side = 100 * scale
        tint = element("rect", x=-side / 2, y=-side / 2, width=side, height=side,
                   fill=palette.mix_colours(colour, "#ffffff", TINT))  # fmt: skip
        return tint + element(
            "path", d=brackets, fill="none", stroke=colour, stroke_width=2.5 * scale,
            stroke_linecap="round", stroke_linejoin="round",
        )  # fmt: skip

    return draw


_MARKS: Mapping[Mark, MarkDrawing] = {
    Mark.FIRST_ONLY: _draw_reserved(0),
    Mark.SECOND_ONLY: _draw_reserved(1),
    Mark.FIRST_LASER: _draw_laser_home(0),
    Mark.SECOND_LASER: _draw_laser_home(1),
}
