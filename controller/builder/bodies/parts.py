"""Lists the printed parts of a board, each once with its quantity.

A part is a source file in `hardware/bodies/` and the variables to render it with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, product
from math import ceil

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.dimensions import (
    PRINT_BED_MM,
    TUBE_MM,
    ScadValue,
    check_body_fits,
    grid_variables,
    mast_variables,
    piece_variables,
)
from controller.builder.bodies.piece_list import games_for_board, list_piece_sets
from controller.config.board_file import BoardFile
from controller.config.leds import LedSettings
from engine.draw.palette import SideShape
from engine.game import AnyGame
from engine.grid import SquareGrid
from engine.sentences import Sentence
from vision.board import PhysicalBoard

MAST_PART_NOTES = {
    "foot": sentences.MAST_FOOT,
    "elbow": sentences.MAST_ELBOW,
    "head": sentences.MAST_HEAD,
    "pi": sentences.MAST_PI,
    "webcam": sentences.MAST_WEBCAM,
}


class PartGroup(StrEnum):
    """The group of a part; also the folder of its STL file."""

    PIECES = "pieces"
    MAST = "mast"
    GRID = "grid"


@dataclass(frozen=True)
class PrintedPart:
    """One part to print, oriented as it lies on the print bed."""

    group: PartGroup
    name: str
    scad_file: str
    variables: tuple[tuple[str, ScadValue], ...]
    count: int = 1
    note: Sentence | None = None

    @property
    def path(self) -> str:
        return f"{self.group}/{self.name}.stl"


def printed_parts(file: BoardFile, tube_mm: float = TUBE_MM) -> list[PrintedPart]:
    """Pieces of every game that fits on the board, the mast, and the light grid."""
    parts = [*piece_parts(file.board), *mast_parts(tube_mm)]
    if file.leds is not None and isinstance(file.board.grid, SquareGrid):
        parts += grid_parts(file.board, file.leds)
    return parts


def piece_parts(board: PhysicalBoard) -> list[PrintedPart]:
    """Bodies and trays. Games share pieces: the larger quantity counts."""
    check_body_fits(board)
    bodies: dict[tuple[str, SideShape], int] = {}
    trays: dict[SideShape, int] = dict.fromkeys(SideShape, 0)
    games = games_for_board(board)
    for game in games:
        for each in list_piece_sets(game):
            key = each.body, each.form
            bodies[key] = max(bodies.get(key, 0), each.count)
    for form in SideShape:
        trays[form] = sum(count for (_, of), count in bodies.items() if of is form)
    body_parts = [
        _piece_part(
            f"{kind}-{form}",
            board,
            form,
            count,
            _players_of_form(games, form),
            part="body",
            kind=kind,
        )
        for (kind, form), count in bodies.items()
    ]
    return body_parts + [
        _piece_part(f"tray-{form}", board, form, count, _players_of_form(games, form), part="tray")
        for form, count in trays.items()
        if count
    ]


def mast_parts(tube_mm: float = TUBE_MM) -> list[PrintedPart]:
    return [
        PrintedPart(
            PartGroup.MAST,
            name,
            "mast.scad",
            _merge_sorted(mast_variables(tube_mm), part=name),
            1,
            note(),
        )
        for name, note in MAST_PART_NOTES.items()
    ]


def grid_parts(board: PhysicalBoard, leds: LedSettings) -> list[PrintedPart]:
    """Tiles of similar size that cover the board; each has whole squares and fits the print bed."""
    assert isinstance(board.grid, SquareGrid), "walls between hexagons are not straight"
    along_rows = all(strip.axis == "rows" for strip in leds.strips)
    sizes = grid_variables(board, leds)
    across = _split_evenly(board.grid.columns, board.cell_mm)
    down = _split_evenly(board.grid.rows, board.cell_mm)
    tiles = sorted(product(across, down), reverse=True)
    return [
        PrintedPart(
            PartGroup.GRID,
            f"tile-{columns}x{rows}",
            "grid.scad",
            _merge_sorted(sizes, columns=columns, rows=rows, along_rows=along_rows),
            len(list(same)),
            sentences.GRID_TILE(columns=columns, rows=rows),
        )
        for (columns, rows), same in groupby(tiles)
    ]


def _split_evenly(cells: int, cell_mm: float) -> Iterator[int]:
    most = max(1, int(PRINT_BED_MM // cell_mm))
    tiles = ceil(cells / most)
    return iter([cells // tiles + (i < cells % tiles) for i in range(tiles)])


def _piece_part(
    name: str,
    board: PhysicalBoard,
    form: SideShape,
    count: int,
    note: Sentence,
    **values: ScadValue,
) -> PrintedPart:
    return PrintedPart(
        PartGroup.PIECES,
        name,
        "piece.scad",
        _merge_sorted(piece_variables(board, form), **values),
        count,
        note,
    )


def _players_of_form(games: list[AnyGame], form: SideShape) -> Sentence:
    """The players whose pieces have this shape: `blue`, or `first` in games without colours."""
    players = dict.fromkeys(
        each.player for game in games for each in list_piece_sets(game) if each.form is form
    )
    return sentences.PIECES_OF(players=tuple(players))


def _merge_sorted(
    sizes: dict[str, ScadValue], **values: ScadValue
) -> tuple[tuple[str, ScadValue], ...]:
    return tuple(sorted((sizes | values).items()))
