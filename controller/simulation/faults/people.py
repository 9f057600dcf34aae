"""Simulated players at a table with faults: they follow the guidance, wait for lost devices, answer
questions truthfully, and go on after a restart.

Every turn that the session records is compared with the ground truth of the table at that moment.
A turn that is not on the table is wrong, even if the players intended it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from random import Random
from typing import Any

from controller.ports.events import Pressed
from controller.ports.world import NotOnTable
from controller.session.events import Request, Requested
from controller.session.state import Phase, Session
from controller.simulation.faults.ground_truth import (
    TableState,
    session_table_state,
    table_shows_position,
    table_shows_turn,
)
from controller.simulation.faults.recovery import completed_turns
from controller.simulation.game import SimulatedGame
from controller.simulation.hands import ProgramGone, SimulationFailed
from controller.simulation.random_players import RandomPlayers
from controller.simulation.rig import SimulatedRig
from engine.game import AnyTurn, Outcome, Player
from engine.grid import Cell
from vision.observation import CellState
from vision.settling import Settled

THINK_RANGE_MS = 300, 2_500  # before a move
PRESS_DELAY_RANGE_MS = 150, 1_200  # before a press
STEP_TIMEOUT_MS = 9_000.0  # for the session to react to an action
PAUSE_WAIT_MS = 2_000.0  # until they try to continue
MAX_STEPS = 60  # for one turn
_BUSY = (Phase.FIRING, Phase.COMPUTER_THINKING)
_READY = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.COMPUTER_TO_MOVE, Phase.OVER)

DecideTurn = Callable[[Session], Awaitable[AnyTurn | None]]


class GameStuck(SimulationFailed):
    """The players make no progress after `MAX_STEPS` steps: a hang."""


class StopPlaying(Exception):
    """The callback `decide` has returned no turn."""


class FaultTolerantPlayers(RandomPlayers):
    """All simulated players at a table with faults."""

    def __init__(
        self,
        simulation: SimulatedGame,
        rig: SimulatedRig,
        start_position: Any,
        rng: Random,
        turns_made: Sequence[AnyTurn] = (),
        on_turn_chosen: Callable[[AnyTurn], None] = lambda _: None,
        decide: DecideTurn | None = None,
        on_progress: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(simulation, start_position, rng, turns_made, on_turn_chosen)
        self._rig, self._decide = rig, decide
        self._on_progress = on_progress  # called at every step
        self._checked_turns = len(turns_made)  # turns compared with the table
        self._hidden_cells: Collection[Cell] = ()  # when the table last settled
        self._facing_before: dict[int, int] = {}  # orientations before this turn
        self._facing_position: object = None  # to which `_facing_before` belongs
        self.wrong_turns: list[str] = []
        self.unseen = 0  # turns with another piece out of place on a covered cell
        self.accepted = 0  # turns that were on the table, but not intended
        self._intended_turn: AnyTurn | None = None
        self._attempted = False
        self._resigned: Outcome | None = None

    async def play(self, max_turns: int | None) -> None:
        while True:
            try:
                await self._play_to_end(max_turns)
                return
            except StopPlaying:
                return
            except ProgramGone:
                await self._simulation.wait_restarted()
                if self._simulation.end_reason:
                    self._record_fired_turns()
                    self.turns_made += self.unfired_turns()  # the last turn; it is in the journal
                    self.outcome = self._game.outcome(self.position) or self._resigned
                    return
                if self._simulation.loop.is_over:
                    raise  # not killed: the loop's task raises the reason
                self._resume()

    async def _play_to_end(self, max_turns: int | None) -> None:
        while self._game.outcome(self.position) is None and len(self.turns_made) != max_turns:
            await self.play_turn()
        for _ in range(MAX_STEPS):
            self._record_fired_turns()
            self.outcome = self._game.outcome(self.position) or self._resigned
            if self._is_over():
                return
            if self.outcome is None and self._session.underlying_phase is not Phase.FIRING:
                if self._decide is not None:
                    return
                self._resigned = self._resign()
            await self._step()
        raise GameStuck(f"the game should be over, and is not: {self._describe_state()}")

    async def play_turn(self) -> None:
        """Take steps until one more turn is fired and the table is clear."""
        before = len(self.turns_made)
        self._intended_turn, self._attempted = None, False
        for _ in range(MAX_STEPS):
            self._record_fired_turns()
            if len(self.turns_made) > before and self._session.phase in _READY:
                return
            await self._step()
        raise GameStuck(f"no progress: {self._describe_state()}")

    def _record_fired_turns(self) -> None:
        """Add the fired turns of the session to `turns_made`."""
        self.check_new_turns()
        if self.wrong_turns:
            raise SimulationFailed(self.wrong_turns[0])
        done = completed_turns(self._session)
        if done < len(self.turns_made):
            raise SimulationFailed(
                f"turn {len(self.turns_made)} was fired, and is gone: {self._describe_state()}"
            )
        for past in self._session.history[len(self.turns_made) : done]:
            meant = self._intended_turn is None or past.turn.moves == self._intended_turn.moves
            self.accepted += not meant
            self.turns_made.append(past.turn)
            self._intended_turn = None

    def unfired_turns(self) -> list[AnyTurn]:
        """Turns of the session that are not known to be fired."""
        return [past.turn for past in self._session.history[len(self.turns_made) :]]

    # -- steps ---------------------------------------------------------------------------------

    async def _step(self) -> None:
        """Take the step that the phase of the session asks for."""
        self._on_progress()
        session = self._session
        match session.phase:
            case Phase.FIRING | Phase.COMPUTER_THINKING:
                await self._wait(lambda: self._session.phase not in _BUSY, STEP_TIMEOUT_MS)
            case Phase.PAUSED:
                await self._continue_game(session)
            case Phase.SETTING_UP | Phase.CLEARING | Phase.MISMATCH:
                await self._correct_table(session)
            case Phase.CHOOSING_TURN:
                await self._answer_confirmation(session)
            case Phase.TURN | Phase.WAITING_FOR_OTHER:
                await self._make_move(session)
            case Phase.COMPUTER_TO_MOVE:
                await self._make_computer_move(session)
            case Phase.OVER:
                await self._wait(self._is_over, STEP_TIMEOUT_MS)

    async def _continue_game(self, session: Session) -> None:
        """Wait for lost devices; continue if no device is missing."""
        await self._wait(lambda: self._session.phase is not Phase.PAUSED, PAUSE_WAIT_MS)
        if self._session.phase is Phase.PAUSED and not self._session.missing_devices:
            self._dispatch(Requested(Request.CONTINUE, 0, self._now_ms()))

    async def _correct_table(self, session: Session) -> None:
        """Correct the differences that the session reports; confirm covered cells."""
        phase = session.phase
        await self._wait(
            lambda: self._session.table.settled is not None or self._session.phase is not phase,
            STEP_TIMEOUT_MS,
        )
        session = self._session
        if session.phase is not phase:
            return
        if session.table.settled is None or not session.table.differences:
            await self._confirm_unseen(phase)
            return
        pieces, cell = session.position.pieces, session.table.differences[0].cell
        hands = self._simulation.hands
        await hands.reach_in(cell, lambda: hands.world.lay_out(pieces))
        if phase is Phase.MISMATCH:
            self._attempted = False  # the move must be made again
        await self._wait(lambda: self._session.phase is not phase, STEP_TIMEOUT_MS)

    async def _confirm_unseen(self, phase: Phase) -> None:
        """A cell is covered: wait, and press fire if the table is correct."""
        if await self._wait(lambda: self._session.phase is not phase, STEP_TIMEOUT_MS):
            return
        right = table_shows_position(self._game, self._session.position, self._table_state())
        if right and phase is Phase.CLEARING:
            self._dispatch(Pressed("fire 0", self._now_ms()))
        elif not right and not self._session.table.differences:
            await self._lay_out()

    async def _answer_confirmation(self, session: Session) -> None:
        """Choose the turn that is on the table, or decline."""
        await self._wait(lambda: False, self._rng.randint(*PRESS_DELAY_RANGE_MS))
        session = self._session
        if session.phase is not Phase.CHOOSING_TURN:
            return
        now, player = (
            self._table_state(),
            session.humans_to_move[0] if session.humans_to_move else 0,
        )
        real = [
            number
            for number, turns in enumerate(session.turn.choices)
            if self._shows(turns[-1], now)
        ]
        meant = [
            number
            for number in real
            if self._intended_turn is not None
            and session.turn.choices[number][-1].moves == self._intended_turn.moves
        ]
        if real:
            choice = (meant or real)[0]
            self._dispatch(Requested(Request.CHOOSE, player, self._now_ms(), choice))
        else:
            self._dispatch(Requested(Request.DECLINE, player, self._now_ms()))
        await self._wait(lambda: self._session.phase is not Phase.CHOOSING_TURN, STEP_TIMEOUT_MS)

    async def _make_move(self, session: Session) -> None:
        """Make a move and press fire; on a second attempt, first check the table."""
        if self._intended_turn is None:
            await self._wait(lambda: False, self._rng.randint(*THINK_RANGE_MS))
            if self._session.phase is not Phase.TURN:
                return
            self._intended_turn = await self._decide_turn(session)
            self._on_turn_chosen(self._intended_turn)
        if not self._attempted:
            self._attempted = True
            people = [p for p, _ in self._intended_turn.moves if not session.seats[p].is_automated]
            if not await self._try_make(self._intended_turn, people):
                return
        elif not self._shows(self._intended_turn, self._table_state()):
            await self._lay_out()
            return
        for player, _ in self._intended_turn.moves:
            await self._press(player)

    async def _try_make(self, turn: AnyTurn, people: Collection[Player]) -> bool:
        """Carry out a turn; False if a piece is missing."""
        try:
            await self._simulation.hands.make_turn(turn, people)
        except NotOnTable:  # taken off by a fault
            await self._lay_out()
            return False
        return True

    async def _lay_out(self) -> None:
        """Restore the session's position; the move must be made again."""
        hands, pieces = self._simulation.hands, self._session.position.pieces
        await hands.reach_in(0, lambda: hands.world.lay_out(pieces))
        self._attempted = False
        await self._wait(lambda: self._session.table.settled is not None, STEP_TIMEOUT_MS)

    async def _decide_turn(self, session: Session) -> AnyTurn:
        if self._decide is None:
            return self.choose_turn()
        turn = await self._decide(session)
        if turn is None:
            raise StopPlaying
        return turn

    async def _press(self, player: Player) -> None:
        """Press fire shortly after the move, without waiting for the camera."""
        await self._wait(lambda: False, self._rng.randint(*PRESS_DELAY_RANGE_MS))
        session = self._session
        if (
            session.phase not in (Phase.TURN, Phase.WAITING_FOR_OTHER)
            or player in session.turn.pressed
        ):
            return
        if session.seats[player].is_automated:
            return
        turns, phase = len(session.history), session.phase
        self._dispatch(Pressed(f"fire {player}", self._now_ms()))

        def has_effect() -> bool:
            now = self._session
            pressed = player in now.turn.pressed and bool(now.still_to_act)
            return len(now.history) != turns or now.phase is not phase or pressed

        await self._wait(has_effect, STEP_TIMEOUT_MS)
        await self._wait(lambda: self._session.phase not in _BUSY, STEP_TIMEOUT_MS)

    async def _make_computer_move(self, session: Session) -> None:
        """Make the computer's move once; if it is not on the table, restore the position."""
        assert session.computer.turn is not None
        if self._intended_turn is None or self._intended_turn.moves != session.computer.turn.moves:
            self._intended_turn = self._game.resolve(
                session.position, dict(session.computer.turn.moves)
            )
            self._on_turn_chosen(self._intended_turn)
            self._attempted = False
        if not self._attempted:
            self._attempted = True
            await self._try_make(self._intended_turn, (0, 1))
        elif not self._shows(self._intended_turn, self._table_state()):
            await self._lay_out()
        await self._wait(lambda: self._session.phase is not Phase.COMPUTER_TO_MOVE, STEP_TIMEOUT_MS)

    # -- comparison with the table -------------------------------------------------------------

    async def watch(self) -> None:
        """At every tick, count questions and mismatches, and check new turns."""
        simulation = self._simulation
        before = self._session.phase
        while not simulation.end_reason:
            if not await simulation.loop.next_tick():
                await simulation.wait_restarted()
                if simulation.loop.is_over:
                    return
                continue
            now = self._session.phase
            self.asked += now is Phase.CHOOSING_TURN and before is not now
            self.mismatches += now is Phase.MISMATCH and before is not now
            before = now
            self.check_new_turns()

    def check_new_turns(self) -> None:
        """Compare new turns of the session with the table."""
        session = self._session
        if session.table.settled is not None:
            self._hidden_cells = _covered_cells(session.table.settled)
        self._checked_turns = min(self._checked_turns, len(session.history))
        for past in session.history[self._checked_turns :]:
            self._checked_turns += 1
            now = self._table_state()
            if self._shows(past.turn, now):
                continue
            if self._shows(past.turn, now, self._hidden_cells):
                self.unseen += 1
                continue
            self.wrong_turns.append(
                f"turn {self._checked_turns} is not on the table: {self._describe_turn(past)}"
            )
        ready = session.phase in (Phase.TURN, Phase.COMPUTER_THINKING, Phase.COMPUTER_TO_MOVE)
        if ready and session.position is not self._facing_position:
            self._facing_position, self._facing_before = (
                session.position,
                self._table_state().facing,
            )

    def _describe_turn(self, past: Any) -> str:
        moves = " ".join(self._game.write_move(past.turn.before, *each) for each in past.turn.moves)
        meant = self._intended_turn
        wanted = (
            "nothing"
            if meant is None
            else " ".join(self._game.write_move(meant.before, *each) for each in meant.moves)
        )
        return f"{moves}, where {wanted} was meant, on {self._table_state().pieces}"

    def _resume(self) -> None:
        """After a restart, forget the turn in progress; it was not written, so it was not fired."""
        self._intended_turn, self._attempted = None, False
        recorded = len(self._session.history)
        if recorded < len(self.turns_made):
            raise SimulationFailed(f"turn {recorded + 1} was fired, and is gone")
        self._checked_turns = min(self._checked_turns, recorded)
        self._record_fired_turns()

    # -- helpers -------------------------------------------------------------------------------

    def _shows(self, turn: AnyTurn, now: TableState, unseen: Collection[Cell] = ()) -> bool:
        seats = self._session.seats
        single = len(turn.moves) == 1  # then the computer's piece, too, is moved before firing
        moved_by_hand = [each for each in (0, 1) if single or not seats[each].is_automated]
        return table_shows_turn(self._game, turn, self._facing_before, now, moved_by_hand, unseen)

    def _table_state(self) -> TableState:
        return session_table_state(self._session, self._rig.table.objects.values())

    def _dispatch(self, event: Pressed | Requested) -> None:
        self._simulation.loop.dispatch(event)

    def _now_ms(self) -> float:
        return self._simulation.loop.now_ms()

    async def _wait(self, met: Callable[[], bool], within_ms: float) -> bool:
        loop = self._simulation.loop
        is_met = await loop.wait_until(met, within_ms)
        if loop.is_over:
            raise ProgramGone("the program is gone")
        return is_met


def _covered_cells(report: Settled) -> set[Cell]:
    """The cells that are covered."""
    sightings = report.sightings
    return {cell for cell, each in enumerate(sightings) if each.state is CellState.COVERED}
