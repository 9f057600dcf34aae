"""Pictures of positions and turns: what stands there, where it may go, what a beam does to it.

Nothing here knows a rule: every picture is of a turn that the game has played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from controller.exports.print_style import on_paper
from controller.sheets.rules import light
from controller.sheets.rules.blocks import Block
from engine.beam import Beam, What
from engine.draw import beams as drawn_beams
from engine.draw import board, pieces
from engine.draw.palette import Paint, paints, tones
from engine.draw.shapes import CELL, ORIGIN, Point, corners, middle, moved_to, tag
from engine.game import AnyGame, Mark, Piece, Position
from engine.grid import Cell, Grid
from engine.primer import Lesson, Reach, Strike

STRIKE = 110.0  # from the middle of a strike's picture to its edge
_SIGHT = 101.0  # how far a beam is drawn there
_APART = 11.0  # beams that share a line
_FACE = 0.42
_MUZZLE = 44.0  # where a beam leaves the piece that shoots it
_PASSING = 15.0  # pieces that trade places: each arrow keeps to its right
_NAME = 28.0  # of letters beside a board that is small on paper
_BASE = 50.0  # an arrow starts this far from the middle of a piece


@dataclass(frozen=True, slots=True)
class Artist:
    """Draws one game, in hundredths of a cell."""

    game: AnyGame

    # -- the pictures ------------------------------------------------------------------------

    def set_up(self, position: Position) -> Block:
        """The whole board."""
        grid = position.grid
        rim = board.LABEL + 16 if grid.headings == 4 else 6.0
        box = _around(grid, range(grid.size), rim)
        return _framed(box, [
            self._ground(position, range(grid.size)),
            on_paper("".join(board.coordinates(grid, _NAME))) if grid.headings == 4 else "",
            *(self._piece(grid, cell, piece) for cell, piece in position.pieces.items()),
        ])  # fmt: skip

    def strike(self, strike: Strike) -> Block:
        """A piece and the beam that was aimed at it."""
        position, cell = strike.turn.aimed, strike.cell
        grid, at = position.grid, middle(position.grid, strike.cell)
        met = [beam for beam in strike.turn.beams if beam.end.what is What.ANNIHILATE]
        shown = [strike.beam, *(beam for beam in met if beam is not strike.beam)]
        colours = {strike.beam: self._paints[1 - strike.piece.owner]}
        loss = next((loss for loss in strike.turn.losses if loss.cell == cell), None)
        gone = loss is not None and loss.removed
        parts = [
            self._ground(position, [cell]),
            self._piece(grid, cell, strike.piece, ghost=gone),
            *self._light(grid, shown, _square(at, _SIGHT), colours, muzzle=0),
        ]
        if loss is not None and strike.piece.hit_points > 1 and not gone:
            parts.append(light.lost(Point(at.x + 40, at.y - 40), loss.hits))
        return _framed(_square(at, STRIKE), parts)

    def reach(self, reach: Reach) -> Block:
        """A piece, arrows to where it may go, and round it if it may turn."""
        position, cell = reach.position, reach.cell
        grid, at = position.grid, middle(position.grid, reach.cell)
        tiles = sorted(reach.targets | {cell})
        arrows = [_step(at, middle(grid, target)) for target in sorted(reach.targets)]
        turns = [
            light.turning(128, 20 if clockwise else -20, 44 if clockwise else -44)
            for clockwise in sorted({turn <= grid.headings // 2 for turn in reach.turned})
        ]
        return _framed(_square(at, 148), [
            self._ground(position, tiles),
            self._piece(grid, cell, position.pieces[cell]),
            *arrows,
            tag("g", *turns, transform=moved_to(at)) if turns else "",
        ])  # fmt: skip

    def lesson(self, lesson: Lesson) -> Block:
        """A turn on a part of the board: who goes where, then the beams."""
        turn, cells = lesson.turn, lesson.cells
        grid = turn.aimed.grid
        box = _around(grid, cells, 4)
        before = {cell: piece for cell, piece in turn.before.pieces.items() if cell in cells}
        gone = {loss.cell for loss in turn.losses if loss.removed}
        hurt = [loss for loss in turn.losses if not loss.removed and loss.cell in cells]
        parts = [
            self._ground(turn.aimed, cells),
            *(
                self._piece(grid, cell, piece, ghost=cell in gone)
                for cell, piece in pieces.facing(before, turn.beams).items()
            ),
            *_went(grid, before, turn.aimed.pieces),
            *(_ran_into(grid, way) for way in lesson.tried),
            *self._light(grid, turn.beams, box, {}, muzzle=_MUZZLE),
            *(light.lost(_beside(middle(grid, loss.cell)), loss.hits) for loss in hurt),
        ]
        return _framed(box, parts)

    def mark(self, mark: Mark, position: Position) -> Block:
        """One cell of the kind."""
        cell = next(c for c, each in sorted(self.game.marks(position).items()) if each is mark)
        box = _around(position.grid, [cell], 0)
        return _framed(box, [self._ground(position, [cell])])

    def chip(self, owner: int, headings: int) -> Block:
        """What the pieces of an owner stand on."""
        base = pieces.base(tones(self._paints[owner]), headings)
        return _framed(_square(ORIGIN, 48), [base])

    # -- their parts -------------------------------------------------------------------------

    @property
    def _paints(self) -> tuple[Paint, ...]:
        return paints(self.game.players)

    def _ground(self, position: Position, cells: Iterable[Cell]) -> str:
        marks = self.game.marks(position)
        return on_paper("".join(board.tiles(position.grid, marks, self._paints, cells)))

    def _piece(self, grid: Grid, cell: Cell, piece: Piece, *, ghost: bool = False) -> str:
        drawn = pieces.draw(
            piece,
            self.game.letters[piece.kind],
            tones(self._paints[piece.owner]),
            degrees=grid.degrees(piece.orientation),
            headings=grid.headings,
        )
        faded = {"opacity": 0.6} if ghost else {}
        return tag("g", drawn, transform=moved_to(middle(grid, cell)), **faded)

    def _light(
        self,
        grid: Grid,
        beams: Sequence[Beam],
        box: light.Box,
        colours: Mapping[Beam, Paint],
        *,
        muzzle: float,
    ) -> Iterable[str]:
        lines = drawn_beams.routes(grid, beams, _APART)
        endings = []
        for beam, route in zip(beams, lines, strict=True):
            whole = _from_face_to_face(grid, beam, route, muzzle)
            line = light.within(whole, box)
            if len(line) < 2:
                continue
            colour = light.ray_colour(colours.get(beam, self._paints[beam.owner]))
            if line[-1] == whole[-1]:
                yield light.ray(line, colour)
                endings.append(light.ending(beam, line, colour))
            else:
                yield light.pointed(line, colour)
        yield from dict.fromkeys(endings)  # beams that put each other out have one


def _from_face_to_face(grid: Grid, beam: Beam, route: list[Point], muzzle: float) -> list[Point]:
    """Out of the muzzle, and to the face of a piece that ends it: both stay in sight."""
    first = _along(route[0], route[1], muzzle)
    end, at, last = beam.end, middle(grid, beam.end.cell), route[-1]
    if end.what not in (What.CAPTURE, What.DAMAGE, What.ABSORB) or end.entered is None:
        return [first, *route[1:]]
    ahead = ORIGIN.towards(grid.degrees(end.entered), 1)
    come = (last.x - at.x) * ahead.x + (last.y - at.y) * ahead.y  # past the middle
    back = come + CELL * _FACE
    return [first, *route[1:-1], Point(last.x - ahead.x * back, last.y - ahead.y * back)]


def _step(start: Point, end: Point) -> str:
    far = hypot(end.x - start.x, end.y - start.y)
    return light.arrow(
        _along(start, end, _BASE * max(1.0, far / 118)), _along(start, end, min(far - 6, 108))
    )


def _went(grid: Grid, before: Mapping[Cell, Piece], after: Mapping[Cell, Piece]) -> Iterable[str]:
    for cell, piece in before.items():
        if after.get(cell) == piece:
            continue
        target = next((at for at, each in after.items() if each == piece), None)
        if target is None:
            continue
        start, end = middle(grid, cell), middle(grid, target)
        far = hypot(end.x - start.x, end.y - start.y)
        if target not in before:
            yield light.arrow(_along(start, end, _BASE - 6), _along(start, end, far + 8))
            continue
        aside = Point(-(end.y - start.y) / far * _PASSING, (end.x - start.x) / far * _PASSING)
        a, b = (_along(start, end, part * far) for part in (0.26, 0.74))
        yield light.arrow(Point(a.x + aside.x, a.y + aside.y), Point(b.x + aside.x, b.y + aside.y))


def _ran_into(grid: Grid, way: tuple[Cell, Cell]) -> str:
    start, end = (middle(grid, cell) for cell in way)
    far = hypot(end.x - start.x, end.y - start.y)
    tip = _along(start, end, 0.72 * far)
    return light.arrow(_along(start, end, _BASE - 8), tip) + light.flash(tip)


def _along(start: Point, end: Point, length: float) -> Point:
    far = hypot(end.x - start.x, end.y - start.y)
    return Point(
        start.x + (end.x - start.x) * length / far, start.y + (end.y - start.y) * length / far
    )


def _beside(at: Point) -> Point:
    """Where a plate stands, off the middle of a cell."""
    return Point(at.x + 22, at.y - 38)


def _around(grid: Grid, cells: Iterable[Cell], rim: float) -> light.Box:
    middles = [middle(grid, cell) for cell in cells]
    wide, high = (max(side) + rim for side in zip(*corners(grid), strict=True))
    xs, ys = [at.x for at in middles], [at.y for at in middles]
    return min(xs) - wide, min(ys) - high, max(xs) + wide, max(ys) + high


def _square(at: Point, half: float) -> light.Box:
    return at.x - half, at.y - half, at.x + half, at.y + half


def _framed(box: light.Box, parts: Iterable[str]) -> Block:
    left, top, right, bottom = box
    drawn = tag("g", *parts, transform=moved_to(Point(-left, -top)))
    return Block(right - left, bottom - top, drawn)
