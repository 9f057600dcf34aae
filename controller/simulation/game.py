"""A game on a simulated table, with everything else as on a real one.

The table is rendered, the real reader reads it, the session decides, and its beams go through the
LED driver; what the LEDs then show lights the table again. The table and what stands on it
outlive a power cut; the loop and its devices begin anew after it.
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
    """Where the table is, with everything that has a plug."""

    @property
    def world(self) -> World: ...

    @property
    def pacing(self) -> Pacing: ...

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        """Everything, opened; and what the journal tells so far."""

    def kill(self) -> None:
        """Nothing more is written: whatever runs here is gone, or the power is."""

    def corrupt_journal(self) -> None:
        """What a power cut may do to the journal."""


class SimulatedGame:
    """One game on one table, and the people there: `async with` lets time go by."""

    def __init__(
        self,
        rig: RestartableRig,
        begin_session: Callable[[tuple[JournalEntry, ...], Devices], Session],
        on_message: Callable[[Sentence], None],
        on_restart_failed: Callable[[], None] | None = None,
    ) -> None:
        """`on_restart_failed` makes room on the disk when a game does not restart."""
        self.rig, self._begin_session, self._on_message, self._on_restart_failed = (
            rig,
            begin_session,
            on_message,
            on_restart_failed,
        )
        self._running: AsyncExitStack
        self.loop: Loop
        self.hands: Hands
        self.lives = 0
        self.end_reason = ""  # why no power brings the game back
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
        self.lives += 1
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
        """Everything goes dark, and comes back with what the journal remembers.

        Whoever was waiting for the loop hears of it as `ProgramGone`.
        """
        await self._restart_after(self.rig.corrupt_journal)

    async def kill_program(self) -> None:
        """The program is gone without a word, and is started again."""
        await self._restart_after(lambda: None)

    async def wait_restarted(self) -> None:
        """Wait until there is a loop again, or there will not be one (`end_reason`)."""
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
            raise  # it is over
        except LaserboardError as trouble:
            if self._on_restart_failed is None:
                raise
            self._on_message(trouble.sentence)
            self._on_restart_failed()
            await self.__aenter__()
