"""Hosts games at a simulated table in real time: on the screen and on the page.

One game follows another. A fault may kill the program of a game: it is then restarted here.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.session.state import Phase
from controller.simulation.faults.injector import FaultInjector
from controller.simulation.game import SimulatedGame
from controller.simulation.hand_operator import HandOperator
from controller.simulation.hands import Hands
from controller.simulation.rig import LiveSimulatedRig
from controller.table.loop import Loop, freeze_garbage_collector
from controller.table.next_game import ScheduledGame
from controller.table.plan import JournalOpener
from controller.table.rig import TableSpec
from controller.ui.console import Console
from controller.ui.hosting.options import PageOptions, PlayOptions
from controller.ui.hosting.participants import Participants, participants
from controller.ui.terminal.player_screen import kept_game_note, print_kept_game

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from controller.simulation.faults.schedule import ScheduledFault
    from controller.table.plan import GamePlan
    from engine.game import Piece
    from engine.grid import Cell

OnTick = Callable[[Loop], None]
SIMULATED_DEVICE = "sim://"  # camera and LEDs
TURN_BEGINS = (Phase.TURN, Phase.COMPUTER_THINKING, Phase.OVER)  # the last beam was shown


@dataclass(frozen=True)
class FaultPlan:
    """The faults of the first game, and the seed of their random choices."""

    schedule: Iterator[ScheduledFault]
    seed: int


@dataclass(frozen=True)
class SimulatedStart:
    """The first game at a simulated table, and the pieces that stand there."""

    board_name: str
    plan: GamePlan
    pieces: Mapping[Cell, Piece]
    journal_opener: JournalOpener
    hands_set_up: bool = True  # False: people put the pieces right, on the page
    fault_plan: FaultPlan | None = None

    @classmethod
    def new_game(cls, board_name: str, plan: GamePlan) -> SimulatedStart:
        """A new game, its pieces set up."""
        return cls(board_name, plan, plan.setup.first_position().pieces, JournalOpener())


def simulated_table_spec(options: PlayOptions, board_name: str, plan: GamePlan) -> TableSpec:
    """The devices of a simulated table."""
    devices = options.devices
    return TableSpec(
        board_name,
        plan.board_file,
        plan.fitted_board,
        devices.leds or SIMULATED_DEVICE,
        devices.camera or SIMULATED_DEVICE,
        speaker_url=devices.speaker or "none://",
        voice=devices.voice or "none",
        publisher_factory=options.publisher_for(plan),
        refereed=plan.setup.policies is not None,
    )


def host_simulated_table(
    options: PlayOptions,
    console: Console,
    start: SimulatedStart,
    *,
    turns: int | None = None,
    speed: float = 1.0,
) -> int:
    """Play at a simulated table until the people leave, or for `turns` turns; the exit status."""
    scheduled = ScheduledGame(start.board_name, start.plan)
    spec = simulated_table_spec(options, start.board_name, start.plan)
    asyncio.run(
        run_simulated_table(
            options.page, console, spec, scheduled, start, max_turns=turns, speed=speed
        )
    )
    return 0


async def run_simulated_table(
    page: PageOptions | None,
    console: Console,
    table_spec: TableSpec,
    scheduled_game: ScheduledGame,
    start: SimulatedStart,
    *,
    on_tick: OnTick = lambda _: None,
    max_turns: int | None = None,
    speed: float = 1.0,
) -> None:
    """Play one game after another until the people leave, or the first has `max_turns` turns."""
    pieces, journal_opener = start.pieces, start.journal_opener
    fault_plan, hands_set_up = start.fault_plan, start.hands_set_up
    try:
        async with participants(page, console, scheduled_game, simulated_hands=True) as people:
            while True:
                rig = LiveSimulatedRig(table_spec, pieces, journal_opener, console.out, speed)
                next_game = await _play_one_game(
                    rig, scheduled_game, people, fault_plan, on_tick, hands_set_up, max_turns
                )
                if next_game is None:
                    return
                note = kept_game_note(journal_opener.path)
                if note is not None:
                    people.note(note)
                journal_opener, scheduled_game = JournalOpener(), next_game
                fault_plan, hands_set_up, max_turns = None, True, None
                pieces = scheduled_game.plan.setup.first_position().pieces
                table_spec = table_spec.for_game(scheduled_game.board_name, scheduled_game.plan)
    finally:
        print_kept_game(journal_opener.path, console)


async def _play_one_game(
    rig: LiveSimulatedRig,
    scheduled_game: ScheduledGame,
    people: Participants,
    fault_plan: FaultPlan | None,
    on_tick: OnTick,
    hands_set_up: bool,
    max_turns: int | None,
) -> ScheduledGame | None:
    """Play until the people leave (returns None) or ask for another game (returns it)."""
    plan = scheduled_game.plan
    served = replace(plan, preferences=replace(plan.preferences, has_operator=True))
    async with SimulatedGame(
        rig, served.start_session, people.announce, rig.free_disk_space
    ) as simulation:
        freeze_garbage_collector()
        before = len(simulation.session.history)  # turns of a resumed game
        async with _injecting_faults(simulation, rig, people, fault_plan) as tasks:

            def tick() -> bool:
                for each in tasks:
                    if each.done():
                        each.result()  # raises the error of a failed task
                on_tick(simulation.loop)
                session = simulation.session
                if max_turns is None or session.phase not in TURN_BEGINS:
                    return False
                return len(session.history) >= before + max_turns

            return await _run_with_restarts(
                simulation, rig, scheduled_game, people, tick, hands_set_up
            )


@asynccontextmanager
async def _injecting_faults(
    simulation: SimulatedGame,
    rig: LiveSimulatedRig,
    people: Participants,
    fault_plan: FaultPlan | None,
) -> AsyncIterator[Sequence[asyncio.Task[None]]]:
    """Inject the planned faults while the game is played."""
    if fault_plan is None:
        yield ()
        return
    injector = FaultInjector(rig, fault_plan.schedule, fault_plan.seed, people.announce)
    task = asyncio.create_task(injector.run(simulation))
    try:
        yield (task,)
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _run_with_restarts(
    simulation: SimulatedGame,
    rig: LiveSimulatedRig,
    scheduled_game: ScheduledGame,
    people: Participants,
    on_tick: Callable[[], bool],
    hands_set_up: bool,
) -> ScheduledGame | None:
    """Run the game again after every fault that kills its program."""
    from controller.ui.web.bridge import SimulationControls

    while True:
        # No timeout: in real time a computer may think for long, and Ctrl-Z stop the program.
        hands = Hands(simulation.loop, rig.world, timeout_ms=math.inf)
        simulation.hands = hands
        operator = HandOperator(
            hands, people.announce, lambda: rig.faults.camera_blind, sets_up=hands_set_up
        )
        people.set_wake(rig.pacing.wake)
        loop = simulation.loop
        controls = SimulationControls(operator, rig.world, rig.faults)
        next_game = await people.run(loop, scheduled_game, rig.path, controls, on_tick)
        if next_game is not None or not loop.is_over:
            return next_game
        await simulation.wait_restarted()
        if simulation.end_reason or simulation.loop.is_over:
            return None
