"""The whole picture: board, last move, pieces, beams, bursts, and the same in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.beam import Beam
from engine.draw import beams as light
from engine.draw import board, palette, pieces, words
from engine.draw.palette import Paint, paints, tones
from engine.draw.shapes import (
    ORIGIN,
    Point,
    corners,
    escape,
    middle,
    moved_to,
    number,
    tag,
    text,
)
from engine.game import AnyGame, AnyTurn, Loss, Piece, Position
from engine.grid import Cell, Grid

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, sans-serif"
RIM = 46.0
HEADING = 44.0
LEGEND = 34.0


def turn_svg(game: AnyGame, turn: AnyTurn) -> str:
    """A turn at the moment of its beams: captured pieces are still there, and burst."""
    return svg(
        game,
        turn.aimed,
        turn.beams,
        losses=turn.losses,
        last=words.changed(turn.before, turn.aimed),
        title=words.headline(game, turn),
    )


def svg(
    game: AnyGame,
    position: Position,
    beams: Sequence[Beam] = (),
    *,
    losses: Sequence[Loss] = (),
    last: Iterable[Cell] = (),
    title: str = "",
) -> str:
    """A position as a picture.

    `losses` are pieces that the beams hit (removed ones burst, the others show what they lost),
    `last` are the cells of the last move, and `title` stands above the board.
    """
    grid, sides = position.grid, paints(game.players)
    left, top, right, bottom = _extent(grid)
    head = HEADING if title else 0.0
    x, y = left - RIM, top - RIM - head
    width, height = right - left + 2 * RIM, bottom - top + 2 * RIM + head + LEGEND
    burst = light.captures(beams) | {loss.cell for loss in losses if loss.removed}
    lines = light.routes(grid, beams)
    lit = list(zip(beams, lines, strict=True))
    parts = [
        tag("title", escape(title or game.title)),
        tag("desc", escape(words.describe(game, position, beams))),
        _paper(x, y, width, height),
        _heading(title, Point(x + width / 2, y + HEADING / 2 + 8), width) if title else "",
        *board.tiles(grid, game.marks(position), sides),
        *board.coordinates(grid),
        *board.highlights(grid, last),
        *(light.glow(line, sides[beam.owner]) for beam, line in lit),
        *(
            _piece(game, grid, cell, piece, sides, ghost=cell in burst)
            for cell, piece in pieces.facing(position.pieces, beams).items()
        ),
        *(
            light.core(grid, beam, line, sides[beam.owner], game.players[beam.owner])
            for beam, line in lit
        ),
        *(light.burst(middle(grid, cell)) for cell in sorted(burst)),
        *(_lost(grid, loss) for loss in losses if not loss.removed),
        _legend(game, sides, grid, Point(x + width / 2, y + height - LEGEND / 2 - 8)),
    ]
    view = " ".join(map(number, (x, y, width, height)))
    return tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=view, role="img",
               font_family=FONT)  # fmt: skip


def _extent(grid: Grid) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the board."""
    middles = [middle(grid, cell) for cell in range(grid.size)] or [ORIGIN]
    xs, ys = [p.x for p in middles], [p.y for p in middles]
    wide, high = (max(side) for side in zip(*corners(grid), strict=True))
    return min(xs) - wide, min(ys) - high, max(xs) + wide, max(ys) + high


def _paper(x: float, y: float, width: float, height: float) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, rx=22, fill=palette.BACKGROUND) + tag(
        "rect", x=x + 6, y=y + 6, width=width - 12, height=height - 12, rx=17, fill=palette.RIM,
        stroke="#2a3448", stroke_width=1.5,
    )  # fmt: skip


def _heading(title: str, at: Point, width: float) -> str:
    size = min(26.0, (width - 60) / (0.56 * len(title)))
    return text(title, at, size, palette.PAPER, font_weight="600", class_="heading")


def _piece(
    game: AnyGame, grid: Grid, cell: Cell, piece: Piece, sides: Sequence[Paint], *, ghost: bool
) -> str:
    owner = game.players[piece.owner]
    drawn = pieces.draw(
        piece,
        game.letters.get(piece.kind, piece.kind[:1].upper() or "?"),
        tones(sides[piece.owner]),
        degrees=grid.degrees(piece.orientation),
        headings=grid.headings,
    )
    return tag(
        "g",
        tag("title", escape(f"{owner} {piece.kind} on {grid.name(cell)}")),
        drawn,
        class_="piece",
        data_cell=grid.name(cell),
        data_kind=piece.kind,
        data_owner=owner,
        transform=moved_to(middle(grid, cell)),
        **({"opacity": 0.7} if ghost else {}),
    )


def _lost(grid: Grid, loss: Loss) -> str:
    x, y = middle(grid, loss.cell)
    plate = tag("rect", x=x + 4, y=y - 48, width=37, height=20, rx=10, fill=palette.SHADE,
                stroke=palette.FIRE[0], stroke_width=2)  # fmt: skip
    count = text(f"-{loss.hits}", Point(x + 22, y - 37.5), 15, palette.FIRE[1], font_weight="bold")
    return tag("g", plate, count, class_="lost")


def _legend(game: AnyGame, sides: Sequence[Paint], grid: Grid, at: Point) -> str:
    """Whose pieces look how."""
    parts = []
    for owner, name in enumerate(game.players):
        x = at.x + (-1 if owner == 0 else 1) * 70
        chip = pieces.base(tones(sides[owner]), grid.headings, 0.28)
        label = text(name, Point(20, 0), 18, palette.PAPER, text_anchor="start")
        parts.append(tag("g", chip, label, transform=moved_to(Point(x - 20, at.y))))
    return tag("g", *parts, class_="legend")
