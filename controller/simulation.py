"""A game on a simulated table, with everything else as on a real one.

The table is rendered, the real reader reads it, the session decides, and its beams go through the
LED driver. What the LEDs then show lights the table again. Every method that lets something
happen yields the lines that people at the table would hear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from controller import light
from controller.deeds import Carry, Deed, Swap, Twist
from controller.layout import Layout
from controller.ports import (
    Camera,
    Clock,
    DeviceRemark,
    Frame,
    Journal,
    Pixels,
    Pressed,
    World,
)
from controller.session import step
from controller.session_values import (
    Chosen,
    Event,
    Fire,
    Observed,
    Say,
    Session,
    Shown,
    Think,
    Write,
)
from controller.showing import Stage
from engine.draw.palette import paints
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player
from engine.grid import Cell
from vision.reader import Reader

SETTLE_FRAMES = 200
CAMERA_MS, FRAME_MS, JOURNAL_MS = 10_000.0, 100.0, 10_000.0
HAND_FRAMES = 3

Lines = Iterator[str]


class Unexpected(LaserboardError, AssertionError):
    """Something that must not happen on a simulated table, or that a script did not expect."""


@dataclass(frozen=True)
class Surroundings:
    """What a simulated game is played with."""

    world: World
    camera: Camera
    stage: Stage
    layout: Layout
    effects: light.Effects
    clock: Clock
    journal: Journal
    choose: Callable[[Think], str]  # the computer's move, as its game writes it


class Simulation:
    """One game on one table."""

    def __init__(
        self, session: Session, around: Surroundings, picture_wanted: bool = False
    ) -> None:
        self.session, self.around, self.world = session, around, around.world
        table = session.table
        self._reader = Reader(table.board, table.meanings, table.lens)
        self._picture_wanted = picture_wanted
        self._frame = 0
        self.turn: AnyTurn | None = None  # the last one fired
        self.lit: list[Cell] = []  # by its beams, in the order in which they first were
        self.confirmed = 0  # pictures of them
        self.brightest: Pixels | None = None
        self.seen: Pixels | None = None  # the table at that moment, as the camera sees it

    def happens(self, event: Event) -> Lines:
        """An event, and all that comes of it."""
        self.session, effects = step(self.session, event)
        for effect in effects:
            match effect:
                case Say(sentence):
                    yield sentence
                case Write():
                    yield from self._write(effect)
                case Fire(turn):
                    self.turn = turn
                    yield from self._beam(turn)
                    yield from self.happens(Shown(self._now_ms()))
                case Think(player):
                    move = self.around.choose(effect)
                    yield from self.happens(Chosen(player, move, self._now_ms()))
                case _:
                    continue

    def _write(self, entry: Write) -> Lines:
        journal = self.around.journal
        if entry.number <= journal.asked:  # the disk did not take it the first time
            journal.retry()
        else:
            journal.write(entry.kind, entry.body, entry.at_ms)
        journal.wait(entry.number, JOURNAL_MS)
        for event in journal.events():
            if isinstance(event, DeviceRemark):
                yield event.sentence
            else:
                yield from self.happens(event)

    # -- hands ---------------------------------------------------------------------------------

    def press(self, player: Player) -> Lines:
        """Somebody presses fire, once the table has come to rest."""
        yield from self.settle()
        yield from self.happens(Pressed(f"fire {player}", self._now_ms()))

    def do(self, deed: Deed) -> Lines:
        world = self.world
        match deed:
            case Carry(source, target):
                handle = world.at(source)
                yield from self.by_hand(target, lambda: world.move_to(handle, target))
            case Swap(first, second):
                one, other = world.at(first), world.at(second)

                def swap() -> None:
                    world.move_to(one, second)
                    world.move_to(other, first)

                yield from self.by_hand(first, swap)
            case Twist(cell, degrees):
                handle = world.at(cell)
                yield from self.by_hand(cell, lambda: world.turn(handle, degrees))

    def take(self, cell: Cell) -> Lines:
        """Take a piece off the board."""
        handle = self.world.at(cell)
        yield from self.by_hand(cell, lambda: self.world.remove(handle))

    def by_hand(self, cell: Cell, action: Callable[[], object]) -> Lines:
        """A hand comes, does it, and goes."""
        self.world.reach_to(cell)
        yield from self.look(HAND_FRAMES)
        action()
        yield from self.look(HAND_FRAMES)
        self.world.away()

    # -- eyes ----------------------------------------------------------------------------------

    def look(self, frames: int = 1) -> Lines:
        for _ in range(frames):
            frame = self._next_frame()
            yield from self.happens(Observed(self._reader.read(frame.grey), frame.at_ms))

    def settle(self) -> Lines:
        """Look until the table has come to rest, as the session sees it."""
        for number in range(SETTLE_FRAMES):
            yield from self.look()
            if number and self.session.settled is not None:
                return
        raise Unexpected("the table does not come to rest")

    def _next_frame(self) -> Frame:
        frame = self.around.camera.wait(self._frame, CAMERA_MS)
        if frame is None:
            raise Unexpected("the camera gives no picture")
        self._frame = frame.number
        return frame

    # -- light ---------------------------------------------------------------------------------

    def _beam(self, turn: AnyTurn) -> Lines:
        around, players = self.around, paints(self.session.table.game.players)
        animation = light.fired(around.layout, turn, players, around.effects)
        self.lit, self.brightest, self.confirmed = [], None, 0
        asked = len(list(around.stage.step_through(animation, self._confirmed)))
        yield f"{asked} pictures shown, {self.confirmed} confirmed"

    def _confirmed(self, picture: Pixels, at_ms: float) -> None:
        """The driver says that this is what the LEDs show: see what they really do."""
        latched = self.world.latched()
        if latched is None or not np.array_equal(latched, picture):
            raise Unexpected(
                f"{at_ms:.0f} ms into the beam the LEDs show another picture than the one they"
                " confirmed"
            )
        self.confirmed += 1
        self.world.glow()
        for cell, leds in enumerate(self.around.layout.cells):
            if cell not in self.lit and latched[list(leds)].any():
                self.lit.append(cell)
        if self.brightest is None or int(latched.sum()) > int(self.brightest.sum()):
            self.brightest = latched
            if self._picture_wanted:
                self.seen = self._next_frame().bgr

    def _now_ms(self) -> float:
        return self.around.clock.now_ms()
