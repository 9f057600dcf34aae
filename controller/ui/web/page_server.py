"""The server of a table's page, in its own thread: builds the application and queues commands.

The game's loop publishes its state here and takes the commands; its calls never block. Only the
page's thread imports Starlette and uvicorn, which are slow to import.
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
from controller.ui.web import sentences
from controller.ui.web.camera_view import CameraView
from controller.ui.web.commands import Command
from controller.ui.web.game_view import GameView
from controller.ui.web.http_server import LOOPBACK, ThreadedServer, own_host_names
from engine.sentences import Sentence

if TYPE_CHECKING:
    from controller.ui.web.broadcast import Broadcaster, PageClient

MAX_PENDING_COMMANDS = 200
LED_PERIOD_MS = 1000 / 15
THREAD_SWITCH_S = 0.001


@dataclass(frozen=True)
class PageSettings:
    """Settings of the server of a page."""

    key: str
    port: int | None = None  # None: the default port, or a free one if that is taken
    pin: str | None = None  # with a PIN, the page is served to the local network
    today: int = 0  # the day, for the age of login sessions
    auth_store: Path | None = None  # the file of login sessions; None: not stored
    delay_ms: float = 0.0  # of the game that spectators see


@dataclass(frozen=True)
class PendingCommand:
    """A command for the game, and the client that waits for its answer."""

    command: Command
    client: PageClient = field(repr=False)
    number: int


class PageServer(ThreadedServer):
    """Serves the page of a table until it is closed."""

    def __init__(
        self,
        settings: PageSettings,
        clock: Clock,
        new_game_choices: Callable[[], dict[str, Any]] = dict,
        open_player: Callable[[], MoveChooser] | None = None,
    ) -> None:
        """Start serving; `open_player` opens a computer player for analyses, None: no analyses."""
        super().__init__(settings.port, lan=settings.pin is not None)
        self._settings, self._clock, self._new_game_choices = settings, clock, new_game_choices
        self._open_player = open_player
        self.wake: Callable[[], None] = lambda: None  # called for each new command
        self._pending: deque[PendingCommand] = deque()
        self._firing_number = 0
        self._broadcaster: Broadcaster
        self._camera_view: CameraView | None = None
        self._start()

    # -- for the game's loop -------------------------------------------------------------------

    def publish(self, game_view: GameView) -> None:
        """Publish the newest state of the game."""
        self._call_soon(lambda: self._broadcaster.publish(game_view))

    def mark_tick(self) -> None:
        """Record a tick of the game's loop; heartbeats report its silence."""
        self._broadcaster.last_tick_ms = self._clock.now_ms()

    def set_camera_view(self, camera_view: CameraView | None) -> None:
        """Set the camera and LEDs to show; None: there is no table."""
        self._camera_view = camera_view

    def take_commands(self, limit: int) -> list[PendingCommand]:
        """Remove and return the oldest pending commands."""
        return [self._pending.popleft() for _ in range(min(limit, len(self._pending)))]

    def next_firing_number(self) -> int:
        """A new number for a fired turn."""
        self._firing_number += 1
        return self._firing_number

    def answer(self, pending: PendingCommand, refusal: Sentence | None = None) -> None:
        """Answer a command: done, or refused."""
        self._call_soon(lambda: pending.client.answer(pending.number, refusal))

    @property
    def address(self) -> str:
        """The URL for a browser on this computer, with the key."""
        return f"http://{LOOPBACK}:{self.port}/#key={self._settings.key}"

    # -- in the page's thread ------------------------------------------------------------------

    async def _serve(self) -> None:
        from controller.ui.web.analysis_service import AnalysisService
        from controller.ui.web.app import PageApp
        from controller.ui.web.auth import Auth
        from controller.ui.web.broadcast import Broadcaster
        from controller.ui.web.live_socket import LiveSocket
        from controller.ui.web.referee_routes import RefereeRoutes
        from controller.ui.web.replay_service import ReplayService
        from controller.ui.web.viewer_routes import ViewerRoutes

        # The game's loop in another thread gets the interpreter lock within a millisecond.
        sys.setswitchinterval(min(sys.getswitchinterval(), THREAD_SWITCH_S))
        settings = self._settings
        self._broadcaster = Broadcaster(self._clock, settings.delay_ms)
        auth = Auth(self._clock, settings.today, settings.auth_store, settings.key, settings.pin)
        live_socket = LiveSocket(self._broadcaster, auth, self._clock, self._submit)
        replays = ReplayService(games_folder())
        analysis_service = AnalysisService(
            self._clock, replays, self._open_player, lambda: self._broadcaster.game_in_progress
        )
        viewer_routes = ViewerRoutes(
            self._clock, lambda: self._camera_view, replays, self._broadcaster, analysis_service
        )
        referee_routes = RefereeRoutes(self._broadcaster)
        host_names = own_host_names(lan=settings.pin is not None)
        app = PageApp(
            self._broadcaster,
            auth,
            live_socket,
            host_names,
            self.port,
            self._new_game_choices,
            (*viewer_routes.routes, *referee_routes.routes),
            viewer_routes.post_routes,
        )
        led_task = asyncio.create_task(self._publish_leds())
        try:
            await self._serve_app(app.asgi)
        finally:
            led_task.cancel()
            await analysis_service.close()

    def _submit(self, client: PageClient, number: int, command: Command) -> Sentence | None:
        """Queue a command for the game; return the reason if that is refused."""
        if len(self._pending) >= MAX_PENDING_COMMANDS:
            return sentences.GAME_BUSY()
        self._pending.append(PendingCommand(command, client, number))
        self.wake()
        return None

    async def _publish_leds(self) -> None:
        while True:
            await asyncio.sleep(LED_PERIOD_MS / 1000)
            camera_view = self._camera_view
            if camera_view is not None and self._broadcaster.leds_wanted:
                self._broadcaster.publish_leds(camera_view.leds_hex())
