"""The context of a running script: its table, the names it uses, and the messages so far."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NoReturn

from controller.session.replay import TURN
from controller.session.state import Session
from controller.simulation import sentences
from controller.simulation.game import SimulatedGame
from controller.simulation.hands import SimulationFailed
from controller.simulation.rig import SimulatedRig, SteppedSimulatedRig
from controller.simulation.script import Script, ScriptLine
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.game import Player
from engine.grid import Cell
from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class PersistedState:
    """The part of a session that must survive a power cut."""

    position: str
    turns: int
    to_move: tuple[Player, ...]
    entries: int

    @classmethod
    def from_session(cls, session: Session, unsynced: bool = False) -> PersistedState:
        """The state on disk, without entries that the disk has refused or, with `unsynced`, not
        synced yet."""
        lost = session.writing.unwritten if session.writing.refused or unsynced else ()
        game, turns = session.game, len(session.history)
        turns -= sum(each.kind == TURN for each in lost)
        position = session.history[turns - 1].turn.after if turns else _start_position(session)
        text = game.write_position(position)
        return cls(text, turns, game.to_move(position), session.writing.entry_count - len(lost))


class ActionContext:
    """A simulated table, and the lookup of names in script lines."""

    simulation: SimulatedGame

    def __init__(self, script: Script, rig: SimulatedRig, on_line: Callable[[str], None]) -> None:
        self.script, self.rig, self.on_line = script, rig, on_line
        self.hand_over_board = False

    @property
    def session(self) -> Session:
        return self.simulation.session

    async def cut_power(self) -> None:
        await self.simulation.cut_power()

    async def kill_program(self) -> None:
        await self.simulation.kill_program()

    # -- names ---------------------------------------------------------------------------------

    def player(self, line: ScriptLine, name: str) -> Player:
        players = self.session.game.players
        if name not in players:
            problem = sentences.NO_SUCH_PLAYER(hint=did_you_mean(name, players))
            raise self.script.make_error(line, problem)
        return players.index(name)

    def cell(self, line: ScriptLine, name: str) -> Cell:
        grid = self.session.setup.fitted_board.board.grid
        names = {grid.name(cell): cell for cell in range(grid.size)}
        if name not in names:
            raise self.script.make_error(line, sentences.NO_SUCH_CELL(name=excerpt(name)))
        return names[name]

    def occupied_cell(self, line: ScriptLine, name: str) -> Cell:
        """A cell with a piece on it."""
        cell = self.cell(line, name)
        try:
            self.rig.table.handle_at(cell)
        except LaserboardError as error:
            raise self.script.make_error(line, error.sentence) from error
        return cell

    def name(self, cell: Cell) -> str:
        return self.session.setup.fitted_board.board.grid.name(cell)

    def fail(self, line: ScriptLine, complaint: str) -> NoReturn:
        raise SimulationFailed(f"{self.script.file}:{line.line_number}: {line}: {complaint}")


class ScriptContext(ActionContext):
    """One script on one table; `on_line` receives actions and messages, line by line."""

    rig: SteppedSimulatedRig

    def __init__(
        self, script: Script, rig: SteppedSimulatedRig, on_line: Callable[[str], None]
    ) -> None:
        super().__init__(script, rig, on_line)
        self.messages: list[str] = []  # since the last action
        self._spoken_offset = 0  # of `audio_output` at the last action
        self.state_before_cut: PersistedState | None = None  # at the last restart
        self.session_after_restart: Session | None = None

    @property
    def end_reason(self) -> str:
        """Why the game cannot be restarted; empty: it can."""
        return self.simulation.end_reason

    def on_message(self, sentence: str | Sentence) -> None:
        """Collect a message to the players."""
        self.messages.append(str(sentence))
        self.on_line(str(sentence))

    @property
    def spoken(self) -> str:
        """Spoken text since the last action."""
        return self.rig.audio_output.getvalue()[self._spoken_offset :]

    def begin_line(self) -> None:
        """Start an action: forget earlier messages, phases and speech."""
        self.messages, self.rig.pacing.phases = [], []
        self._spoken_offset = len(self.rig.audio_output.getvalue())

    async def cut_power(self) -> None:
        unsynced = self.rig.faults.disk.is_delaying
        await self._restart(
            self.simulation.cut_power, PersistedState.from_session(self.session, unsynced)
        )

    async def kill_program(self) -> None:
        await self._restart(self.simulation.kill_program, PersistedState.from_session(self.session))

    async def _restart(self, restart: Callable[[], Awaitable[None]], state: PersistedState) -> None:
        self.state_before_cut = state
        await restart()
        self.session_after_restart = self.session
        if self.end_reason:
            self.on_message(self.end_reason)


def _start_position(session: Session) -> object:
    return session.history[0].position if session.history else session.position
