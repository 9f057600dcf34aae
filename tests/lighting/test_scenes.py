"""The scenes of all phases, and that nothing flickers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.lighting.animation import LightEffects
from controller.lighting.scenes import (
    AFTERGLOW_MS,
    FADE_MS,
    MIN_SCENE_MS,
    SceneSequence,
    lit_cells,
    reading_level,
    scene_of,
)
from controller.session.clocks import Clocks, TimeControl
from controller.session.move_options import legal_targets
from controller.session.state import Phase
from engine.draw.palette import parse_rgb
from engine.game import Mark, Piece
from tests.support.lighting.animation_cases import Reals, changes, luminance, most_flashes
from tests.support.lighting.scene_cases import (
    BOARDS,
    extra,
    in_play,
    laid,
    missing,
    moments,
    on_board,
    scene,
    shown,
    some_turn,
)
from vision.infer import Exact

EVERY = [(board, name) for board in BOARDS for name in moments(board)]


# -- messages ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "name"), EVERY)
def test_every_moment_has_a_picture_that_the_camera_can_read_through(board: str, name: str) -> None:
    for effects in LightEffects:
        found = scene(moments(board)[name], board, effects)
        film = np.stack([found.at(ms) for ms in range(0, 4000, 200)])
        assert film.max() > 0.02, "nothing is shown"
        assert film.max() <= reading_level(laid(board)) + 1e-6
        lit = set(np.flatnonzero(film.max(axis=(0, 2)) > 0).tolist())
        assert lit <= found.lit_leds


@pytest.mark.parametrize("board", BOARDS)
def test_all_moments_have_different_pictures(board: str) -> None:
    films = {
        name: np.stack([luminance(scene(each, board).at(ms)) for ms in range(0, 4000, 200)])
        for name, each in moments(board).items()
        if name != "setting up"  # the same differences look the same in every phase
    }
    both = len(in_play(board).to_move) > 1
    for first in films:
        for second in films:
            if first < second and not (both and {first, second} == {"turn", "ready"}):
                away = np.abs(films[first] - films[second]).max()
                assert away > 0.004, f"{first} looks like {second}"


@pytest.mark.parametrize(
    ("board", "side"), [("demo-10x8", (0, 1)), ("photon-10x10", (0, -1)), ("hex-r5", (-1, 0))]
)
def test_the_edge_at_the_start_of_the_players_pieces_is_lit(
    board: str, side: tuple[int, int]
) -> None:
    session = replace(in_play(board), history=())
    session = replace(session, position=session.game.start())
    waiting = replace(
        session, phase=Phase.WAITING_FOR_OTHER, turn=replace(session.turn, pressed=frozenset({0}))
    )
    canvas, layout = scene(waiting, board).at(0.0), on_board(session, board)
    grid = session.position.grid
    out = {
        cell
        for cell in range(grid.size)
        for x, y in (grid.centre(cell),)
        if not any(
            abs(to_x - x - side[0]) < 0.01 and abs(to_y - y - side[1]) < 0.01
            for to_x, to_y in map(grid.centre, range(grid.size))
        )
    }
    bright = {c for c in range(grid.size) if canvas[list(layout.cells[c])].max() > 0.45}
    assert bright == out
    pieces = session.position.pieces
    own = [grid.centre(c) for c in pieces if pieces[c].owner == 0]
    others = [grid.centre(c) for c in pieces if pieces[c].owner == 1]
    assert np.dot(np.mean(own, axis=0) - np.mean(others, axis=0), side) > 0


def test_an_unfired_move_lights_the_changed_cells() -> None:
    session = in_play("demo-10x8")
    for number in range(5):
        turn = some_turn(session, number)
        ready = replace(
            session, history=(), table=replace(session.table, inference=Exact((turn,), 9.0))
        )
        moved = {
            cell
            for cell in range(80)
            if turn.before.pieces.get(cell) != turn.aimed.pieces.get(cell)
        }
        plain = replace(session, history=())
        assert shown(ready, "demo-10x8") == moved | shown(plain, "demo-10x8")


def test_for_a_piece_moved_too_far_the_legal_targets_are_lit() -> None:
    session = in_play("demo-10x8")
    position = session.position
    mover = session.to_move[0]
    source = next(
        cell
        for cell, piece in sorted(position.pieces.items())
        if piece.owner == mover and legal_targets(session, cell)
    )
    free = legal_targets(session, source)
    far = next(c for c in range(80) if c not in position.pieces and c not in free)
    amiss = replace(session, phase=Phase.MISMATCH)
    carried = (missing(session, source), extra(far, position.pieces[source]))
    assert (
        shown(replace(amiss, table=replace(amiss.table, differences=carried)), "demo-10x8")
        == {source, far} | free
    )
    assert (
        shown(replace(amiss, table=replace(amiss.table, differences=carried[:1])), "demo-10x8")
        == {source} | free
    )
    other = (carried[0], extra(far, Piece("king", 1 - mover)))
    assert shown(replace(amiss, table=replace(amiss.table, differences=other)), "demo-10x8") == {
        source,
        far,
    }
    todo = replace(
        amiss,
        table=replace(amiss.table, differences=carried),
        computer=replace(amiss.computer, turn=some_turn(session, 1)),
    )
    assert shown(todo, "demo-10x8") == {source, far}, "no targets are lit for the computer's move"


def test_choice_n_blinks_n_times() -> None:
    session = in_play("demo-10x8")
    turns = [some_turn(session, number) for number in (1, 4, 6)]
    made = [
        {c for c in range(80) if t.before.pieces.get(c) != t.aimed.pieces.get(c)} for t in turns
    ]
    asked = replace(
        session,
        phase=Phase.CHOOSING_TURN,
        turn=replace(session.turn, choices=tuple((turn,) for turn in turns)),
    )
    found, layout = scene(asked, "demo-10x8"), laid("demo-10x8")
    film = np.stack([luminance(found.at(ms)) for ms in range(0, 6300, 20)])
    for number, mine in enumerate(made):
        own = mine - set().union(*(m for n, m in enumerate(made) if n != number))
        for cell in own:
            signal = film[:, layout.cells[cell][0]]
            high = signal > 0.5 * signal.max()
            rises = sum(bool(b and not a) for a, b in pairwise(high.tolist()))
            assert rises == number + 1
    assert all(mine - set().union(*(m for m in made if m is not mine)) for mine in made)


def test_the_scene_shows_who_has_pressed() -> None:
    session = moments("hex-r5")["waiting"]
    found, layout = scene(session, "hex-r5"), laid("hex-r5")
    film = np.stack([luminance(found.at(ms)) for ms in range(0, 2400, 100)])
    done, asked = (film[:, layout.cells[session.position.grid.cell(c)][0]] for c in ("f11", "k11"))
    assert np.ptp(done) < 0.01 < 0.05 < np.ptp(asked)


def test_captured_pieces_are_lit_even_before_the_first_reading() -> None:
    for turns in range(2, 60):
        session = in_play("photon-10x10", turns)
        struck = {loss.cell for loss in session.history[-1].turn.removed}
        if struck and session.history[-1].turn.outcome is None:
            break
    clearing = replace(session, phase=Phase.CLEARING)
    assert shown(clearing, "photon-10x10") == struck
    seen = tuple(extra(c, session.history[-1].turn.aimed.pieces[c]) for c in struck)
    other = next(c for c in range(100) if c not in session.position.pieces and c not in struck)
    reported = replace(
        clearing, table=replace(clearing.table, differences=(*seen, extra(other, Piece("king", 0))))
    )
    assert shown(reported, "photon-10x10") == struck | {other}


def test_a_draw_has_a_neutral_colour() -> None:
    found = scene(moments("demo-10x8")["drawn"], "demo-10x8").at(700)
    tint = np.array(parse_rgb("#e8eef8")) / 255
    lit = found[found.max(axis=1) > 0]
    assert len(lit) == 80
    assert np.allclose(lit / lit.max(axis=1, keepdims=True), tint / tint.max(), atol=0.01)


def test_the_background_scene_is_under_every_scene() -> None:
    for session in moments("hex-r5").values():
        marks = session.game.marks(session.position)
        rough = {cell for cell, mark in marks.items() if mark in (Mark.VOID, Mark.MOUNTAIN)}
        assert rough <= lit_cells(laid("hex-r5"), scene(session, "hex-r5"))


def test_a_damaged_piece_is_shown_at_every_moment() -> None:
    for session in moments("photon-10x10").values():
        hurt = {
            cell
            for cell, piece in session.position.pieces.items()
            if piece.kind == "block" and piece.hit_points == 1
        }
        assert len(hurt) == 1
        assert hurt <= lit_cells(laid("photon-10x10"), scene(session, "photon-10x10"))
        begun = replace(session, position=session.game.start(), history=())
        quiet = replace(begun, phase=Phase.FIRING)
        assert lit_cells(laid("photon-10x10"), scene(quiet, "photon-10x10")) == set()


def test_below_ten_seconds_the_rim_shrinks_with_the_clock() -> None:
    session = in_play("demo-10x8")
    clocks = Clocks.for_control(TimeControl.parse("5m"))
    clocks = clocks.with_remaining(session.to_move[0], 20_000).start(session.to_move, 1000.0)
    session = replace(session, clocks=clocks)
    layout = laid("demo-10x8")

    def rim(at_ms: float, ms: float) -> int:
        found = scene_of(session, layout, LightEffects.NORMAL, at_ms)
        return int((found.at(ms).max(axis=1) > 0).sum())

    calm = rim(1000.0, 0.0)
    assert rim(10_900.0, 0.0) == calm, "slightly more than ten seconds are left"
    counts = [rim(11_100.0, ms) for ms in (0, 3000, 6000, 9000)]
    assert calm < counts[-1] + 10
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[1] > counts[2]
    first = scene_of(session, layout, LightEffects.NORMAL, 11_100.0)
    assert first == scene_of(session, layout, LightEffects.NORMAL, 15_000.0), (
        "the animation is not restarted"
    )


# -- from one to the next ----------------------------------------------------------------------


def test_a_change_of_confidence_does_not_restart_a_scene() -> None:
    session = moments("demo-10x8")["mismatch"]
    surer = tuple(replace(each, nats=each.nats + 1.5) for each in session.table.differences)
    again = replace(session, table=replace(session.table, differences=surer, last_frame_ms=77.0))
    assert scene(session, "demo-10x8") == scene(again, "demo-10x8")
    assert scene(session, "demo-10x8") != scene(in_play("demo-10x8"), "demo-10x8")
    flow = SceneSequence().followed_by(scene(session, "demo-10x8"), 0.0)
    assert flow.followed_by(scene(again, "demo-10x8"), 500.0) is flow


def test_pictures_cross_fade() -> None:
    one, other = (scene(moments("demo-10x8")[name], "demo-10x8") for name in ("paused", "turn"))
    flow = SceneSequence().followed_by(one, 0.0).followed_by(other, 5000.0)
    assert np.allclose(flow.at(5000.0), one.at(5000.0))
    half = flow.at(5000.0 + FADE_MS / 2)
    assert np.allclose(half, (one.at(5125.0) + other.at(125.0)) / 2, atol=1e-5)
    assert np.allclose(flow.at(5000.0 + FADE_MS), other.at(FADE_MS))
    both = lit_cells(laid("demo-10x8"), one) | lit_cells(laid("demo-10x8"), other)
    assert flow.possibly_lit_cells(5000.0) == flow.possibly_lit_cells(5000.0 + AFTERGLOW_MS) == both
    assert flow.possibly_lit_cells(5000.0 + 2 * AFTERGLOW_MS) == lit_cells(laid("demo-10x8"), other)


def test_a_scene_that_is_replaced_at_once_is_never_shown() -> None:
    one, other = (scene(moments("demo-10x8")[name], "demo-10x8") for name in ("paused", "turn"))
    flow = SceneSequence().followed_by(one, 0.0)
    assert flow.followed_by(other, 100.0).followed_by(one, 200.0) == flow
    late = flow.followed_by(other, 100.0)
    assert np.allclose(late.at(MIN_SCENE_MS - 1), one.at(MIN_SCENE_MS - 1))


SCENES = ("mismatch", "ready", "paused", "choosing turn", "to move", "won", "clearing")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SCENES), st.integers(10, 700)), min_size=3, max_size=20))
def test_frequent_changes_of_the_picture_never_flash(pictures: list[tuple[str, int]]) -> None:
    """At full brightness; real scenes are dimmer."""
    flow, now_ms, film = SceneSequence(), 0.0, list[Reals]()
    level = reading_level(laid("demo-10x8"))
    for name, wait_ms in pictures:
        flow = flow.followed_by(scene(moments("demo-10x8")[name], "demo-10x8"), now_ms)
        for _ in range(round(wait_ms / 20) + 1):
            film.append(luminance(flow.at(now_ms) / level))
            now_ms += 20
    assert most_flashes(changes(np.stack(film), 50.0)) <= 3
