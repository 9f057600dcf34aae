"""Fault injection for a simulated game.

Injects scheduled faults as soon as they are due and the phase of the game allows them, undoes them
after their duration, and tracks the recovery. `script_actions.py` carries out their sentences.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from random import Random
from typing import Any

from controller.ports.world import NotOnTable
from controller.session.hand_actions import HandAction
from controller.session.state import Phase, Session
from controller.simulation.faults.catalogue import FaultSpec, FaultTiming
from controller.simulation.faults.ground_truth import session_table_state
from controller.simulation.faults.placeholders import NoFittingTarget, fill_placeholders
from controller.simulation.faults.recovery import FaultOccurrence, Recovery, RecoveryTracker
from controller.simulation.faults.schedule import ScheduledFault
from controller.simulation.game import SimulatedGame
from controller.simulation.hands import ProgramGone
from controller.simulation.rig import SimulatedRig
from controller.simulation.script import BadScript, Script, read_line
from controller.simulation.script_actions import ScriptActions
from controller.simulation.script_context import ActionContext
from vision.infer import NoChange

KILL_FAULT = "kill"
PROCESS_ENDING_FAULTS = (KILL_FAULT, "power-cut")
MAX_PENDING = 6  # due faults that wait for their phase; the oldest are dropped
MAX_DELAY_MS = 60_000.0  # after which a due fault is dropped


class FaultInjector:
    """Injects faults at one table. `on_kill`, if given, kills this process for the fault `kill`."""

    def __init__(
        self,
        rig: SimulatedRig,
        schedule: Iterator[ScheduledFault],
        seed: int | str,
        on_line: Callable[[str], None],
        recoveries: RecoveryTracker | None = None,
        offset_ms: float = 0.0,
        on_kill: Callable[[FaultInjector], None] | None = None,
    ) -> None:
        self._rig, self._schedule, self._seed = rig, schedule, seed
        self._context = ActionContext(Script("chaos"), rig, on_line)
        self._actions = ScriptActions(self._context)
        self.recoveries = recoveries or RecoveryTracker()
        self.offset_ms, self._origin_ms, self._on_kill = offset_ms, 0.0, on_kill
        self._next = next(schedule, None)
        self._pending: list[ScheduledFault] = []
        self._to_undo: list[tuple[float, FaultSpec, Sequence[str], FaultOccurrence]] = []
        self.last_fault_number = 0  # the newest fault that was injected

    async def run(self, simulation: SimulatedGame) -> None:
        """Inject faults until the game ends, also across restarts."""
        self._context.simulation = simulation
        self._origin_ms = simulation.loop.now_ms()
        while not simulation.end_reason:
            simulation.hands.after_actions = self._after_actions
            if not await simulation.loop.next_tick():
                await simulation.wait_restarted()
                if simulation.loop.is_over:
                    return  # the game has ended
                continue
            self.recoveries.observe(simulation.session, simulation.start_count)
            try:
                await self._tick(simulation)
            except ProgramGone:
                continue

    def now_ms(self) -> float:
        """Time since the start of the game, across processes."""
        return self.offset_ms + self._context.simulation.loop.now_ms() - self._origin_ms

    async def _tick(self, simulation: SimulatedGame) -> None:
        now_ms, session = self.now_ms(), simulation.session
        for each in [one for one in self._to_undo if one[0] <= now_ms]:
            self._to_undo.remove(each)
            await self._undo(*each[1:])
        if session.underlying_phase is Phase.OVER:
            return
        while self._next is not None and self._next.at_ms <= now_ms:
            self._pending.append(self._next)
            self._next = next(self._schedule, None)
        late = [due for due in self._pending if due.at_ms < now_ms - MAX_DELAY_MS]
        self._pending = [due for due in self._pending if due not in late][-MAX_PENDING:]
        timings = _current_timings(session)
        for due in self._pending:
            if timings.intersection(due.fault.timings):
                self._pending.remove(due)
                await self._inject(due)
                return

    async def _after_actions(self, actions: Sequence[HandAction]) -> None:
        """Inject a fault of `FaultTiming.DURING_MOVE`: hands have just made a move."""
        for due in self._pending:
            if FaultTiming.DURING_MOVE in due.fault.timings:
                self._pending.remove(due)
                await self._inject(due, actions)
                return

    async def _inject(self, due: ScheduledFault, actions: Sequence[HandAction] = ()) -> None:
        simulation, fault = self._context.simulation, due.fault
        session, rng = simulation.session, Random(f"{self._seed}/{due.number}")
        state = session_table_state(session, self._rig.table.objects.values())
        try:
            sentences = fill_placeholders(
                (*fault.sentences, *fault.undo_sentences), session, state, rng, actions
            )
        except NoFittingTarget:
            return
        self.last_fault_number = due.number
        occurrence = self.recoveries.start(
            fault.name, session, self.now_ms(), simulation.start_count
        )
        if fault.undo_sentences:
            occurrence.is_undone = False
            undo, duration_ms = sentences[len(fault.sentences) :], 1000 * fault.duration_s
            self._to_undo.append((self.now_ms() + duration_ms, fault, undo, occurrence))
        if fault.name in PROCESS_ENDING_FAULTS:
            occurrence.worsen(Recovery.RESUMED)
        if fault.name == KILL_FAULT and self._on_kill is not None:
            self._on_kill(self)
        for sentence in sentences[: len(fault.sentences)]:
            await self._perform(sentence)

    async def _undo(
        self, fault: FaultSpec, sentences: Sequence[str], occurrence: FaultOccurrence
    ) -> None:
        occurrence.is_undone = True
        if fault.needs_led_cable and occurrence.start_count != self._context.simulation.start_count:
            return  # the restarted program has opened new LEDs
        for sentence in sentences:
            await self._perform(sentence)

    async def _perform(self, sentence: str) -> None:
        try:
            await self._actions.perform(
                read_line(sentence.split(), "chaos", self.last_fault_number)
            )
        except (NotOnTable, BadScript):  # another hand has moved the piece meanwhile
            self._context.on_line("(the piece is gone)")


def _current_timings(session: Session) -> set[FaultTiming]:
    """The timings that apply now. `DURING_MOVE` is left to `_after_actions`."""
    found = {FaultTiming.ANY}
    match session.phase:
        case Phase.SETTING_UP:
            found.add(FaultTiming.SET_UP)
        case Phase.TURN if session.table.settled is not None and not session.turn.pressed:
            if isinstance(session.table.inference, NoChange):
                found.add(FaultTiming.BEFORE_MOVE)
        case Phase.FIRING if session.firing.running:
            found.add(FaultTiming.FIRING)
        case Phase.COMPUTER_THINKING | Phase.COMPUTER_TO_MOVE:
            found.add(FaultTiming.THINKING)
        case _:
            pass
    return found


async def run_alongside(
    playing: Coroutine[Any, Any, None], *others: Coroutine[Any, Any, None]
) -> None:
    """Run until `playing` ends. An error in one of the others ends it, too."""
    game = asyncio.ensure_future(playing)
    running = [asyncio.ensure_future(each) for each in others]
    try:
        while not game.done():
            open_tasks = [each for each in running if not each.done()]
            await asyncio.wait([game, *open_tasks], return_when=asyncio.FIRST_COMPLETED)
            for each in running:
                if each.done():
                    each.result()
        game.result()
    finally:
        for each in (game, *running):
            each.cancel()
        await asyncio.gather(game, *running, return_exceptions=True)
