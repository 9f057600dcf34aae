"""The tournament's web page, served from its own thread with the same login as a game's page.

It is read only: a tournament never sends commands to a board.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING

from controller.ports.devices import Clock
from controller.tournament.export import export_zip
from controller.tournament.messages import BoardState
from controller.tournament.subscriber import TournamentSubscriber
from controller.tournament.views import board_image_id, tournament_json
from controller.ui.web import sentences
from controller.ui.web.http_server import LOOPBACK, ThreadedServer, own_host_names
from engine import games
from engine.draw import position_svg
from engine.errors import LaserboardError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from controller.ui.web.page_server import PageSettings

log = logging.getLogger(__name__)

DEFAULT_PORT = 8138
MAX_CACHED_IMAGES = 300
# Files of the game page.
SHARED_FILES = (
    "shared/dom.js",
    "shared/login.js",
    "shared/sentences.js",
    "shared/icon.svg",
)


class TournamentPage(ThreadedServer):
    """Serves the page until it is closed."""

    def __init__(
        self, settings: PageSettings, clock: Clock, subscriber: TournamentSubscriber
    ) -> None:
        super().__init__(settings.port, settings.pin is not None, DEFAULT_PORT)
        self._settings, self._clock, self._subscriber = settings, clock, subscriber
        self._image_cache: OrderedDict[str, str] = OrderedDict()
        self._draw_lock: asyncio.Lock
        self._start()

    @property
    def address(self) -> str:
        """The URL for a browser on this computer; its key makes the PIN unnecessary."""
        key = f"#key={self._settings.key}" if self._settings.pin is not None else ""
        return f"http://{LOOPBACK}:{self.port}/{key}"

    async def _serve(self) -> None:
        from starlette.routing import Route

        from controller.ui.web.auth import Auth
        from controller.ui.web.base_app import BaseApp
        from controller.ui.web.static_files import load_static_files

        settings = self._settings
        self._draw_lock = asyncio.Lock()
        auth = Auth(self._clock, settings.today, settings.auth_store, settings.key, settings.pin)
        shared = load_static_files("controller.ui.web")
        files = {name: shared[name] for name in SHARED_FILES} | dict(
            load_static_files("controller.tournament")
        )
        base_app = BaseApp(auth, files, self.port, "index.html")
        protected = base_app.require_user
        routes = [
            Route("/tournament.json", protected(self._get_tournament)),
            Route("/hall.json", protected(self._get_tournament)),  # its path in version 0.1
            Route("/boards/{table:int}/{picture}.svg", protected(self._get_board_image)),
            Route("/games.zip", protected(self._get_games_zip)),
        ]
        host_names = own_host_names(lan=settings.pin is not None)
        await self._serve_app(base_app.build_app(routes, host_names))

    async def _get_tournament(self, _: Request) -> Response:
        from starlette.responses import JSONResponse

        return JSONResponse(tournament_json(self._subscriber.view(), self._clock.now_ms()))

    async def _get_board_image(self, request: Request) -> Response:
        """The position as SVG. Every position has its own URL, so browsers may cache it."""
        from starlette.responses import Response

        from controller.ui.web.request_guard import error_response

        board = self._subscriber.view().state.boards.get(request.path_params["table"])
        image_id = request.path_params["picture"]
        svg = self._image_cache.get(image_id)
        if svg is None:
            if board is None or board.state is None or board_image_id(board) != image_id:
                return error_response(sentences.BOARD_CHANGED(), 404)
            async with self._draw_lock:
                svg = await asyncio.to_thread(draw_board, board.state)
            self._image_cache[image_id] = svg
            if len(self._image_cache) > MAX_CACHED_IMAGES:
                self._image_cache.popitem(last=False)
        if not svg:
            return error_response(sentences.CANNOT_DRAW(), 404)
        headers = {"Cache-Control": "private, max-age=86400, immutable"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def _get_games_zip(self, _: Request) -> Response:
        from starlette.responses import Response

        view = self._subscriber.view()
        packed = await asyncio.to_thread(export_zip, view, self._clock.now_ms())
        headers = {"Content-Disposition": 'attachment; filename="games.zip"'}
        return Response(packed, media_type="application/zip", headers=headers)


def draw_board(state: BoardState) -> str:
    """A board's position as SVG; empty if this version does not know its game or position."""
    try:
        game = games.make(state.game, state.options)
        return position_svg(game, game.read_position(state.position))
    except (LaserboardError, ValueError, TypeError, KeyError, RecursionError):
        log.info("cannot draw the position of table %s", state.table, exc_info=True)
        return ""
