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

from controller.ports.devices import Clock, MoveChooser
from controller.storage.games import games_folder
from controller.ui import sentences
from controller.ui.web.camera_view import CameraView
from controller.ui.web.commands import Command
from controller.ui.web.game_view import GameView
from controller.ui.web.http_server import LOOPBACK, ThreadedServer, own_host_names
from engine.sentences import Sentence

if TYPE_CHECKING:
    from controller.ui.web.broadcast import Broadcaster, PageClient

MOST_PENDING = 200  # commands that the game has not taken yet
LED_PERIOD_MS = 1000 / 15
THREAD_SWITCH_S = 0.001


@dataclass(frozen=True)
class PageSettings:
    """How a page is served."""

    key: str
    port: int | None = None  # None: the usual one, or any if that is taken
    pin: str | None = None  # with one, for everybody in the local network
    today: int = 0
    auth_store: Path | None = None  # where those who are in are kept
    delay_ms: float = 0.0  # spectators see everything so much later


@dataclass(frozen=True)
class PendingCommand:
    """A command from somebody's page, for the game."""

    command: Command
    client: PageClient = field(repr=False)
    number: int


class PageServer(ThreadedServer):
    """A page that is served until it is closed."""

    def __init__(
        self,
        settings: PageSettings,
        clock: Clock,
        new_game_choices: Callable[[], dict[str, Any]] = dict,
        open_player: Callable[[], MoveChooser] | None = None,
    ) -> None:
        """`open_player` makes whoever analyses games that were played; without one nobody does."""
        super().__init__(settings.port, lan=settings.pin is not None)
        self._settings, self._clock, self._new_game_choices = settings, clock, new_game_choices
        self._open_player = open_player
        self.wake: Callable[[], None] = lambda: None  # the game's loop, when there is a command
        self._pending: deque[PendingCommand] = deque()
        self._firing_number = 0
        self._broadcaster: Broadcaster
        self._camera_view: CameraView | None = None
        self._start()

    # -- for the game's loop -------------------------------------------------------------------

    def publish(self, game_view: GameView) -> None:
        """The game as it is now."""
        self._call_soon(lambda: self._broadcaster.publish(game_view))

    def mark_tick(self) -> None:
        """The game's loop goes on."""
        self._broadcaster.last_tick_ms = self._clock.now_ms()

    def set_camera_view(self, camera_view: CameraView | None) -> None:
        """What there is to be seen from now on."""
        self._camera_view = camera_view

    def take_commands(self, most: int) -> list[PendingCommand]:
        """The oldest commands that nobody has taken yet, so many at most."""
        return [self._pending.popleft() for _ in range(min(most, len(self._pending)))]

    def next_firing_number(self) -> int:
        """A number for one more turn whose beams run."""
        self._firing_number += 1
        return self._firing_number

    def answer(self, pending: PendingCommand, refusal: Sentence | None = None) -> None:
        """Answer a command: done, or refused."""
        self._call_soon(lambda: pending.client.answer(pending.number, refusal))

    @property
    def address(self) -> str:
        """Where a browser on this computer finds it, key and all."""
        return f"http://{LOOPBACK}:{self.port}/#key={self._settings.key}"

    # -- in its thread -------------------------------------------------------------------------

    async def _serve(self) -> None:
        from controller.ui.web.analysis_service import AnalysisService
        from controller.ui.web.app import PageApp
        from controller.ui.web.auth import Auth
        from controller.ui.web.broadcast import Broadcaster
        from controller.ui.web.live_socket import LiveSocket
        from controller.ui.web.referee_routes import RefereeRoutes
        from controller.ui.web.replay_service import ReplayService
        from controller.ui.web.viewer_routes import ViewerRoutes

        # Whatever this thread computes, the game's loop gets its turn within a millisecond.
        sys.setswitchinterval(min(sys.getswitchinterval(), THREAD_SWITCH_S))
        has = self._settings
        self._broadcaster = Broadcaster(self._clock, has.delay_ms)
        auth = Auth(self._clock, has.today, has.auth_store, has.key, has.pin)
        live = LiveSocket(self._broadcaster, auth, self._clock, self._submit)
        replays = ReplayService(games_folder())
        analyst = AnalysisService(
            self._clock, replays, self._open_player, lambda: self._broadcaster.game_in_progress
        )
        looking = ViewerRoutes(
            self._clock, lambda: self._camera_view, replays, self._broadcaster, analyst
        )
        desk = RefereeRoutes(self._broadcaster)
        names = own_host_names(lan=has.pin is not None)
        more = (*looking.routes, *desk.routes)
        app = PageApp(
            self._broadcaster,
            auth,
            live,
            names,
            self.port,
            self._new_game_choices,
            more,
            looking.post_routes,
        )
        shining = asyncio.create_task(self._publish_leds())
        try:
            await self._serve_app(app.asgi)
        finally:
            shining.cancel()
            await analyst.close()

    def _submit(self, client: PageClient, number: int, command: Command) -> Sentence | None:
        """Queue a command for the game; the reason if that is refused."""
        if len(self._pending) >= MOST_PENDING:
            return sentences.GAME_BUSY()
        self._pending.append(PendingCommand(command, client, number))
        self.wake()
        return None

    async def _publish_leds(self) -> None:
        while True:
            await asyncio.sleep(LED_PERIOD_MS / 1000)
            sights = self._camera_view
            if sights is not None and self._broadcaster.leds_wanted:
                self._broadcaster.publish_leds(sights.leds_hex())
