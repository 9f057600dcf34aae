"""Plays a script on a simulated table, with everything else as on a real one.

The table is rendered, the real reader reads it, the move is inferred, and its beam goes through the
LED driver. What the LEDs then show lights the table again. Lines for people come out; an
expectation that is not met is an error with the script's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from controller import light
from controller.layout import Layout
from controller.ports import Camera, Frame, Pixels, World
from controller.script import Act, BadScript, Script
from controller.showing import Stage
from controller.tabletop import Tabletop
from engine.draw.palette import paints
from engine.draw.words import headline
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import AnyTurn
from engine.grid import Cell
from vision.hypotheses import Hypotheses, last_seen
from vision.infer import Ambiguous, Exact, Mismatch, NoChange, infer
from vision.reader import Reader
from vision.steady import Report, Settled, Steady

SETTLE_FRAMES = 200
CAMERA_MS, FRAME_MS = 10_000.0, 100.0
HAND_FRAMES = 3


class Unexpected(LaserboardError, AssertionError):
    """A script's expectation that is not met."""


class Simulation:
    """One script, played once."""

    def __init__(
        self,
        script: Script,
        top: Tabletop,
        position: Any,
        world: World,
        camera: Camera,
        stage: Stage,
        layout: Layout,
        picture_wanted: bool = False,
    ) -> None:
        self.script, self.top, self.position = script, top, position
        self._world, self._camera, self._stage, self._layout = world, camera, stage, layout
        self._reader = Reader(top.board, top.meanings, top.lens)
        self._steady = Steady()
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
        settled = self._settled()
        self._hypotheses = self._expecting(settled)
        for act in self.script.acts:
            if act.verb != "expect":
                self._said = []
            for line in self._do(act):
                self._said.append(line)
                yield line

    def _do(self, act: Act) -> Iterator[str]:
        if act.who and act.who not in self.top.game.players:
            raise self.script.error(
                act, f"nobody here is called that{did_you_mean(act.who, self.top.game.players)}"
            )
        match act.verb, act.words:
            case "moves", (source, target):
                cell = self._cell(act, target)
                handle = self._world.at(self._cell(act, source))
                self._by_hand(cell, lambda: self._world.move_to(handle, cell))
                yield f"{act.who} moves {source} to {target}"
            case "turns", (name, degrees):
                cell = self._cell(act, name)
                handle = self._world.at(cell)
                self._by_hand(cell, lambda: self._world.turn(handle, float(degrees)))
                yield f"{act.who} turns {name} by {degrees} degrees"
            case "takes", (name,):
                cell = self._cell(act, name)
                handle = self._world.at(cell)
                self._by_hand(cell, lambda: self._world.remove(handle))
                yield f"{act.who} takes {name} off"
            case "covers", (name,):
                self._world.reach_to(self._cell(act, name))
                yield f"{act.who}'s hand stays over {name}"
            case "leaves", ():
                self._world.away()
                yield f"{act.who}'s hand goes away"
            case "presses", _:
                yield from self._fire()
            case "wait", (ms,):
                for _ in range(max(1, round(float(ms) / FRAME_MS))):
                    self._look()
            case "expect", (what, *words):
                self._expect(act, what, words)
            case _:
                raise self.script.error(act, "nobody knows how to do that")

    # -- hands and eyes ------------------------------------------------------------------------

    def _by_hand(self, cell: Cell, action: Callable[[], object]) -> None:
        """A hand comes, does it, and goes."""
        self._world.reach_to(cell)
        for _ in range(HAND_FRAMES):
            self._look()
        action()
        for _ in range(HAND_FRAMES):
            self._look()
        self._world.away()

    def _look(self) -> Report:
        frame = self._next_frame()
        seen = self._reader.read(frame.grey)
        self._steady, report = self._steady.watch(seen, round(frame.at_ms))
        return report

    def _next_frame(self) -> Frame:
        frame = self._camera.wait(self._frame, CAMERA_MS)
        if frame is None:
            raise BadScript(f"{self.script.file}: the camera gives no picture")
        self._frame = frame.number
        return frame

    def _settled(self) -> Settled:
        for _ in range(SETTLE_FRAMES):
            report = self._look()
            if isinstance(report, Settled):
                return report
        raise Unexpected(
            f"{self.script.file}: the table does not come to rest: {type(report).__name__}"
        )

    def _expecting(self, settled: Settled) -> Hypotheses:
        meanings, headings = self.top.meanings, self.top.board.grid.headings
        facing = last_seen({}, settled.sightings, meanings, headings)
        return Hypotheses.of(self.top.game, self.position, facing)

    # -- light ---------------------------------------------------------------------------------

    def _fire(self) -> Iterator[str]:
        settled = self._settled()
        match infer(self._hypotheses, settled.evidence, self.top.meanings):
            case Exact(turns):
                self._turn = turn = turns[-1]
            case NoChange():
                yield "no move made yet"
                return
            case Ambiguous(choices):
                yield f"unclear: one of {len(choices)} moves"
                return
            case Mismatch(differences):
                for difference in differences:
                    yield difference.sentence
                return
        yield self._told(turn)
        yield from self._beam(turn)
        self.position = turn.after
        self._hypotheses = self._expecting(self._settled())

    def _beam(self, turn: AnyTurn) -> Iterator[str]:
        players = paints(self.top.game.players)
        animation = light.fired(self._layout, turn, players)
        self._lit, self.brightest, self.confirmed = [], None, 0
        asked = len(list(self._stage.step_through(animation, self._confirmed)))
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
        for cell, leds in enumerate(self._layout.cells):
            if cell not in self._lit and latched[list(leds)].any():
                self._lit.append(cell)
        if self.brightest is None or int(latched.sum()) > int(self.brightest.sum()):
            self.brightest = latched
            if self._picture_wanted:
                self.seen = self._next_frame().bgr

    def _told(self, turn: AnyTurn) -> str:
        return headline(self.top.game, turn)

    # -- expectations --------------------------------------------------------------------------

    def _expect(self, act: Act, what: str, words: list[str]) -> None:
        game, grid = self.top.game, self.top.board.grid
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
                self._demand(act, " ".join(words), game.write_position(self.position), "it is")
            case _:
                if not any(" ".join(words) in said for said in self._said):
                    raise self._unmet(act, f"it says {'; '.join(self._said) or 'nothing'}")

    def _written(self) -> str:
        """The last turn in the game's notation."""
        if self._turn is None:
            return "none"
        game, turn = self.top.game, self._turn
        return " ".join(game.write_move(turn.before, who, move) for who, move in turn.moves)

    def _demand(self, act: Act, wanted: str, got: str, what: str) -> None:
        if wanted != got:
            raise self._unmet(act, f"{what} {got or 'nothing'}")

    def _unmet(self, act: Act, complaint: str) -> Unexpected:
        return Unexpected(f"{self.script.file}:{act.line}: {act}: {complaint}")

    def _cell(self, act: Act, name: str) -> Cell:
        grid = self.top.board.grid
        names: Mapping[str, Cell] = {grid.name(cell): cell for cell in range(grid.size)}
        if name not in names:
            raise self.script.error(act, f"the board has no cell {excerpt(name)}")
        return names[name]
