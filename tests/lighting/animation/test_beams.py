"""Beam animations: which LEDs are lit, when, and in which colour."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.lighting.animation import (
    Animation,
    LightEffects,
    animate_removals,
    animate_still_beams,
    animate_turn,
)
from controller.lighting.animation.beams import BEAM_TIMINGS, turn_step_ms
from controller.lighting.animation.timeline import CALM_LEVEL
from controller.lighting.layout import LedLayout
from engine import games
from engine.beam import Beam, BeamEvent, Emitter, Reaction, Step
from engine.draw.palette import parse_rgb, player_paints
from engine.game import AnyTurn, Loss, Piece
from engine.grid import Cell, Grid
from tests.support.engine.random_play import examples, random_turns, turn_beam, turn_cell
from tests.support.lighting.animation_cases import (
    BOARDS,
    HEX,
    HEXAGONS,
    NINE,
    ONE,
    PAINTS,
    SQUARES,
    changes,
    film,
    laid,
    lit,
    lit_cells,
    luminance,
    most_flashes,
    peaks,
    shortest_period_s,
    shot,
    turn_of,
)

UP, RIGHT, DOWN, LEFT = range(4)
MIRRORS = {
    SQUARES.cell("d4"): Reaction(BeamEvent.TURN, UP),
    SQUARES.cell("d7"): Reaction(BeamEvent.TURN, LEFT),
}
# In a cell of 3 x 3 LEDs: the middle of each side by heading, and the centre.
SIDES, MIDDLE = (1, 5, 7, 3), 4


def bent(end: BeamEvent | None = None) -> AnyTurn:
    """From a4 to d4, up to d7, left to b7 or off the board."""
    pieces = MIRRORS | ({SQUARES.cell("b7"): Reaction(end)} if end else {})
    return shot(SQUARES, [Emitter(SQUARES.cell("a4"), RIGHT, 0)], pieces)


def tint(owner: int) -> Any:
    return np.array(parse_rgb(PAINTS[owner].beam)) / 255


def game_turns(name: str, seed: int, most: int = 12) -> tuple[Any, list[AnyTurn]]:
    game = games.make(name)
    return game, list(random_turns(game, seed, most))


@cache
def board_for(grid: Grid, across: int = 1, down: int = 1) -> LedLayout:
    return laid(grid, across, down)


any_turns = st.tuples(st.sampled_from(sorted(games.GAMES)), st.integers(0, 10_000))


# -- the way of a beam -------------------------------------------------------------------------


@given(any_turns)
@examples(25)
def test_beams_light_exactly_the_cells_of_their_paths_one_per_step(
    drawn: tuple[str, int],
) -> None:
    game, turns = game_turns(*drawn)
    for turn in turns:
        layout = board_for(turn.aimed.grid)
        show = animate_turn(layout, turn, player_paints(game.players))
        pace = turn_step_ms(turn)
        hit = {beam.end.cell for beam in turn.beams}
        unhit = {loss.cell for loss in turn.losses if loss.cell not in hit}
        ends = [len(beam.steps) - (1.5 if beam.end.on_edge else 1) for beam in turn.beams]
        for step in range(max((len(beam.path) for beam in turn.beams), default=0)):
            reached = {cell for beam in turn.beams for cell in beam.path[: step + 1]}
            if step + 0.98 > max(ends):  # a loss without a beam is shown after the beams
                reached |= unhit
            assert lit_cells(layout, show.at((step + 0.98) * pace)) == reached


def test_only_the_emitter_is_lit_first() -> None:
    show = animate_turn(ONE, bent(), PAINTS)
    assert lit(show.at(0)) == set()
    assert lit_cells(ONE, show.at(40)) == {SQUARES.cell("a4")}


def nine_leds(layout: LedLayout, turn: AnyTurn) -> list[int]:
    """The LEDs of a 3 x 3 cell that a beam passes, by its entry and exit side."""
    (beam,) = turn.beams
    way: list[int] = []
    for step in beam.steps:
        if step.on_edge:
            continue
        leds = layout.cells[step.cell]
        if step.entered is not None:
            way.append(leds[SIDES[(step.entered + 2) % 4]])
        way.append(leds[MIDDLE])
        if step.left is not None:
            way.append(leds[SIDES[step.left]])
    return way


def test_with_nine_leds_a_beam_enters_and_leaves_on_the_right_sides() -> None:
    turn = bent()
    way = nine_leds(NINE, turn)
    assert len(way) == len(set(way)) == 3 * 10 - 1
    show = animate_turn(NINE, turn, PAINTS)
    grown = show.at(9.5 * turn_step_ms(turn) + 60)
    assert lit(grown) == set(way)
    corner = {led for led in NINE.cells[SQUARES.cell("d4")] if grown[led].max() > 0}
    assert corner == {NINE.cells[SQUARES.cell("d4")][place] for place in (3, 4, 1)}


@given(st.integers(0, 10_000))
@examples(15)
def test_with_nine_leds_only_the_line_of_the_path_is_lit(seed: int) -> None:
    game, turns = game_turns("laser-chess", seed)
    for turn in turns:
        show = animate_turn(NINE, turn, player_paints(game.players))
        (beam,) = turn.beams
        # Just before the end, which has its own light.
        before = show.at((len(beam.steps) - 1.5) * turn_step_ms(turn) - 1)
        inside = {led for step in beam.steps for led in NINE.cells[step.cell]}
        assert lit(before) <= set(nine_leds(NINE, turn)) <= inside


@pytest.mark.parametrize("effects", LightEffects)
def test_the_head_of_a_beam_never_moves_backwards(effects: LightEffects) -> None:
    turn = bent()
    show = animate_turn(NINE, turn, PAINTS, effects)
    first: dict[int, int] = {}
    for ms in range(0, 2000, 2):
        for led in lit(show.at(ms)):
            first.setdefault(led, ms)
    moments = [first[led] for led in nine_leds(NINE, turn)]
    assert all(a < b for a, b in pairwise(moments))


def test_with_an_even_number_of_leds_the_two_middle_rows_are_lit() -> None:
    layout = BOARDS["two by two"]
    turn = shot(SQUARES, [Emitter(SQUARES.cell("a4"), RIGHT, 0)], MIRRORS)
    canvas = animate_turn(layout, turn, PAINTS).at(700)

    def places(name: str) -> set[int]:
        return {n for n, led in enumerate(layout.cells[SQUARES.cell(name)]) if canvas[led].any()}

    assert places("a4") == {1, 3}  # it starts in the centre
    assert places("b4") == {0, 1, 2, 3}
    assert places("d4") == {0, 2, 1}  # enters on the left, leaves at the top
    assert places("d5") == {0, 1, 2, 3}


def test_with_three_leds_in_a_row_a_crossing_beam_lights_the_middle_one() -> None:
    layout = BOARDS["three by one"]
    canvas = animate_turn(layout, bent(), PAINTS).at(700)
    lit_places = [
        {n for n, led in enumerate(layout.cells[SQUARES.cell(name)]) if canvas[led].any()}
        for name in ("b4", "d4", "d5", "c7")
    ]
    assert lit_places == [{0, 1, 2}, {0, 1}, {1}, {0, 1, 2}]


def test_long_beams_are_faster_to_limit_the_length_of_a_turn() -> None:
    captured, faded = bent(BeamEvent.CAPTURE), bent()
    for turn in (captured, faded):
        (beam,) = turn.beams
        long = replace(turn, beams=(replace(beam, steps=beam.steps[:1] * 400 + beam.steps),))
        for effects in LightEffects:
            assert turn_step_ms(turn, effects) == BEAM_TIMINGS[effects].cell_ms
            assert turn_step_ms(long, effects) < 10
            duration_ms = animate_turn(ONE, long, PAINTS, effects).duration_ms
            assert duration_ms is not None
            assert duration_ms <= 6500


# -- what happens on the way and at the end ----------------------------------------------------


@pytest.mark.parametrize("layout", [ONE, NINE], ids=["one", "nine"])
def test_mirrors_flash_white_where_a_beam_bounces(layout: LedLayout) -> None:
    turn = bent()
    show, bounce_ms = animate_turn(layout, turn, PAINTS), 3 * turn_step_ms(turn)
    leds = layout.cells[SQUARES.cell("d4")]
    middle = leds[len(leds) // 2]
    assert show.at(bounce_ms + 90)[middle].min() > 0.95
    passed = layout.cells[SQUARES.cell("c4")][len(leds) // 2]
    assert show.at(bounce_ms + 90)[passed].min() < 0.75
    assert show.at(bounce_ms + 900)[middle] == pytest.approx(0.8 * tint(0), abs=0.01)


def test_crossing_beams_add_their_colours() -> None:
    across = Emitter(SQUARES.cell("a4"), RIGHT, 0)
    down = Emitter(SQUARES.cell("f8"), DOWN, 1)
    both = shot(SQUARES, [across, down], meeting=False)
    canvases = [
        animate_turn(ONE, turn, PAINTS).at(1100)
        for turn in (both, turn_of(SQUARES, both.beams[:1]), turn_of(SQUARES, both.beams[1:]))
    ]
    assert np.allclose(canvases[0], np.clip(canvases[1] + canvases[2], 0, 1), atol=1e-6)
    (crossing,) = ONE.cells[SQUARES.cell("f4")]
    assert canvases[0][crossing] == pytest.approx(
        np.clip(0.8 * (tint(0) + tint(1)), 0, 1), abs=0.01
    )


def test_a_players_own_beams_do_not_add_up() -> None:
    emitters = [Emitter(SQUARES.cell("a4"), RIGHT, 0), Emitter(SQUARES.cell("f8"), DOWN, 0)]
    canvas = animate_turn(ONE, shot(SQUARES, emitters, meeting=False), PAINTS).at(1100)
    (crossing,), (alone,) = ONE.cells[SQUARES.cell("f4")], ONE.cells[SQUARES.cell("e4")]
    assert canvas[crossing] == pytest.approx(canvas[alone], abs=1e-3)


@pytest.mark.parametrize("start", ["h4", "i4"], ids=["in a cell", "on an edge"])
def test_beams_that_meet_spark_at_their_meeting_point(start: str) -> None:
    emitters = [Emitter(SQUARES.cell("b4"), RIGHT, 0), Emitter(SQUARES.cell(start), LEFT, 1)]
    turn = shot(SQUARES, emitters)
    assert {beam.end.event for beam in turn.beams} == {BeamEvent.ANNIHILATE}
    met_ms = (len(turn.beams[0].steps) - 1) * turn_step_ms(turn) - (
        35 if turn.beams[0].end.on_edge else 0
    )
    canvas = animate_turn(ONE, turn, PAINTS).at(met_ms + 100)
    white = {ONE.cell_of(int(led)) for led in np.flatnonzero(canvas.min(axis=1) > 0.9)}
    assert white == {beam.end.cell for beam in turn.beams}
    calm = animate_turn(ONE, turn, PAINTS, LightEffects.CALM)
    assert calm.duration_ms is not None
    assert all(calm.at(ms).max() <= CALM_LEVEL + 1e-6 for ms in range(0, int(calm.duration_ms), 50))


def test_a_beam_that_leaves_the_board_fades_at_the_edge() -> None:
    turn = bent()
    assert turn.beams[0].end.event is BeamEvent.LEAVE
    canvas = luminance(animate_turn(ONE, turn, PAINTS).at(1200))
    (last,), (before,) = ONE.cells[SQUARES.cell("a7")], ONE.cells[SQUARES.cell("b7")]
    assert 0.02 < canvas[last] < 0.5 * canvas[before]
    nine = luminance(animate_turn(NINE, turn, PAINTS).at(1200))
    leds = NINE.cells[SQUARES.cell("a7")]
    assert 0.02 < nine[leds[SIDES[LEFT]]] < 0.5 * nine[leds[MIDDLE]]


def test_an_absorbing_piece_glows_briefly() -> None:
    turn = bent(BeamEvent.ABSORB)
    show, end_ms = animate_turn(NINE, turn, PAINTS), 8 * turn_step_ms(turn)
    corner = NINE.cells[SQUARES.cell("b7")][0]
    glow = [show.at(end_ms + ms)[corner].max() for ms in (0, 130, 900)]
    assert glow[0] == 0 < glow[1]
    assert glow[2] == 0


@pytest.mark.parametrize("layout", [ONE, NINE, HEX], ids=["one", "nine", "hex"])
def test_a_captured_piece_pulses_slowly_and_stays_to_be_removed(layout: LedLayout) -> None:
    grid = layout.board.grid
    start, target = (
        (Cell(3), Cell(5)) if grid.headings == 6 else (SQUARES.cell("a4"), SQUARES.cell("e4"))
    )
    turn = shot(grid, [Emitter(start, RIGHT, 0)], {target: Reaction(BeamEvent.CAPTURE)})
    show = animate_turn(layout, turn, PAINTS)
    end_ms = (len(turn.beams[0].steps) - 1) * turn_step_ms(turn)
    assert show.duration_ms is not None
    after = np.stack(
        [luminance(show.at(ms)) for ms in np.arange(end_ms + 300, show.duration_ms, 5)]
    )
    assert peaks(after[:, layout.cells[target][0]]) == 3
    beginning = animate_removals(layout, [target]).at(0)
    assert np.allclose(show.at(show.duration_ms), beginning, atol=1e-6)
    assert np.allclose(show.at(show.duration_ms + 1e6), beginning, atol=1e-6)
    assert lit_cells(layout, beginning) == {target}


@pytest.mark.parametrize("effects", LightEffects)
def test_damage_differs_from_capture_and_ends_dark(effects: LightEffects) -> None:
    damaged, captured = (
        animate_turn(ONE, bent(what), PAINTS, effects)
        for what in (BeamEvent.DAMAGE, BeamEvent.CAPTURE)
    )
    (led,) = ONE.cells[SQUARES.cell("b7")]
    assert damaged.duration_ms is not None
    assert lit(damaged.at(damaged.duration_ms)) == set()
    assert lit(captured.at(damaged.duration_ms)) == {led}
    differing = np.abs(film(damaged, 60, 3000)[:, led] - film(captured, 60, 3000)[:, led])
    assert differing.max() > 0.02


def test_a_loss_without_a_beam_is_reported_too() -> None:
    turn = turn_of(SQUARES, ())
    lost = replace(turn, losses=(Loss(SQUARES.cell("c3"), Piece("thing", 1), 1),))
    show = animate_turn(ONE, lost, PAINTS)
    assert lit_cells(ONE, show.at(500)) == {SQUARES.cell("c3")}
    assert animate_turn(ONE, turn, PAINTS).duration_ms == 0
    assert lit(animate_turn(ONE, turn, PAINTS).at(100)) == set()


def test_still_beams_equal_the_fully_grown_ones() -> None:
    turn = bent()
    for layout in (ONE, NINE):
        still = animate_still_beams(layout, SQUARES, turn.beams, PAINTS)
        assert still.duration_ms is None
        assert np.array_equal(still.at(0), still.at(5000))
        assert np.allclose(still.at(0), animate_turn(layout, turn, PAINTS).at(1400), atol=0.01)


def test_a_beam_on_hexagons_fades_at_the_end_of_its_reach() -> None:
    turn = shot(HEXAGONS, [Emitter(HEXAGONS.cell("a6"), 1, 1)], reach=6)
    assert turn.beams[0].end.event is BeamEvent.FADE
    canvas = luminance(animate_turn(HEX, turn, PAINTS).at(900))
    path = [canvas[HEX.cells[cell][0]] for cell in turn.beams[0].path]
    assert 0.02 < path[-1] < 0.5 * path[0]


def test_finished_beams_stay_visible_for_a_moment_and_fade() -> None:
    turn = bent()
    show = animate_turn(ONE, turn, PAINTS)
    (led,) = ONE.cells[SQUARES.cell("a4")]
    end_ms = 10.5 * turn_step_ms(turn)
    assert show.at(end_ms + 500)[led] == pytest.approx(0.8 * tint(0), abs=0.01)
    fading = [show.at(end_ms + ms)[led].max() for ms in (700, 1000, 1300, 1600)]
    assert all(a > b for a, b in pairwise(fading))
    assert show.duration_ms is not None
    assert lit(show.at(show.duration_ms)) == set()


# -- of every turn -----------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.sampled_from(LightEffects))
@examples(8)
def test_a_turned_board_shows_the_turned_picture(seed: int, effects: LightEffects) -> None:
    for name in ("laser-chess", "photon"):
        _, turns = game_turns(name, seed, 4)
        for turn in turns:
            grid = turn.aimed.grid
            layout = board_for(grid, 3, 3)
            there = {
                led: layout.cells[turn_cell(grid, cell)][8 - place]
                for cell, leds in enumerate(layout.cells)
                for place, led in enumerate(leds)
            }
            order = [there[led] for led in range(layout.led_count)]
            beams = tuple(turn_beam(grid, beam) for beam in turn.beams)
            straight = animate_turn(layout, turn_of(grid, turn.beams), PAINTS, effects)
            turned = animate_turn(layout, turn_of(grid, beams), PAINTS[::-1], effects)
            for ms in (50, 333, 777, 1500, 2500):
                assert np.allclose(turned.at(ms)[order], straight.at(ms), atol=1e-6)


@given(any_turns, st.floats(-100, 9000))
@examples(25)
def test_the_picture_at_a_given_time_is_deterministic(drawn: tuple[str, int], ms: float) -> None:
    game, turns = game_turns(*drawn)
    for turn in turns[-2:]:
        layout = board_for(turn.aimed.grid)
        show = animate_turn(layout, turn, player_paints(game.players))
        canvas = show.at(ms)
        assert canvas.dtype == np.float32
        assert canvas.shape == (layout.led_count, 3)
        assert 0 <= canvas.min() <= canvas.max() <= 1
        canvas[:] = 0.5  # the caller owns the canvas
        again = animate_turn(layout, turn, player_paints(game.players)).at(ms)
        assert np.array_equal(show.at(ms), again)
        assert np.abs(show.at(ms + 1) - again).max() < 0.08


@given(any_turns)
@examples(12)
def test_no_turn_flashes_more_than_three_times_a_second(drawn: tuple[str, int]) -> None:
    game, turns = game_turns(*drawn)
    liveliest = max(turns, key=lambda turn: sum(len(beam.steps) for beam in turn.beams))
    for across in (1, 3) if liveliest.aimed.grid.headings == 4 else (1,):
        layout = board_for(liveliest.aimed.grid, across, across)
        show = animate_turn(layout, liveliest, player_paints(game.players))
        assert most_flashes(changes(film(show, 240), 240)) <= 3


def assert_rises_and_falls_once(show: Animation) -> None:
    """An LED never gets brighter after it got darker."""
    assert show.duration_ms is not None
    canvases = np.stack([show.at(ms) for ms in np.arange(0, show.duration_ms + 100, 1000 / 60)])
    steps = np.diff(canvases, axis=0)
    fallen = np.cumsum(steps < -1e-5, axis=0) > 0
    assert not (fallen & (steps > 1e-5)).any()
    assert canvases.max() <= CALM_LEVEL + 1e-6


@given(any_turns)
@examples(10)
def test_calm_light_rises_and_falls_once(drawn: tuple[str, int]) -> None:
    game, turns = game_turns(*drawn)
    liveliest = max(turns, key=lambda turn: sum(len(beam.steps) for beam in turn.beams))
    show = animate_turn(
        board_for(liveliest.aimed.grid), liveliest, player_paints(game.players), LightEffects.CALM
    )
    assert_rises_and_falls_once(show)
    assert shortest_period_s(changes(film(show, 240), 240)) >= 2.0


def test_calm_light_does_not_flicker_where_two_beams_stop_in_succession() -> None:
    emitters = [Emitter(SQUARES.cell("d4"), RIGHT, 0), Emitter(SQUARES.cell("f8"), DOWN, 1)]
    detour = {SQUARES.cell("f5"): Reaction(BeamEvent.TURN, RIGHT), **_around_to_f4()}
    turn = shot(SQUARES, emitters, detour)
    assert [beam.end.event for beam in turn.beams] == [BeamEvent.ABSORB] * 2
    assert len(turn.beams[1].steps) - len(turn.beams[0].steps) >= 9
    assert_rises_and_falls_once(animate_turn(NINE, turn, PAINTS, LightEffects.CALM))


def _around_to_f4() -> dict[Cell, Reaction]:
    """From f5 to the right edge, down, back to f1, and up into f4, which absorbs it."""
    way = {"j5": DOWN, "j1": LEFT, "f1": UP}
    turns = {SQUARES.cell(name): Reaction(BeamEvent.TURN, heading) for name, heading in way.items()}
    return {**turns, SQUARES.cell("f4"): Reaction(BeamEvent.ABSORB)}


def test_a_mirror_that_is_hit_twice_in_succession_stays_white() -> None:
    cell, beside = SQUARES.cell("d4"), SQUARES.cell("e4")
    bounce = Step(cell, BeamEvent.TURN, RIGHT, UP)
    way = [Step(beside, BeamEvent.FIRE, None, UP)]
    for _ in range(4):
        way += [bounce, *[Step(beside, BeamEvent.PASS, UP, UP)] * 6]
    turn = turn_of(SQUARES, [Beam(0, (*way, Step(beside, BeamEvent.LEAVE, None, UP)))])
    show, pace = animate_turn(ONE, turn, PAINTS), turn_step_ms(turn)
    (led,) = ONE.cells[cell]
    between = [show.at(ms)[led].min() for ms in np.arange(pace + 80, 22 * pace, 10)]
    assert min(between) > 0.95
    assert show.at(22 * pace + 900)[led].min() < 0.5


def test_a_smaller_game_is_shown_in_its_place_on_a_larger_board() -> None:
    turn = bent()
    large = board_for(type(SQUARES)(10, 10))
    shown = animate_turn(large, turn, PAINTS).at(500)
    placed = animate_turn(large.for_grid(SQUARES), turn, PAINTS).at(500)
    assert np.array_equal(shown, placed)
    assert {large.cell_of(led) for led in lit(shown)} == {
        cell + 10 for cell in lit_cells(ONE, animate_turn(ONE, turn, PAINTS).at(500))
    }
