"""The routes that every page has: static files, login, logout, and who the user is.

Errors are JSON, `{"error": sentence}`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from controller.ui.web import sentences
from controller.ui.web.auth import SESSION_DAYS, Auth, RequestRefused
from controller.ui.web.commands import BadCommand
from controller.ui.web.permissions import User
from controller.ui.web.request_guard import RequestGuard, error_response
from controller.ui.web.static_files import StaticFile
from engine import strict_json
from engine.sentences import plain

Endpoint = Callable[[Request], Awaitable[Response]]


def user_of(request: Request) -> User:
    """The user of a request to an endpoint with `require_user`."""
    user = request.state.user
    assert isinstance(user, User)
    return user


class BaseApp:
    """Base of the web applications; `build_app` adds an application's own routes."""

    def __init__(self, auth: Auth, files: Mapping[str, StaticFile], port: int, index: str) -> None:
        self._auth, self._files, self._port, self._index_file = auth, files, port, index
        self.cookie = f"laserboard-{port}"

    def build_app(self, routes: Sequence[BaseRoute], host_names: Collection[str]) -> ASGIApp:
        """The application with these routes and the common ones, behind the request guard."""
        common = [
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
        inner = Starlette(routes=[*common, *routes], exception_handlers=handlers)  # type: ignore[arg-type]
        inner.router.redirect_slashes = False
        return RequestGuard(inner, host_names, self._port)

    def require_user(self, endpoint: Endpoint) -> Endpoint:
        """Wrap an endpoint: it answers 401 unless the client has a user."""

        async def checked(request: Request) -> Response:
            user = await self._user(request)
            if user is None:
                return error_response(sentences.LOGIN_REQUIRED(), 401)
            request.state.user = user
            return await endpoint(request)

        return checked

    def serve_file(self, name: str) -> Endpoint:
        """An endpoint that serves one static file, also without a login."""

        async def serve(request: Request) -> Response:
            return self._file_response(name, request)

        return serve

    # -- files ---------------------------------------------------------------------------------

    async def _index(self, request: Request) -> Response:
        return self._file_response(self._index_file, request)

    async def _static(self, request: Request) -> Response:
        return self._file_response(request.path_params["name"], request)

    def _file_response(self, name: str, request: Request) -> Response:
        file = self._files.get(name)
        if file is None:
            return error_response(sentences.NO_SUCH_FILE(), 404)
        headers = {"ETag": file.etag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == file.etag:
            return Response(status_code=304, headers=headers)
        return Response(file.content, media_type=file.media_type, headers=headers)

    # -- users ---------------------------------------------------------------------------------

    async def _user(self, connection: HTTPConnection) -> User | None:
        client_host = connection.client.host if connection.client else ""
        return await self._auth.authenticate(connection.cookies.get(self.cookie), client_host)

    async def _user_json(self, request: Request) -> Response:
        """Describe the user; the role is null if the client must log in."""
        user = await self._user(request)
        return JSONResponse(
            {
                "role": None if user is None else user.role.value,
                "seat": None if user is None else user.seat,
                "pin": self._auth.needs_pin,
            }
        )

    async def _log_in(self, request: Request) -> Response:
        body = strict_json.read((await request.body()).decode("utf-8", "replace"), BadCommand)
        login = strict_json.require_object(body, "login", BadCommand, (), ("key", "pin"))
        if len(login) != 1 or not isinstance(secret := next(iter(login.values())), str):
            raise BadCommand(sentences.LOGIN_BODY(pin='{"pin": "123456"}', key='{"key": "..."}'))
        client_host = request.client.host if request.client else ""
        if "key" in login:
            cookie = await self._auth.log_in(key=secret, client_host=client_host)
        else:
            cookie = await self._auth.log_in(pin=secret, client_host=client_host)
        response = JSONResponse({"ok": True})
        response.set_cookie(
            self.cookie,
            cookie,
            max_age=SESSION_DAYS * 24 * 3600,
            httponly=True,
            samesite="strict",
            path="/",
        )
        return response

    async def _log_out(self, request: Request) -> Response:
        user = await self._user(request)
        if user is not None:
            self._auth.log_out(user)
        response = JSONResponse({"ok": True})
        response.delete_cookie(self.cookie, path="/", httponly=True, samesite="strict")
        return response


async def _http_error_response(_: Request, error: HTTPException) -> Response:
    return error_response(plain(str(error.detail)), error.status_code, **dict(error.headers or {}))


async def _refused_response(_: Request, error: RequestRefused) -> Response:
    if error.wait_ms:
        retry_after = str(1 + int(error.wait_ms / 1000))
        return error_response(error.sentence, 429, **{"Retry-After": retry_after})
    return error_response(error.sentence, 403)


async def _bad_command_response(_: Request, error: BadCommand) -> Response:
    return error_response(error.sentence, 400)
