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

from controller.web.assets import assets
from controller.web.doors import Doors
from controller.web.drawing import drawing
from controller.web.gate import refused
from controller.web.hub import Hub
from controller.web.live import Live
from controller.web.lobby import Answer, Lobby, visitor_of
from engine.game import AnyGame

NO_GAME = "no game has begun yet"


class App:
    """The page of one program."""

    def __init__(
        self,
        hub: Hub,
        doors: Doors,
        live: Live,
        names: Collection[str],
        port: int,
        choices: Callable[[], dict[str, Any]],
        more: Collection[tuple[str, Answer]] = (),
        posts: Collection[tuple[str, Answer]] = (),
    ) -> None:
        self._hub, self._live, self._choices = hub, live, choices
        self._lobby = Lobby(doors, assets("controller.web"), port)
        inside = self._lobby.for_visitors
        routes = [
            Route("/console", self._lobby.file("console.html")),
            Route("/watch", self._lobby.file("watch.html")),
            Route("/drawing.json", inside(self._drawing)),
            Route("/rules.svg", inside(self._rules)),
            Route("/new.json", inside(self._new)),
            *(Route(path, inside(answer)) for path, answer in more),
            *(Route(path, inside(answer), methods=["POST"]) for path, answer in posts),
            WebSocketRoute("/live", self._socket),
        ]
        self.asgi: ASGIApp = self._lobby.app(routes, names)

    async def _drawing(self, request: Request) -> Response:
        late = "late" in request.query_params
        moment = self._hub.shown_to(visitor_of(request), late)
        if moment is None:
            return refused(NO_GAME, 503)
        session = moment.session
        told = drawing(session.table.game, session.position)
        return JSONResponse({"number": moment.sitting.number, **told})

    async def _rules(self, request: Request) -> Response:
        moment = self._hub.shown_to(visitor_of(request), "late" in request.query_params)
        if moment is None:
            return refused(NO_GAME, 503)
        drawn = await asyncio.to_thread(_how_to_play, moment.session.table.game)
        return Response(drawn, media_type="image/svg+xml")

    async def _new(self, _: Request) -> Response:
        return JSONResponse(self._choices())

    async def _socket(self, socket: WebSocket) -> None:
        await self._live(socket, socket.cookies.get(self._lobby.cookie))


@lru_cache(maxsize=4)
def _how_to_play(game: AnyGame) -> bytes:
    from controller.sheets.page import A4  # who plays on knows the rules
    from controller.sheets.rules.page import rules_page

    return rules_page(game, A4).svg().encode("utf-8")
