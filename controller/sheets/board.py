"""The board as a picture to print: cells, names, marks and corner tags, with little ink.

Everything is in millimetres of `vision.board`: the origin is the board's upper left corner. What
is printed on a cell is pale, so that the reader takes an empty cell for empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.sheets.caps import QUIET_MODULES
from controller.sheets.letters import width
from controller.sheets.marks import modules, number3
from controller.sheets.page import FAINT, INK, words
from engine.draw import palette
from engine.draw.palette import Paint, paints
from engine.draw.shapes import CELL, ORIGIN, Point, circle, corners, tag
from engine.game import AnyGame, Mark
from engine.grid import Cell
from vision import tags
from vision.board import PhysicalBoard

LINES, EDGE, TILE = "#aab4c3", "#5d6879", "#f2f5f9"
LINE_MM, EDGE_MM = 0.25, 0.6
AROUND_MM = 6.0  # beyond the corner tags
NAME_MM = 5.5  # letters beside the board
PALE = 0.35  # of white in the colour of a mark
TINT = 0.93


@dataclass(frozen=True, slots=True)
class Extent:
    """The whole sheet in millimetres of the board."""

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

    def meets(self, other: Extent, around: float = 0.0) -> bool:
        """Do they overlap, or are less than `around` apart?"""
        return (
            self.left < other.right + around
            and other.left < self.right + around
            and self.top < other.bottom + around
            and other.top < self.bottom + around
        )


@dataclass(frozen=True, slots=True)
class Name:
    """What a cell, a column or a row is called; it is centred on x and stands on y."""

    text: str
    x: float
    y: float
    size: float
    fill: str

    @property
    def box(self) -> Extent:
        half = width(self.text, self.size) / 2
        return Extent(
            self.x - half, self.y - 0.75 * self.size, self.x + half, self.y + 0.25 * self.size
        )


def extent(board: PhysicalBoard) -> Extent:
    (width, height), around = board.size_mm, _rim(board)
    return Extent(-around, -around, width + around, height + around)


def board_parts(
    whole: PhysicalBoard, playing: PhysicalBoard, game: AnyGame, named: Extent | None = None
) -> list[str]:
    """All cells of the board; names and marks are those of the game that is played on it.

    Only what lies in `named` has its name, where that is given.
    """
    parts = [_tiles(whole)]
    marks = constant_marks(game)
    sides = paints(game.players)
    for cell, mark in sorted(marks.items()):
        drawing = _MARKS.get(mark)
        if drawing is not None:
            parts.append(_at(playing, cell, drawing(playing.cell_mm / CELL, sides)))
    parts.append(_lines(whole))
    parts += _edge(playing)
    parts += [
        words(each.text, each.x, each.y, each.size, anchor="middle", fill=each.fill)
        for each in names(playing)
        if named is None or named.meets(each.box)
    ]
    parts += corner_tags(whole)
    return parts


def constant_marks(game: AnyGame) -> Mapping[Cell, Mark]:
    """The marks that every start of the game has; a map that is drawn anew has none."""
    setups = list(game.setups())
    if not setups:
        return {}
    found = [game.marks(game.start(setup)) for setup in setups]
    return {
        cell: mark
        for cell, mark in found[0].items()
        if all(other.get(cell) is mark for other in found)
    }


def corner_boxes(board: PhysicalBoard) -> Iterator[Extent]:
    """The corner tags with the white around them that they are read by."""
    half = board.corner_mm / 2 + QUIET_MODULES * board.corner_mm / tags.MODULES
    for x, y in board.corner_tags_mm():
        yield Extent(float(x) - half, float(y) - half, float(x) + half, float(y) + half)


def corner_tags(board: PhysicalBoard) -> Iterator[str]:
    side = board.corner_mm
    for number, (x, y) in zip(tags.CORNERS, board.corner_tags_mm(), strict=True):
        left, top = float(x) - side / 2, float(y) - side / 2
        yield modules(tags.modules(number) == 0, left, top, side)


def _rim(board: PhysicalBoard) -> float:
    quiet = QUIET_MODULES * board.corner_mm / tags.MODULES
    return board.corner_offset_mm + board.corner_mm / 2 + max(AROUND_MM, 2 * quiet)


def _at(board: PhysicalBoard, cell: Cell, *inside: str) -> str:
    x, y = board.centre_mm(cell)
    return tag("g", *inside, transform=f"translate({number3(x)} {number3(y)})")


def _path(board: PhysicalBoard, cell: Cell) -> str:
    scale = board.cell_mm / CELL
    x, y = board.centre_mm(cell)
    ends = [
        f"{number3(x + scale * each.x)} {number3(y + scale * each.y)}"
        for each in corners(board.grid)
    ]
    return "M" + "L".join(ends) + "Z"


def _tiles(board: PhysicalBoard) -> str:
    """Every other square is a little darker."""
    if board.grid.headings != 4:
        return ""
    middles = {cell: board.grid.centre(cell) for cell in range(board.grid.size)}
    dark = [cell for cell, (x, y) in middles.items() if (int(x) + int(y)) % 2]
    return tag("path", d="".join(_path(board, cell) for cell in dark), fill=TILE)


def _lines(board: PhysicalBoard) -> str:
    drawn = "".join(_path(board, cell) for cell in range(board.grid.size))
    return tag("path", d=drawn, fill="none", stroke=LINES, stroke_width=LINE_MM,
               stroke_linejoin="round")  # fmt: skip


def _edge(board: PhysicalBoard) -> Iterator[str]:
    """A line around all cells that are played on."""
    grid, scale = board.grid, board.cell_mm / CELL
    around = corners(grid)
    sides = []
    for cell in range(grid.size):
        x, y = board.centre_mm(cell)
        for heading in range(grid.headings):
            if grid.ahead(cell, heading) is None:
                # `corners` begins behind the side of heading 0.
                a, b = around[heading - 1], around[heading]
                sides.append(
                    f"M{number3(x + scale * a.x)} {number3(y + scale * a.y)}"
                    f"L{number3(x + scale * b.x)} {number3(y + scale * b.y)}"
                )
    yield tag("path", d="".join(sides), fill="none", stroke=EDGE, stroke_width=EDGE_MM,
              stroke_linecap="round")  # fmt: skip


def names(board: PhysicalBoard) -> Iterator[Name]:
    """Beside a board of squares on all sides; on the cells of any other."""
    grid = board.grid
    for cell in range(grid.size):
        name, (x, y) = grid.name(cell), board.centre_mm(cell)
        if grid.headings != 4:
            yield Name(name, x, y + 0.46 * board.cell_mm, 0.075 * board.cell_mm, FAINT)
            continue
        for heading in range(4):
            if grid.ahead(cell, heading) is None:
                label = name[1:] if heading % 2 else name[0]
                at = Point(x, y).towards(grid.degrees(heading), board.cell_mm / 2 + NAME_MM)
                yield Name(label, at.x, at.y + 0.35 * NAME_MM, NAME_MM, INK)


# -- marks, drawn around (0, 0) ----------------------------------------------------------------

Drawing = Callable[[float, Sequence[Paint]], str]


def _reserved(owner: int) -> Drawing:
    """A ring in the owner's colour: closed for the first, broken for the second."""

    def draw(scale: float, sides: Sequence[Paint]) -> str:
        colour = palette.mixed(sides[owner].body, "#ffffff", PALE)
        dashes = f"{number3(10.6 * scale)} {number3(8.5 * scale)}" if owner else "none"
        return circle(ORIGIN, 27 * scale, fill=palette.mixed(colour, "#ffffff", TINT),
                      stroke=colour, stroke_width=1.6 * scale, stroke_dasharray=dashes)  # fmt: skip

    return draw


def _laser_home(owner: int) -> Drawing:
    """Brackets in the corners: nothing else may ever stand here."""

    def draw(scale: float, sides: Sequence[Paint]) -> str:
        colour = palette.mixed(sides[owner].body, "#ffffff", PALE)
        brackets = "".join(
            f"M{number3(43 * sx * scale)} {number3(24 * sy * scale)}"
            f"V{number3(43 * sy * scale)}H{number3(24 * sx * scale)}"
            for sx in (-1, 1)
            for sy in (-1, 1)
        )
        side = 100 * scale
        tint = tag("rect", x=-side / 2, y=-side / 2, width=side, height=side,
                   fill=palette.mixed(colour, "#ffffff", TINT))  # fmt: skip
        return tint + tag("path", d=brackets, fill="none", stroke=colour, stroke_width=2.5 * scale,
                          stroke_linecap="round", stroke_linejoin="round")  # fmt: skip

    return draw


_MARKS: Mapping[Mark, Drawing] = {
    Mark.FIRST_ONLY: _reserved(0),
    Mark.SECOND_ONLY: _reserved(1),
    Mark.FIRST_LASER: _laser_home(0),
    Mark.SECOND_LASER: _laser_home(1),
}
