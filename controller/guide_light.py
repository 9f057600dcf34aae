"""What the LEDs show while nothing is fired: from a session to one picture of light.

A `Scene` is a picture and what it says: two that say the same are equal, however often they are
asked for. `Flow` goes from one to the next without a flash. All of it is dim enough to be read
by, so that what shines never depends on what the camera makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from controller import light
from controller.layout import Layout
from controller.legal_targets import targets
from controller.light import Animation, Canvas, Edge, Effects, Figure, Wounded
from controller.light.animation import colour
from controller.light.catalogue import Side
from controller.light.moods import LOW_MS
from controller.session_values import Phase, Session
from engine.draw.palette import Paint, paints
from engine.draw.words import changed
from engine.game import AnyTurn, Mark, Player
from engine.grid import Cell, Grid
from vision.infer import Difference, Exact

READING_LEVEL = 0.6  # of a cell with one LED: as bright as guides get while the camera reads
FADE_MS = 250.0
DWELL_MS = 400.0  # a picture stays for so long, whatever happens: then nothing flickers
AFTERGLOW_MS = 1000.0  # a camera may show what the LEDs showed so long ago

Paints = tuple[Paint, ...]
Sides = tuple[Side, Side]
UNATTENDED = (Phase.PAUSED, Phase.OVER)  # what is shown of them also where nobody has to act
TERRAIN = frozenset({Mark.MOUNTAIN, Mark.VOID})


@dataclass(frozen=True)
class Layer:
    """One thing to show: a function of `controller.light`, what it says, and what it is told."""

    draw: Callable[..., Animation]
    says: tuple[Any, ...]
    told: tuple[Any, ...] = field(compare=False)


@dataclass(frozen=True)
class Scene:
    """A picture, and what it says: layers, the foremost first. It is an `Animation`."""

    layout: Layout
    grid: Grid
    effects: Effects
    layers: tuple[Layer, ...]

    @cached_property
    def animation(self) -> Animation:
        layout = self.layout.playing(self.grid)
        whole = light.dark(layout.leds)
        for layer in reversed(self.layers):
            whole = light.over(layer.draw(layout, *layer.told, self.effects), whole)
        return light.dimmed(whole, reading_level(layout))

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """Those that it ever lights."""
        return lit_cells(self.layout.playing(self.grid), self.animation)

    @property
    def leds(self) -> int:
        return self.layout.leds

    @property
    def duration_ms(self) -> float | None:
        return None

    @property
    def reach(self) -> frozenset[int]:
        return self.animation.reach

    def at(self, ms: float) -> Canvas:
        return self.animation.at(ms)


def reading_level(layout: Layout) -> float:
    """How bright guides are: LEDs that share a cell each give less."""
    across, down = layout.per_cell
    return float(READING_LEVEL * (across * down) ** -0.25)


# -- from one to the next ----------------------------------------------------------------------


@dataclass(frozen=True)
class Flow:
    """Scenes one after the other, each with the moment it begins; the next may be to come."""

    scenes: tuple[tuple[Scene, float], ...] = ()

    def next(self, scene: Scene, at_ms: float) -> Flow:
        """That scene from now on; the same one goes on, and another waits for its turn."""
        begun = [each for each in self.scenes if each[1] <= at_ms]
        if begun and begun[-1][0] == scene:
            return self if len(begun) == len(self.scenes) else Flow(tuple(begun))
        first = max(
            (n for n, each in enumerate(begun) if each[1] < at_ms - AFTERGLOW_MS), default=0
        )
        from_ms = max(at_ms, begun[-1][1] + DWELL_MS) if begun else at_ms
        return Flow((*begun[first:], (scene, from_ms)))

    def at(self, ms: float) -> Canvas:
        """The picture of a moment."""
        assert self.scenes, "nothing was asked for yet"
        canvas = np.zeros((self.scenes[0][0].leds, 3), np.float32)
        begun = [each for each in self.scenes if each[1] <= ms]
        for scene, from_ms in begun[-2:]:
            part = min((ms - from_ms) / FADE_MS, 1.0)
            part *= part * (3.0 - 2.0 * part)
            canvas *= np.float32(1.0 - part)
            canvas += scene.at(ms - from_ms) * np.float32(part)
        return canvas

    def lit(self, ms: float) -> frozenset[Cell]:
        """The cells that a camera may see lit now, or that soon will be."""
        found: set[Cell] = set()
        ends = [*(from_ms for _, from_ms in self.scenes[1:]), float("inf")]
        for (scene, _), end_ms in zip(self.scenes, ends, strict=True):
            if end_ms + FADE_MS > ms - AFTERGLOW_MS:
                found |= scene.cells
        return frozenset(found)


def lit_cells(layout: Layout, animation: Animation) -> frozenset[Cell]:
    """The cells that an animation ever lights: what `Reader.lit` is to be told."""
    cells = (layout.cell_of(led) for led in animation.reach)
    return frozenset(cell for cell in cells if cell is not None)


# -- what is shown -----------------------------------------------------------------------------


def picture(session: Session, layout: Layout, effects: Effects, at_ms: float) -> Scene:
    """What the LEDs show at that moment, at the level at which the table is read."""
    if session.parting_ms is not None:  # the lights go out, softly
        return Scene(layout, session.position.grid, effects, ())
    front = _front(session, at_ms) if session.hands or session.phase in UNATTENDED else ()
    layers = (*front, *_pieces(session), *_wounds(session), *_ground(session))
    return Scene(layout, session.position.grid, effects, layers)


def background(session: Session, layout: Layout, effects: Effects) -> Scene:
    """What is always there: the ground. Beams run over it."""
    layers = (*_pieces(session), *_ground(session))
    return Scene(layout, session.position.grid, effects, layers)


def _pieces(session: Session) -> Iterable[Layer]:
    """Where nobody puts pieces on the board, light stands for them."""
    if session.hands:
        return
    position = session.pending[0].aimed if session.pending else session.position
    for player, paint in enumerate(paints(session.table.game.players)):
        own = (cell for cell, piece in position.pieces.items() if piece.owner == player)
        yield _layer(_tinted, tuple((cell, Figure.CHOSEN) for cell in own), paint)


def _front(session: Session, at_ms: float) -> Iterable[Layer]:
    owners = paints(session.table.game.players)
    match session.phase:
        case Phase.SETTING_UP:
            return (_wrong(session.differences, owners),)
        case Phase.TURN:
            return (*_turn(session, owners), *_clock(session, owners, at_ms), *_last(session))
        case Phase.WAITING_FOR_OTHER:
            return (*_waiting(session, owners), *_clock(session, owners, at_ms))
        case Phase.CONFIRMING:
            cells = tuple(_made(turns[-1]) for turns in session.choices)
            return (_layer(light.choices, cells), *_clock(session, owners, at_ms))
        case Phase.COMPUTER_THINKING:
            return (_layer(light.thinking, owners[session.movers[0]]),)
        case Phase.COMPUTER_TO_MOVE:
            assert session.known is not None
            return (_to_do(session, session.known, owners),)
        case Phase.MISMATCH:
            return (*_amiss(session, owners), *_clock(session, owners, at_ms))
        case Phase.CLEARING:
            return _clearing(session, owners)
        case Phase.PAUSED:
            return (_layer(light.paused),)
        case Phase.OVER if session.hint is not None:  # of a puzzle that was given up
            return (_to_do(session, session.hint, owners),)
        case Phase.OVER:
            won = session.outcome.winner if session.outcome else None
            return (_layer(_won, won, owners, session.table.sides),)
        case Phase.FIRING:
            return ()


def _turn(session: Session, owners: Paints) -> Iterable[Layer]:
    """Whose turn it is; the move that stands on the table, or the one that was hinted at."""
    found, people = session.inference, session.movers
    if isinstance(found, Exact) and len(people) == 1:
        turn = found.turns[-1]
        player = turn.moves[0][0]
        cells = tuple(
            (cell, Figure.CHOSEN if cell in turn.aimed.pieces else Figure.LEGAL)
            for cell in _made(turn)
        )
        yield _layer(_tinted, cells, owners[player])
        yield _layer(light.edges, ((player, Edge.ASKED),), session.table.sides, owners)
        return
    if session.hint is not None:
        yield _to_do(session, session.hint, owners)
    elif session.clue is not None:
        piece = ((session.clue, Figure.CHOSEN),)
        yield _layer(_tinted, piece, owners[people[0]])
    quiet = tuple((each, Edge.QUIET) for each in people)
    yield _layer(light.edges, quiet, session.table.sides, owners)


def _waiting(session: Session, owners: Paints) -> Iterable[Layer]:
    players = tuple(
        (each, Edge.DONE if each in session.pressed else Edge.ASKED) for each in session.people
    )
    yield _layer(light.edges, players, session.table.sides, owners)
    for player in session.thinkers:
        if session.seats[player].computer:
            yield _layer(light.thinking, owners[player])


def _amiss(session: Session, owners: Paints) -> Iterable[Layer]:
    """What is wrong; where one piece alone was carried or lifted, also where it may go."""
    found = session.differences
    gone = [each for each in found if each.expected is not None and each.seen is None]
    came = [each for each in found if each.expected is None and each.seen is not None]
    if session.known is None and len(gone) == 1 and len(found) == 1 + len(came) <= 2:
        (left,) = gone
        free = tuple((cell, Figure.LEGAL) for cell in sorted(targets(session, left.cell)))
        if not came:
            yield _wrong(found, owners)
            yield _layer(light.marked, free)
            return
        assert left.expected is not None
        assert came[0].seen is not None
        if (left.expected.kind, left.expected.owner) == (came[0].seen.kind, came[0].seen.owner):
            yield _layer(light.put_back, came[0].cell, left.cell)
            yield _layer(light.marked, free)
            return
    yield _wrong(found, owners)


def _clearing(session: Session, owners: Paints) -> Iterable[Layer]:
    """What was captured is taken off, and anything else is put right."""
    struck = {loss.cell for loss in session.history[-1].turn.removed} if session.history else set()
    if not session.differences:  # nobody has looked yet
        yield _layer(light.remove, tuple(sorted(struck)))
        return
    off = {each.cell for each in session.differences if each.expected is None} & struck
    yield _layer(light.remove, tuple(sorted(off)))
    yield _wrong([each for each in session.differences if each.cell not in off], owners)


def _to_do(session: Session, turn: AnyTurn, owners: Paints) -> Layer:
    return _layer(light.to_be_made, session.table.game, turn, turn.moves[0][0], owners)


def _wrong(differences: Iterable[Difference], owners: Paints) -> Layer:
    # How sure the camera is changes from frame to frame, and is not shown.
    told = tuple(replace(each, nats=0.0, sentence="") for each in differences)
    return _layer(light.wrong, told, owners)


def _layer(draw: Callable[..., Animation], *told: Any) -> Layer:
    return Layer(draw, told, told)


def _tinted(
    layout: Layout, figures: Iterable[tuple[Cell, Figure]], paint: Paint, effects: Effects
) -> Animation:
    return light.marked(layout, figures, effects, colour(paint.beam))


def _won(
    layout: Layout, won: Player | None, owners: Paints, sides: Sides, effects: Effects
) -> Animation:
    return light.winner(layout, won, owners, effects, sides)


def _first(session: Session) -> Any:
    """The position that the game began with."""
    return session.history[0].position if session.history else session.position


def _clock(session: Session, owners: Paints, at_ms: float) -> Iterable[Layer]:
    """The clock of whoever runs out of time first."""
    flag_ms, clocks = session.clocks.next_flag_ms(), session.clocks
    if flag_ms is not None and flag_ms - at_ms < LOW_MS:
        player = min(clocks.running, key=lambda each: clocks.left_ms[each])
        paint = owners[player]
        yield Layer(light.burning, (paint, round(flag_ms)), (paint, flag_ms - at_ms))


def _last(session: Session) -> Iterable[Layer]:
    if session.history:
        yield _layer(light.traces, _made(session.history[-1].turn))


def _made(turn: AnyTurn) -> tuple[Cell, ...]:
    """The cells that hands changed in a turn."""
    return changed(turn.before, turn.aimed)


def _wounds(session: Session) -> Iterable[Layer]:
    """Pieces that have lost hit points; full is what a game gives them at most."""
    full: dict[tuple[str, int], int] = {}
    for piece in (*session.table.game.tags.values(), *_first(session).pieces.values()):
        sort = piece.kind, piece.owner
        full[sort] = max(full.get(sort, 1), piece.hit_points)
    wounded = {
        cell: Wounded(piece.owner, piece.hit_points, full[piece.kind, piece.owner])
        for cell, piece in session.position.pieces.items()
        if piece.hit_points < full.get((piece.kind, piece.owner), 1)
    }
    if wounded:
        yield _layer(light.hit_points, wounded, paints(session.table.game.players))


def _ground(session: Session) -> Iterable[Layer]:
    marks = session.table.game.marks(session.position)
    told = tuple((cell, mark) for cell, mark in sorted(marks.items()) if mark in TERRAIN)
    if told:
        yield _layer(light.terrain, told)
