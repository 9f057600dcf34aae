"""Pictures that tell people what to do or what goes on: one function for each thing to say.

All are without end. Which cells, and whose, is said by the caller; how it looks is said here and
in `figures`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from controller.layout import Layout
from controller.light.animation import (
    CALM_PERIOD_MS,
    Animation,
    Colour,
    Effects,
    Sketch,
    colour,
)
from controller.light.figures import Figure, draw, level
from controller.light.spots import Spots, spots
from engine.draw import palette
from engine.draw.palette import Paint
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Cell, Heading

if TYPE_CHECKING:
    from vision.infer import Difference

TINTS: Mapping[Figure, Colour] = {
    Figure.MISSING: colour("#4dff7c"),
    Figure.WRONG_PIECE: colour("#ff4fa0"),
    Figure.WRONG_WAY: colour("#b78cff"),
    Figure.EXTRA: colour("#ff5a36"),
    Figure.PUT_BACK: colour(palette.LAST_MOVE),
    Figure.PUT_BACK_TO: colour("#4dff7c"),
    Figure.REMOVE: colour(palette.FIRE[0]),
    Figure.CHOSEN: colour(palette.PAPER),
    Figure.LEGAL: colour("#8fd8ff"),
}
_NEUTRAL = colour(palette.PAPER)

Side = tuple[int, int]  # of the board: one step that way; x goes right, y goes down
NEAR, FAR = (0, 1), (0, -1)


@dataclass(frozen=True, slots=True)
class Wounded:
    """A piece that has lost hit points, and has some left."""

    owner: Player
    left: int
    full: int

    @property
    def share(self) -> float:
        return min(max(self.left / max(self.full, 1), 0.0), 1.0)


# -- cells -------------------------------------------------------------------------------------


def fault(difference: Difference) -> Figure:
    """What is wrong with a cell."""
    expected, seen = difference.expected, difference.seen
    if expected is None:
        return Figure.EXTRA
    if seen is None:
        return Figure.MISSING
    if (expected.kind, expected.owner) != (seen.kind, seen.owner):
        return Figure.WRONG_PIECE
    return Figure.WRONG_WAY


def wrong(
    layout: Layout,
    differences: Iterable[Difference],
    paints: Sequence[Paint],
    effects: Effects = Effects.NORMAL,
) -> Animation:
    """Each cell that looks otherwise than it should; a missing piece in its owner's colour.

    Where a cell has several LEDs, one of them says which way the piece is to face.
    """
    lit, sketch = _begin(layout, effects)
    for each in differences:
        figure = fault(each)
        tint = TINTS[figure]
        if figure is Figure.MISSING and each.expected is not None:
            tint = colour(paints[each.expected.owner].beam)
        draw(sketch, lit, each.cell, figure, tint, effects)
        if figure in (Figure.MISSING, Figure.WRONG_WAY, Figure.WRONG_PIECE):
            _point(sketch, lit, each)
    return sketch.animation()


def _point(sketch: Sketch, lit: Spots, difference: Difference) -> None:
    """Where the piece is to face, if that can be told and matters."""
    assert difference.expected is not None
    ways = difference.expected.orientations
    if not lit.ring(difference.cell) or len(ways) == lit.grid.headings:
        return
    for heading in ways:
        spot, _ = max(lit.along(difference.cell, heading), key=lambda each: each[1])
        sketch.steady(spot.led, _NEUTRAL, 0.8)


def put_back(
    layout: Layout, stands: Cell | None, belongs: Cell | None, effects: Effects = Effects.NORMAL
) -> Animation:
    """A piece that goes back from one cell to another, either of which may be unknown."""
    return marked(layout, [(stands, Figure.PUT_BACK), (belongs, Figure.PUT_BACK_TO)], effects)


def remove(layout: Layout, cells: Collection[Cell], effects: Effects = Effects.NORMAL) -> Animation:
    """Pieces to be taken off; begins where `fired` ends."""
    return marked(layout, [(cell, Figure.REMOVE) for cell in cells], effects)


def legal(
    layout: Layout, chosen: Cell, targets: Collection[Cell], effects: Effects = Effects.NORMAL
) -> Animation:
    """Where the piece on a cell may go."""
    to = [(cell, Figure.LEGAL) for cell in targets if cell != chosen]
    return marked(layout, [(chosen, Figure.CHOSEN), *to], effects)


def marked(
    layout: Layout,
    figures: Iterable[tuple[Cell | None, Figure]],
    effects: Effects = Effects.NORMAL,
    tint: Colour | None = None,
) -> Animation:
    """Any figures on any cells; None is nowhere."""
    lit, sketch = _begin(layout, effects)
    for cell, figure in figures:
        if cell is not None:
            draw(sketch, lit, cell, figure, tint or TINTS.get(figure, _NEUTRAL), effects)
    return sketch.animation()


def hit_points(
    layout: Layout,
    wounded: Mapping[Cell, Wounded],
    paints: Sequence[Paint],
    effects: Effects = Effects.NORMAL,
) -> Animation:
    """How much is left of pieces: so much of a ring of LEDs; with one LED, so much of the time."""
    lit, sketch = _begin(layout, effects)
    for cell, piece in wounded.items():
        tint, ring = colour(paints[piece.owner].beam), lit.ring(cell)
        count = max(1, round(piece.share * len(ring)))
        for number, spot in enumerate(ring):
            sketch.steady(spot.led, tint, 0.75 if number < count else 0.08)
        if ring:
            continue
        # Dark between 15 and 85 % of the time, whatever is left: it is seen to come and go.
        on_ms = 4800.0 * min(max(piece.share, 0.15), 0.85)
        for spot in lit.cells[cell]:
            sketch.light(spot.led, tint, 0.3 + 0.5 * piece.share, start_ms=0, rise_ms=300,
                         hold_ms=on_ms - 600, fall_ms=300, period_ms=4800)  # fmt: skip
    return sketch.animation()


# -- the computer's move -----------------------------------------------------------------------


def move(
    layout: Layout, source: Cell, target: Cell, paint: Paint, effects: Effects = Effects.NORMAL
) -> Animation:
    """Take the piece from here to there."""
    return marked(
        layout,
        [(source, Figure.MOVE), (target, Figure.MOVE_TO)],
        effects,
        colour(paint.beam),
    )


def turned(
    layout: Layout, cell: Cell, paint: Paint, effects: Effects = Effects.NORMAL, *, clockwise: bool
) -> Animation:
    """Turn the piece here, this way around."""
    figure = Figure.CLOCKWISE if clockwise else Figure.COUNTERCLOCKWISE
    return marked(layout, [(cell, figure)], effects, colour(paint.beam))


def faced(
    layout: Layout, cell: Cell, heading: Heading, paint: Paint, effects: Effects = Effects.NORMAL
) -> Animation:
    """Turn the piece here until it faces that way: light runs out of its cell into the next."""
    lit, sketch = _begin(layout, effects)
    tint = colour(paint.beam)
    period_ms = CALM_PERIOD_MS if effects is Effects.CALM else 1600.0
    way = [(spot, place) for spot, place in lit.along(cell, heading) if place >= 0]
    ahead = lit.grid.ahead(cell, heading)
    if ahead is not None:
        way += [(spot, 1 + place) for spot, place in lit.along(ahead, heading) if place <= 0]
    for spot in lit.cells[cell]:
        sketch.steady(spot.led, tint, 0.2)
    for spot, place in way:
        sketch.light(spot.led, tint, 0.8, start_ms=0.3 * place * period_ms,
                     rise_ms=0.12 * period_ms, hold_ms=0.1 * period_ms, fall_ms=0.4 * period_ms,
                     period_ms=period_ms)  # fmt: skip
    return sketch.animation()


def to_be_made(
    layout: Layout,
    game: AnyGame,
    turn: AnyTurn,
    player: Player,
    paints: Sequence[Paint],
    effects: Effects = Effects.NORMAL,
) -> Animation:
    """What hands must do for that player in a turn: the computer's move, say."""
    layout = layout.playing(turn.before.grid)
    paint, before = paints[player], turn.before
    source = next((game.origin(before, p, move) for p, move in turn.moves if p == player), None)
    after = game.carried_out(turn, {}, hands=(player,))
    if source is None or after is None:
        return Sketch(layout.leds).animation()
    was, now = before.pieces[source], after.get(source)
    headings = before.grid.headings
    if now is not None and (now.kind, now.owner) == (was.kind, was.owner):
        turned_by = (turn.aimed.pieces[source].orientation - was.orientation) % headings
        if turned_by:
            clockwise = turned_by <= headings // 2
            return turned(layout, source, paint, effects, clockwise=clockwise)
        # The rules know no way that it faces, but hands show by it what the player does.
        return faced(layout, source, min(now.orientations), paint, effects)
    stood = game.standing(before)
    target = next(
        (
            cell
            for cell, piece in after.items()
            if (piece.kind, piece.owner) == (was.kind, player) and stood.get(cell) != piece
        ),
        None,
    )
    return (
        Sketch(layout.leds).animation()
        if target is None
        else move(layout, source, target, paint, effects)
    )


# -- the whole board ---------------------------------------------------------------------------


def clock_low(
    layout: Layout, paint: Paint, part: float = 1.0, effects: Effects = Effects.NORMAL
) -> Animation:
    """A rim that beats and burns down: `part` is how much of it is left, clockwise from the top."""
    lit, sketch = _begin(layout, effects)
    border = lit.border()
    tint, period_ms = colour(paint.beam), 2400.0 if effects is Effects.CALM else 1000.0
    for led, _ in border[: max(1, round(part * len(border)))]:
        sketch.steady(led, tint, 0.25)
        sketch.light(led, tint, 0.6, start_ms=0, rise_ms=0.25 * period_ms,
                     fall_ms=0.55 * period_ms, period_ms=period_ms)  # fmt: skip
    return sketch.animation()


def winner(
    layout: Layout,
    won: Player | None,
    paints: Sequence[Paint],
    effects: Effects = Effects.NORMAL,
    sides: Sequence[Side] = (NEAR, FAR),
) -> Animation:
    """Waves from the winner's side over the whole board; in a draw, rings from the middle in
    nobody's colour."""
    lit, sketch = _begin(layout, effects)
    period_ms = 4000.0 if effects is Effects.CALM else 2000.0
    places = lit.places()
    to_x, to_y = (0, 0) if won is None else sides[won]
    out_x, out_y = to_x * max(x for _, x, _ in places), to_y * max(y for _, _, y in places)
    tint = _NEUTRAL if won is None else colour(paints[won].beam)
    for led, x, y in places:
        delay = hypot(x - out_x, y - out_y) / 5.0
        sketch.steady(led, tint, 0.12)
        sketch.light(led, tint, 0.88, start_ms=delay * period_ms, rise_ms=0.2 * period_ms,
                     fall_ms=0.55 * period_ms, period_ms=period_ms)  # fmt: skip
    return sketch.animation()


def idle(layout: Layout, paints: Sequence[Paint], effects: Effects = Effects.NORMAL) -> Animation:
    """Nobody plays: two dim colours drift over the board."""
    lit, sketch = _begin(layout, effects)
    first, second = (colour(paint.beam) for paint in paints[:2])
    for led, x, y in lit.places():
        for tint, delay in ((first, (x + 0.6 * y) / 9), (second, (0.5 * x - y) / 7 + 0.5)):
            sketch.light(led, tint, 0.3, start_ms=delay * 9000, rise_ms=3600, fall_ms=3600,
                         period_ms=9000)  # fmt: skip
    return sketch.animation()


def thinking(layout: Layout, paint: Paint, effects: Effects = Effects.NORMAL) -> Animation:
    """The computer thinks: the middle of the board breathes."""
    lit, sketch = _begin(layout, effects)
    for led, x, y in lit.places():
        strength = max(0.0, 1.0 - hypot(x, y) / 2.6)
        sketch.light(led, colour(paint.beam), 0.75 * strength, start_ms=250 * hypot(x, y),
                     rise_ms=1700, hold_ms=100, fall_ms=1700, period_ms=3800)  # fmt: skip
    return sketch.animation()


def _begin(layout: Layout, effects: Effects) -> tuple[Spots, Sketch]:
    lit = spots(layout)
    return lit, Sketch(lit.leds, level(effects))
