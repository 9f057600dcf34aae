"""What the page of a game answers besides what every page does: drawing, rules, and the socket."""

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

from controller.ui import sentences
from controller.ui.web.auth import Auth
from controller.ui.web.base_app import BaseApp, Endpoint, user_of
from controller.ui.web.board_svg import board_drawing_json
from controller.ui.web.broadcast import Broadcaster
from controller.ui.web.live_socket import LiveSocket
from controller.ui.web.request_guard import error_response
from controller.ui.web.static_files import load_static_files
from engine.game import AnyGame


class PageApp:
    """The page of one program."""

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
        inside = self._base_app.require_user
        routes = [
            Route("/console", self._base_app.serve_file("console/index.html")),
            Route("/watch", self._base_app.serve_file("watch/index.html")),
            Route("/drawing.json", inside(self._drawing)),
            Route("/rules.svg", inside(self._rules)),
            Route("/new_game.json", inside(self._new)),
            *(Route(path, inside(answer)) for path, answer in get_routes),
            *(Route(path, inside(answer), methods=["POST"]) for path, answer in post_routes),
            WebSocketRoute("/live", self._socket),
        ]
        self.asgi: ASGIApp = self._base_app.build_app(routes, host_names)

    async def _drawing(self, request: Request) -> Response:
        delayed = "delayed" in request.query_params
        moment = self._broadcaster.view_for(user_of(request), delayed)
        if moment is None:
            return error_response(sentences.NO_GAME_YET(), 503)
        session = moment.session
        found = board_drawing_json(session.game, session.position)
        return JSONResponse({"number": moment.game.number, **found})

    async def _rules(self, request: Request) -> Response:
        moment = self._broadcaster.view_for(user_of(request), "delayed" in request.query_params)
        if moment is None:
            return error_response(sentences.NO_GAME_YET(), 503)
        drawn = await asyncio.to_thread(_rules_svg, moment.session.game)
        return Response(drawn, media_type="image/svg+xml")

    async def _new(self, _: Request) -> Response:
        return JSONResponse(self._new_game_choices())

    async def _socket(self, socket: WebSocket) -> None:
        await self._live_socket(socket, socket.cookies.get(self._base_app.cookie))


@lru_cache(maxsize=4)
def _rules_svg(game: AnyGame) -> bytes:
    from engine.draw.page import A4  # who plays on knows the rules
    from engine.draw.rules.page import rules_page

    return rules_page(game, A4).to_svg().encode("utf-8")
