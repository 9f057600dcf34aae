"""Runs a game on a simulated table, with restarts after a kill or a power cut.

The table is rendered, and the real reader, session, journal and LED driver do the rest. The table
and its pieces survive a restart; the loop and the devices are opened again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Protocol

from controller.ports.world import World
from controller.session.journal import JournalEntry
from controller.session.setup import BadGame
from controller.session.state import Session
from controller.simulation.hands import Hands
from controller.table.loop import Devices, Loop, Pacing, running_loop
from engine.errors import LaserboardError
from engine.sentences import Sentence


class RestartableRig(Protocol):
    """A simulated table and its devices, which can be opened again after a restart."""

    @property
    def world(self) -> World: ...

    @property
    def pacing(self) -> Pacing: ...

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        """Open all devices; returns them with the entries of the journal."""

    def kill(self) -> None:
        """Stop all writes to disk, as a killed process or a power cut does."""

    def corrupt_journal(self) -> None:
        """Damage the end of the journal, as a power cut may do."""


class SimulatedGame:
    """One game on one table. The loop runs inside `async with`."""

    def __init__(
        self,
        rig: RestartableRig,
        begin_session: Callable[[tuple[JournalEntry, ...], Devices], Session],
        on_message: Callable[[Sentence], None],
        on_restart_failed: Callable[[], None] | None = None,
    ) -> None:
        """`on_restart_failed` frees disk space when the game cannot be restarted."""
        self.rig, self._begin_session, self._on_message, self._on_restart_failed = (
            rig,
            begin_session,
            on_message,
            on_restart_failed,
        )
        self._running: AsyncExitStack
        self.loop: Loop
        self.hands: Hands
        self.start_count = 0  # starts of the program
        self.end_reason = ""  # why the game cannot be restarted
        self._restarted = asyncio.Event()

    @property
    def session(self) -> Session:
        return self.loop.session

    async def __aenter__(self) -> SimulatedGame:
        devices, entries = self.rig.open()
        async with AsyncExitStack() as stack:
            stack.callback(devices.close)
            session = self._begin_session(entries, devices)
            self.loop = Loop(session, devices, self.rig.pacing, self._on_message, entries)
            self.hands = Hands(self.loop, self.rig.world)
            await stack.enter_async_context(running_loop(self.loop))
            self._running = stack.pop_all()
        self.start_count += 1
        self._restarted.set()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._running.__aexit__(kind, error, trace)

    async def cut_power(self) -> None:
        """Cut the power and restart from the journal. Waiting hands get `ProgramGone`."""
        await self._restart_after(self.rig.corrupt_journal)

    async def kill_program(self) -> None:
        """Kill the program and restart it. Waiting hands get `ProgramGone`."""
        await self._restart_after(lambda: None)

    async def wait_restarted(self) -> None:
        """Wait until the program runs again, or cannot be restarted (`end_reason`)."""
        await self._restarted.wait()

    async def _restart_after(self, meanwhile: Callable[[], None]) -> None:
        self._restarted.clear()
        self.rig.kill()
        await self._running.aclose()
        meanwhile()
        self._running = AsyncExitStack()
        try:
            await self._restart()
        except LaserboardError as over:
            self.end_reason = str(over)
            self._restarted.set()

    async def _restart(self) -> None:
        try:
            await self.__aenter__()
        except BadGame:
            raise  # the game is over
        except LaserboardError as error:
            if self._on_restart_failed is None:
                raise
            self._on_message(error.sentence)
            self._on_restart_failed()
            await self.__aenter__()
