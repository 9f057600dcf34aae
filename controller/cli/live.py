"""Playing at a simulated table in time as it passes: on the screen and on the page, one game after
another, and through every life of a program that chaos kills."""

from __future__ import annotations

import argparse
import asyncio
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.cli.company import Company, company
from controller.cli.console import Console
from controller.cli.front import ending, farewell
from controller.loop import Loop, settle_memory
from controller.room import Furniture, LiveRoom
from controller.simulated.attendant import Attendant
from controller.simulated.chaos.disturber import Disturber
from controller.simulated.hands import Hands
from controller.simulated.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from controller.beginning import Keeping
    from controller.hosting import Hosted
    from controller.simulated.chaos.schedule import Due
    from engine.game import Piece
    from engine.grid import Cell

EachBeat = Callable[[Loop], None]


@dataclass(frozen=True)
class Befalls:
    """What is to happen to the first game, and the seed of all chance in it."""

    dues: Iterator[Due]
    seed: int


async def at_simulated_table(
    args: argparse.Namespace,
    console: Console,
    furniture: Furniture,
    hosted: Hosted,
    keeping: Keeping,
    pieces: Mapping[Cell, Piece],
    befalls: Befalls | None = None,
    each_beat: EachBeat = lambda _: None,
    sets_up: bool = True,
) -> None:
    """Until everybody leaves; hands set up the first game, or leave that to people."""
    from controller.beginning import Keeping

    try:
        async with company(args, console, hosted, hands=True) as people:
            while True:
                room = LiveRoom(furniture, pieces, keeping, console.out)
                another = await _one_game(room, hosted, people, befalls, each_beat, sets_up)
                if another is None:
                    return
                people.note(ending(keeping.path))
                keeping, hosted, befalls, sets_up = Keeping(), another, None, True
                pieces = hosted.plan.start.first().pieces
                furniture = furniture.for_game(hosted.place, hosted.plan)
    finally:
        farewell(keeping.path, console)


async def _one_game(
    room: LiveRoom,
    hosted: Hosted,
    people: Company,
    befalls: Befalls | None,
    each_beat: EachBeat,
    sets_up: bool,
) -> Hosted | None:
    """Until everybody leaves, or wants another one."""
    plan = hosted.plan
    served = replace(plan, habits=replace(plan.habits, served=True))
    async with Simulation(room, served.begin, people.tell, room.make_room) as simulation:
        settle_memory()
        async with _befalling(simulation, room, people, befalls) as tasks:

            def look() -> None:
                for each in tasks:
                    if each.done():
                        each.result()  # what fails says so, instead of letting everybody wait
                each_beat(simulation.loop)

            return await _through_its_lives(simulation, room, hosted, people, look, sets_up)


@asynccontextmanager
async def _befalling(
    simulation: Simulation, room: LiveRoom, people: Company, befalls: Befalls | None
) -> AsyncIterator[Sequence[asyncio.Task[None]]]:
    """Chaos beside the game, if there is any."""
    if befalls is None:
        yield ()
        return
    disturber = Disturber(room, befalls.dues, befalls.seed, people.tell)
    task = asyncio.create_task(disturber.disturb(simulation))
    try:
        yield (task,)
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _through_its_lives(
    simulation: Simulation,
    room: LiveRoom,
    hosted: Hosted,
    people: Company,
    look: Callable[[], None],
    sets_up: bool,
) -> Hosted | None:
    """However often the program is killed and begins anew."""
    from controller.web.attending import Simulated

    while True:
        # In time as it passes a computer may think for long, and Ctrl-Z stop everything.
        hands = Hands(simulation.loop, room.world, patience_ms=math.inf)
        simulation.hands = hands
        attendant = Attendant(hands, people.tell, lambda: room.faults.blind, sets_up=sets_up)
        people.wakes(room.pace.wake)
        loop = simulation.loop
        simulated = Simulated(attendant, room.world, room.faults)
        another = await people.sit(loop, hosted, room.path, simulated, look)
        if another is not None or not loop.is_over:
            return another
        await simulation.awake()
        if simulation.ended or simulation.loop.is_over:
            return None
