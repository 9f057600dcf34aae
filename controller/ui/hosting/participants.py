"""The participants of a table, at the terminal and on the page, through several games."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.lighting.animation import CannotDraw
from controller.table.next_game import ScheduledGame
from controller.ui.console import Console
from controller.ui.hosting.options import PageOptions
from controller.ui.hosting.page import OpenedPage, open_page
from controller.ui.terminal.player_screen import PlayerScreen, open_player_screen
from engine.sentences import Sentence

if TYPE_CHECKING:
    from controller.table.loop import Loop
    from controller.table.next_game import NewGame
    from controller.ui.web.bridge import GameBridge, SimulationControls


@asynccontextmanager
async def participants(
    page: PageOptions | None,
    console: Console,
    scheduled_game: ScheduledGame,
    *,
    simulated_hands: bool,
) -> AsyncIterator[Participants]:
    """Open the terminal if there is one, and the page if `page` is given; close both at the end."""
    refereed = scheduled_game.plan.setup.policies is not None
    opened = None
    if page is not None:
        opened = open_page(page, console, scheduled_game.new_game_choices, refereed=refereed)
    try:
        if console.size is None:
            yield Participants(console, None, opened)
            return
        async with open_player_screen(console, simulated_hands) as screen:
            yield Participants(console, screen, opened)
    finally:
        if opened is not None:
            opened.page.close()


class Participants:
    """Runs games for the player's screen and the page that are open."""

    def __init__(
        self,
        console: Console,
        player_screen: PlayerScreen | None,
        opened_page: OpenedPage | None,
        on_message: Callable[[str | Sentence], None] | None = None,
    ) -> None:
        self.player_screen, self.opened_page = player_screen, opened_page
        printed = partial(print, file=console.out, flush=True)
        show = on_message or (player_screen.add_message if player_screen else printed)
        self.note: Callable[[str | Sentence], None] = show  # not for the page
        self.announce: Callable[[str | Sentence], None] = show
        if opened_page is not None:
            from controller.ui.web.bridge import MessageLog

            self.announce = MessageLog(show, console.clock.now_ms)
            for note in opened_page.notes:
                self.note(note)
            if player_screen is not None:
                player_screen.notes = opened_page.notes
        self._games = 0
        self._next_game: ScheduledGame | None = None

    def set_wake(self, wake: Callable[[], None]) -> None:
        """`wake` is called when a command arrives from the page."""
        if self.opened_page is not None:
            self.opened_page.page.wake = wake

    async def run(
        self,
        loop: Loop,
        scheduled_game: ScheduledGame,
        journal_path: Path | None,
        simulation: SimulationControls | None = None,
        on_tick: Callable[[], bool | None] = lambda: None,  # True: leave
    ) -> ScheduledGame | None:
        """Run until the people leave (returns None) or ask for another game (returns it)."""
        self._next_game = None

        def schedule(choice: NewGame) -> None:
            self._next_game = scheduled_game.next_game(choice)

        async with self.serving(
            loop, scheduled_game, journal_path, schedule, simulation
        ) as check_tasks:

            def over() -> bool:
                leave = bool(on_tick())
                check_tasks()
                return leave or self._next_game is not None

            if self.player_screen is None:
                while not over() and await loop.next_tick():
                    continue
            else:
                operator = None if simulation is None else simulation.hand_operator
                await self.player_screen.run(loop, operator, over, schedule)
        return self._next_game

    @asynccontextmanager
    async def serving(
        self,
        loop: Loop,
        scheduled_game: ScheduledGame,
        journal_path: Path | None,
        new_game: Callable[[NewGame], None],
        simulation: SimulationControls | None = None,
    ) -> AsyncIterator[Callable[[], None]]:
        """Run the page's bridge and the simulated hands beside the game.

        Call the yielded function at every tick: it raises the error of a task that failed.
        """
        self._games += 1
        if self.opened_page is not None and loop.devices.publisher is not None:
            loop.devices.publisher.page_url = self.opened_page.public_url
        bridge = self._open_bridge(loop, scheduled_game, journal_path, new_game, simulation)
        tasks = [] if bridge is None else [asyncio.create_task(bridge.serve())]
        if simulation is not None:
            tasks.append(asyncio.create_task(simulation.hand_operator.run()))

        def check_tasks() -> None:
            for task in tasks:
                if task.done():
                    task.result()

        try:
            yield check_tasks
        finally:
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def _open_bridge(
        self,
        loop: Loop,
        scheduled_game: ScheduledGame,
        journal_path: Path | None,
        new_game: Callable[[NewGame], None],
        simulation: SimulationControls | None,
    ) -> GameBridge | None:
        if self.opened_page is None:
            return None
        from controller.ui.web.bridge import GameBridge, MessageLog
        from controller.ui.web.game_view import GameSummary

        assert isinstance(self.announce, MessageLog)
        summary = GameSummary(
            self._games,
            "" if journal_path is None else journal_path.stem,
            scheduled_game.plan.setup,
            scheduled_game.plan.board_file.board.name,
            loop.devices.lights.layout,
            () if simulation is None else tuple(simulation.faults.fault_names),
            journal_path,
        )
        opened = self.opened_page
        bridge = GameBridge(
            opened.page, summary, loop, self.announce, new_game, simulation, opened.pin
        )
        if opened.pin is not None and self._games == 1:
            with contextlib.suppress(CannotDraw):  # the terminal shows the PIN too
                bridge.show_pin()
        return bridge
