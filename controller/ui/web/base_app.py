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

from controller.ui import sentences
from controller.ui.web.auth import SESSION_DAYS, Auth, RequestRefused
from controller.ui.web.commands import BadCommand
from controller.ui.web.permissions import User
from controller.ui.web.request_guard import RequestGuard, error_response
from controller.ui.web.static_files import StaticFile
from engine import strict_json
from engine.sentences import plain

Endpoint = Callable[[Request], Awaitable[Response]]


def user_of(request: Request) -> User:
    """Who asks, where only those who are in may."""
    found = request.state.visitor
    assert isinstance(found, User)
    return found


class BaseApp:
    """Before anything is shown."""

    def __init__(self, auth: Auth, files: Mapping[str, StaticFile], port: int, index: str) -> None:
        self._auth, self._files, self._port, self._index_file = auth, files, port, index
        self.cookie = f"laserboard-{port}"

    def build_app(self, routes: Sequence[BaseRoute], host_names: Collection[str]) -> ASGIApp:
        """These routes behind the gate, together with one's own."""
        own = [
            Route("/", self._index),
            Route("/static/{name:path}", self._static),
            Route("/user.json", self._user_json),
            Route("/login", self._log_in, methods=["POST"]),
            Route("/logout", self._log_out, methods=["POST"]),
        ]
        handlers = {
            HTTPException: _http_error_response,
            RequestRefused: _refused_response,
            BadCommand: _bad_command_response,
        }
        inner = Starlette(routes=[*own, *routes], exception_handlers=handlers)  # type: ignore[arg-type]
        inner.router.redirect_slashes = False
        return RequestGuard(inner, host_names, self._port)

    def require_user(self, endpoint: Endpoint) -> Endpoint:
        """Only for those who are in."""

        async def checked(request: Request) -> Response:
            visitor = await self._user(request)
            if visitor is None:
                return error_response(sentences.LOGIN_REQUIRED(), 401)
            request.state.visitor = visitor
            return await endpoint(request)

        return checked

    def serve_file(self, name: str) -> Endpoint:
        """One of the files, for everybody."""

        async def sent(request: Request) -> Response:
            return self._file_response(name, request)

        return sent

    # -- files ---------------------------------------------------------------------------------

    async def _index(self, request: Request) -> Response:
        return self._file_response(self._index_file, request)

    async def _static(self, request: Request) -> Response:
        return self._file_response(request.path_params["name"], request)

    def _file_response(self, name: str, request: Request) -> Response:
        found = self._files.get(name)
        if found is None:
            return error_response(sentences.NO_SUCH_FILE(), 404)
        headers = {"ETag": found.etag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == found.etag:
            return Response(status_code=304, headers=headers)
        return Response(found.content, media_type=found.media_type, headers=headers)

    # -- who -----------------------------------------------------------------------------------

    async def _user(self, connection: HTTPConnection) -> User | None:
        place = connection.client.host if connection.client else ""
        return await self._auth.authenticate(connection.cookies.get(self.cookie), place)

    async def _user_json(self, request: Request) -> Response:
        """Who asks; a role of null is for those who must enter first."""
        visitor = await self._user(request)
        return JSONResponse(
            {
                "role": None if visitor is None else visitor.role.value,
                "seat": None if visitor is None else visitor.seat,
                "pin": self._auth.needs_pin,
            }
        )

    async def _log_in(self, request: Request) -> Response:
        body = strict_json.read((await request.body()).decode("utf-8", "replace"), BadCommand)
        found = strict_json.require_object(body, "login", BadCommand, (), ("key", "pin"))
        if len(found) != 1 or not isinstance(given := next(iter(found.values())), str):
            raise BadCommand(sentences.LOGIN_BODY(pin='{"pin": "123456"}', key='{"key": "..."}'))
        place = request.client.host if request.client else ""
        if "key" in found:
            cookie = await self._auth.log_in(key=given, client_host=place)
        else:
            cookie = await self._auth.log_in(pin=given, client_host=place)
        answer = JSONResponse({"ok": True})
        answer.set_cookie(
            self.cookie,
            cookie,
            max_age=SESSION_DAYS * 24 * 3600,
            httponly=True,
            samesite="strict",
            path="/",
        )
        return answer

    async def _log_out(self, request: Request) -> Response:
        visitor = await self._user(request)
        if visitor is not None:
            self._auth.log_out(visitor)
        answer = JSONResponse({"ok": True})
        answer.delete_cookie(self.cookie, path="/", httponly=True, samesite="strict")
        return answer


async def _http_error_response(_: Request, error: HTTPException) -> Response:
    return error_response(plain(str(error.detail)), error.status_code, **dict(error.headers or {}))


async def _refused_response(_: Request, error: RequestRefused) -> Response:
    if error.wait_ms:
        retry_after = str(1 + int(error.wait_ms / 1000))
        return error_response(error.sentence, 429, **{"Retry-After": retry_after})
    return error_response(error.sentence, 403)


async def _bad_command_response(_: Request, error: BadCommand) -> Response:
    return error_response(error.sentence, 400)
