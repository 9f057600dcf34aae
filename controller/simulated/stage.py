"""Where a script is played: a simulated table, its people, and what they have heard so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from controller.played import TURN
from controller.room import SteppedRoom
from controller.session_values import Session
from controller.simulated.hands import Unexpected
from controller.simulated.script import Act, Script
from controller.simulated.simulation import Simulation
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import Player
from engine.grid import Cell


@dataclass(frozen=True, slots=True)
class Memory:
    """What must outlive a power cut."""

    position: str
    turns: int
    movers: tuple[Player, ...]
    entries: int

    @classmethod
    def of(cls, session: Session) -> Memory:
        """All that is on the disk; what the disk did not take is lost."""
        lost = session.unwritten if session.refused else ()
        game, turns = session.table.game, len(session.history)
        turns -= sum(each.kind == TURN for each in lost)
        position = session.history[turns - 1].turn.after if turns else _first(session)
        text = game.write_position(position)
        return cls(text, turns, game.to_move(position), session.entries - len(lost))


class Stage:
    """One script on one table; `tell` is given what people do and hear, line by line."""

    simulation: Simulation

    def __init__(self, script: Script, room: SteppedRoom, tell: Callable[[str], None]) -> None:
        self.script, self.room, self.tell = script, room, tell
        self.said: list[str] = []  # since the last act
        self._spoken = 0  # before it
        self.hand_stays = False
        self.ended = ""  # why no power brings the game back
        self.remembered: Memory | None = None  # at the last power cut
        self.woken: Session | None = None  # just after it

    @property
    def session(self) -> Session:
        return self.simulation.session

    def heard(self, sentence: str) -> None:
        """What people at the table hear."""
        self.said.append(sentence)
        self.tell(sentence)

    @property
    def spoken(self) -> str:
        """What was said aloud since the last act."""
        return self.room.aloud.getvalue()[self._spoken :]

    def forget(self) -> None:
        """Another act: what was said and seen before is past."""
        self.said, self.room.pace.phases = [], []
        self._spoken = len(self.room.aloud.getvalue())

    async def power_cut(self) -> None:
        self.remembered = Memory.of(self.session)
        try:
            await self.simulation.power_cut()
            self.woken = self.session
        except LaserboardError as over:
            self.ended = str(over)
            self.heard(self.ended)

    # -- names ---------------------------------------------------------------------------------

    def player(self, act: Act, name: str) -> Player:
        players = self.session.table.game.players
        if name not in players:
            hint = did_you_mean(name, players)
            raise self.script.error(act, f"nobody here is called that{hint}")
        return players.index(name)

    def cell(self, act: Act, name: str) -> Cell:
        grid = self.session.table.board.grid
        names = {grid.name(cell): cell for cell in range(grid.size)}
        if name not in names:
            raise self.script.error(act, f"the board has no cell {excerpt(name)}")
        return names[name]

    def held(self, act: Act, name: str) -> Cell:
        """A cell with a piece on it."""
        cell = self.cell(act, name)
        try:
            self.room.table.at(cell)
        except LaserboardError as bad:
            raise self.script.error(act, str(bad)) from None
        return cell

    def name(self, cell: Cell) -> str:
        return self.session.table.board.grid.name(cell)

    def unmet(self, act: Act, complaint: str) -> NoReturn:
        raise Unexpected(f"{self.script.file}:{act.line}: {act}: {complaint}")


def _first(session: Session) -> object:
    return session.history[0].position if session.history else session.position
