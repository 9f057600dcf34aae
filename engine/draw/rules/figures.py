"""Draws the pictures of a rules page: the starting position, moves, strikes and lessons.

No rule is coded here: every picture shows a turn that the game has played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from engine.beam import Beam, BeamEvent
from engine.draw import beams as drawn_beams
from engine.draw import board, pieces
from engine.draw.palette import Paint, piece_tones, player_paints
from engine.draw.paper_style import to_paper_colours
from engine.draw.rules import beams as light
from engine.draw.rules.blocks import LayoutBlock
from engine.draw.shapes import CELL, ORIGIN, Point, cell_centre, cell_corners, element, translate
from engine.game import AnyGame, Mark, Piece, Position
from engine.grid import Cell, Grid
from engine.tutorial import Lesson, MoveRange, Strike

STRIKE_HALF_WIDTH = 110.0  # of the picture of a strike
_STRIKE_BEAM_LENGTH = 101.0  # of the beams in it
_SHARED_LINE_GAP = 11.0  # between beams on a shared line
_FACE_FROM_CENTRE = 0.42
_MUZZLE = 44.0  # distance from the middle of a shooter to the start of its beam
_SWAP_OFFSET = 15.0  # shift of the arrows of a swap, each to its right
_NAME = 28.0  # size of coordinates beside the board
_BASE = 50.0  # distance from the middle of a piece to the start of its arrow


@dataclass(frozen=True, slots=True)
class RulesIllustrator:
    """Draws the pictures of one game, in hundredths of a cell."""

    game: AnyGame

    # -- the pictures ------------------------------------------------------------------------

    def draw_setup(self, position: Position) -> LayoutBlock:
        """The complete board."""
        grid = position.grid
        rim = board.LABEL + 16 if grid.headings == 4 else 6.0
        box = _around(grid, range(grid.size), rim)
        return _make_block(box, [
            self._draw_tiles(position, range(grid.size)),
            to_paper_colours("".join(board.coordinates(grid, _NAME))) if grid.headings == 4 else "",
            *(self._draw_piece(grid, cell, piece) for cell, piece in position.pieces.items()),
        ])  # fmt: skip

    def draw_strike(self, strike: Strike) -> LayoutBlock:
        """A piece and the beam aimed at it."""
        position, cell = strike.turn.aimed, strike.cell
        grid, at = position.grid, cell_centre(position.grid, strike.cell)
        met = [beam for beam in strike.turn.beams if beam.end.event is BeamEvent.ANNIHILATE]
        shown = [strike.beam, *(beam for beam in met if beam is not strike.beam)]
        colours = {strike.beam: self._paints[1 - strike.piece.owner]}
        loss = next((loss for loss in strike.turn.losses if loss.cell == cell), None)
        gone = loss is not None and loss.removed
        parts = [
            self._draw_tiles(position, [cell]),
            self._draw_piece(grid, cell, strike.piece, ghost=gone),
            *self._draw_beams(grid, shown, _square(at, _STRIKE_BEAM_LENGTH), colours, muzzle=0),
        ]
        if loss is not None and strike.piece.hit_points > 1 and not gone:
            parts.append(light.draw_lost_hit_points(Point(at.x + 40, at.y - 40), loss.hits))
        return _make_block(_square(at, STRIKE_HALF_WIDTH), parts)

    def draw_reach(self, reach: MoveRange) -> LayoutBlock:
        """A piece with arrows to its targets, and around it if it can rotate."""
        position, cell = reach.position, reach.cell
        grid, at = position.grid, cell_centre(position.grid, reach.cell)
        tiles = sorted(reach.targets | {cell})
        arrows = [_move_arrow(at, cell_centre(grid, target)) for target in sorted(reach.targets)]
        turns = [
            light.draw_turn_arrow(128, 20 if clockwise else -20, 44 if clockwise else -44)
            for clockwise in sorted({turn <= grid.headings // 2 for turn in reach.rotations})
        ]
        return _make_block(_square(at, 148), [
            self._draw_tiles(position, tiles),
            self._draw_piece(grid, cell, position.pieces[cell]),
            *arrows,
            element("g", *turns, transform=translate(at)) if turns else "",
        ])  # fmt: skip

    def draw_lesson(self, lesson: Lesson) -> LayoutBlock:
        """A turn on a part of the board: arrows of the moves, then the beams."""
        turn, cells = lesson.turn, lesson.cells
        grid = turn.aimed.grid
        box = _around(grid, cells, 4)
        before = {cell: piece for cell, piece in turn.before.pieces.items() if cell in cells}
        gone = {loss.cell for loss in turn.losses if loss.removed}
        damaged = [loss for loss in turn.losses if not loss.removed and loss.cell in cells]
        parts = [
            self._draw_tiles(turn.aimed, cells),
            *(
                self._draw_piece(grid, cell, piece, ghost=cell in gone)
                for cell, piece in pieces.turn_to_fire(before, turn.beams).items()
            ),
            *_move_arrows(grid, before, turn.aimed.pieces),
            *(_collision_arrow(grid, way) for way in lesson.failed_steps),
            *self._draw_beams(grid, turn.beams, box, {}, muzzle=_MUZZLE),
            *(
                light.draw_lost_hit_points(_beside(cell_centre(grid, loss.cell)), loss.hits)
                for loss in damaged
            ),
        ]
        return _make_block(box, parts)

    def draw_mark(self, mark: Mark, position: Position) -> LayoutBlock:
        """One cell with the mark."""
        cell = next(c for c, each in sorted(self.game.marks(position).items()) if each is mark)
        box = _around(position.grid, [cell], 0)
        return _make_block(box, [self._draw_tiles(position, [cell])])

    def draw_chip(self, owner: int, headings: int) -> LayoutBlock:
        """The base of the pieces of an owner."""
        base = pieces.base(piece_tones(self._paints[owner]), headings)
        return _make_block(_square(ORIGIN, 48), [base])

    # -- their parts -------------------------------------------------------------------------

    @property
    def _paints(self) -> tuple[Paint, ...]:
        return player_paints(self.game.players)

    def _draw_tiles(self, position: Position, cells: Iterable[Cell]) -> str:
        marks = self.game.marks(position)
        return to_paper_colours("".join(board.tiles(position.grid, marks, self._paints, cells)))

    def _draw_piece(self, grid: Grid, cell: Cell, piece: Piece, *, ghost: bool = False) -> str:
        drawn = pieces.draw_piece(
            piece,
            self.game.letters[piece.kind],
            piece_tones(self._paints[piece.owner]),
            degrees=grid.degrees(piece.orientation),
            headings=grid.headings,
        )
        faded = {"opacity": 0.6} if ghost else {}
        return element("g", drawn, transform=translate(cell_centre(grid, cell)), **faded)

    def _draw_beams(
        self,
        grid: Grid,
        beams: Sequence[Beam],
        box: light.BoundingBox,
        colours: Mapping[Beam, Paint],
        *,
        muzzle: float,
    ) -> Iterable[str]:
        lines = drawn_beams.routes(grid, beams, _SHARED_LINE_GAP)
        endings = []
        for beam, route in zip(beams, lines, strict=True):
            trimmed = _trim_route(grid, beam, route, muzzle)
            line = light.clip_polyline(trimmed, box)
            if len(line) < 2:
                continue
            colour = light.ray_colour(colours.get(beam, self._paints[beam.owner]))
            if line[-1] == trimmed[-1]:
                yield light.draw_ray(line, colour)
                endings.append(light.draw_beam_end(beam, line, colour))
            else:
                yield light.draw_ray_onward(line, colour)
        yield from dict.fromkeys(endings)  # beams that annihilate each other share one


def _trim_route(grid: Grid, beam: Beam, route: list[Point], muzzle: float) -> list[Point]:
    """The route from the muzzle to the face of the piece that ends it, so that both are seen."""
    first = _along(route[0], route[1], muzzle)
    end, at, last = beam.end, cell_centre(grid, beam.end.cell), route[-1]
    if (
        end.event not in (BeamEvent.CAPTURE, BeamEvent.DAMAGE, BeamEvent.ABSORB)
        or end.entered is None
    ):
        return [first, *route[1:]]
    ahead = ORIGIN.towards(grid.degrees(end.entered), 1)
    come = (last.x - at.x) * ahead.x + (last.y - at.y) * ahead.y  # past the middle
    back = come + CELL * _FACE_FROM_CENTRE
    return [first, *route[1:-1], Point(last.x - ahead.x * back, last.y - ahead.y * back)]


def _move_arrow(start: Point, end: Point) -> str:
    far = hypot(end.x - start.x, end.y - start.y)
    return light.draw_move_arrow(
        _along(start, end, _BASE * max(1.0, far / 118)), _along(start, end, min(far - 6, 108))
    )


def _move_arrows(
    grid: Grid, before: Mapping[Cell, Piece], after: Mapping[Cell, Piece]
) -> Iterable[str]:
    for cell, piece in before.items():
        if after.get(cell) == piece:
            continue
        target = next((at for at, each in after.items() if each == piece), None)
        if target is None:
            continue
        start, end = cell_centre(grid, cell), cell_centre(grid, target)
        far = hypot(end.x - start.x, end.y - start.y)
        if target not in before:
            yield light.draw_move_arrow(_along(start, end, _BASE - 6), _along(start, end, far + 8))
            continue
        aside = Point(
            -(end.y - start.y) / far * _SWAP_OFFSET, (end.x - start.x) / far * _SWAP_OFFSET
        )
        a, b = (_along(start, end, part * far) for part in (0.26, 0.74))
        yield light.draw_move_arrow(
            Point(a.x + aside.x, a.y + aside.y), Point(b.x + aside.x, b.y + aside.y)
        )


def _collision_arrow(grid: Grid, way: tuple[Cell, Cell]) -> str:
    start, end = (cell_centre(grid, cell) for cell in way)
    far = hypot(end.x - start.x, end.y - start.y)
    tip = _along(start, end, 0.72 * far)
    return light.draw_move_arrow(_along(start, end, _BASE - 8), tip) + light.draw_flash(tip)


def _along(start: Point, end: Point, length: float) -> Point:
    far = hypot(end.x - start.x, end.y - start.y)
    return Point(
        start.x + (end.x - start.x) * length / far, start.y + (end.y - start.y) * length / far
    )


def _beside(at: Point) -> Point:
    """The place of a plate, beside the middle of a cell."""
    return Point(at.x + 22, at.y - 38)


def _around(grid: Grid, cells: Iterable[Cell], rim: float) -> light.BoundingBox:
    middles = [cell_centre(grid, cell) for cell in cells]
    wide, high = (max(side) + rim for side in zip(*cell_corners(grid), strict=True))
    xs, ys = [at.x for at in middles], [at.y for at in middles]
    return min(xs) - wide, min(ys) - high, max(xs) + wide, max(ys) + high


def _square(at: Point, half: float) -> light.BoundingBox:
    return at.x - half, at.y - half, at.x + half, at.y + half


def _make_block(box: light.BoundingBox, parts: Iterable[str]) -> LayoutBlock:
    left, top, right, bottom = box
    drawn = element("g", *parts, transform=translate(Point(-left, -top)))
    return LayoutBlock(right - left, bottom - top, drawn)
