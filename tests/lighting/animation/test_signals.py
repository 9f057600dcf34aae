"""Signal animations: on the right cells, each with a distinct pattern."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations, pairwise
from math import atan2

import numpy as np
import pytest

from controller.lighting import animation
from controller.lighting.animation import (
    Animation,
    CannotDraw,
    CellPattern,
    DamagedPiece,
    EdgeState,
    LightEffects,
)
from controller.lighting.animation.signals import FAR, NEAR
from controller.lighting.animation.timeline import CALM_LEVEL, AnimationBuilder, parse_colour
from controller.lighting.layout import LedLayout
from controller.lighting.sentences import BOARD_TOO_SMALL
from engine import games
from engine.beam import BeamEvent, Emitter, Reaction
from engine.draw.palette import Paint, SideShape
from engine.game import ExpectedPiece, Mark, Piece
from engine.grid import Cell, Grid, SquareGrid
from engine.sentences import plain
from tests.support.engine.random_play import random_turns
from tests.support.engine.sentences import raises
from tests.support.lighting.animation_cases import (
    BOARDS,
    HEX,
    HEXAGONS,
    NINE,
    ONE,
    PAINTS,
    SQUARES,
    SQUARES_10,
    Reals,
    changes,
    film,
    laid,
    lit,
    lit_cells,
    luminance,
    most_flashes,
    shortest_period_s,
    shot,
)
from vision.infer import Difference

WHITE = (1.0, 1.0, 1.0)


def somewhere(grid: Grid) -> Cell:
    return grid.cell("e5")


@cache
def pictures(board: str, effects: LightEffects) -> Mapping[str, Animation]:
    """All animations, those for one cell on the same cell and in white."""
    layout = BOARDS[board]
    grid = layout.board.grid
    cell = somewhere(grid)
    on_cell = {
        figure.name: animation.animate_patterns(layout, [(cell, figure)], effects, WHITE)
        for figure in CellPattern
    }
    white = Paint("#ffffff", "#ffffff", "#ffffff", "#ffffff", "#ffffff", SideShape.ROUND)
    return on_cell | {
        "faced": animation.animate_heading(layout, cell, 1, white, effects),
        "hit points": animation.animate_hit_points(
            layout, {cell: DamagedPiece(0, 1, 2)}, [white, white], effects
        ),
        "clock low": animation.animate_low_clock(layout, white, 1.0, effects),
        "winner": animation.animate_winner(layout, 0, [white, white], effects),
        "draw": animation.animate_winner(layout, None, PAINTS, effects),
        "paused": animation.animate_pause(layout, effects),
        "choices": animation.animate_choices(layout, [[cell], [grid.cell("c3")]], effects),
        "edge": animation.animate_player_edges(
            layout, [(0, EdgeState.TO_PRESS)], (NEAR, FAR), [white, white], effects
        ),
        "last turn": animation.animate_last_turn(layout, [cell], effects),
        "rock": animation.animate_terrain(layout, [(cell, Mark.MOUNTAIN)], effects),
        "void": animation.animate_terrain(layout, [(cell, Mark.VOID)], effects),
        "idle": animation.animate_idle(layout, [white, white], effects),
        "thinking": animation.animate_thinking(layout, white, effects),
        "number": animation.animate_digits(layout, "4711", effects),
        "PIN of two digits": animation.animate_digits(layout, "42", effects),
    }


GROUND = {"last turn", "rock", "void"}  # shown in the background
FEW = ("one", "hexagons")
EVERY = [
    pytest.param(board, effects, marks=() if board in FEW else pytest.mark.slow)
    for board in BOARDS
    for effects in LightEffects
]


# -- what an eye can bear --------------------------------------------------------------------


@pytest.mark.parametrize(("board", "effects"), EVERY)
def test_no_picture_flashes_too_fast(board: str, effects: LightEffects) -> None:
    calm = effects is LightEffects.CALM
    for name, picture in pictures(board, effects).items():
        assert picture.duration_ms is None
        found = changes(film(picture, 240, 5000 if calm else 3000), 240)
        assert most_flashes(found) <= 3, name
        if calm:
            assert shortest_period_s(found) >= 2.0, name


def test_the_flash_counter_detects_four_hertz_and_accepts_two() -> None:
    """Tests the flash counter itself."""
    seconds = np.arange(0, 4, 1 / 240)
    for rate_hz in (4.0, 2.0, 0.5):
        found = changes(0.5 - 0.5 * np.cos(2 * np.pi * rate_hz * seconds)[:, None], 240)
        assert most_flashes(found) == pytest.approx(rate_hz, abs=0.5)
        assert shortest_period_s(found) == pytest.approx(1 / rate_hz, rel=0.02)
    faint = 0.5 + 0.04 * np.sin(2 * np.pi * 20 * seconds)[:, None]
    assert most_flashes(changes(faint, 240)) == 0


@pytest.mark.parametrize(("board", "effects"), EVERY)
def test_every_animation_gives_a_valid_canvas_at_any_time(
    board: str, effects: LightEffects
) -> None:
    most = CALM_LEVEL if effects is LightEffects.CALM else 1.0
    for picture in pictures(board, effects).values():
        for ms in (-5.0, 0.0, 0.5, 12_345.6, 1e7):
            canvas = picture.at(ms)
            assert canvas.dtype == np.float32
            assert canvas.shape == (BOARDS[board].led_count, 3)
            assert 0 <= canvas.min() <= canvas.max() <= most + 1e-6
            assert np.array_equal(canvas, picture.at(ms))
            assert np.abs(picture.at(ms + 1) - canvas).max() < 0.08


# -- distinct without colour -------------------------------------------------------------------


def difference(first: Reals, second: Reals, shifts: range) -> float:
    """The difference of two recordings, 0 to 2, independent of level and phase."""
    used = (first.max(axis=0) > 1e-3) | (second.max(axis=0) > 1e-3)
    a, b = (each[:, used] / each.sum(axis=1).mean() for each in (first, second))
    length = len(a) - max(shifts)
    return min(
        float(np.abs(a[start : start + length] - b[:length]).sum(axis=1).mean()) for start in shifts
    )


@pytest.mark.parametrize(("board", "effects"), EVERY)
def test_any_two_pictures_differ_in_more_than_colour(board: str, effects: LightEffects) -> None:
    slow = 4 if effects is LightEffects.CALM else 1
    rate_hz = 16 / slow
    films = {
        name: film(picture, rate_hz, 9000 * slow)
        for name, picture in pictures(board, effects).items()
        if name not in GROUND
    }
    alike = {
        (a, b): found
        for a, b in combinations(films, 2)
        if (found := difference(films[a], films[b], range(0, 64, 2))) < 0.35
    }
    assert alike == {}


# -- on the right cells ------------------------------------------------------------------------


def cells_lit(layout: LedLayout, picture: Animation) -> set[Cell]:
    return {cell for ms in range(0, 9000, 90) for cell in lit_cells(layout, picture.at(ms))}


def test_each_fault_of_a_setup_has_its_own_pattern() -> None:
    king = ExpectedPiece("king", 1, frozenset({0}))
    found = [
        animation.pattern_for_difference(Difference(0, expected, seen, 9.0, plain("")))
        for expected, seen in (
            (king, None),
            (king, Piece("laser", 1)),
            (king, Piece("king", 0)),
            (king, Piece("king", 1, 2)),
            (None, Piece("king", 1)),
        )
    ]
    assert found == [
        CellPattern.MISSING,
        CellPattern.WRONG_PIECE,
        CellPattern.WRONG_PIECE,
        CellPattern.WRONG_WAY,
        CellPattern.EXTRA,
    ]


@pytest.mark.parametrize("layout", [ONE, NINE], ids=["one", "nine"])
def test_wrong_squares_are_lit_and_a_missing_piece_in_its_owners_colour(layout: LedLayout) -> None:
    cells = [SQUARES.cell(name) for name in ("a1", "c3", "j8")]
    king = ExpectedPiece("king", 1, frozenset({0}))
    seen = (None, Piece("laser", 1), Piece("king", 1, 2))
    picture = animation.animate_differences(
        layout,
        [Difference(c, king, s, 9.0, plain("")) for c, s in zip(cells, seen, strict=True)],
        PAINTS,
    )
    assert cells_lit(layout, picture) == set(cells)
    canvas = picture.at(1100)[layout.cells[cells[0]][0]]
    assert canvas == pytest.approx(np.array(parse_colour(PAINTS[1].beam)), abs=0.01)


def test_both_squares_are_lit_until_a_piece_is_put_back() -> None:
    e4, e5 = SQUARES.cell("e4"), SQUARES.cell("e5")
    both = animation.animate_put_back(ONE, e4, e5)
    assert cells_lit(ONE, both) == {e4, e5}
    assert cells_lit(ONE, animation.animate_put_back(ONE, None, e5)) == {e5}
    # One empties while the other fills.
    early, late = luminance(both.at(150)), luminance(both.at(1450))
    (here,), (there,) = ONE.cells[e4], ONE.cells[e5]
    assert early[here] > late[here]
    assert early[there] < late[there]


def test_legal_moves_light_the_piece_and_its_squares() -> None:
    e4, targets = SQUARES.cell("e4"), {SQUARES.cell(name) for name in ("e5", "d4", "f5")}
    canvas = luminance(animation.animate_legal_targets(ONE, e4, targets).at(0))
    assert lit_cells(ONE, animation.animate_legal_targets(ONE, e4, targets).at(0)) == {e4, *targets}
    assert all(canvas[ONE.cells[e4][0]] > canvas[ONE.cells[cell][0]] for cell in targets)


def test_with_nine_leds_the_patterns_have_shapes() -> None:
    def shape(figure: CellPattern) -> str:
        canvas = film(animation.animate_patterns(NINE, [(0, figure)]), 60, 3000).max(axis=0)
        signs = ["#" if canvas[led] > 0.05 else "." for led in NINE.cells[0]]
        return "/".join("".join(signs[row : row + 3]) for row in (0, 3, 6))

    assert shape(CellPattern.MISSING) == "###/#.#/###"
    assert shape(CellPattern.WRONG_PIECE) == "#.#/.#./#.#"
    assert shape(CellPattern.WRONG_WAY) == ".#./#.#/.#."
    assert shape(CellPattern.EXTRA) == "###/###/###"
    assert shape(CellPattern.MOVE) == "#.#/.../#.#"
    assert shape(CellPattern.MOVE_TO) == ".#./###/.#."
    assert shape(CellPattern.LEGAL) == ".../.#./..."


def test_brightness_grows_with_the_remaining_hit_points() -> None:
    for layout in (ONE, NINE, HEX):
        cell = somewhere(layout.board.grid)
        light_of = [
            float(
                film(
                    animation.animate_hit_points(
                        layout, {cell: DamagedPiece(0, left, 100)}, PAINTS
                    ),
                    30,
                    9600,
                ).mean()
            )
            for left in (10, 40, 70, 95)
        ]
        assert all(a < b for a, b in pairwise(light_of))
        assert cells_lit(
            layout, animation.animate_hit_points(layout, {cell: DamagedPiece(1, 1, 2)}, PAINTS)
        ) == {cell}


# -- which way to turn -------------------------------------------------------------------------


@pytest.mark.parametrize("effects", LightEffects)
@pytest.mark.parametrize(
    "board", ["one", "three by three", "two by two", "three by one", "hexagons"]
)
@pytest.mark.parametrize("where", ["in the middle", "in a corner"])
def test_the_animation_of_a_rotation_runs_in_its_direction(
    board: str, effects: LightEffects, where: str
) -> None:
    layout = BOARDS[board]
    grid = layout.board.grid
    cell = somewhere(grid) if where == "in the middle" else 0
    places, (x, y) = layout.led_positions_mm(), layout.board.centre_mm(cell)
    for clockwise in (True, False):
        picture = animation.animate_rotation(layout, cell, PAINTS[0], effects, clockwise=clockwise)
        seen = film(picture, 100, 9000)
        moving = [led for led in range(layout.led_count) if np.ptp(seen[:, led]) > 0.05]
        peaks = {led: int(seen[450:, led].argmax()) for led in moving}
        turns = {led: atan2(places[led][0] - x, y - places[led][1]) for led in moving}
        order = sorted({(peaks[led], round(turns[led], 3)) for led in moving})
        assert len(order) >= 3
        angles = [angle for _, angle in order]
        back = sum((b < a) if clockwise else (b > a) for a, b in pairwise([*angles, angles[0]]))
        assert back == 1, "once around, and on from the beginning"


@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_the_computers_move_shows_where_hands_must_act(name: str) -> None:
    game = games.make(name)
    moved = 0
    for turn in random_turns(game, 3, 30):
        grid = turn.before.grid
        layout = laid(grid)
        for player, move in turn.moves:
            origin = game.origin(turn.before, player, move)
            after = game.expected_after_moves(turn, {}, moved_by_hand=(player,))
            picture = animation.animate_turn_to_make(layout, game, turn, player, PAINTS)
            shown = cells_lit(layout, picture)
            if origin is None or after is None:
                assert shown == set()
                continue
            before = game.expected_pieces(turn.before)
            changed = {c for c in {*before, *after} if before.get(c) != after.get(c)}
            assert origin in shown
            assert changed <= shown
            if len(changed) == 2:
                assert shown == changed
                moved += 1
    assert moved >= 3


def test_the_animation_of_the_computers_rotation_runs_in_its_direction() -> None:
    game = games.make("laser-chess")
    position = game.start()
    found = set()
    for move in game.legal(position, 0):
        turn = game.resolve(position, {0: move})
        origin = game.origin(position, 0, move)
        assert origin is not None
        piece = turn.aimed.pieces.get(origin)
        if piece is None or piece.kind != position.pieces[origin].kind:
            continue
        quarters = (piece.orientation - position.pieces[origin].orientation) % 4
        target = animation.animate_rotation(NINE, origin, PAINTS[0], clockwise=quarters == 1)
        shown = animation.animate_turn_to_make(NINE, game, turn, 0, PAINTS)
        assert np.array_equal(shown.at(321), target.at(321))
        found.add(quarters)
    assert found == {1, 3}


# -- the whole board ---------------------------------------------------------------------------


def drawn(layout: LedLayout, canvas: animation.Canvas) -> list[str]:
    grid = layout.board.grid
    assert isinstance(grid, SquareGrid)
    cells = lit_cells(layout, canvas)
    return [
        "".join("#" if grid.at(x, y) in cells else "." for x in range(grid.columns))
        for y in range(grid.rows)
    ]


def test_a_number_is_drawn_with_its_digits() -> None:
    picture = animation.animate_digits(ONE, "4709")
    assert drawn(ONE, picture.at(1000)) == [
        "..........",
        ".#.#.###..",
        ".#.#...#..",
        ".###..#...",
        "...#..#...",
        "...#..#...",
        "..........",
        ".#........",
    ]
    assert drawn(ONE, picture.at(3200)) == [
        "..........",
        ".###.###..",
        ".#.#.#.#..",
        ".#.#.###..",
        ".#.#...#..",
        ".###.###..",
        "..........",
        ".##.......",
    ]
    assert drawn(ONE, picture.at(5000)) == [".........."] * 8


@pytest.mark.parametrize("layout", [ONE, NINE, laid(SQUARES_10), HEX])
def test_every_number_of_two_digits_looks_different(layout: LedLayout) -> None:
    seen = {frozenset(lit(animation.animate_digits(layout, f"{n:02}").at(500))) for n in range(100)}
    assert len(seen) == 100


def test_a_text_that_is_not_a_number_is_refused() -> None:
    for text in ("", "12a", "-1", "٣", "1" * 13):
        with pytest.raises(CannotDraw):
            animation.animate_digits(ONE, text)
    with raises(CannotDraw, BOARD_TOO_SMALL(columns=3, rows=5)):
        animation.animate_digits(laid(SquareGrid(4, 4)), "1")
    # Pages of one digit.
    assert lit(animation.animate_digits(laid(SquareGrid(4, 5)), "12").at(1000))


def test_the_rim_shrinks_with_the_remaining_time() -> None:
    for layout in (ONE, HEX):
        grid = layout.board.grid
        rim = {
            c for c in range(grid.size) if None in [grid.ahead(c, h) for h in range(grid.headings)]
        }
        assert lit_cells(layout, animation.animate_low_clock(layout, PAINTS[0]).at(0)) == rim
        half = lit_cells(layout, animation.animate_low_clock(layout, PAINTS[0], 0.5).at(0))
        assert half < rim
        assert len(half) == pytest.approx(len(rim) / 2, abs=1)
        assert (
            len(lit_cells(layout, animation.animate_low_clock(layout, PAINTS[0], 0.0).at(0))) == 1
        )


def test_the_winners_colour_fills_the_board() -> None:
    for won in (0, 1):
        canvas = animation.animate_winner(HEX, won, PAINTS).at(700)
        assert len(lit(canvas)) == HEXAGONS.size
        strongest = int(np.argmax(parse_colour(PAINTS[won].beam)))
        assert (canvas.argmax(axis=1) == strongest).all()
    nobodys = animation.animate_winner(ONE, None, PAINTS).at(700)
    assert len(lit(nobodys)) == SQUARES.size
    assert np.ptp(nobodys / nobodys.max(axis=1, keepdims=True), axis=0).max() < 0.01


def test_idle_and_thinking_animations_are_dim() -> None:
    for layout in (ONE, NINE, HEX):
        assert film(animation.animate_idle(layout, PAINTS), 10).mean() < 0.1
        assert film(animation.animate_thinking(layout, PAINTS[0]), 10).mean() < 0.1


# -- together ----------------------------------------------------------------------------------


def test_layers_can_add_hide_dim_and_follow_each_other() -> None:
    red = animation.animate_patterns(ONE, [(0, CellPattern.LEGAL)], tint=(1.0, 0.0, 0.0))
    blue = animation.animate_patterns(
        ONE, [(0, CellPattern.SELECTED), (1, CellPattern.SELECTED)], tint=(0.0, 0.0, 1.0)
    )
    at_0, at_1 = ONE.cells[0][0], ONE.cells[1][0]
    top, base = red.at(1500)[at_0], blue.at(1500)[at_0]
    assert animation.mix(red, blue).at(1500)[at_0] == pytest.approx(np.clip(top + base, 0, 1))
    hidden = animation.overlay(red, blue).at(1500)
    assert hidden[at_0] == pytest.approx(top + base * (1 - top.max()))
    assert hidden[at_1] == pytest.approx(blue.at(1500)[at_1])
    assert animation.dim(red, 0.5).at(0)[at_0] == pytest.approx(red.at(0)[at_0] / 2)
    assert animation.dark_animation(80).at(3).max() == 0
    with pytest.raises(ValueError, match="without end"):
        animation.concatenate(red, blue)


def test_a_finished_animation_keeps_its_last_picture() -> None:
    sketch = AnimationBuilder(2)
    sketch.add_pulse(1, WHITE, start_ms=0, rise_ms=300, fall_ms=300, period_ms=1000)
    once = sketch.build(450)
    assert 0 < once.at(450)[1].max() < 1
    for ended in (
        once,
        animation.mix(once, once),
        animation.overlay(once, once),
        animation.dim(once, 0.5),
    ):
        assert ended.duration_ms == 450
        assert all(np.array_equal(ended.at(450), ended.at(ms)) for ms in (451, 1300, 1e6))
    both = animation.concatenate(once, once)
    assert both.duration_ms == 900
    assert np.array_equal(both.at(449), once.at(449))
    assert np.array_equal(both.at(450 + 200), once.at(200))


def test_concatenating_capture_and_removal_is_seamless() -> None:
    target = SQUARES.cell("e4")
    turn = shot(SQUARES, [Emitter(SQUARES.cell("a4"), 1, 0)], {target: Reaction(BeamEvent.CAPTURE)})
    beam, after = (
        animation.animate_turn(ONE, turn, PAINTS),
        animation.animate_removals(ONE, [target]),
    )
    whole = animation.concatenate(beam, after)
    assert beam.duration_ms is not None
    assert whole.duration_ms is None
    change = [whole.at(beam.duration_ms + ms) for ms in (-1, 0, 1)]
    assert max(np.abs(a - b).max() for a, b in pairwise(change)) < 0.01
    assert np.array_equal(whole.at(beam.duration_ms + 500), after.at(500))
