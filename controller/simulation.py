"""Plays a script on a simulated table, with everything else as on a real one.

The table is rendered, the real reader reads it, the session decides, and its beams go through the
LED driver. What the LEDs then show lights the table again. Lines for people come out; an
expectation that is not met is an error with the script's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from controller import light
from controller.guide import guide
from controller.layout import Layout
from controller.ports import Camera, Clock, Frame, Pixels, Pressed, World
from controller.script import Act, BadScript, Script
from controller.session import step
from controller.session_values import Event, Fire, Observed, Say, Session, Shown, Write, Written
from controller.showing import Stage
from engine.draw.palette import paints
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import AnyTurn
from engine.grid import Cell
from vision.reader import Reader

SETTLE_FRAMES = 200
CAMERA_MS, FRAME_MS = 10_000.0, 100.0
HAND_FRAMES = 3


class Unexpected(LaserboardError, AssertionError):
    """A script's expectation that is not met."""


@dataclass(frozen=True)
class Surroundings:
    """What a simulated game is played with."""

    world: World
    camera: Camera
    stage: Stage
    layout: Layout
    effects: light.Effects
    clock: Clock


class Simulation:
    """One script, played once."""

    def __init__(
        self, script: Script, session: Session, around: Surroundings, picture_wanted: bool = False
    ) -> None:
        self.script, self.session = script, session
        self._around, self._world = around, around.world
        table = session.table
        self._reader = Reader(table.board, table.meanings, table.lens)
        self._picture_wanted = picture_wanted
        self._frame = 0
        self._turn: AnyTurn | None = None
        self._lit: list[Cell] = []  # in the order in which they first were
        self._said: list[str] = []  # since the last act
        self.confirmed = 0
        self.brightest: Pixels | None = None  # picture of the last beam
        self.seen: Pixels | None = None  # the table at that moment, as the camera sees it

    def play(self) -> Iterator[str]:
        """Line by line what happens."""
        yield from self._settle()
        for act in self.script.acts:
            if act.verb != "expect":
                self._said = []
            for line in self._do(act):
                self._said.append(line)
                yield line

    def _do(self, act: Act) -> Iterator[str]:
        players = self.session.table.game.players
        if act.who and act.who not in players:
            hint = did_you_mean(act.who, players)
            raise self.script.error(act, f"nobody here is called that{hint}")
        match act.verb, act.words:
            case "moves", (source, target):
                cell, handle = self._cell(act, target), self._handle(act, source)
                yield f"{act.who} moves {source} to {target}"
                yield from self._by_hand(cell, lambda: self._world.move_to(handle, cell))
            case "turns", (name, degrees):
                cell, handle = self._cell(act, name), self._handle(act, name)
                yield f"{act.who} turns {name} by {degrees} degrees"
                yield from self._by_hand(cell, lambda: self._world.turn(handle, float(degrees)))
            case "takes", (name,):
                cell, handle = self._cell(act, name), self._handle(act, name)
                yield f"{act.who} takes {name} off"
                yield from self._by_hand(cell, lambda: self._world.remove(handle))
                yield from self._settle()
            case "covers", (name,):
                self._world.reach_to(self._cell(act, name))
                yield f"{act.who}'s hand stays over {name}"
            case "leaves", ():
                self._world.away()
                yield f"{act.who}'s hand goes away"
            case "presses", _:
                yield from self._settle()
                button = f"fire {players.index(act.who)}"
                yield from self._happens(Pressed(button, self._around.clock.now_ms()))
            case "wait", (ms,):
                for _ in range(max(1, round(float(ms) / FRAME_MS))):
                    yield from self._look()
            case "expect", (what, *words):
                self._expect(act, what, words)
            case _:
                raise self.script.error(act, "nobody knows how to do that")

    # -- events and effects --------------------------------------------------------------------

    def _happens(self, event: Event) -> Iterator[str]:
        """An event, and all that comes of it."""
        self.session, effects = step(self.session, event)
        for effect in effects:
            match effect:
                case Say(sentence):
                    yield sentence
                case Write(number):
                    yield from self._happens(Written(number, self._around.clock.now_ms()))
                case Fire(turn):
                    self._turn = turn
                    yield from self._beam(turn)
                    yield from self._happens(Shown(self._around.clock.now_ms()))
                case _:
                    continue

    def _by_hand(self, cell: Cell, action: Callable[[], object]) -> Iterator[str]:
        """A hand comes, does it, and goes."""
        self._world.reach_to(cell)
        for _ in range(HAND_FRAMES):
            yield from self._look()
        action()
        for _ in range(HAND_FRAMES):
            yield from self._look()
        self._world.away()

    def _look(self) -> Iterator[str]:
        frame = self._next_frame()
        yield from self._happens(Observed(self._reader.read(frame.grey), frame.at_ms))

    def _next_frame(self) -> Frame:
        frame = self._around.camera.wait(self._frame, CAMERA_MS)
        if frame is None:
            raise BadScript(f"{self.script.file}: the camera gives no picture")
        self._frame = frame.number
        return frame

    def _settle(self) -> Iterator[str]:
        """Look until the table has come to rest, as the session sees it."""
        for number in range(SETTLE_FRAMES):
            yield from self._look()
            if number and self.session.settled is not None:
                return
        raise Unexpected(f"{self.script.file}: the table does not come to rest")

    # -- light ---------------------------------------------------------------------------------

    def _beam(self, turn: AnyTurn) -> Iterator[str]:
        around, players = self._around, paints(self.session.table.game.players)
        animation = light.fired(around.layout, turn, players, around.effects)
        self._lit, self.brightest, self.confirmed = [], None, 0
        asked = len(list(around.stage.step_through(animation, self._confirmed)))
        yield f"{asked} pictures shown, {self.confirmed} confirmed"

    def _confirmed(self, picture: Pixels, at_ms: float) -> None:
        """The driver says that this is what the LEDs show: see what they really do."""
        latched = self._world.latched()
        if latched is None or not np.array_equal(latched, picture):
            raise Unexpected(
                f"{self.script.file}: {at_ms:.0f} ms into the beam the LEDs show another picture"
                " than the one they confirmed"
            )
        self.confirmed += 1
        self._world.glow()
        for cell, leds in enumerate(self._around.layout.cells):
            if cell not in self._lit and latched[list(leds)].any():
                self._lit.append(cell)
        if self.brightest is None or int(latched.sum()) > int(self.brightest.sum()):
            self.brightest = latched
            if self._picture_wanted:
                self.seen = self._next_frame().bgr

    # -- expectations --------------------------------------------------------------------------

    def _expect(self, act: Act, what: str, words: list[str]) -> None:
        table, grid = self.session.table, self.session.table.board.grid
        names = [grid.name(cell) for cell in self._lit]
        match what:
            case "turn":
                self._demand(act, " ".join(words), self._written(), "the turn is")
            case "beam":
                self._demand(act, " ".join(words), " ".join(names), "the LEDs lit")
            case "lit":
                dark = [name for name in words if self._cell(act, name) not in self._lit]
                if dark:
                    raise self._unmet(act, f"{' '.join(dark)} stayed dark; lit: {' '.join(names)}")
            case "dark":
                lit = [name for name in words if self._cell(act, name) in self._lit]
                if lit:
                    raise self._unmet(act, f"{' '.join(lit)} did not stay dark")
            case "captured":
                gone = () if self._turn is None else self._turn.removed
                got = " ".join(sorted(grid.name(loss.cell) for loss in gone))
                self._demand(act, " ".join(sorted(words)), got, "captured:")
            case "position":
                got = table.game.write_position(self.session.position)
                self._demand(act, " ".join(words), got, "it is")
            case "phase":
                self._demand(act, " ".join(words), self.session.phase, "it is")
            case "wrong":
                got = " ".join(grid.name(each.cell) for each in self.session.differences)
                self._demand(act, " ".join(words), got, "to be put right:")
            case "guide":
                self._demand(act, " ".join(words), guide(self.session).sentence, "the guide says:")
            case _:
                if not any(" ".join(words) in said for said in self._said):
                    raise self._unmet(act, f"it says {'; '.join(self._said) or 'nothing'}")

    def _written(self) -> str:
        """The last turn in the game's notation."""
        if self._turn is None:
            return "none"
        game, turn = self.session.table.game, self._turn
        return " ".join(game.write_move(turn.before, who, move) for who, move in turn.moves)

    def _demand(self, act: Act, wanted: str, got: str, what: str) -> None:
        if wanted != got:
            raise self._unmet(act, f"{what} {got or 'nothing'}")

    def _unmet(self, act: Act, complaint: str) -> Unexpected:
        return Unexpected(f"{self.script.file}:{act.line}: {act}: {complaint}")

    def _handle(self, act: Act, name: str) -> int:
        cell = self._cell(act, name)
        try:
            return self._world.at(cell)
        except LaserboardError as bad:
            raise self.script.error(act, str(bad)) from None

    def _cell(self, act: Act, name: str) -> Cell:
        grid = self.session.table.board.grid
        names = {grid.name(cell): cell for cell in range(grid.size)}
        if name not in names:
            raise self.script.error(act, f"the board has no cell {excerpt(name)}")
        return names[name]
