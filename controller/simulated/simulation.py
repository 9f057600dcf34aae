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

from controller.agreement import BadGame
from controller.journal import Entry
from controller.loop import Devices, Loop, Pace, running
from controller.ports import World
from controller.session_values import Session
from controller.simulated.hands import Hands
from engine.errors import LaserboardError


class Room(Protocol):
    """Where the table is, with everything that has a plug."""

    @property
    def world(self) -> World: ...

    @property
    def pace(self) -> Pace: ...

    def switch_on(self) -> tuple[Devices, tuple[Entry, ...]]:
        """Everything, opened; and what the journal tells so far."""

    def die(self) -> None:
        """Nothing more is written: whatever runs here is gone, or the power is."""

    def tear(self) -> None:
        """What a power cut may do to the journal."""


class Simulation:
    """One game on one table, and the people there: `async with` lets time go by."""

    def __init__(
        self,
        room: Room,
        begin: Callable[[tuple[Entry, ...], Devices], Session],
        heard: Callable[[str], None],
        mends: Callable[[], None] | None = None,
    ) -> None:
        """`mends` is what people do about a game that does not begin again, before they give up:
        they make room on the disk."""
        self.room, self._begin, self._heard, self._mends = room, begin, heard, mends
        self._on: AsyncExitStack
        self.loop: Loop
        self.hands: Hands
        self.lives = 0
        self.ended = ""  # why no power brings the game back
        self._awake = asyncio.Event()

    @property
    def session(self) -> Session:
        return self.loop.session

    async def __aenter__(self) -> Simulation:
        devices, entries = self.room.switch_on()
        async with AsyncExitStack() as stack:
            stack.callback(devices.close)
            session = self._begin(entries, devices)
            self.loop = Loop(session, devices, self.room.pace, self._heard)
            self.hands = Hands(self.loop, self.room.world)
            await stack.enter_async_context(running(self.loop))
            self._on = stack.pop_all()
        self.lives += 1
        self._awake.set()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._on.__aexit__(kind, error, trace)

    async def power_cut(self) -> None:
        """Everything goes dark, and comes back with what the journal remembers.

        Whoever was waiting for the loop hears of it as `Gone`.
        """
        await self._begin_anew(self.room.tear)

    async def killed(self) -> None:
        """The program is gone without a word, and is started again."""
        await self._begin_anew(lambda: None)

    async def awake(self) -> None:
        """Wait until there is a loop again, or there will not be one (`ended`)."""
        await self._awake.wait()

    async def _begin_anew(self, meanwhile: Callable[[], None]) -> None:
        self._awake.clear()
        self.room.die()
        await self._on.aclose()
        meanwhile()
        self._on = AsyncExitStack()
        try:
            await self._on_again()
        except LaserboardError as over:
            self.ended = str(over)
            self._awake.set()

    async def _on_again(self) -> None:
        try:
            await self.__aenter__()
        except BadGame:
            raise  # it is over
        except LaserboardError as trouble:
            if self._mends is None:
                raise
            self._heard(str(trouble))
            self._mends()
            await self.__aenter__()
