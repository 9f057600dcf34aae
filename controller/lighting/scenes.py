"""Makes the `LightScene` of a session, which the LEDs show while no beams run.

Scenes with the same meaning are equal. `SceneSequence` fades from one scene to the next. All scenes
are so dim that the camera can read the board while they are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from controller.lighting import animation as light
from controller.lighting.animation import (
    Animation,
    Canvas,
    CellPattern,
    DamagedPiece,
    EdgeState,
    LightEffects,
)
from controller.lighting.animation.board_patterns import LOW_CLOCK_MS
from controller.lighting.animation.signals import BoardSide
from controller.lighting.animation.timeline import parse_colour
from controller.lighting.layout import LedLayout
from controller.session.move_options import legal_targets
from controller.session.state import Phase, Session
from engine.draw.palette import Paint, player_paints
from engine.draw.words import changed_cells
from engine.game import AnyTurn, Mark, Player
from engine.grid import Cell, Grid
from vision.infer import Difference, Exact

READING_LEVEL = 0.6  # for a cell with one LED, while the camera reads the board
FADE_MS = 250.0
MIN_SCENE_MS = 400.0  # a scene stays at least that long, against flicker
AFTERGLOW_MS = 1000.0  # camera frames may be that old

Paints = tuple[Paint, ...]
BoardSides = tuple[BoardSide, BoardSide]
# The foreground of these phases is shown also in games whose pieces no hand moves.
SHOWN_WITHOUT_HANDS = (Phase.PAUSED, Phase.OVER)
TERRAIN_MARKS = frozenset({Mark.MOUNTAIN, Mark.VOID})


@dataclass(frozen=True)
class LightLayer:
    """One part of a scene: a function of `lighting.animation`, its meaning, and its arguments."""

    animate: Callable[..., Animation]
    key: tuple[Any, ...]
    arguments: tuple[Any, ...] = field(compare=False)


@dataclass(frozen=True)
class LightScene:
    """Layers with the foremost first. It is an `Animation`; equality compares the meaning."""

    layout: LedLayout
    grid: Grid
    effects: LightEffects
    layers: tuple[LightLayer, ...]

    @cached_property
    def animation(self) -> Animation:
        layout = self.layout.for_grid(self.grid)
        combined = light.dark_animation(layout.led_count)
        for layer in reversed(self.layers):
            combined = light.overlay(
                layer.animate(layout, *layer.arguments, self.effects), combined
            )
        return light.dim(combined, reading_level(layout))

    @cached_property
    def ever_lit_cells(self) -> frozenset[Cell]:
        """The cells that it ever lights."""
        return lit_cells(self.layout.for_grid(self.grid), self.animation)

    @property
    def led_count(self) -> int:
        return self.layout.led_count

    @property
    def duration_ms(self) -> float | None:
        return None

    @property
    def lit_leds(self) -> frozenset[int]:
        return self.animation.lit_leds

    def at(self, ms: float) -> Canvas:
        return self.animation.at(ms)


def reading_level(layout: LedLayout) -> float:
    """The level of scenes: lower for several LEDs in one cell."""
    across, down = layout.per_cell
    return float(READING_LEVEL * (across * down) ** -0.25)


# -- transitions -------------------------------------------------------------------------------


@dataclass(frozen=True)
class SceneSequence:
    """Scenes with their start times; the last may start in the future."""

    scenes: tuple[tuple[LightScene, float], ...] = ()

    def followed_by(self, scene: LightScene, at_ms: float) -> SceneSequence:
        """Append a scene; it waits until the current one was shown for MIN_SCENE_MS."""
        begun = [each for each in self.scenes if each[1] <= at_ms]
        if begun and begun[-1][0] == scene:
            return self if len(begun) == len(self.scenes) else SceneSequence(tuple(begun))
        first = max(
            (n for n, each in enumerate(begun) if each[1] < at_ms - AFTERGLOW_MS), default=0
        )
        from_ms = max(at_ms, begun[-1][1] + MIN_SCENE_MS) if begun else at_ms
        return SceneSequence((*begun[first:], (scene, from_ms)))

    def at(self, ms: float) -> Canvas:
        """The canvas at a time."""
        assert self.scenes, "nothing was asked for yet"
        canvas = np.zeros((self.scenes[0][0].led_count, 3), np.float32)
        begun = [each for each in self.scenes if each[1] <= ms]
        for scene, from_ms in begun[-2:]:
            part = min((ms - from_ms) / FADE_MS, 1.0)
            part *= part * (3.0 - 2.0 * part)
            canvas *= np.float32(1.0 - part)
            canvas += scene.at(ms - from_ms) * np.float32(part)
        return canvas

    def possibly_lit_cells(self, ms: float) -> frozenset[Cell]:
        """The cells that the camera may see lit now or soon."""
        cells: set[Cell] = set()
        ends = [*(from_ms for _, from_ms in self.scenes[1:]), float("inf")]
        for (scene, _), end_ms in zip(self.scenes, ends, strict=True):
            if end_ms + FADE_MS > ms - AFTERGLOW_MS:
                cells |= scene.ever_lit_cells
        return frozenset(cells)


def lit_cells(layout: LedLayout, animation: Animation) -> frozenset[Cell]:
    """The cells that an animation ever lights, for `Reader.lit_cells`."""
    cells = (layout.cell_of(led) for led in animation.lit_leds)
    return frozenset(cell for cell in cells if cell is not None)


# -- scenes ------------------------------------------------------------------------------------


def scene_of(
    session: Session, layout: LedLayout, effects: LightEffects, at_ms: float
) -> LightScene:
    """The scene of a session, at the level for reading the board."""
    if session.pause.shutdown_requested_ms is not None:  # fade out
        return LightScene(layout, session.position.grid, effects, ())
    front = (
        _foreground_layers(session, at_ms)
        if session.setup.moved_by_hand or session.phase in SHOWN_WITHOUT_HANDS
        else ()
    )
    layers = (*front, *_piece_layers(session), *_damage_layers(session), *_terrain_layers(session))
    return LightScene(layout, session.position.grid, effects, layers)


def background_scene(session: Session, layout: LedLayout, effects: LightEffects) -> LightScene:
    """The layers below the beams: terrain, and pieces that no hand moves."""
    layers = (*_piece_layers(session), *_terrain_layers(session))
    return LightScene(layout, session.position.grid, effects, layers)


def _piece_layers(session: Session) -> Iterable[LightLayer]:
    """Light in place of pieces, for games without pieces on the board."""
    if session.setup.moved_by_hand:
        return
    position = session.firing.turns[0].aimed if session.firing.turns else session.position
    for player, paint in enumerate(player_paints(session.game.players)):
        own = (cell for cell, piece in position.pieces.items() if piece.owner == player)
        yield _make_layer(
            _animate_coloured_patterns, tuple((cell, CellPattern.SELECTED) for cell in own), paint
        )


def _foreground_layers(session: Session, at_ms: float) -> Iterable[LightLayer]:
    paints = player_paints(session.game.players)
    match session.phase:
        case Phase.SETTING_UP:
            return (_differences_layer(session.table.differences, paints),)
        case Phase.TURN:
            return (
                *_turn_layers(session, paints),
                *_clock_layers(session, paints, at_ms),
                *_last_turn_layers(session),
            )
        case Phase.WAITING_FOR_OTHER:
            return (*_waiting_layers(session, paints), *_clock_layers(session, paints, at_ms))
        case Phase.CHOOSING_TURN:
            cells = tuple(_changed_cells(turns[-1]) for turns in session.turn.choices)
            return (
                _make_layer(light.animate_choices, cells),
                *_clock_layers(session, paints, at_ms),
            )
        case Phase.COMPUTER_THINKING:
            return (_make_layer(light.animate_thinking, paints[session.to_move[0]]),)
        case Phase.COMPUTER_TO_MOVE:
            assert session.computer.turn is not None
            return (_turn_to_make_layer(session, session.computer.turn, paints),)
        case Phase.MISMATCH:
            return (*_mismatch_layers(session, paints), *_clock_layers(session, paints, at_ms))
        case Phase.CLEARING:
            return _clearing_layers(session, paints)
        case Phase.PAUSED:
            return (_make_layer(light.animate_pause),)
        case Phase.OVER if session.turn.hinted_turn is not None:  # a puzzle that was given up
            return (_turn_to_make_layer(session, session.turn.hinted_turn, paints),)
        case Phase.OVER:
            won = session.outcome.winner if session.outcome else None
            return (_make_layer(_animate_winner_at, won, paints, session.setup.fitted_board.sides),)
        case Phase.FIRING:
            return ()


def _turn_layers(session: Session, paints: Paints) -> Iterable[LightLayer]:
    """Return the layers for the side to move and for its move or hint."""
    inference, players = session.table.inference, session.to_move
    if isinstance(inference, Exact) and len(players) == 1:
        turn = inference.turns[-1]
        player = turn.moves[0][0]
        cells = tuple(
            (cell, CellPattern.SELECTED if cell in turn.aimed.pieces else CellPattern.LEGAL)
            for cell in _changed_cells(turn)
        )
        yield _make_layer(_animate_coloured_patterns, cells, paints[player])
        yield _make_layer(
            light.animate_player_edges,
            ((player, EdgeState.TO_PRESS),),
            session.setup.fitted_board.sides,
            paints,
        )
        return
    if session.turn.hinted_turn is not None:
        yield _turn_to_make_layer(session, session.turn.hinted_turn, paints)
    elif session.turn.hint is not None:
        piece = ((session.turn.hint.cell, CellPattern.SELECTED),)
        yield _make_layer(_animate_coloured_patterns, piece, paints[players[0]])
    quiet = tuple((each, EdgeState.TO_MOVE) for each in players)
    yield _make_layer(light.animate_player_edges, quiet, session.setup.fitted_board.sides, paints)


def _waiting_layers(session: Session, paints: Paints) -> Iterable[LightLayer]:
    players = tuple(
        (each, EdgeState.PRESSED if each in session.turn.pressed else EdgeState.TO_PRESS)
        for each in session.humans_to_move
    )
    yield _make_layer(light.animate_player_edges, players, session.setup.fitted_board.sides, paints)
    for player in session.still_to_act:
        if session.seats[player].is_automated:
            yield _make_layer(light.animate_thinking, paints[player])


def _mismatch_layers(session: Session, paints: Paints) -> Iterable[LightLayer]:
    """The differences; for a single lifted or carried piece also its legal targets."""
    differences = session.table.differences
    gone = [each for each in differences if each.expected is not None and each.seen is None]
    arrived = [each for each in differences if each.expected is None and each.seen is not None]
    if (
        session.computer.turn is None
        and len(gone) == 1
        and len(differences) == 1 + len(arrived) <= 2
    ):
        (left,) = gone
        free = tuple(
            (cell, CellPattern.LEGAL) for cell in sorted(legal_targets(session, left.cell))
        )
        if not arrived:
            yield _differences_layer(differences, paints)
            yield _make_layer(light.animate_patterns, free)
            return
        assert left.expected is not None
        assert arrived[0].seen is not None
        if (left.expected.kind, left.expected.owner) == (
            arrived[0].seen.kind,
            arrived[0].seen.owner,
        ):
            yield _make_layer(light.animate_put_back, arrived[0].cell, left.cell)
            yield _make_layer(light.animate_patterns, free)
            return
    yield _differences_layer(differences, paints)


def _clearing_layers(session: Session, paints: Paints) -> Iterable[LightLayer]:
    """Captured pieces to remove, and other differences."""
    struck = {loss.cell for loss in session.history[-1].turn.removed} if session.history else set()
    if not session.table.differences:  # no reading yet
        yield _make_layer(light.animate_removals, tuple(sorted(struck)))
        return
    off = {each.cell for each in session.table.differences if each.expected is None} & struck
    yield _make_layer(light.animate_removals, tuple(sorted(off)))
    yield _differences_layer(
        [each for each in session.table.differences if each.cell not in off], paints
    )


def _turn_to_make_layer(session: Session, turn: AnyTurn, paints: Paints) -> LightLayer:
    return _make_layer(light.animate_turn_to_make, session.game, turn, turn.moves[0][0], paints)


def _differences_layer(differences: Iterable[Difference], paints: Paints) -> LightLayer:
    # The confidence changes from frame to frame and is not shown.
    shown = tuple(replace(each, nats=0.0) for each in differences)
    return _make_layer(light.animate_differences, shown, paints)


def _make_layer(animate: Callable[..., Animation], *arguments: Any) -> LightLayer:
    return LightLayer(animate, arguments, arguments)


def _animate_coloured_patterns(
    layout: LedLayout,
    patterns: Iterable[tuple[Cell, CellPattern]],
    paint: Paint,
    effects: LightEffects,
) -> Animation:
    return light.animate_patterns(layout, patterns, effects, parse_colour(paint.beam))


def _animate_winner_at(
    layout: LedLayout, won: Player | None, paints: Paints, sides: BoardSides, effects: LightEffects
) -> Animation:
    return light.animate_winner(layout, won, paints, effects, sides)


def _first_position(session: Session) -> Any:
    """The initial position of the game."""
    return session.history[0].position if session.history else session.position


def _clock_layers(session: Session, paints: Paints, at_ms: float) -> Iterable[LightLayer]:
    """The countdown of the clock that expires first."""
    flag_ms, clocks = session.clocks.next_flag_ms(), session.clocks
    if flag_ms is not None and flag_ms - at_ms < LOW_CLOCK_MS:
        player = min(clocks.running, key=lambda each: clocks.left_ms[each])
        paint = paints[player]
        yield LightLayer(
            light.animate_clock_countdown, (paint, round(flag_ms)), (paint, flag_ms - at_ms)
        )


def _last_turn_layers(session: Session) -> Iterable[LightLayer]:
    if session.history:
        yield _make_layer(light.animate_last_turn, _changed_cells(session.history[-1].turn))


def _changed_cells(turn: AnyTurn) -> tuple[Cell, ...]:
    """The cells where pieces were moved in a turn."""
    return changed_cells(turn.before, turn.aimed)


def _damage_layers(session: Session) -> Iterable[LightLayer]:
    """Pieces that have lost hit points, relative to their initial ones."""
    full: dict[tuple[str, int], int] = {}
    for piece in (*session.game.tags.values(), *_first_position(session).pieces.values()):
        key = piece.kind, piece.owner
        full[key] = max(full.get(key, 1), piece.hit_points)
    damaged = {
        cell: DamagedPiece(piece.owner, piece.hit_points, full[piece.kind, piece.owner])
        for cell, piece in session.position.pieces.items()
        if piece.hit_points < full.get((piece.kind, piece.owner), 1)
    }
    if damaged:
        yield _make_layer(light.animate_hit_points, damaged, player_paints(session.game.players))


def _terrain_layers(session: Session) -> Iterable[LightLayer]:
    marks = session.game.marks(session.position)
    shown = tuple((cell, mark) for cell, mark in sorted(marks.items()) if mark in TERRAIN_MARKS)
    if shown:
        yield _make_layer(light.animate_terrain, shown)
