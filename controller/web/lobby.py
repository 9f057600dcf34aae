"""What every page of ours answers besides what it is about: its files, who somebody is, and the
way in and out. Errors are JSON, `{"error": sentence}`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from controller.web.assets import INDEX, Asset
from controller.web.commands import BadCommand
from controller.web.doors import KEPT_DAYS, Doors, Refused
from controller.web.gate import Gate, refused
from controller.web.rights import Visitor
from engine import strict_json

Answer = Callable[[Request], Awaitable[Response]]


def visitor_of(request: Request) -> Visitor:
    """Who asks, where only those who are in may."""
    found = request.state.visitor
    assert isinstance(found, Visitor)
    return found


NOT_IN = "enter with the PIN first"


class Lobby:
    """Before anything is shown."""

    def __init__(self, doors: Doors, files: Mapping[str, Asset], port: int) -> None:
        self._doors, self._files, self._port = doors, files, port
        self.cookie = f"laserboard-{port}"

    def app(self, routes: Sequence[BaseRoute], names: Collection[str]) -> ASGIApp:
        """These routes behind the gate, together with one's own."""
        own = [
            Route("/", self._index),
            Route("/static/{name:path}", self._static),
            Route("/you.json", self._you),
            Route("/enter", self._enter, methods=["POST"]),
            Route("/leave", self._leave, methods=["POST"]),
        ]
        handlers = {HTTPException: _wrong, Refused: _refusal, BadCommand: _bad}
        inner = Starlette(routes=[*own, *routes], exception_handlers=handlers)  # type: ignore[arg-type]
        inner.router.redirect_slashes = False
        return Gate(inner, names, self._port)

    def for_visitors(self, answer: Answer) -> Answer:
        """Only for those who are in."""

        async def checked(request: Request) -> Response:
            visitor = await self._visitor(request)
            if visitor is None:
                return refused(NOT_IN, 401)
            request.state.visitor = visitor
            return await answer(request)

        return checked

    def file(self, name: str) -> Answer:
        """One of the files, for everybody."""

        async def sent(request: Request) -> Response:
            return self._file(name, request)

        return sent

    # -- files ---------------------------------------------------------------------------------

    async def _index(self, request: Request) -> Response:
        return self._file(INDEX, request)

    async def _static(self, request: Request) -> Response:
        return self._file(request.path_params["name"], request)

    def _file(self, name: str, request: Request) -> Response:
        found = self._files.get(name)
        if found is None:
            raise HTTPException(404, "there is no such file")
        headers = {"ETag": found.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        return Response(found.content, media_type=found.kind, headers=headers)

    # -- who -----------------------------------------------------------------------------------

    async def _visitor(self, connection: HTTPConnection) -> Visitor | None:
        place = connection.client.host if connection.client else ""
        return await self._doors.visitor(connection.cookies.get(self.cookie), place)

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
            self.cookie,
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
        answer.delete_cookie(self.cookie, path="/", httponly=True, samesite="strict")
        return answer


async def _wrong(_: Request, error: HTTPException) -> Response:
    return refused(str(error.detail), error.status_code, **dict(error.headers or {}))


async def _refusal(_: Request, error: Refused) -> Response:
    if error.wait_ms:
        return refused(str(error), 429, **{"Retry-After": str(1 + int(error.wait_ms / 1000))})
    return refused(str(error), 403)


async def _bad(_: Request, error: BadCommand) -> Response:
    return refused(str(error), 400)
