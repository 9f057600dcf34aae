"""A script played on a simulated table: what people do, and what must come of it.

An expectation that is not met is an error with the script's line.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.deeds import Carry, Twist
from controller.guide import guide
from controller.script import Act, Script
from controller.simulation import FRAME_MS, Lines, Simulation, Unexpected
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.grid import Cell


class Scripted:
    """One script, played once."""

    def __init__(self, script: Script, simulation: Simulation) -> None:
        self.script, self.simulation = script, simulation
        self._said: list[str] = []  # since the last act

    def play(self) -> Lines:
        """Line by line what happens."""
        yield from self.simulation.settle()
        for act in self.script.acts:
            if act.verb == "expect":
                self._expect(act, act.words[0], list(act.words[1:]))
                continue
            self._said = []
            try:
                for line in self._do(act):
                    self._said.append(line)
                    yield line
            except Unexpected as trouble:
                raise self._unmet(act, str(trouble)) from None

    def _do(self, act: Act) -> Lines:
        simulation, players = self.simulation, self.simulation.session.table.game.players
        if act.who and act.who not in players:
            hint = did_you_mean(act.who, players)
            raise self.script.error(act, f"nobody here is called that{hint}")
        match act.verb, act.words:
            case "moves", (source, target):
                deed = Carry(self._held(act, source), self._cell(act, target))
                yield f"{act.who} moves {source} to {target}"
                yield from simulation.do(deed)
            case "turns", (name, degrees):
                twist = Twist(self._held(act, name), float(degrees))
                yield f"{act.who} turns {name} by {degrees} degrees"
                yield from simulation.do(twist)
            case "takes", (name,):
                cell = self._held(act, name)
                yield f"{act.who} takes {name} off"
                yield from simulation.take(cell)
                yield from simulation.settle()
            case "covers", (name,):
                simulation.world.reach_to(self._cell(act, name))
                yield f"{act.who}'s hand stays over {name}"
            case "leaves", ():
                simulation.world.away()
                yield f"{act.who}'s hand goes away"
            case "presses", _:
                yield from simulation.press(players.index(act.who))
            case "wait", (ms,):
                yield from simulation.look(max(1, round(float(ms) / FRAME_MS)))
            case _:
                raise self.script.error(act, "nobody knows how to do that")

    # -- expectations --------------------------------------------------------------------------

    def _expect(self, act: Act, what: str, words: list[str]) -> None:
        wanted = " ".join(words)
        told: dict[str, tuple[str, Callable[[], str]]] = {
            "turn": ("the turn is", self._turn),
            "beam": ("the LEDs lit", self._lit),
            "captured": ("captured:", self._captured),
            "position": ("it is", self._position),
            "phase": ("it is", lambda: self.simulation.session.phase),
            "wrong": ("to be put right:", self._wrong),
            "guide": ("the guide says:", lambda: guide(self.simulation.session).sentence),
        }
        if what in told:
            words_before, tell = told[what]
            got = tell()
            if got != (" ".join(sorted(words)) if what == "captured" else wanted):
                raise self._unmet(act, f"{words_before} {got or 'nothing'}")
            return
        if what == "says":
            if not any(wanted in said for said in self._said):
                raise self._unmet(act, f"it says {'; '.join(self._said) or 'nothing'}")
            return
        cells = {name: self._cell(act, name) in self.simulation.lit for name in words}
        if what == "lit" and not all(cells.values()):
            dark = " ".join(name for name, lit in cells.items() if not lit)
            raise self._unmet(act, f"{dark} stayed dark; lit: {self._lit()}")
        if what == "dark" and any(cells.values()):
            lit = " ".join(name for name, lit in cells.items() if lit)
            raise self._unmet(act, f"{lit} did not stay dark")

    def _turn(self) -> str:
        """The last turn in the game's notation."""
        game, turn = self.simulation.session.table.game, self.simulation.turn
        if turn is None:
            return "none"
        return " ".join(game.write_move(turn.before, who, move) for who, move in turn.moves)

    def _lit(self) -> str:
        return " ".join(map(self._name, self.simulation.lit))

    def _captured(self) -> str:
        turn = self.simulation.turn
        gone = () if turn is None else turn.removed
        return " ".join(sorted(self._name(loss.cell) for loss in gone))

    def _position(self) -> str:
        session = self.simulation.session
        return session.table.game.write_position(session.position)

    def _wrong(self) -> str:
        return " ".join(self._name(each.cell) for each in self.simulation.session.differences)

    def _unmet(self, act: Act, complaint: str) -> Unexpected:
        return Unexpected(f"{self.script.file}:{act.line}: {act}: {complaint}")

    def _held(self, act: Act, name: str) -> Cell:
        """A cell with a piece on it."""
        cell = self._cell(act, name)
        try:
            self.simulation.world.at(cell)
        except LaserboardError as bad:
            raise self.script.error(act, str(bad)) from None
        return cell

    def _name(self, cell: Cell) -> str:
        return self.simulation.session.table.board.grid.name(cell)

    def _cell(self, act: Act, name: str) -> Cell:
        grid = self.simulation.session.table.board.grid
        names = {grid.name(cell): cell for cell in range(grid.size)}
        if name not in names:
            raise self.script.error(act, f"the board has no cell {excerpt(name)}")
        return names[name]
