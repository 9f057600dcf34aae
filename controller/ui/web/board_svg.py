"""Boards and pieces as SVG for the page.

Every piece is an element of its own, so that the page can move and turn it.
"""

from __future__ import annotations

from typing import Any

from engine.draw import board, palette, pieces
from engine.draw.board_json import Json
from engine.draw.palette import piece_tones, player_paints
from engine.draw.shapes import CELL, cell_corners, points_attribute
from engine.game import AnyGame, Piece
from engine.grid import Grid


def board_drawing_json(game: AnyGame, position: Any) -> Json:
    """Draw tiles, names, and a glyph for every kind of piece. A cell is `cell` wide; its centre is
    `cell` times its position in the grid."""
    grid, sides = position.grid, player_paints(game.players)
    centres = [grid.centre(cell) for cell in range(grid.size)]
    half_width, half_height = (max(side) for side in zip(*cell_corners(grid), strict=True))
    left, top = (CELL * min(each) for each in zip(*centres, strict=True))
    right, bottom = (CELL * max(each) for each in zip(*centres, strict=True))
    return {
        "cell": CELL,
        "extent": [
            left - half_width,
            top - half_height,
            right - left + 2 * half_width,
            bottom - top + 2 * half_height,
        ],
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
    """Draw the glyphs by `kind/owner/hit points`, around (0, 0) and facing straight up.

    The page rotates the elements of the class `turning`; the others stay upright. Not every number
    of hit points has a glyph: the page takes the next higher one.
    """
    sides = player_paints(game.players)
    glyphs: dict[str, str] = {}
    kinds = {(piece.kind, piece.owner) for piece in game.tags.values()}
    kinds |= {(piece.kind, piece.owner) for piece in position.pieces.values()}
    max_hit_points = {
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
        for hit_points in _hit_point_steps(max_hit_points[kind]):
            glyphs[f"{kind}/{owner}/{hit_points}"] = pieces.draw_piece(
                Piece(kind, owner, hit_points=hit_points),
                letter,
                piece_tones(sides[owner]),
                degrees=0.0,
                headings=grid.headings,
            )
    return glyphs


def _hit_point_steps(maximum: int) -> range:
    """The hit points that get a glyph: about 20 steps, which can be distinguished."""
    step = max(1, maximum // 20)
    return range(maximum, 0, -step)
