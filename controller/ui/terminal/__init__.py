"""Renders positions, beams and turns as text for a terminal; prints nothing.

With `LARGEST_CELL` a square has 5 x 2 characters, a hexagon 4 x 2, so that every shipped board fits
80 x 25. A piece is its letter (a capital for the first player) and a sign for its direction.
Without colour the text has no escape codes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from controller.ui.terminal.canvas import LARGEST_CELL, CellSize, TextCanvas
from controller.ui.terminal.glyphs import CellRole
from engine.beam import Beam
from engine.draw import palette
from engine.draw.palette import player_paints
from engine.draw.pieces import turn_to_fire
from engine.game import AnyGame, AnyTurn, Piece, Position
from engine.grid import Cell, Grid

LISTED_KINDS = frozenset({"ship"})  # kinds whose hit points stand below the board
# From the best to the smallest; hexagons take the width that their slants need.
SQUARE_CELL_SIZES = (LARGEST_CELL, CellSize(5, 1), CellSize(4, 1), CellSize(3, 1))
HEXAGON_CELL_SIZES = (LARGEST_CELL, CellSize(5, 1))


def render_board(
    game: AnyGame,
    position: Position,
    beams: Sequence[Beam] = (),
    *,
    colour: bool,
    highlight: Collection[Cell] = (),
    cell_roles: Mapping[CellRole, Collection[Cell]] | None = None,
    cell_size: CellSize = LARGEST_CELL,
    legend: bool = True,
) -> str:
    """The board as lines of text, all of the same width.

    `highlight` are cells to point out, `cell_roles` those that mean something to whoever plays.
    """
    sheet = TextCanvas(position.grid, player_paints(game.players), cell_size)
    sheet.paint_backgrounds(game.marks(position), highlight if colour else ())
    sheet.draw_coordinates()
    sheet.draw_beams(beams)
    for cell, piece in turn_to_fire(position.pieces, beams).items():
        sheet.draw_piece(cell, piece, piece_letter(game, piece))
    for beam in beams:
        sheet.draw_beam_end(beam, on_piece=beam.end.cell in position.pieces)
    if not colour:
        for cell in highlight:
            sheet.draw_brackets(cell)
    sheet.mark_cells(cell_roles or {}, position.pieces, colour=colour)
    if legend:
        sheet.draw_legend(player_legend(game, position))
    return sheet.to_text(colour=colour)


def render_observation(
    game: AnyGame,
    grid: Grid,
    pieces: Mapping[Cell, Piece],
    covered: Collection[Cell],
    *,
    colour: bool,
) -> str:
    """What a camera read, be it a position or not; a question mark is on what it cannot see."""
    sheet = TextCanvas(grid, player_paints(game.players))
    sheet.paint_backgrounds({}, covered if colour else ())
    sheet.draw_coordinates()
    for cell in covered:
        sheet.put(sheet.centre(cell), "?", palette.PAPER)
    for cell, piece in pieces.items():
        sheet.draw_piece(cell, piece, piece_letter(game, piece))
    return sheet.to_text(colour=colour)


def beam_frames(
    game: AnyGame, turn: AnyTurn, *, colour: bool, cell_size: CellSize = LARGEST_CELL
) -> Iterator[str]:
    """A turn as a film: its beams grow by a cell a picture, what they hit flashes, then the
    position after. How fast is up to whoever shows it."""
    for length in range(1, beam_length(turn) + 1):
        yield render_board(
            game, turn.aimed, partial_beams(turn, length), colour=colour, cell_size=cell_size
        )
    hit = [loss.cell for loss in turn.losses]
    if hit:
        yield render_board(
            game, turn.aimed, turn.beams, colour=colour, highlight=hit, cell_size=cell_size
        )
        yield render_board(game, turn.aimed, turn.beams, colour=colour, cell_size=cell_size)
    yield render_board(game, turn.after, colour=colour, cell_size=cell_size)


def beam_length(turn: AnyTurn) -> int:
    """How many cells the longest beam of a turn runs."""
    return max((len(beam.steps) for beam in turn.beams), default=0)


def partial_beams(turn: AnyTurn, length: int) -> list[Beam]:
    """The beams of a turn when they have run so many cells."""
    return [replace(beam, steps=beam.steps[:length]) for beam in turn.beams if length > 0]


@lru_cache(maxsize=64)
def board_extent(grid: Grid, cell_size: CellSize) -> tuple[int, int]:
    """Columns and rows of a board without its legend."""
    sheet = TextCanvas(grid, player_paints(("", "")), cell_size)
    sheet.paint_backgrounds({}, ())
    sheet.draw_coordinates()
    lines = sheet.to_text(colour=False).split("\n")
    return len(lines[0]), len(lines)


def cell_sizes(grid: Grid) -> tuple[CellSize, ...]:
    """How a board can be drawn, from the best to the smallest."""
    return SQUARE_CELL_SIZES if grid.headings == 4 else HEXAGON_CELL_SIZES


def piece_letter(game: AnyGame, piece: Piece) -> str:
    letter = game.letters.get(piece.kind, piece.kind[:1] or "?")
    return letter.lower() if piece.owner else letter.upper()


def player_legend(game: AnyGame, position: Position) -> list[str]:
    """Who is who, and the hit points that have no room on the board."""
    return [
        f"{name}: {'small letters' if owner else 'CAPITALS'}"
        + "".join(
            f", {piece_letter(game, piece)} {piece.hit_points:>3} hp"
            for _, piece in sorted(position.pieces.items())
            if piece.owner == owner and piece.kind in LISTED_KINDS
        )
        for owner, name in enumerate(game.players)
    ]
