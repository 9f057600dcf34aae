"""All that is printed for a board: each part once, with how many of it are needed.

A part is a file of `hardware/bodies/` and the variables that it is rendered with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, product
from math import ceil

from controller.bodies.sizes import (
    BED_MM,
    TUBE_MM,
    Value,
    check,
    grid_sizes,
    mast_sizes,
    piece_sizes,
)
from controller.bodies.wanted import games_on, wanted
from controller.config import BoardFile
from controller.led_settings import LedSettings
from engine.draw.palette import Form
from engine.game import AnyGame
from engine.grid import SquareGrid
from vision.board import PhysicalBoard

MAST = {
    "foot": "screwed or clamped down beside the board",
    "elbow": "joins the upright tube and the arm",
    "head": "on the end of the arm",
    "pi": "holds a Raspberry Pi camera module",
    "webcam": "instead of it: holds a webcam by its tripod thread, 1/4 inch",
}


class Group(StrEnum):
    """What a part belongs to, and the folder that its file goes into."""

    PIECES = "pieces"
    MAST = "mast"
    GRID = "grid"


@dataclass(frozen=True)
class Part:
    """One thing to print, as it lies on the bed."""

    group: Group
    name: str
    source: str
    values: tuple[tuple[str, Value], ...]
    count: int = 1
    about: str = ""

    @property
    def path(self) -> str:
        return f"{self.group}/{self.name}.stl"


def parts(file: BoardFile, tube_mm: float = TUBE_MM) -> list[Part]:
    """Pieces of every game that the board has room for, the mast, and the light grid."""
    made = [*piece_parts(file.board), *mast_parts(tube_mm)]
    if file.leds is not None and isinstance(file.board.grid, SquareGrid):
        made += grid_parts(file.board, file.leds)
    return made


def piece_parts(board: PhysicalBoard) -> list[Part]:
    """Bodies and trays. What two games share is needed as often as the hungrier one says."""
    check(board)
    bodies: dict[tuple[str, Form], int] = {}
    trays: dict[Form, int] = dict.fromkeys(Form, 0)
    games = games_on(board)
    for game in games:
        for each in wanted(game):
            key = each.body, each.form
            bodies[key] = max(bodies.get(key, 0), each.count)
    for form in Form:
        trays[form] = sum(count for (_, of), count in bodies.items() if of is form)
    made = [
        _piece(f"{kind}-{form}", board, form, count, _players(games, form), part="body", kind=kind)
        for (kind, form), count in bodies.items()
    ]
    return made + [
        _piece(f"tray-{form}", board, form, count, _players(games, form), part="tray")
        for form, count in trays.items()
        if count
    ]


def mast_parts(tube_mm: float = TUBE_MM) -> list[Part]:
    return [
        Part(Group.MAST, name, "mast.scad", _sorted(mast_sizes(tube_mm), part=name), 1, about)
        for name, about in MAST.items()
    ]


def grid_parts(board: PhysicalBoard, leds: LedSettings) -> list[Part]:
    """Tiles of whole squares, as equal as may be, that together lie under all of the board."""
    assert isinstance(board.grid, SquareGrid), "hexagons have no straight walls"
    along_rows = all(strip.axis == "rows" for strip in leds.strips)
    sizes = grid_sizes(board, leds)
    across = _shares(board.grid.columns, board.cell_mm)
    down = _shares(board.grid.rows, board.cell_mm)
    tiles = sorted(product(across, down), reverse=True)
    return [
        Part(
            Group.GRID,
            f"tile-{columns}x{rows}",
            "grid.scad",
            _sorted(sizes, columns=columns, rows=rows, along_rows=along_rows),
            len(list(same)),
            f"{columns} x {rows} squares of the light grid",
        )
        for (columns, rows), same in groupby(tiles)
    ]


def _shares(cells: int, cell_mm: float) -> Iterator[int]:
    most = max(1, int(BED_MM // cell_mm))
    pieces = ceil(cells / most)
    return iter([cells // pieces + (i < cells % pieces) for i in range(pieces)])


def _piece(
    name: str, board: PhysicalBoard, form: Form, count: int, about: str, **values: Value
) -> Part:
    return Part(
        Group.PIECES, name, "piece.scad", _sorted(piece_sizes(board, form), **values), count, about
    )


def _players(games: list[AnyGame], form: Form) -> str:
    """Who has pieces of that form: `blue`, or `first` where there are no colours."""
    return ", ".join(
        dict.fromkeys(each.player for game in games for each in wanted(game) if each.form is form)
    )


def _sorted(sizes: dict[str, Value], **values: Value) -> tuple[tuple[str, Value], ...]:
    return tuple(sorted((sizes | values).items()))
