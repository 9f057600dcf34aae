"""Renders positions, beams and turns as text for a terminal; prints nothing.

With `MAX_CELL_SIZE` a square has 5 x 2 characters, a hexagon 4 x 2, so that every shipped board
fits 80 x 25. A piece is its letter (a capital for the first player) and a character for its
direction. Without colour the text has no escape codes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from controller.ui.terminal import sentences
from controller.ui.terminal.canvas import MAX_CELL_SIZE, CellSize, TextCanvas
from controller.ui.terminal.glyphs import CellRole
from engine.beam import Beam
from engine.draw import palette
from engine.draw.palette import player_paints
from engine.draw.pieces import turn_to_fire
from engine.game import AnyGame, AnyTurn, Piece, Player, Position
from engine.grid import Cell, Grid
from engine.sentences import Sentence, joined

LISTED_KINDS = frozenset({"ship"})  # kinds whose hit points are printed below the board
# From the largest to the smallest. Hexagons always have four columns.
SQUARE_CELL_SIZES = (MAX_CELL_SIZE, CellSize(5, 1), CellSize(4, 1), CellSize(3, 1))
HEXAGON_CELL_SIZES = (MAX_CELL_SIZE, CellSize(5, 1))


def render_board(
    game: AnyGame,
    position: Position,
    beams: Sequence[Beam] = (),
    *,
    colour: bool,
    highlight: Collection[Cell] = (),
    cell_roles: Mapping[CellRole, Collection[Cell]] | None = None,
    cell_size: CellSize = MAX_CELL_SIZE,
    legend: bool = True,
) -> str:
    """The board as lines of text, all of the same width.

    `highlight` marks cells that were hit; `cell_roles` marks cells for the player.
    """
    canvas = TextCanvas(position.grid, player_paints(game.players), cell_size)
    canvas.paint_backgrounds(game.marks(position), highlight if colour else ())
    canvas.draw_coordinates()
    canvas.draw_beams(beams)
    for cell, piece in turn_to_fire(position.pieces, beams).items():
        canvas.draw_piece(cell, piece, piece_letter(game, piece))
    for beam in beams:
        canvas.draw_beam_end(beam, on_piece=beam.end.cell in position.pieces)
    if not colour:
        for cell in highlight:
            canvas.draw_brackets(cell)
    canvas.mark_cells(cell_roles or {}, position.pieces, colour=colour)
    if legend:
        canvas.draw_legend(list(map(str, player_legend(game, position))))
    return canvas.to_text(colour=colour)


def render_observation(
    game: AnyGame,
    grid: Grid,
    pieces: Mapping[Cell, Piece],
    covered: Collection[Cell],
    *,
    colour: bool,
) -> str:
    """A camera reading, which need not be a position; covered cells show a question mark."""
    canvas = TextCanvas(grid, player_paints(game.players))
    canvas.paint_backgrounds({}, covered if colour else ())
    canvas.draw_coordinates()
    for cell in covered:
        canvas.put(canvas.centre(cell), "?", palette.PAPER)
    for cell, piece in pieces.items():
        canvas.draw_piece(cell, piece, piece_letter(game, piece))
    return canvas.to_text(colour=colour)


def beam_length(turn: AnyTurn) -> int:
    """The number of cells of the turn's longest beam."""
    return max((len(beam.steps) for beam in turn.beams), default=0)


def partial_beams(turn: AnyTurn, length: int) -> list[Beam]:
    """The first `length` cells of a turn's beams."""
    return [replace(beam, steps=beam.steps[:length]) for beam in turn.beams if length > 0]


@lru_cache(maxsize=64)
def board_extent(grid: Grid, cell_size: CellSize) -> tuple[int, int]:
    """The columns and rows of a board without its legend."""
    canvas = TextCanvas(grid, player_paints(("", "")), cell_size)
    canvas.paint_backgrounds({}, ())
    canvas.draw_coordinates()
    lines = canvas.to_text(colour=False).split("\n")
    return len(lines[0]), len(lines)


def cell_sizes(grid: Grid) -> tuple[CellSize, ...]:
    """The sizes in which a board can be drawn, from the largest to the smallest."""
    return SQUARE_CELL_SIZES if grid.headings == 4 else HEXAGON_CELL_SIZES


def piece_letter(game: AnyGame, piece: Piece) -> str:
    letter = game.letters.get(piece.kind, piece.kind[:1] or "?")
    return letter.lower() if piece.owner else letter.upper()


def player_legend(game: AnyGame, position: Position) -> list[Sentence]:
    """For each player the case of the letters, and hit points that do not fit on the board."""
    return [
        sentences.LEGEND(player=name, letters=player_letters(game, position, owner))
        for owner, name in enumerate(game.players)
    ]


def player_letters(game: AnyGame, position: Position, owner: Player) -> Sentence:
    """A player's entry of the legend, without the name."""
    points = (
        sentences.PIECE_POINTS(letter=piece_letter(game, piece), points=piece.hit_points)
        for _, piece in sorted(position.pieces.items())
        if piece.owner == owner and piece.kind in LISTED_KINDS
    )
    letters = sentences.SMALL_LETTERS() if owner else sentences.CAPITALS()
    return joined((letters, *points), ", ")
