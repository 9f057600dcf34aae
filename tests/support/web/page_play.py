"""A whole simulated game with a page, controlled by a script through the socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from controller.devices.factory.clocks import system_clock
from controller.simulation.game import SimulatedGame
from controller.simulation.hand_operator import HandOperator
from controller.table.next_game import NewGame
from controller.ui.web.bridge import GameBridge, MessageLog, SimulationControls
from controller.ui.web.game_view import GameSummary
from controller.ui.web.page_server import PageServer, PageSettings
from engine.sentences import as_sentence
from tests.support.play.simulated_rigs import Table
from tests.support.web.served_page import DAY, KEY, ServedPage, Socket

Script = Callable[[ServedPage, Socket], None]


def play(
    folder: Path,
    script: Script,
    *,
    hands: bool = True,
    pin: str | None = None,
    new_games: list[NewGame] | None = None,
    table: Table | None = None,
) -> Table:
    """Run the script in the role of the referee. Without hands the table counts as a real one."""
    found = table or Table(folder)
    clock = system_clock()
    page = PageServer(PageSettings(KEY, 0, pin, DAY, None), clock)
    here = ServedPage(page)
    messages = MessageLog(lambda each: found.messages.append(as_sentence(each)), clock.now_ms)
    found.simulation = SimulatedGame(found.rig, found.plan.start_session, messages)

    def scripted() -> None:
        with here.socket(here.log_in(key=KEY)) as socket:
            script(here, socket)

    async def run() -> None:
        async with found.simulation as simulation:
            loop, rig = simulation.loop, found.rig
            operator = HandOperator(simulation.hands, messages, lambda: rig.faults.camera_blind)
            simulated = SimulationControls(operator, rig.world, rig.faults) if hands else None
            game_summary = GameSummary(
                1,
                "2026-03-01-1",
                replace(found.plan.setup, simulated=hands),
                found.plan.board_file.board.name,
                loop.devices.lights.layout,
                tuple(rig.faults.fault_names) if hands else (),
                found.journal_opener.path,
            )
            asked = [] if new_games is None else new_games
            bridge = GameBridge(page, game_summary, loop, messages, asked.append, simulated, pin)
            tasks = [asyncio.create_task(bridge.serve())]
            if hands:
                tasks.append(asyncio.create_task(operator.run()))
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
