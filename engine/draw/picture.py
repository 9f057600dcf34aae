"""Draws a complete picture: board, last move, pieces, beams, bursts, and a description."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.beam import Beam
from engine.draw import beams as light
from engine.draw import board, catalogue, palette, pieces, words
from engine.draw.palette import Paint, piece_tones, player_paints
from engine.draw.shapes import (
    ORIGIN,
    Point,
    cell_centre,
    cell_corners,
    element,
    escape,
    format_number,
    text_element,
    translate,
)
from engine.game import AnyGame, AnyTurn, Loss, Piece, Position
from engine.grid import Cell, Grid

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, sans-serif"
RIM = 46.0
HEADING = 44.0
LEGEND = 34.0


def turn_svg(game: AnyGame, turn: AnyTurn) -> str:
    """A turn at the moment of its beams: captured pieces are still visible, with a burst."""
    return position_svg(
        game,
        turn.aimed,
        turn.beams,
        losses=turn.losses,
        last_move_cells=words.changed_cells(turn.before, turn.aimed),
        title=str(words.headline(game, turn)),
    )


def position_svg(
    game: AnyGame,
    position: Position,
    beams: Sequence[Beam] = (),
    *,
    losses: Sequence[Loss] = (),
    last_move_cells: Iterable[Cell] = (),
    title: str = "",
) -> str:
    """A position as a picture.

    Removed pieces in `losses` burst, the others show their lost hit points. `last_move_cells` are
    highlighted, and `title` is above the board.
    """
    grid, sides = position.grid, player_paints(game.players)
    left, top, right, bottom = _extent(grid)
    head = HEADING if title else 0.0
    x, y = left - RIM, top - RIM - head
    width, height = right - left + 2 * RIM, bottom - top + 2 * RIM + head + LEGEND
    burst = light.capture_cells(beams) | {loss.cell for loss in losses if loss.removed}
    lines = light.routes(grid, beams)
    lit = list(zip(beams, lines, strict=True))
    parts = [
        element("title", escape(title or game.title)),
        element("desc", escape(str(words.describe_picture(game, position, beams)))),
        _background(x, y, width, height),
        _heading(title, Point(x + width / 2, y + HEADING / 2 + 8), width) if title else "",
        *board.tiles(grid, game.marks(position), sides),
        *board.coordinates(grid),
        *board.highlights(grid, last_move_cells),
        *(light.glow(line, sides[beam.owner]) for beam, line in lit),
        *(
            _piece(game, grid, cell, piece, sides, ghost=cell in burst)
            for cell, piece in pieces.turn_to_fire(position.pieces, beams).items()
        ),
        *(
            light.beam_line(grid, beam, line, sides[beam.owner], game.players[beam.owner])
            for beam, line in lit
        ),
        *(light.burst(cell_centre(grid, cell)) for cell in sorted(burst)),
        *(_loss_badge(grid, loss) for loss in losses if not loss.removed),
        _legend(game, sides, grid, Point(x + width / 2, y + height - LEGEND / 2 - 8)),
    ]
    view = " ".join(map(format_number, (x, y, width, height)))
    return element("svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=view, role="img",
               font_family=FONT)  # fmt: skip


def _extent(grid: Grid) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the board."""
    middles = [cell_centre(grid, cell) for cell in range(grid.size)] or [ORIGIN]
    xs, ys = [p.x for p in middles], [p.y for p in middles]
    wide, high = (max(side) for side in zip(*cell_corners(grid), strict=True))
    return min(xs) - wide, min(ys) - high, max(xs) + wide, max(ys) + high


def _background(x: float, y: float, width: float, height: float) -> str:
    outer = element("rect", x=x, y=y, width=width, height=height, rx=22, fill=palette.BACKGROUND)
    inner = element(
        "rect", x=x + 6, y=y + 6, width=width - 12, height=height - 12, rx=17, fill=palette.RIM,
        stroke="#2a3448", stroke_width=1.5,
    )  # fmt: skip
    return outer + inner


def _heading(title: str, at: Point, width: float) -> str:
    size = min(26.0, (width - 60) / (0.56 * len(title)))
    return text_element(title, at, size, palette.PAPER, font_weight="600", class_="heading")


def _piece(
    game: AnyGame, grid: Grid, cell: Cell, piece: Piece, sides: Sequence[Paint], *, ghost: bool
) -> str:
    owner = game.players[piece.owner]
    label = catalogue.PIECE_ON(player=owner, kind=piece.kind, cell=grid.name(cell))
    drawn = pieces.draw_piece(
        piece,
        game.letters.get(piece.kind, piece.kind[:1].upper() or "?"),
        piece_tones(sides[piece.owner]),
        degrees=grid.degrees(piece.orientation),
        headings=grid.headings,
    )
    return element(
        "g",
        element("title", escape(str(label))),
        drawn,
        class_="piece",
        data_cell=grid.name(cell),
        data_kind=piece.kind,
        data_owner=owner,
        transform=translate(cell_centre(grid, cell)),
        **({"opacity": 0.7} if ghost else {}),
    )


def _loss_badge(grid: Grid, loss: Loss) -> str:
    x, y = cell_centre(grid, loss.cell)
    plate = element("rect", x=x + 4, y=y - 48, width=37, height=20, rx=10, fill=palette.SHADE,
                stroke=palette.FIRE[0], stroke_width=2)  # fmt: skip
    count = text_element(
        f"-{loss.hits}", Point(x + 22, y - 37.5), 15, palette.FIRE[1], font_weight="bold"
    )
    return element("g", plate, count, class_="lost")


def _legend(game: AnyGame, sides: Sequence[Paint], grid: Grid, at: Point) -> str:
    """The bases of both sides with their names."""
    parts = []
    for owner, name in enumerate(game.players):
        x = at.x + (-1 if owner == 0 else 1) * 70
        chip = pieces.base(piece_tones(sides[owner]), grid.headings, 0.28)
        label = text_element(name, Point(20, 0), 18, palette.PAPER, text_anchor="start")
        parts.append(element("g", chip, label, transform=translate(Point(x - 20, at.y))))
    return element("g", *parts, class_="legend")
