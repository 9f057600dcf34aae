"""The page's thread: a loop of its own, the server in it, and one queue each way to the game.

What the game's loop calls here never waits. Starlette and uvicorn are imported by that thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.game_store import games_folder
from controller.ports import Clock
from controller.web.commands import Command
from controller.web.moment import Moment
from controller.web.serving import LOOPBACK, NoPage, listening, own_addresses, own_names, serve
from controller.web.sights import Sights

if TYPE_CHECKING:
    from controller.web.hub import Client, Hub

MOST_WANTED = 200  # commands that the game has not taken yet
LIGHT_MS = 1000 / 15
START_S, END_S = 20.0, 5.0
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


class Page:
    """A page that is served until it is closed."""

    def __init__(
        self,
        settings: PageSettings,
        clock: Clock,
        choices: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        self._settings, self._clock, self._choices = settings, clock, choices
        self._socket = listening(settings.port, lan=settings.pin is not None)
        self.port: int = self._socket.getsockname()[1]
        self.wake: Callable[[], None] = lambda: None  # the game's loop, when there is a command
        self._wanted: deque[Wanted] = deque()
        self._fired = 0
        self._loop: asyncio.AbstractEventLoop
        self._hub: Hub
        self._sights: Sights | None = None
        self._over: asyncio.Event
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()
        if not self._ready.wait(START_S) or self._failed is not None:
            raise NoPage(f"the page cannot be served: {self._failed or 'it does not start'}")

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

    def close(self) -> None:
        """Let everybody go; may be called again."""
        self._soon(lambda: self._over.set())
        self._thread.join(END_S)
        self._socket.close()

    @property
    def address(self) -> str:
        """Where a browser on this computer finds it, key and all."""
        return f"http://{LOOPBACK}:{self.port}/#key={self._settings.key}"

    @property
    def addresses(self) -> list[str]:
        """Where browsers elsewhere find it."""
        if self._settings.pin is None:
            return []
        return [f"http://{name}:{self.port}/" for name in own_addresses()]

    # -- in its thread -------------------------------------------------------------------------

    def _soon(self, work: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # it is closed: nobody is left to be told
            self._loop.call_soon_threadsafe(work)

    def _run(self) -> None:
        # Whatever this thread computes, the game's loop gets its turn within a millisecond.
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._failed = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        from controller.web.app import App
        from controller.web.desk import Desk
        from controller.web.doors import Doors
        from controller.web.hub import Hub
        from controller.web.live import Live
        from controller.web.looking import Looking
        from controller.web.replays import Replays

        has = self._settings
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        self._hub = Hub(self._clock, has.delay_ms)
        doors = Doors(self._clock, has.today, has.entered, has.key, has.pin)
        live = Live(self._hub, doors, self._clock, self._carry)
        replays = Replays(games_folder())
        looking = Looking(self._clock, lambda: self._sights, replays, self._hub)
        desk = Desk(self._hub)
        names = own_names(lan=has.pin is not None)
        more = (*looking.routes, *desk.routes)
        app = App(self._hub, doors, live, names, self.port, self._choices, more)
        shining = asyncio.create_task(self._shine())
        self._ready.set()
        try:
            await serve(app.asgi, self._socket, self._over)
        finally:
            shining.cancel()

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
