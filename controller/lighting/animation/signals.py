"""Animations with instructions and messages for people: one function for each.

All are without end. The caller names cells and players; the look is defined here and in
`cell_patterns`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from controller.lighting.animation.cell_patterns import CellPattern, draw_pattern, effects_level
from controller.lighting.animation.led_positions import LedPositions, led_positions
from controller.lighting.animation.timeline import (
    CALM_PERIOD_MS,
    Animation,
    AnimationBuilder,
    Colour,
    LightEffects,
    parse_colour,
)
from controller.lighting.layout import LedLayout
from engine.draw import palette
from engine.draw.palette import Paint
from engine.game import AnyGame, AnyTurn, Player
from engine.grid import Cell, Heading

if TYPE_CHECKING:
    from vision.infer import Difference

PATTERN_COLOURS: Mapping[CellPattern, Colour] = {
    CellPattern.MISSING: parse_colour("#4dff7c"),
    CellPattern.WRONG_PIECE: parse_colour("#ff4fa0"),
    CellPattern.WRONG_WAY: parse_colour("#b78cff"),
    CellPattern.EXTRA: parse_colour("#ff5a36"),
    CellPattern.PUT_BACK: parse_colour(palette.LAST_MOVE),
    CellPattern.PUT_BACK_TO: parse_colour("#4dff7c"),
    CellPattern.REMOVE: parse_colour(palette.FIRE[0]),
    CellPattern.SELECTED: parse_colour(palette.PAPER),
    CellPattern.LEGAL: parse_colour("#8fd8ff"),
}
_NEUTRAL = parse_colour(palette.PAPER)

BoardSide = tuple[int, int]  # unit step to a side of the board; x to the right, y down
NEAR, FAR = (0, 1), (0, -1)


@dataclass(frozen=True, slots=True)
class DamagedPiece:
    """A piece that has lost some of its hit points."""

    owner: Player
    hit_points_left: int
    full_hit_points: int

    @property
    def remaining_fraction(self) -> float:
        return min(max(self.hit_points_left / max(self.full_hit_points, 1), 0.0), 1.0)


# -- cells -------------------------------------------------------------------------------------


def pattern_for_difference(difference: Difference) -> CellPattern:
    """The pattern for a difference between the board and the position."""
    expected, seen = difference.expected, difference.seen
    if expected is None:
        return CellPattern.EXTRA
    if seen is None:
        return CellPattern.MISSING
    if (expected.kind, expected.owner) != (seen.kind, seen.owner):
        return CellPattern.WRONG_PIECE
    return CellPattern.WRONG_WAY


def animate_differences(
    layout: LedLayout,
    differences: Iterable[Difference],
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """All cells that differ from the position; a missing piece in its owner's colour.

    In a cell with several LEDs, one shows the heading of the piece.
    """
    lit, builder = _new_builder(layout, effects)
    for each in differences:
        figure = pattern_for_difference(each)
        tint = PATTERN_COLOURS[figure]
        if figure is CellPattern.MISSING and each.expected is not None:
            tint = parse_colour(paints[each.expected.owner].beam)
        draw_pattern(builder, lit, each.cell, figure, tint, effects)
        if figure in (CellPattern.MISSING, CellPattern.WRONG_WAY, CellPattern.WRONG_PIECE):
            _draw_heading(builder, lit, each)
    return builder.build()


def _draw_heading(builder: AnimationBuilder, lit: LedPositions, difference: Difference) -> None:
    """The heading of the piece, if it matters and the cell has LEDs for it."""
    assert difference.expected is not None
    ways = difference.expected.orientations
    if not lit.ring(difference.cell) or len(ways) == lit.grid.headings:
        return
    for heading in ways:
        position, _ = max(lit.along(difference.cell, heading), key=lambda each: each[1])
        builder.add_steady(position.led, _NEUTRAL, 0.8)


def animate_put_back(
    layout: LedLayout,
    current_cell: Cell | None,
    target_cell: Cell | None,
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """A piece to put back from one cell to another; either may be unknown."""
    return animate_patterns(
        layout,
        [(current_cell, CellPattern.PUT_BACK), (target_cell, CellPattern.PUT_BACK_TO)],
        effects,
    )


def animate_removals(
    layout: LedLayout, cells: Collection[Cell], effects: LightEffects = LightEffects.NORMAL
) -> Animation:
    """Pieces to remove; continues the end of `animate_turn`."""
    return animate_patterns(layout, [(cell, CellPattern.REMOVE) for cell in cells], effects)


def animate_legal_targets(
    layout: LedLayout,
    selected: Cell,
    targets: Collection[Cell],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """The legal targets of the piece on a cell."""
    to = [(cell, CellPattern.LEGAL) for cell in targets if cell != selected]
    return animate_patterns(layout, [(selected, CellPattern.SELECTED), *to], effects)


def animate_patterns(
    layout: LedLayout,
    patterns: Iterable[tuple[Cell | None, CellPattern]],
    effects: LightEffects = LightEffects.NORMAL,
    tint: Colour | None = None,
) -> Animation:
    """Any patterns on any cells; a cell of None is skipped."""
    lit, builder = _new_builder(layout, effects)
    for cell, figure in patterns:
        if cell is not None:
            draw_pattern(
                builder, lit, cell, figure, tint or PATTERN_COLOURS.get(figure, _NEUTRAL), effects
            )
    return builder.build()


def animate_hit_points(
    layout: LedLayout,
    damaged: Mapping[Cell, DamagedPiece],
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """The remaining hit points: as a part of a ring, or with one LED as a part of the time."""
    lit, builder = _new_builder(layout, effects)
    for cell, piece in damaged.items():
        tint, ring = parse_colour(paints[piece.owner].beam), lit.ring(cell)
        count = max(1, round(piece.remaining_fraction * len(ring)))
        for number, position in enumerate(ring):
            builder.add_steady(position.led, tint, 0.75 if number < count else 0.08)
        if ring:
            continue
        # Dark between 15 and 85 % of the time, so that the blinking is always visible.
        on_ms = 4800.0 * min(max(piece.remaining_fraction, 0.15), 0.85)
        for position in lit.cells[cell]:
            builder.add_pulse(
                position.led,
                tint,
                0.3 + 0.5 * piece.remaining_fraction,
                start_ms=0,
                rise_ms=300,
                hold_ms=on_ms - 600,
                fall_ms=300,
                period_ms=4800,
            )
    return builder.build()


# -- the computer's move -----------------------------------------------------------------------


def animate_move(
    layout: LedLayout,
    source: Cell,
    target: Cell,
    paint: Paint,
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """Move a piece from one cell to another."""
    return animate_patterns(
        layout,
        [(source, CellPattern.MOVE), (target, CellPattern.MOVE_TO)],
        effects,
        parse_colour(paint.beam),
    )


def animate_rotation(
    layout: LedLayout,
    cell: Cell,
    paint: Paint,
    effects: LightEffects = LightEffects.NORMAL,
    *,
    clockwise: bool,
) -> Animation:
    """Rotate the piece on a cell in a direction."""
    figure = CellPattern.CLOCKWISE if clockwise else CellPattern.COUNTERCLOCKWISE
    return animate_patterns(layout, [(cell, figure)], effects, parse_colour(paint.beam))


def animate_heading(
    layout: LedLayout,
    cell: Cell,
    heading: Heading,
    paint: Paint,
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """Rotate a piece to a heading: light runs from its cell into the next one."""
    lit, builder = _new_builder(layout, effects)
    tint = parse_colour(paint.beam)
    period_ms = CALM_PERIOD_MS if effects is LightEffects.CALM else 1600.0
    way = [(position, place) for position, place in lit.along(cell, heading) if place >= 0]
    ahead = lit.grid.ahead(cell, heading)
    if ahead is not None:
        way += [
            (position, 1 + place) for position, place in lit.along(ahead, heading) if place <= 0
        ]
    for position in lit.cells[cell]:
        builder.add_steady(position.led, tint, 0.2)
    for position, place in way:
        builder.add_pulse(
            position.led,
            tint,
            0.8,
            start_ms=0.3 * place * period_ms,
            rise_ms=0.12 * period_ms,
            hold_ms=0.1 * period_ms,
            fall_ms=0.4 * period_ms,
            period_ms=period_ms,
        )
    return builder.build()


def animate_turn_to_make(
    layout: LedLayout,
    game: AnyGame,
    turn: AnyTurn,
    player: Player,
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """Show people how to make a player's turn on the board, such as the computer's move."""
    layout = layout.for_grid(turn.before.grid)
    paint, before = paints[player], turn.before
    source = next((game.origin(before, p, move) for p, move in turn.moves if p == player), None)
    after = game.expected_after_moves(turn, {}, moved_by_hand=(player,))
    if source is None or after is None:
        return AnimationBuilder(layout.led_count).build()
    was, now = before.pieces[source], after.get(source)
    headings = before.grid.headings
    if now is not None and (now.kind, now.owner) == (was.kind, was.owner):
        turned_by = (turn.aimed.pieces[source].orientation - was.orientation) % headings
        if turned_by:
            clockwise = turned_by <= headings // 2
            return animate_rotation(layout, source, paint, effects, clockwise=clockwise)
        # Its heading has no meaning in the rules, but shows the player's choice.
        return animate_heading(layout, source, min(now.orientations), paint, effects)
    stood = game.expected_pieces(before)
    target = next(
        (
            cell
            for cell, piece in after.items()
            if (piece.kind, piece.owner) == (was.kind, player) and stood.get(cell) != piece
        ),
        None,
    )
    return (
        AnimationBuilder(layout.led_count).build()
        if target is None
        else animate_move(layout, source, target, paint, effects)
    )


# -- the whole board ---------------------------------------------------------------------------


def animate_low_clock(
    layout: LedLayout,
    paint: Paint,
    fraction_left: float = 1.0,
    effects: LightEffects = LightEffects.NORMAL,
) -> Animation:
    """A pulsing rim; `fraction_left` of it is lit, clockwise from the top."""
    lit, builder = _new_builder(layout, effects)
    border = lit.border()
    tint, period_ms = parse_colour(paint.beam), 2400.0 if effects is LightEffects.CALM else 1000.0
    for led, _ in border[: max(1, round(fraction_left * len(border)))]:
        builder.add_steady(led, tint, 0.25)
        builder.add_pulse(
            led,
            tint,
            0.6,
            start_ms=0,
            rise_ms=0.25 * period_ms,
            fall_ms=0.55 * period_ms,
            period_ms=period_ms,
        )
    return builder.build()


def animate_winner(
    layout: LedLayout,
    won: Player | None,
    paints: Sequence[Paint],
    effects: LightEffects = LightEffects.NORMAL,
    sides: Sequence[BoardSide] = (NEAR, FAR),
) -> Animation:
    """Waves from the winner's side over the board; for a draw, neutral rings from the centre."""
    lit, builder = _new_builder(layout, effects)
    period_ms = 4000.0 if effects is LightEffects.CALM else 2000.0
    places = lit.board_offsets()
    to_x, to_y = (0, 0) if won is None else sides[won]
    out_x, out_y = to_x * max(x for _, x, _ in places), to_y * max(y for _, _, y in places)
    tint = _NEUTRAL if won is None else parse_colour(paints[won].beam)
    for led, x, y in places:
        delay = hypot(x - out_x, y - out_y) / 5.0
        builder.add_steady(led, tint, 0.12)
        builder.add_pulse(
            led,
            tint,
            0.88,
            start_ms=delay * period_ms,
            rise_ms=0.2 * period_ms,
            fall_ms=0.55 * period_ms,
            period_ms=period_ms,
        )
    return builder.build()


def animate_idle(
    layout: LedLayout, paints: Sequence[Paint], effects: LightEffects = LightEffects.NORMAL
) -> Animation:
    """No game: two dim colours drift over the board."""
    lit, builder = _new_builder(layout, effects)
    first, second = (parse_colour(paint.beam) for paint in paints[:2])
    for led, x, y in lit.board_offsets():
        for tint, delay in ((first, (x + 0.6 * y) / 9), (second, (0.5 * x - y) / 7 + 0.5)):
            builder.add_pulse(
                led, tint, 0.3, start_ms=delay * 9000, rise_ms=3600, fall_ms=3600, period_ms=9000
            )
    return builder.build()


def animate_thinking(
    layout: LedLayout, paint: Paint, effects: LightEffects = LightEffects.NORMAL
) -> Animation:
    """The computer thinks: the centre of the board pulses slowly."""
    lit, builder = _new_builder(layout, effects)
    for led, x, y in lit.board_offsets():
        strength = max(0.0, 1.0 - hypot(x, y) / 2.6)
        builder.add_pulse(
            led,
            parse_colour(paint.beam),
            0.75 * strength,
            start_ms=250 * hypot(x, y),
            rise_ms=1700,
            hold_ms=100,
            fall_ms=1700,
            period_ms=3800,
        )
    return builder.build()


def _new_builder(layout: LedLayout, effects: LightEffects) -> tuple[LedPositions, AnimationBuilder]:
    lit = led_positions(layout)
    return lit, AnimationBuilder(lit.led_count, effects_level(effects))
