"""Everybody at a table that is run from here: a person at the terminal, people on the page."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.console import Console
from controller.cli.front import Front, seated
from controller.cli.page import Opened, open_page, wants_page
from controller.hosting import Hosted
from controller.light import CannotDraw

if TYPE_CHECKING:
    from controller.loop import Loop
    from controller.web.attending import Attending, Simulated
    from controller.web.commands import NewGame


@asynccontextmanager
async def company(
    args: argparse.Namespace, console: Console, hosted: Hosted, *, hands: bool
) -> AsyncIterator[Company]:
    """A terminal if there is one, and a page if one is wanted."""
    refereed = hosted.plan.start.laws is not None
    opened = None
    if wants_page(args, console):
        opened = open_page(args, console, hosted.choices, refereed=refereed)
    try:
        if console.size is None:
            yield Company(console, None, opened)
            return
        async with seated(console, hands) as front:
            yield Company(console, front, opened)
    finally:
        if opened is not None:
            opened.page.close()


class Company:
    """They play one game after another."""

    def __init__(
        self,
        console: Console,
        front: Front | None,
        opened: Opened | None,
        hears: Callable[[str], None] | None = None,
    ) -> None:
        self.front, self.opened = front, opened
        printed = partial(print, file=console.out, flush=True)
        heard = hears or (front.heard if front else printed)
        self.note: Callable[[str], None] = heard  # for those at this computer alone
        self.tell = heard
        if opened is not None:
            from controller.web.attending import Telling

            self.tell = Telling(heard, console.clock.now_ms)
            for note in opened.notes:
                self.note(note)
            if front is not None:
                front.notes = opened.notes
        self._games = 0
        self._next: Hosted | None = None

    def wakes(self, wake: Callable[[], None]) -> None:
        """How to wake the loop when somebody on the page wants something."""
        if self.opened is not None:
            self.opened.page.wake = wake

    async def sit(
        self,
        loop: Loop,
        hosted: Hosted,
        kept_in: Path | None,
        simulated: Simulated | None = None,
        each_beat: Callable[[], object] = lambda: None,
    ) -> Hosted | None:
        """Until everybody leaves, or wants another game: that one."""
        self._next = None

        def another(wanted: NewGame) -> None:
            self._next = hosted.next(wanted)

        async with self.served(loop, hosted, kept_in, another, simulated) as well:

            def over() -> bool:
                each_beat()
                well()
                return self._next is not None

            if self.front is None:
                while not over() and await loop.next_beat():
                    continue
            else:
                attendant = None if simulated is None else simulated.attendant
                await self.front.sit(loop, attendant, over, lambda: another(hosted.again))
        return self._next

    @asynccontextmanager
    async def served(
        self,
        loop: Loop,
        hosted: Hosted,
        kept_in: Path | None,
        new_game: Callable[[NewGame], None],
        simulated: Simulated | None = None,
    ) -> AsyncIterator[Callable[[], None]]:
        """The page and the hands serve that game meanwhile; what is yielded is to be called now
        and then: whoever fails says so there, instead of letting everybody wait."""
        self._games += 1
        if self.opened is not None and loop.devices.herald is not None:
            loop.devices.herald.page = self.opened.public
        attending = self._attending(loop, hosted, kept_in, new_game, simulated)
        serving = [asyncio.create_task(each.serve()) for each in (attending,) if each is not None]
        if simulated is not None:
            serving.append(asyncio.create_task(simulated.attendant.serve()))

        def well() -> None:
            for task in serving:
                if task.done():
                    task.result()

        try:
            yield well
        finally:
            for task in serving:
                task.cancel()
            if serving:
                await asyncio.wait(serving)

    def _attending(
        self,
        loop: Loop,
        hosted: Hosted,
        kept_in: Path | None,
        new_game: Callable[[NewGame], None],
        simulated: Simulated | None,
    ) -> Attending | None:
        if self.opened is None:
            return None
        from controller.web.attending import Attending, Telling
        from controller.web.moment import Sitting

        assert isinstance(self.tell, Telling)
        sitting = Sitting(
            self._games,
            "" if kept_in is None else kept_in.stem,
            hosted.plan.start,
            hosted.plan.file.board.name,
            loop.devices.lights.layout,
            () if simulated is None else tuple(simulated.faults.names),
            kept_in,
        )
        opened = self.opened
        attending = Attending(
            opened.page, sitting, loop, self.tell, new_game, simulated, opened.pin
        )
        if opened.pin is not None and self._games == 1:
            with contextlib.suppress(CannotDraw):  # the terminal shows it anyway
                attending.show_pin()
        return attending
