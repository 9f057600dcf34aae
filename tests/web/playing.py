"""A whole simulated game with a page, in steps, and a script that plays it through the socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from controller.simulated.attendant import Attendant
from controller.simulated.simulation import Simulation
from controller.web.attending import Attending, Simulated, Telling
from controller.web.commands import NewGame
from controller.web.moment import Sitting
from controller.web.server import Page, PageSettings
from controller.wiring import system_clock
from tests.controller.rooms import Table
from tests.web.served import DAY, KEY, Served, Socket

Script = Callable[[Served, Socket], None]


def play(
    folder: Path,
    script: Script,
    *,
    hands: bool = True,
    pin: str | None = None,
    new_games: list[NewGame] | None = None,
    table: Table | None = None,
) -> Table:
    """Let the script play, as referee; without hands the table counts as a real one."""
    found = table or Table(folder)
    clock = system_clock()
    page = Page(PageSettings(KEY, 0, pin, DAY, None), clock)
    here = Served(page)
    telling = Telling(found.heard.append, clock.now_ms)
    found.simulation = Simulation(found.room, found.plan.begin, telling)

    def scripted() -> None:
        with here.socket(here.enter(key=KEY)) as socket:
            script(here, socket)

    async def run() -> None:
        async with found.simulation as simulation:
            loop, room = simulation.loop, found.room
            attendant = Attendant(simulation.hands, telling, lambda: room.faults.blind)
            simulated = Simulated(attendant, room.world, room.faults) if hands else None
            sitting = Sitting(
                1,
                "2026-03-01-1",
                replace(found.plan.start, simulated=hands),
                found.plan.file.board.name,
                loop.devices.lights.layout,
                tuple(room.faults.names) if hands else (),
                found.keeping.path,
            )
            asked = [] if new_games is None else new_games
            attending = Attending(page, sitting, loop, telling, asked.append, simulated, pin)
            tasks = [asyncio.create_task(attending.serve())]
            if hands:
                tasks.append(asyncio.create_task(attendant.serve()))
            try:
                await asyncio.to_thread(scripted)
            finally:
                for task in tasks:
                    if task.done():
                        task.result()
                    task.cancel()
                await asyncio.wait(tasks)

    try:
        asyncio.run(run())
    finally:
        page.close()
    return found
