"""What the page answers: its files, who somebody is, and the socket. Everything is JSON but files.

Errors are JSON too, `{"error": sentence}`; there is no page of anybody else's making.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from controller.web.assets import INDEX, assets
from controller.web.commands import BadCommand
from controller.web.doors import KEPT_DAYS, Doors, Refused
from controller.web.drawing import drawing
from controller.web.gate import Gate, refused
from controller.web.hub import Hub
from controller.web.live import Live
from controller.web.rights import Visitor
from engine import strict_json

Answer = Callable[[Request], Awaitable[Response]]
NOT_IN = "enter with the PIN first"
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
        self._hub, self._doors, self._live = hub, doors, live
        self._choices, self._cookie = choices, f"laserboard-{port}"
        self._assets = assets()
        routes = [
            Route("/", self._index),
            Route("/static/{name:path}", self._static),
            Route("/you.json", self._you),
            Route("/enter", self._enter, methods=["POST"]),
            Route("/leave", self._leave, methods=["POST"]),
            Route("/drawing.json", self._for_visitors(self._drawing)),
            Route("/new.json", self._for_visitors(self._new)),
            *(Route(path, self._for_visitors(answer)) for path, answer in more),
            WebSocketRoute("/live", self._socket),
        ]
        handlers = {HTTPException: _wrong, Refused: _refusal, BadCommand: _bad}
        inner = Starlette(routes=routes, exception_handlers=handlers)  # type: ignore[arg-type]
        inner.router.redirect_slashes = False
        self.asgi: ASGIApp = Gate(inner, names, port)

    # -- files ---------------------------------------------------------------------------------

    async def _index(self, request: Request) -> Response:
        return self._file(INDEX, request)

    async def _static(self, request: Request) -> Response:
        return self._file(request.path_params["name"], request)

    def _file(self, name: str, request: Request) -> Response:
        found = self._assets.get(name)
        if found is None:
            raise HTTPException(404, "there is no such file")
        headers = {"ETag": found.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        return Response(found.content, media_type=found.kind, headers=headers)

    # -- who ----------------------------------------------------------------------------------

    async def _visitor(self, connection: HTTPConnection) -> Visitor | None:
        place = connection.client.host if connection.client else ""
        return await self._doors.visitor(connection.cookies.get(self._cookie), place)

    def _for_visitors(self, answer: Answer) -> Answer:
        async def checked(request: Request) -> Response:
            if await self._visitor(request) is None:
                return refused(NOT_IN, 401)
            return await answer(request)

        return checked

    async def _you(self, request: Request) -> Response:
        """Who asks; a role of null is for those who must enter first."""
        visitor = await self._visitor(request)
        return JSONResponse(
            {
                "role": None if visitor is None else visitor.role.value,
                "seat": None if visitor is None else visitor.seat,
                "pin": self._doors.needs_pin,
            }
        )

    async def _enter(self, request: Request) -> Response:
        body = strict_json.read((await request.body()).decode("utf-8", "replace"), BadCommand)
        found = strict_json.fields(body, "enter", BadCommand, (), ("key", "pin"))
        if len(found) != 1 or not isinstance(given := next(iter(found.values())), str):
            raise BadCommand('enter: give either {"pin": "123456"} or {"key": "..."}')
        place = request.client.host if request.client else ""
        if "key" in found:
            cookie = await self._doors.enter(key=given, place=place)
        else:
            cookie = await self._doors.enter(pin=given, place=place)
        answer = JSONResponse({"ok": True})
        answer.set_cookie(
            self._cookie,
            cookie,
            max_age=KEPT_DAYS * 24 * 3600,
            httponly=True,
            samesite="strict",
            path="/",
        )
        return answer

    async def _leave(self, request: Request) -> Response:
        visitor = await self._visitor(request)
        if visitor is not None:
            self._doors.leave(visitor)
        answer = JSONResponse({"ok": True})
        answer.delete_cookie(self._cookie, path="/", httponly=True, samesite="strict")
        return answer

    # -- the game -----------------------------------------------------------------------------

    async def _drawing(self, _: Request) -> Response:
        moment = self._hub.moment
        if moment is None:
            return refused(NO_GAME, 503)
        session = moment.session
        told = drawing(session.table.game, session.position)
        return JSONResponse({"number": moment.sitting.number, **told})

    async def _new(self, _: Request) -> Response:
        return JSONResponse(self._choices())

    async def _socket(self, socket: WebSocket) -> None:
        await self._live(socket, socket.cookies.get(self._cookie))


async def _wrong(_: Request, error: HTTPException) -> Response:
    return refused(str(error.detail), error.status_code, **dict(error.headers or {}))


async def _refusal(_: Request, error: Refused) -> Response:
    if error.wait_ms:
        return refused(str(error), 429, **{"Retry-After": str(1 + int(error.wait_ms / 1000))})
    return refused(str(error), 403)


async def _bad(_: Request, error: BadCommand) -> Response:
    return refused(str(error), 400)
