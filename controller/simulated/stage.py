"""Where a script is played: a simulated table, its people, and what they have heard so far."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NoReturn

from controller.played import TURN
from controller.room import SimulatedRoom, SteppedRoom
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
    def of(cls, session: Session, unsynced: bool = False) -> Memory:
        """All that is on the disk; what the disk did not take is lost, or has not `synced`."""
        lost = session.unwritten if session.refused or unsynced else ()
        game, turns = session.table.game, len(session.history)
        turns -= sum(each.kind == TURN for each in lost)
        position = session.history[turns - 1].turn.after if turns else _first(session)
        text = game.write_position(position)
        return cls(text, turns, game.to_move(position), session.entries - len(lost))


class Scenery:
    """A simulated table with its people, by the names that sentences use."""

    simulation: Simulation

    def __init__(self, script: Script, room: SimulatedRoom, tell: Callable[[str], None]) -> None:
        self.script, self.room, self.tell = script, room, tell
        self.hand_stays = False

    @property
    def session(self) -> Session:
        return self.simulation.session

    async def power_cut(self) -> None:
        await self.simulation.power_cut()

    async def killed(self) -> None:
        await self.simulation.killed()

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


class Stage(Scenery):
    """One script on one table; `tell` is given what people do and hear, line by line."""

    room: SteppedRoom

    def __init__(self, script: Script, room: SteppedRoom, tell: Callable[[str], None]) -> None:
        super().__init__(script, room, tell)
        self.said: list[str] = []  # since the last act
        self._spoken = 0  # before it
        self.remembered: Memory | None = None  # at the last power cut
        self.woken: Session | None = None  # just after it

    @property
    def ended(self) -> str:
        """Why no power brings the game back."""
        return self.simulation.ended

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
        held = self.room.faults.disk.holds_back
        await self._begin_anew(self.simulation.power_cut, Memory.of(self.session, held))

    async def killed(self) -> None:
        await self._begin_anew(self.simulation.killed, Memory.of(self.session))

    async def _begin_anew(self, how: Callable[[], Awaitable[None]], kept: Memory) -> None:
        self.remembered = kept
        await how()
        self.woken = self.session
        if self.ended:
            self.heard(self.ended)


def _first(session: Session) -> object:
    return session.history[0].position if session.history else session.position
