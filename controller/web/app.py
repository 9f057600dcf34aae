"""What the page of a game answers besides what every page does: its drawing, and the socket."""

from __future__ import annotations

from collections.abc import Callable, Collection
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
    ) -> None:
        self._hub, self._live, self._choices = hub, live, choices
        self._lobby = Lobby(doors, assets("controller.web"), port)
        inside = self._lobby.for_visitors
        routes = [
            Route("/console", self._lobby.file("console.html")),
            Route("/watch", self._lobby.file("watch.html")),
            Route("/drawing.json", inside(self._drawing)),
            Route("/new.json", inside(self._new)),
            *(Route(path, inside(answer)) for path, answer in more),
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

    async def _new(self, _: Request) -> Response:
        return JSONResponse(self._choices())

    async def _socket(self, socket: WebSocket) -> None:
        await self._live(socket, socket.cookies.get(self._lobby.cookie))
