"""The page's thread: a loop of its own, the server in it, and one queue each way to the game.

What the game's loop calls here never waits. Starlette and uvicorn are imported by that thread.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.game_store import games_folder
from controller.ports import Clock, Player
from controller.web.commands import Command
from controller.web.moment import Moment
from controller.web.serving import LOOPBACK, Served, own_names
from controller.web.sights import Sights

if TYPE_CHECKING:
    from controller.web.hub import Client, Hub

MOST_WANTED = 200  # commands that the game has not taken yet
LIGHT_MS = 1000 / 15
SWITCH_S = 0.001


@dataclass(frozen=True)
class PageSettings:
    """How a page is served."""

    key: str
    port: int | None = None  # None: the usual one, or any if that is taken
    pin: str | None = None  # with one, for everybody in the local network
    today: int = 0
    entered: Path | None = None  # where those who are in are kept
    delay_ms: float = 0.0  # spectators see everything so much later


@dataclass(frozen=True)
class Wanted:
    """A command from somebody's page, for the game."""

    command: Command
    client: Client = field(repr=False)
    number: int


class Page(Served):
    """A page that is served until it is closed."""

    def __init__(
        self,
        settings: PageSettings,
        clock: Clock,
        choices: Callable[[], dict[str, Any]] = dict,
        thinker: Callable[[], Player] | None = None,
    ) -> None:
        """`thinker` makes whoever analyses games that were played; without one nobody does."""
        super().__init__(settings.port, lan=settings.pin is not None)
        self._settings, self._clock, self._choices = settings, clock, choices
        self._thinker = thinker
        self.wake: Callable[[], None] = lambda: None  # the game's loop, when there is a command
        self._wanted: deque[Wanted] = deque()
        self._fired = 0
        self._hub: Hub
        self._sights: Sights | None = None
        self._start()

    # -- for the game's loop -------------------------------------------------------------------

    def publish(self, moment: Moment) -> None:
        """The game as it is now."""
        self._soon(lambda: self._hub.publish(moment))

    def beaten(self) -> None:
        """The game's loop goes on."""
        self._hub.beaten_ms = self._clock.now_ms()

    def look_at(self, sights: Sights | None) -> None:
        """What there is to be seen from now on."""
        self._sights = sights

    def wanted(self, most: int) -> list[Wanted]:
        """The oldest commands that nobody has taken yet, so many at most."""
        return [self._wanted.popleft() for _ in range(min(most, len(self._wanted)))]

    def next_fired(self) -> int:
        """A number for one more turn whose beams run."""
        self._fired += 1
        return self._fired

    def answer(self, wanted: Wanted, sentence: str = "") -> None:
        """Tell whoever asked what came of it."""
        self._soon(lambda: wanted.client.answer(wanted.number, sentence))

    @property
    def address(self) -> str:
        """Where a browser on this computer finds it, key and all."""
        return f"http://{LOOPBACK}:{self.port}/#key={self._settings.key}"

    # -- in its thread -------------------------------------------------------------------------

    async def _serve(self) -> None:
        from controller.web.analyst import Analyst
        from controller.web.app import App
        from controller.web.desk import Desk
        from controller.web.doors import Doors
        from controller.web.hub import Hub
        from controller.web.live import Live
        from controller.web.looking import Looking
        from controller.web.replays import Replays

        # Whatever this thread computes, the game's loop gets its turn within a millisecond.
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        has = self._settings
        self._hub = Hub(self._clock, has.delay_ms)
        doors = Doors(self._clock, has.today, has.entered, has.key, has.pin)
        live = Live(self._hub, doors, self._clock, self._carry)
        replays = Replays(games_folder())
        analyst = Analyst(self._clock, replays, self._thinker, lambda: self._hub.playing)
        looking = Looking(self._clock, lambda: self._sights, replays, self._hub, analyst)
        desk = Desk(self._hub)
        names = own_names(lan=has.pin is not None)
        more = (*looking.routes, *desk.routes)
        app = App(
            self._hub, doors, live, names, self.port, self._choices, more, looking.posts
        )  # fmt: skip
        shining = asyncio.create_task(self._shine())
        try:
            await self._answer(app.asgi)
        finally:
            shining.cancel()
            await analyst.close()

    def _carry(self, client: Client, number: int, command: Command) -> str:
        """A command for the game; why it cannot be taken."""
        if len(self._wanted) >= MOST_WANTED:
            return "the game is busy: try again"
        self._wanted.append(Wanted(command, client, number))
        self.wake()
        return ""

    async def _shine(self) -> None:
        while True:
            await asyncio.sleep(LIGHT_MS / 1000)
            sights = self._sights
            if sights is not None and self._hub.lit:
                self._hub.shine(sights.light())
