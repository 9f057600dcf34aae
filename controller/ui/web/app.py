"""The web application of a table's page: its own routes and the live socket, on top of `BaseApp`.

A client with `?delayed` gets the delayed game, whatever its role.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from controller.ui.web import sentences
from controller.ui.web.auth import Auth
from controller.ui.web.base_app import BaseApp, Endpoint, user_of
from controller.ui.web.board_svg import board_drawing_json
from controller.ui.web.broadcast import Broadcaster
from controller.ui.web.game_view import GameView
from controller.ui.web.live_socket import LiveSocket
from controller.ui.web.request_guard import error_response
from controller.ui.web.static_files import load_static_files
from engine.game import AnyGame


class PageApp:
    """Builds the application, which `asgi` holds."""

    def __init__(
        self,
        broadcaster: Broadcaster,
        auth: Auth,
        live_socket: LiveSocket,
        host_names: Collection[str],
        port: int,
        new_game_choices: Callable[[], dict[str, Any]],
        get_routes: Collection[tuple[str, Endpoint]] = (),
        post_routes: Collection[tuple[str, Endpoint]] = (),
    ) -> None:
        self._broadcaster, self._live_socket, self._new_game_choices = (
            broadcaster,
            live_socket,
            new_game_choices,
        )
        self._base_app = BaseApp(
            auth, load_static_files("controller.ui.web"), port, "play/index.html"
        )
        require_user = self._base_app.require_user
        routes = [
            Route("/console", self._base_app.serve_file("console/index.html")),
            Route("/watch", self._base_app.serve_file("watch/index.html")),
            Route("/drawing.json", require_user(self._drawing)),
            Route("/rules.svg", require_user(self._rules)),
            Route("/new_game.json", require_user(self._new_game)),
            *(Route(path, require_user(endpoint)) for path, endpoint in get_routes),
            *(
                Route(path, require_user(endpoint), methods=["POST"])
                for path, endpoint in post_routes
            ),
            WebSocketRoute("/live", self._live),
        ]
        self.asgi: ASGIApp = self._base_app.build_app(routes, host_names)

    async def _drawing(self, request: Request) -> Response:
        game_view = self._game_view(request)
        if game_view is None:
            return error_response(sentences.NO_GAME_YET(), 503)
        session = game_view.session
        drawing = board_drawing_json(session.game, session.position)
        return JSONResponse({"number": game_view.game.number, **drawing})

    async def _rules(self, request: Request) -> Response:
        game_view = self._game_view(request)
        if game_view is None:
            return error_response(sentences.NO_GAME_YET(), 503)
        svg = await asyncio.to_thread(_rules_svg, game_view.session.game)
        return Response(svg, media_type="image/svg+xml")

    def _game_view(self, request: Request) -> GameView | None:
        """The newest state that the client may see."""
        return self._broadcaster.view_for(user_of(request), "delayed" in request.query_params)

    async def _new_game(self, _: Request) -> Response:
        return JSONResponse(self._new_game_choices())

    async def _live(self, socket: WebSocket) -> None:
        await self._live_socket(socket, socket.cookies.get(self._base_app.cookie))


@lru_cache(maxsize=4)
def _rules_svg(game: AnyGame) -> bytes:
    from engine.draw.page import A4  # imported late: few clients open the rules
    from engine.draw.rules.page import rules_page

    return rules_page(game, A4).to_svg().encode("utf-8")
