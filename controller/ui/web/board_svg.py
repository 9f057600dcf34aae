"""Boards and pieces as SVG for the page, one element for each piece, so that the page can move and
turn it."""

from __future__ import annotations

from typing import Any

from engine.draw import board, palette, pieces
from engine.draw.board_json import Json
from engine.draw.palette import piece_tones, player_paints
from engine.draw.shapes import CELL, cell_corners, points_attribute
from engine.game import AnyGame, Piece
from engine.grid import Grid


def board_drawing_json(game: AnyGame, position: Any) -> Json:
    """Tiles, names and a glyph for every kind of piece; a cell is `cell` wide, and its middle is
    `cell` times its place in the grid."""
    grid, sides = position.grid, player_paints(game.players)
    middles = [grid.centre(cell) for cell in range(grid.size)]
    wide, high = (max(side) for side in zip(*cell_corners(grid), strict=True))
    left, top = (CELL * min(each) for each in zip(*middles, strict=True))
    right, bottom = (CELL * max(each) for each in zip(*middles, strict=True))
    return {
        "cell": CELL,
        "extent": [left - wide, top - high, right - left + 2 * wide, bottom - top + 2 * high],
        "outline": points_attribute(cell_corners(grid, 3)),
        "tiles": "".join(board.tiles(grid, game.marks(position), sides)),
        "names": "".join(board.coordinates(grid)),
        "glyphs": _glyphs(game, position, grid),
        "colours": {
            "background": palette.BACKGROUND,
            "rim": palette.RIM,
            "ink": palette.INK,
            "paper": palette.PAPER,
            "last": palette.LAST_MOVE,
            "fire": list(palette.FIRE),
        },
    }


def _glyphs(game: AnyGame, position: Any, grid: Grid) -> dict[str, str]:
    """By `kind/owner/hit points`, drawn around (0, 0) facing straight up; what is in a group of
    the class `turning` is to be turned by the piece's degrees, the rest stays upright. Of many hit
    points only some are drawn: the next higher one will do."""
    sides, found = player_paints(game.players), {}
    kinds = {(piece.kind, piece.owner) for piece in game.tags.values()}
    kinds |= {(piece.kind, piece.owner) for piece in position.pieces.values()}
    strongest = {
        kind: max(
            [
                game.full_hit_points(kind),
                *(each.hit_points for each in position.pieces.values() if each.kind == kind),
            ]
        )
        for kind, _ in kinds
    }
    for kind, owner in sorted(kinds):
        letter = game.letters.get(kind, kind[:1].upper() or "?")
        for left in _hit_point_steps(strongest[kind]):
            found[f"{kind}/{owner}/{left}"] = pieces.draw_piece(
                Piece(kind, owner, hit_points=left),
                letter,
                piece_tones(sides[owner]),
                degrees=0.0,
                headings=grid.headings,
            )
    return found


def _hit_point_steps(most: int) -> range:
    """The hit points that a piece may have left, in steps that can be told apart."""
    step = max(1, most // 20)
    return range(most, 0, -step)
