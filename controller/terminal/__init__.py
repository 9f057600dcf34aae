"""Positions, beams and turns as text for a terminal: pure text comes back, nothing is printed.

With `ROOMY`, a square is five columns wide and two rows high, a hexagon four by two, so every
board of ours fits 80 x 25. A piece is its letter (a capital for the first player) and a sign for
the way it faces. Without colour the text holds no escape codes at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from controller.terminal.sheet import ROOMY, Room, Sheet
from controller.terminal.signs import Spot
from engine.beam import Beam
from engine.draw import palette
from engine.draw.palette import paints
from engine.draw.pieces import facing
from engine.game import AnyGame, AnyTurn, Piece, Position
from engine.grid import Cell, Grid

LISTED = frozenset({"ship"})  # kinds whose hit points stand below the board
# From the best to the smallest; hexagons take the width that their slants need.
SQUARE_ROOMS = (ROOMY, Room(5, 1), Room(4, 1), Room(3, 1))
HEXAGON_ROOMS = (ROOMY, Room(5, 1))


def picture(
    game: AnyGame,
    position: Position,
    beams: Sequence[Beam] = (),
    *,
    colour: bool,
    highlight: Collection[Cell] = (),
    spots: Mapping[Spot, Collection[Cell]] | None = None,
    room: Room = ROOMY,
    legend: bool = True,
) -> str:
    """The board as lines of text, all of the same width.

    `highlight` are cells to point out, `spots` those that mean something to whoever plays.
    """
    sheet = Sheet(position.grid, paints(game.players), room)
    sheet.ground(game.marks(position), highlight if colour else ())
    sheet.coordinates()
    sheet.beams(beams)
    for cell, piece in facing(position.pieces, beams).items():
        sheet.piece(cell, piece, letter_of(game, piece))
    for beam in beams:
        sheet.ending(beam, on_piece=beam.end.cell in position.pieces)
    if not colour:
        for cell in highlight:
            sheet.brackets(cell)
    sheet.spots(spots or {}, position.pieces, colour=colour)
    if legend:
        sheet.legend(owners(game, position))
    return sheet.text(colour=colour)


def seen_picture(
    game: AnyGame,
    grid: Grid,
    pieces: Mapping[Cell, Piece],
    covered: Collection[Cell],
    *,
    colour: bool,
) -> str:
    """What a camera read, be it a position or not; a question mark is on what it cannot see."""
    sheet = Sheet(grid, paints(game.players))
    sheet.ground({}, covered if colour else ())
    sheet.coordinates()
    for cell in covered:
        sheet.put(sheet.middle(cell), "?", palette.PAPER)
    for cell, piece in pieces.items():
        sheet.piece(cell, piece, letter_of(game, piece))
    return sheet.text(colour=colour)


def beam_frames(game: AnyGame, turn: AnyTurn, *, colour: bool, room: Room = ROOMY) -> Iterator[str]:
    """A turn as a film: its beams grow by a cell a picture, what they hit flashes, then the
    position after. How fast is up to whoever shows it."""
    for length in range(1, beam_length(turn) + 1):
        yield picture(game, turn.aimed, grown(turn, length), colour=colour, room=room)
    hit = [loss.cell for loss in turn.losses]
    if hit:
        yield picture(game, turn.aimed, turn.beams, colour=colour, highlight=hit, room=room)
        yield picture(game, turn.aimed, turn.beams, colour=colour, room=room)
    yield picture(game, turn.after, colour=colour, room=room)


def beam_length(turn: AnyTurn) -> int:
    """How many cells the longest beam of a turn runs."""
    return max((len(beam.steps) for beam in turn.beams), default=0)


def grown(turn: AnyTurn, length: int) -> list[Beam]:
    """The beams of a turn when they have run so many cells."""
    return [replace(beam, steps=beam.steps[:length]) for beam in turn.beams if length > 0]


@lru_cache(maxsize=64)
def extent(grid: Grid, room: Room) -> tuple[int, int]:
    """Columns and rows of a board without its legend."""
    sheet = Sheet(grid, paints(("", "")), room)
    sheet.ground({}, ())
    sheet.coordinates()
    lines = sheet.text(colour=False).split("\n")
    return len(lines[0]), len(lines)


def rooms(grid: Grid) -> tuple[Room, ...]:
    """How a board can be drawn, from the best to the smallest."""
    return SQUARE_ROOMS if grid.headings == 4 else HEXAGON_ROOMS


def letter_of(game: AnyGame, piece: Piece) -> str:
    letter = game.letters.get(piece.kind, piece.kind[:1] or "?")
    return letter.lower() if piece.owner else letter.upper()


def owners(game: AnyGame, position: Position) -> list[str]:
    """Who is who, and the hit points that have no room on the board."""
    return [
        f"{name}: {'small letters' if owner else 'CAPITALS'}"
        + "".join(
            f", {letter_of(game, piece)} {piece.hit_points:>3} hp"
            for _, piece in sorted(position.pieces.items())
            if piece.owner == owner and piece.kind in LISTED
        )
        for owner, name in enumerate(game.players)
    ]
