"""The HTTP server logs defects of the page with their traceback."""

from __future__ import annotations

import http.client
import logging
import time

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from controller.ui.web.http_server import ThreadedServer
from tests.support.web.served_page import MAX_S


async def _broken_route(_: Request) -> Response:
    raise ZeroDivisionError("the route is broken")


async def _broken_socket(socket: WebSocket) -> None:
    await socket.accept()
    raise ZeroDivisionError("the socket is broken")


class BrokenServer(ThreadedServer):
    def __init__(self) -> None:
        super().__init__(0, lan=False)
        self._start()

    async def _serve(self) -> None:
        routes = [Route("/", _broken_route), WebSocketRoute("/live", _broken_socket)]
        await self._serve_app(Starlette(routes=routes))


def _logged(caplog: pytest.LogCaptureFixture) -> list[BaseException | None]:
    return [record.exc_info[1] for record in caplog.records if record.exc_info]


def _wait_for_traceback(caplog: pytest.LogCaptureFixture, message: str) -> None:
    end_s = time.monotonic() + MAX_S
    while not any(message in str(error) for error in _logged(caplog)):
        assert time.monotonic() < end_s, caplog.text


def test_a_defect_in_a_route_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    server = BrokenServer()
    try:
        with caplog.at_level(logging.WARNING):
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=MAX_S)
            line.request("GET", "/")
            assert line.getresponse().status == 500
            line.close()
            _wait_for_traceback(caplog, "the route is broken")
    finally:
        server.close()


def test_a_defect_in_a_web_socket_is_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = BrokenServer()
    try:
        with caplog.at_level(logging.WARNING):
            with (
                pytest.raises(WebSocketException),
                connect(f"ws://127.0.0.1:{server.port}/live") as line,
            ):
                line.recv(timeout=MAX_S)
            _wait_for_traceback(caplog, "the socket is broken")
    finally:
        server.close()
